"""Registers: typed values of the game, players, things, offices, rules and proposals."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from engine.law.budget import LARGEST_INTEGER_BITS, LARGEST_VALUE
from engine.law.errors import Fault, Refusal
from engine.law.play import Play
from engine.law.records import Record
from engine.law.shown import find_proposal, proposal_key

TYPES: dict[str, tuple[type, ...]] = {
    "integer": (int,),
    "boolean": (bool,),
    "string": (str,),
    "text": (str,),
    "choice": (str,),
    "player": (str,),
    "rule": (str,),
    "thing": (str,),
    "list": (list,),
    "map": (dict,),
    "time": (int,),
}
BUILT_IN = {"kind", "owner", "at", "state", "created_at"}


@dataclass(frozen=True, slots=True)
class Owner:
    """Who has a register: the kind, the id, the document it lies in and the map inside that document."""

    kind: str
    id: str
    key: str
    values: Record


def find_owner(play: Play, ref: Any) -> Owner:
    """Return the owner that a script's reference names; raises Fault if there is none."""
    if isinstance(ref, dict):
        return _owner_of_struct(play, ref)
    if ref == "game":
        return Owner("game", "game", "things/game", _values(play, "things/game", "game"))
    if ref == "settings":
        return Owner("settings", "settings", "game", play.documents["game"]["settings"])
    kind = kind_of(play, ref)
    if kind is None:
        raise Fault(f"there is no player or thing {ref!r}", "E-NO-SUCH")
    key = f"things/{kind}"
    return Owner(kind, ref, key, play.documents[key][ref])


def kind_of(play: Play, thing: Any) -> str | None:
    """Return the kind of the player or thing with this id."""
    if isinstance(thing, str):
        for key in play.documents.thing_keys:
            if thing in (play.documents.find(key) or ()) and key[7:] not in KERNEL_KINDS:
                return key[7:]
    return None


KERNEL_KINDS = {"game", "rule", "office", "timer", "duty", "held"}


def _owner_of_struct(play: Play, ref: Record) -> Owner:
    if "uid" in ref:
        return Owner("rule", ref["uid"], "things/rule", _values(play, "things/rule", ref["uid"]))
    if "office" in ref:
        return Owner("office", ref["office"], "things/office", _values(play, "things/office", ref["office"]))
    if "id" in ref:
        proposal = find_proposal(play, ref)
        return Owner(proposal["kind"], proposal["id"], proposal_key(proposal["id"]), proposal["registers"])
    raise Fault("this struct owns no registers; give a player, a thing, an office, a rule or a proposal")


def _values(play: Play, key: str, name: str) -> Record:
    document = play.documents[key]
    if name not in document:
        play.documents.assign(key, document, name, {})
    values: Record = document[name]
    return values


def declaration(play: Play, kind: str, name: str) -> tuple[str, Record] | None:
    """Return (uid of the declaring rule, declaration) of a register, or None if no rule in force declares it."""
    if kind == "office":
        return ("", {"type": "player", "optional": True}) if name in ("holder", "since") else None
    block = f"defines.{kind}" if kind in ("game", "player", "rule", "proposal") else f"defines.kinds.{kind}.registers"
    found = play.law.declared(block).get(name)
    if found is None:
        found = _currency(play, kind, name)
    if found is None and kind not in ("game", "rule", "proposal") and name in BUILT_IN:
        return "", {"type": "any", "optional": True}
    return found


def _currency(play: Play, kind: str, name: str) -> tuple[str, Record] | None:
    found = play.law.declared("defines.currencies").get(name)
    if found and found[1].get("owners", "player") == kind:
        return found[0], {"type": "integer", **found[1]}
    return None


def initial(declared: Record) -> Any:
    """Return the value a register has before anybody sets it."""
    if declared.get("initial") is not None:
        return declared["initial"]
    if declared.get("optional"):
        return None
    empty: dict[str, Any] = {"integer": 0, "boolean": False, "list": [], "map": {}, "time": 0, "string": "", "text": ""}
    return empty.get(declared["type"])


def get(play: Play, ref: Any, name: str, default: Any = None) -> Any:
    """Return a register's value; an undeclared one gives `default`, or raises Fault where there is none."""
    owner = find_owner(play, ref)
    if owner.kind == "settings":
        return setting(play, name)
    declared = declaration(play, owner.kind, name)
    if declared is None:
        if name == "kind" and owner.kind not in KERNEL_KINDS:
            return owner.kind
        if owner.kind == "player" and name in play.documents["roster"].get(owner.id, {}):
            return play.documents["roster"][owner.id][name]
        if default is not None:
            return default
        raise Fault(f"no rule in force declares a register {name!r} of {owner.kind}", "E-NO-SUCH")
    if name == "kind" and name not in owner.values:
        return owner.kind
    value = owner.values.get(name, initial(declared[1]))
    return default if value is None else value


def check(declared: Record, name: str, value: Any) -> None:
    """Raise Fault unless a value fits a register's declaration."""
    try:
        size = len(json.dumps(value))
    except (TypeError, ValueError, RecursionError):
        raise Fault(f"{name}: only null, boolean, integer, string, list and map can be kept", "E-BOUNDS") from None
    if size > LARGEST_VALUE:
        raise Fault(f"{name}: a value of {size} characters is too large to keep", "E-BOUNDS")
    if isinstance(value, int) and value.bit_length() > LARGEST_INTEGER_BITS:
        raise Fault(f"{name}: the number is too large to keep", "E-BOUNDS")
    if value is None:
        if not declared.get("optional"):
            raise Fault(f"{name} cannot be empty", "E-BOUNDS")
        return
    expected = TYPES.get(declared["type"])
    if expected and (not isinstance(value, expected) or (isinstance(value, bool) and bool not in expected)):
        raise Fault(f"{name} holds {declared['type']}, not {value!r}", "E-BOUNDS")
    _check_range(declared, name, value)


def _check_range(declared: Record, name: str, value: Any) -> None:
    low, high = declared.get("minimum"), declared.get("maximum")
    if isinstance(value, int) and ((low is not None and value < low) or (high is not None and value > high)):
        raise Fault(f"{name} must stay between {low} and {high}, not {value}", "E-BOUNDS")
    if declared["type"] == "choice" and value not in declared.get("of", ()):
        raise Fault(f"{name} must be one of {', '.join(declared.get('of', ()))}, not {value!r}", "E-BOUNDS")


def put(play: Play, ref: Any, name: str, value: Any) -> bool:
    """Set a register unless a rule of higher precedence has set it otherwise in this event."""
    frame = play.writing("set registers")
    owner = find_owner(play, ref)
    if owner.kind == "settings":
        return put_setting(play, name, value)
    declared = declaration(play, owner.kind, name)
    if declared is None:
        raise Fault(f"no rule in force declares a register {name!r} of {owner.kind}", "E-NO-SUCH")
    check(declared[1], name, value)
    if frame and play.scopes:
        slot = (f"{owner.kind}/{owner.id}", name)
        setter = play.scopes[-1].puts.setdefault(slot, (frame.uid, value))
        if setter[0] != frame.uid and setter[1] != value:
            play.reason("DROPPED", frame.uid, of=owner.id, name=name, by=setter[0])
            return False
        play.scopes[-1].puts[slot] = (frame.uid, value) if setter[0] == frame.uid else setter
    write(play, owner, name, value, declared[1])
    return True


def write(play: Play, owner: Owner, name: str, value: Any, declared: Record) -> None:
    """Set a register, note the effect and tell listeners, if the value is another one."""
    before = owner.values.get(name, initial(declared))
    if before == value and name in owner.values:
        return
    play.documents.assign(owner.key, owner.values, name, value)
    if before == value:
        return
    play.effect("put", of=_label(owner), name=name, **{"from": before, "to": value})
    if owner.kind == "office" and name == "holder":
        play.documents.assign(owner.key, owner.values, "since", play.now)
        play.emit("office_changed", {"office": owner.id, "before": before, "after": value})
    play.emit("changed", {"owner": _label(owner), "name": name, "before": before, "after": value})


def _label(owner: Owner) -> str:
    """Return how an owner is named in the record: players and things by id, others as kind/id."""
    if owner.kind in ("rule", "office"):
        return f"{owner.kind}/{owner.id}"
    return owner.id


def add(play: Play, ref: Any, name: str, amount: int) -> int:
    """Add to an integer register; always applies, whoever else sets it."""
    play.writing("add to registers")
    owner = find_owner(play, ref)
    declared = declaration(play, owner.kind, name)
    if declared is None or declared[1]["type"] not in ("integer", "time"):
        raise Fault(f"no rule in force declares an integer register {name!r} of {owner.kind}", "E-NO-SUCH")
    value = int(owner.values.get(name, initial(declared[1])) or 0) + amount
    check(declared[1], name, value)
    write(play, owner, name, value, declared[1])
    return value


# -- settings


def find_setting(play: Play, name: str) -> tuple[str, Record] | None:
    """Return (id, declaration) of a switch by its id or its plain name."""
    declared = play.law.declared("settings")
    if name in declared:
        return name, declared[name][1]
    for identifier, (_uid, setting_declared) in declared.items():
        if setting_declared.get("name") == name:
            return identifier, setting_declared
    return None


def setting(play: Play, name: str) -> Any:
    """Return the present value of a switch; raises Fault if no rule in force declares it."""
    found = find_setting(play, name)
    if found is None:
        raise Fault(f"no rule in force declares a setting {name!r}", "E-NO-SUCH")
    return play.documents["game"]["settings"].get(found[0], found[1]["default"])


def put_setting(play: Play, name: str, value: Any) -> bool:
    """Flip a switch to one of its alternatives."""
    found = find_setting(play, name)
    if found is None:
        raise Refusal("E-NO-SUCH", f"no rule in force declares a setting {name!r}", play.cite())
    identifier, declared = found
    value = str(value)
    if declared.get("alternatives") and value not in declared["alternatives"]:
        choices = ", ".join(declared["alternatives"])
        raise Refusal("E-ARGS", f"{name} can be {choices}, not {value!r}", play.cite())
    settings = play.documents["game"]["settings"]
    before = settings.get(identifier, declared["default"])
    if before != value:
        play.documents.assign("game", settings, identifier, value)
        play.law.forget()
        play.effect("setting", name=identifier, **{"from": before, "to": value})
        play.emit("setting_changed", {"setting": identifier, "before": before, "after": value})
    return True
