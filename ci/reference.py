"""Write the reference pages that are made from the sources: the law language, commands, actions, settings, codes.

python ci/reference.py           write them
python ci/reference.py --check   fail where they are not in step
"""

import sys
from pathlib import Path

from folkmoot.cli.reference import reference_pages
from folkmoot.language import reference as language

SOURCES = Path(__file__).resolve().parent.parent / "site_src"


def main(arguments: list[str]) -> int:
    """Write or check the pages; return the exit code."""
    pages = {**language.reference_pages(), **reference_pages()}
    stale = [name for name, text in pages.items() if not _is(SOURCES / name, text)]
    if "--check" in arguments:
        for name in stale:
            print(f"site_src/{name} is not in step; run `python ci/reference.py`", file=sys.stderr)
        return 1 if stale else 0
    for name in stale:
        (SOURCES / name).parent.mkdir(parents=True, exist_ok=True)
        (SOURCES / name).write_text(pages[name], "utf-8")
    return 0


def _is(path: Path, text: str) -> bool:
    return path.exists() and path.read_text("utf-8") == text


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
