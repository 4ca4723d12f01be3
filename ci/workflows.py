"""Write this repository's own workflows from the templates that games get: `ci/workflows/`.

python ci/workflows.py           write them
python ci/workflows.py --check   fail where they are not in step
"""

import sys
from pathlib import Path

from folkmoot.forges.workflows import FOLDERS, stale_workflows, write_workflows

ROOT = Path(__file__).resolve().parent.parent


def main(arguments: list[str]) -> int:
    """Write or check the files; return the exit code."""
    if "--check" not in arguments:
        for kind in FOLDERS:
            write_workflows(ROOT, kind, own=True)
        return 0
    stale = [name for kind in FOLDERS for name in stale_workflows(ROOT, kind, own=True)]
    for name in stale:
        print(f"{name} is not in step; run `python ci/workflows.py`", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
