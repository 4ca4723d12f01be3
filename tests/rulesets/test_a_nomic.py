"""A Nomic with other people than those of 2001: who holds offices and owns what as it begins, and what is kept of much."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from folkmoot.cli.founding import founding as founded_with
from folkmoot.core.calendar import DAY
from folkmoot.game.rulesets import founding
from folkmoot.kernel.chance import open_chance
from folkmoot.kernel.step import Kernel
from folkmoot.scenarios.scenario import Run, start_of
from folkmoot.scenarios.sealing import Keeper
from tests.support.random_play import Manners, Table

REAL = tuple(person["id"] for person in founding("a-nomic")["players"])
ELECTIVE = ("osj", "banker", "obc", "tax_collector", "tribune")


@cache
def game(players: tuple[str, ...], **offices: str) -> Run:
    """Return a game that is founded as by `moot new`, with its keeper."""
    law = founded_with("parliament", founding("a-nomic"), players, offices=dict(offices))
    kept = {key: value for key, value in law.items() if key not in ("title", "administrators", "engine")}
    run = Run(Kernel(), start_of({}, law), lambda event: open_chance("a-nomic", str(event.seq)))
    run.keeper = Keeper()
    run.keeper.attend(run.kernel)
    assert run.apply("found", with_=kept | {"title": "Parliament"}).accepted
    run.advance(run.now + 1, True)
    return run


def registers(run: Run, kind: str) -> dict[str, Any]:
    return dict(run.kernel.documents.find(f"things/{kind}") or {})


@pytest.mark.parametrize(
    ("players", "offices", "administrator", "dealer"),
    [
        (("ann", "bob", "cid"), {}, "ann", "ann"),
        (("ann", "bob", "cid"), {"dealer": "bob"}, "ann", "bob"),
        (("ann", "bob", "cid"), {"administrator": "cid"}, "cid", "ann"),
        (("ann", "joel", "purplebob"), {}, "joel", "purplebob"),
        ((), {}, "joel", "purplebob"),
    ],
)
def test_the_first_offices_fall_to_who_plays(
    players: tuple[str, ...], offices: dict[str, str], administrator: str, dealer: str
) -> None:
    held = {name: each.get("holder") for name, each in registers(game(players, **offices), "office").items()}
    assert (held["administrator"], held["dealer"]) == (administrator, dealer)
    assert {held[name] for name in ELECTIVE} <= set(players or REAL)
    assert held["banker"] != held["tax_collector"], "else neither could set anything (rule 372)"


@pytest.mark.parametrize("players", [("ann", "bob", "cid"), REAL], ids=["others", "of 2001"])
def test_everything_has_an_owner_who_plays_and_the_deck_has_all_cards(players: tuple[str, ...]) -> None:
    run = game(players)
    for kind in ("stamp", "dunce_cap", "extra_vote", "home", "place", "stone", "debt"):
        assert {each["owner"] for each in registers(run, kind).values()} <= {*players, "bank"}, kind
    assert [each["backs"] for each in registers(run, "player").values()] == [{}] * len(players)
    assert run.kernel.ask("deck_size", [], run.now) == 208
    assert {each["owner"] for each in registers(run, "dunce_cap").values()} == {
        "benjamin" if "benjamin" in players else "bank"
    }


@pytest.mark.parametrize(("many", "first", "kept"), [(401, 321, 80), (90, 0, 90)])
def test_of_many_orders_the_last_are_kept_as_an_nweek_ends(many: int, first: int, kept: int) -> None:
    made = {"type": "motive", "executor": "administrator", "of": "motion/1", "at": 0}
    orders = [made | {"what": f"Order {number}"} for number in range(many)]
    table = Table("a-nomic", manners=Manners(given=[{"game": True, "orders": orders}], starts="2001-05-01T12:00:00Z"))
    table.wait(11 * DAY)
    last = table.game["orders"]
    assert [last[0]["what"], last[-1]["what"], len(last)] == [f"Order {first}", f"Order {many - 1}", kept]
