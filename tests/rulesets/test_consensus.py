"""The consensus game beside its scenarios: counted by another hand, and farmed by a hundred pull requests."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from folkmoot.core.keys import PLAYERS, proposal_key
from folkmoot.game.rulesets import founding
from folkmoot.game.status import deadline
from folkmoot.kernel.chance import open_chance
from folkmoot.scenarios.scenario import Run, found

PEOPLE = ["ann", "bob", "cid", "dee", "eve", "fay", "gil"]
TABLE = {0: 0, 1: 0, 2: 1, 3: 1, 4: 2, 5: 2, 6: 3, 7: 3, 8: 5, 9: 5, 10: 8}


def game(players: int) -> Run:
    scenario: dict[str, Any] = {"scenario": "consensus", "ruleset": "consensus", "players": PEOPLE[:players]}
    return found(scenario, founding, lambda event: open_chance("consensus", str(event.seq)))


def propose(run: Run, by: str, **rule: str) -> str:
    """Propose a rule; return the code of a refusal, else nothing."""
    changes = [{"enact": {"title": "Dragon", "text": "There is a dragon.", **rule}}]
    outcome = run.apply("propose", by, None, {"title": rule.get("title", ""), "changes": changes})
    return "" if outcome.accepted else outcome.code


def vote(run: Run, who: str, choice: str, number: int) -> None:
    assert run.apply("vote", who, None, {"proposal": number, "choice": choice}).accepted


def state(run: Run, number: int) -> str:
    found = run.kernel.documents.get(proposal_key(f"proposal/{number}"))
    assert found is not None
    return str(found["state"])


def score(run: Run) -> dict[str, int]:
    return {who: held["score"] for who, held in run.kernel.documents[PLAYERS].items()}


@pytest.mark.parametrize("players", [1, 2, 3, 5])
def test_a_proposal_is_law_on_the_day_and_at_the_vote_that_make_it_certain(players: int) -> None:
    """Whatever the votes: at most so many missing of those counted as its days allow, and more than half for it."""
    for approving, aside in product(range(1, players + 1), range(players)):
        if approving + aside > players:
            continue
        run = game(players)
        assert propose(run, "ann") == ""
        for who in PEOPLE[1:approving]:
            vote(run, who, "approve", 1)
        for who in PEOPLE[approving : approving + aside]:
            vote(run, who, "stand aside", 1)
        for day in range(8):
            counted = players - aside
            certain = any(counted - approving <= TABLE[past] and 2 * approving > counted for past in range(day + 1))
            assert state(run, 1) == ("adopted" if certain else "open"), (players, approving, aside, day)
            run.advance(run.now + 24 * 3600, after_deadlines=True)


def test_a_hundred_pull_requests_with_the_same_content_pay_once_if_at_all() -> None:
    run = game(3)
    assert propose(run, "ann") == ""
    again = [propose(run, who, title=f"{who} {number}") for number in range(33) for who in PEOPLE[:3]]
    assert set(again) == {"E-DUP"}
    for who in ("bob", "cid"):
        vote(run, who, "approve", 1)
    assert score(run) == {"ann": 3, "bob": 0, "cid": 0}
    again = [propose(run, who, text="There is  a\ndragon.") for who in PEOPLE[:3]]
    assert set(again) == {"E-DUP"}, "a rule in force has this text"


def test_a_hundred_pull_requests_in_a_row_pay_one_a_day() -> None:
    run = game(2)
    for number in range(1, 101):
        who, other = PEOPLE[number % 2], PEOPLE[1 - number % 2]
        assert propose(run, who, text=f"Dragon {number} is {'kind' if number % 3 else 'wild'}.") == ""
        vote(run, other, "approve", number)
        assert state(run, number) == "adopted"
    assert score(run) == {"ann": 3, "bob": 3}


def test_to_enact_and_repeal_the_same_in_turns_pays_once() -> None:
    run = game(2)
    for number in range(1, 11):
        if number % 2:
            assert propose(run, "ann", title=f"Dragon {number}") == ""
        else:
            gone = {"changes": [{"repeal": str(14 + (number - 2) // 2)}]}
            assert run.apply("propose", "bob", None, gone).accepted
        vote(run, "bob" if number % 2 else "ann", "approve", number)
        assert state(run, number) == "adopted"
        run.advance(run.now + 25 * 3600, after_deadlines=True)
    assert score(run)["ann"] == 3


def test_a_vote_is_said_to_end_when_it_lapses_and_not_at_the_end_of_the_day() -> None:
    run = game(3)
    assert propose(run, "ann") == ""
    documents = run.kernel.documents.everything()
    proposal = documents[proposal_key("proposal/1")]
    assert deadline(documents, proposal) == proposal["opened_at"] + 21 * 24 * 3600
    documents["things/timer"] = {key: each for key, each in documents["things/timer"].items() if each.get("period")}
    assert documents["things/timer"], "its days are counted"
    assert deadline(documents, proposal) is None
