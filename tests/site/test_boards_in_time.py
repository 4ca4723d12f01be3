"""Boards over time: what moved since the state before is marked and told."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from folkmoot.site.blocks import MOST_MOVES, Drawn, Steps, block_of, moves
from folkmoot.site.data_files import law_files
from folkmoot.wording.markup import strip
from folkmoot.wording.page_links import Here
from tests.support.site_game import block, game


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
        now.subtract((origin, name) for name, origin, _target in found if origin)
        now.update((target, name) for name, _origin, target in found if target)
        assert +now == Counter((at, name) for at, (name, _) in after)
        assert all(count >= 0 for count in now.values())


def test_where_everything_moved_nothing_is_told() -> None:
    assert moves([], [(f"a{n}", ("man", "")) for n in range(MOST_MOVES)])
    assert moves([], [(f"a{n}", ("man", "")) for n in range(MOST_MOVES + 1)]) == []


def board(*pieces: tuple[str, str], **more: Any) -> dict[str, Any]:
    standing = [{"at": at, "name": name, "owner": "ann"} for at, name in pieces]
    return {"block": "board", "grid": {"shape": "square", "columns": 3, "rows": 3}, "pieces": standing, **more}


@pytest.mark.parametrize("grid", [
    {"shape": "square", "columns": 3, "rows": 3}, {"shape": "hexagonal", "columns": 3, "rows": 3},
    {"a1": ["b2"], "b2": ["a1"], "c3": []},
])  # fmt: skip
def test_each_state_tells_what_moved_since_the_one_before(grid: dict[str, Any]) -> None:
    states = [[("a1", "man")], [("b2", "man"), ("c3", "queen")], [("b2", "man")]]
    pages = [{"title": str(n), "blocks": [board(*each, grid=grid)]} for n, each in enumerate(states)]
    shown = block_of(Here(game(), "boards/x.md"), {"block": "frames", "pages": pages}, "b0")
    assert isinstance(shown, Steps)
    assert [list(map(strip, step.moved)) for step in shown.steps] == [
        [], ["man went from a1 to b2.", "queen came to c3."], ["queen left c3."],
    ]  # fmt: skip
    assert isinstance(shown.board, Drawn)
    assert shown.board.picture
    assert {pin.title.split()[-1]: (pin.steps, pin.came) for pin in shown.board.picture.pins} == {
        "a1": ((0,), ()), "b2": ((1, 2), (1,)), "c3": ((1,), (1,)),
    }  # fmt: skip


def test_zones_that_change_stand_at_their_steps_and_others_always() -> None:
    zones = [{"a1": "mine", "b2": "mine"}, {"a1": "mine"}, {"a1": "mine", "c3": "mine"}]
    pages = [{"blocks": [board(zones=each)]} for each in zones]
    shown = block_of(Here(game(), "boards/x.md"), {"block": "frames", "pages": pages}, "b0")
    assert isinstance(shown, Steps)
    assert shown.board
    assert shown.board.picture
    assert sorted(steps for _kind, _cells, steps in shown.board.picture.ground) == [(), (0,), (2,)]


@pytest.mark.parametrize(
    "before", [None, "odd", 3, {"block": "table"}, board(("a1", "man"), pieces=5), {"block": "board"}]
)
def test_an_earlier_state_of_any_shape_is_no_crash(before: Any) -> None:
    pages = [{"blocks": [before]}, {"blocks": [board(("a1", "man"))]}]
    assert "<svg" in block(Here(game(), "boards/x.md"), {"block": "frames", "pages": pages}, "b0")


def test_files_of_the_law_say_from_which_submission_a_wording_governs() -> None:
    text = law_files(game())["law.json"]
    assert '"applies_from": 302' in text
    assert '"page": "law/304.html"' in text
