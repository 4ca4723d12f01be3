"""The Assembly beside its scenarios: counted by another hand, and tried for what would lock it."""

from __future__ import annotations

import random
from typing import Any

import pytest

from folkmoot.core.keys import PLAYERS
from folkmoot.game.rulesets import founding
from folkmoot.kernel.chance import open_chance
from folkmoot.kernel.proposals import find_proposal
from folkmoot.scenarios.scenario import Run, found
from folkmoot.scenarios.trial import try_changes

PEOPLE = ["ann", "bob", "cid", "dee", "eve", "fay"]
DRAFTS = 12


def game(**more: Any) -> Run:
    scenario = {"scenario": "assembly", "ruleset": "assembly", "players": PEOPLE, **more}
    return found(scenario, founding, lambda event: open_chance("assembly", str(event.seq)))


def do(run: Run, by: str, act: str, as_: str | None = None, **args: Any) -> None:
    outcome = run.apply(act, by, as_, args)
    assert outcome.accepted, (by, act, outcome.code, outcome.reasons)


def test_the_scripts_are_short() -> None:
    rules = founding("assembly")["rules"]
    assert sum(rule.get("script", "").count("\n") for rule in rules) <= 417


def outcome_of(ballots: dict[str, str], voices: dict[str, int], quorum: int, threshold: int) -> str:
    """Count by another hand: follow every endorsement step by step, and weigh at the end."""
    count = {"FOR": 0, "AGAINST": 0, "PRESENT": 0}
    for voter in ballots:
        at, seen = voter, set()
        while at not in seen and ballots.get(at, "PRESENT").startswith("ENDORSE "):
            seen.add(at)
            at = ballots[at].removeprefix("ENDORSE ")
        count["PRESENT" if at in seen else ballots.get(at, "PRESENT")] += voices[voter]
    if len(ballots) < quorum:
        return "unattended"
    enough = count["FOR"] > count["AGAINST"] and count["FOR"] >= threshold * count["AGAINST"]
    return "adopted" if enough else "defeated"


@pytest.mark.parametrize("seed", range(2))
def test_votes_are_counted_as_by_another_hand(seed: int) -> None:
    dice = random.Random(seed)
    run = game(given=[{"game": True, "turnout": dice.choice([0, 5])}], settings={"goal": "50"})
    thresholds = [dice.randint(1, 3) for _ in range(DRAFTS)]
    for number, threshold in enumerate(thresholds, 1):
        wanted = [{"demand": {"threshold": threshold}}]
        do(run, "ann", "propose", title=f"No. {number}", changes=[], requests=wanted)
    do(run, "bob", "distribute", "herald")
    cast: list[dict[str, str]] = [{} for _ in range(DRAFTS)]
    said = ["FOR", "FOR", "AGAINST", "PRESENT", *(f"ENDORSE {who}" for who in PEOPLE)]
    for number, ballots in enumerate(cast, 1):
        for voter in dice.choices(PEOPLE, k=8):
            ballots[voter] = dice.choice(said)
            do(run, voter, "vote", choice=ballots[voter], proposal=number)
    voices = {who: dice.randint(0, 5) for who in PEOPLE}
    for who, voice in voices.items():
        run.kernel.documents[PLAYERS][who]["voice"] = voice
    run.advance(run.now + 7 * 86_400, after_deadlines=True)
    proposals = [find_proposal(run.kernel.play, number) for number in range(1, DRAFTS + 1)]
    outcomes = [
        outcome_of(ballots, voices, proposal["registers"]["quorum"], threshold)
        for ballots, proposal, threshold in zip(cast, proposals, thresholds, strict=True)
    ]
    assert [proposal["outcome"] for proposal in proposals] == outcomes
    assert len(set(outcomes)) > 1


def test_what_would_lock_the_game_is_found_before() -> None:
    """Without a pool, distribution, voting or the count nothing becomes law any more; all else may go."""
    locks = [rule["rule"] for rule in founding("assembly")["rules"] if locked_out(rule["rule"])]
    assert locks == ["4", "5", "6", "10"]


def locked_out(number: str) -> str:
    run = game(given=[{"office": "herald", "holder": "bob"}])
    return try_changes(run.kernel, [{"repeal": number}], [], len(run.entries), run.now).locked_out


OFFICES = {"distribute": "herald", "count": "teller", "report": "keeper", "answer": "arbiter"}


def something(dice: random.Random, run: Run, step: int) -> tuple[str, dict[str, Any]]:
    """Return an act of any kind with arguments that mostly mean something."""
    undecided = [find_proposal(run.kernel.play, name) for name in run.kernel.documents["game"]["open"]]
    number = dice.choice([p["number"] for p in undecided if p["number"]] or [1])
    intent = dice.choice(list(run.kernel.documents.get("things/intent") or {}) or ["intent-1"])
    rank, text = {"rank": dice.choice("123x")}, f"Step {step}.\n"
    change = dice.choice([{"enact": {"title": "A", "text": text, "labels": rank}}, {"repeal": dice.choice(["15", "19", "20"])},
                          {"amend": dice.choice(["3", "9", "16", "20"]), "text": text}])  # fmt: skip
    wish = dice.choice([{"demand": {"threshold": dice.randint(1, 4)}}, {"champion": {"player": dice.choice(PEOPLE)}}])
    said = dice.choice(["FOR", "FOR", "FOR", "AGAINST", "PRESENT", f"ENDORSE {dice.choice(PEOPLE)}"])
    by_hand: dict[str, Any] = {
        "proposal": number,
        "outcome": dice.choice(["adopted", "unattended"]),
        "why": "So it was.",
    }
    acts: list[tuple[int, str, dict[str, Any]]] = [
        (7, "propose", {"title": f"T{step}", "changes": [change], "requests": dice.choice([[], [wish]])}),
        (6, "distribute", {}), (40, "vote", {"choice": said, "proposal": number}),
        (3, "count", dice.choice([{}, by_hand])), (1, "withdraw", {}), (1, "reword", {"title": text}), (2, "join", {}),
        (2, "intend", {"what": "take_office", "of": dice.choice(["herald", "teller", "keeper"])}),
        (1, "intend", {"what": "ratify", "of": f"report-{dice.randint(1, 3)}"}), (3, "carry_out", {"intent": intent}),
        (1, "object", {"intent": intent}), (1, "resign", {"office": "teller"}), (1, "leave", {}), (2, "raise_voice", {}),
        (1, "report", {"text": text, "laurels": {dice.choice(PEOPLE): dice.randint(0, 40)}, "voices": {"ann": 4}}),
        (1, "name_deputy", {"office": "herald", "player": dice.choice(PEOPLE)}), (1, "ask_arbiter", {"question": text}),
        (1, "answer", {"doubt": "doubt-1", "answer": text, "switch": {"goal": "12"}}),
    ]  # fmt: skip
    return dice.choices([(do_, args) for _, do_, args in acts], [weight for weight, _, _ in acts])[0]


@pytest.mark.parametrize("seed", range(2))
def test_no_script_fails_in_random_play(seed: int) -> None:
    dice = random.Random(seed)
    switches = [switch for rule in founding("assembly")["rules"] for switch in rule.get("settings", {}).values()]
    run = game(settings={switch["name"]: dice.choice(sorted(switch["alternatives"])) for switch in switches})
    for step in range(150):
        if dice.random() < 0.08:
            run.advance(run.now + dice.choice([1, 24, 72, 170]) * 3600, after_deadlines=True)
        act, args = something(dice, run, step)
        run.apply(act, dice.choice(PEOPLE), OFFICES.get(act), args)
    assert [entry["failures"] for entry in run.entries if entry.get("failures")] == []
    assert "E-SCRIPT" not in {entry.get("code") for entry in run.entries}
    assert [name for name, page in run.kernel.pages(run.now).items() if "error" in page] == []
    outcomes = {
        effect["to"] for entry in run.entries for effect in entry.get("effects") or () if effect["effect"] == "resolve"
    }
    assert {"adopted", "defeated", "unattended"} & outcomes
