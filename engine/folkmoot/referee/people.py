"""Who in a game somebody on a forge is, and whether what arrived from them can be trusted."""

from __future__ import annotations

import re
from collections.abc import Iterable

from folkmoot.core.documents import Roster
from folkmoot.forges.port import Person
from folkmoot.kernel.names import known_as, outline

LONGEST_ID = 30


def player_of(roster: Roster, forge: str, person: Person) -> str | None:
    """Return the player whom a forge knows as `person`, also a former one; None for strangers.

    On the local forge a player without a handle is known by the address they were entered with.
    """
    if not person.id:
        return None
    handles = {player: (entry.get("handles") or {}).get(forge) for player, entry in roster.items()}
    known = [player for player, handle in handles.items() if handle and handle.get("id") == person.id]
    if forge == "local":
        without = (player for player, handle in handles.items() if not handle)
        known += [player for player in without if str(roster[player].get("email", "")).lower() == person.id]
    return next(iter(known), None)


def whose(person: Person, roster: Roster, forge: str, *others: Roster) -> str:
    """Return how somebody is named: as a player, else by their handle, and by more where that looks like a player's."""
    rosters = (roster, *others)
    player = next((player for each in rosters if (player := player_of(each, forge, person))), None)
    if player:
        return player
    shown = outline(person.handle)
    names = (name for each in rosters for player, entry in each.items() for name in known_as(player, entry))
    alike = person.id != person.handle and any(shown == outline(name) for name in names)
    return f"{person.handle} ({person.id})" if alike else person.handle


def plays(roster: Roster, player: str | None, at: int) -> bool:
    """Say whether somebody was a player when something arrived (Unix seconds)."""
    entry = roster.get(player) if player else None
    if entry is None:
        return False
    spans = [*entry.get("earlier", ()), entry]
    return any(span["since"] <= at and (span["until"] is None or at <= span["until"]) for span in spans)


SIGNING = "`moot key` says how git signs, then send it again"


def distrust(roster: Roster, player: str, key: str, at: int) -> str:
    """Return why what arrived at a time is not believed to come from a player, "" if it is.

    Who never named a key plays on trust; who did must have signed with one that was valid at the arrival, whatever date
    the commit claims.
    """
    keys = roster[player].get("keys") or ()
    named = [kept for kept in keys if kept["since"] <= at]
    if not named:
        return ""
    if not key:
        return f"it carries no good signature, and {player} signs what they send: {SIGNING}"
    if any(kept["key"] == key and (kept["until"] is None or at < kept["until"]) for kept in named):
        return ""
    if any(kept["key"] == key for kept in named):
        return f"its key was withdrawn by {player} before it arrived"
    return f"it is signed with a key that is not {player}'s"


def new_id(taken: Iterable[str], handle: str, asked: str = "") -> str:
    """Return the id under which a newcomer is entered: as asked, else made from their handle and not `taken`.

    >>> new_id({}, "Ann Émile"), new_id({"ann": {}}, "ann"), new_id({}, "42"), new_id({}, "x", "zed")
    ('Ann-mile', 'ann-2', 'player-42', 'zed')
    """
    if asked:
        return asked
    plain = re.sub(r"-{2,}", "-", re.sub(r"[^A-Za-z0-9_-]", "-", handle.partition("@")[0])).strip("-_")[:LONGEST_ID]
    first = plain if plain[:1].isalpha() else f"player-{plain}".rstrip("-")
    others = {player.lower() for player in taken}
    tried, number = first, 2
    while tried.lower() in others:
        tried, number = f"{first}-{number}", number + 1
    return tried
