"""Strict reading: types, places, guard, versions; and the published schemas agree with the reader."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from folkmoot.core.problems import Position, Problem, ProblemError
from folkmoot.files.fast_reader import NOT_SIMPLE, load_simple, load_yaml
from folkmoot.files.file_forms import KINDS
from folkmoot.files.nodes import compose
from folkmoot.files.reader import (
    locate,
    read_action,
    read_rule,
    read_ruleset,
    read_scenario,
    read_settings,
    script_position,
    script_start,
)
from folkmoot.files.schema import json_schema
from folkmoot.files.yaml_guard import check_text, looks_simple
from folkmoot.wording.sentences import GROUPS
from tests.conftest import FUZZ, examples
from tests.support.timing import Spent

ROOT = Path(__file__).parents[2]
VALIDATORS = {kind: jsonschema_rs.validator_for(json_schema(kind)) for kind in KINDS}
RULE = """\
# A rule with everything.
rule: "206"
uid: "206"
title: The price of a defeat   # it was more once
labels: {status: mutable}
text: |
  A defeat costs ten points, taken from the author of what was defeated.
defines:
  game:
    n: {type: integer, initial: 3, minimum: 0, maximum: 9, summary: A number}
    phase: {type: choice, of: [debate, vote], initial: debate}
    since: {type: time, optional: true}
  kinds:
    area: {votable: false, registers: {terrain: {type: string}}}
  currencies: {score: {owners: player, initial: 0, minimum: null}}
  offices: {scribe: {fill: by_rule}}
  boards: {world: {a: [b, {c: 1}]}}
actions:
  judge:
    as: judge
    despite: [clock]
    travels: with_proposal
    arguments: {verdict: {type: choice, of: [accept, reject], optional: true}}
timers:
  sunday-gain: {every: week, weekday: sunday, time: "00:00", edge: start}
settings:
  G2-Q2: {name: adoption, question: Which rule?, default: "304", alternatives: {"304": One., "305": Two.}}
precedence: {over: ["110", status=mutable], defers_to: ["308"]}
script: |

    def on_proposal_defeated(e):
        award(e.proposal.author, "score", -10)
examples:
  - scenario: it costs ten points
    players: [ann]
    steps: []
"""


def test_a_rule_file_becomes_its_document_without_what_says_nothing() -> None:
    rule = read_rule(RULE, "206.yaml")
    assert list(rule)[:4] == ["rule", "uid", "title", "labels"]
    assert (rule["rule"], rule["title"], rule["labels"]) == ("206", "The price of a defeat", {"status": "mutable"})
    n = {"type": "integer", "initial": 3, "minimum": 0, "maximum": 9, "summary": "A number"}
    assert rule["defines"]["game"]["n"] == n
    assert rule["defines"]["kinds"] == {"area": {"registers": {"terrain": {"type": "string"}}}}
    assert rule["defines"]["currencies"] == {"score": {}}
    assert rule["actions"]["judge"]["as"] == "judge"
    assert rule["actions"]["judge"]["arguments"]["verdict"]["of"] == ["accept", "reject"]
    assert rule["timers"]["sunday-gain"] == {"every": "week", "weekday": "sunday", "edge": "start"}
    assert rule["settings"]["G2-Q2"]["alternatives"] == {"304": "One.", "305": "Two."}
    assert rule["precedence"]["over"] == ["110", "status=mutable"]
    assert rule["examples"] == [{"scenario": "it costs ten points", "players": ["ann"], "steps": []}]
    assert rule["script"].startswith("\ndef on_proposal_defeated")
    assert VALIDATORS["rule"].is_valid(compose(RULE, "f").plain())


def test_all_problems_of_a_file_are_told_at_once_with_hints_but_those_after_wrong_syntax() -> None:
    with pytest.raises(ProblemError) as raised:
        read_rule(RULE.replace("type: time", "type: tyme").replace("labels:", "lables:"), "206.yaml")
    assert [str(problem) for problem in raised.value.problems] == [
        "206.yaml:5:1: E-KEY: `lables` is no key here (did you mean `labels`?)",
        "206.yaml:12:19: E-CHOICE: `type` cannot be `tyme` (did you mean `time`?)",
    ]

    with pytest.raises(ProblemError) as raised:
        read_rule("title: [a\nlables: {\n", "x.yaml")
    assert [(p.code, p.position) for p in raised.value.problems] == [("E-SYNTAX", Position("x.yaml", 2, 7))], "alone"


def test_places_of_paths() -> None:
    assert locate(RULE, "f", ["labels", "status"]) == Position("f", 5, 10)
    assert locate(RULE, "f", ["precedence", "over", 1]) == Position("f", 28, 28)
    assert locate(RULE, "f", ["examples", 0, "steps"]) == Position("f", 36, 5)
    assert locate(RULE, "f", ["examples", 0, "steps", 7, "by"]) == Position("f", 36, 5)
    assert locate(RULE, "f", ["nothing"]) == Position("f", 2, 1)


def test_places_in_scripts() -> None:
    lines = RULE.split("\n")
    place = script_position(RULE, "f", 3, 5)
    assert lines[place.line - 1][place.column - 1 :].startswith("award(")
    assert script_start(RULE, "f") == Position("f", 30, 5)
    assert script_position("title: A rule\n", "f", 3, 5) == Position("f")
    indented = "title: A\nscript: |2\n    x = 1\n  y = 2\n"
    assert script_start(indented, "f") == Position("f", 3, 3)


def test_an_action_becomes_an_act() -> None:
    text = "do: submit_proposal\nby: ann\nas: tie\nargs: {title: Shave}\nwith: [{retool: {section: 1}}]\n"
    assert read_action(text, "f") == {
        "do": "submit_proposal", "by": "ann", "as": "tie",
        "with": {"title": "Shave", "requests": [{"retool": {"section": 1}}]},
    }  # fmt: skip
    vote = read_action("vote: no\nproposal: 305\nreason: Too long.\n", "f")
    assert vote == {"do": "vote", "with": {"choice": "no", "proposal": 305, "reason": "Too long."}}


SCENARIOS = sorted((ROOT / "tests/scenarios").rglob("*.yaml"))[:: 1 if FUZZ else 60]


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_a_scenario_that_is_read_fits_its_schema(path: Path) -> None:
    text = path.read_text("utf-8")
    read_scenario(text, path.name)
    assert VALIDATORS["scenario"].is_valid(compose(text, path.name).plain())


@pytest.mark.parametrize("kind", KINDS)
def test_schemas_are_versioned_and_name_no_host(kind: str) -> None:
    schema = json_schema(kind)
    jsonschema_rs.meta.validate(schema)
    assert schema["$id"] == f"folkmoot:{kind}:1"
    assert schema["properties"]["schema"]["const"] == 1
    assert "http" not in str({k: v for k, v in schema.items() if k != "$schema"})


PIECES = ["", "\n", " ", "  ", ":", ": ", "- ", "[", "]", "{", "}", "'", '"', "|", ">", "#", "&a", "*a", "!t", "null",
          "0", "true", "{}", "[]", "\t", "\x00", "\u202e", "---\n", "? ", ",", "\\", "1.5", "<<: "]  # fmt: skip
SLICED = """\
rule: "7"
title: Tea
labels: {status: mutable, n: "8"}
text: |
  There is tea.
script: |
  def rest(*cups):
      return cups[1:]

  def decide_x():
      return rest(*[1, 2])
"""
HEADS = [
    'a: "', "a: '", "a: [", "a: {", 'a: {"k": "', "a: |2", "a: >+", "- a", "a: &b", "? a", "a:", "script: x",
    "a: x\n ", "#",
]  # fmt: skip
ENDS = [
    "", "\n\n", "  \n", "   \n", " \n", '  "]}\n', "  ', b: &x 1, c: *x}\n", "b: 1\n", "\tx\n", "# x\n", "  # x\n",
    "---\n",
]  # fmt: skip


def with_slips(data: st.DataObject, text: str, most: int) -> str:
    """Return a text of which a few parts are others."""
    for _ in range(data.draw(st.integers(0, most))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(len(text), start + 12)))
        text = text[:start] + data.draw(st.sampled_from(PIECES)) + text[end:]
    return text


@given(st.data())
@settings(max_examples=examples(300), suppress_health_check=[HealthCheck.too_slow])
def test_a_script_set_apart_is_read_as_it_is_by_the_exact_reader(data: st.DataObject) -> None:
    lines = SLICED.splitlines(keepends=True)
    place = data.draw(st.integers(0, len(lines)))
    text = "".join(lines[:place]) + data.draw(st.sampled_from([*HEADS, *PIECES])) + "\n" + "".join(lines[place:])
    text += data.draw(st.sampled_from(ENDS))
    text = with_slips(data, text, 2)
    if problems_of(check_text, text) or looks_simple(text) or (found := load_simple(text)) is NOT_SIMPLE:
        return
    if problems_of(compose, text):  # it forgives what stands before the script, if anything
        assert problems_of(compose, text.partition("\nscript:")[0] + "\n")
        return
    assert found == compose(text, "f").plain()
    assert list(found) == list(compose(text, "f").plain())


# -- versions


@pytest.mark.parametrize(
    ("version", "message"), [("0", "there is no version 0"), ("2", "newer than this engine"), ("one", "a whole number")]
)
def test_a_version_that_this_engine_does_not_know_is_refused(version: str, message: str) -> None:
    with pytest.raises(ProblemError, match=message):
        read_rule(f"schema: {version}\ntitle: A\n", "f")
    assert read_rule("schema: 1\ntitle: A\nlabels: {}\n", "f") == {"title": "A"}


# -- what attacks a reader


BOMB = "a: &a [x, x]\n" + "".join(
    f"{chr(98 + n)}: &{chr(98 + n)} [*{chr(97 + n)}, *{chr(97 + n)}]\n" for n in range(20)
)


HOSTILE = [
    "[" * 100_000, "{a: " * 100_000, "- " * 100_000 + "\n", "? " * 100_000 + "\n", "a:\n" * 6_000, "#" * 1_100_000, ": " * 20_000,
    "\n".join(" " * n + "a:" for n in range(1_000)) + "\n", "a: " + "9" * 100_000 + "\n", '"' + "\\" * 100_000, "&" * 100_000, "'" * 99_999,
    "\n".join(" " * (n // 2) + ("- a:" if n % 2 else "a:") for n in range(400)) + "\n", BOMB, "a: |\n" + " " * 100_000 + "\n", "!" * 100_000,
]  # fmt: skip


@pytest.mark.parametrize("reader", [read_rule, load_yaml])
def test_hostile_texts_are_refused_soon(reader: object) -> None:
    for text in HOSTILE:
        with Spent() as spent:
            assert 0 <= len(problems_of(reader, text)) <= 200
        assert spent.units < 500, text[:12]


def problems_of(reader: Any, text: str) -> tuple[Problem, ...]:
    """Return what a reader says of a text; anything but a problem is raised."""
    problems: tuple[Problem, ...] = ()
    try:
        reader(text, "f")
    except ProblemError as error:
        problems = error.problems or (Problem("", "a refusal that says nothing"),)
    assert all(problem.position and problem.code in GROUPS["reading"] for problem in problems)
    return problems


CORPUS = [path for path in sorted((ROOT / "tests" / "malformed").glob("*/*.yaml")) if path.stat().st_size < 2_000]
READERS = {"rule": read_rule, "action": read_action, "settings": read_settings, "scenario": read_scenario}


@given(st.sampled_from(CORPUS), st.data())
@settings(max_examples=examples(300), suppress_health_check=[HealthCheck.too_slow])
def test_whatever_is_changed_in_a_file_a_reader_gives_a_record_or_problems(path: Path, data: st.DataObject) -> None:
    text = with_slips(data, path.read_bytes().decode(), 3)
    for reader in (READERS.get(path.parent.name, read_ruleset), load_yaml):
        problems_of(reader, text)
    if not problems_of(compose, text):
        assert load_yaml(text, "f") == compose(text, "f").plain()


HUGE = {
    "one line": "title: " + "x" * 30_000_000,
    "one line in quotation marks": 'title: "' + "\\u202e" * 5_000_000 + '"',
    "a key twice": "a: x\n" * 400_000,
    "no end of a list": "a: [" + "x, " * 10_000_000,
    "a list on one line": "a: [" + "x, " * 700_000 + "]",
}


@pytest.mark.parametrize("text", HUGE.values(), ids=HUGE)
@pytest.mark.threat("T-140")
def test_a_huge_file_that_the_engine_did_not_write_is_refused_unread(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("folkmoot.files.nodes.compose", lambda *_: pytest.fail("the slow reader reads it"))
    with pytest.raises(ProblemError) as caught:
        load_yaml(text, "game.yaml")
    assert [problem.code for problem in caught.value.problems] == ["E-SIZE"]


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("title: @bees\n", '"@bees"'),
        ("title: `bees`\n", '"`bees"'),
        ("title: %bees\n", '"%bees"'),
        ("title: Bees\n<<: {text: x}\n", "write out the keys"),
        ("title: Bees: and honey\n", "quotation marks"),
    ],
)
def test_a_hint_names_the_cure(text: str, hint: str) -> None:
    with pytest.raises(ProblemError) as raised:
        load_yaml(text, "x.yaml")
    assert hint in raised.value.problems[0].hint
