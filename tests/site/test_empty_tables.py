"""Pages of Imperial games had a table of sealed things without a row, and a fact that said nothing."""

from __future__ import annotations

import re
from pathlib import Path

from folkmoot.game.session import Session
from folkmoot.site.game_views import view_of
from folkmoot.wording.markup import strip
from folkmoot.wording.page_links import Here
from tests.support.moot import Moot
from tests.support.site_game import block, game, render_game

IN_DIGITS = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d")
WORDS = re.compile(r"<pre.*?</pre>|<[^>]*>", re.DOTALL)
EMPTY = re.compile(r"<tbody></tbody>|<dd>(?:<bdi></bdi>)?</dd>")


def test_a_table_without_rows_says_so() -> None:
    here = Here(game(), "x.md")
    sealed = {"block": "table", "columns": ["Sealed", "From day", "To day"], "rows": []}
    assert strip(block(here, sealed, "b1")) == "Sealed, From day, To day Nothing yet."
    assert strip(block(here, {**sealed, "caption": "Swaps."}, "b1")) == "Swaps. Nothing yet."
    assert "<table" in block(here, {**sealed, "rows": [["a", 1, 2]]}, "b1")


def test_no_page_of_a_new_imperial_game_has_one(moot: Moot) -> None:
    people = [word for who in ("ann", "bob", "cid") for word in ("-p", f"{who},surname={who.capitalize()}")]
    assert moot("new", "club", "--ruleset", "imperial", *people, "--at", "2026-01-05T12:00:00Z").code == 0
    with Session.open(Path("state", "club")) as session:
        pages = render_game(view_of(session))
    assert "Nothing yet." in pages["boards/workshop.md"]
    assert [name for name, text in pages.items() if EMPTY.search(text)] == []
    times = {name: found for name, text in pages.items() if (found := IN_DIGITS.findall(WORDS.sub(" ", text)))}
    assert times == {}, "finding 8: all dates are written in one way"
