"""Votes that were decided before a game: kept as its proposals are, taken over and not judged anew."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from folkmoot.core.declared_kinds import PROPOSAL, is_votable
from folkmoot.core.documents import Ballot, Proposal
from folkmoot.core.keys import GAME, proposal_key
from folkmoot.core.past_dates import is_exact, moments_of, span_of
from folkmoot.core.records import Written
from folkmoot.core.values import in_a_row, is_digits, told
from folkmoot.kernel.errors import Fault
from folkmoot.kernel.play import Play
from folkmoot.kernel.proposals import outcomes
from folkmoot.kernel.registers import kinds_of
from folkmoot.kernel.rule_checks import check_number


def take_over(play: Play, said: Written) -> None:
    """Keep a vote that was decided before the game; raises Fault where it cannot be.

    `said` has `number`, `title`, `outcome`, `decided`, and what else is known: see the form of its file.
    """
    kind, number = str(said.get("kind") or PROPOSAL), str(said.get("number"))
    if not is_votable(kinds_of(play), kind):
        raise Fault(f"no rule in force declares a votable kind {told(kind)}", "E-NO-SUCH")
    if check_number(number):
        raise Fault(f"{told(number)} cannot be the number of a {kind}", "E-ARGS")
    if said["outcome"] not in outcomes(play):
        raise Fault(f"{told(said['outcome'])} is no outcome; choose {in_a_row(outcomes(play))}", "E-ARGS")
    key = proposal_key(f"{kind}/{number}")
    if play.documents.get(key) is not None:
        raise Fault(f"there are two of the number {number}", "E-DUP")
    play.documents.assign(key, play.documents.all(), key, _proposal(play, kind, number, said))
    counters = play.documents[GAME]["counters"]
    if is_digits(number) and int(number) > int(counters.get(f"number:{kind}", 0)):
        play.documents.assign(GAME, counters, f"number:{kind}", int(number))


def _proposal(play: Play, kind: str, number: str, said: Written) -> Proposal:
    submitted, decided = _times(play, said)
    known: dict[str, str] = {part: str(said[part]) for part in ("submitted", "decided") if part in said}
    dated = {part: date for part, date in known.items() if not is_exact(date)}
    return {
        "id": f"{kind}/{number}", "kind": kind, "number": int(number) if is_digits(number) else number,
        "author": said.get("author"), "title": str(said.get("title") or ""), "state": said["outcome"], "changes": [],
        "requests": [], "submitted_at": submitted, "opened_at": None, "closed_at": None, "resolved_at": decided,
        "electorate": None, "frozen": None, "outcome": said["outcome"], "why": str(said.get("why") or ""),
        "ballots": {voter: _ballot(cast, decided) for voter, cast in (said.get("ballots") or {}).items()},
        "verdict": None, "via": {}, "seq": play.seq, "registers": {},
        "taken_over": {"dated": dated, "text": str(said.get("text") or "")},
    }  # fmt: skip


def _times(play: Play, said: Written) -> tuple[int, int]:
    """Return when a vote was submitted and decided, each as far as that is known."""
    dates = [str(said.get("submitted") or "unknown"), str(said["decided"])]
    spans = [span for date in dates if (span := span_of(date)) is not None]
    submitted, decided = moments_of(spans, play.now) if len(spans) == len(dates) else (1, 0)
    if not submitted <= decided <= play.now or spans[1][1] < spans[0][0]:
        raise Fault(f"it cannot be submitted on {dates[0]} and decided on {dates[1]}", "E-ARGS")
    return submitted, decided


def _ballot(cast: Any, at: int) -> Ballot:
    said: Mapping[str, Any] = cast if isinstance(cast, Mapping) else {"choice": cast}
    weight = int(said.get("weight", 1))
    return {
        "choice": str(said["choice"]), "reason": str(said.get("reason") or ""), "at": at, "weight": weight,
        "counts": True, "why": "", "deemed": False,
    }  # fmt: skip
