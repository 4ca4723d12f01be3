"""Many registers together: which an owner has, all of them back at their first values, one of many owners at once."""

from __future__ import annotations

from typing import Any

from folkmoot.core.declared_kinds import OWNERS, lineage
from folkmoot.core.values import told
from folkmoot.kernel.errors import Fault
from folkmoot.kernel.play import Play
from folkmoot.kernel.registers import (
    check,
    check_person,
    claim,
    declaration,
    enter,
    find_owner,
    initial,
    kinds_of,
    sealed,
    tell_entered,
    the_declaration,
    write,
)


def names_of(play: Play, ref: Any) -> list[str]:
    """Return the names of the registers that rules in force declare for an owner, those that can be set, in order."""
    kind = find_owner(play, ref).kind
    found: dict[str, Any] = {"holder": None} if kind == "office" else {}
    for view in dict.fromkeys((play.view, None)):  # older law may still need its own
        for each in lineage(kinds_of(play), kind):
            block = f"defines.{each}" if each in OWNERS else f"defines.kinds.{each}.registers"
            declared = play.law.declared(block, view).items()
            found |= dict.fromkeys(name for name, (_uid, spec) in declared if not spec.get("derived"))
        found |= dict.fromkeys(c for c in play.law.declared("defines.currencies", view) if declaration(play, kind, c))
    return list(found)


def reset(play: Play, ref: Any, kept: list[str]) -> None:
    """Set every register of an owner to the value it has before anybody sets it, but those that are kept.

    Like `put` it leaves alone what a rule of higher precedence has set in this event. Raises Fault for a name to keep
    that is none, because what was meant would be lost.
    """
    frame = play.writing("set registers")
    owner = find_owner(play, ref)
    names = names_of(play, ref)
    unknown = next((name for name in kept if name not in names), None)
    if unknown is not None:
        raise Fault(f"no rule in force declares a register {told(unknown)} of {owner.kind} to keep", "E-NO-SUCH")
    for name in names:
        if name not in kept and name in owner.values:
            declared = the_declaration(play, owner.kind, name)
            first = initial(declared)
            if owner.values[name] != first and claim(play, frame, owner, name, first):
                write(play, owner, name, first, declared)


def put_all(play: Play, name: str, rows: list[list[Any]]) -> bool:
    """Set one register of many owners: all are checked and entered before anybody hears of the first.

    Each that a rule of higher precedence has set otherwise in this event stays as it is; then it returns False.
    """
    frame = play.writing("set registers")
    made, seen = [], set()
    for ref, value in rows:
        owner = find_owner(play, ref)
        declared = the_declaration(play, owner.kind, name)
        if (owner.key, owner.id) in seen:
            raise Fault(f"{owner.id} is named twice, and {name} can hold one value", "E-ARGS")
        seen.add((owner.key, owner.id))
        check(declared, name, value)
        check_person(play, owner, declared, name, value)
        made.append((owner, value, declared))
    free = [each for each in made if claim(play, frame, each[0], name, each[1])]
    fitted = [(owner, sealed(play, owner, declared, value), declared) for owner, value, declared in free]
    entered = [(owner, enter(play, owner, name, value, declared)) for owner, value, declared in fitted]
    for owner, change in entered:
        tell_entered(play, owner, change)
    return len(free) == len(made)
