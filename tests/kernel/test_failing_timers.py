"""Issue 9: a timer that fails each day in the same way is on record once, and counted where the rule is shown."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from folkmoot.game.explain import explain_rule
from folkmoot.game.session import Session
from folkmoot.site.page_model import made
from folkmoot.site.pages.rule import rule_sheets
from folkmoot.wording.game_view import GameView
from tests.support.silence import DAY, START, lasting, proved
from tests.support.site_game import render
from tests.support.table import Table, rule

FAILING: dict[str, Any] = {
    "rule": "1",
    "title": "Broken clock",
    "script": "def on_bell(e):\n    fail('broken at %d' % e.due)\n",
    "timers": {"bell": {"every": "day", "time": "06:00"}},
}


@pytest.mark.threat("T-91")
def test_the_same_failure_is_recorded_once_and_counted(tmp_path: Path) -> None:
    folder = lasting(tmp_path / "failing", FAILING)
    with Session.open(folder, writing=True) as session:
        entries = session.tick(START + 90 * DAY)
        assert [entry["do"] for entry in entries] == ["tick"]
        assert session.ticks == 90
        session.act("ann", "state", {"text": "What is the time?"}, at=START + 90 * DAY)
        told = explain_rule(session, "1")["failures"]
        assert [(each["seq"], each["times"]) for each in told] == [(2, 90)]
        assert told[0]["last"] == START + 89 * DAY + 18 * 3600
        view = GameView(slug="x", documents=session.documents)
        shown = [render(made(view, sheet)) for sheet in view.index(rule_sheets).values() if sheet.path == "law/1.md"]
        assert "90" in shown[0].partition("Each failure")[2]
    assert proved(folder).sound


def test_another_failure_and_another_revision_are_new() -> None:
    table = Table(
        rule(
            "1",
            "def on_bell(e):\n    fail('a' if get('game', 'n') == 0 else 'b')\n",
            timers={"bell": {"every": "day"}},
            defines={"game": {"n": {"type": "integer", "initial": 0}}},
        )
    )
    table.pass_time(3 * DAY)
    table.ok("root", "correct", of="game", name="n", to=1, why="x")
    table.pass_time(3 * DAY)
    table.ok("root", "repair", changes=[{"amend": "1", "title": "Still broken"}], why="x")
    table.pass_time(3 * DAY)
    assert [entry["do"] for entry in table.entries] == ["found", "tick", "correct", "tick", "repair", "tick"]
    kept = table.document("law")["rules"]["1"]["failures"]
    assert [(each["revision"], each["times"]) for each in kept] == [(1, 3), (1, 3), (2, 3)]
    table.replay_all()


def test_what_else_comes_of_a_timer_is_recorded_with_its_failures() -> None:
    table = Table(FAILING, rule("2", "def on_bell(e):\n    announce('ding')\n"))
    table.pass_time(3 * DAY)
    ticks = table.entries[1:]
    assert [len(entry["failures"]) for entry in ticks] == [1, 1, 1]
    assert table.document("law")["rules"]["1"]["failures"][0]["times"] == 3
    table.replay_all()
