"""Plain records of rules and proposals as scripts see them; `$` marks what becomes a struct."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from operator import itemgetter
from typing import Any

from folkmoot.core.documents import Ballot, Proposal, Request, RuleDocument, RuleMeta
from folkmoot.core.records import ScriptRecord
from folkmoot.language.fields_used import EACH, IDENTITY, WHOLE, Part, words_within

PROPOSAL = 3  # the mark of a proposal's record: its ballots are rows
REFERENCE = 4  # the mark of a rule or proposal that a script passes on


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
    return record(
        {
            "uid": document["uid"],
            "number": document["rule"],
            "title": document.get("title", ""),
            "text": document.get("text", ""),
            "labels": record({label: own.get(label) for label in labels}),
            "revision": meta["revision"],
            "amendments": meta["amendments"],
            "since": meta["at"],
            "enacted_at": meta["enacted_at"],
            "seq": meta["seq"],
            "over": list(precedence.get("over", ())),
            "defers_to": list(precedence.get("defers_to", ())),
        }
    )


BALLOT = ("choice", "reason", "at", "weight", "counts", "deemed")
COLUMNS = ("player", *BALLOT)
fields_of_ballot = itemgetter(*BALLOT)


def ballot_record(player: str, ballot: Ballot) -> ScriptRecord:
    """Return one ballot for scripts."""
    return record({"player": player, **dict(zip(BALLOT, fields_of_ballot(ballot), strict=True))})


def ballot_row(player: str, ballot: Ballot) -> list[Any]:
    """Return one ballot in the form in which the many of a proposal cross the border."""
    return [player, *fields_of_ballot(ballot)]


def request_record(request: Request) -> ScriptRecord:
    """Return a request that travels with a proposal."""
    return record({"name": request["name"], "args": record(request["args"])})


PLAIN = (
    "id", "kind", "number", "author", "title", "state", "submitted_at", "opened_at", "closed_at", "electorate",
    "outcome", "why", "seq",
)  # fmt: skip


def proposal_record(proposal: Proposal, change_records: list[ScriptRecord]) -> ScriptRecord:
    """Return a proposal (or motion) for scripts as it is at this moment."""
    return {
        "$": PROPOSAL,
        **{key: proposal.get(key) for key in PLAIN},
        "frozen": proposal.get("frozen") is not None,
        "changes": change_records,
        "requests": [request_record(r) for r in proposal.get("requests", ())],
        "ballots": [ballot_row(player, b) for player, b in proposal["ballots"].items()],
    }


ORDER_OF_PROPOSAL = ("$", *PLAIN, "frozen", "changes", "requests", "ballots")
FIELDS_OF_PROPOSAL = frozenset(ORDER_OF_PROPOSAL)
FIELDS_OF_RULE = frozenset(
    ["$", "uid", "number", "title", "text", "labels", "revision", "amendments", "since", "enacted_at", "seq", "over",
     "defers_to"]
)  # fmt: skip


def kept(value: Any) -> Any:
    """Return what a game keeps of a value that a script hands over: of a rule or proposal in it, which one it is.

    All the rest of those is as it was at one moment, and no more of it crosses the border than a script can read: what
    is kept must not depend on that.
    """
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


LOOKING_AT_ALL = ("load(", "getattr(", "hasattr(", "dir(", "digest(")
LOOKS_AT_ALL = re.compile(r"\b(?:load|getattr|hasattr|dir|digest)\(")
WORD = re.compile(r"[A-Za-z_]\w*")
ALWAYS = frozenset(["$", "id", "submitted_at", "uid", "number", "labels"])  # by which the border knows what it is
IMPLIED = {  # functions of the prelude that read fields of what they are given
    "amended": ("amendments",),
    "claims_over": ("over", "defers_to"),
    "ballot_of": ("ballots",),
    "voted": ("ballots",),
}


@lru_cache(maxsize=4096)
def fields_read(script: str) -> frozenset[str] | None:
    """Return every name by which a script could read a field of a proposal or rule; None where it could read all.

    A script that may see a record as a whole (through a library, `dir`, `digest`…) reads all of it.
    """
    if any(map(script.__contains__, LOOKING_AT_ALL)) and LOOKS_AT_ALL.search(script):
        return None
    words = set(WORD.findall(script))
    return frozenset(words.union(ALWAYS, *(IMPLIED[word] for word in words if word in IMPLIED)))


LARGE = frozenset(["ballots", "changes", "requests"])  # fields of proposals that grow with the game


@lru_cache(maxsize=8192)
def fields_read_by(script: str, hook: str) -> frozenset[str] | None:
    """Return the fields that cross the border to a hook: what its script reads, of what is large what it can read."""
    read = fields_read(script)
    if read is None or not read & LARGE:
        return read
    words = words_within(script, hook)
    if words is None:
        return read
    implied = (IMPLIED[word] for word in words if word in IMPLIED)
    return read - LARGE.difference(words, *implied)


def spare(value: Any, read: frozenset[str] | None) -> Any:
    """Return what crosses the border to a script: proposals and rules without the fields that it cannot read."""
    if read is None:
        return value
    if type(value) is list:
        return [spare(item, read) for item in value] if value and type(value[0]) is dict else value
    mark = value.get("$") if type(value) is dict else None
    if mark == PROPOSAL:
        kept = _of_proposal(read)(value) if value.keys() == FIELDS_OF_PROPOSAL else None
        kept = kept or {key: item for key, item in value.items() if key in read}
        return kept if "ballots" in kept else {**kept, "$": 2}
    if mark != 2:
        return value
    if "uid" in value:
        return {key: item for key, item in value.items() if key in read}
    return {key: spare(item, read) if type(item) is dict else item for key, item in value.items()}


@lru_cache(maxsize=4096)
def _of_proposal(read: frozenset[str]) -> Callable[[ScriptRecord], ScriptRecord]:
    """Return what takes from the whole record of a proposal the fields that can be read, in their order."""
    names = tuple(name for name in ORDER_OF_PROPOSAL if name in read)
    if len(names) < 2:
        return lambda value: {name: value[name] for name in names}
    items = itemgetter(*names)
    return lambda value: dict(zip(names, items(value), strict=True))


KNOWN_BY = ("$", "id", "submitted_at", "uid", "number")  # what makes a proposal or rule a reference


Trimmer = Callable[[Any], Any]


def trimmer(part: Part, read: frozenset[str] | None) -> Trimmer:
    """Return what takes from an argument of a hook what the hook cannot look at.

    What it asks for in vain leaves the argument whole.
    """
    if not part:
        return lambda _value: None

    def whole(value: Any) -> Any:
        return spare(value, read) if type(value) is dict or type(value) is list else value

    if part is WHOLE:
        return whole
    if EACH in part and len(part) == 1:
        each = trimmer(part[EACH], read)
        return lambda value: [each(item) for item in value] if type(value) is list else whole(value)
    return _trimmer_of_fields(part, read, whole)


def _trimmer_of_fields(part: Mapping[str, Part], read: frozenset[str] | None, whole: Trimmer) -> Trimmer:
    fields = [(name, trimmer(inner, read)) for name, inner in part.items() if name]
    needed = frozenset(name for name, _ in fields)
    known_by = IDENTITY in part
    ballots, counted = part.get("ballots"), "ballots" in part

    def trim(value: Any) -> Any:
        if type(value) is not dict or "$" not in value or not needed <= value.keys():
            return whole(value)
        mark = value["$"]
        if known_by and mark != PROPOSAL and "uid" not in value:
            return whole(value)
        kept = {name: value[name] for name in KNOWN_BY if name in value} if known_by else {"$": mark}
        for name, inner in fields:
            kept[name] = inner(value[name])
        if mark == PROPOSAL:
            kept["$"] = PROPOSAL if counted else 2
            if counted:
                kept["ballots"] = trim_rows(value["ballots"], ballots)
        return kept

    return trim


def trim_rows(rows: Any, part: Any) -> Any:
    """Return the rows of ballots with null in place of what cannot be looked at."""
    looked_at = WHOLE if part is WHOLE or len(part) > 1 else part.get(EACH, WHOLE)
    if looked_at is WHOLE or not looked_at.keys() <= set(COLUMNS):
        return rows
    columns = [column for column, name in enumerate(COLUMNS) if name in looked_at]
    trimmed = []
    for row in rows:
        shown = [None] * len(COLUMNS)
        for column in columns:
            shown[column] = row[column]
        trimmed.append(shown)
    return trimmed
