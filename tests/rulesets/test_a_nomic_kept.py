"""What A Nomic keeps: lists of what happens again and again end somewhere, so that no register grows too large."""

from __future__ import annotations

from typing import Any

from folkmoot.game.rulesets import founding
from folkmoot.kernel.chance import open_chance
from folkmoot.scenarios.scenario import Run, found
from tests.scenarios.conftest import with_lists

DAY = 86_400


def game(**given: Any) -> Run:
    """Return a game in which some registers of the game have other values."""
    people = [{"office": "administrator", "holder": "ann"}]
    scenario = {"scenario": "", "ruleset": "a-nomic", "players": ["ann", "bob"], "starts": "2001-05-01T12:00:00Z"}
    scenario |= {"given": [*people, {"game": True, **given}]}
    return found(scenario, founding, lambda event: open_chance("kept", str(event.seq)), with_lists)


def orders(many: int) -> list[dict[str, Any]]:
    """Return so many orders, each with its number."""
    made = {"type": "motive", "executor": "administrator", "of": "motion/1", "at": 0}
    return [made | {"what": f"Order {n}"} for n in range(many)]


def test_of_many_orders_the_last_are_kept_as_an_nweek_ends() -> None:
    run = game(orders=orders(401))
    run.advance(run.now + 11 * DAY, True)
    kept = run.kernel.documents["things/game"]["game"]["orders"]
    assert [kept[0]["what"], kept[-1]["what"], len(kept)] == ["Order 321", "Order 400", 80]


def test_of_few_orders_all_are_kept() -> None:
    run = game(orders=orders(90))
    run.advance(run.now + 11 * DAY, True)
    assert len(run.kernel.documents["things/game"]["game"]["orders"]) == 90
