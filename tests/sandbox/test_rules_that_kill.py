"""Rules that kill the judge, whoever and however many: administrators act on, the others get an answer, all replays."""

from __future__ import annotations

from typing import Any

import pytest

from folkmoot.core.events import Event
from folkmoot.kernel.replay import Entry
from folkmoot.sandbox.client import Applied, Sandbox
from tests.support.bench import Record, documents, due_of, entry, found, striking
from tests.support.table import START, VOTING, rule

BOMB = "l = [1]\n    for i in range(64):\n        l = l + l"
MEMORY = 96 * 1024 * 1024  # bytes: little, so that bombs go off soon
HEAVY = "for i in range(1900):\n        for j in range(1000):\n            pass"  # just under a handler's budget
ADMINISTRATORS = [
    ("pause", {}),
    ("resume", {}),
    ("suspend", {"rule": "70", "why": "it kills"}),
    ("correct", {"of": "game", "name": "total", "to": 7, "why": "miscounted"}),
    ("repair", {"changes": [{"amend": "71", "script": "def on_acted(e):\n    pass\n"}], "why": "mended"}),
    ("repair", {"changes": [{"repeal": uid} for uid in ("70", "71", "72")], "why": "freed"}),
]


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

    def administrate(self) -> None:
        """Do everything that administrators may; all of it goes through."""
        for do, args in ADMINISTRATORS:
            applied = self.act("root", do, **args)
            assert applied.outcome.accepted, (do, applied.outcome)

    def asleep(self) -> set[str]:
        """Return the uids of the rules that sleep."""
        return {uid for uid, meta in documents(self.judge)["law"]["rules"].items() if meta["suspended"]}

    def replays(self) -> None:
        """The record gives the same again, and runs no rule that died or was left out."""
        after = documents(self.judge)
        with Sandbox() as judge:
            judge.replay(self.entries)
            assert documents(judge) == after


def bombs(hook: str, count: int, start: int = 70) -> list[Record]:
    return [rule(str(start + n), f"def {hook}(e):\n    {BOMB}") for n in range(count)]


@pytest.mark.threat("T-47")
def test_ten_bombs_in_what_follows_every_act_stop_neither_administrators_nor_players() -> None:
    with Sandbox(memory=MEMORY) as judge:
        game = Game(judge, *bombs("on_acted", 7), *bombs("on_rule_repealed", 3, start=80))
        game.administrate()
        assert not game.asleep() - {"70"}, "an administrator's act puts nobody to sleep"
        struck = game.act("ann", "strike")
        assert struck.outcome.accepted
        assert {death["rule"] for death in struck.event.deaths} == {"73", "74", "75", "76"}
        assert game.asleep() == {"70", "73", "74", "75", "76"}
        assert game.act("bob", "strike").event.deaths == ()
        game.replays()


@pytest.mark.threat("T-47")
def test_ballots_count_though_rules_die_over_them() -> None:
    with Sandbox(memory=MEMORY) as judge:
        game = Game(judge, *bombs("on_ballot_cast", 3))
        proposed = game.act("ann", "propose", title="Tea", changes=[{"enact": {"title": "Tea", "text": "At four."}}])
        assert proposed.outcome.accepted
        for voter in ("ann", "bob", "cid"):
            assert game.act(voter, "vote", proposal=901, choice="for").outcome.accepted
        assert "901" in documents(judge)["law"]["rules"]
        assert len(game.asleep()) == 3
        game.replays()


@pytest.mark.threat("T-48")
def test_nine_bombs_on_a_daily_timer_cost_their_tick_only() -> None:
    clock = rule("60", "def on_dawn(e):\n    add('game', 'total', 1)", timers={"dawn": {"every": "day", "at": "06:00"}})
    with Sandbox(memory=MEMORY) as judge:
        game = Game(judge, clock, *bombs("on_dawn", 9))
        for _day in range(2):
            due = due_of(judge)
            assert due is not None
            game.now = due[0]
            ticked = game.act(None, "tick", timer="dawn")
            assert ticked.outcome.accepted
        assert documents(judge)["things/game"]["game"]["total"] == 2
        assert len(game.asleep()) == 9
        game.replays()


@pytest.mark.threat("T-49")
def test_twenty_five_rules_just_below_their_budget_end() -> None:
    with Sandbox(memory=MEMORY) as judge:
        game = Game(judge, *[rule(str(70 + n), f"def on_acted(e):\n    {HEAVY}") for n in range(25)])
        for do, args in ADMINISTRATORS[:3]:
            assert game.act("root", do, **args).outcome.accepted
        struck = game.act("ann", "strike")
        assert struck.outcome.accepted
        assert len(game.asleep()) > 8
        assert game.act("bob", "strike").outcome.accepted
        game.replays()


@pytest.mark.threat("T-50")
@pytest.mark.parametrize(
    "waking",
    [
        "def on_acted(e):\n    if e.action.name == 'strike':\n        wake('71')\n        emit('go')",
        "def on_acted(e):\n    if e.action.name == 'strike':\n        amend('71', title = 'Woken')\n        emit('go')",
    ],
)
def test_who_wakes_a_killer_answers_for_it(waking: str) -> None:
    with Sandbox(memory=MEMORY) as judge:
        game = Game(judge, rule("70", waking), rule("71", f"def on_go(e):\n    {BOMB}"))
        assert game.act("root", "suspend", rule="71", why="it kills").outcome.accepted
        assert game.act("ann", "strike").outcome.accepted
        assert game.asleep() == {"70", "71"}
        assert game.act("bob", "strike").event.deaths == ()
        game.replays()


@pytest.mark.threat("T-50")
def test_who_enacts_a_killer_answers_for_it() -> None:
    killer = f"def on_go(e):\n    {BOMB}\n".replace("\n", "\\n")
    script = f'def on_acted(e):\n    if e.action.by == "ann":\n        enact("Killer", "Text.", "{killer}")\n        emit("go")'
    with Sandbox(memory=MEMORY) as judge:
        game = Game(judge, rule("70", script))
        assert game.act("root", "pause").outcome.accepted
        assert game.act("root", "resume").outcome.accepted
        struck = game.act("ann", "strike")
        assert struck.outcome.accepted
        assert [death["rule"] for death in struck.event.deaths] == ["70"]
        assert struck.event.deaths[0]["hook"] == "on_go of rule 901"
        assert game.asleep() == {"70"}
        game.replays()


@pytest.mark.threat("T-47")
def test_a_refused_act_keeps_what_its_deaths_taught() -> None:
    guard = rule("60", "def forbid_strike(a):\n    return refuse('E-STATUS', 'not today')")
    asking = rule("70", f"def forbid_strike(a):\n    {BOMB}")
    with Sandbox(memory=MEMORY) as judge:
        game = Game(judge, guard, asking)
        for _ in range(2):
            game.act("ann", "strike")
        assert [bool(made.get("deaths")) for made in game.entries[1:]].count(True) <= 1
        game.replays()
