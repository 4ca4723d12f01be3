"""P3 of the language review: a duty names the act that does it, and nothing guesses it, or whose turn it is, by words."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

import pytest

from folkmoot.game.status import asked_of, comment_line, is_proposing
from folkmoot.kernel.act_declarations import KERNEL_DECLARATIONS
from folkmoot.scenarios.scenario import Failed, run_scenario
from folkmoot.site.pages.status import mover
from tests.support.quick import SMALL
from tests.support.seats import Seats, Sit
from tests.support.table import Found, Table
from tests.support.table import rule as made_rule

DAY = 86_400

OWING = made_rule(
    "7",
    """
    def do_stir(a):
        owe(a.args.who, "answer the riddle, or sing", by = now() + DAY, key = "stir", do = a.args.does, of = a.args.of)

    def do_reply(a):
        announce("%s replies" % a.by)

    def do_ask_votes(a):
        p = proposals()[0]
        owe_all(p.electorate, "vote on %d" % p.number, by = now() + 2 * DAY, do = "vote", of = p)

    def do_list(a):
        announce("|".join(["%s: %s %s %s" % (d.player, d.what, d.do, d.of) for d in duties(a.by)]))

    def on_duty_overdue(e):
        announce("late: %s" % ", ".join(["%s %s" % (d.player, d.key) for d in e.duties]))
    """,
    actions={
        "stir": {
            "arguments": {
                "who": {"type": "player"},
                "does": {"type": "any", "optional": True},
                "of": {"type": "any", "optional": True},
            }
        },
        "reply": {"arguments": {"riddle": {"type": "integer"}, "reason": {"type": "text", "optional": True}}},
        "sing": {},
        "ask_votes": {},
        "list": {},
    },
)
LAW: dict[str, Any] = {**SMALL, "rules": [*SMALL["rules"], OWING]}
PROPOSED = {"title": "Tea", "changes": [{"repeal": "3"}]}


@pytest.fixture
def table(found: Found) -> Table:
    return found(*LAW["rules"])


def owed(table: Table) -> dict[str, Any]:
    return dict(table.kernel.documents["things/duty"])


def said(outcome: Any) -> list[str]:
    return [effect["text"] for effect in outcome.effects if effect["effect"] == "announce"]


def act(table: Table, do: str, by: str, args: dict[str, Any] | None = None) -> Any:
    outcome = table.act(by, do, **(args or {}))
    assert outcome.accepted, (outcome.code, outcome.reasons, outcome.failures)
    return outcome


# -- done


def test_an_act_about_what_it_is_of_does_a_duty(table: Table) -> None:
    act(table, "stir", "ann", {"who": "bob", "does": ["reply", "sing"], "of": 7})
    act(table, "reply", "bob", {"riddle": 8})
    act(table, "reply", "cid", {"riddle": 7})
    assert list(owed(table)) == ["stir"]
    outcome = act(table, "reply", "bob", {"riddle": 7})
    assert owed(table) == {}
    assert {"effect": "settle", "of": "stir"} in outcome.effects


def test_a_duty_of_nothing_is_done_when_the_law_says_so(table: Table) -> None:
    act(table, "stir", "ann", {"who": "bob", "does": "reply"})
    act(table, "reply", "bob", {"riddle": 7})
    assert list(owed(table)) == ["stir"]


def test_an_act_that_is_refused_does_nothing(found: Found) -> None:
    no = made_rule("8", 'def forbid_reply(a):\n    return refuse("E-NO", "not today")')
    table = found(*LAW["rules"], no)
    act(table, "stir", "ann", {"who": "bob", "does": "reply", "of": 7})
    assert table.judge("reply", "bob", {"riddle": 7}).code == "E-NO"
    assert list(owed(table)) == ["stir"]


def test_votes_are_done_by_ballots_and_by_the_end_of_the_vote(table: Table) -> None:
    act(table, "propose", "ann", PROPOSED)
    outcome = act(table, "ask_votes", "ann")
    bulk = [effect for effect in outcome.effects if effect["effect"] == "owe"]
    assert [effect["players"] for effect in bulk] == [["ann", "bob", "cid"]]
    assert len(owed(table)) == 3
    assert said(act(table, "list", "bob")) == ['bob: vote on 301 ["vote"] proposal/301']
    act(table, "vote", "bob", {"choice": "for"})
    assert [duty["player"] for duty in owed(table).values()] == ["ann", "cid"]
    act(table, "vote", "cid", {"choice": "against"})
    act(table, "vote", "ann", {"choice": "for"})
    assert table.proposal(301)["outcome"] == "adopted"
    assert owed(table) == {}


@pytest.mark.parametrize(
    ("does", "of", "why"),
    [
        (3, None, "a duty names the action that is owed"),
        ([""], None, "a duty names the action that is owed"),
        ("reply", [1], "a duty is of a proposal"),
        (None, 7, "names the action too"),
    ],
)
def test_nonsense_is_the_rules_failure_and_nothing_is_owed(table: Table, does: Any, of: Any, why: str) -> None:
    outcome = table.judge("stir", "ann", {"who": "bob", **({"does": does} if does is not None else {}), "of": of})
    assert any(why in failure["error"] for failure in outcome.failures), outcome.failures
    assert owed(table) == {}


# -- overdue


def test_the_law_hears_once_of_all_that_is_overdue_together(table: Table) -> None:
    act(table, "propose", "ann", PROPOSED)
    act(table, "ask_votes", "ann")
    act(table, "vote", "bob", {"choice": "for"})
    fired = table.pass_time(3 * DAY)
    late = [text for outcome in fired for text in said(outcome)]
    assert late == ["late: ann ann:vote on 301, cid cid:vote on 301"]
    assert all(duty["overdue"] for duty in owed(table).values())
    assert [text for outcome in table.pass_time(DAY) for text in said(outcome)] == []


def test_a_pause_moves_deadlines(table: Table) -> None:
    act(table, "stir", "ann", {"who": "bob", "does": "sing"})
    before = owed(table)["stir"]["by"]
    act(table, "pause", "root")
    table.now += DAY
    act(table, "resume", "root")
    assert owed(table)["stir"]["by"] == before + DAY


def test_scenarios_claim_the_act_that_is_owed() -> None:
    steps = [{"by": "ann", "do": "stir", "args": {"who": "bob", "does": "sing"}}]
    played = {"ruleset": "x", "players": ["ann", "bob"], "steps": steps}
    claim = {"owes": "bob", "do": "sing"}
    law: Any = {**LAW, "players": []}
    run_scenario({**played, "expect": [claim]}, lambda _name: dict(law))
    with pytest.raises(Failed, match="bob owes"):
        run_scenario({**played, "expect": [{**claim, "do": "reply"}]}, lambda _name: dict(law))


# -- shown


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


@pytest.fixture
def sat(seats: Sit) -> Seats:
    return seats(LAW)


def test_status_shows_the_command(sat: Seats) -> None:
    sat.say("ann", 0, "/do stir who=bob does=reply of=7")
    sat.referee(60)
    assert "moot act reply riddle=7" in sat.status("bob")


def test_no_register_is_taken_for_whose_turn_it_is() -> None:
    class View:
        answers: ClassVar[dict[str, Any]] = {}
        players = ("ann", "bob")

        @staticmethod
        def registers(*_words: str) -> dict[str, Any]:
            return {"mover": "ann", "turn_player": "bob"}

    assert mover(View()) is None  # type: ignore[arg-type]
    View.answers = {"mover": "bob"}
    assert mover(View()) == "bob"  # type: ignore[arg-type]


@pytest.mark.parametrize("folder", sorted(Path("engine/folkmoot/game/rulesets").glob("*/rules")), ids=str)
def test_packaged_duties_name_their_acts(folder: Path) -> None:
    for file in folder.glob("*.yaml"):
        text = " ".join(file.read_text("utf-8").split())
        parts = text.replace("owe_all(", "owe(").split("owe(")[1:]
        assert all("do = " in part[:400] for part in parts), file
