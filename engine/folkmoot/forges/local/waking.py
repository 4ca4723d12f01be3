"""Whether a repository where players meet wakes its referee by itself: `moot table` gives it a hook that does."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from folkmoot.core.clone_files import CloneFiles
from folkmoot.core.problems import ProblemError

RUNNER = "folkmoot.cli.table_referee"
"""The module that a push to a table wakes."""
_HOOK = "hooks/post-receive"


def wakes_referee(repository: Path) -> bool:
    """Say whether a push to a bare repository wakes its referee; of one far away nobody can say."""
    with suppress(OSError, ProblemError):
        return RUNNER in (CloneFiles(repository).read_text(_HOOK, errors="replace") or "")
    return False
