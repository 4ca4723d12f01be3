"""The first entry of a journal: the whole initial law, people and settings, so that the journal alone suffices."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, cast

from folkmoot.core.keys import GAME, LAW, LONGEST_REMINDER, ROSTER, rule_key, things_key
from folkmoot.core.limits import flaws_of
from folkmoot.core.portable_names import folded, unportable
from folkmoot.core.records import Follows, Founding, Shown
from folkmoot.core.values import told
from folkmoot.core.word_lists import flaw_of_specs
from folkmoot.kernel import clock, proposals, registers, roster, rule_changes, things
from folkmoot.kernel.budget import Budget, budget_for
from folkmoot.kernel.errors import Fault, Refusal, refusing
from folkmoot.kernel.kernel_acts import maintainers_in, read_forge
from folkmoot.kernel.play import Play
from folkmoot.kernel.rule_changes import check_number, lay_histories, name_revision
from folkmoot.kernel.things import give_initial_values_to_all

MOST_WRONG = 200  # items of a founding of which is told at once that they cannot be
THINGS_OF_THE_KERNEL = ("game", "player", "rule", "office", "timer", "duty")


def found(play: Play, given: Founding) -> None:
    """Found a game on empty documents; raises Refusal for all of the given law and people that does not fit."""
    if play.documents.get(GAME) is not None:
        raise Refusal("E-DUP", "the game is founded already")
    _lay_documents(play, given)
    taken: set[str] = set()
    for rule in given["rules"]:
        _place(play, rule, taken)
    wrong: list[Shown] = []
    for uid, why in lay_histories(play, given.get("history") or {}, given.get("rulings") or {}):
        _note(wrong, "history", uid, "E-ARGS", f"the history of rule {str(uid)[:40]} cannot be this: {why}")
    play.law.forget()
    give_initial_values_to_all(play)
    with refusing():
        timers = [rule.get("timers") or {} for rule in given["rules"]]
        for block in [*timers, {name: spec for own in timers for name, spec in own.items()}]:
            clock.check_declared(play, block)
        for part, key, carry_out in _items(play, given):
            try:
                carry_out()
            except Fault as fault:
                _note(wrong, part, key, fault.code, fault.message)
            except Refusal as refusal:
                _note(wrong, part, key, refusal.code, refusal.why)
        if wrong:
            raise Refusal(wrong[0]["code"], wrong[0]["why"], items=wrong)
        play.emit("founded", {"ruleset": given.get("ruleset", "")})
        play.drain()


def _note(wrong: list[Shown], part: str, key: str | int, code: str, why: str) -> None:
    if len(wrong) < MOST_WRONG:
        wrong.append({"part": part, "key": key, "code": code, "why": why})


def _items(play: Play, given: Founding) -> Iterator[tuple[str, str | int, Callable[[], object]]]:
    """Yield what is carried out one by one: which part of the founding it is of, its key there, and how it is done."""
    for switch, value in (given.get("settings") or {}).items():
        yield "settings", switch, partial(registers.put_setting, play, switch, value)
    for uid in play.law.in_force():
        play.emit("enacted", {"proposal": None}, to=uid)
    for place, person in enumerate(given.get("former_players") or []):
        yield "former_players", place, partial(roster.take_over, play, person)
    for place, person in enumerate(given.get("players") or []):
        attributes = {name: value for name, value in person.items() if name not in ("id", "initials")}
        play.budget = Budget()  # each joins for themselves
        yield "players", place, partial(things.join, play, person["id"], attributes)
    play.budget = budget_for(len(given.get("players") or ()))
    if given.get("maintainers") is not None:
        maintainers_in(play, given["maintainers"])
    clock.follow_law(play)
    for uid in play.law.in_force():
        name_revision(play, uid)
    for vote in given.get("decided") or []:
        yield "decided", str(vote.get("number")), partial(proposals.take_over_vote, play, vote)
    for office, holder in (given.get("offices") or {}).items():
        yield "offices", office, partial(_set, play, {"office": office}, "holder", holder)
    for place, statement in enumerate(given.get("opening") or []):
        yield "opening", place, partial(give, play, statement)


def _lay_documents(play: Play, given: Founding) -> None:
    documents = play.documents
    game = {
        "title": given.get("title", ""), "ruleset": given.get("ruleset", ""), "zone": given.get("zone", "UTC"),
        "administrators": list(given.get("administrators") or ()), "forge": read_forge(given.get("forge")),
        "joining": given.get("joining", "open"), **_upkeep(given), "engine": dict(given.get("engine") or {}),
        "settings": {}, "paused": None, "over": None, "open": [],
        "chance": dict(given.get("chance") or {"epoch": 0, "commitment": None}),
        "counters": {}, "founded_at": play.now,
    }  # fmt: skip
    documents.assign(GAME, documents.all(), GAME, game)
    documents.assign(ROSTER, documents.all(), ROSTER, {})
    documents.assign(LAW, documents.all(), LAW, {"version": 0, "rules": {}})
    for kind in THINGS_OF_THE_KERNEL:
        _ = documents[things_key(kind)]


def _upkeep(given: Founding) -> Founding:
    """Return what is said of the game and its pages, of changes of no game, reminders, limits and word lists."""
    parts = ("pitch", "to_win", "language", "maintainers", "reminders", "limits", "lists")
    kept = {name: given[name] for name in parts if given.get(name) is not None}
    if wrong := flaw_of_specs(kept.get("lists", {})):
        raise Refusal("E-ARGS", wrong)
    for flaw in flaws_of(kept.get("limits", {})):
        raise Refusal("E-BOUNDS", flaw)
    if given.get("follows") is not None:
        kept["follows"] = _follows(given["follows"])
    if given.get("revision") is not None:
        kept["first_revision"] = given["revision"]
    if kept.get("first_revision", 1) not in (0, 1):
        raise Refusal("E-ARGS", "`revision` is the number of the first revision of a rule: 0 or 1")
    hours = kept.get("reminders", 0)
    if not isinstance(hours, int) or isinstance(hours, bool) or not 0 <= hours <= LONGEST_REMINDER:
        raise Refusal("E-ARGS", f"reminders are a number of hours from 0 to {LONGEST_REMINDER}")
    return kept


def _follows(given: Any) -> Follows:
    """Return of which game this is the next season; raises Refusal E-ARGS for what says no such thing."""
    types = {"game": str, "seq": int, "digest": str, "season": int}
    if not isinstance(given, dict) or {name: type(value) for name, value in given.items()} != types:
        raise Refusal("E-ARGS", "`follows` says of which game this is the next season: game, seq, digest, season")
    if unportable(given["game"]) or given["seq"] < 1 or given["season"] < 2:
        raise Refusal("E-ARGS", "`follows` names a game, an entry of it, and a season from the second on")
    return cast(Follows, given)


def _place(play: Play, rule: Founding, taken: set[str]) -> None:
    """Put an initial rule into force, without events; `taken` are the uids so far, and the numbers (after a #)."""
    number = str(rule["rule"])
    uid = str(rule.get("uid") or number)
    flaw = check_number(number) or check_number(uid)
    if flaw:
        raise Refusal("E-ARGS", flaw)
    if "once" in rule:
        raise Refusal("E-ARGS", f"rule {number} acts `once`, which no initial rule can: that is for proposals")
    metas = play.documents[LAW]["rules"]
    if folded(uid) in taken:
        raise Refusal("E-DUP", f"two initial rules have the uid {uid}, or differ in capitals only")
    if uid == number and f"#{number}" in taken:
        raise Refusal("E-DUP", f"two initial rules have the number {number}, and no uid of their own")
    taken |= {folded(uid), f"#{number}"}
    document = rule_changes.in_order({**rule, "rule": number, "uid": uid})
    meta = rule_changes.new_meta(play, number, "founding", 0)
    if number != uid:
        meta["former_numbers"] = list(rule.get("former_numbers") or [uid])
    play.documents.assign(LAW, metas, uid, meta)
    play.documents.assign(rule_key(uid), play.documents.all(), rule_key(uid), document)


def give(play: Play, statement: Founding) -> None:
    """Set what a statement of the `given` form says, firing nothing.

    Forms: {player: ann, score: 12} · {game: true, …} · {office: scribe, holder: bob} · {thing: ball, at: c4} ·
    {kind: stone, owner: bob, state: in-play, at: [a2, b1]} · {rule: "203", relaxed: true}.
    """
    rest = dict(statement)
    kind = next((k for k in ("player", "game", "office", "rule", "kind", "thing") if k in rest), None)
    if kind is None:
        raise Fault("a given statement names a player, the game, an office, a rule, a thing or a kind", "E-ARGS")
    name = rest.pop(kind)
    if kind == "kind":
        _give_some(play, name, rest)
        return
    uid = play.law.resolve(name) if kind == "rule" else None
    if kind == "rule" and uid is None and rest:
        raise Fault(f"no rule {name} is in force", "E-NO-SUCH")
    ref = {"game": "game", "office": {"office": name}, "rule": {"uid": uid}}.get(kind, name)
    for register, value in rest.items():
        _set(play, ref, register, value)


def _set(play: Play, ref: Any, register: str, value: Any) -> None:
    found = registers.find_register(play, ref, register)
    value = registers.read_square(value) if found.declared["type"] == "square" else value
    registers.check_value(play, found, value)
    registers.keep(play, found.owner, register, registers.sealed(play, found, value))
    if found.owner.kind == "office" and register == "holder":
        registers.keep(play, found.owner, "since", play.now)


def _give_some(play: Play, kind: str, rest: Founding) -> None:
    places = rest.pop("at", None)
    count = rest.pop("count", 1)
    identifier = rest.pop("id", None)
    if kind not in play.law.declared("defines.kinds"):
        raise Fault(f"no rule in force declares a kind of thing called {told(kind)}", "E-NO-SUCH")
    for place in places if isinstance(places, list) else [places] * count:
        values = {**rest, "at": place} if place is not None else rest
        name = identifier or things._next_name(play, kind)
        document = play.documents[things_key(kind)]
        play.documents.assign(things_key(kind), document, name, {})
        for register, value in values.items():
            _set(play, name, register, value)
