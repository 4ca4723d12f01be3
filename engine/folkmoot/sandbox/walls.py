"""The walls around the sandbox's process: which stand on this machine, and what it means where one is missing.

A script has no way out of Starlark that is known; the walls are for the one that is not. On Linux each of `calls` and
`files` stands nearly everywhere, in containers too. `calls` is enough by itself: it leaves nothing but thinking and
answering. So the superuser, who could do anything to the machine, is made to say that nothing need stand there.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterable

from msgspec import Struct

from folkmoot.core.problems import fail

VARIABLE = "FOLKMOOT_WITHOUT_WALLS"
"""Set to 1, it lets the superuser judge games where system calls are not filtered."""
WALLS = {
    "calls": "system calls are not filtered (seccomp)",
    "files": "files are not closed (Landlock)",
    "network": "there is no namespace without a network and without rights (user namespaces)",
}
BREAKS_OUT = "a rule's script that broke out of Starlark"
WITHOUT_CALLS = {
    "calls": "could start programs, signal other processes and change files of this account",
    "files": "could read every file of this account",
    "network": "could speak to the network",
}
SYSTEMS = {"darwin": "macOS has none of them"}


class Wall(Struct, frozen=True):
    """A wall by name; `missing` says in a sentence what it means that it does not stand, and is "" where it does."""

    name: str
    missing: str = ""


def walls(standing: Collection[str]) -> list[Wall]:
    """Return each wall, given the names of those that stand."""
    return [Wall(name, "" if name in standing else _missing(name, "calls" in standing)) for name in WALLS]


def missing_walls(found: Iterable[Wall]) -> list[str]:
    """Return what to say of walls: a sentence for each that is missing, one alone where none stands."""
    missing = [wall.missing for wall in found if wall.missing]
    return missing if len(missing) < len(WALLS) else [_none()]


def _missing(name: str, filtered: bool) -> str:
    if filtered:
        return f"{WALLS[name]}: the filter of system calls alone keeps {BREAKS_OUT} from harm"
    return f"{WALLS[name]}: {BREAKS_OUT} {WITHOUT_CALLS[name]}"


def _none() -> str:
    why = SYSTEMS.get(sys.platform, "this system or container allows none of them")
    return f"no wall of the sandbox stands here ({why}): {BREAKS_OUT} could do whatever this account may"


def refuse_bare_root(standing: Collection[str]) -> None:
    """Raise E-JUDGE where the superuser would judge a game while system calls are not filtered, unless they insist."""
    if "calls" in standing or os.geteuid() != 0 or os.environ.get(VARIABLE) == "1":
        return
    said = f"this is the superuser, and {WALLS['calls']}: {BREAKS_OUT} could do anything to this machine"
    hint = f"play as an ordinary user, or where system calls may be filtered; {VARIABLE}=1 judges all the same"
    raise fail("E-JUDGE", said, None, hint)
