"""What a cell of a rule's table names is a link to it, and numbers stand below one another."""

from __future__ import annotations

import re
from typing import Any

import pytest

from folkmoot.wording.page_links import Here
from tests.support.site_game import block, game

HERE = Here(game(), "boards/x.md")


def cells(*column: Any) -> str:
    """Return the body of a table of one column."""
    shown = block(HERE, {"block": "table", "columns": ["A"], "rows": [[cell] for cell in column]}, "b")
    return str(shown).partition("<tbody>")[2]


@pytest.mark.parametrize(
    ("words", "path"),
    [
        ("rule 203", "../law/203.html"), ("Rule 203", "../law/203.html"), ("proposal 308", "../proposals/308.html"),
        ("Proposal 308/2", "../proposals/308.html"),
    ],
)  # fmt: skip
def test_a_cell_that_names_something_is_a_link_to_it_in_its_own_words(words: str, path: str) -> None:
    shown = cells(words)
    assert re.sub(r"<[^>]+>", "", shown).strip() == words
    assert f'href="{path}"' in shown


def test_several_players_are_several_links() -> None:
    assert re.findall(r'href="([^"]+)"', cells("ann, bob")) == ["../players/ann.html", "../players/bob.html"]


@pytest.mark.parametrize(
    "words", ["rule 9999", "rule 203 of old", "Proposal 9999/0", "zither 308", "ann, nobody", ", "]
)
def test_other_words_stay_words(words: str) -> None:
    assert "<a " not in cells(words)


@pytest.mark.parametrize("column", [[1, 2], ["1", "-2"], ["7.50", 3], [None, "12"]])
def test_numbers_are_set_as_numbers(column: list[Any]) -> None:
    assert cells(*column).count('class="r"') == len(column)


@pytest.mark.parametrize("column", [["1", "one"], ["1/2"], [True], ["2026-01-05"], ["1" * 40]])
def test_other_columns_are_not(column: list[Any]) -> None:
    assert 'class="r"' not in cells(*column)


def test_a_cell_that_says_nothing_is_empty_and_needs_no_room_on_a_phone() -> None:
    assert len(re.findall(r"<td[^>]*></td>", cells("", None, "a"))) == 2
