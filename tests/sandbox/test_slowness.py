"""A slow moment of the machine puts no law to sleep: the event has more time, then goes on without who is slow.

What is always too slow refuses what it guards, and the game's own votes can still mend it. Commands that try, check or
run what somebody wrote do it where a watchdog ends it, and say what was ended.
"""

from __future__ import annotations

import json
import resource
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from folkmoot.core.events import Event, Outcome
from folkmoot.core.problems import Problem, ProblemError
from folkmoot.kernel.chance import open_chance
from folkmoot.kernel.errors import LEFT_OUT, failures_of_now, is_needed
from folkmoot.kernel.replay import entry_of, is_silent
from folkmoot.sandbox.client import Sandbox
from folkmoot.sandbox.retries import PATIENCE, Trying
from folkmoot.sandbox.worker_process import Died
from folkmoot.scenarios.check_files import read_rules
from tests.conftest import FUZZ
from tests.support.bench import Pool, act, documents, entry, found, striking
from tests.support.table import START, VOTING, Record, Table, rule

PLAIN = {"enact": {"title": "New"}}
GO: dict[str, Any] = {"actions": {"go": {}}}
GOING = "def do_go(a):\n    announce('went')\n"


SWIFT = 0.02  # seconds
PROCESS = 1.0  # seconds of processor time that the processes may take to start which are needed then
ENDLESS = "for i in range(60000):\n        sorted(range(100000), key = lambda n: -n)"
STRIKE = "def do_strike(a):\n    add('game', 'total', 5)"


def children() -> float:
    """Return the seconds of processor time of all processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def asleep(judge: Sandbox) -> set[str]:
    return {uid for uid, meta in documents(judge)["law"]["rules"].items() if meta["suspended"]}


@pytest.mark.threat("T-51")
def test_what_is_slow_once_is_given_ten_times_the_time(judges: Pool) -> None:
    slow = "for i in range(12):\n        sorted(range(100000), key = lambda n: -n)"  # between 0.1 and ten times that
    with judges.lend(seconds=0.1) as judge:
        found(judge, striking(STRIKE), rule("70", f"def on_acted(e):\n    {slow}\n    announce('heard')"))
        struck = act(judge, 2, "strike")
        assert struck.outcome.accepted
        assert (struck.event.deaths, struck.event.left_out) == ((), ())
        assert [effect["text"] for effect in struck.outcome.effects if effect["effect"] == "announce"] == ["heard"]
        assert not asleep(judge)


@pytest.mark.threat("T-51")
def test_a_listener_that_stays_too_slow_is_left_out_of_the_act_and_does_not_sleep(judges: Pool) -> None:
    with judges.lend(seconds=SWIFT) as judge:
        entries = [found(judge, striking(STRIKE), rule("70", f"def on_acted(e):\n    {ENDLESS}"))]
        struck = act(judge, 2, "strike")
        entries.append(entry(struck))
        assert struck.outcome.accepted
        assert [(out["rule"], out["hook"]) for out in struck.event.left_out] == [("70", "on_acted")]
        assert [failure["code"] for failure in struck.outcome.failures] == ["E-LEFT-OUT"]
        assert not asleep(judge)
        after = documents(judge)
    with judges.lend(seconds=SWIFT) as judge:
        began = time.monotonic()
        judge.replay(entries)
        assert time.monotonic() - began < SWIFT * PATIENCE * 25, "the replay heard it again"
        assert documents(judge) == after


@pytest.mark.threat("T-51")
def test_a_slow_guard_refuses_does_not_sleep_and_is_repealed_by_votes(judges: Pool) -> None:
    with judges.lend(seconds=0.01) as judge:
        guard = rule("70", f"def forbid(a):\n    {ENDLESS}")
        found(judge, striking("def do_strike(a):\n    pass"), guard, VOTING, players=[{"id": "ann"}])
        struck = act(judge, 2, "strike")
        assert (struck.outcome.code, struck.outcome.reasons[0]["rule"]) == ("E-BUDGET", "70")
        assert not asleep(judge)
        assert act(judge, 3, "propose", title="x", changes=[{"repeal": "70"}]).outcome.accepted
        assert act(judge, 4, "vote", proposal=901, choice="for").outcome.accepted
        assert not documents(judge)["law"]["rules"]["70"]["in_force"]
        assert act(judge, 5, "strike").outcome.accepted


@pytest.mark.threat("T-51")
def test_a_slow_answer_beside_the_play_is_done_without(judges: Pool) -> None:
    with judges.lend(seconds=0.02) as judge:
        found(judge, rule("70", f"def decide_review(p, player, verdict, reason):\n    {ENDLESS}"),
              rule("71", f"def decide_taken_as(pull):\n    {ENDLESS}"), VOTING)  # fmt: skip
        assert act(judge, 2, "propose", title="x", changes=[{"repeal": "70"}]).outcome.accepted
        began = time.monotonic()
        assert judge.read_review("proposal/901", ["bob", "approve", ""], START) is None
        told = judge.taken_as({"by": "ann", "title": "x", "text": "", "changes": [], "requests": []}, START)
        assert (told["rule"], "ran longer" in told["why"]) == ("71", True)
        assert time.monotonic() - began < 60


@pytest.mark.threat("T-51")
def test_administrators_do_not_wait(judges: Pool) -> None:
    with judges.lend(seconds=SWIFT) as judge:
        found(judge, striking(STRIKE), *[rule(str(n), f"def on_acted(e):\n    {ENDLESS}") for n in range(70, 80)])
        paused = act(judge, 2, "pause", by="root")
        assert paused.outcome.accepted
        assert [out["rule"] for out in paused.event.left_out] == ["70", "71", "72", "*"]
        assert not asleep(judge)


class Stumbling(Sandbox):
    """A judge that dies over the first events it is asked about, as often as it is told."""

    stumbles: list[Died]

    def _call(self, name: str, seconds: float, **arguments: Any) -> Any:
        if name == "apply" and self.stumbles:
            raise self.stumbles.pop(0)
        return super()._call(name, seconds, **arguments)


@pytest.mark.parametrize(("times", "sleeps"), [(1, False), (2, True)])
def test_only_a_death_that_recurs_puts_a_rule_to_sleep(judge: Sandbox, times: int, sleeps: bool) -> None:
    found(judge, striking(STRIKE), rule("70", "def on_acted(e):\n    announce('heard')"))
    with Stumbling(documents(judge)) as other:
        other.stumbles = [Died("70", "on_acted", "ended by SIGKILL") for _ in range(times)]
        struck = act(other, 2, "strike")
        assert struck.outcome.accepted
        assert bool(struck.event.deaths) == sleeps
        assert asleep(other) == ({"70"} if sleeps else set())


def test_loading_scripts_is_nobodys_time(judge: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("folkmoot.sandbox.worker_process.WALL", 1000)  # times as busy as the machine may be
    table = "".join(f"T{n} = [i % 7 for i in range(100000)]\n" for n in range(9))
    laws = [rule(str(number), f"{table}def on_acted(e):\n    pass # {number}") for number in range(70, 80)]
    found(judge, striking(STRIKE), *laws)
    with Sandbox(documents(judge), seconds=0.3) as other:
        before = other._child
        struck = act(other, 2, "strike")
        assert (struck.outcome.accepted, struck.outcome.failures) == (True, [])
        assert other._child is before, "it was not ended for what it took to load"


@pytest.mark.threat("T-51")
def test_a_trial_that_begins_anew_again_and_again_has_no_more_time_than_one_that_does_not(judges: Pool) -> None:
    """What dies in each act of a trial is left out of it, and the trial goes on: a rule that kills all took a minute."""
    hooks = ("on_acted", "on_ballot_cast", "on_opened", "on_voting_opened", "on_submitted", "decide_adopted")
    killer = "".join(f"def {hook}(e):\n    {ENDLESS}\n" for hook in hooks)
    memory = (
        "def on_acted(e):\n    kept = []\n    for i in range(100000):\n        kept.append('x' * 1000000 + str(i))\n"
    )
    with judges.lend(seconds=SWIFT) as judge:
        found(judge, striking(STRIKE))
        for script in (killer, f"{memory}def decide_adopted(p):\n    {ENDLESS}\n"):
            before = children()
            judge.trial([{"enact": {"title": "Killer", "text": "x", "script": script}}], "Killer", "ann", START)
            assert children() - before < 10 * SWIFT + PROCESS, script
        assert judge.work > SWIFT, "it is counted"
        assert act(judge, 2, "strike").outcome.accepted, "and binds no votes"


# -- commands

LOOPING = """title: Loops
text: It loops.
script: |
  def on_acted(e):
      for i in range(60000):
          sorted(range(100000), key = lambda n: -n)
examples:
  - scenario: it loops
    ruleset: blank
    steps:
      - {by: ann, do: state, args: {text: hello}}
"""
LAW: Record = {"title": "x", "zone": "UTC", "settings": {}, "players": [{"id": "ann"}], "rules": []}


def typed_for_ever() -> str:
    """Return a script of 40 short lines on which the type check goes on and on."""
    lines = ["def f(x):", "    a0 = [x]"]
    lines += [f"    a{n + 1} = [a{n}, a{n}, (a{n}, a{n}), {{'k': a{n}}}]" for n in range(40)]
    return "".join(f"  {line}\n" for line in [*lines, "    return a40"])


def checked(judge: Sandbox, file: Path, law: Record | None) -> list[Problem]:
    rule, text = read_rules([file])[0][file]
    return judge.check(law, [{"rule": rule, "text": text, "file": str(file)}])


def test_what_is_checked_and_never_ends_is_ended_and_its_file_named(judges: Pool, tmp_path: Path) -> None:
    looping, typed = tmp_path / "7.yaml", tmp_path / "8.yaml"
    looping.write_text(LOOPING, "utf-8")
    typed.write_text(f"title: Typed\ntext: x\nscript: |\n{typed_for_ever()}", "utf-8")
    began = time.monotonic()
    with judges.lend(seconds=0.03) as judge:
        problems = checked(judge, looping, LAW)
        [ended] = [problem for problem in problems if problem.code == "E-EXAMPLE"]
        assert str(looping) in str(ended)
        assert "a rule that this would make (on_acted)" in ended.message
        assert checked(judge, looping, None) == [], "the next file is checked"
        checked(judge, typed, None)
    assert time.monotonic() - began < 60


def test_a_scenario_or_a_trial_that_never_ends_is_ended_leaves_nothing_and_its_file_is_named(judges: Pool) -> None:
    endless = "for i in range(60000):\n        sorted(range(100000))\n"
    law = {**LAW, "rules": [{"rule": "7", "title": "Loops", "text": "", "script": f"def on_acted(e):\n    {endless}"}]}
    steps = [{"by": "ann", "do": "state", "args": {"text": "hello"}}]
    change = {"enact": {"title": "Loops", "text": "", "script": f"def on_rule_enacted(e):\n    {endless}"}}
    with judges.lend() as judge:
        found(judge, striking(STRIKE))
        judge._seconds = 0.005
        [problem] = judge.scenario({"scenario": "loops", "ruleset": "x", "steps": steps}, law, "loops.yaml")
        assert "ran longer than 0.3 s in rule 7 (on_acted)" in problem.message
        assert str(problem).startswith("loops.yaml")
        with pytest.raises(ProblemError, match=r"^new\.yaml.*so that the trial was ended"):
            judge.try_out([change], [], 1, START, ["new.yaml"])


# -- what is always too slow, without waiting: such a hook ends what is judged the moment it is entered

HOOKS = {
    "forbid": "a", "forbid_propose": "a", "forbid_vote": "a", "permit_propose": "a", "permit_vote": "a",
    "decide_law_for": "s", "decide_proper": "p", "decide_may_change": "p, c", "decide_ballot_counts": "p, b",
    "decide_adopted": "p", "decide_closed": "p", "decide_weight": "p, player", "decide_outcome": "p", "on_acted": "e",
    "on_ballot_cast": "e", "load": "",
}  # fmt: skip
TRIES = 12  # proposals until one mends all of seven rules


class TooSlow(BaseException):
    """The sandbox would have been ended in this hook."""


class SlowTable(Table):
    """A game in which some hooks always take too long, by rule and name."""

    def __init__(self, *rules: Record, slow: set[tuple[str, str]]) -> None:
        """Found the game swiftly; what is slow is so from then on."""
        self.slow: set[tuple[str, str]] = set()
        self.died: Died | None = None
        super().__init__(*rules)
        self.slow = slow
        self.kernel.play.programs.clear()  # as in a process that is started for each act
        self.kernel.play.entered = self._enter

    def _enter(self, uid: str, hook: str) -> None:
        if (uid, hook) in self.slow:
            self.died = self.died or Died(uid, hook, "ran longer than 1 s", slow=True)
        if self.died is not None:  # an exception that crosses a script's border becomes that script's own
            raise TooSlow

    def judge(
        self, do: str, by: str | None, with_: Record, as_: str | None = None, dice: Any = None, **event: Any
    ) -> Outcome:
        """Judge one event as a sandbox does, in as many tries as it takes."""
        made = Event(seq=len(self.entries) + 1, at=self.now, do=do, by=by, as_=as_, with_=with_, prev=self.prev())
        trying = Trying.of(made, 1.0, self._slow_before)
        while True:
            self.died = None
            with suppress(TooSlow):
                outcome = self.kernel.apply(trying.event, open_chance(made.prev, f"{made.seq} {do}"))
            if self.died is None:
                break
            self.kernel.undo()
            trying.again(self.died)
        if do != "tick" or not is_silent(outcome):
            self.entries.append(json.loads(json.dumps(entry_of(trying.event, outcome))))
        self.kernel.documents.release()
        return outcome

    def _slow_before(self) -> list[tuple[str, str]]:
        kept = [(uid, each) for uid, meta in self._metas().items() for each in failures_of_now(meta)]
        return [(uid, each["hook"]) for uid, each in kept if each.get("code") == LEFT_OUT and is_needed(each["hook"])]

    def _metas(self) -> Any:
        return self.document("law")["rules"]

    def known_to_be_slow(self) -> list[str]:
        """Return the rules of which something is known to have been left out."""
        return sorted({uid for uid, _ in self._slow_before() if self._metas()[uid]["in_force"]})

    def vote(self, number: int) -> list[Outcome]:
        return [self.act(who, "vote", proposal=number, choice="for") for who in ("ann", "bob", "cid")]


def slow_rules(*hooks: tuple[str, ...]) -> tuple[list[Record], set[tuple[str, str]]]:
    """Return rules 10, 11, … with hooks that say nothing, and which of them are slow: all."""
    rules, slow = [], set()
    for number, names in enumerate(hooks, 10):
        script = "".join(f"def {name}({HOOKS[name]}):\n    return None\n" for name in names if name != "load")
        rules.append(rule(str(number), script or "def forbid_go(a):\n    return None\n"))
        slow |= {(str(number), name) for name in names}
    return rules, slow


def mend(table: SlowTable, change: Any) -> None:
    """Mend by votes whatever is known to be slow, until a plain rule can be enacted: as people would who read."""
    for _ in range(TRIES):
        if table.act("ann", "propose", title="x", changes=[PLAIN]).accepted:
            number = max(int(key.rpartition("/")[2]) for key in table.document("game")["open"])
            if all(voted.accepted for voted in table.vote(number)):
                assert table.proposal(number)["outcome"] == "adopted"
                return
        loads = {uid for uid, hook in table.slow if hook == "load"}  # slow by the uid, not by the script, here
        changes = [{"repeal": uid} if uid in loads else change(uid) for uid in table.known_to_be_slow()]
        made = table.act("ann", "propose", title="Mend", changes=changes)
        for effect in made.effects:
            if effect["effect"] == "propose":
                table.vote(int(effect["of"].partition("/")[2]))
        assert changes
    raise AssertionError(table.known_to_be_slow())


RULES = st.lists(
    st.lists(st.sampled_from(sorted(HOOKS)), min_size=1, max_size=4, unique=True).map(tuple), min_size=1, max_size=7
)
MENDING = (lambda uid: {"repeal": uid}, lambda uid: {"amend": uid, "script": "# quick\n"})


@given(RULES, st.sampled_from(MENDING))
@settings(max_examples=50 if FUZZ else 10, deadline=None)
def test_a_game_can_always_be_mended_by_its_own_votes(hooks: Any, change: Any) -> None:
    rules, slow = slow_rules(*hooks)
    table = SlowTable(*rules, VOTING, slow=slow)
    mend(table, change)
    table.replay_all()


@pytest.mark.parametrize("hook", ["forbid", "forbid_vote", "permit_vote", "decide_adopted"])
def test_what_mends_nothing_is_refused_and_told_what_to_do(hook: str) -> None:
    rules, slow = slow_rules((hook,))
    table = SlowTable(*rules, VOTING, rule("20", GOING, **GO), slow=slow)
    if hook == "forbid":
        refused = table.act("ann", "go")
    else:
        table.ok("ann", "go")
        refused = table.vote(table.propose("ann", PLAIN))[-1]
    assert refused.code == "E-BUDGET"
    (reason,) = [each for each in refused.reasons if each["code"] == "E-BUDGET"]
    assert reason["rule"] == "10"
    assert f"its {hook} ran longer" in reason["args"]["why"]
    assert "propose a change of that rule alone" in reason["args"]["why"]
    table.ok("root", "suspend", rule="10", why="slow")
    assert table.act("cid", "state", text="free").accepted


def test_an_act_that_only_furthers_its_mending_goes_on_too() -> None:
    seconding = rule("20", "def do_second(a):\n    put(proposal(a.args.proposal), 'seconded', True)\n"
                     "def do_other(a):\n    put(proposal(a.args.proposal), 'seconded', True)\n    add('game', 'moves', 1)",
                     actions={do: {"arguments": {"proposal": {"type": "proposal"}}} for do in ("second", "other")},
                     defines={"proposal": {"seconded": {"type": "boolean", "initial": False}},
                              "game": {"moves": {"type": "integer", "initial": 0}}})  # fmt: skip
    rules, slow = slow_rules(("forbid",))
    table = SlowTable(*rules, VOTING, seconding, slow=slow)
    number = table.propose("ann", {"repeal": "10"})
    assert table.refused("bob", "other", proposal=number) == "E-BUDGET"
    table.ok("bob", "second", proposal=number)
