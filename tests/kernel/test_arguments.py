"""What an act may be given: every type, what is wrong with it, and the sentences that say so."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.table import VOTING, Found, Table, rule, said


def test_requests_travel_with_a_proposal(found: Found) -> None:
    law = rule(
        "1",
        "def on_proposal_submitted(e):\n    announce(str([(r.name, r.args.section) for r in e.proposal.requests]))",
        actions={"retool": {"travels": "with_proposal", "arguments": {"section": {"type": "integer", "maximum": 16}}}},
    )
    table = found(VOTING, law)
    outcome = table.ok("ann", "propose", title="x", changes=[], requests=[{"retool": {"section": 3}}])
    assert said(outcome) == ['[("retool", 3)]']
    for bad in (
        [{"retool": {"section": 17}}],
        [{"retool": "5"}],
        5,
        [5],
        [{"propose": {}}],
        [{"name": ["x"], "args": {}}],
    ):
        assert table.refused("ann", "propose", title="x", changes=[], requests=bad) in ("E-ARGS", "E-NO-SUCH")


TYPES: dict[str, tuple[list[Any], list[Any]]] = {
    "integer": ([0, -5, 2**200], [True, "1", 1.5, [], 2**300]),
    "boolean": ([True, False], [0, "true"]),
    "text": (["", "x" * 100], [5, [], "x" * 70_000]),
    "string": (["x"], [5]),
    "choice": (["a"], ["c", 5, []]),
    "player": (["ann"], ["zed", 5, [], "ANN"]),
    "rule": (["1"], ["99", 1, []]),
    "proposal": ([305, "proposal/305"], [True, [], {}, "x" * 100]),
    "thing": (["ball-1"], ["ann", "ball-2", [], 5]),
    "list": ([[], [1, ["x"]]], [{}, [1.5], "x"]),
    "map": ([{}, {"a": None}], [[], {"$": 1}, {"$json": "1"}, {"a": [1.5]}]),
    "changes": ([[]], [{}, "x"]),
    "settings": ([{"Q1": "b"}], [{"Q9": "b"}, [], "Q1"]),
    "time": ([5, 253_402_300_799, -62_135_596_800], ["5", 1.5, 2**60, 253_402_300_800, -(2**60)]),
    "office": (["o"], ["p", [], 5]),
}


@pytest.mark.parametrize("kind", TYPES)
def test_arguments_of_every_type(kind: str) -> None:
    spec = {"type": kind, **{"choice": {"of": ["a", "b"]}, "thing": {"kind": "ball"}}.get(kind, {})}
    law = rule("1", "def do_go(a):\n    pass\ndef on_founded(e):\n    create('ball')", actions={"go": {"arguments": {"x": spec}}},
               defines={"kinds": {"ball": {}}, "offices": {"o": {}}},
               settings={"Q1": {"question": "?", "default": "a", "alternatives": {"a": "", "b": ""}}})  # fmt: skip
    table = Table(law)
    good, bad = TYPES[kind]
    for value in good:
        table.ok("ann", "go", x=value)
    for value in [*bad, None]:
        assert table.refused("ann", "go", x=value) == "E-ARGS", value
    assert table.refused("ann", "go") == "E-ARGS"
    assert table.refused("ann", "go", x=good[0], y=1) == "E-ARGS"


def test_all_problems_of_arguments_are_named_at_once(found: Found) -> None:
    spec = {"first": {"type": "integer", "minimum": 1}, "second": {"type": "boolean"}}
    spec["third"] = {"type": "text", "default": "x"}
    table = found(rule("1", "def do_go(a):\n    announce(a.args.third)", actions={"go": {"arguments": spec}}))
    why = table.act("ann", "go", first=0, secnd=True).reasons[-1]["args"]["why"]
    assert all(part in why for part in ("first must be at least 1", "go needs second", "did you mean second"))
    assert said(table.ok("ann", "go", first=1, second=True)) == ["x"]


def test_short_forms_of_requests_and_requests_alone(found: Found) -> None:
    submits = "def do_submit(a):\n    announce(str([(r.name, r.args) for r in a.requests]))\n"
    travels = {"travels": "with_proposal"}
    turn = {"rotate": {"arguments": {"side": {"type": "choice", "of": ["left", "right"]}}, **travels}}
    table = found(rule("1", submits, actions={"submit": {}, "defend": travels, **turn}))
    short = table.ok("ann", "submit", requests=[{"rotate": "right"}, {"defend": True}])
    long = table.ok("ann", "submit", requests=[{"rotate": {"side": "right"}}, {"defend": {}}])
    assert said(short) == said(long)
    assert table.refused("ann", "submit", requests=[{"rotate": "down"}]) == "E-ARGS"
    assert table.refused("ann", "defend") == "E-ORDER"


# -- long lists


MANY = [f"word{number}" for number in range(30)]
FIRST = "word0, word1, word2, word3, word4, word5, word6, word7, word8, word9, word10, word11 and 18 more"
LONG = rule(
    "1",
    f"""
    def decide_choices(p):
        return {MANY}

    def do_set(a):
        put("game", "word", "other")

    def do_flip(a):
        put("settings", "s", "other")

    def do_end(a):
        resolve(proposal(901), "other")
    """,
    actions={
        "set": {},
        "flip": {},
        "end": {},
        "say": {"arguments": {"word": {"type": "choice", "of": MANY}}},
        "tell": {"arguments": {word: {"type": "text", "optional": True} for word in MANY}},
    },
    defines={"game": {"word": {"type": "choice", "of": MANY, "initial": "word1"}}},
    settings={"s": {"question": "Which?", "default": "word1", "alternatives": dict.fromkeys(MANY, "So.")}},
)


@pytest.mark.parametrize(
    ("do", "given", "told"),
    [
        ("vote", {"proposal": 901, "choice": "other"}, FIRST),
        ("set", {}, FIRST),
        ("flip", {}, FIRST),
        ("say", {"word": "other"}, FIRST),
        ("tell", {"something": "else"}, FIRST),
        ("end", {}, "'other' is no outcome; choose adopted, defeated"),
    ],
)
def test_what_a_refusal_lists_is_a_dozen_and_how_many_more_there_are(do: str, given: dict[str, Any], told: str) -> None:
    table = Table(LONG, VOTING)
    table.propose("ann", {"enact": {"title": "Tea", "text": "Tea."}})
    outcome = table.judge(do, "ann", given)
    sentences = str([*(reason["args"] for reason in outcome.reasons if "args" in reason), *outcome.failures])
    assert told in sentences
    assert "word12" not in sentences
