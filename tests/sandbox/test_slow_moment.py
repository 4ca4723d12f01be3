"""A slow moment of the machine puts no law to sleep: the event has more time, then goes on without who is slow."""

from __future__ import annotations

import resource
import time

import pytest

from folkmoot.core.events import Event
from folkmoot.sandbox.client import Sandbox
from folkmoot.sandbox.retries import MOST_PATIENCE, PATIENCE, Trying
from folkmoot.sandbox.worker_process import Died
from tests.support.bench import act, documents, entry, found, striking
from tests.support.table import START, rule

SWIFT = 0.1  # seconds
PROCESS = 1.0  # seconds of processor time that the processes may take to start which are needed then
ENDLESS = "for i in range(60000):\n        sorted(range(100000), key = lambda n: -n)"
SLOW = "for i in range(12):\n        sorted(range(100000), key = lambda n: -n)"  # between SWIFT and ten times that
STRIKE = "def do_strike(a):\n    add('game', 'total', 5)"


def children() -> float:
    """Return the seconds of processor time of all processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def asleep(judge: Sandbox) -> set[str]:
    return {uid for uid, meta in documents(judge)["law"]["rules"].items() if meta["suspended"]}


@pytest.mark.threat("T-51")
def test_what_is_slow_once_is_given_ten_times_the_time() -> None:
    with Sandbox(seconds=SWIFT) as judge:
        found(judge, striking(STRIKE), rule("70", f"def on_acted(e):\n    {SLOW}\n    announce('heard')"))
        struck = act(judge, 2, "strike")
        assert struck.outcome.accepted
        assert (struck.event.deaths, struck.event.left_out) == ((), ())
        assert [effect["text"] for effect in struck.outcome.effects if effect["effect"] == "announce"] == ["heard"]
        assert not asleep(judge)


@pytest.mark.threat("T-51")
def test_a_listener_that_stays_too_slow_is_left_out_of_the_act_and_does_not_sleep() -> None:
    with Sandbox(seconds=SWIFT) as judge:
        entries = [found(judge, striking(STRIKE), rule("70", f"def on_acted(e):\n    {ENDLESS}"))]
        struck = act(judge, 2, "strike")
        entries.append(entry(struck))
        assert struck.outcome.accepted
        assert [(out["rule"], out["hook"]) for out in struck.event.left_out] == [("70", "on_acted")]
        assert [failure["code"] for failure in struck.outcome.failures] == ["E-LEFT-OUT"]
        assert not asleep(judge)
        after = documents(judge)
    with Sandbox(seconds=SWIFT) as judge:
        began = time.monotonic()
        judge.replay(entries)
        assert time.monotonic() - began < SWIFT * PATIENCE * 10, "the replay heard it again"
        assert documents(judge) == after


@pytest.mark.threat("T-51")
def test_an_act_whose_guard_stays_too_slow_is_refused_and_the_guard_does_not_sleep() -> None:
    with Sandbox(seconds=SWIFT) as judge:
        found(judge, striking(STRIKE), rule("70", f"def forbid_strike(a):\n    {ENDLESS}"))
        struck = act(judge, 2, "strike")
        assert struck.outcome.code == "E-BUDGET"
        assert struck.outcome.reasons[0]["rule"] == "70"
        assert not asleep(judge)
        assert documents(judge)["things/game"]["game"]["total"] == 0


@pytest.mark.threat("T-51")
def test_administrators_do_not_wait() -> None:
    with Sandbox(seconds=SWIFT) as judge:
        found(judge, striking(STRIKE), *[rule(str(n), f"def on_acted(e):\n    {ENDLESS}") for n in range(70, 80)])
        paused = act(judge, 2, "pause", by="root")
        assert paused.outcome.accepted
        assert [out["rule"] for out in paused.event.left_out] == ["70", "71", "72", "*"]
        assert not asleep(judge)


class Stumbling(Sandbox):
    """A judge that dies over the first events it is asked about, as often as it is told."""

    stumbles: list[Died]

    def _call(self, name: str, seconds: float, **arguments):
        if name == "apply" and self.stumbles:
            raise self.stumbles.pop(0)
        return super()._call(name, seconds, **arguments)


@pytest.mark.parametrize(("times", "sleeps"), [(1, False), (2, True)])
def test_only_a_death_that_recurs_puts_a_rule_to_sleep(times: int, sleeps: bool) -> None:
    with Sandbox() as judge:
        found(judge, striking(STRIKE), rule("70", "def on_acted(e):\n    announce('heard')"))
        given = documents(judge)
    with Stumbling(given) as judge:
        judge.stumbles = [Died("70", "on_acted", "ended by SIGKILL") for _ in range(times)]
        struck = act(judge, 2, "strike")
        assert struck.outcome.accepted
        assert bool(struck.event.deaths) == sleeps
        assert asleep(judge) == ({"70"} if sleeps else set())


def test_waiting_for_many_slow_listeners_ends() -> None:
    trying = Trying.of(Event(seq=2, at=START, do="strike", by="ann"), 1.0)
    for number in range(1000):
        if ("", "") in [(out["rule"], out["hook"]) for out in trying.event.left_out]:
            break
        trying.again(Died(str(number), "on_acted", "ran longer", slow=True))
    assert trying.waited <= MOST_PATIENCE + 2 * PATIENCE


def test_a_large_game_is_founded_in_time() -> None:
    people = [{"id": f"p{number}"} for number in range(800)]
    law = rule(
        "70", "def on_joined(e):\n    pass", defines={"currencies": {"fame": {"owners": "player", "initial": 1}}}
    )
    with Sandbox(seconds=SWIFT) as judge:
        applied = judge.apply(Event(seq=1, at=START, do="found", with_={"rules": [law], "players": people}))
        assert applied.outcome.accepted
        assert len(documents(judge)["roster"]) == 800


def test_loading_scripts_is_nobodys_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("folkmoot.sandbox.worker_process.WALL", 1000)  # times as busy as the machine may be
    table = "TABLE = [i % 7 for i in range(100000)]\n" + "".join(
        f"T{n} = [i % 7 for i in range(100000)]\n" for n in range(8)
    )
    laws = [rule(str(number), f"{table}def on_acted(e):\n    pass # {number}") for number in range(70, 80)]
    with Sandbox(seconds=0.3) as judge:
        found(judge, striking(STRIKE), *laws)
        given = documents(judge)
    with Sandbox(given, seconds=0.3) as judge:
        before = judge._child
        struck = act(judge, 2, "strike")
        assert struck.outcome.accepted
        assert struck.outcome.failures == []
        assert judge._child is before, "it was not ended for what it took to load"


def test_what_trials_take_is_counted_and_votes_are_not_bound_by_it() -> None:
    slow = {"title": "Slow", "text": "x", "script": f"def show_slow():\n    {ENDLESS}\n"}
    with Sandbox(seconds=SWIFT) as judge:
        found(judge, striking(STRIKE))
        judge.trial([{"enact": slow}], "Slow", "ann", START)
        assert judge.work > 0.5
        assert act(judge, 2, "strike").outcome.accepted


@pytest.mark.threat("T-51")
def test_a_trial_that_begins_anew_again_and_again_has_no_more_time_than_one_that_does_not() -> None:
    """What dies in each act of a trial is left out of it, and the trial goes on: a rule that kills all took a minute."""
    hooks = ("on_acted", "on_ballot_cast", "on_opened", "on_voting_opened", "on_submitted", "decide_adopted")
    killer = "".join(f"def {hook}(e):\n    {ENDLESS}\n" for hook in hooks)
    memory = (
        "def on_acted(e):\n    kept = []\n    for i in range(100000):\n        kept.append('x' * 1000000 + str(i))\n"
    )
    with Sandbox(seconds=SWIFT) as judge:
        found(judge, striking(STRIKE))
        for script in (
            killer,
            memory,
            "X = 'x' * 100000000\nY = X + X\n",
            f"{memory}def decide_adopted(p):\n    {ENDLESS}\n",
        ):
            before = children()
            judge.trial([{"enact": {"title": "Killer", "text": "x", "script": script}}], "Killer", "ann", START)
            assert children() - before < 10 * SWIFT + PROCESS, script
        assert act(judge, 2, "strike").outcome.accepted
