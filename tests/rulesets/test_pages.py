"""The pages of A Nomic and B Nomic, as they stand on the site of a game that was played: each is there, and says what it is about."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from html import unescape
from types import SimpleNamespace
from typing import Any, cast

import pytest

from folkmoot.kernel.things import canonical_digest
from tests.rulesets.promises import MANNERS
from tests.rulesets.promises.a_nomic import OFFICES, position
from tests.rulesets.promises.b_nomic import MINISTRIES
from tests.support.random_play import Table
from tests.support.site_game import render_game, view
from tests.support.table import Table as Seat

A, B = "a-nomic", "b-nomic"
SECRET = "Members drink black coffee at dusk."


def _a_nomic(game: Table) -> None:
    game.do("create_party", "bob", name="The Coffee Drinkers", rules=SECRET)
    game.do("create_debt", "cid", amount=7, pennies=50)
    game.do("rfj", "dee", statement="The Deck is green.", defendant="eve")
    game.do("go_place", "ann", vertex="k10")


def _b_nomic(game: Table) -> None:
    first, second = game.players[:2]
    for who in game.players[:4]:
        game.do("start_tiles", who)
    game.do("submit_cfi", first, statement="The Attic is empty.", defendant=second)
    game.do("choose_class", first, **{"class": "Priest"})
    game.do("submit_proposal", first, title="A last word", text="Tea at *five*.", changes=[])


@cache
def played(ruleset: str) -> Table:
    """Return a game in which everybody has done something, among it what no chance would bring."""
    game = Table(ruleset, 0, MANNERS[ruleset])
    (_a_nomic if ruleset == A else _b_nomic)(game)
    return game.play(3)


@cache
def pages(ruleset: str) -> dict[str, str]:
    """Return the words of each page of the game's site, without markup."""
    run = played(ruleset).run
    seat = SimpleNamespace(
        entries=run.entries, kernel=run.kernel, now=run.now, prev=lambda: canonical_digest(run.entries[-1])
    )
    found = {}
    for path, text in render_game(view(cast(Seat, seat), "g")).items():
        plain = re.sub(r"(?s)\A---.*?\n---\n|<(title|desc)[ >].*?</\1>", " ", text)
        found[path] = re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", plain)))
    return found


def boards(ruleset: str) -> dict[str, str]:
    """Return the pages that rules show, by their names."""
    return {
        path[7:-3]: said
        for path, said in pages(ruleset).items()
        if path.startswith("boards/") and path != "boards/index.md"
    }


SAID: dict[tuple[str, str], Callable[[Table], list[Any]]] = {
    (A, "ruleset"): lambda _: ["Rules 301-400", "Rule 301/0", "Rule 319", "Reconstruction"],
    (A, "rules_5fby_5fdate"): lambda _: ["lines of history", "Nweek 21", "Rule 393/0 created by"],
    (A, "offices"): lambda game: [
        "Officer of Supreme Justice",
        "Term ends",
        *filter(None, (game.holder(each) for each in OFFICES)),
    ],
    (A, "judgements"): lambda _: ["The Deck is green.", "Plaintiff", "Defendant", "eve"],
    (A, "debts"): lambda game: ["created by cid", "Owner", "Debtor", "Due", *game.of("debt")],
    (A, "parties"): lambda _: ["The Coffee Drinkers", "Keeper", "Founded"],
    (A, "go"): lambda game: ["The Go Board", "Reserve", "Captured", "Price of the next Stone", *position(game)],
    (A, "cards"): lambda _: ["Hands, by their Backs", "Corporate", "The Dealer's report"],
    (B, "ruleset"): lambda _: ["Section 0: Emergencies", "0-0/6", "Section 10: Haunted House", "Do The Funny Voice!"],
    (B, "clock"): lambda game: [
        f"nweek {game.game['nweeks']}, nday {game.game['ndays']}",
        game.game["clock"],
        "Voting Period",
    ],
    (B, "motions"): lambda _: ["A last word", "Calls for Inquiry", "Referenda"],
    (B, "tiles"): lambda game: [
        "Racks",
        "uncontrolled",
        *(name for name, tile in game.of("tile").items() if tile.get("owner")),
    ],
    (B, "souls"): lambda game: [soul["name"] for soul in game.of("soul").values()],
    (B, "inquiries"): lambda _: ["The Attic is empty.", "Plaintiff"],
    (B, "classes"): lambda _: ["Boring Guy", "Priest"],
}


@pytest.mark.parametrize(("ruleset", "name"), SAID)
def test_a_page_says_what_it_is_about(ruleset: str, name: str) -> None:
    said = boards(ruleset)[name]
    assert [each for each in SAID[ruleset, name](played(ruleset)) if str(each) not in said] == [], said


@pytest.mark.parametrize("ruleset", [A, B])
def test_every_page_stands_on_the_site(ruleset: str) -> None:
    game = played(ruleset)
    assert len(boards(ruleset)) >= len(game.run.kernel.pages(game.run.now))
    assert [name for name, said in boards(ruleset).items() if "could not show" in said] == []


def test_scores_are_told_in_points_and_pennies() -> None:
    for who in played(A).players:
        has = played(A).of("player")[who]
        score = f"{has['points']}.{has['pennies']:02d}" if has.get("pennies") else str(has["points"])
        assert re.search(rf"\b{who}\b.{{0,90}}? {re.escape(score)}\b", boards(A)["roster"]), (who, score)


def test_the_rules_of_a_party_that_lives_stand_on_no_page() -> None:
    assert "The Coffee Drinkers" in [party["name"] for party in played(A).of("party").values()]
    assert [path for path, said in pages(A).items() if "black coffee at dusk" in said] == []


def test_offices_and_ministries_are_called_by_their_names() -> None:
    assert [name for name, said in boards(A).items() if "tax_collector" in said] == []
    called = " ".join(boards(B)[name] for name in ("ministries", "metadisplay"))
    ids = [name for name in MINISTRIES if name not in ("grammar", "law")]
    assert [name for name in ids if re.search(rf"(?<![\w-]){name}(?![\w-])", called)] == []


def test_numbers_of_one_are_told_in_the_singular() -> None:
    plural = re.compile(r"(?<![\d.])1 (ndays|nweeks|days|hours|midnights)\b", re.ASCII)
    assert [path for path, said in pages(B).items() if plural.search(said)] == []


def test_the_law_is_listed_by_its_sections() -> None:
    found = re.findall(r"(?<!, )Section (\d+)", pages(B)["law/index.md"])
    assert list(dict.fromkeys(found)) == ["0", "1", "2", "3", "4", "5", "6", "7", "9", "10"]
