"""The assembly, the council, consensus and Suber's limit of rules beside their scenarios: counted by another hand, locked and farmed."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import pytest

from folkmoot.core.calendar import DAY
from folkmoot.core.keys import PLAYERS, proposal_key
from folkmoot.game.rulesets import founding
from folkmoot.game.status import deadline
from folkmoot.kernel.proposals import find_proposal
from folkmoot.scenarios.trial import rehearse, try_changes
from tests.rulesets.promises.small import outcome_of
from tests.support.random_play import Manners, Table

PEOPLE = ["ann", "bob", "cid", "dee", "eve", "fay", "gil"]


def game(ruleset: str, players: int, **given: Any) -> Table:
    return Table(ruleset, manners=Manners([{"id": who} for who in PEOPLE[:players]]), **given)


def done(table: Table, by: str, do: str, as_: str | None = None, **args: Any) -> None:
    assert table.do(do, by, as_, **args), table.run.entries[-1]


# -- what would lock a game


@pytest.mark.parametrize(
    ("ruleset", "office", "locks"),
    [("assembly", "herald", ["4", "5", "6", "10"]), ("council", "monarch", ["4", "5", "10"])],
)
def test_what_would_lock_the_game_is_found_before(ruleset: str, office: str, locks: list[str]) -> None:
    """Without proposals, distribution, voting or the count nothing becomes law any more; all else may go."""
    run = game(ruleset, 3, given=[{"office": office, "holder": "bob"}]).run
    start, found = run.kernel.documents.snapshot(), []
    for rule in founding(ruleset)["rules"]:
        run.kernel.come_back(start)
        if try_changes(run.kernel, [{"repeal": rule["rule"]}], [], len(run.entries), run.now).locked_out:
            found.append(rule["rule"])
    assert found == locks


# -- the assembly


def test_votes_of_an_assembly_are_counted_as_by_another_hand() -> None:
    dice, drafts, people = random.Random(1), range(1, 13), PEOPLE[:6]
    table = game("assembly", 6, given=[{"game": True, "turnout": 5}], settings={"goal": "50"})
    thresholds = {number: dice.randint(1, 3) for number in drafts}
    for number, threshold in thresholds.items():
        done(
            table, "ann", "propose", title=f"No. {number}", changes=[], requests=[{"demand": {"threshold": threshold}}]
        )
    done(table, "bob", "distribute", "herald")
    cast: dict[int, dict[str, str]] = {number: {} for number in drafts}
    choices = ["FOR", "FOR", "AGAINST", "PRESENT", *(f"ENDORSE {who}" for who in people)]
    for number, ballots in cast.items():
        for voter in dice.choices(people, k=8):
            ballots[voter] = dice.choice(choices)
            done(table, voter, "vote", choice=ballots[voter], proposal=number)
    voices = {who: dice.randint(0, 5) for who in people}
    for who, voice in voices.items():
        table.run.kernel.documents[PLAYERS][who]["voice"] = voice
    table.wait(7 * DAY)
    known = {number: find_proposal(table.run.kernel.play, number) for number in drafts}
    outcomes = {
        number: outcome_of(cast[number], voices, each["registers"]["quorum"], thresholds[number])
        for number, each in known.items()
    }
    assert {number: each["outcome"] for number, each in known.items()} == outcomes
    assert len({*outcomes.values()}) > 1


# -- consensus

MISSING = {0: 0, 1: 0, 2: 1, 3: 1, 4: 2, 5: 2, 6: 3, 7: 3}


def propose(table: Table, by: str, **rule: str) -> str:
    """Propose a rule; return the code of a refusal, else nothing."""
    changes = [{"enact": {"title": "Dragon", "text": "There is a dragon.", **rule}}]
    table.do("propose", by, title=rule.get("title", ""), changes=changes)
    return str(table.run.entries[-1].get("code") or "")


def state(table: Table, number: int) -> str:
    return str(table.run.kernel.documents[proposal_key(f"proposal/{number}")]["state"])


def score(table: Table) -> list[int]:
    return [held["score"] for held in table.of("player").values()]


@pytest.mark.parametrize("players", [1, 2, 3])
def test_a_proposal_is_law_on_the_day_and_at_the_vote_that_make_it_certain(players: int) -> None:
    """Whatever the votes: at most so many missing of those counted as its days allow, and more than half for it."""
    for approving, aside in product(range(1, players + 1), range(players)):
        if approving + aside > players:
            continue
        table = game("consensus", players)
        assert propose(table, "ann") == ""
        for place, who in enumerate(PEOPLE[1 : approving + aside], 1):
            done(table, who, "vote", choice="approve" if place < approving else "stand aside", proposal=1)
        counted = players - aside
        for day in range(8):
            certain = any(counted - approving <= MISSING[past] and 2 * approving > counted for past in range(day + 1))
            assert state(table, 1) == ("adopted" if certain else "open"), (players, approving, aside, day)
            table.wait(DAY)


def test_many_pull_requests_with_the_same_content_pay_once_if_at_all() -> None:
    table = game("consensus", 3)
    assert propose(table, "ann") == ""
    assert {propose(table, who, title=f"{who} {number}") for number in range(3) for who in PEOPLE[:3]} == {"E-DUP"}
    for who in ("bob", "cid"):
        done(table, who, "vote", choice="approve", proposal=1)
    assert score(table) == [3, 0, 0]
    assert propose(table, "bob", text="There is  a\ndragon.") == "E-DUP", "a rule in force has this text"


def test_many_pull_requests_in_a_row_pay_one_a_day() -> None:
    table = game("consensus", 2)
    for number in range(1, 11):
        assert propose(table, PEOPLE[number % 2], text=f"Dragon {number} is {'kind' if number % 3 else 'wild'}.") == ""
        done(table, PEOPLE[1 - number % 2], "vote", choice="approve", proposal=number)
        assert state(table, number) == "adopted"
        table.wait(2 * 3_600)
    assert score(table) == [3, 3]


def test_to_enact_and_repeal_the_same_in_turns_pays_once() -> None:
    table = game("consensus", 2)
    for number in range(1, 6):
        who, other = PEOPLE[1 - number % 2], PEOPLE[number % 2]
        if number % 2:
            assert propose(table, who, title=f"Dragon {number}") == ""
        else:
            done(table, who, "propose", changes=[{"repeal": str(13 + number // 2)}])
        done(table, other, "vote", choice="approve", proposal=number)
        assert state(table, number) == "adopted"
        table.wait(DAY + 3_600)
    assert score(table)[0] == 3


def test_a_vote_is_said_to_end_when_it_lapses_and_not_at_the_end_of_the_day() -> None:
    table = game("consensus", 3)
    assert propose(table, "ann") == ""
    documents = table.run.kernel.documents.everything()
    proposal = documents[proposal_key("proposal/1")]
    assert deadline(documents, proposal) == proposal["opened_at"] + 21 * DAY
    documents["things/timer"] = {key: each for key, each in documents["things/timer"].items() if each.get("period")}
    assert documents["things/timer"], "its days are counted"
    assert deadline(documents, proposal) is None


# -- Suber's limit of mutable rules

ENACT: dict[str, Any] = {"enact": {"title": "One more", "text": "x", "labels": {"status": "mutable"}}}
LIMIT = "there would be 26 mutable rules, and 25 is the limit"


def floor(mutable: int) -> Table:
    """Found Suber's game without turns, in which so many rules are mutable."""
    law: Any = founding("suber")
    rules = [each for each in law["rules"] if each["rule"] not in ("201", "202")]
    missing = mutable - sum(each["labels"]["status"] == "mutable" for each in rules)
    more = [{"rule": str(400 + n), "uid": str(400 + n), **ENACT["enact"]} for n in range(missing)]
    return game("suber", 2, law={**law, "rules": [*rules, *more]})


def told(table: Table, by: str, do: str, **args: Any) -> str:
    done(table, by, do, **args)
    return " ".join(e["text"] for e in table.run.entries[-1]["effects"] if e["effect"] == "announce")


def standing(table: Table, number: int) -> Any:
    return table.run.kernel.ask("standing", [], table.run.now, about=f"proposal/{number}")


def test_that_a_proposal_would_make_too_many_mutable_rules_is_told_before_the_count() -> None:
    table = floor(mutable=24)
    assert told(table, "ann", "propose", title="One", changes=[ENACT]) == ""
    assert f"With all that is undecided {LIMIT}" in told(table, "bob", "propose", title="Two", changes=[ENACT])
    assert standing(table, 302) is None
    done(table, "ann", "finalise")
    done(table, "ann", "vote", proposal=301, choice="for")
    assert "as things stand it will be defeated (rule 209)" in told(table, "bob", "vote", proposal=301, choice="for")
    assert standing(table, 302) == f"as things stand it falls at the count: {LIMIT} (rule 209)"
    foretold = rehearse(table.run.kernel, [], "", "bob", table.run.now, proposal="proposal/302")
    assert (foretold.adopted, foretold.falls[:24]) == (False, "defeated: E-MUTABLE-LIMI")


def test_nothing_is_told_of_what_makes_no_rule_mutable() -> None:
    table = floor(mutable=25)
    assert told(table, "ann", "propose", title="Less", changes=[{"repeal": "400"}]) == ""
    assert standing(table, 301) is None
