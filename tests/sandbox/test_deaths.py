"""How the judge dies and what is left: the next event is served, the right rule is blamed, nobody else suffers."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from folkmoot.core.events import Event
from folkmoot.core.problems import ProblemError, fail
from folkmoot.game.rulesets import founding
from folkmoot.sandbox import worker_process
from folkmoot.sandbox.client import Sandbox
from folkmoot.sandbox.worker import last_words
from tests.support.bench import Pool, act, documents, entry, found, striking
from tests.support.table import START, rule

ENDLESS = "for i in range(60000):\n        sorted(range(100000), key = lambda n: -n)"
KILLS = "l = [1]\n    for i in range(64):\n        l = l + l"  # of memory, at once


def kill(judge: Sandbox) -> None:
    assert judge._child is not None
    os.kill(judge._child.pid, signal.SIGKILL)
    os.waitid(os.P_PID, judge._child.pid, os.WEXITED | os.WNOWAIT)


def test_a_judge_killed_while_idle_is_replaced_and_nobody_is_blamed(judges: Pool) -> None:
    with judges.lend() as judge:
        found(judge, striking("def do_strike(a):\n    announce('struck')"))
        assert act(judge, 2, "strike").outcome.accepted
        kill(judge)
        applied = act(judge, 3, "work")
        assert applied.outcome.accepted
        assert applied.event.deaths == ()
        assert documents(judge)["law"]["rules"]["66"]["suspended"] is None


def test_documents_survive_a_death_to_the_letter(judges: Pool) -> None:
    with judges.lend() as judge:
        found(judge)
        for seq in range(2, 12):
            act(judge, seq, "work")
        before = documents(judge)
        kill(judge)
        assert documents(judge) == before
        assert before["things/game"]["game"]["total"] == 10


def test_the_rule_that_was_running_is_blamed_not_the_one_it_had_called(judges: Pool) -> None:
    asking = striking(f"def do_strike(a):\n    ask('simple')\n    {KILLS}")
    answering = rule("67", "def decide_simple():\n    return 1")
    with judges.lend() as judge:
        found(judge, asking, answering)
        struck = act(judge, 2, "strike")
        rules = documents(judge)["law"]["rules"]
    assert [(death["rule"], death["hook"]) for death in struck.event.deaths] == [("66", "do_strike")]
    assert rules["67"]["suspended"] is None
    assert "the sandbox died in do_strike" in rules["66"]["suspended"]


@pytest.mark.threat("T-25")
def test_two_rules_that_kill_the_judge_are_both_put_to_sleep_and_the_act_is_done(judges: Pool) -> None:
    bombs = [rule(n, f"def on_acted(e):\n    {KILLS}") for n in ("70", "71")]
    with judges.lend() as judge:
        opening = found(judge, striking("def do_strike(a):\n    add('game', 'total', 5)"), *bombs)
        struck = act(judge, 2, "strike")
        assert struck.outcome.accepted
        assert [death["rule"] for death in struck.event.deaths] == ["70", "71"]
        after = documents(judge)
        assert after["things/game"]["game"]["total"] == 5
    with judges.lend() as judge:
        judge.replay([opening, entry(struck)])
        assert documents(judge) == after


def test_a_rule_that_kills_while_the_act_makes_it_is_made_asleep(judges: Pool) -> None:
    killer = f"def on_rule_enacted(e):\n    {KILLS}\n".replace("\n", "\\n")
    script = f'def do_strike(a):\n    enact("Killer", "Text.", "{killer}")\n    enact("Next", "Text.")'
    with judges.lend() as judge:
        found(judge, striking(script))
        struck = act(judge, 2, "strike")
        assert struck.outcome.accepted
        rules = documents(judge)["law"]["rules"]
    assert {uid: bool(meta["suspended"]) for uid, meta in rules.items()} == {
        "1": False, "66": False, "67": True, "68": False,
    }  # fmt: skip


def test_a_page_that_kills_says_so_and_the_others_are_shown(judges: Pool) -> None:
    good = rule("67", "def show_good():\n    return [paragraph('well')]")
    bad = rule("66", f"def show_bad():\n    {ENDLESS}")
    with judges.lend(seconds=0.1) as judge:
        found(judge, bad, good)
        pages = judge.pages(START)
    assert "ran longer" in pages["bad"]["error"]
    assert pages["bad"]["blocks"] == []
    assert pages["good"]["blocks"]


def test_a_question_is_answered_without_the_rule_that_kills_and_the_judge_serves_on(judges: Pool) -> None:
    with judges.lend(seconds=0.1) as judge:
        found(judge, rule("66", f"def decide_fate():\n    {ENDLESS}"))
        assert judge.ask("fate", [], START) is None
        assert act(judge, 2, "work").outcome.accepted


def test_a_preview_leaves_nothing(judges: Pool) -> None:
    with judges.lend() as judge:
        found(judge)
        before = documents(judge)
        seen = judge.preview(Event(seq=2, at=START, do="work", by="ann"))
        assert seen.accepted
        assert [effect["to"] for effect in seen.effects] == [1]
        assert documents(judge) == before


def test_an_event_whose_chance_cannot_be_had_leaves_nothing(judges: Pool) -> None:
    script = "def do_strike(a):\n    add('game', 'total', 7)\n    roll(6)"
    with judges.lend() as judge:
        found(judge, striking(script))
        before = documents(judge)
        with pytest.raises(ProblemError):
            judge.apply(Event(seq=2, at=START, do="strike", by="ann"), {"kind": "sealed"})
        assert documents(judge) == before
        assert act(judge, 2, "work").outcome.accepted
        assert documents(judge)["things/game"]["game"]["total"] == 1


def test_an_archive_that_fails_costs_the_event_not_the_judge(judges: Pool) -> None:
    with judges.lend() as judge:
        found(judge)
        kept = documents(judge)

    def damaged(_key: str) -> None:
        raise fail("E-CHAIN", "the disk is damaged")

    with Sandbox(kept, damaged) as judge:
        with pytest.raises(ProblemError, match="E-CHAIN"):
            judge.apply(Event(seq=2, at=START, do="vote", by="ann", with_={"proposal": 301, "choice": "for"}))
        assert act(judge, 2, "work").outcome.accepted


def test_a_replay_that_is_broken_off_by_its_source_leaves_the_judge_usable(judges: Pool) -> None:
    with judges.lend() as judge:
        opening = found(judge)

        def broken():
            yield opening
            yield from (entry(act(judge, seq, "work")) for seq in ())
            raise fail("E-CHAIN", "the journal is cut off")

        with pytest.raises(ProblemError, match="E-CHAIN"):
            judge.replay(broken())
        assert act(judge, 2, "work").outcome.accepted


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (MemoryError(), "ran out of memory"),
        (KeyError("x"), "failed: KeyError: 'x'"),
        (type("PanicException", (BaseException,), {})("out\nof"), "panicked: PanicException: out"),
        (ValueError("y" * 999), f"failed: ValueError: {'y' * 148}"),
    ],
)
def test_last_words_are_short(error: BaseException, words: str) -> None:
    assert last_words(error) == words


def test_wide_numbers_and_every_letter_cross_the_border(judges: Pool) -> None:
    with judges.lend() as judge:
        found(
            judge, striking("def do_strike(a):\n    put('game', 'notes', [3 * 4611686018427387904, 'ß\\u2603\\x00'])")
        )
        assert act(judge, 2, "strike").outcome.accepted
        kill(judge)
        assert documents(judge)["things/game"]["game"]["notes"] == [13835058055282163712, "ß☃\x00"]


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="asks the kernel how much memory a process has")
def test_many_scenarios_take_no_more_memory_than_one(judges: Pool) -> None:
    """Each founds a game of its own; what was not thrown away ended the sandbox after some 150 of a large ruleset."""
    scenario: dict[str, Any] = {"scenario": "nothing happens", "ruleset": "imperial-training"}
    law = founding("imperial-training")

    def memory(judge: Sandbox) -> int:
        assert judge.scenario(scenario, law, "nothing.yaml") == []
        assert judge._child is not None
        return int(Path(f"/proc/{judge._child.pid}/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")

    with judges.lend() as judge:
        first = memory(judge)
        assert max(memory(judge) for _ in range(10)) - first < 12_000_000


@pytest.mark.parametrize(
    ("used", "waited", "ended"),
    [(0.5, 40, False), (0.5, 4000, True), (0.0, 20, True), (0.0, 5, False), (0.95, 1, True)],
)
def test_a_process_that_waits_for_a_busy_processor_is_not_ended(
    used: float, waited: int, ended: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_process, "time", SimpleNamespace(monotonic=lambda: 1000.0 + waited))
    busy = SimpleNamespace(used=lambda: used, times=lambda: (0.0, 0.0, 0.0))
    watch = worker_process.Watch(1.0, 1000.0)
    assert worker_process.WorkerProcess._is_late(cast(Any, busy), watch) is ended
