"""Who asked to come in and is not in yet: their id is kept for the account that asked, and tied to it on entry.

A game may let people in by a vote, or by somebody's decision, days after they asked. Then nobody is there whose act it
is; so what the forge said of the person at their own act is kept, and nobody else takes the id meanwhile.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from folkmoot.core.keys import GAME, ROSTER
from folkmoot.core.records import Account, Application, Via
from folkmoot.kernel import roster
from folkmoot.kernel.errors import Fault, Refusal
from folkmoot.kernel.play import Play


def applications(play: Play) -> Mapping[str, Application]:
    """Return who asked to come in, by the id that is kept for them."""
    game = play.documents.get(GAME)
    return (game.get("applications") if game is not None else None) or {}


def keep(play: Play, player: str, via: Via, person: Account) -> None:
    """Keep who did something as a stranger under an id; what they asked for under another is given up for it."""
    account: Account = {"id": str(person["id"]), "login": str(person["login"])}
    forge = str(via["forge"])
    others = {
        kept: asked
        for kept, asked in applications(play).items()
        if kept.lower() != player.lower() and not _is(asked, forge, account["id"])
    }
    asked: Application = {"forge": forge, "account": account, "at": play.now}
    known = applications(play).get(player)
    if known is not None and _is(known, forge, account["id"]):
        asked["at"] = known["at"]
    for place in ("pull", "issue"):
        if via.get(place):
            asked[place] = via[place]
    _put(play, {**others, player: asked})
    if known is None or not _is(known, forge, account["id"]):
        play.effect("apply", of=player, forge=forge, to=account)


def check(play: Play, player: str | None, forge: str, person: Mapping[str, Any]) -> None:
    """Raise Refusal E-DUP where a stranger takes an id that is kept for somebody else."""
    name, asked = _kept_as(play, player or "")
    if asked is None or _is(asked, forge, str(person["id"])) or _plays_as(play, asked) is not None:
        return
    why = f"{name} is kept for {asked['account']['login']}, who asked to come in; ask for another, as in /join id=NAME"
    raise Refusal("E-DUP", why)


def admit(play: Play, player: str) -> None:
    """Tie somebody who has just come in to the account that asked for their id.

    Raises Fault E-DUP where the id is kept in other letters, or for somebody who plays under another name already.
    """
    name, asked = _kept_as(play, player)
    if asked is None:
        return
    person = play.via.get("person")
    own = play.person == player and isinstance(person, Mapping)
    if own and not _is(asked, str(play.via.get("forge")), str(person["id"])):  # type: ignore[index]
        _drop(play, name)  # `check` let them take it: who asked for it plays already
        return
    if name != player:
        raise Fault(f"the id {name} is kept for {asked['account']['login']}, who asked to come in", "E-DUP")
    other = _plays_as(play, asked)
    if other not in (None, player):
        raise Fault(f"{asked['account']['login']}, who asked to come in as {player}, plays as {other} already", "E-DUP")
    _drop(play, name)
    handles = {**play.documents[ROSTER][player].get("handles", {}), asked["forge"]: asked["account"]}
    roster.put(play, player, "handles", handles)
    if asked["at"] != play.now:
        roster.put(play, player, "asked", asked["at"])
    play.effect("identify", of=player, forge=asked["forge"], to=asked["account"])


def withdraw(play: Play, player: str) -> bool:
    """Give up an id that is kept for somebody; False where none is."""
    if player not in applications(play):
        return False
    asked = applications(play)[player]
    _drop(play, player)
    play.effect("apply", of=player, forge=asked["forge"], to=asked["account"], lost=True)
    return True


def _kept_as(play: Play, player: str) -> tuple[str, Application | None]:
    """Return an id as it is kept for somebody, in whatever letters, and for whom."""
    found = (name for name in applications(play) if name.lower() == player.lower())
    name = next(found, player)
    return name, applications(play).get(name)


def _is(asked: Application, forge: str, identifier: str) -> bool:
    return (asked["forge"], asked["account"]["id"]) == (forge, identifier)


def _plays_as(play: Play, asked: Application) -> str | None:
    """Return as whom somebody who asked to come in is or was in the game, None where they never were."""
    for player, entry in play.documents[ROSTER].items():
        handle = entry.get("handles", {}).get(asked["forge"])
        if handle is not None and handle["id"] == asked["account"]["id"]:
            return player
    return None


def _drop(play: Play, name: str) -> None:
    _put(play, {kept: asked for kept, asked in applications(play).items() if kept != name})


def _put(play: Play, kept: dict[str, Application]) -> None:
    play.documents.assign(GAME, play.documents[GAME], "applications", kept)
