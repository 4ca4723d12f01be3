"""Whether ballots are displayed: one answer for the site, the terminal, comments and records for programs.

Nothing here keeps a ballot secret: whoever has a clone reads its file. What an open vote's ballots say is not displayed
before the count, so that nobody meets it by chance, unless the law says so when the vote opens.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from folkmoot.core.declared_kinds import PROPOSAL, named_in

Record = dict[str, Any]
Proposals = Mapping[str, Mapping[str, Any]]  # by id, such as proposal/305
SAYING = ("choice", "reason")


def is_displayed(proposal: Mapping[str, Any]) -> bool:
    """Say whether choices and reasons of a proposal's ballots are displayed: after the count, or as the law says.

    >>> is_displayed({"state": "open"}), is_displayed({"closed_at": 12}), is_displayed({})
    (False, True, True)
    >>> is_displayed({"state": "open", "displayed": True})
    True
    """
    return not proposal or bool(proposal.get("closed_at") or proposal.get("outcome") or proposal.get("displayed"))


def voted_on(entry: Mapping[str, Any]) -> str:
    """Return the id of what an entry votes on, "" where it votes on nothing or the record does not say.

    What came of the entry is asked first: a ballot need not name what it is on.

    >>> voted_on({"by": "ann", "do": "vote", "effects": [{"effect": "ballot", "of": "proposal/305", "voter": "ann"}]})
    'proposal/305'
    >>> voted_on({"by": "ann", "do": "vote", "with": {"choice": "for", "kind": "motion", "proposal": "34"}})
    'motion/34'
    """
    cast = [effect for effect in entry.get("effects") or () if _is_cast(entry, effect)]
    if cast:
        return str(cast[0].get("of"))
    given = entry.get("with") or {}
    if entry.get("do") != "vote" or not isinstance(given, Mapping):
        return ""
    kinds = [PROPOSAL, *(name for name in given if name not in (*SAYING, "kind", "displayed"))]
    named = named_in(dict(given), kinds)
    return _id_of(*named) if named else ""


def _is_cast(entry: Mapping[str, Any], effect: Mapping[str, Any]) -> bool:
    return effect.get("effect") == "ballot" and bool(entry.get("by")) and effect.get("voter") == entry.get("by")


def _id_of(kind: str, value: Any) -> str:
    word = str(value)
    return "" if value is None else word if "/" in word else f"{kind}/{word}"


def is_kept_back(entry: Mapping[str, Any], proposals: Proposals) -> bool:
    """Say whether an entry holds a ballot that is not displayed yet; `proposals` are all that are not resolved.

    A vote of which nobody can say what it was on (it was refused, or it waits) is taken to be on any that was there.
    """
    on = voted_on(entry)
    if on:
        return not is_displayed(_found(proposals, on))
    seq = entry.get("seq")
    undecided = [each for each in proposals.values() if not is_displayed(each)]
    return entry.get("do") == "vote" and any(seq is None or (each.get("seq") or 0) <= seq for each in undecided)


def _found(proposals: Proposals, on: str) -> Mapping[str, Any]:
    """Return the proposal that is meant by its id, or by its kind and number; empty where there is none."""
    kind, _, number = on.partition("/")
    numbered = (p for p in proposals.values() if (p.get("kind") or PROPOSAL, str(p.get("number"))) == (kind, number))
    return proposals.get(on) or next(numbered, {})


def shown_entry(entry: Mapping[str, Any], proposals: Proposals) -> Record:
    """Return an entry as a program is shown it: ballots that are not displayed lack choice, reason and arguments."""
    effects = [
        _without(effect)
        if effect.get("effect") == "ballot" and not is_displayed(proposals.get(str(effect.get("of"))) or {})
        else effect
        for effect in entry.get("effects") or ()
    ]
    found = {**entry, **({"effects": effects} if "effects" in entry else {})}
    if is_kept_back(entry, proposals):
        found["with"] = {"displayed": False}
    return found


def shown_proposal(proposal: Mapping[str, Any]) -> Record:
    """Return a proposal as a program is shown it: while its vote is open, who voted and not how."""
    if is_displayed(proposal):
        return dict(proposal)
    return {**proposal, "ballots": {who: shown_ballot(each, proposal) for who, each in proposal["ballots"].items()}}


def shown_ballot(ballot: Mapping[str, Any], proposal: Mapping[str, Any]) -> Record:
    """Return one ballot of a proposal as it is shown; `choice` is None where it is not displayed."""
    return dict(ballot) if is_displayed(proposal) else _without(ballot)


def _without(ballot: Mapping[str, Any]) -> Record:
    return {**{name: value for name, value in ballot.items() if name not in SAYING}, "choice": None, "reason": None,
            "displayed": False}  # fmt: skip
