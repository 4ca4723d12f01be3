"""The pages of A Nomic, as they stand on the site of a game that was played: each is there, with what it is about."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from functools import cache
from html import unescape
from types import SimpleNamespace
from typing import Any, cast

import pytest

from folkmoot.core.keys import GAME
from folkmoot.kernel.things import canonical_digest
from folkmoot.wording.game_view import GameView
from tests.rulesets.random_a_nomic import DAY, OFFICES, Table, table
from tests.support.site_game import render_game, view
from tests.support.table import Table as Seat

NDAYS, ACTS = 22, 24
FIRST = [f"p{n:02d}" for n in range(5)]
"""Who holds offices from the beginning, and so hardly leaves."""


def results(game: Table) -> list[Any]:
    """Return the results of all contests."""
    return [each for contest in game.of("contest").values() for each in contest.get("results") or ()]


def has_enough(game: Table) -> bool:
    """Whether contests have ended, an order has changed the law, and something is voted on now."""
    legislative = [order for order in game.game["orders"] if order["type"] == "legislative"]
    return len(results(game)) >= 2 and bool(legislative) and game.game["voting"] and bool(game.motions())


@cache
def played() -> Table:
    """Return a game of some nweeks in which everybody has done something, among it what no chance would bring."""
    game = table(0)
    game.do("rfj", "p07", statement="The Deck is green.", defendant="p08")
    game.do("create_party", "p09", name="The Tea Drinkers", rules="Members drink green tea at dawn.")
    game.do("go_place", "p10", vertex="k10")
    acts = 0
    while acts < NDAYS * ACTS or not has_enough(game):
        game.act()
        game.pass_time(game.dice.randrange(2 * DAY // ACTS))
        acts += 1
    game.do("create_party", "p02", name="The Coffee Drinkers", rules="Members drink black coffee at dusk.")
    game.do("motion_set_tax", "p04", rate="0.07")
    game.do("create_debt", "p05", amount=7, pennies=50)
    return game


def seen() -> GameView:
    """Return the game as its pages see it."""
    game = played()
    last = canonical_digest(game.run.entries[-1])
    seat = SimpleNamespace(entries=game.run.entries, kernel=game.run.kernel, now=game.run.now, prev=lambda: last)
    return view(cast(Seat, seat), "a")


@cache
def files() -> dict[str, str]:
    """Return the pages of the game's site."""
    return render_game(seen())


@cache
def words(path: str) -> str:
    """Return the words of a page, without markup."""
    text = re.sub(r"(?s)\A---.*?\n---\n|<(title|desc)[ >].*?</\1>", " ", files()[path])
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", text)))


def of(kind: str) -> dict[str, dict[str, Any]]:
    """Return all things of a kind."""
    return played().of(kind)


def game() -> dict[str, Any]:
    """Return the game's registers."""
    return of("game")["game"]


def undecided(kind: str) -> list[str]:
    """Return the numbers of what is undecided, of a kind."""
    return [key.split("/")[1] for key in played().run.kernel.documents[GAME]["open"] if key.startswith(kind + "/")]


def in_play() -> list[str]:
    return [stone["at"] for stone in of("stone").values() if stone.get("state") == "in-play"]


PAGES: dict[str, Callable[[], list[str]]] = {
    "ruleset": lambda: ["Rules 301-400", "Rule 301/0", "Rescinding Actions", "Rule 304", "Rule 319", "Reconstruction"],
    "rules_5fby_5fdate": lambda: ["lines of history", "Nweek 21", "Rule 393/0 created by"],
    "rule_5fowners": lambda: ["301", "Category", "Owner", "the Bank"],
    "roster": lambda: [*played().players, "Score", "Attributes", "Offices", "Administrator"],
    "offices": lambda: ["Officer of Supreme Justice", "Banker", "Tribune", "Term ends", "Candidates", "Duties", "Due"],
    "motions": lambda: [*(f"Proposal {n}/" for n in undecided("proposal")), *(f"Motion {n}/" for n in undecided("motion")), "Needs", "Objections"],
    "ballot": lambda: ["Item", "Class", "Who has voted", "Results", "Outcome"],
    "judgements": lambda: ["The Deck is green.", "Plaintiff", "Defendant", "p08", "Orders", "Reasons"],
    "bank": lambda: ["It is owed", "State", "Points of the Bank so far", "Official Salary", "0–20", "Last changed"],
    "debts": lambda: ["created by p05", "Owner", "Debtor", "Due", *of("debt")],
    "beans": lambda: [*played().players, "Extra Votes", "Stones", "Debts", "Contracts"],
    "contracts": lambda: ["Signatories", *(str(each["number"]) for each in of("contract").values())],
    "offers": lambda: ["Potential signatories", *of("contract_offer")],
    "parties": lambda: ["The Coffee Drinkers", "Keeper", "Founded", "Without members since"],
    "places": lambda: ["NomicTown", *(f"{who}'s Home" for who in played().players if who in FIRST), "Owners"],
    "contests": lambda: ["The Similarity Game", "Mediocrity", "Political Go", "Contestmaster", "Entry fee", "Results"],
    "go": lambda: ["The Go Board", "Go players and Stones", "Reserve", "In Play", "Captured", "Price of the next Stone",
                   *in_play()],
    "cards": lambda: ["Hands, by their Backs", "Red", "Blue", "Fish", "Corporate", "The Dealer's report", "dealt"],
    "pooker": lambda: ["PCards in hand", "Motion to Show Cards"],
    "holders": lambda: ["Stamp of Failure", "Stamp of Theft", "Stamp of Confusion", "Extra Vote 5", "Dunce Cap",
                        "The Thug"],
    "interpretations": lambda: [f"A-I{n:02d}" for n in range(1, 69)],
    "wins": lambda: ["A Win takes 500 points and 20 Rules", *played().players],
    "orders": lambda: ["legislative", "Carried out for"],
}  # fmt: skip


@pytest.mark.parametrize("name", PAGES)
def test_each_page_stands_on_the_site_with_what_it_is_about(name: str) -> None:
    said = words(f"boards/{name}.md")
    assert "could not show" not in said
    assert [each for each in PAGES[name]() if each not in said] == [], said


def test_every_page_of_the_law_is_looked_at_here() -> None:
    shown = {path.removeprefix("boards/").removesuffix(".md") for path in files() if path.startswith("boards/")}
    assert shown - set(PAGES) <= {"index", "randals", "reconstruction"}


def test_scores_are_told_in_points_and_pennies() -> None:
    said = words("boards/roster.md")
    for who in played().players:
        registers = of("player")[who]
        points, pennies = registers["points"], registers.get("pennies", 0)
        score = f"{points}.{pennies:02d}" if pennies else str(points)
        assert re.search(rf"\b{who}\b[^p]* {re.escape(score)}\b", said), (who, score)


def test_the_board_of_go_shows_each_stone_and_can_be_stepped_through() -> None:
    said = words("boards/go.md")
    rows = re.findall(
        r"Stone of .*?\b([a-s]\d{1,2})(?= Stone of|\s*$)", said.partition("Who is where")[2].partition("Go players")[0]
    )
    assert sorted(rows) == sorted(in_play())
    assert "earlier" in said.lower()


def test_who_holds_an_office_and_what_is_overdue_stand_on_the_page_of_offices() -> None:
    said = words("boards/offices.md")
    assert [who for office in OFFICES if (who := played().holder(office)) and who not in said] == []
    late = [duty for duty in (game().get("assigned") or {}).values() if duty["by"] < played().run.now]
    assert ("overdue" in said) == bool(late)


def test_the_rules_of_a_party_that_lives_stand_on_no_page() -> None:
    party = next((each for each in of("party").values() if each["name"] == "The Coffee Drinkers"), None)
    assert party is not None
    assert [path for path, text in files().items() if "black coffee at dusk" in text] == []


def test_results_of_contests_are_told_with_the_latest_first() -> None:
    told = words("boards/contests.md").partition("Results, the latest first")[2]
    found = [
        datetime.strptime(at + "+0000", "%d %b %Y %H:%M:%S%z")
        for at in re.findall(r"\d\d \w{3} \d{4} \d\d:\d\d:\d\d", told)
    ]
    assert len(found) > 1
    assert found == sorted(found, reverse=True)


def test_offices_are_called_by_their_names_on_every_page() -> None:
    assert [path for path in PAGES if "tax_collector" in words(f"boards/{path}.md")] == []


def test_what_a_player_has_is_told_with_its_times() -> None:
    owed = [path for path in files() if path.startswith("players/") and re.search(r"\bdebt-\d+ \(debt\)", words(path))]
    assert owed
    for path in owed:
        assert not re.search(r"\bdue 9\d{8}\b", words(path))
    assert any(re.search(r"\bdue \w{3} \d+ \w{3} 2001, \d\d:\d\d", words(path)) for path in owed)
