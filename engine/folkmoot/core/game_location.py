"""Where a game is played, and whether some place is one that it has left."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from folkmoot.core.calendar import write_moment
from folkmoot.core.keys import forge_home, forge_kind
from folkmoot.core.records import LeftForge, PlayedAt

LOCAL = "local"
KINDS = ("github", "gitea")
"""Forges on the web."""
TABLE_LOG = Path("moot", "referee.log")
"""Where the referee of a table writes what it said, inside the table."""
LATEST = 1 << 35  # seconds; what is later is no time that a game could have been left


def left_from(game: PlayedAt, kind: str, home: str = "") -> LeftForge | None:
    """Return the forge that a game has left, where a kind and home (the address of a repository) are that one.

    What is unknown, "", may be any. A copy elsewhere of the repository is neither here nor left: it is a copy.

    >>> game = {"forge": {"kind": "github", "home": "https://a.example/x/y"}, "left": [{"kind": "local", "until": 5}]}
    >>> left_from(game, "local"), left_from(game, "github", "https://a.example/x/y"), left_from(game, "gitea")
    ({'kind': 'local', 'until': 5}, None, None)
    """
    if forge_kind(game) == kind and _same(forge_home(game), home):
        return None
    found = (each for each in reversed(forges_left(game)) if each["kind"] == kind)
    return next((each for each in found if _same(str(each.get("home") or ""), home)), None)


def forges_left(game: PlayedAt) -> list[LeftForge]:
    """Return the forges that a game has left, oldest first, those that can be read: its file may be anybody's work."""
    found = game.get("left")
    every = found if isinstance(found, list) else []
    return [each for each in every if isinstance(each, dict) and isinstance(each.get("kind"), str)]


def _same(one: str, other: str) -> bool:
    return not one or not other or one.lower() == other.lower()


def played_at(game: PlayedAt) -> str:
    """Return where a game is played, for a sentence: its home, or the kind of forge.

    >>> played_at({"forge": "local"}), played_at({"forge": {"kind": "github", "home": "https://a.example/x/y"}})
    ('a table of plain git', 'https://a.example/x/y')
    """
    return forge_home(game) or ("a table of plain git" if forge_kind(game) == LOCAL else forge_kind(game))


def gone(name: str, game: PlayedAt, left: LeftForge) -> str:
    """Return the sentence that tells somebody at a forge where its game is played now."""
    until: Any = left.get("until")
    since = f"since {write_moment(until)} " if type(until) is int and 0 <= until < LATEST else ""
    there = played_at(game)
    return f"{name} has moved: {since}it is played at {there}, and what is said here counts for nothing"
