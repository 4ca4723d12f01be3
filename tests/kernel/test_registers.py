"""Registers: many as one change, one key of a map, lists that grow, what kinds inherit, squares, and resets."""

from __future__ import annotations

import json
from typing import Any

import pytest

from folkmoot.core.problems import ProblemError
from folkmoot.core.values import LARGEST_REGISTER
from folkmoot.files.reader import read_rule
from folkmoot.kernel.errors import Fault
from folkmoot.kernel.registers import is_square, read_square
from folkmoot.scenarios.scenario import Failed, run_scenario
from tests.support.table import VOTING, Found, Record, Table, effects, failed, reasons, rule, said

DEFINES: Record = {
    "game": {"seen": {"type": "map"}, "n": {"type": "integer"}, "notes": {"type": "list"}, "heat": {"type": "integer"}},
    "player": {
        "points": {"type": "integer", "initial": 0, "minimum": 0},
        "heir": {"type": "player", "optional": True},
        "own": {"type": "map", "initial": {"a": 1}},
        "pos": {"type": "square", "optional": True},
        "double": {"type": "integer", "derived": True},
    },
    **{kind: {"stars": {"type": "integer", "initial": 0}} for kind in ("rule", "proposal", "office")},
    "offices": {"beadle": {}, "scribe": {}},
    "currencies": {"score": {"owners": "player", "initial": 5}},
}
GO = {"actions": {"go": {"arguments": {"x": {"type": "any", "optional": True}}}}}


def going(body: str, *more: Record) -> Table:
    """Return a game in which `go` runs a script."""
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    return Table(VOTING, rule("5", f"def do_go(a):\n{lines}\n", defines=DEFINES, **GO), *more)


# -- many as one change


def test_all_are_set_before_anybody_hears_of_the_first() -> None:
    hearing = (
        "def on_changed_points(e):\n    announce('%s: %s' % (e.owner, [get(p, 'points') for p in things('player')]))\n"
    )
    table = going("put_all('points', {'ann': 3, 'bob': 0, 'cid': 1})", rule("6", hearing))
    outcome = table.ok("ann", "go")
    assert said(outcome) == ["ann: [3, 0, 1]", "cid: [3, 0, 1]"]
    assert [(each["of"], each["to"]) for each in effects(outcome, "put")] == [("ann", 3), ("cid", 1)]
    assert effects(table.ok("bob", "go"), "put") == [], "what is so already costs no line of the record"
    table.replay_all()


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ("{'ann': 1, 'bob': -1}", "E-BOUNDS"),
        ("{'ann': 1, 'bob': 'two'}", "E-BOUNDS"),
        ("{'ann': 1, 'zed': 1}", "E-NO-SUCH"),
        ("{'ann': 1, 'game': 1}", "E-NO-SUCH"),
        ("{'ann': 1, 'settings': 1}", "E-NO-SUCH"),
        ("[['ann', 1], ['ann', 2]]", "E-ARGS"),
        ("[['ann', 1], 7]", "E-SCRIPT"),
        ("7", "E-SCRIPT"),
    ],
)
def test_where_one_does_not_fit_none_is_set(values: str, code: str) -> None:
    table = going(f"put_all('points', {values})")
    outcome = table.act("ann", "go")
    assert {each.get("code", "E-SCRIPT") for each in outcome.failures} == {code}
    assert table.get("ann", "points") == 0


def test_owners_may_be_rules_proposals_and_offices_and_what_a_higher_rule_has_set_stays() -> None:
    table = going("put_all('stars', [[rule('5'), 1], [proposal(901), 2], [office('beadle'), 3]])\nemit('ring')")
    does = {"High": "put('bob', 'points', 9)", "Low": "announce(str(put_all('points', {'ann': 4, 'bob': 4})))"}
    table.adopt(*({"enact": {"title": n, "script": f"def on_ring(e):\n    {d}\n"}} for n, d in does.items()))
    outcome = table.ok("ann", "go")
    assert [(each["of"], each["to"]) for each in effects(outcome, "put")] == [
        ("rule/5", 1), ("proposal/901", 2), ("office/beadle", 3), ("bob", 9), ("ann", 4),
    ]  # fmt: skip
    assert said(outcome) == ["False"]
    assert len(reasons(outcome, "DROPPED")) == 1
    table.replay_all()


# -- keys of maps


def test_the_record_notes_the_key_alone_and_listeners_hear_the_whole() -> None:
    listener = rule("6", "def on_changed_seen(e):\n    announce('%s: %s, %s' % (e.key, e.before, e.after))")
    table = going('put_in("game", "seen", "x", 1)\nput_in("game", "seen", "y", [2])\nput("game", "seen", {})', listener)
    outcome = table.ok("ann", "go")
    assert effects(outcome, "put")[:2] == [
        {"effect": "put", "of": "game", "name": "seen", "key": "x", "from": None, "to": 1, "rule": "5"},
        {"effect": "put", "of": "game", "name": "seen", "key": "y", "from": None, "to": [2], "rule": "5"},
    ]
    assert said(outcome) == ['x: {}, {"x": 1}', 'y: {"x": 1}, {"x": 1, "y": [2]}', 'None: {"x": 1, "y": [2]}, {}']
    table.replay_all()


def test_none_takes_a_key_away_what_is_the_same_is_not_noted_and_a_refusal_leaves_the_map() -> None:
    taking = 'put_in(a.by, "own", "a", 1)\nput_in(a.by, "own", "b", None)\nput_in(a.by, "own", "a", None)'
    table = going(f'{taking}\nrequire(a.args.x, "E-ORDER")')
    assert table.refused("ann", "go", x=0) == "E-ORDER"
    outcome = table.ok("ann", "go", x=1)
    assert [(e["key"], e["from"], e["to"]) for e in effects(outcome, "put")] == [("a", 1, None)]
    assert (table.get("ann", "own"), table.get("bob", "own")) == ({}, {"a": 1}), "the first value belongs to everybody"
    assert table.document("rules/5")["defines"]["player"]["own"]["initial"] == {"a": 1}
    table.replay_all()


def test_defaults_of_registers_and_of_keys() -> None:
    """`get(owner, name, None)` is None for what nobody declares; without a default that is a failure."""
    table = going("""
announce(str([get_in("game", "seen", "x"), get_in("game", "seen", "x", 0), get_in(a.by, "own", "a", 0)]))
announce(str([get_in(a.by, "own", "z", None), get_in(a.by, "nothing", "z", 5), get_in(a.by, "nothing", "z", None)]))
announce(str([get("game", "nothing", None), get("game", "n", None)]))
""")
    assert said(table.ok("ann", "go")) == ["[None, 0, 1]", "[None, 5, None]", "[None, 0]"]
    assert failed(going('get("game", "nothing")').act("ann", "go")) == [("5", "do_go")]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ('put_in("game", "n", "x", 1)', "E-NO-SUCH"),
        ('put_in("game", "nothing", "x", 1)', "E-NO-SUCH"),
        ('put_in("game", "seen", "$x", 1)', "E-BOUNDS"),
        ('put_in("game", "seen", "x" * 2000, 1)', "E-BOUNDS"),
        ('put_in("game", "seen", "x", "y" * 300000)', "E-BOUNDS"),
        ('get_in("game", "n", "x")', "E-BOUNDS"),
        ('get_in("game", "nothing", "x")', "E-NO-SUCH"),
        ('put_in("game", "seen", 5, 1)', None),
        ('[put_in("game", "seen", str(i), "y" * 3000) for i in range(100)]', "E-BOUNDS"),
        ('put(a.by, "double", 4)', "E-BOUNDS"),
        ('append(a.by, "x", 1)', "E-NO-SUCH"),
        ("put_all('heir', {'ann': 'zed'})", "E-BOUNDS"),
    ],
)
def test_what_cannot_be_is_a_failure_and_nothing_stays(line: str, code: str | None) -> None:
    table = going(line)
    outcome = table.act("ann", "go")
    assert not outcome.accepted
    assert [failure.get("code") for failure in outcome.failures] == [code]
    assert table.get("game", "seen") == {}


@pytest.mark.parametrize(
    ("higher", "lower", "come"),
    [
        ('put_in("game", "seen", "x", 1)', 'put_in("game", "seen", "x", 2)', {"x": 1}),
        ('put_in("game", "seen", "x", 1)', 'put_in("game", "seen", "y", 2)', {"x": 1, "y": 2}),
        ('put("game", "seen", {"x": 1})', 'put_in("game", "seen", "x", 2)', {"x": 1}),
        ('put_in("game", "seen", "x", 1)', 'put("game", "seen", {"y": 2})', {"x": 1}),
        ('put_in("game", "seen", "x", 1)', 'put("game", "seen", {"x": 1, "y": 2})', {"x": 1, "y": 2}),
    ],
)
def test_the_higher_rule_prevails_key_by_key(higher: str, lower: str, come: dict[str, int]) -> None:
    table = going("pass", *(rule(n, f"def on_acted(e):\n    {does}") for n, does in (("6", higher), ("7", lower))))
    outcome = table.ok("ann", "go")
    assert table.get("game", "seen") == come
    assert len(reasons(outcome, "DROPPED")) == (come == {"x": 1})


# -- lists, listeners, derived registers


def test_a_list_that_grows_by_items_is_measured_as_a_whole_where_that_counts() -> None:
    """Each item is counted by itself; what is too large is the same as where the whole list is measured each time."""
    table = going("for _ in range(a.args.x[0]):\n    append('game', 'notes', a.args.x[1])")
    word = "é\n" * 10_000
    most = (LARGEST_REGISTER - len("[]")) // (len(json.dumps(word)) + len(", "))
    for times in (1, most - 1):
        assert effects(table.ok("ann", "go", x=[times, word]), "append")[0]["to"] == word
    left = LARGEST_REGISTER - len(json.dumps(table.get("game", "notes"))) - len(', ""')
    for more in (word, "x" * (left + 1)):
        assert [failure["code"] for failure in table.act("ann", "go", x=[1, more]).failures] == ["E-BOUNDS"]
    table.ok("ann", "go", x=[1, "x" * left])
    assert len(json.dumps(table.get("game", "notes"))) == LARGEST_REGISTER


def test_a_rule_hears_of_one_register_alone_and_derived_ones_are_asked_for() -> None:
    hearing = """
    def on_changed(e):
        announce("any " + e.name)
    def on_changed_heat(e):
        announce("heat %d to %d" % (e.before, e.after))
    def on_changed_score(e):
        announce("%s has %d" % (e.owner, e.after))
    def decide_double(player):
        return 2 * get(player, "score")
    """
    changes = 'put("game", "heat", 7)\nappend("game", "notes", 3)\naward(a.by, "score", 2)'
    table = going(changes, rule("6", hearing))
    heard = ["any heat", "heat 0 to 7", "any notes", "any score", "ann has 7"]
    assert said(table.ok("ann", "go")) == heard
    assert table.get("ann", "double") == 14
    assert "double" not in table.document("things/player")["ann"]
    table.replay_all()


# -- kinds that are alike


LIKENESSES = rule(
    "1",
    """
    def do_begin(a):
        create("guild", id = "smiths", motto = "Strike")
        create("barn", id = "old")
        create("hen", id = "h", old = True)
        for kind in ("proposal", "petition", "plea"):
            p = submit("Rest", [], kind = kind, number = 1, index = 3)
            put(p, "area", kind)
            award(p, "grain", 5, "for a start")
        award_all([["ann", 1], ["old", 2]], "grain", "a harvest")
        award("old", "salt", 1, "from the sea")
        award("smiths", "grain", 4, "they are like players")
        open_voting(proposal(1, "plea"))
    def do_spoil(a):
        award("bob", "salt", 1, "too much")
    """,
    defines={
        "proposal": {"index": {"type": "integer", "initial": 1}, "area": {"type": "string", "optional": True}},
        "player": {"rank": {"type": "integer", "initial": 7}},
        "kinds": {
            "petition": {"like": "proposal"},
            "plea": {"like": "petition", "registers": {"loud": {"type": "boolean"}}},
            "guild": {"like": "player", "registers": {"motto": {"type": "text"}}},
            "barn": {"registers": {"roof": {"type": "string"}}},
            "hen": {"like": "egg"},
            "egg": {"like": "hen", "registers": {"old": {"type": "boolean"}}},
        },
        "currencies": {"grain": {"owners": ["player", "barn", "proposal"], "initial": 2}, "salt": {"owners": "barn"}},
    },
    actions={"begin": {}, "spoil": {}},
)


def test_what_is_like_another_kind_has_its_registers_currencies_and_votes(found: Found) -> None:
    table = found(LIKENESSES, VOTING)
    table.ok("ann", "begin")
    for kind in ("proposal", "petition", "plea"):
        assert [table.get({"id": f"{kind}/1"}, name) for name in ("index", "area", "grain")] == [3, kind, 7]
    assert table.get({"id": "plea/1"}, "loud") is False
    with pytest.raises(Fault, match="loud"):
        table.get({"id": "petition/1"}, "loud")
    table.ok("ann", "vote", choice="for", plea=1)
    assert [table.get("smiths", name) for name in ("rank", "motto", "grain")] == [7, "Strike", 6]
    assert (table.get("ann", "grain"), table.get("old", "grain"), table.get("old", "salt")) == (3, 4, 1)
    assert table.get("h", "old") is True, "a circle of kinds that are alike ends"
    assert table.refused("ann", "spoil") == "E-SCRIPT"


@pytest.mark.parametrize(
    ("defines", "code"),
    [
        ("kinds: {petition: {like: [proposal]}}", "E-TYPE"),
        ("kinds: {petition: {like: 3}}", "E-TYPE"),
        ("currencies: {grain: {owners: {player: true}}}", "E-TYPE"),
        ("currencies: {grain: {owners: [player, 3]}}", "E-TYPE"),
        ("player: {grain: {type: integer}}, currencies: {grain: {owners: [barn, player]}}", "E-CONFLICT"),
    ],
)
def test_odd_declarations_are_told(defines: str, code: str) -> None:
    with pytest.raises(ProblemError) as caught:
        read_rule(f"title: A rule\ndefines: {{{defines}}}\n", "a.yaml")
    assert [problem.code for problem in caught.value.problems] == [code]


# -- squares


SQUARES = [
    ("(5,2)", "e2"),
    ("5, 2", "e2"),
    ([12, 3], "l3"),
    ("E2", "e2"),
    ("27,1", "aa1"),
    *((n, n) for n in (None, [0, 1], 7)),
]


@pytest.mark.parametrize(("written", "name"), SQUARES)
def test_squares_are_written_by_name_or_by_column_and_row(written: Any, name: Any) -> None:
    assert read_square(written) == name
    assert not any(map(is_square, ("", "2e", "e0", "e", "(5,2)", "centre")))


def test_a_register_of_squares_holds_nothing_else_and_scenarios_may_write_it_otherwise() -> None:
    table = going("put(a.by, 'pos', a.args.x)")
    table.ok("ann", "go", x="e2")
    assert table.act("ann", "go", x="beyond").failures[0]["error"] == "pos must be a square such as e2, not 'beyond'"
    assert table.get("ann", "pos") == "e2"
    law: Any = {"title": "Board", "ruleset": "board", "rules": [rule("1", defines=DEFINES)], "offices": {}}
    scenario = {"ruleset": "board", "players": ["ann"], "given": [{"player": "ann", "pos": "(2,3)"}]}
    claims = [{"player": "ann", "pos": [2, 3]}, {"player": "ann", "pos": "b3"}]
    run_scenario({**scenario, "expect": claims}, lambda _name: law)
    with pytest.raises(Failed, match="pos is b3"):
        run_scenario({**scenario, "expect": [{"player": "ann", "pos": "(3,2)"}]}, lambda _name: law)


# -- resets


def test_a_reset_takes_all_but_what_the_law_keeps_and_is_recorded_as_a_put_would_be() -> None:
    sets = "put(a.by, 'points', 3)\nput_in(a.by, 'own', 'b', 2)\naward(a.by, 'score', 2)\n"
    table = going(f"{sets}reset(a.by, keep = ['score'])")
    outcome = table.ok("ann", "go")
    assert [table.get("ann", name) for name in ("points", "own", "score")] == [0, {"a": 1}, 7]
    assert [(e["name"], e["to"]) for e in effects(outcome, "put")][2:] == [("points", 0), ("own", {"a": 1})]
    assert failed(going("reset(a.by, keep = ['scores'])").act("ann", "go")) == [("5", "do_go")]
    table.replay_all()
