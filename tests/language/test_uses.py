"""What a function of a script can look at: found from its text, and never less than it does look at."""

from __future__ import annotations

from typing import Any

import pytest

from folkmoot.kernel.script_records import PROPOSAL, fields_read_by, trimmer
from folkmoot.language.fields_used import EACH, IDENTITY, WHOLE, parts_used, words_within

REFERENCE = {IDENTITY: WHOLE}
CASES: dict[str, Any] = {
    "return 1": {},
    "return p.state": {"state": WHOLE},
    "return p.rule.labels.status": {"rule": {"labels": {"status": WHOLE}}},
    "return get(p, 'x')": REFERENCE,
    "return get('game', 'x', p)": WHOLE,
    "return ask('tally', p.proposal)": {"proposal": REFERENCE},
    "emit('x', proposal = p)": REFERENCE,
    "return p": WHOLE,
    "return str(p)": WHOLE,
    "return [p]": WHOLE,
    "q = p\n    return q.state": WHOLE,
    "return p == None": REFERENCE,
    "return helper(p)": {"title": WHOLE},
    "return helper(p = p)": WHOLE,
    "return loop(p)": WHOLE,
    "return sorted([1], key = lambda x, y: 1, reverse = p)": WHOLE,
    "return ask(lambda x, y: 1, p)": WHOLE,
    "return [c.kind for c in p.changes]": {"changes": {EACH: {"kind": WHOLE}}},
    "for c in p.changes:\n        helper(c)": {"changes": {EACH: {"title": WHOLE}}},
    "return [c for c in p.changes if c.kind]": {"changes": {EACH: WHOLE}},
    "if not [c for c in p.changes if c.kind == 'x']:\n        return 1": {"changes": {EACH: {"kind": WHOLE}}},
    "return voted(p)": {"ballots": {EACH: {"player": WHOLE}}},
    "return len(p.changes)": {"changes": {EACH: {}}},
    "get = str\n    return get(p, 'x')": WHOLE,
    "return [get(p, 'x') for get in [str]]": WHOLE,
}


@pytest.mark.parametrize("body", CASES)
def test_the_parts_of_an_argument_are_found(body: str) -> None:
    script = f"def helper(q):\n    return q.title\ndef loop(q):\n    return loop(q)\ndef decide_x(p):\n    {body}\n"
    (part,) = parts_used(script, "decide_x")
    assert plain(part) == CASES[body]


def plain(part: Any) -> Any:
    """Return a part as plain maps."""
    return part if part is WHOLE else {name: plain(inner) for name, inner in part.items()}


@pytest.mark.parametrize("head", ["p: str", "p = 1", "*p", "**p"])
def test_of_other_parameters_nothing_is_known(head: str) -> None:
    assert parts_used(f"def decide_x({head}):\n    return p\n", "decide_x") == ()


def test_strings_with_names_in_them_are_not_looked_into() -> None:
    assert parts_used("def decide_x(p):\n    return f'{p.title}'\n", "decide_x") == ()


def test_what_is_asked_for_in_vain_leaves_a_record_whole() -> None:
    record = {"$": 1, "name": "x", "player": "ann"}
    assert trimmer({"player": WHOLE}, None)(record) == {"$": 1, "player": "ann"}
    assert trimmer({"plaier": WHOLE}, None)(record) == record
    assert trimmer({"plaier": WHOLE}, None)("ann") == "ann"


def test_only_ballots_of_proposals_are_rows() -> None:
    part = {"ballots": {EACH: {"player": WHOLE}}}
    row = ["ann", "for", "", 1, 1, True, False]
    proposal = {"$": PROPOSAL, "id": "proposal/1", "ballots": [row]}
    assert trimmer(part, None)(proposal) == {"$": PROPOSAL, "ballots": [["ann", *[None] * 6]]}
    event = {"$": 2, "ballots": [{"$": 1, "player": "ann", "choice": "for"}]}
    assert trimmer(part, None)(event) == {"$": 2, "ballots": [{"$": 1, "player": "ann"}]}


SHOWING = """
LEAST = 2

def many(p):
    return len(voted(p))

def decide_shown(p):
    return p.title if many(p) >= LEAST else None

def decide_brought(p):
    return [c.kind for c in p.changes]

def decide_named(p):
    return p.title
"""


def test_what_is_large_crosses_to_those_who_can_come_upon_it() -> None:
    read = {hook: fields_read_by(SHOWING, hook) or set() for hook in ("decide_shown", "decide_brought", "decide_named")}
    large = {hook: fields & {"ballots", "changes", "requests"} for hook, fields in read.items()}
    assert large == {"decide_shown": {"ballots"}, "decide_brought": {"changes"}, "decide_named": set()}
    assert all("title" in fields for fields in read.values())


def test_what_is_made_outside_of_functions_may_look_at_all() -> None:
    script = f"how = lambda p: p.ballots\n{SHOWING}"
    assert words_within(script, "decide_named") is None
    assert "ballots" in (fields_read_by(script, "decide_named") or ())
    assert "how" in (words_within(f"how = many\n{SHOWING}", "decide_named") or ())
