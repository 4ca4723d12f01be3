"""Which undecided proposals would change one passage of the law: adopted both, the later finds it changed.

Nothing is decided here. When such a proposal is adopted, `kernel/adoption.py` asks the law which side prevails, and
leaves the change out where it does not say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from folkmoot.core.documents import Change, Document, Proposal
from folkmoot.core.keys import rule_key
from folkmoot.core.merging import Conflict, merged_part
from folkmoot.core.proposal_numbers import called
from folkmoot.core.rule_blocks import RULE_PARTS
from folkmoot.game.agenda import undecided
from folkmoot.game.session import Session


def rivals_of(session: Session, proposal: Proposal) -> tuple[str, ...]:
    """Return how the other undecided proposals are called that change a passage which this one changes, too."""
    return tuple(
        called(other)
        for other in undecided(session)
        if other["id"] != proposal["id"] and any(_clashes(session, proposal, other))
    )


def _clashes(session: Session, one: Proposal, other: Proposal) -> Iterator[bool]:
    """Yield of each pair of their changes of one rule whether it cannot be put together."""
    for mine in one["changes"]:
        for theirs in other["changes"]:
            if mine["rule"] is not None and mine["rule"] == theirs["rule"]:
                yield _clash(session.document(rule_key(mine["rule"])), mine, theirs)


def _clash(law: Document, mine: Change, theirs: Change) -> bool:
    if "repeal" in (mine["kind"], theirs["kind"]):
        return True
    if mine["kind"] == theirs["kind"] == "transmute":
        return mine["to"] != theirs["to"]
    return any(_differs(part, law.get(part), _parts(mine), _parts(theirs)) for part in RULE_PARTS)


def _parts(change: Change) -> Mapping[str, Any]:
    return change.get("parts") or {}


def _differs(part: str, base: Any, mine: Mapping[str, Any], theirs: Mapping[str, Any]) -> bool:
    """Say whether both give a part anew, and not in a way that holds what either says."""
    if part not in mine or part not in theirs:
        return False
    try:
        merged_part(part, base, mine[part], theirs[part])
    except Conflict:
        return True
    return False
