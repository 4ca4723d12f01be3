"""Language W2: no two rules in force bear one number, by whatever way a rule comes to it."""

from __future__ import annotations

import pytest

from folkmoot.kernel.step import Kernel
from tests.support.table import VOTING, Table, rule

MAKING = rule(
    "10",
    """
    def do_make(a):
        enact("Another", "", number = a.args.number)

    def do_move(a):
        renumber(a.args.which, a.args.number)

    def do_end(a):
        repeal(a.args.which)

    def decide_rule_number(p, c):
        return get("game", "wanted") or None
    """,
    defines={"game": {"wanted": {"type": "string"}}},
    actions={
        "make": {"arguments": {"number": {"type": "string"}}},
        "move": {"arguments": {"which": {"type": "string"}, "number": {"type": "string"}}},
        "end": {"arguments": {"which": {"type": "string"}}},
    },
)


def numbers(table: Table, view: int | None = None) -> list[str]:
    """Return the numbers of the rules in force, and hold each to be there once."""
    found = [document["rule"] for document, _ in table.kernel.play.law.in_force(view).values()]
    assert len(found) == len(set(found)), found
    return found


def code(table: Table, do: str, **args: str) -> list[str | None]:
    outcome = table.act("ann", do, **args)
    assert not outcome.accepted
    return [failure.get("code") for failure in outcome.failures]


def test_enacting_and_renumbering() -> None:
    table = Table(VOTING, MAKING, rule("20"))
    before = numbers(table)
    assert code(table, "make", number="20") == ["E-DUP"]
    assert code(table, "move", which="10", number="20") == ["E-DUP"]
    assert numbers(table) == before
    table.replay_all()


def test_an_adopted_proposal_gets_the_next_number_that_is_free() -> None:
    table = Table(VOTING, MAKING, rule("901"))
    table.adopt({"enact": {"title": "A", "text": ""}}, {"enact": {"title": "B", "text": ""}})
    assert sorted(numbers(table)) == ["10", "900", "901", "902", "903"]


def test_an_answer_that_names_a_number_in_use_is_a_failure_of_its_rule() -> None:
    table = Table(VOTING, MAKING, rule("20"))
    table.kernel.documents["things/game"]["game"]["wanted"] = "20"
    outcome = table.adopt({"enact": {"title": "A", "text": ""}})
    assert [failure["hook"] for failure in outcome.failures] == ["decide_rule_number"]
    numbers(table)


def test_a_repealed_number_is_free_and_a_rule_that_took_it_keeps_it() -> None:
    table = Table(VOTING, MAKING, rule("20"))
    table.ok("ann", "end", which="20")
    table.ok("ann", "make", number="20")
    assert numbers(table).count("20") == 1
    assert code(table, "make", number="20") == ["E-DUP"]
    assert code(table, "move", which="10", number="20") == ["E-DUP"]
    assert set(table.kernel.documents["law"]["rules"]) == {"900", "10", "20", "20-2"}


@pytest.mark.parametrize(("second", "code"), [(rule("20"), "E-DUP"), (rule("20", uid="other"), "")])
def test_founding(second: dict[str, object], code: str) -> None:
    """A game may begin with two rules of one number, as Imperial Nomic has two rules 8; each needs a uid of its own."""
    rules = [rule("20", uid="first"), second]
    given = {"rules": rules, "players": [{"id": "ann"}], "administrators": []}
    kernel = Kernel()
    table = Table(VOTING)
    table.kernel, table.entries = kernel, []
    outcome = table.judge("found", None, given)
    assert (outcome.accepted, outcome.code) == (not code, code)


OLDER = rule(
    "30",
    """
    def decide_law_for(s):
        return s.number

    def decide_applies_from(p, c):
        return get("game", "from")

    def do_set(a):
        put("game", "from", a.args.number)
    """,
    defines={"game": {"from": {"type": "integer"}}},
    actions={"set": {"arguments": {"number": {"type": "integer"}}}},
)


def test_a_view_of_earlier_law_has_each_number_once_and_the_rule_made_last() -> None:
    table = Table(VOTING, MAKING, OLDER, rule("20"), rule("21"))
    table.ok("ann", "set", number=950)
    table.ok("ann", "end", which="20")
    table.ok("ann", "move", which="21", number="22")
    table.ok("ann", "set", number=940)
    table.ok("ann", "make", number="20")
    table.ok("ann", "make", number="21")
    for view in (None, 939, 940, 945, 949, 950, 960):
        numbers(table, view)
    law = table.kernel.play.law
    assert [law.resolve("20", view) for view in (939, 945, 960)] == ["20", "20-2", "20-2"]
    assert [law.resolve("21", view) for view in (939, 945)] == ["21", "21-2"]
    assert law.resolve("22", 945) == "21"
    table.replay_all()


def test_rules_that_began_the_game_under_one_number_stay_both_in_earlier_law() -> None:
    table = Table(VOTING, MAKING, OLDER, rule("20", uid="20"), rule("20", uid="20-2"))
    table.ok("ann", "set", number=950)
    table.ok("ann", "end", which="20-2")
    law = table.kernel.play.law
    assert {"20", "20-2"} <= set(law.in_force(940))
    assert "20-2" not in law.in_force(960)
