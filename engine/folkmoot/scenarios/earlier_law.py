"""When a scenario starts, and the past of a ruleset for one that begins before that past was over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from folkmoot.core.calendar import DAY, FIRST, LAST, read_stamp
from folkmoot.core.past_dates import span_of
from folkmoot.core.records import Founding, Written
from folkmoot.core.rule_pasts import OF_THE_PRESENT

Revisions = Sequence[dict[str, Any]]
DEFAULT_START = "2026-01-05T12:00:00Z"


def start_of(scenario: Written, law: Written) -> int:
    """Return when a scenario starts: as it says, else at a usual time, or a day after what its rules have behind."""
    if scenario.get("starts"):
        return read_stamp(str(scenario["starts"]))
    past = [_earliest(each) for revisions in (law.get("history") or {}).values() for each in revisions]
    usual = read_stamp(DEFAULT_START)
    return max([usual, *(at + DAY for at in past if at >= usual - usual % DAY)])


def _earliest(revision: Any) -> int:
    """Return when a revision came about at the earliest; what is no date is for the founding to tell."""
    return (span_of(str(revision.get("at"))) or (FIRST, LAST))[0] if isinstance(revision, dict) else FIRST


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
    by_then = [each for each in revisions if _earliest(each) <= start]
    if len(by_then) == len(revisions):
        return revisions
    while by_then and by_then[-1].get("repealed"):
        by_then.pop()
    if not by_then or revisions[-1].get("repealed"):
        return []
    last = {name: value for name, value in by_then[-1].items() if name in OF_THE_PRESENT}
    return [*by_then[:-1], last]
