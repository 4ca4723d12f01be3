"""Part 5 of the language review: what an open vote still needs is the law's to say, and is shown where people vote."""

from __future__ import annotations

import json
from typing import Any

import pytest

from folkmoot.core.problems import fail
from folkmoot.game.session import Session
from folkmoot.game.status import LONGEST_SAID
from tests.support.meeting import rule
from tests.support.quick import SMALL
from tests.support.seats import Seats, Sit
from tests.support.table import rule as made_rule


def law(answer: str) -> dict[str, Any]:
    asked = made_rule("40", f"def decide_standing(p):\n    return {answer}")
    return {**SMALL, "settings": {}, "rules": [*SMALL["rules"], asked]}


def voting(seats: Sit, answer: str) -> Seats:
    """Return a table at which one of those who may vote has voted, by a law with an answer."""
    table = seats(law(answer))
    table.open("ann", {"rules/dragon.yaml": rule("A dragon")})
    table.referee(60)
    table.moot("bob", "vote", "1", "for")
    table.referee(60)
    return table


def test_a_vote_says_in_the_laws_words_how_it_stands(seats: Sit) -> None:
    table = voting(seats, '"%d of %d are in" % (len(voted(p)), len(p.electorate))')
    assert "#### Votes\n\n- 1 of 4 are in.\n" in table.said(1)
    assert "\n  1 of 4 are in\n" in table.status("cid")
    table.moot("cid", "vote", "1", "against")
    table.referee(60)
    assert "2 of 4 are in." in table.said(1)
    assert json.loads(table.moot("ann", "status", "--json").out)["open"][0]["standing"] == "2 of 4 are in"


@pytest.mark.parametrize("answer", ["None", "7", '["it", "stands"]', "p", '""', '"\\n "', "1 // 0"])
def test_what_is_no_text_is_not_shown_and_the_vote_goes_on(seats: Sit, answer: str) -> None:
    table = voting(seats, answer)
    assert "#### Votes\n\n1 ballot is in" in table.said(1)
    assert json.loads(table.moot("ann", "status", "--json").out)["open"][0]["standing"] == ""


def test_a_sandbox_that_dies_over_it_costs_only_this_line(seats: Sit, monkeypatch: pytest.MonkeyPatch) -> None:
    def dead(session: Session, question: str, *_: Any, about: str = "") -> Any:
        if question == "standing":
            raise fail("E-JUDGE", "the sandbox died")

    monkeypatch.setattr(Session, "ask", dead)
    table = voting(seats, '"3 of 4"')
    assert "#### Votes\n\n1 ballot is in" in table.said(1)
    assert "3 of 4" not in table.said(1)


def test_what_the_law_says_is_one_line_and_means_nothing_to_a_forge(seats: Sit) -> None:
    table = voting(seats, '"@ann **now**\\n# Done\\n" + "x" * 9000')
    assert "\n- ＠ann \\*\\*now" in table.said(1)
    assert "\n# Done" not in table.said(1)
    shown = json.loads(table.moot("ann", "status", "--json").out)["open"][0]["standing"]
    assert "\n" not in shown
    assert len(shown) == LONGEST_SAID
