"""The check of scripts: what it finds, at which place of the rule file, and that good scripts pass."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from folkmoot.core.problems import Position
from folkmoot.files.fast_reader import load_yaml
from folkmoot.files.reader import script_start
from folkmoot.game import rulesets
from folkmoot.kernel.host import HOST
from folkmoot.language.tree import shift
from folkmoot.scenarios.known_names import known_in
from folkmoot.scenarios.script_check import HINT, check_script
from tests.conftest import examples

RULE: dict[str, Any] = {
    "uid": "7",
    "labels": {"status": "mutable"},
    "defines": {
        "game": {"phase": {"type": "string"}, "mover": {"type": "player", "optional": True}},
        "player": {"team": {"type": "string"}},
        "rule": {"relaxed": {"type": "boolean"}},
        "kinds": {"ball": {"registers": {"colour": {"type": "string"}}}},
        "currencies": {"score": {}, "gold": {"owners": "game"}},
        "offices": {"scribe": {}},
    },
    "actions": {"wave": {"summary": "Wave"}},
    "timers": {"turn-lost": {}},
    "settings": {"T-Q1": {"question": "?", "default": "1", "name": "adoption"}},
}


def found(script: str, **changes: Any) -> list[str]:
    """Return what the check finds as `line:column: sentence`, hints with a question mark in front."""
    rule = {**RULE, "script": script, **changes}
    problems = check_script(rule, known_in([rule]))
    return [
        f"{'?' if p.code == HINT else ''}{p.position.line}:{p.position.column}: {p.message}"
        for p in problems
        if p.position
    ]


WAVE = "def do_wave(a):\n    announce(a.by)\n"

BAD = [
    ("def on_joined(e):\n    awrd(e.player, 'score', 1)\n", "2:5: variable `awrd` not found"),
    ("def on_joined(e):\n    award(e.player, 'score', '1')\n", "2:30: expected type `int` but got `str` as `amount` in `award`"),
    ("def on_joined(e):\n    reset(e.player, 'x')\n", "2:21: expected type `list` but got `str` as `keep` in `reset`"),
    ("def on_joined(e):\n    voted(proposal(1), 2)\n", "2:24: too many positional arguments in `voted`"),
    ("def on_joined(e):\n    award(e.player)\n", "2:5: missing required parameter `currency` in `award`"),
    ("def on_joined(e):\n    announce(e.plyer)\n", "2:16: the event `joined` has no `plyer`"),
    ("def on_changed_gld(e):\n    pass\n", "?1:5: no rule and no timer raises the event `changed_gld`"),
    ("def adjust_gld(a):\n    return a.amount\n", "?1:5: the engine calls no hook `adjust_gld`"),
    ("def adjust_gold(a, b):\n    return 1\n", "1:5: `adjust_gold` is called with 1 argument, but takes a, b"),
    ("def on_jioned(e):\n    pass\n", "?1:5: no rule and no timer raises the event `jioned`"),
    ("def on_joined():\n    pass\n", "1:5: `on_joined` is called with 1 argument, but takes none"),
    ("def decide_weights(p):\n    pass\n", "1:5: `decide_weights` is called with 2 arguments, but takes p"),
    ("def decide_mover(p):\n    pass\n", "1:5: `decide_mover` is called with 0 arguments, but takes p"),
    ("def show_x(a):\n    pass\n", "1:5: `show_x` is called with 0 arguments, but takes a"),
    ("def do_wav(a):\n    pass\n", "1:5: this rule declares no action `wav`, so `do_wav` never runs"),
    ("def forbid_wav(a):\n    pass\n", "?1:5: no rule offers the action `wav`"),
    ("def adjust_awards(a):\n    pass\n", "?1:5: the engine calls no hook `adjust_awards`"),
    ("def permit(a):\n    pass\n", "?1:5: the engine calls no hook `permit`"),
    ("def on_left(e):\n    pass\ndef on_left(e):\n    pass\n",
     "1:5: `on_left` is defined again further down, and only the last one counts"),
    ("def decide_mover():\n    put('game', 'mover', None)\n",
     "2:5: `decide_mover` may only look, and `put` does more than that"),
    ("def f():\n    add('game', 'gold', 1)\ndef forbid(a):\n    f()\n",
     "2:5: `forbid` may only look, and `add`, here by way of `f`, does more than that"),
    ("def on_left(e):\n    require(False, 'E-NO')\n",
     "2:5: `on_left` hears what is done already, and `require` in it refuses no act"),
    ("def f():\n    require(False, 'E-NO')\ndef on_left(e):\n    f()\n",
     "2:5: `on_left` hears what is done already, and `require` in it refuses no act"),
    ("def show_x():\n    return [str(roll(6))]\n", "2:17: `show_x` may only look, and `roll` does more than that"),
    ("X = get('game', 'phase')\n", "1:5: `get` cannot be called while the script loads"),
    ("def on_left(e):\n    put('game', 'phse', 'x')\n", "2:17: no rule declares a register `phse` of the game"),
    ("def on_left(e):\n    get(e.player, 'tam')\n", "2:19: no rule declares a register `tam`"),
    ("def on_left(e):\n    return where('player', tam = 'red')\n", "2:28: no rule declares a register `tam` of player"),
    ("def on_left(e):\n    create('player', 'dan', tam = 'red')\n", "2:29: no rule declares a register `tam` of player"),
    ("def on_left(e):\n    submit('x', [], tam = 'red')\n", "2:21: no rule declares a register `tam` of proposal"),
    ("def on_left(e):\n    setting('adopton')\n", "2:13: no rule has the setting `adopton`"),
    ("def on_left(e):\n    put('settings', 'T-Q2', '1')\n", "2:21: no rule has the setting `T-Q2`"),
    ("def on_left(e):\n    create('bal')\n", "2:12: no rule declares the kind of thing `bal`"),
    ("def on_left(e):\n    award(e.player, 'scor', 1)\n", "?2:21: no rule declares the currency `scor`"),
    ("def on_left(e):\n    ask('movr')\n", "?2:9: no rule answers the question `movr`"),
    ("def on_left(e):\n    after(1, 'bell')\n", "?2:14: no rule declares the timer `bell`"),
    ("def on_left(e):\n    holder('scrib')\n", "?2:12: no rule declares the office `scrib`"),
    ("def on_left(e):\n    debug(e)\n", "?2:5: `debug` is seen by nobody in play"),
    ("load('gird', 'square')\n", "1:1: there is no library module `gird`"),
    ("load('grid', 'sqare')\n", "1:1: the library module `grid` has no `sqare`"),
    ("load('grid', 'square')\ndef on_left(e):\n    square('3', 3)\n", "3:12: expected type `int` but got `str`"),
    ("def on_left(e):\n    x = 1 / 2\n", "2:11: `/` would make a float"),
    ("def on_left(e)\n    pass\n", "1:15: parse error"),
]  # fmt: skip


@pytest.mark.parametrize(("script", "expected"), BAD)
def test_finds(script: str, expected: str) -> None:
    reported = found(script + WAVE)
    assert len(reported) == 1, reported
    assert reported[0].lower().startswith(expected.lower())


GOOD = [
    "def on_turn_lost(e):\n    announce(str(e.due))\n",
    "def on_moved(e):\n    pass\ndef on_left(e):\n    emit('moved', player = e.player)\n",
    "def decide_prevails(a, b):\n    return a\n",
    "def decide_own(x, y, z):\n    return x\ndef show_x():\n    return [str(ask('own', 1, 2, 3))]\n",
    "def forbid_vote(a):\n    return refuse('E-TIME')\n",
    "def on_left(e):\n    get(e.player, 'elsewhere', 0)\n",
    "def on_left(e):\n    get(e.player, 'elsewhere', default = 0)\n",
    "def on_left(e):\n    put(me(), 'relaxed', True)\n    get(office('scribe'), 'holder')\n",
    "def on_left(e):\n    add('game', 'gold', 1)\n    get(create('ball', colour = 'red'), 'colour')\n",
    "NAMES = ['a']\nLATE = lambda: get('game', 'phase')\n",
    "def forbid(a):\n    def put(x):\n        return x\n    return None\n",
    "def on_left(e, extra = 3):\n    pass\n",
    "def on_left(*all):\n    pass\n",
    "STEPS = ['counted', 'paid']\ndef on_left(e):\n    for step in STEPS:\n        emit(step, day = 1)\ndef on_paid(e):\n    pass\n",
    "def on_left(e):\n    emit('adopted_' + e.player, day = 1)\ndef on_adopted_ann(e):\n    pass\n",
    "def on_changed_gold(e):\n    pass\ndef adjust_gold(a):\n    return a.amount\n",
    "load('words', 'title_case')\ndef show_x():\n    return [heading(title_case('a rule'))]\n",
]


@pytest.mark.parametrize("script", GOOD)
def test_lets_pass(script: str) -> None:
    assert found(script + WAVE) == []


def test_an_action_that_does_nothing_is_pointed_out() -> None:
    assert found("X = 1\n") == ["?1:1: the action `wave` does nothing here"]
    assert found("X = 1\n", actions={"retool": {"travels": "with_proposal"}}) == []


def test_all_problems_are_reported_in_order_of_place() -> None:
    script = "def on_joined(e):\n    awrd(e.plyer)\n    setting('x')\ndef on_jioned(e):\n    create('bal')\n" + WAVE
    assert [line.partition(": ")[0] for line in found(script)] == ["2:5", "2:12", "3:13", "?4:5", "5:12"]


def test_hints_name_what_was_probably_meant() -> None:
    rule = {**RULE, "script": "def on_left(e):\n    setting('adopton')\n    awrd(1)\n" + WAVE}
    assert [p.hint for p in check_script(rule, known_in([rule]))] == [
        "did you mean `adoption`?",
        "did you mean `award`?",
    ]


def test_without_known_names_only_what_is_sure_is_said() -> None:
    rule = {**RULE, "script": "def on_elsewhere(e):\n    get('game', 'elsewhere')\n    awrd(1)\n" + WAVE}
    assert [p.message for p in check_script(rule, None)] == ["variable `awrd` not found"]


FILES = [
    ("title: A\nscript: |\n  x = 1 / 2\n", (3, 9)),
    ("title: A\nscript: |-\n      x = 1 / 2\ntext: b\n", (3, 13)),
    ("title: A\nscript: |  # why\n\n\n    # more\n    x = 1 / 2\n", (6, 11)),
]


@pytest.mark.parametrize(("text", "place"), FILES)
def test_positions_are_those_of_the_rule_file(text: str, place: tuple[int, int]) -> None:
    start = script_start(text, "rules/7.yaml")
    assert start is not None
    [problem] = check_script(load_yaml(text, "rules/7.yaml"), None, start)
    assert str(problem.position) == f"rules/7.yaml:{place[0]}:{place[1]}"


def test_places_in_scripts_become_places_in_files() -> None:
    start = Position("rules/1.yaml", 8, 3)
    assert shift(Position("", 3, 5), start) == Position("rules/1.yaml", 10, 7)
    assert shift(Position("", 3, 0), start) == Position("rules/1.yaml", 10, 0)
    assert shift(Position(""), start) == Position("rules/1.yaml", 8)
    assert shift(None, start) == Position("rules/1.yaml")


def test_a_file_without_a_block_has_no_place_for_a_script() -> None:
    assert script_start("title: A\n", "rules/7.yaml") is None


@pytest.mark.parametrize(
    "name",
    ["assembly", "b-nomic", "consensus", "council", "gavel", "lanterns", "orchard", "suber", "suber-mail", "tricks"],
)
def test_packaged_rulesets_have_nothing_but_hints(name: str) -> None:
    rules = rulesets.founding(name)["rules"]
    known = known_in(rules)
    problems = {rule["uid"]: check_script(rule, known) for rule in rules}
    assert {uid: wrong for uid, ps in problems.items() if (wrong := [str(p) for p in ps if p.code != HINT])} == {}


def test_every_host_function_is_known_to_write_or_not() -> None:
    readers = {n for n, d in HOST.words.items() if d.section == "reading"}
    assert not any(HOST.writes(name) for name in readers)
    sections = ("writing", "law", "time", "chance")
    assert all(HOST.writes(name) for name, d in HOST.words.items() if d.section in sections)
    blocks = {n for n, d in HOST.words.items() if d.section == "blocks of pages"}
    assert not any(HOST.writes(name) for name in blocks)


@settings(max_examples=examples(150))
@given(
    st.lists(
        st.sampled_from(
            ["def ", "on_x", "(", ")", ":", "\n", "    ", "put", "'game'", ",", "e", ".", "load", "lambda ", "=", "a"]
        ),
        max_size=20,
    )
)
def test_never_raises(pieces: list[str]) -> None:
    rule = {**RULE, "script": "".join(pieces)}
    check_script(rule, known_in([rule]))
