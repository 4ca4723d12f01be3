"""Which rules sleep is told wherever the game's standing is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from folkmoot.cli.outcomes import plain
from folkmoot.game.session import Session
from folkmoot.referee.mentions import GameState
from folkmoot.referee.outbox import lines_awaited
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


def test_which_rules_sleep_is_told_wherever_the_games_standing_is_told_and_no_more_when_they_wake(voided: Moot) -> None:
    said = " ".join(voided("status").out.split())
    slept = "Rule 201 (Order of turns) sleeps since entry 3: “wholly void: it conflicts with immutable rule 101”."
    assert slept in said
    assert "an administrator wakes it" in said
    assert "turn." not in said
    with Session.open(Path("state/table"), judging=True) as session:
        blocks = str(session.sandbox.pages(session.at)["turn"]["blocks"])
        view = GameView(slug="table", documents=session.documents, order=session.sandbox.order(session.at))
        words = plain(drawn_page(view, now_page(view)).body)
        asked = {"choices": lambda _: [], "actions": session.actions}
        scene = GameState(slug="table", documents=session.documents, at=session.at, **asked)
        lines = list(lines_awaited(scene, [], "", lambda _: None))
    assert "None" not in blocks
    assert "no rule in force says" in blocks
    assert mover(view) is None
    assert "(Order of turns) sleeps since entry 3: “wholly void" in words
    assert any("sleeps since entry 3" in line for line in lines), lines
    assert voided("act", "wake", "rule=201", "--by", "ann").code == 0
    assert "sleeps" not in voided("status").out
