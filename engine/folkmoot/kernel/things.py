"""Things of kinds that rules declare, and the players among them."""

from __future__ import annotations

import json
import re
from hashlib import sha256
from typing import Any

from folkmoot.core.declared_kinds import PLAYER, PROPOSAL, owners_of
from folkmoot.core.keys import GAME, OFFICES, PLAYERS, ROSTER, things_key
from folkmoot.core.portable_names import folded, unportable
from folkmoot.core.records import Effect, Registers
from folkmoot.core.rule_blocks import RegisterSpec
from folkmoot.core.sealed_data import is_sealed_to_owner, readers_of
from folkmoot.core.values import told
from folkmoot.kernel import roster, sealed_data
from folkmoot.kernel.answers import ask_usable, check_deed, flaw_of_switch, flaw_of_text
from folkmoot.kernel.errors import Fault, refusing
from folkmoot.kernel.names import people_of
from folkmoot.kernel.play import KERNEL_KINDS, Play, kind_of
from folkmoot.kernel.registers import (
    Owner,
    check,
    declaration,
    declared_anywhere,
    find_owner,
    formerly,
    initial,
    may_write,
    the_declaration,
)
from folkmoot.kernel.roster import is_player
from folkmoot.language.declarations import CHANGED, NOTHING, VALUES, host

IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,38}")
PEOPLE = "who comes in or leaves is not taken back"
GONE = "whoever had it before has left"
RESERVED = {"game", "settings", "proposal", "all", "none", "null"}


@host("reading", "things(kind: kind) -> list[str]", looks=True)
def things(play: Play, kind: str) -> list[str]:
    """The ids of all things of a kind in order of creation; of players, the present ones in joining order.

    | announce("%d players" % len(things("player")))
    """
    document = play.documents.get(things_key(kind)) or {}
    if kind == "player":
        roster = play.documents[ROSTER]
        present = [player for player in document if roster[player]["until"] is None]
        return sorted(present, key=lambda player: int(roster[player]["since"]))
    if kind == "office":
        declared = {**play.law.declared("defines.offices"), **play.law.declared("defines.offices", play.view)}
        return [office for office in document if office in declared]
    return list(document)


def _undo_create(play: Play, effect: Effect, _entry: int) -> str:
    if effect.get("kind") == "player":
        return PEOPLE
    owner = find_owner(play, effect["of"])
    made: dict[str, Any] = effect.get("values") or {}
    for name in {**owner.values, **made}:
        declared = declaration(play, owner.kind, name)
        first = initial(declared[1]) if declared else None
        if owner.values.get(name, first) != made.get(name, first):
            return CHANGED
    destroy(play, owner.id)
    return ""


@host(
    "writing",
    "create(kind: new_kind, id = None, **registers: registers) -> str",
    keeps=VALUES,
    effects={"create": _undo_create},
)
def create(play: Play, kind: str, identifier: str | None, registers: Registers) -> str:
    """Create a thing of a kind and return its id; an id that is none or is taken refuses the act (E-ARGS, E-DUP).

    A player comes in, or back. Handles, keys, dates and addresses are out of reach, and the name of whoever was here
    before is changed by an act of theirs alone (E-ARGS, E-PERSONAL).

    | ball = create("ball", colour = "red")
    | announce("here is %s" % ball)
    """
    play.writing("create")
    known = declared_anywhere(play, "defines.kinds", kind) or formerly(play, "defines.kinds", kind)
    if kind != "player" and (kind in KERNEL_KINDS or known is None):
        raise Fault(f"no rule in force declares a kind of thing called {told(kind)}", "E-NO-SUCH")
    name = identifier or _next_name(play, kind)
    check_deed(play, "create", name, kind, [known[0] if known else None])
    with refusing(play.cite()):
        check_identifier(name)
        if kind == "player":
            _check_new_player(play, name)
    if kind == "player":
        return join(play, name, registers)
    check_kind(play, kind)
    with refusing(play.cite()):
        _free(play, name)
    document = play.documents[things_key(kind)]
    values = {}
    owner = registers.get("owner")
    for register, value in registers.items():
        declared = the_declaration(play, kind, register)
        check(declared, register, value)
        values[register] = sealed_data.fit(play, declared, owner if is_player(play, owner) else None, value)
    play.documents.assign(things_key(kind), document, name, dict(values))
    play.effect("create", of=name, kind=kind, values=values or None)
    play.emit("created", {"thing": name, "kind": kind})
    return name


def check_identifier(name: str) -> None:
    """Raise Fault for what cannot be an id, among it names that look like others."""
    if not IDENTIFIER.fullmatch(name) or name.lower() in RESERVED:
        how = "use letters, digits, - and _, starting with a letter"
        raise Fault(f"{told(name[:80])} cannot be an id; {how}", "E-ARGS")


def check_kind(play: Play, kind: str) -> None:
    """Raise Fault where the files of a kind of things would be another kind's on some system, or none at all."""
    flaw = unportable(kind)
    if flaw:
        raise Fault(f"{told(kind)} cannot be a kind of things: {flaw}", "E-ARGS")
    declared = {*play.law.declared("defines.kinds", play.view), *play.law.declared("defines.kinds")}
    known = {key[7:] for key in play.documents.thing_keys} | declared | KERNEL_KINDS | {PLAYER, PROPOSAL}
    wanted = folded(kind)
    alike = min((other for other in known if other != kind and folded(other) == wanted), default=None)
    if alike is not None:
        both = f"{told(kind)} and {told(alike)}"
        raise Fault(f"things of the kinds {both} would share files somewhere; rename one", "E-DUP")


def _free(play: Play, name: str) -> None:
    """Raise Fault if a player or thing has an id that differs from another only in capitals, or not at all."""
    lowered = name.lower()
    if lowered in people_of(play).ids:
        raise Fault(f"there is a player called {told(people_of(play).ids[lowered])} already", "E-DUP")
    for key in play.documents.thing_keys:
        taken = (play.documents.find(key) or {}) if key[7:] not in KERNEL_KINDS | {"player"} else {}
        if f"\n{lowered}\n" in "\n".join(("", *taken, "")).lower():  # all at once: there may be thousands
            known = next(known for known in taken if known.lower() == lowered)
            raise Fault(f"there is a {key[7:]} called {told(known)} already", "E-DUP")


def _next_name(play: Play, kind: str) -> str:
    counters = play.documents[GAME]["counters"]
    number = counters.get(kind, 0) + 1
    while kind_of(play, f"{kind}-{number}") is not None:
        number += 1
    play.documents.assign(GAME, counters, kind, number)
    return f"{kind}-{number}"


def join(play: Play, player: str, attributes: Registers) -> str:
    """Enter a player in the roster, or bring a former one back, with the registers of every rule in force."""
    _check_new_player(play, player)
    declared = [name for name in attributes if declaration(play, "player", name) is not None]
    roster.enter(play, player, attributes, declared)
    roster.tie_applicant(play, player)
    people = play.documents[PLAYERS]
    if player not in people:
        play.documents.assign(PLAYERS, people, player, {})
    _give_missing(play, player, _registers_of_players(play))
    for name in declared:
        spec = the_declaration(play, "player", name)
        check(spec, name, attributes[name])
        play.documents.assign(PLAYERS, people[player], name, sealed_data.fit(play, spec, player, attributes[name]))
    play.effect("create", of=player, kind="player", values=attributes or None)
    play.emit("joined", {"player": player})
    return player


def _check_new_player(play: Play, player: str) -> None:
    if player in play.documents[ROSTER]:
        if is_player(play, player):
            raise Fault(f"there is a player called {told(player)} already", "E-DUP")
        return
    if unportable(player):  # unlike other things, players have pages of their own
        raise Fault(f"{told(player)} cannot be a player's id: {unportable(player)}", "E-ARGS")
    _free(play, player)


def _registers_of_players(play: Play) -> dict[str, RegisterSpec]:
    found: dict[str, RegisterSpec] = {}
    for block in (play.law.declared("defines.player"), play.law.declared("defines.currencies")):
        spec: RegisterSpec
        for name, (_uid, spec) in block.items():
            if PLAYER in owners_of(spec) and not spec.get("derived"):
                found.setdefault(name, {"type": "integer", **spec})
    return found


def _give_missing(play: Play, player: str, declared: dict[str, RegisterSpec]) -> None:
    values = play.documents[PLAYERS][player]
    if declared.keys() <= values.keys():
        return
    for name, spec in declared.items():
        if name not in values:
            play.documents.assign(PLAYERS, values, name, initial(spec))


def give_initial_values_to_all(play: Play) -> None:
    """Write initial values after the law has changed: of the game and of every player."""
    key = things_key("game")
    game = play.documents[key]
    if "game" not in game:
        play.documents.assign(key, game, "game", {})
    for name, (_uid, declared) in play.law.declared("defines.game").items():
        if name not in game["game"] and not declared.get("derived"):
            play.documents.assign(key, game["game"], name, initial(declared))
    for name in play.law.declared("defines.offices"):
        offices = play.documents[OFFICES]
        if name not in offices:
            play.documents.assign(OFFICES, offices, name, {"holder": None, "since": None})
    of_players = _registers_of_players(play)
    for player in things(play, "player"):
        _give_missing(play, player, of_players)


def _undo_destroy(play: Play, effect: Effect, _entry: int) -> str:
    if effect.get("kind") == "player":
        return PEOPLE
    if "values" not in effect:
        return "nothing is kept of it"
    values = {name: value for name, value in effect["values"].items() if value is not None}
    create(play, effect["kind"], effect["of"], values)
    return ""


@host("writing", "destroy(id: str) -> None", keeps=NOTHING, effects={"destroy": _undo_destroy})
def destroy(play: Play, identifier: str) -> None:
    """Destroy a thing; a player leaves, and the roster keeps who they are, with today's date.

    | ball = create("ball")
    | destroy(ball)
    """
    play.writing("destroy")
    kind = kind_of(play, identifier)
    check_deed(play, "destroy", str(identifier), kind or "player", [rule_of_kind(play, kind)])
    if kind is None:
        if roster.withdraw_application(play, identifier):
            return
        raise Fault(f"there is no player or thing {told(identifier)}", "E-NO-SUCH")
    if kind == "player":
        roster.leave(play, identifier)
        play.effect("destroy", of=identifier, kind="player")
        for office, held in list(play.documents[OFFICES].items()):
            if held.get("holder") == identifier:
                vacate(play, office)
        play.emit("left", {"player": identifier})
        return
    document = play.documents[things_key(kind)]
    values = dict(document[identifier]) if play.law.takes_back() else None
    play.documents.remove(things_key(kind), document, identifier)
    play.effect("destroy", of=identifier, kind=kind, values=values)
    play.emit("destroyed", {"thing": identifier, "kind": kind})


def rule_of_kind(play: Play, kind: str | None) -> str | None:
    """Return the rule (its uid) that declares a kind of things, None where none in force does."""
    found = declared_anywhere(play, "defines.kinds", kind) if kind else None
    return found[0] if found else None


def vacate(play: Play, office: str) -> None:
    """Leave an office without a holder."""
    values = play.documents[OFFICES][office]
    before = values.get("holder")
    play.documents.assign(OFFICES, values, "holder", None)
    play.documents.assign(OFFICES, values, "since", play.now)
    play.effect("put", of=f"office/{office}", name="holder", **{"from": before, "to": None})
    play.emit("office_changed", {"office": office, "before": before, "after": None})


@host("reading", "holder(office: office) -> plain", looks=True)
def holder(play: Play, office: str) -> str | None:
    """Who holds an office, or None.

    | announce("the scribe is %s" % (holder("scribe") or "nobody"))
    """
    declared = declared_anywhere(play, "defines.offices", office)
    if declared is None:
        return None
    if declared[1].get("fill") == "by_rule":
        answer = ask_usable(play, "holder", flaw_of_text, office)[1]
        if is_player(play, answer):
            return str(answer)
    values = (play.documents.get(OFFICES) or {}).get(office) or {}
    found = values.get("holder")
    return found if is_player(play, found) else None


def acts_for(play: Play, player: str, office: str) -> bool:
    """Whether a player may act in an office: who holds it, and whom the law lets act for it."""
    if holder(play, office) == player:
        return True
    return is_player(play, player) and ask_usable(play, "acts_for", flaw_of_switch, player, office)[1] is True


def _undo_give(play: Play, effect: Effect, _entry: int) -> str:
    owner = find_owner(play, effect["of"])
    if owner.values.get("owner") != effect["to"]:
        return CHANGED
    before = effect["from"]
    if isinstance(before, str) and before in play.documents[ROSTER] and not is_player(play, before):
        return GONE
    give(play, owner.id, before)
    return ""


@host("writing", "give(thing: str, to) -> None", keeps=VALUES, effects={"give": _undo_give})
def give(play: Play, thing: str, to: Any) -> None:
    """Give a thing to an owner, who from then on reads what is sealed in it to its owner.

    | give(create("ball"), a.by)
    """
    play.writing("give")
    owner = _find_thing(play, thing)
    if to is not None and kind_of(play, to) is None:
        raise Fault(f"there is no player or thing {told(to)} to give {thing} to", "E-NO-SUCH")
    before = owner.values.get("owner")
    may_write(play, owner, "owner", to)
    play.documents.assign(owner.key, owner.values, "owner", to)
    if is_player(play, to):
        for name, value in owner.values.items():
            declared = declaration(play, owner.kind, name)
            if declared is not None and is_sealed_to_owner(declared[1]):
                sealed_data.values.add_readers(play, value, readers_of(declared[1], to))
    play.effect("give", of=thing, **{"from": before, "to": to})
    play.emit("given", {"thing": thing, "before": before, "after": to})


def _find_thing(play: Play, thing: Any) -> Owner:
    if kind_of(play, thing) in (None, "player"):
        raise Fault(f"there is no thing {told(thing)}", "E-NO-SUCH")
    return find_owner(play, thing)


@host("what is sealed", "reveal(what: sealed)", effects={"reveal": "what everybody has seen stays seen", "unseal": ""})
def reveal(play: Play, what: Any) -> Any:
    """Open to everybody what is sealed, and return it: a value, each in a list, or all that a thing holds, by its id.

    | ball = create("ball", mark = "dented")
    | give(ball, a.by)
    | reveal(ball)
    | announce(get(ball, "mark"))
    """
    if not isinstance(what, str):
        return sealed_data.values.reveal(play, what)
    play.writing("reveal")
    owner = _find_thing(play, what)
    check_deed(play, "reveal", what, owner.kind, [rule_of_kind(play, owner.kind)])
    for value in list(owner.values.values()):
        sealed_data.values.reveal(play, value)
    play.effect("reveal", of=what)
    play.emit("revealed", {"thing": what})
    return None


def canonical_digest(value: Any) -> str:
    """Return the SHA-256 of a value's canonical JSON, in hexadecimal."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return sha256(text.encode("utf-8")).hexdigest()
