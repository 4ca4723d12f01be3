"""A rule whose script sleeps is announced wherever the game's standing is told, and what it kept is not shown as held."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from folkmoot.cli.outcomes import plain
from folkmoot.game.session import Session
from folkmoot.game.status import asleep_in
from folkmoot.referee.mentions import GameState
from folkmoot.referee.outbox import _lines
from folkmoot.site.page_model import drawn_page
from folkmoot.site.pages.now import now_page
from folkmoot.site.pages.status import mover
from folkmoot.wording.game_view import GameView
from tests.support.moot import Moot


@pytest.fixture
def voided(table: Moot) -> Moot:
    """Return a table at which the Judge found rule 201 void."""
    assert table("act", "invoke_judgment", "question=Is it so?", "--by", "bob").code == 0
    judge = next(
        d["player"] for d in table("status", "--json").record["duties"] if "on which Judgment was invoked" in d["what"]
    )
    words = ("ruling=It conflicts.", "void=201", "against=101", "--as", "judge", "--by", judge)
    said = table("act", "judge", *words)
    assert said.code == 0, said.err
    return table


def test_status_says_which_rules_sleep_since_when_why_and_how_they_wake(voided: Moot) -> None:
    said = " ".join(voided("status").out.split())
    assert (
        "Rule 201 (Order of turns) sleeps since entry 3: “wholly void: it conflicts with immutable rule 101”." in said
    )
    assert "an administrator wakes it" in said
    assert "turn." not in said


def test_a_page_of_a_rule_does_not_say_none(voided: Moot) -> None:
    with Session.open(Path("state/table"), judging=True) as session:
        blocks = session.sandbox.pages(session.at)["turn"]["blocks"]
    assert "None" not in str(blocks), blocks
    assert "no rule in force says" in str(blocks)


def front(**changed: Any) -> tuple[GameView, str]:
    with Session.open(Path("state/table"), judging=True) as session:
        order = session.sandbox.order(session.at)
        view = GameView(slug="table", documents=session.documents, order=order, **changed)
    return view, plain(drawn_page(view, now_page(view)).body)


def test_the_front_page_says_it_and_shows_no_turn_that_nobody_keeps(voided: Moot) -> None:
    view, words = front()
    assert mover(view) is None
    assert "(Order of turns) sleeps since entry 3: “wholly void" in words
    assert "wakes it" in words
    assert "(as it was; rule 201" in words.replace("Rule", "rule")


def test_the_games_own_thread_says_it(voided: Moot) -> None:
    with Session.open(Path("state/table"), judging=True) as session:
        scene = GameState(game="table", documents=session.documents, now=session.at, choices=lambda _: [],
                          actions=session.actions)  # fmt: skip
        lines = list(_lines(scene, [], "", lambda _: None))
        assert any("sleeps since entry 3" in line for line in lines), lines


def test_awake_again_nothing_is_said(voided: Moot) -> None:
    said = voided("act", "wake", "rule=201", "--by", "ann")
    assert said.code == 0, said.err
    assert "sleeps" not in voided("status").out


def test_a_rule_out_of_force_does_not_sleep() -> None:
    law = {"rules": {"1": {"number": "1", "in_force": False, "suspended": "it failed"}}}
    assert asleep_in({"law": law}) == []
    assert asleep_in({}) == []
