"""A duty names the act that does it, and nothing guesses it, or whose turn it is, by words."""

from __future__ import annotations

from typing import Any

import pytest

from folkmoot.game.status import asked_of, comment_line, is_proposing
from folkmoot.kernel.act_declarations import KERNEL_DECLARATIONS
from tests.support.quick import SMALL
from tests.support.table import START, Found, Table, effects, said
from tests.support.table import rule as made_rule

DAY = 86_400
ANY = {"type": "any", "optional": True}
OWING = made_rule(
    "7",
    """
    def do_stir(a):
        owe(a.args.who, "answer the riddle, or sing", by = now() + DAY, key = "stir", do = a.args.does, of = a.args.of)

    def do_reply(a):
        announce("%s replies" % a.by)

    def do_warn(a):
        owe(a.args.who, a.args.what, by = now() + 60, key = "k")
    def do_done(a):
        announce(str([settle("k"), settle("k")]))
    def do_ask_votes(a):
        p = proposals()[0]
        owe_all(p.electorate, "vote on %d" % p.number, by = now() + 2 * DAY, do = "vote", of = p)

    def do_list(a):
        announce("|".join(["%s: %s %s %s" % (d.player, d.what, d.do, d.of) for d in duties(a.by)]))

    def on_duty_overdue(e):
        announce("late: %s" % ", ".join(["%s %s" % (d.player, d.key) for d in e.duties]))
    """,
    actions={
        "stir": {"arguments": {"who": {"type": "player"}, "does": ANY, "of": ANY}},
        "warn": {"arguments": {"who": {"type": "text"}, "what": {"type": "text"}}},
        "done": {},
        "reply": {"arguments": {"riddle": {"type": "integer"}, "reason": {"type": "text", "optional": True}}},
        "sing": {},
        "ask_votes": {},
        "list": {},
    },
)
LAW: dict[str, Any] = {**SMALL, "rules": [*SMALL["rules"], OWING]}


@pytest.fixture
def table(found: Found) -> Table:
    return found(*LAW["rules"])


def owed(table: Table) -> dict[str, Any]:
    return dict(table.kernel.documents["things/duty"])


ACTIONS: dict[str, Any] = {**KERNEL_DECLARATIONS, **OWING["actions"], **SMALL["rules"][0]["actions"]}


@pytest.mark.parametrize(
    ("duty", "line"),
    [
        ({"do": ["reply"], "of": 7}, "/reply riddle=7"),
        ({"do": ["reply"]}, "/reply riddle=…"),
        ({"do": ["gone", "sing"]}, "/sing"),
        ({"do": ["vote"], "of": "proposal/301"}, "/vote … proposal=301"),
        ({"do": ["gone"]}, ""),
        ({"what": "sing for us: reply or sing", "key": "sing/bob"}, ""),
        ({"do": ["propose"]}, ""),
    ],
)
def test_the_command_comes_of_what_a_duty_names_and_of_no_word(duty: dict[str, Any], line: str) -> None:
    assert comment_line(duty, ACTIONS) == line
    assert is_proposing(duty, ACTIONS) == (duty.get("do") == ["propose"])
    assert set(asked_of(duty, ACTIONS)) <= set(duty.get("do") or ())


def test_an_accepted_act_about_what_it_is_of_does_a_duty(found: Found) -> None:
    refusing = 'def forbid_reply(a):\n    return refuse("E-NO") if a.args.reason == "no" else None'
    table = found(*LAW["rules"], made_rule("8", refusing))
    table.ok("ann", "stir", who="bob", does=["reply", "sing"], of=7)
    table.ok("bob", "reply", riddle=8)
    table.ok("cid", "reply", riddle=7)
    assert table.refused("bob", "reply", riddle=7, reason="no") == "E-NO"
    assert list(owed(table)) == ["stir"]
    outcome = table.ok("bob", "reply", riddle=7)
    assert {"effect": "settle", "of": "stir"} in outcome.effects
    table.ok("ann", "stir", who="bob", does="reply")
    table.ok("bob", "reply", riddle=7)
    assert list(owed(table)) == ["stir"], "a duty of nothing is done when the law says so"


def test_a_duty_keeps_since_when_it_is_owed_and_why_while_it_stays_the_same_and_is_settled(table: Table) -> None:
    first = {"player": "bob", "what": "vote", "by": START + 60, "rule": "7", "since": START, "cause": "ann"}
    for by in ("ann", "bob"):
        table.ok(by, "warn", who="bob", what="vote")
        assert owed(table) == {"k": first}
    table.ok("bob", "warn", who="bob", what="vote twice")
    assert owed(table)["k"]["cause"] == "bob"
    assert said(table.ok("ann", "done")) == ["[True, False]"]
    assert owed(table) == {}
    assert table.refused("ann", "warn", who="zed", what="x") == "E-SCRIPT"


def test_votes_are_done_by_ballots_and_by_the_end_of_the_vote(table: Table) -> None:
    table.ok("ann", "propose", title="Tea", changes=[{"repeal": "3"}])
    outcome = table.ok("ann", "ask_votes")
    assert [each["players"] for each in effects(outcome, "owe")] == [["ann", "bob", "cid"]]
    assert said(table.ok("bob", "list")) == ['bob: vote on 301 ["vote"] proposal/301']
    table.ok("bob", "vote", choice="for")
    assert [duty["player"] for duty in owed(table).values()] == ["ann", "cid"]
    table.ok("cid", "vote", choice="against")
    table.ok("ann", "vote", choice="for")
    assert table.proposal(301)["outcome"] == "adopted"
    assert owed(table) == {}


UNNAMED = "a duty names the action that is owed"
NONSENSE = [
    (3, None, UNNAMED),
    ([""], None, UNNAMED),
    ("reply", [1], "a duty is of a proposal"),
    (None, 7, "names the action too"),
]


@pytest.mark.parametrize(("does", "of", "why"), NONSENSE)
def test_nonsense_is_the_rules_failure_and_nothing_is_owed(table: Table, does: Any, of: Any, why: str) -> None:
    outcome = table.act("ann", "stir", who="bob", of=of, **({"does": does} if does is not None else {}))
    assert any(why in failure["error"] for failure in outcome.failures), outcome.failures
    assert owed(table) == {}


def test_the_law_hears_once_of_all_that_is_overdue_together_and_a_pause_moves_deadlines(table: Table) -> None:
    table.ok("ann", "propose", title="Tea", changes=[{"repeal": "3"}])
    table.ok("ann", "ask_votes")
    table.ok("bob", "vote", choice="for")
    table.ok("root", "pause")
    table.now += DAY
    table.ok("root", "resume")
    assert [text for outcome in table.pass_time(2 * DAY - 1) for text in said(outcome)] == []
    late = ["late: ann ann:vote on 301, cid cid:vote on 301"]
    assert [text for outcome in table.pass_time(DAY) for text in said(outcome)] == late
    assert all(duty["overdue"] for duty in owed(table).values())
    assert [text for outcome in table.pass_time(DAY) for text in said(outcome)] == []
