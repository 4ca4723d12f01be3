"""P5 of the language review: the law says whether ballots are displayed before the count, and every display obeys."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import pytest

from folkmoot.cli.explaining import explained
from folkmoot.game.session import Session
from folkmoot.site.game_views import view_of
from tests.support.meeting import rule
from tests.support.quick import SMALL
from tests.support.seats import Seats, Sit
from tests.support.site_game import render_game
from tests.support.table import VOTING, Table
from tests.support.table import rule as made_rule

DRAGON = {"rules/dragon.yaml": rule("A dragon")}
REASON = "Zanzibar"


def law(answer: str) -> dict[str, Any]:
    asked = made_rule("40", f"def decide_ballots_displayed(p):\n    return {answer}")
    return {**SMALL, "settings": {}, "rules": [*SMALL["rules"], asked]}


def displays(seats: Seats, seq: int) -> Iterator[tuple[str, str]]:
    """Yield what somebody else is shown that holds ballots: the comment, what commands explain, pages and feeds."""
    record = seats.game()
    yield "comment", seats.said(1)
    yield "status", seats.status("ann")
    with closing(Session(record, record.load(), record.head)) as session:
        for words in (["proposal", "301"], ["ballot", "301", "bob"], ["entry", str(seq)]):
            yield " ".join(words), json.dumps(explained(session, words)[0])
        yield from render_game(view_of(session)).items()


@pytest.fixture
def voting(seats: Sit) -> Callable[[str], dict[str, str]]:
    """Return a function that opens a vote by a law with an answer, has bob vote, and returns every display."""

    def played(answer: str) -> dict[str, str]:
        table = seats(law(answer))
        table.open("ann", DRAGON)
        table.referee(60)
        table.moot("bob", "vote", "1", "against", REASON)
        table.referee(60)
        assert table.ballots() == {"bob": "against"}
        assert table.sound()
        return dict(displays(table, table.game().head.seq))

    return played


def saying(shown: dict[str, str]) -> set[str]:
    return {name for name, text in shown.items() if REASON in text}


def test_every_display_shows_ballots_at_once_where_the_law_says_so(voting: Callable[[str], dict[str, str]]) -> None:
    shown = voting("True")
    wanted = {"comment", "proposal 301", "ballot 301 bob", "proposals/301.md"}
    assert wanted <= saying(shown)
    assert any(name.startswith("log/") or "journal" in name for name in saying(shown)), sorted(shown)
    assert "has not voted" in shown["proposals/301.md"]


@pytest.mark.parametrize("answer", ["None", '"yes"', "1 // 0"])
def test_none_shows_them_where_it_says_no_nothing_or_nonsense(
    voting: Callable[[str], dict[str, str]], answer: str
) -> None:
    assert saying(voting(answer)) == set()


@pytest.mark.parametrize("answer", ['"yes"', "{}", "1 // 0"])
def test_an_answer_that_cannot_be_used_is_a_failure_of_its_rule(answer: str) -> None:
    table = Table(made_rule("40", f"def decide_ballots_displayed(p):\n    return {answer}"), VOTING)
    number = table.propose("ann")
    failed = [each for entry in table.entries for each in entry.get("failures", ())]
    assert [(each["rule"], each["hook"]) for each in failed] == [("40", "decide_ballots_displayed")]
    assert table.proposal(number)["state"] == "open"
    assert "displayed" not in table.proposal(number)


def test_what_the_law_said_when_the_vote_opened_holds_for_that_vote() -> None:
    asked = made_rule("40", "def decide_ballots_displayed(p):\n    return get('game', 'glass')\ndef do_break(a):\n    put('game', 'glass', False)",
                      defines={"game": {"glass": {"type": "boolean", "initial": True}}}, actions={"break": {"summary": "Break it"}})  # fmt: skip
    table = Table(asked, VOTING)
    first = table.propose("ann")
    table.ok("ann", "break")
    second = table.propose("bob")
    assert table.proposal(first)["displayed"] is True
    assert "displayed" not in table.proposal(second)
