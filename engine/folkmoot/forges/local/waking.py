"""Whether a repository where players meet wakes its referee by itself: `moot table` gives it a hook that does."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

RUNNER = "folkmoot.cli.table_referee"
"""The module that a push to a table wakes."""
_HOOK = Path("hooks", "post-receive")


def wakes_referee(repository: Path) -> bool:
    """Say whether a push to a bare repository wakes its referee; of one far away nobody can say."""
    with suppress(OSError):
        return RUNNER in (repository / _HOOK).read_text("utf-8", "replace")
    return False
