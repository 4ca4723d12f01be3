"""Plain records of rules and proposals as scripts see them; `$` marks what becomes a struct."""

from __future__ import annotations

from operator import itemgetter
from typing import Any

from folkmoot.core.documents import Ballot, Proposal, Request, RuleDocument, RuleMeta
from folkmoot.core.records import ScriptRecord

PROPOSAL = 3  # the mark of a proposal's record: its ballots are rows
REFERENCE = 4  # the mark of a rule or proposal that a script passes on
CHANGE = 5  # the mark of a change's record: what it has not is None


def record(fields: ScriptRecord) -> ScriptRecord:
    """Return fields as a record that the prelude turns into a struct; 1 marks a flat one, which costs less."""
    kinds = {*map(type, fields.values())}
    if dict in kinds or list in kinds:
        return {"$": 2, **fields}
    if int in kinds and max([value.bit_length() for value in fields.values() if type(value) is int]) > 62:
        return {"$": 2, **fields}
    return {"$": 1, **fields}


def rule_record(document: RuleDocument, meta: RuleMeta, labels: tuple[str, ...]) -> ScriptRecord:
    """Return a rule for scripts: the labels this game uses are all there, None where this rule lacks one."""
    precedence = document.get("precedence") or {}
    own = document.get("labels") or {}
    fields = {
        "uid": document["uid"], "number": document["rule"], "title": document.get("title", ""),
        "text": document.get("text", ""), "labels": record({label: own.get(label) for label in labels}),
        "revision": meta["revision"], "amendments": meta["amendments"], "since": meta["at"],
        "enacted_at": meta["enacted_at"], "seq": meta["seq"], "over": list(precedence.get("over", ())),
        "defers_to": list(precedence.get("defers_to", ())),
    }  # fmt: skip
    return record(fields)


BALLOT = ("choice", "reason", "at", "weight", "counts", "deemed")
fields_of_ballot = itemgetter(*BALLOT)


def ballot_record(player: str, ballot: Ballot) -> ScriptRecord:
    """Return one ballot for scripts."""
    return record({"player": player, **dict(zip(BALLOT, fields_of_ballot(ballot), strict=True))})


def request_record(request: Request) -> ScriptRecord:
    """Return a request that travels with a proposal."""
    return record({"name": request["name"], "args": record(request["args"])})


PLAIN = (
    "id", "kind", "number", "author", "title", "state", "submitted_at", "opened_at", "closed_at", "electorate",
    "outcome", "why", "seq",
)  # fmt: skip


def proposal_record(proposal: Proposal, changes: list[ScriptRecord], ballots: list[list[Any]]) -> ScriptRecord:
    """Return a proposal (or motion) for scripts as it is at this moment; its ballots are rows."""
    return {
        "$": PROPOSAL,
        **dict(zip(PLAIN, map(proposal.get, PLAIN), strict=True)),
        "frozen": proposal.get("frozen") is not None,
        "changes": changes,
        "requests": [request_record(r) for r in proposal.get("requests", ())],
        "ballots": ballots,
    }


FIELDS_OF_PROPOSAL = frozenset(["$", *PLAIN, "frozen", "changes", "requests", "ballots"])
FIELDS_OF_RULE = frozenset(
    ["$", "uid", "number", "title", "text", "labels", "revision", "amendments", "since", "enacted_at", "seq", "over",
     "defers_to"]
)  # fmt: skip


def kept(value: Any) -> Any:
    """Return what a game keeps of a value that a script hands over: of a rule or proposal in it, which one it is."""
    kind = type(value)
    if kind is list:
        return [kept(item) for item in value] if any(type(item) in (dict, list) for item in value) else value
    if kind is not dict:
        return value
    fields = value.keys()
    if "submitted_at" in fields and {"id", "number"} <= fields <= FIELDS_OF_PROPOSAL:
        return {"id": value["id"], "number": value["number"]}
    if "uid" in fields and {"number", "labels"} <= fields <= FIELDS_OF_RULE:
        return {"uid": value["uid"], "number": value["number"]}
    return {name: kept(item) for name, item in value.items()}
