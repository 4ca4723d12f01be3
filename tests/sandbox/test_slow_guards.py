"""Language W1, table 9: what is always too slow refuses what it guards, and the game's own votes can still mend it.

No test waits here: a hook that is too slow ends what is judged the moment it is entered, as the sandbox's death would,
and the referee's own tries go on from there.
"""

from __future__ import annotations

import json
import time
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from folkmoot.core.events import Event, Outcome
from folkmoot.kernel.chance import open_chance
from folkmoot.kernel.errors import LEFT_OUT, failures_of_now, is_needed
from folkmoot.kernel.replay import entry_of, is_silent
from folkmoot.sandbox.client import Sandbox
from folkmoot.sandbox.retries import Trying
from folkmoot.sandbox.worker_process import Died
from tests.support.bench import act, documents, found, striking
from tests.support.guards import GO, GOING, PLAIN
from tests.support.table import VOTING, Record, Table, rule

HOOKS = {
    "forbid": "a",
    "forbid_propose": "a",
    "forbid_vote": "a",
    "permit_propose": "a",
    "permit_vote": "a",
    "decide_law_for": "s",
    "decide_proper": "p",
    "decide_may_change": "p, c",
    "decide_ballot_counts": "p, b",
    "decide_adopted": "p",
    "decide_closed": "p",
    "decide_weight": "p, player",
    "decide_outcome": "p",
    "on_acted": "e",
    "on_ballot_cast": "e",
    "load": "",
}
TRIES = 12  # proposals until one mends all of seven rules
ENDLESS = "for i in range(60000):\n        sorted(range(100000), key = lambda n: -n)"


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
            if all(table.act(who, "vote", proposal=number, choice="for").accepted for who in ("ann", "bob", "cid")):
                assert table.proposal(number)["outcome"] == "adopted"
                return
        loads = {uid for uid, hook in table.slow if hook == "load"}  # slow by the uid, not by the script, here
        changes = [{"repeal": uid} if uid in loads else change(uid) for uid in table.known_to_be_slow()]
        made = table.act("ann", "propose", title="Mend", changes=changes)
        number = next((int(e["of"].partition("/")[2]) for e in made.effects if e["effect"] == "propose"), 0)
        for who in ("ann", "bob", "cid") if number else ():
            if not table.act(who, "vote", proposal=number, choice="for").accepted:
                break
        assert changes
    raise AssertionError(table.known_to_be_slow())


RULES = st.lists(
    st.lists(st.sampled_from(sorted(HOOKS)), min_size=1, max_size=4, unique=True).map(tuple), min_size=1, max_size=7
)
MENDING = (lambda uid: {"repeal": uid}, lambda uid: {"amend": uid, "script": "# quick\n"})


@given(RULES, st.sampled_from(MENDING))
@settings(max_examples=12, deadline=None)
def test_w1_a_game_can_always_be_mended_by_its_own_votes(hooks: Any, change: Any) -> None:
    rules, slow = slow_rules(*hooks)
    table = SlowTable(*rules, VOTING, slow=slow)
    mend(table, change)
    table.replay_all()


@pytest.mark.parametrize("hook", ["forbid", "forbid_vote", "permit_vote", "decide_adopted"])
def test_w1_what_mends_nothing_is_refused_and_told_what_to_do(hook: str) -> None:
    rules, slow = slow_rules((hook,))
    table = SlowTable(*rules, VOTING, rule("20", GOING, **GO), slow=slow)
    if hook == "forbid":
        refused = table.act("ann", "go")
    else:
        table.ok("ann", "go")
        number = table.propose("ann", PLAIN)
        voted = [table.act(who, "vote", proposal=number, choice="for") for who in ("ann", "bob", "cid")]
        refused = voted[-1]
    assert refused.code == "E-BUDGET"
    (reason,) = [each for each in refused.reasons if each["code"] == "E-BUDGET"]
    assert reason["rule"] == "10"
    assert f"its {hook} ran longer" in reason["args"]["why"]
    assert "propose a change of that rule alone" in reason["args"]["why"]
    table.ok("root", "suspend", rule="10", why="slow")
    assert table.act("cid", "state", text="free").accepted


def test_w1_an_act_that_only_furthers_its_mending_goes_on_too() -> None:
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


@pytest.mark.threat("T-51")
def test_w1_a_slow_guard_in_the_sandbox_itself_is_repealed_by_votes() -> None:
    with Sandbox(seconds=0.03) as judge:
        found(judge, striking("def do_strike(a):\n    pass"), rule("70", f"def forbid(a):\n    {ENDLESS}"), VOTING)
        assert act(judge, 2, "strike").outcome.code == "E-BUDGET"
        assert act(judge, 3, "propose", title="x", changes=[{"repeal": "70"}]).outcome.accepted
        for seq, who in enumerate(("ann", "bob", "cid"), 4):
            assert act(judge, seq, "vote", by=who, proposal=901, choice="for").outcome.accepted
        assert not documents(judge)["law"]["rules"]["70"]["in_force"]
        assert act(judge, 7, "strike").outcome.accepted


@pytest.mark.threat("T-51")
def test_w1_a_slow_answer_beside_the_play_is_done_without() -> None:
    with Sandbox(seconds=0.02) as judge:
        found(judge, rule("70", f"def decide_review(p, player, verdict, reason):\n    {ENDLESS}"),
              rule("71", f"def decide_taken_as(pull):\n    {ENDLESS}"), VOTING)  # fmt: skip
        assert act(judge, 2, "propose", title="x", changes=[{"repeal": "70"}]).outcome.accepted
        began = time.monotonic()
        assert judge.read_review("proposal/901", ["bob", "approve", ""], 1_767_614_400) is None
        told = judge.taken_as({"by": "ann", "title": "x", "text": "", "changes": [], "requests": []}, 1_767_614_400)
        assert (told["rule"], "ran longer" in told["why"]) == ("71", True)
        assert time.monotonic() - began < 60
