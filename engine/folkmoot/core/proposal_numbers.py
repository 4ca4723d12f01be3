"""How a proposal is found and called, and what of it became no law.

It is called by its number, and as long as it has none by the handle in its id.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from folkmoot.core.documents import Proposal, ProposalName
from folkmoot.core.keys import proposal_key
from folkmoot.core.records import Shown


def handle(proposal: ProposalName | Shown) -> int | str:
    """Return by what a proposal is named in commands and claims: its number, or for a draft the end of its id.

    >>> handle({"id": "proposal/305", "number": 305}), handle({"id": "proposal/x12", "number": None})
    (305, 'x12')
    """
    number: int | str | None = proposal.get("number")
    return number if number is not None else str(proposal.get("id") or "").partition("/")[2]


def called(proposal: ProposalName | Shown) -> str:
    """Return how a proposal is called in a sentence.

    >>> called({"id": "motion/x12", "kind": "motion", "number": 34})
    'motion 34'
    """
    return f"{proposal.get('kind') or 'proposal'} {handle(proposal)}"


def omission(proposal: Proposal) -> str:
    """Return what of an adopted proposal was left out and why, "" where nothing was.

    >>> omission({"changes": [{}], "omitted": [{"change": 0, "code": "E-STALE", "why": "rule 7 was changed"}]})
    'nothing of it became law: rule 7 was changed'
    """
    omitted, number = proposal.get("omitted") or [], len(proposal.get("changes") or [])
    if not omitted:
        return ""
    some = f"{len(omitted)} of its {number} changes {'was' if len(omitted) == 1 else 'were'} left out"
    why = str(omitted[0]["why"] or omitted[0]["code"])
    return f"{'nothing of it became law' if len(omitted) == number else some}: {why}"


def find_by_name(document: Callable[[Any], Any], name: str) -> Any:
    """Return a proposal by its id, or by kind and number; None (or what `document` gives for nothing) where none is.

    Of one that got its number after its id a document at the place of that number says which it is.
    """
    found = document(proposal_key(name))
    return document(proposal_key(str(found["of"]))) if found and "of" in found else found
