"""What a player's page counts: proposals adopted, votes cast, votes like others; and the bar of a proposal's votes."""

from __future__ import annotations

import pytest

from folkmoot.site.pages.players import careers
from folkmoot.site.standing import currency_name
from tests.support.site_game import game, render_game


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    return render_game(game())


def test_counts_are_those_of_the_proposals() -> None:
    view = game()
    found = view.index(careers)
    decided = [each for each in view.proposals.values() if each.get("outcome")]
    assert sum(each.proposed for each in found.values()) == len(decided)
    assert sum(each.adopted for each in found.values()) == sum(each["outcome"] == "adopted" for each in decided)
    asked = [voter for each in decided for voter in each.get("electorate") or ()]
    assert sum(each.asked for each in found.values()) == len(asked)
    assert all(each.voted <= each.asked and each.adopted <= each.proposed for each in found.values())
    for one, career in found.items():
        for two, counts in career.alike.items():
            assert found[two].alike[one] == counts
            assert 0 <= counts[1] <= counts[0]


@pytest.mark.parametrize(
    ("summary", "name"),
    [("Points", "Points"), ("Force  Points", "Force Points"), ("Three of them win", "Fp"), ("", "Fp")],
)
def test_a_currency_is_called_by_a_short_summary_and_nowhere_by_a_sentence(summary: str, name: str) -> None:
    view = game()
    view.__dict__["currencies"] = {"fp": {"summary": summary}}
    assert currency_name(view, "fp") == name
