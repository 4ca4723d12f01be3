"""Boards over time: what moved since the state before is marked and told, and pages for frames on other sites."""

from __future__ import annotations

import random
import re
from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace

from folkmoot.site.blocks import block, embedded_files
from folkmoot.site.board_changes import MOST, moves, places, told
from folkmoot.site.embedded import POLICY
from folkmoot.site.law_files import law_files
from folkmoot.wording.game_view import ShownPage
from folkmoot.wording.markup import Html, strip
from folkmoot.wording.page_links import Here
from tests.site.game import game, render_game


def test_what_moved_leads_from_one_state_to_the_other() -> None:
    """Whatever stands where: what left and what came is all that differs, and no piece is told twice."""
    chance = random.Random(11)
    for _ in range(300):
        before, after = (
            [(f"{chance.choice('abc')}{chance.randrange(3)}", (chance.choice(("man", "king")), chance.choice("xy")))
             for _ in range(chance.randrange(8))] for _ in range(2)
        )  # fmt: skip
        found = moves(before, after)
        now = Counter((at, name) for at, (name, _) in before)
        now.subtract((move.origin, move.name) for move in found if move.origin)
        now.update((move.target, move.name) for move in found if move.target)
        assert +now == Counter((at, name) for at, (name, _) in after)
        assert all(count >= 0 for count in now.values())
        differ = {at for at, _ in (Counter(before) - Counter(after)) + (Counter(after) - Counter(before))}
        assert places(found) == differ


def test_where_everything_moved_nothing_is_marked() -> None:
    assert moves([], [(f"a{n}", ("man", "")) for n in range(MOST)])
    assert moves([], [(f"a{n}", ("man", "")) for n in range(MOST + 1)]) == []
    assert told([]) == ""


def board(*pieces: tuple[str, str], **more: Any) -> dict[str, Any]:
    standing = [{"at": at, "name": name, "owner": "ann"} for at, name in pieces]
    return {"block": "board", "grid": {"shape": "square", "columns": 3, "rows": 3}, "pieces": standing, **more}


@pytest.mark.parametrize("grid", [
    {"shape": "square", "columns": 3, "rows": 3}, {"shape": "hexagonal", "columns": 3, "rows": 3},
    {"a1": ["b2"], "b2": ["a1"], "c3": []},
])  # fmt: skip
def test_each_state_marks_what_moved_since_the_one_before(grid: dict[str, Any]) -> None:
    states = [[("a1", "man")], [("b2", "man"), ("c3", "queen")], [("b2", "man")]]
    pages = [{"title": str(n), "blocks": [board(*each, grid=grid)]} for n, each in enumerate(states)]
    shown = block(Here(game(), "boards/x.md"), {"block": "frames", "pages": pages}, "b0")
    first, second, third = shown.split("<section")[1:]
    assert [each.count("fm-moved") for each in (first, second, third)] == [0, 3, 1]
    assert "man from a1 to b2; queen came to c3" in strip(Html(second))
    assert "queen left c3" in strip(Html(third))
    assert all(each.index("<svg") < each.index("fm-steps") for each in (first, second, third)), "steps stand beneath"


@pytest.mark.parametrize(
    "before", [None, "odd", 3, {"block": "table"}, board(("a1", "man"), pieces=5), {"block": "board"}]
)
def test_an_earlier_state_of_any_shape_is_no_crash(before: Any) -> None:
    pages = [{"blocks": [before]}, {"blocks": [board(("a1", "man"))]}]
    assert "<svg" in block(Here(game(), "boards/x.md"), {"block": "frames", "pages": pages}, "b0")


def test_every_page_with_a_board_has_one_for_frames() -> None:
    view = game()
    files = embedded_files(view)
    assert set(files) == {"embed/chequers.html", "embed/world.html"}
    pages = render_game(view)
    for path, text in files.items():
        name = path.removeprefix("embed/").removesuffix(".html")
        assert f'content="{POLICY.replace(chr(39), "&#x27;")}"' in text
        assert "fm-nav" not in text
        kinds = [re.findall(r"fm-svg--(board|map|figure)", each) for each in (text, pages[f"boards/{name}.md"])]
        assert kinds[0] == kinds[1] != []
        away = [tag for tag in re.findall(r"<a [^>]*>", text) if 'href="#' not in tag]
        assert away
        assert all('target="_blank"' in tag for tag in away)
        assert f"embed/{name}.html" in pages[f"boards/{name}.md"]
    assert "embed/" not in pages["boards/ruins.md"]


def test_a_page_for_frames_holds_no_markup_of_others() -> None:
    evil = '"><script>alert(1)</script>'
    shown = ShownPage(name="evil", title=evil, rule="312", blocks=[board(("a1", evil), caption=evil)])
    view = replace(game(), shown=[shown])
    (text,) = embedded_files(view).values()
    assert text.count("<script") == 1
    assert "<script>" not in render_game(view)["boards/evil.md"]


def test_the_frame_that_is_told_names_the_site_where_it_is_known() -> None:
    view = replace(game(), address="https://a.example/")
    assert "https://a.example/demo/embed/world.html" in render_game(view)["boards/world.md"]


def test_files_of_the_law_say_from_which_submission_a_wording_governs() -> None:
    text = law_files(game())["law.json"]
    assert '"applies_from": 302' in text
    assert '"page": "law/304.html"' in text
