"""Whether ballots are displayed: one answer for the site, the terminal, comments and records for programs.

Nothing here keeps a ballot secret: whoever has a clone reads its file. What an open vote's ballots say is not displayed
before the count, so that nobody meets it by chance, unless the law says so when the vote opens.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from folkmoot.core.declared_kinds import PROPOSAL, named_in
from folkmoot.core.documents import Ballot, Proposal
from folkmoot.core.records import Arguments, Entry, Shown

Proposals = Mapping[str, Proposal]  # by id, such as proposal/305
SAYING = ("choice", "reason")


def is_displayed(proposal: Proposal | None) -> bool:
    """Say whether choices and reasons of a proposal's ballots are displayed: after the count, or as the law says.

    >>> is_displayed({"state": "open"}), is_displayed({"closed_at": 12}), is_displayed({})
    (False, True, True)
    >>> is_displayed({"state": "open", "displayed": True})
    True
    """
    return not proposal or bool(proposal.get("closed_at") or proposal.get("outcome") or proposal.get("displayed"))


def voted_on(entry: Entry) -> str:
    """Return the id of what an entry votes on, "" where it votes on nothing or the record does not say.

    What came of the entry is asked first: a ballot need not name what it is on.

    >>> voted_on({"by": "ann", "do": "vote", "effects": [{"effect": "ballot", "of": "proposal/305", "voter": "ann"}]})
    'proposal/305'
    >>> voted_on({"by": "ann", "do": "vote", "with": {"choice": "for", "kind": "motion", "proposal": "34"}})
    'motion/34'
    """
    by = entry.get("by")
    for effect in (entry.get("effects") or ()) if by else ():
        if effect.get("effect") == "ballot" and effect.get("voter") == by:
            return str(effect.get("of"))
    given = entry.get("with") or {}
    return named_on(given) if entry.get("do") == "vote" and isinstance(given, Mapping) else ""


def named_on(given: Arguments) -> str:
    """Return the id of what the arguments of a vote say that it is on, "" where they do not say."""
    kinds = [PROPOSAL, *(name for name in given if name not in (*SAYING, "kind", "displayed"))]
    named = named_in(dict(given), kinds)
    return _id_of(*named) if named else ""


def _id_of(kind: str, value: Any) -> str:
    word = str(value)
    return "" if value is None else word if "/" in word else f"{kind}/{word}"


def is_kept_back(entry: Entry, proposals: Proposals) -> bool:
    """Say whether an entry holds a ballot that is not displayed yet; `proposals` are all that are not resolved.

    A vote of which nobody can say what it was on (it was refused, or it waits) is taken to be on any that was there.
    """
    on = voted_on(entry)
    return bool(on or entry.get("do") == "vote") and is_vote_kept_back(on, entry.get("seq"), proposals)


def is_vote_kept_back(on: str, seq: int | None, proposals: Proposals) -> bool:
    """Say the same of a vote on what has the id `on` ("": nobody can say on what), by the number of its entry."""
    if on:
        return not is_displayed(_found(proposals, on))
    undecided = [each for each in proposals.values() if not is_displayed(each)]
    return any(seq is None or (each.get("seq") or 0) <= seq for each in undecided)


def _found(proposals: Proposals, on: str) -> Proposal | None:
    """Return the proposal that is meant by its id, or by its kind and number."""
    kind, _, number = on.partition("/")
    numbered = (p for p in proposals.values() if (p.get("kind") or PROPOSAL, str(p.get("number"))) == (kind, number))
    return proposals.get(on) or next(numbered, None)


def public_arguments(entry: Entry) -> Arguments:
    """Return which arguments of an act that also casts a ballot are displayed all the same, as registers hold them.

    >>> effects = [{"effect": "put", "name": "fate", "to": "merge"}, {"effect": "ballot", "choice": "tick"}]
    >>> public_arguments({"do": "propose_fate", "with": {"fate": "merge", "loudly": True}, "effects": effects})
    {'fate': 'merge'}
    """
    effects: list[Mapping[str, Any]] = [*(entry.get("effects") or ())]
    secret = [each.get(name) for each in effects if each.get("effect") == "ballot" for name in SAYING]
    put = {each.get("name"): each.get("to") for each in effects if each.get("effect") == "put"}
    given = (entry.get("with") or {}) if entry.get("do") != "vote" else {}
    return {name: value for name, value in given.items() if name in put and put[name] == value and value not in secret}


def shown_entry(entry: Entry, proposals: Proposals) -> Shown:
    """Return an entry as a program is shown it: ballots that are not displayed lack choice, reason and arguments."""
    effects = [
        _without(effect)
        if effect.get("effect") == "ballot" and not is_displayed(proposals.get(str(effect.get("of"))))
        else effect
        for effect in entry.get("effects") or ()
    ]
    found = {**entry, **({"effects": effects} if "effects" in entry else {})}
    if is_kept_back(entry, proposals):
        found["with"] = {**public_arguments(entry), "displayed": False}
    return found


def shown_proposal(proposal: Proposal) -> Shown:
    """Return a proposal as a program is shown it: while its vote is open, who voted and not how."""
    if is_displayed(proposal):
        return dict(proposal)
    return {**proposal, "ballots": {who: shown_ballot(each, proposal) for who, each in proposal["ballots"].items()}}


def shown_ballot(ballot: Ballot, proposal: Proposal) -> Shown:
    """Return one ballot of a proposal as it is shown; `choice` is None where it is not displayed."""
    return dict(ballot) if is_displayed(proposal) else _without(ballot)


def _without(ballot: Mapping[str, Any]) -> Shown:
    return {**{name: value for name, value in ballot.items() if name not in SAYING}, "choice": None, "reason": None,
            "displayed": False}  # fmt: skip
