"""The Council beside its scenarios: played at random and judged by another hand, and tried for what would lock it."""

from __future__ import annotations

import random
from typing import Any

import pytest

from folkmoot.core.keys import GAME, PLAYERS, proposal_key
from folkmoot.game.rulesets import founding
from folkmoot.kernel.chance import open_chance
from folkmoot.kernel.things import things
from folkmoot.scenarios.scenario import Run, found
from folkmoot.scenarios.trial import try_changes
from tests.conftest import FUZZ

Record = dict[str, Any]
PEOPLE = ["ann", "bob", "cid", "dee", "eve"]
HOUR = 3600
STEPS = 150


def game() -> Run:
    scenario: Record = {"scenario": "council", "ruleset": "council", "players": PEOPLE}
    given = [{"office": "monarch", "holder": "ann"}]
    return found({**scenario, "given": given}, founding, lambda event: open_chance("council", str(event.seq)))


def test_the_scripts_are_short() -> None:
    rules = founding("council")["rules"]
    assert sum(rule.get("script", "").count("\n") for rule in rules) <= 370


def test_what_would_lock_the_game_is_found_before() -> None:
    """Without proposals, the words of votes, or what passes, nothing becomes law any more; all else may go."""
    locks = [rule["rule"] for rule in founding("council")["rules"] if locked_out(rule["rule"])]
    assert locks == ["4", "5", "10"]


def locked_out(number: str) -> str:
    run = game()
    return try_changes(run.kernel, [{"repeal": number}], [], len(run.entries), run.now).locked_out


# -- at random


def matters(run: Run) -> list[Record]:
    """Return what is undecided, oldest first."""
    found: list[Any] = [run.kernel.documents.get(proposal_key(each)) for each in run.kernel.documents[GAME]["open"]]
    return sorted(found, key=lambda each: each["number"])


def monarch(run: Run) -> str | None:
    """Return who reigns."""
    held = run.kernel.documents.everything().get("things/office") or {}
    return (held.get("monarch") or {}).get("holder")


def not_idle(run: Run) -> list[str]:
    """Return the players who are counted."""
    registers = run.kernel.documents[PLAYERS]
    return [who for who in things(run.kernel.play, "player") if not (registers.get(who) or {}).get("idle")]


def fate(run: Run, matter: Record) -> str | None:
    """Say by rules 5 to 10, in words of our own, what becomes of a matter as it stands; None: nothing yet."""
    reigns, ballots = monarch(run), {who: each["choice"] for who, each in matter["ballots"].items()}
    if reigns and ballots.get(reigns) == "VETO":
        return "defeated"
    said = [ballots.get(reigns, "") if each == "DEFERENTIAL" else each for each in ballots.values()]
    yes, no = said.count("FOR"), said.count("AGAINST") + said.count("VETO")
    quorum = len(not_idle(run)) // 2 + 1
    age = (run.now - matter["opened_at"]) / HOUR
    if age >= 12 and yes >= quorum:
        return "adopted"
    if age >= (24 if matter["kind"] == "declaration" else 48):
        return "adopted" if yes > no else "defeated"
    most = len(matter["electorate"]) - no
    return "defeated" if most < quorum and most <= no else None


def may_be_decided(run: Run) -> list[Record]:
    """Return what waits for nothing: declarations, else the oldest, but for while an Address is awaited."""
    undecided = matters(run)
    declared = [each for each in undecided if each["kind"] == "declaration"]
    awaited = "address-due" in (run.kernel.documents.everything().get("things/timer") or {})
    return declared if declared or awaited else undecided[:1]


def act(run: Run, dice: random.Random) -> None:
    """Let somebody do something, whether or not it is accepted."""
    undecided = matters(run) or [{"number": 1, "kind": "proposal"}]
    who, on, what = dice.choice(PEOPLE), dice.choice(undecided), dice.random()
    new = [uid for uid in run.kernel.play.law.in_force() if int(uid) > 15]
    change = {"repeal": dice.choice(new)} if new and what < 0.05 else {"enact": {"title": "Dragon", "text": "Roar."}}
    said = dice.choice(["FOR"] * 5 + ["AGAINST"] * 2 + ["DEFERENTIAL"] * 2 + ["VETO"])
    acts: list[tuple[float, str, Record]] = [
        (0.20, "propose", {"title": "Dragon", "changes": [change]}),
        (0.24, "call_judgement", {"question": "Is it so?", "answer": "It is."}),
        (0.255, "declare_victory", {"because": "I can."}),
        (0.30, "withdraw", {"proposal": on["number"]}),
        (0.33, "reword", {"proposal": on["number"], "title": "Demon"}),
        (0.36, "go_idle", {}),
        (0.42, "come_back", {}),
        (0.44, "leave", {}),
        (0.47, "join", {}),
        (0.50, "pass_mantle", {"to": dice.choice(PEOPLE)}),
        (0.60, "ascend", {"theme": "Ships."}),
        (1.00, "vote", {"proposal": on["number"], "kind": on["kind"], "choice": said}),
    ]
    _, do, given = next(each for each in acts if what < each[0])
    outcome = run.apply(do, who, "monarch" if do in ("ascend", "pass_mantle") else None, given)
    assert outcome.failures == [], (who, do, given, outcome.failures)


@pytest.mark.parametrize("seed", range(20 if FUZZ else 2))
def test_whatever_players_do_the_oldest_is_decided_as_soon_as_it_can_be(seed: int) -> None:
    dice, run = random.Random(seed), game()
    for _ in range(STEPS):
        if dice.random() < 0.2:
            run.advance(run.now + dice.choice([1, 6, 12, 30] * 4 + [100]) * HOUR, after_deadlines=True)
        else:
            act(run, dice)
        for matter in may_be_decided(run):
            assert fate(run, matter) is None, matter["id"]
        counted = not_idle(run)
        assert all(sorted(matter["electorate"]) == sorted(counted) for matter in matters(run))
        assert monarch(run) in [None, *counted]
    assert [entry["failures"] for entry in run.entries if entry.get("failures")] == []
    decided = [
        str(effect["of"])
        for entry in run.entries
        for effect in entry.get("effects") or ()
        if effect["effect"] == "close" and not str(effect["of"]).startswith("declaration/")
    ]
    numbers = [int(each.partition("/")[2]) for each in decided]
    assert len(numbers) > 3, "the game was played"
    assert numbers == sorted(numbers), "none was decided before an older one"
