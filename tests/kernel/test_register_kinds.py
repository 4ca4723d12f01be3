"""L17 of the language review: registers are declared once for kinds that are alike, and a currency has many owners."""

from __future__ import annotations

from typing import Any

import pytest

from folkmoot.core.declared_kinds import declared_registers
from folkmoot.core.problems import ProblemError
from folkmoot.files.reader import read_rule
from folkmoot.kernel.errors import Fault
from folkmoot.scenarios.known_names import known_in
from tests.support.table import VOTING, Table, rule

KINDS = {
    "petition": {"like": "proposal"},
    "plea": {"like": "petition", "registers": {"loud": {"type": "boolean"}}},
    "guild": {"like": "player", "registers": {"motto": {"type": "text"}}},
    "barn": {"registers": {"roof": {"type": "string"}}},
}
DEFINES: dict[str, Any] = {
    "proposal": {"index": {"type": "integer", "initial": 1}, "area": {"type": "string", "optional": True}},
    "player": {"rank": {"type": "integer", "initial": 7}},
    "kinds": KINDS,
    "currencies": {"grain": {"owners": ["player", "barn", "proposal"], "initial": 2}, "salt": {"owners": "barn"}},
}
LAW = rule(
    "1",
    """
    def do_begin(a):
        create("guild", id = "smiths", motto = "Strike")
        create("barn", id = "old")
        for kind in ("proposal", "petition", "plea"):
            p = submit("Rest", [], kind = kind, number = 1, index = 3)
            put(p, "area", kind)
            award(p, "grain", 5, "for a start")
        award_all([["ann", 1], ["old", 2]], "grain", "a harvest")
        award("old", "salt", 1, "from the sea")
        award("smiths", "grain", 4, "they are like players")

    def do_open(a):
        open_voting(proposal(1, "plea"))

    def do_spoil(a):
        award(a.args.whom, "salt", 1, "too much")
    """,
    defines=DEFINES,
    actions={
        "begin": {"summary": "Begin"},
        "open": {"summary": "Open"},
        "spoil": {"summary": "Spoil", "arguments": {"whom": {"type": "string"}}},
    },
)


@pytest.fixture
def table() -> Table:
    found = Table(LAW, VOTING)
    found.ok("ann", "begin")
    return found


def test_what_is_like_a_proposal_has_its_registers_and_is_voted_on(table: Table) -> None:
    for kind in ("proposal", "petition", "plea"):
        assert table.get({"id": f"{kind}/1"}, "index") == 3
        assert table.get({"id": f"{kind}/1"}, "area") == kind
        assert table.get({"id": f"{kind}/1"}, "grain") == 7
    assert table.get({"id": "plea/1"}, "loud") is False
    with pytest.raises(Fault, match="loud"):
        table.get({"id": "petition/1"}, "loud")
    table.ok("ann", "open")
    table.ok("ann", "vote", choice="for", plea=1)


def test_what_is_like_a_player_has_registers_and_currencies_of_players(table: Table) -> None:
    assert (table.get("smiths", "rank"), table.get("smiths", "motto"), table.get("smiths", "grain")) == (7, "Strike", 6)


def test_a_currency_has_as_many_kinds_of_owners_as_it_names(table: Table) -> None:
    assert (table.get("ann", "grain"), table.get("old", "grain"), table.get("old", "salt")) == (3, 4, 1)
    assert table.refused("ann", "spoil", whom="bob") == "E-SCRIPT"


def test_a_circle_of_kinds_that_are_alike_ends() -> None:
    circle = rule("1", "def do_go(a):\n    create('hen', id = 'h', old = True)", actions={"go": {"summary": "Go"}},
                  defines={"kinds": {"hen": {"like": "egg"}, "egg": {"like": "hen", "registers": {"old": {"type": "boolean"}}}}})  # fmt: skip
    table = Table(circle, VOTING)
    table.ok("ann", "go")
    assert table.get("h", "old") is True


def test_checks_of_scripts_know_what_kinds_inherit() -> None:
    known = known_in([LAW]).registers
    assert {"index", "area", "grain", "loud"} <= known["plea"]
    assert {"rank", "grain", "motto"} <= known["guild"]
    assert declared_registers(LAW)["barn", "grain"][0] == ["defines", "currencies", "grain"]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("defines", "code"),
    [
        ("kinds: {petition: {like: [proposal]}}", "E-TYPE"),
        ("kinds: {petition: {like: 3}}", "E-TYPE"),
        ("currencies: {grain: {owners: {player: true}}}", "E-TYPE"),
        ("currencies: {grain: {owners: [player, 3]}}", "E-TYPE"),
        ("player: {grain: {type: integer}}, currencies: {grain: {owners: [barn, player]}}", "E-CONFLICT"),
    ],
)
def test_odd_declarations_are_told(defines: str, code: str) -> None:
    with pytest.raises(ProblemError) as caught:
        read_rule(f"title: A rule\ndefines: {{{defines}}}\n", "a.yaml")
    assert [problem.code for problem in caught.value.problems] == [code]
