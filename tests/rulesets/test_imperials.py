"""What scenarios of Imperial Nomic and its training game cannot say well: figures of pages, a site, a field amended in play."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from folkmoot.game.rulesets import founding
from folkmoot.game.session import Session
from folkmoot.kernel.chance import open_chance
from folkmoot.scenarios.scenario import Run, found, run_scenario
from folkmoot.site.game_views import view_of
from tests.support.site_game import render_game

Record = dict[str, Any]
START = 1_767_614_400


# -- planks


def people(count: int) -> list[Record]:
    """Return players with addresses and planks."""
    return [{"id": f"p{n}", "email": f"p{n}@x.org", "profile": (37 * n) % 65536} for n in range(count)]


def game(count: int, **given: Any) -> Record:
    """Return the founding of a game of so many players, with p0 in both offices."""
    offices = {"tie": "p0", "ths": "p0"}
    return {**founding("imperial"), "players": people(count), "offices": offices, "opening": [], **given}


def begun(count: int) -> Run:
    return found({"ruleset": "imperial"}, lambda _name: game(count), lambda event: open_chance("", str(event.seq)))


def test_pages_of_two_hundred_planks_are_shown() -> None:
    run = begun(200)
    pages = run.kernel.pages(run.now)
    assert {name: page["error"] for name, page in pages.items() if "error" in page} == {}
    stack = pages["game_profile"]["blocks"][2]
    assert len(stack["grid"]["cells"]) == 3200
    assert "200 Profiles form a **parallelogram**: 400 cm" in pages["game_profile"]["blocks"][1]["text"]


def test_planks_of_the_game_profile_fit_each_other() -> None:
    run = begun(5)
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


# -- Starball


def rule(uid: str) -> Record:
    """Return a rule of the ruleset."""
    return next(rule for rule in founding("imperial-training")["rules"] if rule["uid"] == uid)


def step(player: str, way: str) -> Record:
    """Return the step of a scenario in which a player declares a step."""
    return {"by": player, "do": "starball_move", "args": {"order": {"move": {"type": "step", "dir": way}}}}


def play(*steps: Record, given: list[Record], players: tuple[str, ...] = ("rico", "ann", "bob")) -> Run:
    """Play steps and return the game."""
    scenario: Record = {"scenario": "x", "ruleset": "imperial-training", "players": list(players), "given": given}
    run = run_scenario({**scenario, "steps": list(steps)}, founding)
    assert run is not None
    assert [entry["failures"] for entry in run.entries if entry.get("failures")] == []
    return run


def on(player: str, team: str, pos: str, **more: Any) -> Record:
    """Return what is given of a player on the field."""
    return {"player": player, "team": team, "pos": pos, "home": {"Emerald": "a3", "Peach": "l3"}[team], **more}


CLOSE = {"by": "rico", "do": "close_jp"}


def nine_columns() -> list[Record]:
    """Return the changes that take three columns off the field."""
    script = (
        rule("17")["script"]
        .replace("columns = 12", "columns = 9")
        .replace("zone = 12, goalies = 11", "zone = 9, goalies = 8")
    )
    script = script.replace('["i2", "i3", "i4"]', '["f2", "f3", "f4"]')
    page = rule("17-1")["script"].replace('"Peach": "l"', '"Peach": "i"')
    return [{"amend": "17", "script": script}, {"amend": "17-1", "script": page}]


def test_what_stands_beyond_the_edge_of_a_smaller_field_comes_back_onto_it() -> None:
    run = play(
        {"by": "rico", "do": "proclaim", "args": {"title": "Nine columns", "changes": nine_columns()}},
        {"expect": [
            {"player": "ann", "pos": "e5"},
            {"player": "bob", "pos": "i3", "home": "i3"},
            {"thing": "PF", "at": "i3", "base": "i3"},
            {"thing": "peach-goalie", "at": "h3"},
            {"thing": "ball", "at": "i5"},
            {"kind": "force_field", "at": "i1", "count": 1},
        ]},
        step("bob", "n"),
        CLOSE,
        {"tick": "+24h"},
        given=[
            on("ann", "Emerald", "e5"),
            on("bob", "Peach", "k4"),
            {"thing": "ball", "at": "k5"},
            {"kind": "force_field", "team": "Peach", "at": "l1"},
        ],
    )  # fmt: skip
    assert not any(entry.get("failures") for entry in run.entries)
    assert (run.kernel.documents.find("things/player") or {})["bob"]["pos"] == "i4"


def test_of_many_positions_the_last_thirty_are_kept() -> None:
    run = play(*[CLOSE] * 32, given=[on("ann", "Emerald", "d5")])
    kept = (run.kernel.documents.find("things/starball_position") or {}).values()
    assert [each["title"] for each in kept] == [f"Judgment Period {n}, before the moves" for n in range(3, 33)]


def test_the_figures_of_the_starball_page() -> None:
    order = {"pre": ["e"], "move": {"type": "step", "dir": "e"}}
    run = play(
        {"by": "ann", "do": "submit_proposal", "args": {"title": "One", "starball_order": order}},
        step("bob", "w"),
        given=[
            on("ann", "Emerald", "c2", holds=["ball"]),
            on("bob", "Peach", "k4", fallen=True),
            {"thing": "Emerald", "score": 7, "emperor": "ann"},
            {"kind": "force_field", "team": "Peach", "at": "f1"},
        ],
    )
    page = run.kernel.pages(run.now)["starball"]
    assert "error" not in page
    shown = {block["block"]: block for block in page["blocks"]}
    board = shown["board"]
    assert (board["grid"]["columns"], board["grid"]["rows"], board["grid"]["wrap"]) == (12, 5, "rows")
    places = {piece["name"]: piece["at"] for piece in board["pieces"]}
    assert places == {
        "ann (Emperor, Emerald Republic, with the ball)": "c2",
        "bob (Peach Rebellion, fallen)": "k4",
        "the ball": "c2",
        "EF, flag of the Emerald Republic": "a3",
        "PF, flag of the Peach Rebellion": "l3",
        "Goalie of the Emerald Republic": "b3",
        "Goalie of the Peach Rebellion": "k3",
        "Force Field of the Peach Rebellion": "f1",
    }
    assert "order" not in str(board)  # what is queued is counted, never shown


def test_proposals_stand_on_pages_of_fifty() -> None:
    run = play(
        {"by": "ann", "do": "submit_proposal", "args": {"title": "Forty-nine"}},
        {"by": "rico", "do": "direct", "args": {"area": "Money"}},
        {"by": "ann", "do": "point_of_order", "args": {"text": "Fifty-one?"}},
        {"by": "rico", "do": "proclaim", "args": {"text": "Fifty-two."}},
        given=[{"game": True, "next_number": 49}],
    )
    pages = run.kernel.pages(run.now)
    assert [page for page, shown in pages.items() if "error" in shown] == []
    headings = [block["text"] for block in pages["proposals"]["blocks"] if block["block"] == "heading"]
    assert headings[1:] == ["Proposals 51-100", "Proposals 1-50"]
    tables = [block["rows"] for block in pages["proposals"]["blocks"] if block["block"] == "table"]
    assert [[row[0], row[1]] for row in tables[0]] == [[51, "Point of Order"], [52, "Proclamation"]]
    assert [[row[0], row[1]] for row in tables[1]] == [[49, "Proposal"], [50, "Directive"]]
