"""Claims of how much a number has changed: `score: "+5"` is relative to what it was before the step above."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from folkmoot.core.records import Written
from folkmoot.kernel import registers
from folkmoot.kernel.errors import Fault, Refusal
from folkmoot.kernel.step import Kernel

_SIGNED = re.compile(r"[+-][0-9]+")
_LEADS = ("player", "thing", "game")  # claims about the registers of one owner


def names_of(claim: Written) -> list[str]:
    """Return the registers of whose change a claim may speak.

    >>> names_of({"player": "ann", "score": "+5", "mood": "glad"}), names_of({"office": "judge", "holder": "+5"})
    (['score'], [])
    """
    if not any(lead in claim for lead in _LEADS):
        return []
    return [name for name, v in claim.items() if name not in _LEADS and isinstance(v, str) and _SIGNED.fullmatch(v)]


def are_in(scenario: Written) -> bool:
    """Say whether a scenario has such claims, so that what is before each step has to be kept."""
    return any(map(names_of, _claims(scenario)))


def _claims(scenario: Written) -> Iterator[Written]:
    for each in (*(scenario.get("steps") or ()), scenario):
        yield from each.get("expect") or ()


def absolute(kernel: Kernel, claim: Written, before: bytes | None, now: int) -> Written | str:
    """Return a claim with the numbers that its changes come to, `before` being the game before the step above.

    Registers that hold no number now are left as claimed. Where others were no numbers before, a sentence says so.
    """
    changing = {name: claim[name] for name in names_of(claim) if _is_number(_level(kernel, claim, name, now))}
    if not changing:
        return claim
    if before is None:
        first = next(iter(changing))
        return f"{first} {changing[first]} is relative to the step above, and there is none; claim the number itself"
    current = kernel.documents.snapshot()
    kernel.come_back(before)
    try:
        levels = {name: _level(kernel, claim, name, now) for name in changing}
    finally:
        kernel.come_back(current)
    for name, level in levels.items():
        if not _is_number(level):
            why = f"{name} {changing[name]} is relative to what it was before the step above"
            return f"{why}, and there was no {name} then; claim the number itself"
    return {**claim, **{name: levels[name] + int(change) for name, change in changing.items()}}


def _level(kernel: Kernel, claim: Written, name: str, now: int) -> Any:
    """Return what a register of a claim's owner holds, None where there is none."""
    lead = next(lead for lead in _LEADS if lead in claim)
    ref = "game" if lead == "game" else claim[lead]
    try:
        return kernel.look(lambda play: registers.get(play, ref, name, None), now)
    except (Fault, Refusal):
        return None


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
