"""A trial winds the clock to the timers of what is proposed, warns of what locks, fails or dies only then, and blames no change for what is so without it."""

from __future__ import annotations

from typing import Any

import pytest

from folkmoot.sandbox.client import Sandbox
from tests.support.bench import Record, documents, found
from tests.support.table import START, VOTING, rule

pytestmark = pytest.mark.process
MEMORY = 96 * 1024 * 1024  # bytes: little, so that a bomb goes off soon
BOMB = "l = [1]\n    for i in range(64):\n        l = l + l"
ORDINARY = rule(
    "4",
    "def on_dawn(e):\n    add('game', 'days', 1)\n",
    timers={"dawn": {"every": "day"}},
    defines={"game": {"days": {"type": "integer", "initial": 0}}},
)
LOCKING = "def on_rule_enacted(e):\n    after(30 * DAY, 'midnight')\n\ndef on_midnight(e):\n    repeal('900')\n"
HARMLESS = "def on_rule_enacted(e):\n    after(30 * DAY, 'midnight')\n\ndef on_midnight(e):\n    announce('ding')\n"
FAILING = "def on_rule_enacted(e):\n    every(7 * DAY, 'midnight')\n\ndef on_midnight(e):\n    {}['missing']\n"
AT_VOTES = "def on_ballot_cast(e):\n    {}['missing']\n"
GREEDY = "def on_dawn(e):\n    for n in range(100000):\n        for m in range(100000):\n            pass\n"
KILLING = f"def on_dawn(e):\n    {BOMB}\n"


@pytest.fixture(scope="module")
def judge() -> Any:
    with Sandbox(memory=MEMORY) as started:
        found(started, VOTING, ORDINARY)
        yield started


def later(judge: Sandbox, script: str, **parts: Any) -> list[str]:
    """Return what a trial of a new rule warns of; nothing of it stays."""
    before = documents(judge)
    told: Record = judge.trial(
        [{"enact": {"title": "New", "text": "New.", "script": script, **parts}}], "T", "ann", START
    )
    assert documents(judge) == before
    assert not told["locked_out"]
    return list(told["later"])


@pytest.mark.threat("T-94")
def test_what_locks_everybody_out_only_later(judge: Sandbox) -> None:
    (warning,) = later(judge, LOCKING)
    fired = "once the timer 'midnight' has fired (2026-02-04T12:00:00Z)"
    assert warning == f"{fired}, no way was found to adopt even a harmless rule-change"
    assert later(judge, HARMLESS) == []


@pytest.mark.threat("T-94")
def test_what_fails_or_runs_away_at_its_timer_or_the_next_vote(judge: Sandbox) -> None:
    (at_timer,) = later(judge, FAILING)
    fires = "when the timer 'midnight' fires (2026-01-12T12:00"
    assert at_timer.startswith(f"the new rule fails in its on_midnight {fires}")
    (at_vote,) = [warning for warning in later(judge, AT_VOTES) if "later" not in warning]
    assert at_vote.startswith("the new rule fails in its on_ballot_cast at the next proposal and the votes on it: ")
    (running,) = later(judge, GREEDY)
    assert "fails in its on_dawn when the timer 'dawn' fires" in running
    assert "ran too long" in running


@pytest.mark.threat("T-94")
def test_what_dies_at_its_timer_is_warned_of_beside_all_else_that_the_trial_found(judge: Sandbox) -> None:
    told = judge.trial([{"enact": {"title": "New", "text": "x", "script": KILLING}}], "T", "ann", START)
    assert told["adopted"]
    (warning,) = told["later"]
    assert warning.startswith("when its timers fire or people act next, the sandbox ")
    assert warning.endswith("in a rule that this would make (on_dawn)")


def test_a_warning_says_nothing_of_what_would_come_anyway() -> None:
    ending = rule("5", "def on_dusk(e):\n    repeal('900')\n", timers={"dusk": {"every": "day", "time": "20:00"}})
    with Sandbox() as judge:
        found(judge, VOTING, ORDINARY, ending)
        assert later(judge, "def on_dusk(e):\n    announce('night')\n") == [], "it ends without the proposal too"


# -- blame


GATED = rule(
    "4",
    """
    def forbid_propose(a):
        require(get("game", "gate") == 1, "E-ORDER", "the gate is closed")

    def on_ballot_cast(e):
        {}["missing"]
    """,
    defines={"game": {"gate": {"type": "integer", "initial": 0}}},
)
QUIET = {"enact": {"title": "New", "text": "New.", "script": "def on_dusk(e):\n    announce('dusk')\n"}}
REPEALING = {"repeal": "900"}


def tried(change: dict[str, Any], gate: int) -> dict[str, Any]:
    """Return what a trial says of a change where a gate is open (1) or closed (0)."""
    gated = {**GATED, "defines": {"game": {"gate": {"type": "integer", "initial": gate}}}}
    with Sandbox() as judge:
        found(judge, VOTING, gated)
        return judge.trial([change], "T", "ann", START)


@pytest.mark.threat("T-94")
def test_a_change_is_blamed_for_locking_out_only_where_it_does() -> None:
    assert tried(QUIET, 1)["locked_out"] == ""
    assert tried(REPEALING, 1)["locked_out"] != ""
    assert tried(QUIET, 0)["locked_out"] == "", "nothing can be proposed at present, with it or without it"


@pytest.mark.threat("T-94")
def test_what_fails_already_is_no_warning_of_a_change() -> None:
    told = tried({"amend": "4", "title": "Gates", "text": "Another text.", "script": GATED["script"]}, 1)
    assert [each for each in told["later"] if "on_ballot_cast" in each] == []
