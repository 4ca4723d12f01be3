"""The roster, who plays and who they are: nothing else writes it, so that no script of a rule gets at anybody's seat.

A rule decides who plays: it may bring people in and send them away. Who they are is not its to say: handles on forges,
keys, addresses and dates are written by the kernel alone, on the word of the person or of an administrator.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, cast

from folkmoot.core.documents import Document, RosterEntry
from folkmoot.core.keys import GAME, ROSTER
from folkmoot.core.past_dates import is_exact, moments_of, span_of
from folkmoot.core.records import Account, Application, Registers, Stay, Via
from folkmoot.core.values import told
from folkmoot.kernel.errors import Fault, Refusal
from folkmoot.kernel.names import check_called, people_of
from folkmoot.kernel.play import Play

KEPT = ("handles", "keys", "sealing", "mentions", "asked", "since", "until", "earlier", "dated")
"""What the kernel alone writes of a person; nobody gives it as an attribute."""
ADDRESS = "email"
"""By which the local forge knows a person without a handle: as whoever keeps the game gave it, never as a rule did."""

Field = Literal["handles", "keys", "mentions", "asked", "sealing"]


def is_player(play: Play, who: Any) -> bool:
    """Whether somebody is a player now."""
    entry = play.documents[ROSTER].get(who) if isinstance(who, str) else None
    return entry is not None and entry["until"] is None


def the_player(play: Play, who: Any) -> str:
    """Return the id of somebody who is a player now; raises Refusal E-NOT-PLAYER."""
    if not is_player(play, who):
        raise Refusal("E-NOT-PLAYER", f"{who} is no player of this game")
    return str(who)


def enter(play: Play, player: str, attributes: Registers, declared: Iterable[str]) -> None:
    """Enter somebody in the roster from now on, or bring a former player back; raises Fault for what nobody may say."""
    roster = play.documents[ROSTER]
    people = people_of(play)
    known = people.ids.get(player.lower(), player)
    if known != player or is_player(play, player):
        raise Fault(f"there is a player called {told(known)} already", "E-DUP")
    if reserved := set(KEPT) & set(attributes):
        raise Fault(f"{min(reserved)} cannot be given as an attribute", "E-ARGS")
    own = {name: value for name, value in attributes.items() if name not in declared or name == ADDRESS}
    if ADDRESS in own and (play.frames or play.via.get("person")):
        if ADDRESS not in declared:  # at most a register of the law, as a rule or an account of a forge says it
            raise Fault(f"{ADDRESS} cannot be given here: by it people are known", "E-PERSONAL")
        del own[ADDRESS]
    if play.frames:
        _check_given_by_rule(play, player, own)
    former = roster.get(player)
    known_of: Document = {name: value for name, value in (former or {}).items() if name != "dated"}
    entry = cast(RosterEntry, {"name": player, **known_of, **own, "since": play.now, "until": None})
    check_called(play, player, entry)
    if former is not None:
        before: Stay = {"since": former["since"], "until": former["until"]}
        entry["earlier"] = [*former.get("earlier", ()), before]
        people.drop(player, former)
    play.documents.assign(ROSTER, roster, player, entry)
    people.add(player, entry)


def _check_given_by_rule(play: Play, player: str, own: Registers) -> None:
    """Raise Fault where what a rule says of whom it brings in is not a rule's to say."""
    known = play.documents[ROSTER].get(player)
    if known is None and player in play.documents[GAME]["administrators"] and play.person != player:
        raise Fault(f"{player} is an administrator of this game and joins in person only", "E-PERSONAL")
    other = [name for name, value in own.items() if known is not None and known.get(name) != value]
    if other and not is_own_act(play, player):
        raise Fault(f"{player} was here before; {other[0]} is theirs alone to change", "E-PERSONAL")


def is_own_act(play: Play, player: str) -> bool:
    """Whether a rule carries out what a person asked for themselves: no rule that only hears of it is on the way."""
    return player == play.person and not any(frame.hook.startswith("on_") for frame in play.frames)


def maker_of(via: Mapping[str, Any]) -> str | None:
    """Return the uid of the rule that said which act a review stands for, None for what somebody did in person."""
    review = via.get("review")
    return str(review.get("rule")) if isinstance(review, Mapping) and "why" not in review else None


def take_over(play: Play, person: Registers) -> None:
    """Enter somebody who had left before the game; raises Fault where they cannot have been here, or be called so."""
    dates = {part: str(person[part]) for part in ("since", "until")}
    spans = [span for date in dates.values() if (span := span_of(date)) is not None]
    times = moments_of(spans, play.now)
    if len(spans) < len(dates) or spans[1][1] < spans[0][0] or times[-1] > play.now:
        raise Fault(f"nobody is here since {dates['since']} and until {dates['until']}", "E-ARGS")
    if person["id"] in play.documents[ROSTER]:
        raise Fault(f"there is a player called {told(person['id'])} already", "E-DUP")
    names = {name: person[name] for name in ("surname",) if name in person}
    known = {"name": person.get("name") or person["id"], **names, "since": times[0], "until": times[1]}
    dated = {part: date for part, date in dates.items() if not is_exact(date)}
    entry = cast(RosterEntry, known | ({"dated": dated} if dated else {}))
    check_called(play, person["id"], entry)
    play.documents.assign(ROSTER, play.documents[ROSTER], person["id"], entry)
    people_of(play).add(person["id"], entry)


def leave(play: Play, player: str) -> None:
    """Let a player leave: the entry stays for ever, with the date."""
    if not is_player(play, player):
        raise Fault(f"{player} has left already", "E-NO-SUCH")
    play.documents.assign(ROSTER, play.documents[ROSTER][player], "until", play.now)


def begin_no_later(play: Play) -> None:
    """Let nobody have come, left or changed a key later than now, where the clock was taken back."""
    roster = play.documents[ROSTER]
    for player, entry in list(roster.items()):
        if (changed := _no_later(entry, play.now)) != entry:
            play.documents.assign(ROSTER, roster, player, changed)


def _no_later(value: Any, now: int) -> Any:
    if isinstance(value, list):
        return [_no_later(part, now) for part in value]
    if not isinstance(value, dict):
        return value
    late = {name: now for name in ("since", "until") if isinstance(value.get(name), int) and value[name] > now}
    return {name: _no_later(part, now) for name, part in value.items()} | late


def put(play: Play, player: str, field: Field, value: Any) -> None:
    """Write handles, keys or the wish for notices of a person; only acts of the kernel come here."""
    play.documents.assign(ROSTER, play.documents[ROSTER][player], field, value)


def check_sender(play: Play, player: str | None, forge: str, person: Mapping[str, Any]) -> None:
    """Raise Refusal E-PERSONAL where an account says that it is somebody whom the roster knows otherwise."""
    entry = play.documents[ROSTER].get(player) if player else None
    if entry is None:
        return
    handle = entry.get("handles", {}).get(forge)
    known = handle["id"] if handle else None if forge != "local" else str(entry.get("email") or "").lower()
    if known != person["id"]:
        hint = "an administrator can say who is who: /do identify"
        raise Refusal("E-PERSONAL", f"{player} is or was a player here, whom {forge} knows otherwise; {hint}")


# -- who asked to come in and is not in yet: their id is kept for the account that asked, and tied to it on entry
#
# A game may let people in by a vote, or by somebody's decision, days after they asked. Then nobody is there whose act
# it is; so what the forge said of the person at their own act is kept, and nobody else takes the id meanwhile.


def applications(play: Play) -> Mapping[str, Application]:
    """Return who asked to come in, by the id that is kept for them."""
    game = play.documents.get(GAME)
    return (game.get("applications") if game is not None else None) or {}


def keep_applicant(play: Play, player: str, via: Via, person: Account) -> None:
    """Keep who did something as a stranger under an id; what they asked for under another is given up for it."""
    account: Account = {"id": str(person["id"]), "login": str(person["login"])}
    forge = str(via["forge"])
    known = applications(play).get(player)
    before = known if known is not None and _is(known, forge, account["id"]) else None
    kept = {
        name: each
        for name, each in applications(play).items()
        if name.lower() != player.lower() and not _is(each, forge, account["id"])
    }
    asked: Application = {"forge": forge, "account": account, "at": before["at"] if before else play.now}
    for place in ("pull", "issue"):
        if via.get(place):
            asked[place] = via[place]
    play.documents.assign(GAME, play.documents[GAME], "applications", {**kept, player: asked})
    if before is None:
        play.effect("apply", of=player, forge=forge, to=account)


def check_applicant(play: Play, player: str | None, forge: str, person: Mapping[str, Any]) -> None:
    """Raise Refusal E-DUP where a stranger takes an id that is kept for somebody else."""
    name, asked = _kept_as(play, player or "")
    if asked is None or _is(asked, forge, str(person["id"])):
        return
    if whom_forge_knows(play, asked["forge"], asked["account"]["id"]) is not None:
        return
    why = f"{name} is kept for {asked['account']['login']}, who asked to come in; ask for another, as in /join id=NAME"
    raise Refusal("E-DUP", why)


def tie_applicant(play: Play, player: str) -> None:
    """Tie somebody who has just come in to the account that asked for their id; raises Fault E-DUP for another's."""
    name, asked = _kept_as(play, player)
    if asked is None:
        return
    person = play.via.get("person")
    own = play.person == player and isinstance(person, Mapping)
    if own and not _is(asked, str(play.via.get("forge")), str(person["id"])):  # type: ignore[index]
        _drop(play, name)  # `check_applicant` let them take it: who asked for it plays already
        return
    if name != player:
        raise Fault(f"the id {name} is kept for {asked['account']['login']}, who asked to come in", "E-DUP")
    other = whom_forge_knows(play, asked["forge"], asked["account"]["id"])
    if other not in (None, player):
        raise Fault(f"{asked['account']['login']}, who asked to come in as {player}, plays as {other} already", "E-DUP")
    _drop(play, name)
    handles = {**play.documents[ROSTER][player].get("handles", {}), asked["forge"]: asked["account"]}
    put(play, player, "handles", handles)
    if asked["at"] != play.now:
        put(play, player, "asked", asked["at"])
    play.effect("identify", of=player, forge=asked["forge"], to=asked["account"])


def withdraw_application(play: Play, player: str) -> bool:
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


def whom_forge_knows(play: Play, forge: str, identifier: str) -> str | None:
    """Return whom a forge knows by an id, a former player too; None if nobody here."""
    handles = ((player, entry.get("handles", {}).get(forge)) for player, entry in play.documents[ROSTER].items())
    return next((player for player, handle in handles if handle is not None and handle["id"] == identifier), None)


def _drop(play: Play, name: str) -> None:
    kept = {each: asked for each, asked in applications(play).items() if each != name}
    play.documents.assign(GAME, play.documents[GAME], "applications", kept)
