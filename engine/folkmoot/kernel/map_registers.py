"""One key of a map register: read, set or taken away, at a cost that follows the key and not the map."""

from __future__ import annotations

import json
from typing import Any

from folkmoot.core.values import LARGEST_REGISTER, told
from folkmoot.kernel.errors import Fault
from folkmoot.kernel.event_state import OwnMap
from folkmoot.kernel.frames import Frame
from folkmoot.kernel.play import Play
from folkmoot.kernel.register_sizes import too_large
from folkmoot.kernel.registers import (
    UNSET,
    Owner,
    check,
    find_owner,
    get,
    keep,
    label_of,
    may_write,
    sealed,
    tell_change,
    the_declaration,
)


def get_in(play: Play, ref: Any, name: str, key: str, default: Any = UNSET) -> Any:
    """Return what a map register holds under a key; `default` (None where none is given) where that is nothing."""
    found = get(play, ref, name) if default is UNSET else get(play, ref, name, None)
    if found is not None and not isinstance(found, dict):
        raise Fault(f"{name} holds no map, so that nothing stands in it under {told(key)}", "E-BOUNDS")
    value = (found or {}).get(key)
    return value if value is not None or default is UNSET else default


def put_in(play: Play, ref: Any, name: str, key: str, value: Any) -> bool:
    """Set one key of a map register, or take it away with None, and note the key alone.

    False if a rule of higher precedence has set it otherwise in this event.
    """
    frame = play.writing("set registers")
    owner = find_owner(play, ref)
    declared = the_declaration(play, owner.kind, name, ("map",), "a map register")
    check(declared, name, {key: value})
    if not _claim(play, frame, owner, name, key, value):
        return False
    value = sealed(play, owner, declared, value)
    own = _own(play, owner, name, declared.get("initial"))
    before = own.values.get(key)
    if before == value:
        return True
    may_write(play, owner, name, value)
    hooks = ("on_changed", f"on_changed_{name}")
    heard = any(play.law.listeners(hook, view=play.view) for hook in hooks)
    whole = dict(own.values) if heard else {}
    _enter(play, owner, name, own, key, value)
    play.effect("put", of=label_of(owner), name=name, key=key, **{"from": before, "to": value})
    if heard:
        after = dict(own.values)
        tell_change(play, {"owner": label_of(owner), "name": name, "before": whole, "after": after, "key": key})
    return True


def _enter(play: Play, owner: Owner, name: str, own: OwnMap, key: str, value: Any) -> None:
    """Set or remove a key in a map of its own; raises Fault where the whole would be too large to keep."""
    if value is None:
        play.documents.remove(owner.key, own.values, key)
        return
    own.at_most += len(json.dumps({key: value}))
    if own.at_most > LARGEST_REGISTER:
        own.at_most = len(json.dumps({**own.values, key: value}))
    if own.at_most > LARGEST_REGISTER:
        raise too_large(name)
    play.documents.assign(owner.key, own.values, key, value)


def _own(play: Play, owner: Owner, name: str, first: Any) -> OwnMap:
    """Return the map of a register as one that nothing else refers to; it is copied where another may."""
    slot = (str(owner.key), owner.id, name)
    present = owner.values.get(name)
    known = play.own_maps.get(slot)
    if known is not None and known.values is present:
        return known
    values = dict(present if present is not None else first or {})
    keep(play, owner, name, values)
    own = play.own_maps[slot] = OwnMap(values, len(json.dumps(values)))
    return own


def _claim(play: Play, frame: Frame | None, owner: Owner, name: str, key: str, value: Any) -> bool:
    """Whether a rule may set a key in this event: unless a higher one has set it, or the whole map, otherwise."""
    if frame is None or not play.scopes:
        return True
    puts = play.scopes[-1].puts
    whole = puts.get((f"{owner.kind}/{owner.id}", name))
    by = whole[0] if whole is not None and whole[0] != frame.uid and (whole[1] or {}).get(key) != value else None
    if by is None:
        slot = (f"{owner.kind}/{owner.id}", name, key)
        setter = puts.setdefault(slot, (frame.uid, value))
        if setter[0] == frame.uid:
            puts[slot] = (frame.uid, value)
        elif setter[1] != value:
            by = setter[0]
    if by is not None:
        play.reason("DROPPED", frame.uid, of=label_of(owner), name=name, by=by)
    return by is None
