"""What players owe: shown to them, on the site and in calendars."""

from __future__ import annotations

from typing import Any

from folkmoot.core.documents import Duty
from folkmoot.core.keys import DUTIES
from folkmoot.core.values import told
from folkmoot.kernel.errors import Fault
from folkmoot.kernel.identity import is_player
from folkmoot.kernel.play import Play


def duties(play: Play) -> dict[str, Duty]:
    """Return what players owe, by key."""
    return play.documents[DUTIES]


def owe(play: Play, player: Any, what: str, by: int | None, key: str | None) -> None:
    """Note that a player must do something by a time (None: no deadline); the same key replaces a duty.

    `since` when it is owed (Unix seconds), and `cause`, whose act led to it, are kept where a rule repeats itself.
    """
    play.writing("note duties")
    if not is_player(play, player):
        raise Fault(f"{told(player)} is no player and can owe nothing", "E-NO-SUCH")
    owed_now = duties(play)
    name = key or f"{player}:{what}"
    owed: Duty = {"player": player, "what": what, "by": by, "rule": play.cite()}
    before = owed_now.get(name)
    if before is None or not owed.items() <= before.items():
        play.documents.assign(DUTIES, owed_now, name, {**owed, "since": play.now, "cause": play.actor})
    play.effect("owe", of=player, what=what, by=by, key=name, was=before if play.law.takes_back() else None)


def settle(play: Play, key: str) -> bool:
    """Strike out a duty; False if there is none of that key."""
    play.writing("strike out duties")
    owed = duties(play)
    if key not in owed:
        return False
    was = owed[key] if play.law.takes_back() else None
    play.documents.remove(DUTIES, owed, key)
    play.effect("settle", of=key, was=was)
    return True
