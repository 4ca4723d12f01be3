"""The pages of B Nomic, as they stand on the site of a game that was played: each is there, with what it is about."""

from __future__ import annotations

import re
from functools import cache
from html import unescape
from types import SimpleNamespace
from typing import Any, cast

import pytest

from folkmoot.kernel.things import canonical_digest
from tests.rulesets.random_b_nomic import DAY, MINISTRIES, Table, table
from tests.support.site_game import render_game, view
from tests.support.table import Table as Seat


@cache
def played() -> Table:
    """Return a game of some ndays in which everybody has done something."""
    game = table(0)
    first, second = game.players[:2]
    for who in game.players[:4]:
        game.do("start_tiles", who)
    game.do("submit_tweak", first, title="Oops", text="Nothing.", changes=[])
    game.do("submit_cfi", first, statement="The Attic is empty.", defendant=second)
    game.do("start_election", "p03", ministry="change")
    game.do("choose_class", first, **{"class": "Priest"})
    for _ in range(24):
        game.act()
        game.pass_time(DAY // 12)
    game.do("submit_proposal", first, title="A last word", text="Tea at *five*.", changes=[])
    return game


@cache
def pages() -> dict[str, str]:
    """Return the words of each board, without markup."""
    game = played()
    last = canonical_digest(game.run.entries[-1])
    seat = SimpleNamespace(entries=game.run.entries, kernel=game.run.kernel, now=game.run.now, prev=lambda: last)
    files = render_game(view(cast(Seat, seat), "b"))
    found = {}
    for path, text in files.items():
        words = unescape(re.sub(r"<[^>]+>", " ", re.sub(r"(?s)\A---.*?\n---\n|<(title|desc)[ >].*?</\1>", " ", text)))
        found[path] = re.sub(r"\s+", " ", words)
    return found


def registers(kind: str) -> list[dict[str, Any]]:
    """Return the registers of all things of a kind."""
    return list(played().of(kind).values())


PAGES: dict[str, Any] = {
    "ruleset": lambda g: ["Section 0: Emergencies", "0-0/6", "Section 10: Haunted House", "Do The Funny Voice!"],
    "metadisplay": lambda g: [d["title"] for d in registers("display")] + ["Ministry of Banking", "up to date"],
    "clock": lambda g: [f"nweek {g.game['nweeks']}, nday {g.game['ndays']}", g.game["clock"], "Next midnight 2026-01-",
                        "00:00 UTC", "Clock Keys are Off", "Voting Period", "Next Checkpoint", "Watch", "Nyear 10"],
    "roster": lambda g: [*g.players, "Keeper of the Game", "Foyer"],
    "motions": lambda g: ["A last word", "Oops", "Historical at 2026-01-", "SECOND 0", "Calls for Inquiry", "Referenda"],
    "ministries": lambda g: ["Meta-Minister", "Grammar Nazi", "Death", "Elections"],
    "fora": lambda g: ["The repository of the game"],
    "scores": lambda g: [*g.players, "Amplitude", "Genechips", "Suck Points", "Burns"],
    "arcana": lambda g: ["The Big Rubber Stamp", "Clock Key", "Voting Gremlin"],
    "tiles": lambda g: [f"In the Bag: {sum(not t.get('owner') for t in registers('tile')) - lying(g)} Tiles", "Racks",
                        "Tiles Tokens", "The Nbrgd Dctnry of B Nmc", "uncontrolled", *racks(g)],
    "souls": lambda g: [*(soul["name"] for soul in registers("soul")), "100 + 2 ×", "Owned"],
    "talismans": lambda g: ["Types", "Talismans", "Attempts to Forge a Talisman"],
    "grammar": lambda g: ["Grammar"],
    "haunted_5fhouse": lambda g: ["Foyer", "Where everybody comes in.", "Ordinances", "Have moved in this Period", *g.players],
    "inquiries": lambda g: ["The Attic is empty.", "Plaintiff", "Arguments Nothing yet."],
    "classes": lambda g: ["Boring Guy", "Priest"],
    "vat": lambda g: [*g.players, "Last public post"],
    "treasury": lambda g: ["Genechips:", "in all", "Wages, if the nweek began now", "Voting Gremlin", *g.players],
}  # fmt: skip


def lying(game: Table) -> int:
    """Return how many Tiles lie in Zones."""
    return sum(len(zone.get("tiles") or ()) for zone in game.of("zone").values())


def racks(game: Table) -> list[str]:
    """Return the names of the Tiles that somebody holds."""
    return [name for name, tile in game.of("tile").items() if tile.get("owner")]


@pytest.mark.parametrize("name", PAGES)
def test_each_page_stands_on_the_site_with_what_it_is_about(name: str) -> None:
    words = pages()[f"boards/{name}.md"]
    assert "could not show" not in words
    assert [each for each in PAGES[name](played()) if each not in words] == [], words


def test_numbers_of_one_are_told_in_the_singular() -> None:
    assert [
        words for words in pages().values() if re.search(r"(?<![\d.])1 (ndays|nweeks|days|hours|midnights)\b", words)
    ] == []


def test_earlier_positions_of_the_board_can_be_stepped_through() -> None:
    history = played().game["board_history"]
    words = pages()["boards/tiles.md"]
    assert all(each["title"] in words for each in history)
    assert bool(history) == ("After the last plays" in words)


def test_the_law_is_listed_by_its_sections() -> None:
    found = re.findall(r"(?<!, )Section (\d+)", pages()["law/index.md"])
    assert list(dict.fromkeys(found)) == ["0", "1", "2", "3", "4", "5", "6", "7", "9", "10"]


def test_a_chart_of_one_day_names_that_day_once() -> None:
    game = played()
    idle = [p for p in game.players if not any(game.ledger[key] for key in game.ledger if key == (p, "amplitude"))]
    assert idle
    assert "Mon 5 Jan 2026 Mon 5 Jan 2026" not in pages()["boards/scores.md"]


def test_every_ministry_is_called_by_its_name() -> None:
    called = " ".join(pages()[f"boards/{name}.md"] for name in ("ministries", "metadisplay"))
    assert not [
        name
        for name in MINISTRIES
        if re.search(rf"(?<![\w-]){name}(?![\w-])", called) and name not in ("grammar", "law")
    ]
