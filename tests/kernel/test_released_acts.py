"""However many acts wait, what releases them does not fail of them: what one event cannot judge, the next ones do."""

from __future__ import annotations

from typing import Any

from tests.support.table import VOTING, Table, rule

MANY = 40
DEAR = rule(
    "10",
    """
    def forbid(a):
        if get("game", "stopped") and "clock" not in a.despite:
            return hold("clock", "the clock is off")

    def do_stop(a):
        put("game", "stopped", True)

    def do_start(a):
        put("game", "stopped", False)
        release("clock")

    def do_speak(a):
        if a.args.word == "stop":
            put("game", "stopped", True)
        put("game", "page", a.args.word + "." * a.args.cost)
        announce(a.args.word)

    def do_forge(a):
        at(now() + 3600, "waiting-acts", key = "mine")
    """,
    defines={"game": {"page": {"type": "string", "initial": ""}, "stopped": {"type": "boolean"}}},
    actions={
        "stop": {"despite": ["clock"]},
        "start": {"despite": ["clock"]},
        "speak": {"arguments": {"word": {"type": "text"}, "cost": {"type": "integer", "default": 60_000}}},
        "forge": {},
    },
)


def waiting(*words: str, **costs: int) -> Table:
    """Return a table at which so many words wait for the clock."""
    table = Table(VOTING, DEAR)
    table.ok("cid", "stop")
    for word in words:
        cost = {"cost": costs[word]} if word in costs else {}
        assert table.ok("bob", "speak", word=word, **cost).code == "HELD"
    return table


def said(entries: list[dict[str, Any]]) -> list[str]:
    """Return what was announced, in order."""
    return [effect["text"] for entry in entries for effect in entry["effects"] if effect["effect"] == "announce"]


def held(table: Table) -> dict[str, Any]:
    """Return the acts that wait."""
    return table.kernel.documents.find("things/held") or {}


WORDS = [f"word {n}" for n in range(MANY)]


def test_all_are_judged_in_their_order_by_as_many_events_as_it_takes() -> None:
    table = waiting(*WORDS)
    began = len(table.entries)
    table.ok("cid", "start")
    table.pass_time(0, after_deadlines=False)  # before whatever else arrives in that second
    table.ok("ann", "speak", word="later")
    assert said(table.entries[began:]) == [*WORDS, "later"]
    assert 2 < len(table.entries) - began < 10
    assert all(not entry.get("failures") for entry in table.entries)
    assert not held(table)
    assert not [key for key in table.document("things/timer") if key.startswith("waiting-acts")]


def test_acts_that_have_to_wait_again_are_looked_at_once() -> None:
    table = waiting("stop", *WORDS)
    began = len(table.entries)
    table.ok("cid", "start")
    table.pass_time(3600)
    assert said(table.entries[began:]) == ["stop"]
    assert len(held(table)) == MANY
    table.ok("cid", "start")
    table.pass_time(0)
    assert said(table.entries[began:]) == ["stop", *WORDS]


def test_what_no_budget_suffices_for_is_refused_and_keeps_nobody_else() -> None:
    table = waiting("one", "endless", "two", endless=2_000_000)
    began = len(table.entries)
    table.ok("cid", "start")
    table.pass_time(0)
    refused = [reason for entry in table.entries[began:] for reason in entry.get("reasons", ())]
    assert [(reason["code"], reason["args"]["of"]) for reason in refused] == [("E-SCRIPT", "4")]
    assert said(table.entries[began:]) == ["one", "two"]
    assert not held(table)


def test_what_a_repealed_rule_held_is_judged_wholly_too() -> None:
    holding = rule("20", 'def forbid_speak(a):\n    return hold("mine")\n')
    table = Table(VOTING, DEAR, holding)
    for word in WORDS:
        assert table.ok("bob", "speak", word=word).code == "HELD"
    began = len(table.entries)
    table.adopt({"repeal": "20"})
    table.pass_time(0)
    assert said(table.entries[began:]) == WORDS
    assert not held(table)


def test_no_rule_can_start_the_timer_of_the_engine() -> None:
    table = Table(VOTING, DEAR)
    assert "the engine's to start" in str(table.act("bob", "forge").failures)
