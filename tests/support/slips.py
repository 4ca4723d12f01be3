"""A walk through commands on which somebody slips."""

from __future__ import annotations

import hashlib
from pathlib import Path

from msgspec import Struct

from tests.support.gathering import Gathering


class Slip(Struct, frozen=True):
    """What bob types while the vote on ann's tea is open, the exit code, and what is said."""

    words: tuple[str, ...]
    wanted: tuple[str, ...]
    code: int = 2


def files(folder: Path) -> dict[str, str]:
    """Return the digest of every file of a clone but git's own."""
    found = (path for path in folder.rglob("*") if path.is_file() and ".git" not in path.parts)
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in found}


def tea(gathering: Gathering) -> None:
    """Let ann propose tea, which is taken in."""
    gathering.tea()
    gathering.referee()


def withdrawn(gathering: Gathering) -> None:
    """Let ann open the vote on tea, and withdraw the pull request."""
    tea(gathering)
    gathering.moot("ann", "act", "finalise")
    gathering.referee()
    gathering.moot("ann", "withdraw", "1")
    gathering.referee()
