"""Language L18: one key of a map register is read, set and taken away alone, and recorded alone."""

from __future__ import annotations

import json
from typing import Any

import pytest

from folkmoot.core.records import Effect
from folkmoot.kernel.step import Kernel
from tests.support.table import Table, failed, reasons, rule
from tests.support.timing import Spent

DEFINES: dict[str, Any] = {"defines": {"game": {"seen": {"type": "map"}, "many": {"type": "map"}, "n": {"type": "integer"}},
                                       "player": {"own": {"type": "map", "initial": {"a": 1}}}}}  # fmt: skip
GO = {"actions": {"go": {"arguments": {"n": {"type": "integer", "optional": True}}}}}


def table_of(body: str, *more: dict[str, Any]) -> Table:
    """Return a game in which `go` runs a script."""
    return Table(
        rule("1", "def do_go(a):\n" + "".join(f"    {line}\n" for line in body.splitlines()), **DEFINES, **GO), *more
    )


def puts(table: Table, body: str = "") -> list[Effect]:
    return [effect for effect in table.ok("ann", "go").effects if effect["effect"] == "put"]


def kept(table: Table, name: str, owner: str = "game") -> Any:
    kind = "game" if owner == "game" else "player"
    return table.kernel.documents.find(f"things/{kind}")[owner].get(name)


def test_the_record_notes_the_key_alone() -> None:
    table = table_of('put_in("game", "seen", "x", 1)\nput_in("game", "seen", "y", [2])\nput_in("game", "seen", "x", 3)')
    assert puts(table) == [
        {"effect": "put", "of": "game", "name": "seen", "key": "x", "from": None, "to": 1, "rule": "1"},
        {"effect": "put", "of": "game", "name": "seen", "key": "y", "from": None, "to": [2], "rule": "1"},
        {"effect": "put", "of": "game", "name": "seen", "key": "x", "from": 1, "to": 3, "rule": "1"},
    ]
    assert kept(table, "seen") == {"x": 3, "y": [2]}
    table.replay_all()


def test_none_takes_a_key_away_and_what_is_the_same_is_not_noted() -> None:
    table = table_of('put_in(a.by, "own", "a", 1)\nput_in(a.by, "own", "b", None)\nput_in(a.by, "own", "a", None)')
    assert [(e["key"], e["from"], e["to"]) for e in puts(table)] == [("a", 1, None)]
    assert kept(table, "own", "ann") == {}
    assert kept(table, "own", "bob") == {"a": 1}, "the first value belongs to everybody"
    assert table.kernel.documents.find("rules/1")["defines"]["player"]["own"]["initial"] == {"a": 1}


def test_a_key_is_read_alone() -> None:
    table = table_of("""
announce(str([get_in("game", "seen", "x"), get_in("game", "seen", "x", 0), get_in(a.by, "own", "a", 0)]))
announce(str([get_in(a.by, "own", "z", None), get_in(a.by, "nothing", "z", 5), get_in(a.by, "nothing", "z", None)]))
""")
    said = [effect["text"] for effect in table.ok("ann", "go").effects if effect["effect"] == "announce"]
    assert said == ["[None, 0, 1]", "[None, 5, None]"]


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
    ],
)
def test_what_cannot_be_is_a_failure_and_nothing_stays(line: str, code: str | None) -> None:
    table = table_of(line)
    outcome = table.act("ann", "go")
    assert not outcome.accepted
    assert [failure.get("code") for failure in outcome.failures] == [code]
    assert kept(table, "seen") == {}


def test_a_refused_act_leaves_the_map_as_it_was() -> None:
    table = table_of('put_in("game", "seen", str(a.args.n), 1)\nrequire(a.args.n != 2, "E-ORDER")\n'
                     'put_in("game", "seen", "0", None)')  # fmt: skip
    table.ok("ann", "go", n=0)
    table.ok("ann", "go", n=1)
    assert table.refused("ann", "go", n=2) == "E-ORDER"
    table.ok("ann", "go", n=3)
    assert kept(table, "seen") == {"1": 1, "3": 1}
    table.replay_all()


def test_listeners_hear_the_whole_and_the_key() -> None:
    listener = rule("2", "def on_changed_seen(e):\n    announce('%s: %s, %s' % (e.key, e.before, e.after))")
    table = table_of(
        'put_in("game", "seen", "x", 1)\nput_in("game", "seen", "y", 2)\nput("game", "seen", {})', listener
    )
    said = [effect["text"] for effect in table.ok("ann", "go").effects if effect["effect"] == "announce"]
    assert said == ['x: {}, {"x": 1}', 'y: {"x": 1}, {"x": 1, "y": 2}', 'None: {"x": 1, "y": 2}, {}']


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
    table = table_of(
        "announce('x')", rule("2", f"def on_acted(e):\n    {higher}"), rule("3", f"def on_acted(e):\n    {lower}")
    )
    outcome = table.ok("ann", "go")
    assert kept(table, "seen") == come
    assert len(reasons(outcome, "DROPPED")) == (come == {"x": 1})


def key_set(size: int) -> tuple[int, float]:
    """Return how large an entry is that sets one key of a map of so many, and the fewest units of work that it took."""
    fill = 'put("game", "many", {str(i): i for i in range(a.args.n)}) if a.args.n else put_in("game", "many", str(now()), 1)'
    table = table_of(fill)
    table.ok("ann", "go", n=size)
    times = []
    for _ in range(7):
        table.now += 1
        with Spent() as spent:
            table.ok("ann", "go", n=0)
        times.append(spent.units)
    return len(json.dumps(table.entries[-1])), min(times)


def test_a_key_costs_the_same_in_a_map_of_ten_and_of_ten_thousand() -> None:
    (few, _), (many, units) = key_set(10), key_set(10_000)
    assert many == few
    assert units < 3


def test_an_empty_default_is_a_default() -> None:
    """`get(owner, name, None)` is None for what nobody declares; without a default that is a failure."""
    table = table_of(
        'announce(str([get("game", "nothing", None), get("game", "n", None), get_all("player", "own", None)]))'
    )
    assert not table.ok("ann", "go").failures
    bare = table_of('get("game", "nothing")')
    assert failed(bare.act("ann", "go")) == [("1", "do_go")]
    assert isinstance(bare.kernel, Kernel)
