"""Whatever a rule of A Nomic lets somebody owe is told in status, comments, calls, pages and calendars alike.

Each kind of duty comes up in a scenario, which is played until somebody owes one; a rule that begins to note duties of
another kind has to be named here.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from icalendar import Calendar

from folkmoot.core.declared_kinds import declared_in
from folkmoot.core.events import Outcome
from folkmoot.files.reader import read_scenario
from folkmoot.game import rulesets
from folkmoot.game.status import OPEN, comment_line
from folkmoot.kernel.act_declarations import KERNEL_DECLARATIONS
from folkmoot.referee import mentions
from folkmoot.referee.mentions import GameState
from folkmoot.referee.outbox import lines_awaited
from folkmoot.scenarios.scenario import Run, run_scenario
from folkmoot.site.data_files import calendar_files
from folkmoot.site.pages.status import owed
from folkmoot.wording.game_view import GameView
from folkmoot.wording.law_sentence import quotation
from folkmoot.wording.markup import strip
from folkmoot.wording.page_links import Here
from tests.scenarios.conftest import with_lists

ROOT = Path(__file__).parents[2]
SCENARIOS = ROOT / "tests" / "scenarios" / "a-nomic"
RULES = ROOT / "engine" / "folkmoot" / "game" / "rulesets" / "a-nomic" / "rules"
KINDS = {
    "challenge/similarity": ("337", "a-09-removed-after-ten-days", "/post_challenge game=similarity"),
    "challenge/mediocrity": ("343", "a-712-mediocrity-level-1", "/post_challenge"),
    "pay": ("347", "a-24-stamp-of-failure", "/pay debt=debt-1"),
    "randal": ("350", "a-121-randal-deadline", "/record_randal …"),
    "showdown": ("396", "a-109-showdown", "/show_hands"),
    "away": ("307", "a-36-tribune-spacing", "/confirm_away player=bob"),
    "contest": ("336", "a-70-earliest", "/judge"),
    "debts": ("347", "a-412-bank-repays", "/bank_act …"),
    "extra_vote": ("320", "a-438-extra-vote-ordered", "/order_extra_vote …"),
    "go_tie": ("365", "a-505-the-consul-decides", "/go_name_winner …"),
    "judge": ("R-16", "a-117-in-time", "/draw_judge rfj=1"),
    "order": ("R-16", "a-713-rfj", "/report_duty_done duty=order/rfj-1/1"),
    "payment": ("317", "a-465-given-debts", "/motion_payment debt=debt-1"),
    "tie": ("359", "a-33-tie", "/break_tie office=osj …"),
    "verdict": ("R-16", "a-117-in-time", "/verdict rfj=1 …"),
    "win": ("R-13", "a-339-win", "/credit_win player=bob"),
}
"""The kinds of duties by the beginnings of their keys: the rule, a scenario, and how a comment does what is owed."""
NOTING = re.compile(r"\bowe(?:_all)?\(|emit\(\"duty_assigned\"")
KEEPING = "R-18"  # notes what other rules assign


class Owed(Exception):
    """Somebody owes a duty of the kind that is looked for."""


def test_every_rule_that_notes_duties_is_played_here() -> None:
    noting = {path.stem for path in RULES.glob("*.yaml") if NOTING.search(path.read_text("utf-8"))}
    assert noting - {KEEPING} == {rule for rule, _, _ in KINDS.values()}


def owing(kind: str, scenario: str, monkeypatch: pytest.MonkeyPatch) -> tuple[Run, dict[str, Any]]:
    """Play a scenario until somebody owes a duty of a kind; return the play and the duty, with its key."""
    found: list[tuple[Run, dict[str, Any]]] = []
    apply = Run.apply

    def applied(run: Run, *given: Any, **named: Any) -> Outcome:
        outcome = apply(run, *given, **named)
        for key, duty in (run.kernel.documents.find("things/duty") or {}).items():
            if key == kind or key.startswith(f"{kind}/"):
                found.append((run, {"key": key, **duty}))
                raise Owed
        return outcome

    monkeypatch.setattr(Run, "apply", applied)
    path = SCENARIOS / f"{scenario}.yaml"
    written = read_scenario(path.read_text("utf-8"), str(path))
    with pytest.raises(Owed):
        run_scenario(written, rulesets.founding, with_lists)
    return found[0]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_owed_is_told_everywhere(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _, scenario, line = KINDS[kind]
    run, duty = owing(kind, scenario, monkeypatch)
    documents = run.kernel.documents.everything()
    rules = {uid: documents[f"rules/{uid}"] for uid in documents["law"]["rules"] if f"rules/{uid}" in documents}
    declared = {name: spec for name, (_uid, spec) in declared_in(rules.items(), "actions").items()}
    actions = declared | {name: spec for name, spec in KERNEL_DECLARATIONS.items() if name not in declared}

    told = comment_line(duty, actions)
    assert re.sub(r"\S+=…", OPEN, told).startswith(line), told
    named = {word.partition("=")[0] for word in shlex.split(told)[1:]}
    assert named <= set(declared[told.split()[0][1:]]["arguments"] or {})
    assert duty["by"] is not None, "each duty of the game has a time, R-18"

    state = GameState(slug="a", documents=documents, at=run.now, choices=lambda _: [], actions=lambda: actions)
    lines = [part for part in lines_awaited(state, (), "", lambda _: None) if duty["what"] in part.replace("\\", "")]
    assert any(f"`{told}`" in part and duty["player"] in part for part in lines), lines
    calls = [each for each in mentions.of_duties(state, ()) if duty["what"] in each.text().replace("\\", "")]
    assert calls, "nobody is called"
    assert all(duty["player"] in each.players for each in calls if duty["player"] != duty["cause"])

    on_the_web = {**documents, "game": {**documents["game"], "forge": {"kind": "github"}}}
    view = GameView(slug="a", documents=on_the_web, order=[*documents["law"]["rules"]])
    shown = [*owed(Here(view, "index.md"), duty["player"])]
    assert any(duty["what"] in strip(each.words) and told in each.line for each in shown)
    for name in ("calendar.ics", f"players/{duty['player']}.ics"):
        events = Calendar.from_ical(calendar_files(view)[name]).walk("VEVENT")
        due = [event for event in events if str(event["summary"]).endswith(quotation(duty["what"]))]
        assert due, name
        assert {int(event["dtstart"].dt.timestamp()) for event in due} >= {duty["by"]}
