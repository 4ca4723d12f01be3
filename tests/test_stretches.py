"""The stretches of the Imperial games in the demonstration: what they come to, their records, and the site of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from folkmoot.cli.demo import imperial
from folkmoot.game.session import Session
from folkmoot.game.verify import replayed_anew, verify
from folkmoot.journal import GameFolder
from folkmoot.site.game_views import view_of
from tests.support.site_game import render_game

Played = tuple[Path, dict[str, dict[str, Any]]]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    root = tmp_path_factory.mktemp("demo")
    return root, {name: imperial.play(root / "state" / name, imperial.stretch(name)) for name in imperial.STRETCHES}


def test_starball_ends_as_it_is_written(played: Played) -> None:
    told = played[1]["starball"]
    assert {team: each["score"] for team, each in told["teams"].items()} == {"Emerald": 0, "Peach": 1}
    assert [who for who, each in told["players"].items() if each["holds"] == ["ball"]] == ["ann"]
    places = {who: each["pos"] for who, each in told["players"].items()}
    assert places == {"rico": None, "ann": "a3", "bob": "h3", "cid": "h2", "dee": "h2", "eve": "e4", "fay": "l3"}
    points = {who: (each["points"], each["credits"]) for who, each in told["players"].items() if each["points"]}
    assert points == {"ann": (19, 40), "bob": (4, 0), "cid": (2, 0), "eve": (15, 0), "fay": (2, 0)}
    assert all(each["fp"] >= 1 for each in told["players"].values()), "the Sunday gain came"
    assert told["game"]["judgment_period"] == 8


def test_the_planks_end_as_it_is_written(played: Played) -> None:
    told = played[1]["planks"]
    assert (told["game"]["day"], told["game"]["temperature"], told["game"]["it"]) == (3, 275, "eve")
    scores = {who: each["score"] for who, each in told["players"].items()}
    assert scores == {"joe": 0, "tivol": 4, "dan": 4, "ann": 8, "eve": 3, "bob": 107}
    assert told["game"]["woodchips"] == 2


def test_every_act_is_accepted_and_the_records_are_sound(played: Played) -> None:
    for name in imperial.STRETCHES:
        folder = GameFolder(played[0] / "state" / name)
        entries = list(folder.entries())
        assert [entry for entry in entries if entry.get("code") or entry.get("failures")] == []
        assert len(entries) > len(imperial.stretch(name).acts)
        report = verify(folder, replayed_anew(folder))
        assert report.sound, report.problems


def boards(played: Played, name: str) -> dict[str, str]:
    with Session.open(played[0] / "state" / name) as session:
        return render_game(view_of(session))


def test_the_site_shows_the_field_and_the_thermometer(played: Played) -> None:
    field = boards(played, "starball")["boards/starball.md"]
    assert "ann (Emperor, Emerald Republic, with the ball)" in field
    assert "fay scores 1 for the Peach Rebellion" in field
    assert field.count('<input type="radio" class="t') >= 20
    pages = boards(played, "planks")
    heat = pages["boards/thermometer.md"]
    assert "The thermometer at 275 K" in heat
    assert "End of day 2: 275 K" in heat
    assert "At the end of day 2" in pages["boards/game_5fprofile.md"]


def test_a_stretch_that_ends_today_has_all_that_came_until_then(tmp_path: Path) -> None:
    told = imperial.stretch("starball")
    end = told.start + 3 * 24 * imperial.HOUR
    imperial.play(tmp_path / "x", imperial.Stretch("x", told.given, told.start, told.acts[:1], end))
    days = {entry["at"][:10] for entry in GameFolder(tmp_path / "x").entries()}
    assert len(days) == 4
