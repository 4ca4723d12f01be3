"""How long the value of a register may be."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from folkmoot.core.values import LARGEST_REGISTER
from folkmoot.kernel.errors import Fault
from folkmoot.kernel.event_state import OwnList
from folkmoot.kernel.play import Play

LONGEST_ESCAPE = 12  # characters of canonical JSON that one can become
Slot = tuple[str, str, str]


def check_size(name: str, value: Any) -> None:
    """Raise Fault where a value is too long for a register."""
    if isinstance(value, (str, list, dict)) and _is_large(value):
        raise too_large(name)


def check_size_of_list(play: Play, slot: Slot, before: list[Any], after: list[Any]) -> None:
    """Check the size of a list to whose end an item is added; what stood there before is measured once.

    `slot` is where it lies: document, owner and register.
    """
    known = play.own_lists.get(slot)
    measured = known.at_most if known is not None and known.values is before else len(json.dumps(before))
    at_most = measured + len(json.dumps(after[-1])) + len(", ")
    if at_most > LARGEST_REGISTER:
        at_most = len(json.dumps(after))
    if at_most > LARGEST_REGISTER:
        raise too_large(slot[-1])
    play.own_lists[slot] = OwnList(after, at_most)


def too_large(name: str) -> Fault:
    """Return what is wrong with a value that is too long for a register."""
    return Fault(f"{name}: a value of more than {LARGEST_REGISTER} characters is too large to keep", "E-BOUNDS")


def _is_large(value: Any) -> bool:
    """Whether the canonical form of a value is too long; measured only where a quicker guess leaves a doubt."""
    guess = len(value) if isinstance(value, str) else len(msgspec.json.encode(value))
    return guess * LONGEST_ESCAPE > LARGEST_REGISTER and len(json.dumps(value)) > LARGEST_REGISTER
