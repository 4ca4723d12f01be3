"""Registers: typed values of the game, players, things, offices, rules and proposals; one, many, or a key of one."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import msgspec

from folkmoot.core.declared_kinds import OWNERS, Kinds, has_currency, is_votable, lineage, votable_kinds
from folkmoot.core.documents import Document
from folkmoot.core.keys import GAME, OFFICES, ROSTER, Key, proposal_key, things_key
from folkmoot.core.records import Effect, Registers, ScriptRecord, Win
from folkmoot.core.rule_blocks import RegisterSpec, SettingSpec
from folkmoot.core.values import BLANKS, LARGEST_REGISTER, flaw_of, in_a_row, lowered, sealed_number, told, within
from folkmoot.kernel import sealed_data
from folkmoot.kernel.answers import (
    ask_usable,
    check_change,
    check_deed,
    check_write,
    find_proposal,
    flaw_of_integer,
    flaw_of_switch,
    flaw_of_words,
    refusal_of_deed,
)
from folkmoot.kernel.errors import Fault, PlayEnds, Refusal
from folkmoot.kernel.play import KERNEL_KINDS, Frame, Play, kind_of
from folkmoot.kernel.roster import is_player
from folkmoot.kernel.script_records import record
from folkmoot.language.declarations import CHANGED, VALUES, host

TYPES: dict[str, tuple[type, ...]] = {
    "integer": (int,), "time": (int,), "boolean": (bool,), "list": (list,), "map": (dict,),
    **dict.fromkeys(("string", "text", "choice", "player", "rule", "thing", "square"), (str,)),
}  # fmt: skip
PLAIN_TYPES = ("integer", "boolean", "string", "text", "list", "map", "time")
BUILT_IN = {"kind", "owner", "at", "state", "created_at"}
LONGEST_ESCAPE = 12  # characters of canonical JSON that one can become
UNSET: Any = object()  # stands for a default that is not given


class Owner(NamedTuple):
    """Who has a register: the kind, the id, the document it lies in and the map inside that document."""

    kind: str
    id: str
    key: Key[Document]
    values: Registers


class Register(NamedTuple):
    """A register of an owner, as it is declared."""

    owner: Owner
    name: str
    declared: RegisterSpec

    @property
    def value(self) -> Any:
        """Return what it holds, as it is kept."""
        return self.owner.values.get(self.name, initial(self.declared))


def find_register(play: Play, ref: Any, name: str, *types: str, said: str = "a register") -> Register:
    """Return a register by its owner and name; raises Fault where there is none of such a type."""
    owner = find_owner(play, ref)
    return Register(owner, name, the_declaration(play, owner.kind, name, types, said))


def find_owner(play: Play, ref: Any) -> Owner:
    """Return the owner that a script's reference names; raises Fault if there is none."""
    if isinstance(ref, dict):
        return _owner_of_struct(play, ref)
    if ref == "game":
        return _owner_in(play, "game", things_key("game"), "game")
    if ref == "settings":
        return Owner("settings", "settings", GAME, play.documents[GAME]["settings"])
    kind = kind_of(play, ref)
    if kind is None:
        raise Fault(f"there is no player or thing {told(ref)}", "E-NO-SUCH")
    key = things_key(kind)
    return Owner(kind, ref, key, play.documents[key][ref])


def _owner_of_struct(play: Play, ref: ScriptRecord) -> Owner:
    if "uid" in ref:
        return _owner_in(play, "rule", things_key("rule"), ref["uid"])
    if "office" in ref:
        if (
            declared_anywhere(play, "defines.offices", ref["office"])
            or formerly(play, "defines.offices", ref["office"])
        ) is None:
            raise Fault(f"no rule in force declares an office of {ref['office']}", "E-NO-SUCH")
        return _owner_in(play, "office", OFFICES, ref["office"])
    if "id" in ref:
        proposal = find_proposal(play, ref)
        return Owner(proposal["kind"], proposal["id"], proposal_key(proposal["id"]), proposal["registers"])
    raise Fault("this struct owns no registers; give a player, a thing, an office, a rule or a proposal")


def _owner_in(play: Play, kind: str, key: Key[dict[str, Registers]], name: str) -> Owner:
    """Return an owner whose registers may not be there yet; looking at them does not bring them into being."""
    return Owner(kind, name, key, (play.documents.find(key) or {}).get(name) or {})


def may_write(play: Play, owner: Owner, name: str, value: Any) -> None:
    """Ask the law whether the script that runs may set a register; raises Refusal where it may not."""
    if play.frames and play.law.listeners("decide_may_put"):  # nearly no law answers
        declared = declaration(play, owner.kind, name)
        office = play.law.declared("defines.offices").get(owner.id) if owner.kind == "office" else None
        declaring = declared[0] if declared and declared[0] else office[0] if office else None
        check_write(play, label_of(owner), owner.kind, name, declaring, value)


def keep(play: Play, owner: Owner, name: str, value: Any, added: Any = None) -> None:
    """Set a register without checks, effects or events; `added` is all that is new in it, where that is known."""
    if owner.kind in ("game", "rule", "office"):
        document = play.documents[owner.key]
        if owner.id not in document:
            play.documents.assign(owner.key, document, owner.id, owner.values)
    play.documents.assign(owner.key, owner.values, name, value, added)


def declared_anywhere(play: Play, block: str, name: str) -> tuple[str, Any] | None:
    """Return (uid, declaration) by the law that governs, else by that of today: older law may still need its own."""
    return play.law.declared(block, play.view).get(name) or play.law.declared(block).get(name)


def formerly(play: Play, block: str, name: str) -> tuple[str, Any] | None:
    """Return (uid, declaration) as a rule last had it that was changed or repealed: what rests on it may go on."""
    return play.law.formerly_declared(block).get(name)


def declaration(play: Play, kind: str, name: str) -> tuple[str, RegisterSpec] | None:
    """Return (uid of the declaring rule, declaration) of a register, or None if no rule in force declares it."""
    return play.law.once(play.view, ("register", kind, name), _find_declaration, play, kind, name)


def the_declaration(
    play: Play, kind: str, name: str, types: tuple[str, ...] = (), said: str = "a register"
) -> RegisterSpec:
    """Return the declaration of a register by rules in force, or the last that had it; raises Fault E-NO-SUCH."""
    declared = declaration(play, kind, name) or _find_declaration(play, kind, name, formerly)
    if declared is None or (types and declared[1]["type"] not in types):
        raise Fault(f"no rule in force declares {said} {told(name)} of {kind}", "E-NO-SUCH")
    return declared[1]


def _find_declaration(
    play: Play, kind: str, name: str, look: Callable[[Play, str, str], tuple[str, Any] | None] = declared_anywhere
) -> tuple[str, RegisterSpec] | None:
    if kind == "office" and name in ("holder", "since"):
        return "", {"type": "player", "optional": True}
    kinds = kinds_of(play) if look is declared_anywhere else {**former_kinds(play), **kinds_of(play)}
    for each in lineage(kinds, kind):
        found = look(play, f"defines.{each}" if each in OWNERS else f"defines.kinds.{each}.registers", name)
        if found is not None:
            return found
    found = look(play, "defines.currencies", name)
    currency: RegisterSpec | None = found[1] if found is not None else None
    if found is not None and currency is not None and has_currency(kinds, kind, currency):
        return found[0], {"type": "integer", **currency, "currency": True}
    if name in BUILT_IN and not is_votable(kinds, kind) and kind not in ("game", "rule", "office"):
        return "", {"type": "any", "optional": True}
    return None


def kinds_of(play: Play) -> Kinds:
    """Return the kinds of things that are declared, by the law that governs and by that of today."""
    declared = {**play.law.declared("defines.kinds"), **play.law.declared("defines.kinds", play.view)}
    return {kind: declaration_ for kind, (_uid, declaration_) in declared.items()}


def kinds_voted_on(play: Play) -> list[str]:
    """Return the kinds of what is voted on, proposals first."""
    return play.law.once(play.view, ("kinds voted on",), lambda: votable_kinds(kinds_of(play)))


def former_kinds(play: Play) -> Kinds:
    """Return the kinds of things that rules declared which were changed or repealed since."""
    return {kind: declared for kind, (_uid, declared) in play.law.formerly_declared("defines.kinds").items()}


def initial(declared: RegisterSpec) -> Any:
    """Return the value a register has before anybody sets it."""
    if declared.get("initial") is not None:
        return declared["initial"]
    if declared.get("optional"):
        return None
    empty: dict[str, Any] = {"integer": 0, "boolean": False, "list": [], "map": {}, "time": 0, "string": "", "text": ""}
    return empty.get(declared["type"])


@host("", "get(owner, name, default: sealed)", looks=True)
def get(play: Play, ref: Any, name: str, default: Any = UNSET) -> Any:
    """Return a register's value; an empty one gives `default`, and so does an undeclared one, or else raises Fault."""
    owner = find_owner(play, ref)
    if owner.kind == "settings":
        return setting(play, name)
    declared = declaration(play, owner.kind, name)
    if declared is None:
        if name == "kind" and owner.kind not in KERNEL_KINDS:
            return owner.kind
        known: Document = play.documents[ROSTER].get(owner.id, {}) if owner.kind == "player" else {}
        if name in known:
            return known[name]
        if default is not UNSET:
            return default
        declared = "", the_declaration(play, owner.kind, name)
    default = None if default is UNSET else default
    if declared[1].get("derived"):
        asked = () if owner.kind == "game" else (ref,)
        value = ask_usable(play, name, partial(_flaw_of_derived, declared[1]), *asked)[1]
        return default if value is None else value
    value = owner.values[name] if name in owner.values else owner.kind if name == "kind" else initial(declared[1])
    if declared[1].get("sealed"):
        value = sealed_data.values.shown(play, value)
    return default if value is None else value


def check(declared: RegisterSpec, name: str, value: Any) -> None:
    """Raise Fault unless a value fits a register's declaration."""
    if declared.get("derived"):
        raise Fault(f"{name} follows from other things and cannot be set", "E-BOUNDS")
    flaw = flaw_of(value, sealed=True)
    if flaw:
        raise Fault(f"{name} cannot hold {flaw}", "E-BOUNDS")
    if sealed_number(value) is not None:
        if not declared.get("sealed"):
            raise Fault(f"{name} is no sealed register, so that nothing sealed can be its value", "E-SEALED")
        return
    if isinstance(value, (str, list, dict)):
        check_length(name, value)
    if value is None:
        if not declared.get("optional"):
            raise Fault(f"{name} cannot be empty", "E-BOUNDS")
        return
    expected = TYPES.get(declared["type"])
    if expected and (not isinstance(value, expected) or (isinstance(value, bool) and bool not in expected)):
        raise Fault(f"{name} holds {declared['type']}, not {told(value)}", "E-BOUNDS")
    _check_range(declared, name, value)


def _check_range(declared: RegisterSpec, name: str, value: Any) -> None:
    low, high = declared.get("minimum"), declared.get("maximum")
    if isinstance(value, int) and ((low is not None and value < low) or (high is not None and value > high)):
        raise Fault(f"{name} must {within(low, high, 'stay')}, not {value}", "E-BOUNDS")
    if declared["type"] == "square" and not is_square(value):
        raise Fault(f"{name} must be a square such as e2, not {told(value)}", "E-BOUNDS")
    if declared["type"] == "choice" and value not in declared.get("of", ()):
        raise Fault(f"{name} must be one of {in_a_row(declared.get('of', ()))}, not {told(value)}", "E-BOUNDS")


def _flaw_of_derived(declared: RegisterSpec, answer: Any) -> str:
    type_ = declared["type"]
    expected = TYPES[type_] if type_ in PLAIN_TYPES else (object,)
    fits = isinstance(answer, expected) and (not isinstance(answer, bool) or bool in expected or object in expected)
    return "" if fits else f"it must be of the type {type_}"


def _undo_put(play: Play, effect: Effect, _entry: int) -> str:
    at = named_owner(str(effect["of"])), effect["name"]
    if "key" in effect:
        if get_in(play, *at, effect["key"]) != effect["to"]:
            return CHANGED
        done = put_in(play, *at, effect["key"], effect["from"])
        return "" if done else "a rule that comes first has set it otherwise"
    register, before = find_register(play, *at), effect["from"]
    if register.value != effect["to"]:
        return CHANGED
    if before != initial(register.declared):
        check_value(play, register, before)
    write(play, register, before)
    return ""


def _undo_setting(play: Play, effect: Effect, _entry: int) -> str:
    name = effect["name"]
    if find_setting(play, name) is None or setting(play, name) != effect["to"]:
        return CHANGED
    put_setting(play, name, effect["from"])
    return ""


@host(
    "writing",
    "put(owner: ref, name: register, value: sealed) -> bool",
    keeps=VALUES,
    effects={"put": _undo_put, "setting": _undo_setting},
)
def put(play: Play, ref: Any, name: str, value: Any) -> bool:
    """Set a register; False if a rule of higher precedence has set it otherwise in this event.

    Of a rule or proposal within a value it is kept which one it is, as a map with `uid` or `id`, and `number`.

    | put(a.by, "tired", True)
    """
    if ref != "settings":
        return put_all(play, name, [[ref, value]])
    frame, owner = play.writing("set registers"), find_owner(play, ref)
    identifier, value = choose_setting(play, name, value)
    free = claim(play, frame, owner, identifier, value)
    if free:
        put_setting(play, identifier, value)
    return free


@host("", "put_all(name, values: sealed)", keeps=VALUES)
def put_all(play: Play, name: str, rows: list[list[Any]]) -> bool:
    """Set one register of many owners: all are checked and entered before anybody hears of the first.

    Each that a rule of higher precedence has set otherwise in this event stays as it is; then it returns False.
    """
    frame = play.writing("set registers")
    made, seen = [], set()
    for ref, value in rows:
        register = find_register(play, ref, name)
        if register.owner[:3] in seen:
            raise Fault(f"{register.owner.id} is named twice, and {name} can hold one value", "E-ARGS")
        seen.add(register.owner[:3])
        check_value(play, register, value)
        made.append((register, value))
    free = [(register, value) for register, value in made if claim(play, frame, register.owner, name, value)]
    fitted = [(register, sealed(play, register, value)) for register, value in free]
    entered = [(register.owner, enter(play, register, value)) for register, value in fitted]
    for owner, change in entered:
        tell_entered(play, owner, change)
    return len(free) == len(made)


def sealed(play: Play, register: Register, value: Any) -> Any:
    """Return what a register keeps of a value that it may hold: in a sealed one what is sealed to those who read it."""
    owner = register.owner
    if not register.declared.get("sealed"):
        return value
    by = owner.id if owner.kind == "player" else owner.values.get("owner")
    return sealed_data.fit(play, register.declared, by if is_player(play, by) else None, value)


def tell_change(play: Play, change: ScriptRecord) -> None:
    """Raise the events of a register that has another value: `changed`, and one that has its name."""
    listeners, view = play.law.listeners, play.view
    for name in ("changed", f"changed_{change['name']}"):
        if listeners(f"on_{name}", view=view):
            play.emit(name, {"key": None, **change})


def check_value(play: Play, register: Register, value: Any) -> None:
    """Raise Fault unless a value fits a register: one of players names somebody, an office is held by who plays."""
    owner, name, declared = register
    check(declared, name, value)
    if value is None or declared["type"] != "player" or sealed_number(value) is not None:
        return
    entry = play.documents[ROSTER].get(value)
    if entry is None or (owner.kind == "office" and entry["until"] is not None):
        raise Fault(f"{name} must be a player, and {told(value)} is none", "E-BOUNDS")


def claim(play: Play, frame: Frame | None, owner: Owner, name: str, value: Any, *key: str) -> bool:
    """Whether a rule may set a register, or a key of one, in this event: who does so first is highest, and prevails."""
    if frame is None or not play.scopes:
        return True
    slot, puts = (f"{owner.kind}/{owner.id}", name, *key), play.scopes[-1].puts
    own = puts.get(slot, (frame.uid, value))
    setters = [own]
    if key and slot[:2] in puts:
        uid, whole = puts[slot[:2]]
        setters.insert(0, (uid, (whole or {}).get(key[0])))
    elif isinstance(value, dict) and not key:
        of_keys = [(each[2], puts[each]) for each in puts if len(each) > 2 and each[:2] == slot]
        setters += [(uid, value if value.get(key) == item else None) for key, (uid, item) in of_keys]
    by = next((uid for uid, other in setters if uid != frame.uid and other != value), None)
    if by is not None:
        play.reason("DROPPED", frame.uid, of=label_of(owner), name=name, by=by)
    elif own[0] == frame.uid:
        puts[slot] = (frame.uid, value)
    return by is None


def write(play: Play, register: Register, value: Any) -> None:
    """Set a register, note the effect and tell listeners, if the value is another one."""
    tell_entered(play, register.owner, enter(play, register, value))


def enter(play: Play, register: Register, value: Any) -> ScriptRecord | None:
    """Set a register and note the effect; returns the change to tell listeners of, None where there is none."""
    owner, name, declared = register
    before = register.value
    if before != value:
        may_write(play, owner, name, value)
    if before != value or name not in owner.values:
        keep(play, owner, name, value)
    if before == value:
        return None
    told = {"of": label_of(owner), "name": name, "from": before, "to": value}
    if declared.get("currency"):
        play.effect("award", **told, asked=value - before, applied=value - before, kind="set")
    else:
        play.effect("put", **told)
    if owner.kind == "office" and name == "holder":
        keep(play, owner, "since", play.now)
    return {"owner": label_of(owner), "name": name, "before": before, "after": value}


def tell_entered(play: Play, owner: Owner, change: ScriptRecord | None) -> None:
    """Raise the events of a register that was set."""
    if change is None:
        return
    before, after = change["before"], change["after"]
    if owner.kind == "office" and change["name"] == "holder":
        play.emit("office_changed", {"office": owner.id, "before": before, "after": after})
    tell_change(play, change)


def label_of(owner: Owner) -> str:
    """Return how an owner is named in the record: players and things by id, others as kind/id."""
    if owner.kind in ("rule", "office"):
        return f"{owner.kind}/{owner.id}"
    return owner.id


def named_owner(of: str) -> Any:
    """Return the reference that a label means: ann, game, office/scribe, rule/203, proposal/305."""
    kind, slash, name = of.partition("/")
    if not slash:
        return of
    return {"office": {"office": name}, "rule": {"uid": name}}.get(kind, {"id": of})


@host("writing", "add(owner: ref, name: register, amount: int) -> amount")
def add(play: Play, ref: Any, name: str, amount: int) -> int:
    """Add to an integer register and return its new value.

    | add("game", "waves", 1)
    """
    play.writing("add to registers")
    register = find_register(play, ref, name, "integer", "time", said="an integer register")
    value = int(register.value or 0) + amount
    check(register.declared, name, value)
    write(play, register, value)
    return value


@host("reading", "registers(owner: ref) -> list", looks=True)
def names_of(play: Play, ref: Any) -> list[str]:
    """The names of the registers that an owner has by the rules in force, but for those that follow from other things.

    | announce("players have " + ", ".join(registers(a.by)))
    """
    kind = find_owner(play, ref).kind
    found: dict[str, Any] = {"holder": None} if kind == "office" else {}
    for view in dict.fromkeys((play.view, None)):  # older law may still need its own
        for each in lineage(kinds_of(play), kind):
            block = f"defines.{each}" if each in OWNERS else f"defines.kinds.{each}.registers"
            declared = play.law.declared(block, view).items()
            found |= dict.fromkeys(name for name, (_uid, spec) in declared if not spec.get("derived"))
        found |= dict.fromkeys(c for c in play.law.declared("defines.currencies", view) if declaration(play, kind, c))
    return list(found)


@host("writing", "reset(owner: ref, keep: list = []) -> None")
def reset(play: Play, ref: Any, kept: list[str]) -> None:
    """Set the registers of an owner to the values that they have before anybody sets them, but those to keep.

    | award(a.by, "score", 5)
    | reset(a.by, keep = ["tired"])
    """
    frame = play.writing("set registers")
    owner = find_owner(play, ref)
    names = names_of(play, ref)
    unknown = next((name for name in kept if name not in names), None)
    if unknown is not None:
        raise Fault(f"no rule in force declares a register {told(unknown)} of {owner.kind} to keep", "E-NO-SUCH")
    for name in names:
        if name not in kept and name in owner.values:
            register = Register(owner, name, the_declaration(play, owner.kind, name))
            first = initial(register.declared)
            if register.value != first and claim(play, frame, owner, name, first):
                write(play, register, first)


# -- lists that grow by an item, and one key of a map: what is new in them is looked at and kept alone


def _undo_append(play: Play, effect: Effect, _entry: int) -> str:
    register = find_register(play, named_owner(str(effect["of"])), effect["name"], "list", said="a list register")
    items = list(register.value or ())
    if effect["to"] not in items:
        return CHANGED
    place = len(items) - 1 - items[::-1].index(effect["to"])
    write(play, register, items[:place] + items[place + 1 :])
    return ""


@host(
    "writing", "append(owner: ref, name: register, item: sealed) -> int", keeps=VALUES, effects={"append": _undo_append}
)
def append(play: Play, ref: Any, name: str, item: Any) -> int:
    """Add an item to the end of a list register, and return how many there are; the record notes the item alone.

    | append("game", "visitors", a.by)
    """
    play.writing("append to registers")
    register = find_register(play, ref, name, "list", said="a list register")
    item = sealed(play, register, item)
    check(register.declared, name, [item])
    before = register.value or []
    after = [*before, item]
    _keep_grown(play, register, after, [item])
    play.effect("append", of=label_of(register.owner), name=name, to=item)
    tell_change(play, {"owner": label_of(register.owner), "name": name, "before": before, "after": after})
    return len(after)


@host("reading", "get_in(owner: ref, name: register, key: str, default: sealed = ...)", looks=True)
def get_in(play: Play, ref: Any, name: str, key: str, default: Any = UNSET) -> Any:
    """What a map register holds under a key, None where that is nothing; default as in `get`. The rest stays outside.

    | announce("%s waved %d times" % (a.by, get_in("game", "waved", a.by, 0)))
    """
    found = get(play, ref, name) if default is UNSET else get(play, ref, name, None)
    if found is not None and not isinstance(found, dict):
        raise Fault(f"{name} holds no map, so that nothing stands in it under {told(key)}", "E-BOUNDS")
    value = (found or {}).get(key)
    return value if value is not None or default is UNSET else default


@host("writing", "put_in(owner: ref, name: register, key: str, value: sealed) -> bool", keeps=VALUES)
def put_in(play: Play, ref: Any, name: str, key: str, value: Any) -> bool:
    """Set one key of a map register, or take it away with None; the record notes the key alone.

    False if a rule of higher precedence has set it otherwise in this event.

    | put_in("game", "waved", a.by, get_in("game", "waved", a.by, 0) + 1)
    """
    frame = play.writing("set registers")
    register = find_register(play, ref, name, "map", said="a map register")
    owner, _name, declared = register
    check(declared, name, {key: value})
    if not claim(play, frame, owner, name, value, key):
        return False
    value = sealed(play, register, value)
    present = owner.values.get(name)
    before = (present if present is not None else declared.get("initial")) or {}
    if before.get(key) == value:
        if present is None:
            keep(play, owner, name, before)
        return True
    after = {**before, key: value} if value is not None else {each: before[each] for each in before if each != key}
    _keep_grown(play, register, after, {key: value})
    play.effect("put", of=label_of(owner), name=name, key=key, **{"from": before.get(key), "to": value})
    tell_change(play, {"owner": label_of(owner), "name": name, "before": before, "after": after, "key": key})
    return True


def _keep_grown(play: Play, register: Register, after: Any, added: Any) -> None:
    """Keep a list or map in which no more is new than what was `added`; raises Fault where it is too long."""
    owner, name, _declared = register
    may_write(play, owner, name, added[0] if isinstance(added, list) else next(iter(added.values())))
    slot = owner.key, owner.id, name
    known, at_most = play.lengths.get(slot, (None, 0))
    at_most += len(json.dumps(added))  # the brackets are as long as what sets it apart from the others
    if known is None or known is not owner.values.get(name) or at_most > LARGEST_REGISTER:
        at_most = check_length(name, after)
    play.lengths[slot] = after, at_most
    keep(play, owner, name, after, added)


def check_length(name: str, value: Any) -> int:
    """Return how long a value in canonical form is at most; raises Fault where it is too long for a register."""
    written = msgspec.json.encode(value)
    at_most = len(written) * (2 if written.isascii() else LONGEST_ESCAPE)
    at_most = at_most if at_most <= LARGEST_REGISTER else len(json.dumps(value))
    if at_most > LARGEST_REGISTER:
        raise Fault(f"{name}: a value of more than {LARGEST_REGISTER} characters is too large to keep", "E-BOUNDS")
    return at_most


# -- squares of boards with columns and rows, and the ways in which people write them

_NAME = re.compile(r"[a-z]{1,2}[1-9][0-9]{0,2}")
_PAIR = re.compile(r"\(?\s*([1-9][0-9]{0,2})\s*,\s*([1-9][0-9]{0,2})\s*\)?", re.ASCII)
_LETTERS = 26


def is_square(name: str) -> bool:
    """Say whether a name has a column in letters and a row in digits, as `e2`."""
    return _NAME.fullmatch(name) is not None


def read_square(written: Any) -> Any:
    """Return the name of the square that is written as column and row; anything else as it is.

    >>> read_square("(5,2)"), read_square([5, 2]), read_square("E2"), read_square("e2"), read_square(None)
    ('e2', 'e2', 'e2', 'e2', None)
    """
    if isinstance(written, str):
        pair = _PAIR.fullmatch(written.strip(BLANKS))
        return _name(int(pair[1]), int(pair[2])) if pair else lowered(written.strip(BLANKS))
    if isinstance(written, list) and len(written) == 2 and all(type(part) is int and part > 0 for part in written):
        return _name(*written)
    return written


def _name(column: int, row: int) -> str:
    ahead, last = divmod(column - 1, _LETTERS)
    return f"{chr(96 + ahead) if ahead else ''}{chr(97 + last)}{row}"


# -- settings of rules, as switches of readings: the value of each, and choosing another of its alternatives


def find_setting(play: Play, name: str) -> tuple[str, SettingSpec] | None:
    """Return (id, declaration) of a switch by its id or its plain name."""
    found = play.law.switches(play.view).get(name)
    return found if found is not None or play.view is None else play.law.switches().get(name)


@host("reading", "setting(name: setting) -> plain", law=True)
def setting(play: Play, name: str) -> Any:
    """The present value of a switch, by its id or its plain name; `put("settings", name, value)` sets it.

    | if setting("T-Q1") == "loud":
    |     announce("HELLO")
    """
    found = find_setting(play, name) or play.law.former_switch(name)
    if found is None:
        raise Fault(f"no rule in force declares a setting {told(name)}", "E-NO-SUCH")
    return play.documents[GAME]["settings"].get(found[0], found[1]["default"])


def choose_setting(play: Play, name: str, value: Any) -> tuple[str, str]:
    """Return the id of a switch and the word of an alternative; raises Refusal where there is no such thing."""
    found = find_setting(play, name)
    if found is None:
        raise Refusal("E-NO-SUCH", f"no rule in force declares a setting {told(name)}", play.cite())
    identifier, declared = found
    value = str(value).lower() if isinstance(value, bool) else str(value)
    if declared.get("alternatives") and value not in declared["alternatives"]:
        choices = in_a_row(declared["alternatives"], what=f"more (`moot explain setting {name}`)")
        raise Refusal("E-ARGS", f"{name} can be {choices}, not {told(value)}", play.cite())
    return identifier, value


def put_setting(play: Play, name: str, value: Any) -> None:
    """Flip a switch to one of its alternatives."""
    identifier, value = choose_setting(play, name, value)
    known = play.law.declared("settings", play.view)
    declared = known[identifier] if identifier in known else play.law.declared("settings")[identifier]
    settings = play.documents[GAME]["settings"]
    before = setting(play, identifier)
    if before != value:
        check_change(play, {"kind": "setting", "rule": declared[0], "to": value}, identifier)
        play.documents.assign(GAME, settings, identifier, value)
        play.law.forget()
        play.effect("setting", name=identifier, **{"from": before, "to": value})
        plain = declared[1].get("name") or identifier
        play.emit("setting_changed", {"setting": identifier, "name": plain, "before": before, "after": value})


# -- awards, transfers and winning: every change of a currency is a line of the ledger


def _undo_award(play: Play, effect: Effect, _entry: int) -> str:
    amount = -effect["applied"]
    to = named_owner(str(effect["of"]))
    applied = award(play, [[to, amount]], effect["name"], "taken back", "correction", None, adjusted=False)[0]
    return "" if applied == amount else f"{effect['of']} cannot have {amount} more {effect['name']}"


@host("", "award(amounts, currency, why, kind, credit)", effects={"award": _undo_award})
def award(
    play: Play, amounts: list[list[Any]], currency: str, why: str, kind: str, credit: Any, *, adjusted: bool = True
) -> list[int]:
    """Pay amounts at once: all are adjusted, then all entered, before listeners hear of the first.

    Adjusters run from the lowest precedence to the highest, so that the highest has the last word; what administrators
    correct, and what is taken back, is not `adjusted`.
    """
    frame = play.writing("award")
    cause = play.scopes[-1].cause if play.scopes else None
    made = []
    for to, amount in amounts:
        if not isinstance(amount, int) or isinstance(amount, bool):
            raise Fault(f"an amount of {currency} must be an integer, not {told(amount)}", "E-BOUNDS")
        fields = {"to": to, "currency": currency, "amount": amount, "asked": amount, "kind": kind, "why": why}
        asked = {**fields, "rule": frame.uid if frame else None, "credit": credit, "cause": cause}
        made.append(_adjust(play, asked) if frame and adjusted else asked)
    entered = [_enter(play, entry) for entry in made]
    for entry in entered:
        play.emit("awarded", {"award": record(entry)})
        if entry["applied"]:
            changed = {"owner": entry["to"], "name": currency, "before": entry["before"], "after": entry["after"]}
            tell_change(play, changed)
    return [int(entry["applied"]) for entry in entered]


def _adjust(play: Play, entry: ScriptRecord) -> ScriptRecord:
    hooks = ("adjust_award", f"adjust_{entry['currency']}")
    shown = record(entry)
    for uid in reversed(play.law.listeners(*hooks, view=play.view)):
        for hook in play.law.hooks_among(uid, hooks, play.view):
            adjusted = play.advise(uid, hook, [shown])
            flaw = flaw_of_integer(adjusted) if adjusted is not None else ""
            if flaw:
                play.failed(uid, hook, Fault(f"this answer cannot be used: {flaw}", "E-ARGS"))
            elif adjusted is not None:
                entry = {**entry, "amount": adjusted}
                shown = record(entry)
    return entry


def _enter(play: Play, entry: ScriptRecord) -> ScriptRecord:
    register = find_register(play, entry["to"], entry["currency"], "integer", said="a currency")
    owner, _name, declared = register
    before = int(register.value or 0)
    after = before + int(entry["amount"])
    low, high = declared.get("minimum"), declared.get("maximum")
    after = max(after, min(low, before)) if low is not None else after
    after = min(after, max(high, before)) if high is not None else after
    check({**declared, "minimum": None, "maximum": None}, entry["currency"], after)
    if after != before:
        may_write(play, owner, entry["currency"], after)
    keep(play, owner, entry["currency"], after)
    cause = entry["cause"] or {}
    moved = {"from": before, "to": after, "asked": entry["asked"], "applied": after - before}
    said = {"kind": entry["kind"], "why": entry["why"] or None, "credit": entry["credit"], "rule": entry["rule"]}
    play.effect("award", of=owner.id, name=entry["currency"], **moved, **said, cause=cause.get("name"))
    return {**entry, "applied": after - before, "before": before, "after": after}


@host("writing", 'transfer(giver, to, currency: currency, amount: int, why: str = "") -> amount')
def transfer(play: Play, giver: Any, to: Any, currency: str, amount: int, why: str) -> int:
    """Move an amount from one owner to another; refused with E-FUNDS where the giver has too little.

    | award(a.by, "score", 3)
    | transfer(a.by, "bob", "score", 3, "a present")
    """
    play.writing("transfer")
    if not isinstance(amount, int) or isinstance(amount, bool) or amount < 0:
        raise Refusal("E-ARGS", f"an amount to transfer is a whole number from 0, not {amount}", play.cite())
    source, target = (find_register(play, each, currency, "integer", said="a currency") for each in (giver, to))
    have = int(source.value or 0)
    if have - amount < (source.declared.get("minimum") or 0):
        raise Refusal("E-FUNDS", f"{source.owner.id} has {have} {currency}, not {amount}", play.cite())
    if source.owner[:2] == target.owner[:2]:
        return amount
    most = target.declared.get("maximum")
    if most is not None and int(target.value or 0) + amount > most:
        raise Refusal("E-BOUNDS", f"{target.owner.id} can hold at most {most} {currency}", play.cite())
    award(play, [[giver, -amount], [to, amount]], currency, why, "given", None)
    return amount


def crown(play: Play) -> None:
    """Ask the law who has won now that all is done: once for as long as it goes on answering the same."""
    uid, players = _winners(play)
    game = play.documents[GAME]
    crowned = [str(uid), *players] if players else None
    if game.get("crowned") == crowned:
        return
    if crowned is None:
        play.documents.remove(GAME, game, "crowned")
        return
    play.documents.assign(GAME, game, "crowned", crowned)
    win(play, players, "", play_on=False, rule=uid)
    play.drain()
    if not _winners(play)[1]:  # a new round has begun
        play.documents.remove(GAME, game, "crowned")


def _winners(play: Play) -> tuple[str | None, list[str]]:
    uid, answer = ask_usable(play, "winner", lambda answer: _flaw_of_winners(play, answer))
    players = [answer] if isinstance(answer, str) else list(answer or ())
    for player in players:
        refused = refusal_of_deed(play, str(uid), "win", player, "player")
        if refused is not None:
            play.failed(str(uid), "decide_winner", Fault(refused.why, refused.code))
            return None, []
    return uid, players


def _flaw_of_winners(play: Play, answer: Any) -> str:
    named = [answer] if isinstance(answer, str) else answer
    if not named:
        return ""
    wrong = flaw_of_words(named)
    strangers = [] if wrong else [who for who in named if who not in play.documents[ROSTER]]
    return f"{told(strangers[0])} is no player" if strangers else wrong


@host("", "win(players, why, play_on)", effects={"win": "a win is not taken back"})
def win(play: Play, players: list[str], why: str, play_on: bool, rule: str | None = None) -> None:
    """Declare winners; ends play unless it goes on. Raises PlayEnds, which keeps what was done."""
    play.writing("declare a winner")
    rule = rule or play.cite()
    if not players:
        raise Fault("nobody cannot win", "E-ARGS")
    for player in players:
        if player not in play.documents[ROSTER]:
            raise Fault(f"{told(player)} is no player and cannot win", "E-NO-SUCH")
        check_deed(play, "win", player, "player")
    ends = not play_on and ask_usable(play, "win_ends_play", flaw_of_switch, players[0])[1] is not False
    play.effect("win", of=players[0], players=players, why=why or None, ends=ends, rule=rule)
    game = play.documents[GAME]
    won: Win = {"winner": players, "why": why, "rule": rule, "at": play.now}
    if ends:
        play.documents.assign(GAME, game, "over", won)
        raise PlayEnds
    play.documents.assign(GAME, game, "won", [*game.get("won", ()), won])
    play.emit("won", {"players": players, "why": why, "rule": rule})
