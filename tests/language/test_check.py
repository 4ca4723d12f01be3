"""The check of scripts: what it finds, at which place of the rule file, with which hint, and that good scripts pass."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from folkmoot.core.declared_kinds import OWN
from folkmoot.core.problems import Position
from folkmoot.files.fast_reader import load_yaml
from folkmoot.files.reader import script_start
from folkmoot.kernel.host import HOST
from folkmoot.language.binding import DEBUG, ScriptError
from folkmoot.language.declarations import starlark_type
from folkmoot.language.tree import shift
from folkmoot.scenarios.known_names import known_in
from folkmoot.scenarios.script_check import HINT, check_script
from tests.conftest import examples
from tests.language.conftest import run
from tests.support.table import VOTING, Table, rule

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
    ("def on_left(a, b):\n    pass\n", "1:5: `on_left` is called with 1 argument, but takes a, b"),
    ("def settle(key):\n    pass\ndef on_left(e):\n    settle(e.player)\n",
     "?1:5: `settle` hides the host function of this name from the rest of the script"),
    *[(f"def {name}(a, b):\n    return 1\ndef on_left(e):\n    announce(str({name}(1, 2)))\n", f"?1:5: `{name}` is called like a hook")
      for name in ("on_board", "do_sums", "forbid_both", "permit_both", "adjust_both")],
    ("X = 1\n", "?1:1: the action `wave` does nothing here"),
]  # fmt: skip


@pytest.mark.parametrize(("script", "expected"), BAD)
def test_finds(script: str, expected: str) -> None:
    reported = found(script + ("" if script.startswith("X = 1") else WAVE))
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


def test_an_action_that_travels_with_a_proposal_need_do_nothing() -> None:
    assert found("X = 1\n", actions={"retool": {"travels": "with_proposal"}}) == []


def test_all_problems_are_reported_in_order_of_place_and_only_what_is_sure_without_known_names() -> None:
    script = "def on_joined(e):\n    awrd(e.plyer)\n    setting('x')\ndef on_jioned(e):\n    create('bal')\n" + WAVE
    assert [line.partition(": ")[0] for line in found(script)] == ["2:5", "2:12", "3:13", "?4:5", "5:12"]
    sure = ["variable `awrd` not found", "the event `joined` has no `plyer`"]
    assert [p.message for p in check_script({**RULE, "script": script}, None)] == sure


WORDS = {
    "x = neighbours([], 'a1')": 'load("grid", "neighbours") at the top of the script',
    "x = sum([1, 2])": 'load("numbers", "sum") at the top of the script',
    "x = [1, 2].count(1)": "count what you pick: len([each for each in values if each == wanted])",
    "x = null": "write None",
    "x = random.choice([1, 2])": "draw by roll(6), between(1, 10) or pick(list)",
    "for p in players:\n        pass": 'things("player") are all players',
    "x = max(get(p, 'gold') for p in [])": "write square brackets around it: [each for each in values]",
    "announce(f'{e.player}')": 'in braces stands a name alone; else write "%s" % value',
    "x = true": "did you mean `True`?",
    "x = nought": "",
    "setting('adopton')": "did you mean `adoption`?",
    "awrd(1)": "did you mean `award`?",
    "x = give_gold(3)": "",
}


@pytest.mark.parametrize("line", WORDS)
def test_a_hint_names_what_was_probably_meant_or_what_to_write_here(line: str) -> None:
    rule = {**RULE, "script": f"def on_left(e):\n    {line}\n{WAVE}"}
    assert [p.hint for p in check_script(rule, known_in([rule]))] == [WORDS[line]]


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
    assert shift(Position("", 3, 5), Position("x.yaml", 8, 3)) == Position("x.yaml", 10, 7)
    assert shift(None, Position("x.yaml", 8, 3)) == Position("x.yaml"), "of a file without a block"


def test_every_host_function_is_known_to_write_or_not() -> None:
    writing = {"reading": False, "blocks of pages": False} | dict.fromkeys(("writing", "law", "time", "chance"), True)
    known = [(name, writing[word.section]) for name, word in HOST.words.items() if word.section in writing]
    assert [name for name, writes in known if HOST.writes(name) != writes] == []


PIECES = ["def ", "on_x", "(", ")", ":", "\n", "    ", "put", "'game'", ",", "e", ".", "load", "lambda ", "=", "a"]


@settings(max_examples=examples(150))
@given(st.lists(st.sampled_from(PIECES), max_size=20))
def test_never_raises(pieces: list[str]) -> None:
    rule = {**RULE, "script": "".join(pieces)}
    check_script(rule, known_in([rule]))


# -- what only shows when it runs

FITTING: dict[str, Any] = {"bool": True, "int": 1, "str": "a", "list": [], "dict": {}, "": "a"}


@pytest.mark.parametrize("name", HOST.words)
def test_a_wrong_call_is_told_with_function_signature_and_argument(name: str) -> None:
    word = HOST.words[name]
    needed = [FITTING[starlark_type(each.type)] for each in word.takes if not (each.stars or each.default)]

    def failure(values: list[Any], names: dict[str, Any]) -> str:
        with pytest.raises(ScriptError) as told:
            run(f"def main(values, names):\n    return {name}(*values, **names)\n", values, names)
        assert (told.value.line, told.value.column) == (2, 12)
        return str(told.value.message)

    for place, each in enumerate(word.takes):
        if (type_ := starlark_type(each.type)) and not each.stars:
            wrong: Any = {} if type_ != "dict" else []
            values = [*needed[:place], wrong, *needed[place + 1 :]] if place < len(needed) else needed
            said = failure(values, {} if place < len(needed) else {each.name: wrong})
            assert said.endswith(f"for argument `{each.name}` of {word.signature}")
    if needed:
        first = next(each.name for each in word.takes if not (each.stars or each.default))
        assert failure([], {}) == f"Missing parameter `{first}` for call to {word.signature}"
    if name != DEBUG and all(each.stars != "**" for each in word.takes):
        said = failure(needed, {"nonsense": 1})
        assert said == f"Found `nonsense` extra named parameter(s) for call to {word.signature}"


OF_THE_INTERPRETER = re.compile(r"\b(Type|Key|Value|Index|Attribute|Overflow)Error\b|unhashable|has no len\(\)")
PLACE = {"defines": {"game": {"shelf": {"type": "map"}}, "offices": {"warden": {}}}, "timers": {"bell": {}}}
OPEN = "p = open_voting(submit('a', []))\n    "
VALUES = ["5", "[1]", "{'a': 1}", "True", "None", "'nobody'"]
CALLS = [
    "number({})", "enrol({}, 'ann')", "strike({}, 'ann')", "recount({})", "revise({}, title = 'x')", "take_effect({})",
    "proposal({})", "take_back({})", "drop({})", "held({})", "owe('ann', 'x', key = {})", "owe('ann', 'x', by = {})",
    "after(5, 'bell', key = {})", "try_act('go', 'ann', {})", "try_act('go', 'ann', {{}}, {})", "try_act('go', {})",
    "revisions({})", "registers({})", "reset('ann', [{}])", "get_in('game', 'shelf', 'x', {})", "submit({}, [])",
    "submit('a', {})", "submit('a', [], number = {})", "submit('a', [], {})", OPEN + "enrol(p, {})",
    OPEN + "strike(p, {})", OPEN + "revise(p, title = {})", OPEN + "revise(p, changes = {})", OPEN + "number(p, {})",
    "resolve({}, 'adopted')", "give('x', {})", "create('hut', {})", "emit_under({}, 'foo')", "holder({})",
]  # fmt: skip


@pytest.mark.parametrize("value", VALUES)
def test_no_error_of_the_interpreters_stands_on_record(value: str) -> None:
    """Its words differ between versions of Python, and a replay would differ with them."""
    script = "".join(f"def do_go_{n}(a):\n    {call.format(value)}\n" for n, call in enumerate(CALLS))
    table = Table(VOTING, rule("20", script, actions={f"go_{n}": {} for n in range(len(CALLS))}, **PLACE))
    for n, call in enumerate(CALLS):
        outcome = table.act("ann", f"go_{n}")
        said = [str(each) for each in (*outcome.reasons, *outcome.failures)]
        assert not [each for each in said if OF_THE_INTERPRETER.search(each)], (call, said)
    table.replay_all()
    for document in (d for key, d in table.kernel.documents.everything().items() if key.startswith("proposals/")):
        assert isinstance(document["title"], str)
        assert document["number"] is None or type(document["number"]) in (int, str), document


@pytest.mark.parametrize("kind", sorted(OWN))
def test_no_kind_of_the_engines_own_is_voted_on(kind: str) -> None:
    """Else registers of such a proposal would be kept where none are, and its file could not be read again."""
    declared: dict[str, Any] = {"kinds": {kind: {"votable": True, "registers": {"x": {"type": "integer"}}}}}
    script = f"def do_go(a):\n    put(submit('a', [], kind = '{kind}'), 'x', 5)\n"
    table = Table(VOTING, rule("20", script, defines=declared, actions={"go": {}}))
    assert table.act("ann", "go").accepted is False
    assert not [key for key in table.kernel.documents.everything() if key.startswith("votes/")]
    assert table.act("ann", "vote", kind=kind, proposal=1, choice="for").accepted is False
