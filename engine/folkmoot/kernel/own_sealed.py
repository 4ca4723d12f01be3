"""Values that players seal to themselves alone: an act commits to one, and its author opens it by another.

No keeper takes part: until it is opened, its author alone knows what it is, and no rule can look into it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from folkmoot.core.documents import SealedValue
from folkmoot.core.keys import boxes_key, sealed_key
from folkmoot.core.records import Arguments, ScriptRecord
from folkmoot.core.rule_blocks import ArgumentSpec
from folkmoot.core.values import SEALED, flaw_of, size
from folkmoot.kernel import arguments
from folkmoot.kernel.errors import Refusal
from folkmoot.kernel.play import Play
from folkmoot.kernel.sealed_values import assign, find, is_own, next_number, numbers_in, require_box
from folkmoot.kernel.vault import LARGEST_CONTENT, OwnOpening


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


def open_sealed(play: Play, action: ScriptRecord) -> None:
    """Let somebody open what they sealed to themselves: content and salt have to give what they committed to."""
    args, by = action["args"], action["by"]
    number = args["number"]
    known = (play.documents.get(sealed_key(number)) or {}).get(str(number)) if number > 0 else None
    if known is None or not is_own(known) or known.get("by") != by:
        raise Refusal("E-NO-SUCH", f"{number} is nothing that you sealed and open yourself")
    if "opened" in known:
        raise Refusal("E-DUP", f"what you sealed as {number} is open already")
    own = known["own"]
    bound = {"author": str(by), **own, "nonce": args["nonce"]}
    opening = OwnOpening(args["value"], args["salt"], bound, known["commitment"])
    value = play.vault.open_own(number, opening, partial(_flaw, play, own))
    assign(play, number, {**known, "opened": value})
    play.effect("unseal", of=str(number), to=value)
    play.emit("unsealed", {"player": by, "action": own["act"], "argument": own["argument"], "value": value})


def _flaw(play: Play, own: dict[str, str], value: Any) -> str:
    """Return why a value cannot be what was asked for when it was sealed, as the law declares that now."""
    if flaw_of(value) or size(value) > LARGEST_CONTENT:
        return "it cannot be kept"
    declared = play.law.declared("actions").get(own["act"])
    specs: dict[str, ArgumentSpec] = (declared[1].get("arguments") or {}) if declared else {}
    spec = specs.get(own["argument"])
    return arguments.flaw_of_sealed(play, own["argument"], spec, value) if spec is not None else ""
