"""Games founded with a past."""

from __future__ import annotations

from pathlib import Path

from tests.past.folders import POND, write
from tests.support.moot import Moot, Said

AT = "2026-11-01T00:00:00Z"


def founded(moot: Moot, files: dict[str, str] = POND) -> Said:
    write(Path("pond"), files)
    return moot("new", "g", "-r", "./pond", "-p", "ann", "--at", AT, "--no-commit")
