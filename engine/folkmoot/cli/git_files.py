"""What git must know of a repository with games: which bytes it may not touch, and what it need not keep."""

from __future__ import annotations

from pathlib import Path

from folkmoot.core.whole_files import write_whole

ATTRIBUTES = """\
# The journal is a chain of digests of exact bytes: git must not convert line ends below state/.
state/** -text
"""
IGNORED = """\
# A write that was cut short; the next command finishes it or takes it back.
.pending/
# The site, and the pages that it is built from, follow from the record (each game's folder of pages says so itself).
/site/
/site_src/index.md
__pycache__/
"""
FILES = {".gitattributes": ATTRIBUTES, ".gitignore": IGNORED}


def write_git_files(root: Path) -> list[str]:
    """Write `.gitattributes` and `.gitignore` into a repository where they are missing; return the names of new ones.

    A file that is there is never changed.
    """
    missing = [name for name in FILES if not (root / name).exists()]
    for name in missing:
        write_whole(root / name, FILES[name].encode())
    return missing
