"""The axis of a chart clipped numbers of six digits."""

from __future__ import annotations

import re

import pytest

from folkmoot.site.chart import DIGIT, LEFT, line_chart


@pytest.mark.parametrize("top", [9, 999_999, -999_999, 10**12])
def test_every_tick_stands_inside_the_drawing(top: int) -> None:
    drawn = line_chart({"ann": [(0, 0), (5, top)]}, "Scores")
    ticks = re.findall(r'<text x="(-?\d+)"[^>]*text-anchor="end"[^>]*>([−\d]+)<', drawn)
    assert ticks
    assert all(int(x) - DIGIT * len(words) >= 0 for x, words in ticks if int(x) < 400)


def test_small_numbers_leave_the_margin_as_it_is() -> None:
    assert f'x="{LEFT - 8}"' in line_chart({"ann": [(0, 0), (5, 9)]}, "Scores")
