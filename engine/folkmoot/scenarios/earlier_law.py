"""When a scenario starts, and the past of a ruleset for one that begins before that past was over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from folkmoot.core.calendar import DAY, read_stamp
from folkmoot.core.records import Founding, Written

Revisions = Sequence[dict[str, Any]]
DEFAULT_START = "2026-01-05T12:00:00Z"


def start_of(scenario: Written, law: Written) -> int:
    """Return when a scenario starts: as it says, else at a usual time, or a day after what its rules have behind."""
    if scenario.get("starts"):
        return read_stamp(str(scenario["starts"]))
    past = [str(each.get("at")) for revisions in (law.get("history") or {}).values() for each in revisions]
    usual = read_stamp(DEFAULT_START)
    return max([usual, *(read_stamp(at) + DAY for at in past if at[:10] >= DEFAULT_START[:10])])


def law_by(law: Founding, start: int) -> Founding:
    """Return the law with a past that ends when a scenario starts (Unix seconds).

    What a ruleset says of later revisions is left out: the text in force is the revision that its rule had then, the
    first where it came about later; a rule that was repealed later is not in force and has no past here.
    """
    past = law.get("history")
    if not isinstance(past, dict):
        return law
    known = {uid: _until(revisions, start) for uid, revisions in past.items()}
    return {**law, "history": {uid: revisions for uid, revisions in known.items() if revisions}}


def _until(revisions: Any, start: int) -> Revisions:
    if not isinstance(revisions, list) or not all(isinstance(each, dict) for each in revisions):
        return revisions  # type: ignore[no-any-return]  # the founding says what is wrong with it
    by_then = [each for each in revisions if read_stamp(str(each.get("at"))) <= start]
    if len(by_then) == len(revisions):
        return revisions
    if not by_then or revisions[-1].get("repealed"):
        return []
    last = {name: value for name, value in by_then[-1].items() if name in ("at", "cause")}
    return [*by_then[:-1], last]
