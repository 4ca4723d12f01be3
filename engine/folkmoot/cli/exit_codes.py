"""With which number a command ends; the same facts stand in `moot --help`."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum

from folkmoot.core.problems import Problem


class Exit(IntEnum):
    """An exit code."""

    OK = 0
    PROBLEMS = 1
    USAGE = 2
    REFUSED = 3
    DAMAGED = 4
    OUTSIDE = 5
    LATE = 6
    FAULT = 70
    INTERRUPTED = 130


USAGE_CODES = frozenset({"E-NO-GAME"})
DAMAGE_CODES = frozenset(
    "E-CHAIN E-CONSENT E-DERIVED E-DRAW E-FILE E-LIST E-PAST E-PENDING E-REDACTION E-REPLAY E-STRAY".split()
)
OUTSIDE_CODES = frozenset({"E-DISK", "E-FORGE", "E-GIT", "E-JUDGE", "E-LOCKED", "E-MOVED", "E-OUTSIDE", "E-SITE"})


def exit_of(problems: Iterable[Problem]) -> Exit:
    """Return the exit code for problems that stopped a command: the gravest of them decides."""
    codes = {problem.code for problem in problems}
    for known, code in ((DAMAGE_CODES, Exit.DAMAGED), (OUTSIDE_CODES, Exit.OUTSIDE), (USAGE_CODES, Exit.USAGE)):
        if codes & known:
            return code
    return Exit.PROBLEMS
