"""A game of A Nomic with other people than those of 2001: who holds offices, and who owns what, when it begins."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from folkmoot.cli.founding import founding as founded_with
from folkmoot.game.rulesets import founding
from folkmoot.kernel.chance import open_chance
from folkmoot.kernel.step import Kernel
from folkmoot.scenarios.scenario import Run, start_of
from folkmoot.scenarios.sealing import Keeper

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


def held(run: Run) -> dict[str, Any]:
    """Return office → who holds it."""
    offices = run.kernel.documents.find("things/office") or {}
    return {name: registers.get("holder") for name, registers in offices.items()}


def owners(run: Run, kind: str) -> set[str]:
    """Return who owns things of a kind."""
    return {registers["owner"] for registers in (run.kernel.documents.find(f"things/{kind}") or {}).values()}


@pytest.mark.parametrize(
    ("players", "offices", "administrator", "dealer"),
    [
        (("ann", "bob", "cid"), {}, "ann", "ann"),
        (("ann", "bob", "cid"), {"dealer": "bob"}, "ann", "bob"),
        (("ann", "bob", "cid"), {"administrator": "cid"}, "cid", "ann"),
        (("ann", "joel", "purplebob"), {}, "joel", "purplebob"),
        (("ann", "joel"), {}, "joel", "ann"),
        (REAL, {}, "joel", "purplebob"),
        ((), {}, "joel", "purplebob"),
    ],
)
def test_the_first_offices_fall_to_who_plays(
    players: tuple[str, ...], offices: dict[str, str], administrator: str, dealer: str
) -> None:
    run = game(players, **offices)
    assert (held(run)["administrator"], held(run)["dealer"]) == (administrator, dealer)
    assert {held(run)[name] for name in ELECTIVE} <= set(players or REAL)
    assert held(run)["banker"] != held(run)["tax_collector"], "else neither could set anything (rule 372)"


@pytest.mark.parametrize("players", [("ann", "bob", "cid"), REAL], ids=["others", "of 2001"])
def test_everything_has_an_owner_who_plays_and_the_deck_has_all_cards(players: tuple[str, ...]) -> None:
    run = game(players)
    agents = {*players, "bank"}
    for kind in ("stamp", "dunce_cap", "extra_vote", "home", "place", "stone", "debt"):
        assert owners(run, kind) <= agents, kind
    hands = [registers["backs"] for registers in (run.kernel.documents.find("things/player") or {}).values()]
    assert hands == [{}] * len(players)
    assert run.kernel.ask("deck_size", [], run.now) == 208
    assert owners(run, "dunce_cap") == {"benjamin" if "benjamin" in players else "bank"}
