"""The axis of a chart clipped numbers of six digits."""

from __future__ import annotations

import pytest

from folkmoot.site.chart import DIGIT, LEFT, chart


@pytest.mark.parametrize("top", [9, 999_999, -999_999, 10**12])
def test_every_tick_stands_inside_the_drawing(top: int) -> None:
    drawn = chart({"ann": [(0, 0), (5, top)]}, "Scores", "c")
    assert drawn
    for each in (drawn.wide, drawn.narrow):
        assert all(each.left - 8 - DIGIT * len(words) >= 0 for _at, words in each.ticks)
        assert each.left < each.right


def test_small_numbers_leave_the_margin_as_it_is() -> None:
    drawn = chart({"ann": [(0, 0), (5, 9)]}, "Scores", "c")
    assert drawn
    assert drawn.wide.left == LEFT
