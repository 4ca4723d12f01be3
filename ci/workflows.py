"""Write this repository's own workflows from the templates that games get: `ci/workflows/`.

python ci/workflows.py           write them
python ci/workflows.py --check   fail where they are not in step
"""

import sys
from pathlib import Path

from folkmoot.forges.workflows import FOLDERS, workflow_files
from folkmoot.ops.doctor.repository_files import stale_files, write_stale

ROOT = Path(__file__).resolve().parent.parent


def main(arguments: list[str]) -> int:
    """Write or check the files; return the exit code."""
    wanted = {name: text for kind in FOLDERS for name, text in workflow_files(kind, own=True).items()}
    if "--check" not in arguments:
        write_stale(ROOT, wanted)
        return 0
    stale = stale_files(ROOT, wanted)
    for name in stale:
        print(f"{name} is not in step; run `python ci/workflows.py`", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
