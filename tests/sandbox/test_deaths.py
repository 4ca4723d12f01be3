"""How the judge dies and what is left: the next event is served, the right rule is blamed, nobody else suffers.

Whoever writes rules that kill it, and however many: administrators act on, the others get an answer, all replays.
"""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from folkmoot.core.events import Event
from folkmoot.core.problems import ProblemError, fail
from folkmoot.game.session import Session
from folkmoot.kernel.replay import Entry
from folkmoot.sandbox import worker_process
from folkmoot.sandbox.client import Applied, Sandbox
from tests.support.bench import Pool, Record, act, documents, due_of, entry, found, striking
from tests.support.silence import lasting, proved
from tests.support.table import START, VOTING, rule

ENDLESS = "for i in range(60000):\n        sorted(range(100000), key = lambda n: -n)"
BOMB = "l = [1]\n    for i in range(64):\n        l = l + l"  # of memory, at once
MEMORY = 32 * 1024 * 1024  # bytes: little, so that bombs go off soon
HEAVY = "for i in range(1900):\n        for j in range(1000):\n            pass"  # just under a handler's budget


def kill(judge: Sandbox) -> None:
    assert judge._child is not None
    os.kill(judge._child.pid, signal.SIGKILL)
    os.waitid(os.P_PID, judge._child.pid, os.WEXITED | os.WNOWAIT)


def test_a_judge_killed_while_idle_is_replaced_knows_all_and_nobody_is_blamed(judge: Sandbox) -> None:
    found(judge, striking("def do_strike(a):\n    put('game', 'notes', [3 * 4611686018427387904, 'ß\\u2603\\x00'])"))
    assert act(judge, 2, "strike").outcome.accepted
    before = documents(judge)
    assert before["things/game"]["game"]["notes"] == [13835058055282163712, "ß☃\x00"]
    kill(judge)
    assert documents(judge) == before
    applied = act(judge, 3, "work")
    assert applied.outcome.accepted
    assert applied.event.deaths == ()
    assert documents(judge)["law"]["rules"]["66"]["suspended"] is None


def test_a_judge_that_only_looks_answers_as_any_other_and_makes_way_for_one_where_more_is_asked() -> None:
    gone: list[Any] = [[{"kind": "repeal", "rule": "66"}], "Gone", None, START]
    with Sandbox() as whole:
        found(whole, rule("66", "def decide_odd(n):\n    return [n, str(rule('66'))]"))
        with Sandbox(documents(whole), only_looks=True) as small:
            for look in (
                lambda judge: judge.ask("odd", [3], START),
                lambda judge: judge.stands_in_way("work", "ann", START),
                lambda judge: [judge.order(START), judge.pages(START), judge.overruled(START)],
            ):
                assert look(small) == look(whole)
            looking = small._child
            assert look(small) == look(whole)
            assert small._child is looking
            assert small.trial(*gone) == whole.trial(*gone)
            assert small._child is not looking


def test_the_rule_that_was_running_is_blamed_not_the_one_it_had_called(judge: Sandbox) -> None:
    asking = striking(f"def do_strike(a):\n    ask('simple')\n    {BOMB}")
    found(judge, asking, rule("67", "def decide_simple():\n    return 1"))
    struck = act(judge, 2, "strike")
    rules = documents(judge)["law"]["rules"]
    assert [(death["rule"], death["hook"]) for death in struck.event.deaths] == [("66", "do_strike")]
    assert rules["67"]["suspended"] is None
    assert "the sandbox died in do_strike" in rules["66"]["suspended"]


def test_a_rule_that_kills_while_the_act_makes_it_is_made_asleep(judge: Sandbox) -> None:
    killer = f"def on_rule_enacted(e):\n    {BOMB}\n".replace("\n", "\\n")
    found(judge, striking(f'def do_strike(a):\n    enact("Killer", "Text.", "{killer}")\n    enact("Next", "Text.")'))
    assert act(judge, 2, "strike").outcome.accepted
    rules = documents(judge)["law"]["rules"]
    assert {uid: bool(meta["suspended"]) for uid, meta in rules.items()} == {
        "1": False, "66": False, "67": True, "68": False,
    }  # fmt: skip


def test_pages_and_questions_do_without_the_rule_that_takes_too_long(judges: Pool) -> None:
    good = rule("67", "def show_good():\n    return [paragraph('well')]")
    bad = rule("66", f"def show_bad():\n    {ENDLESS}\ndef decide_fate():\n    {ENDLESS}")
    with judges.lend(seconds=0.02) as judge:
        found(judge, bad, good)
        pages = judge.pages(START)
        assert "ran longer" in pages["bad"]["error"]
        assert (pages["bad"]["blocks"], bool(pages["good"]["blocks"])) == ([], True)
        assert judge.ask("fate", [], START) is None
        assert act(judge, 2, "work").outcome.accepted


def test_what_is_only_seen_or_cannot_be_ended_leaves_nothing(judge: Sandbox) -> None:
    opening = found(judge, striking("def do_strike(a):\n    add('game', 'total', 7)\n    roll(6)"))
    before = documents(judge)
    seen = judge.preview(Event(seq=2, at=START, do="work", by="ann"))
    assert (seen.accepted, [effect["to"] for effect in seen.effects]) == (True, [1])
    assert documents(judge) == before
    with pytest.raises(ProblemError):
        judge.apply(Event(seq=2, at=START, do="strike", by="ann"), {"kind": "sealed"})
    assert documents(judge) == before

    def broken() -> Any:
        yield opening
        raise fail("E-CHAIN", "the journal is cut off")

    with pytest.raises(ProblemError, match="E-CHAIN"):
        judge.replay(broken())
    assert act(judge, 2, "work").outcome.accepted
    assert documents(judge)["things/game"]["game"]["total"] == 1


def test_an_archive_that_fails_costs_the_event_not_the_judge(judge: Sandbox) -> None:
    found(judge)

    def damaged(_key: str) -> None:
        raise fail("E-CHAIN", "the disk is damaged")

    with Sandbox(documents(judge), damaged) as other:
        with pytest.raises(ProblemError, match="E-CHAIN"):
            other.apply(Event(seq=2, at=START, do="vote", by="ann", with_={"proposal": 301, "choice": "for"}))
        assert act(other, 2, "work").outcome.accepted


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


def no_memory(*_arguments: Any, **_named: Any) -> Any:
    raise OSError(12, "Cannot allocate memory")


@pytest.mark.parametrize(
    ("cause", "said"),
    [
        ("no process", "the sandbox cannot be started here: Cannot allocate memory"),
        ("no program", "the sandbox ended with code 3 before it had taken in the game"),
    ],
)
def test_where_the_sandbox_cannot_start_that_is_said_and_nothing_is_recorded(
    tmp_path: Path, cause: str, said: str
) -> None:
    def journal() -> dict[str, bytes]:
        return {str(file): file.read_bytes() for file in folder.rglob("*.yaml")}

    folder = lasting(tmp_path / "game", {"rule": "1", "title": "Peace", "text": "Be calm."})
    before = journal()
    with pytest.MonkeyPatch.context() as patch:
        if cause == "no process":
            patch.setattr(subprocess, "Popen", no_memory)
        else:
            patch.setattr(worker_process, "START", "import sys; sys.exit(3)")
        with pytest.raises(ProblemError) as raised, Session.open(folder, writing=True) as session:
            session.act("ann", "pause", at=START + 60)
    (problem,) = raised.value.problems
    assert (problem.code, problem.message) == ("E-JUDGE", said)
    assert "nothing was recorded" in problem.hint
    assert journal() == before
    with Session.open(folder, writing=True) as session:
        assert session.act("ann", "pause", at=START + 60).accepted
    assert proved(folder).sound


# -- several rules that kill


class Game:
    """A game of hostile rules, its journal kept."""

    def __init__(self, judge: Sandbox, *rules: Record) -> None:
        self.judge, self.now = judge, START
        striker = striking("def do_strike(a):\n    add('game', 'total', 5)")
        self.entries: list[Entry] = [found(judge, VOTING, striker, *rules)]

    def act(self, by: str | None, do: str, **args: Any) -> Applied:
        """Let somebody act, or the clock."""
        event = Event(seq=len(self.entries) + 1, at=self.now, do=do, by=by, with_=args)
        applied = self.judge.apply(event)
        self.entries.append(entry(applied))
        return applied

    def asleep(self) -> set[str]:
        """Return the uids of the rules that sleep."""
        return {uid for uid, meta in documents(self.judge)["law"]["rules"].items() if meta["suspended"]}

    def replays(self, judges: Pool) -> None:
        """The record gives the same again, and runs no rule that died or was left out."""
        after = documents(self.judge)
        with judges.lend(hash_seed=1) as judge:
            judge.replay(self.entries)
            assert documents(judge) == after


def bombs(hook: str, count: int, start: int = 70) -> list[Record]:
    return [rule(str(start + n), f"def {hook}(e):\n    {BOMB}") for n in range(count)]


@pytest.mark.threat("T-25")
@pytest.mark.threat("T-47")
def test_bombs_in_what_follows_every_act_stop_neither_administrators_nor_players(judges: Pool) -> None:
    with Sandbox(memory=MEMORY) as judge:
        game = Game(judge, *bombs("on_acted", 4))
        mended = [{"amend": "71", "script": "def on_acted(e):\n    pass\n"}]
        for do, args in (("suspend", {"rule": "70"}), ("repair", {"changes": mended})):
            applied = game.act("root", do, why="it kills", **args)
            assert applied.outcome.accepted, (do, applied.outcome)
        assert game.asleep() == {"70"}, "an administrator's act puts nobody to sleep"
        struck = game.act("ann", "strike")
        assert struck.outcome.accepted
        assert [death["rule"] for death in struck.event.deaths] == ["72", "73"]
        assert game.asleep() == {"70", "72", "73"}
        assert game.act("bob", "strike").event.deaths == ()
        assert documents(judge)["things/game"]["game"]["total"] == 10
        game.replays(judges)


@pytest.mark.threat("T-47")
@pytest.mark.threat("T-48")
def test_ballots_count_and_timers_fire_though_rules_die_over_them(judges: Pool) -> None:
    clock = rule("60", "def on_dawn(e):\n    add('game', 'total', 1)", timers={"dawn": {"every": "day", "at": "06:00"}})
    with Sandbox(memory=MEMORY) as judge:
        game = Game(judge, clock, *bombs("on_ballot_cast", 2), *bombs("on_dawn", 2, start=80))
        proposed = game.act("ann", "propose", title="Tea", changes=[{"enact": {"title": "Tea", "text": "At four."}}])
        assert proposed.outcome.accepted
        for voter in ("ann", "bob", "cid"):
            assert game.act(voter, "vote", proposal=901, choice="for").outcome.accepted
        assert "901" in documents(judge)["law"]["rules"]
        for _day in range(2):
            due = due_of(judge)
            assert due is not None
            game.now = due[0]
            assert game.act(None, "tick", timer="dawn").outcome.accepted
        assert documents(judge)["things/game"]["game"]["total"] == 2
        assert game.asleep() == {"70", "71", "80", "81"}
        game.replays(judges)


@pytest.mark.threat("T-49")
def test_twenty_five_rules_just_below_their_budget_end(judges: Pool) -> None:
    with Sandbox(memory=MEMORY) as judge:
        game = Game(judge, *[rule(str(70 + n), f"def on_acted(e):\n    {HEAVY}") for n in range(25)])
        assert game.act("root", "pause").outcome.accepted
        assert game.act("root", "resume").outcome.accepted
        assert game.act("ann", "strike").outcome.accepted
        assert len(game.asleep()) > 8
        assert game.act("bob", "strike").outcome.accepted
        game.replays(judges)


AWAKENING = "wake('71')", "amend('71', title = 'Woken')"


@pytest.mark.threat("T-50")
@pytest.mark.parametrize("waking", AWAKENING)
def test_who_wakes_a_killer_answers_for_it(judges: Pool, waking: str) -> None:
    script = f"def on_acted(e):\n    if e.action.name == 'strike':\n        {waking}\n        emit('go')"
    with Sandbox(memory=MEMORY) as judge:
        game = Game(judge, rule("70", script), rule("71", f"def on_go(e):\n    {BOMB}"))
        assert game.act("root", "suspend", rule="71", why="it kills").outcome.accepted
        assert game.act("ann", "strike").outcome.accepted
        assert game.asleep() == {"70", "71"}
        assert game.act("bob", "strike").event.deaths == ()
        game.replays(judges)


@pytest.mark.threat("T-50")
def test_who_enacts_a_killer_answers_for_it(judges: Pool) -> None:
    killer = f"def on_go(e):\n    {BOMB}\n".replace("\n", "\\n")
    script = f'def on_acted(e):\n    if e.action.by == "ann":\n        enact("Killer", "Text.", "{killer}")\n        emit("go")'
    with Sandbox(memory=MEMORY) as judge:
        game = Game(judge, rule("70", script))
        assert game.act("root", "pause").outcome.accepted
        assert game.act("root", "resume").outcome.accepted
        struck = game.act("ann", "strike")
        assert struck.outcome.accepted
        assert [(death["rule"], death["hook"]) for death in struck.event.deaths] == [("70", "on_go of rule 901")]
        assert game.asleep() == {"70"}
        game.replays(judges)


@pytest.mark.threat("T-47")
def test_a_refused_act_keeps_what_its_deaths_taught(judges: Pool) -> None:
    guard = rule("60", "def forbid_strike(a):\n    return refuse('E-STATUS', 'not today')")
    with Sandbox(memory=MEMORY) as judge:
        game = Game(judge, guard, rule("70", f"def forbid_strike(a):\n    {BOMB}"))
        for _ in range(2):
            game.act("ann", "strike")
        assert [bool(made.get("deaths")) for made in game.entries[1:]].count(True) <= 1
        game.replays(judges)
