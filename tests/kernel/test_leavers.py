"""Language L16: what a leaver has can be listed and taken, all but what the law keeps; who comes back finds that."""

from __future__ import annotations

from typing import Any

from tests.support.table import Table, failed, rule

DEFINES: dict[str, Any] = {
    "defines": {
        "player": {"tired": {"type": "boolean"}, "hat": {"type": "choice", "of": ["red"], "optional": True},
                   "rank": {"type": "integer", "derived": True}, "seen": {"type": "list"}},
        "currencies": {"score": {"initial": 10}, "wins": {}, "oil": {"owners": "ship"}},
        "kinds": {"ship": {"registers": {"name": {"type": "string"}}}},
        "offices": {"mate": {}},
    }
}  # fmt: skip
GO = {"actions": {"go": {}, "leave": {}, "back": {"who": "anyone"}, "list": {}}}
LEAVING = rule("1", """
    def do_go(a):
        award(a.by, "score", 5)
        award(a.by, "wins", 2)
        put(a.by, "hat", "red")
        append(a.by, "seen", "bob")

    def do_leave(a):
        destroy(a.by)

    def on_left(e):
        reset(e.player, keep = ["wins"])

    def do_back(a):
        create("player", "ann")

    def do_list(a):
        announce(" ".join(registers(a.by)))
        announce(" ".join(registers(create("ship"))))
        announce(" ".join(registers(office("mate"))))

    def decide_rank(player):
        return 1
    """, **DEFINES, **GO)  # fmt: skip


def kept(table: Table) -> dict[str, Any]:
    return dict(table.kernel.documents.find("things/player")["ann"])


def test_who_leaves_loses_all_but_what_the_law_keeps_and_finds_that_when_they_come_back() -> None:
    table = Table(LEAVING)
    table.ok("ann", "go")
    assert kept(table)["score"] == 15
    outcome = table.ok("ann", "leave")
    assert kept(table) == {"tired": False, "hat": None, "seen": [], "score": 10, "wins": 2}
    taken = {(e["effect"], e["name"]) for e in outcome.effects if e.get("name")}
    assert taken == {("award", "score"), ("put", "hat"), ("put", "seen")}, "each change is recorded as a `put` would be"
    table.ok("ann", "back")
    assert kept(table)["wins"] == 2
    table.ok("ann", "go")
    assert kept(table)["wins"] == 4
    table.replay_all()


def test_the_registers_of_each_owner_are_listed() -> None:
    said = [e["text"] for e in Table(LEAVING).ok("ann", "list").effects if e["effect"] == "announce"]
    assert said == ["tired hat seen score wins", "name oil", "holder"]


def test_a_name_to_keep_that_is_none_is_a_failure_before_anything_is_lost() -> None:
    table = Table(
        rule("1", 'def do_go(a):\n    award(a.by, "score", 5)\n    reset(a.by, keep = ["winz"])', **DEFINES, **GO)
    )
    assert failed(table.act("ann", "go")) == [("1", "do_go")]
    assert kept(table)["score"] == 10


def test_a_reset_leaves_alone_what_a_higher_rule_has_set() -> None:
    high = rule("2", "def on_acted(e):\n    put(e.action.by, 'hat', 'red')")
    low = rule("3", "def on_acted(e):\n    reset(e.action.by)")
    table = Table(LEAVING, high, low)
    table.ok("ann", "go")
    assert kept(table)["hat"] == "red"
    assert kept(table)["score"] == 10


def test_it_is_an_office_that_is_reset_too() -> None:
    table = Table(rule("1", 'def do_go(a):\n    put(office("mate"), "holder", a.by)\n\ndef do_leave(a):\n'
                       '    reset(office("mate"))', **DEFINES, **GO))  # fmt: skip
    table.ok("ann", "go")
    assert any(e["effect"] == "put" and e["to"] is None for e in table.ok("ann", "leave").effects)
