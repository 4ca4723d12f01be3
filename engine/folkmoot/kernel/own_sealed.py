"""Values that players seal to themselves alone: an act commits to one, its author opens it later (`sealing_acts`).

No keeper takes part: until it is opened, its author alone knows what it is, and no rule can look into it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from folkmoot.core.documents import SealedValue
from folkmoot.core.keys import boxes_key
from folkmoot.core.records import Arguments
from folkmoot.core.values import SEALED
from folkmoot.kernel.errors import Refusal
from folkmoot.kernel.play import Play
from folkmoot.kernel.sealed_values import assign, find, is_own, next_number, numbers_in, require_box


def take_own(play: Play, do: str, name: str, given: Any) -> Arguments:
    """Take in what its author alone can open; what is in it shows when they do.

    A copy of somebody else's stops nobody, and cannot be opened: a commitment is bound to its author.
    """
    box = require_box(name, given)
    taken, came = play.documents[boxes_key(box["commitment"])], f"{box['commitment']} {play.actor}"
    if came in taken:
        raise Refusal("E-DUP", f"what is sealed as {name} has come before, in entry {taken[came]}")
    number, place = next_number(play), len(play.vault.records)
    made = play.vault.take(number, box)
    value: SealedValue = {
        "readers": [],
        "commitment": made,
        "seq": play.seq,
        "place": place,
        "by": play.actor,
        "own": {"act": do, "argument": name},
    }
    play.documents.assign(boxes_key(made), taken, came, play.seq)
    assign(play, number, value)
    play.effect("seal", of=str(number), to=[], by=play.actor)
    return {SEALED: number}


def taken_in(play: Play, args: Mapping[str, Any]) -> list[SealedValue]:
    """Return what was taken in of the sealed arguments of an act, in the order in which it came."""
    return [known for number in sorted(numbers_in(dict(args))) if (known := find(play, number))["seq"] == play.seq]


def take_in_again(play: Play, taken: list[SealedValue]) -> None:
    """Keep what was taken in of an act that waits, though nothing else of the act stands: a box is taken in once."""
    for known in taken:
        came = f"{known['commitment']} {known['by']}" if is_own(known) else known["commitment"]
        key, number = boxes_key(known["commitment"]), next_number(play)
        play.documents.assign(key, play.documents[key], came, play.seq)
        assign(play, number, known)
        play.effect("seal", of=str(number), to=known["readers"], by=known["by"])
