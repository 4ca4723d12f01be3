"""What scenario files of imperial cannot say well: what is covered by them, the site of a short game, many planks."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from folkmoot.core.keys import number_key
from folkmoot.files.reader import read_scenario
from folkmoot.game.rulesets import founding
from folkmoot.game.session import Session
from folkmoot.language.tree import texts_of
from folkmoot.scenarios.known_names import known_in
from folkmoot.scenarios.scenario import found
from folkmoot.scenarios.script_check import check_script
from folkmoot.site.game_views import view_of
from tests.support.site_game import render_game

Record = dict[str, Any]
SCENARIOS = sorted((Path(__file__).parents[1] / "scenarios" / "imperial").glob("*.yaml"))
START = 1_767_614_400
WORKED = [
    *(1, 2, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, 16, 17, 18, 20, 21, 22, 24, 25, 26, 28, 29, 30, 32, 33, 34, 36, 37, 38),
    *(40, 41, 42, 43, 44, 45, 46, 48, 49, 50, 52, 53, 54, 56, 57, 58, 60, 61, 62, 64, 65, 66, 68, 69, 70, 72, 73, 74),
]
ACTIONS = {
    *("submit_proposal", "whap", "point_of_order", "uphold", "dismiss", "decide", "proclaim", "direct", "rewrite"),
    *("revoke_directive", "announce_day", "swap_offer", "swap_accept", "claim_near_match", "tag", "subscribe"),
    *("unsubscribe", "transfer_office", "retool", "rotate", "sealant", "defend", "vandalise", "become_ff"),
}


@pytest.fixture(scope="module")
def scenarios() -> list[Record]:
    """Return every scenario of the ruleset."""
    return [read_scenario(path.read_text("utf-8"), str(path)) for path in SCENARIOS]


def test_the_rules_have_their_numbers_and_no_script_is_at_fault() -> None:
    rules = founding("imperial")["rules"]
    numbers = [rule["rule"] for rule in rules]
    assert numbers == sorted([*map(str, range(1, 9)), "8", *map(str, range(10, 23))], key=number_key)
    assert [rule["uid"] for rule in rules if rule["rule"] == "8"] == ["8a", "8b"]
    known = known_in(rules)
    assert [problem for rule in rules for problem in check_script(rule, known)] == []


def test_the_names_of_the_catalogue_are_offered() -> None:
    offered = known_in(founding("imperial")["rules"])
    assert offered.actions >= ACTIONS
    assert offered.settings >= {f"G1-Q{n}" for n in range(1, 32)}
    assert offered.offices == {"tie", "ths"}
    assert "day-end" in offered.timers


def test_every_worked_test_has_a_scenario_under_its_number() -> None:
    numbered = {int(found_[1]) for path in SCENARIOS if (found_ := re.match(r"T1-(\d+)-", path.name))}
    assert numbered == set(WORKED)


def test_every_reading_of_every_switch_is_tried(scenarios: list[Record]) -> None:
    tried = {(switch, str(word)) for one in scenarios for switch, word in (one.get("settings") or {}).items()}
    declared = {
        (switch, word)
        for law in founding("imperial")["rules"]
        for switch, about in (law.get("settings") or {}).items()
        for word in about["alternatives"]
        if word != about["default"]
    }
    assert declared <= tried


def test_every_code_is_the_refusal_of_some_scenario(scenarios: list[Record]) -> None:
    refused = {step["refused"] for one in scenarios for step in one.get("steps") or () if "refused" in step}
    codes = {text for rule in founding("imperial")["rules"] for text in texts_of(rule.get("script") or "")}
    assert set(filter(re.compile("E-[A-Z][A-Z-]*").fullmatch, codes)) <= refused
    assert refused >= {"E-NOT-OFFICE", "E-NOT-PLAYER", "E-GAME-OVER", "E-NO-SUCH", "E-DUP", "E-ORDER"}


def people(count: int) -> list[Record]:
    """Return players with addresses and planks."""
    return [{"id": f"p{n}", "email": f"p{n}@x.org", "profile": (37 * n) % 65536} for n in range(count)]


def game(count: int, **given: Any) -> Record:
    """Return the founding of a game of so many players, with p0 in both offices."""
    offices = {"tie": "p0", "ths": "p0"}
    return {**founding("imperial"), "players": people(count), "offices": offices, "opening": [], **given}


def test_pages_of_two_hundred_planks_are_shown() -> None:
    run = found({"ruleset": "imperial"}, lambda _name: game(200), lambda event: _chance(event.seq))
    pages = run.kernel.pages(run.now)
    assert {name: page["error"] for name, page in pages.items() if "error" in page} == {}
    stack = pages["game_profile"]["blocks"][2]
    assert len(stack["grid"]["cells"]) == 3200
    assert "200 Profiles form a **parallelogram**: 400 cm" in pages["game_profile"]["blocks"][1]["text"]


def _chance(seq: int) -> Any:
    from folkmoot.kernel.chance import open_chance

    return open_chance("", str(seq))


def test_planks_of_the_game_profile_fit_each_other() -> None:
    run = found({"ruleset": "imperial"}, lambda _name: game(5), lambda event: _chance(event.seq))
    cells = run.kernel.pages(run.now)["game_profile"]["blocks"][2]["grid"]["cells"]
    for n in range(1, 5):
        above, below = (_edges(cells, f"p{place}") for place in (n - 1, n))
        assert above["bottom"] == below["top"]
    assert {y for _, y in _edges(cells, "p0")["top"]} == {20}


def _edges(cells: Record, player: str) -> Record:
    """Return the corners of a plank's sections along its upper and its lower side."""
    mine = [cell["points"] for cell in cells.values() if cell["owner"] == player]
    top = {tuple(corner) for points in mine for corner in points[:2]}
    bottom = {tuple(corner) for points in mine for corner in points[2:]}
    return {"top": top, "bottom": bottom}


def test_the_site_of_a_short_game(tmp_path: Path) -> None:
    place = tmp_path / "state" / "heat"
    assert Session.found(place, game(4, title="Heat"), START).accepted
    shave = [{"retool": {"section": 16, "to": "depressed"}}]
    with Session.open(place, writing=True) as session:
        assert session.act("p1", "submit_proposal", {"title": "Shave", "requests": shave}, at=START + 60).accepted
        assert session.act("p0", "decide", {"number": 1, "verdict": "accept"}, at=START + 120).accepted
        assert session.act("p2", "submit_proposal", {"text": "Untitled"}, at=START + 180).accepted
        session.tick(START + 90_000)
    with Session.open(place) as session:
        pages = render_game(view_of(session))
    boards = {Path(path).stem: text for path, text in pages.items() if path.startswith("boards/")}
    now, _, earlier = boards["thermometer"].partition('class="steps')
    assert (_cells(now), _cells(earlier)) == (50, 50)
    assert "Temperature ends at" in boards["thermometer"]
    assert "End of day 1" in boards["game_5fprofile"]
    assert _cells(boards["profiles"].partition('class="steps')[0]) == 4 * 16
    assert "p1@x.org" not in pages["players/p1.md"]


def _cells(drawn: str) -> int:
    """Return how many cells figures have."""
    return sum(outlines.count("M") for outlines in re.findall(r'<path class="cell [^"]*" d="([^"]*)"', drawn))
