"""Rules that prevail over one another in a circle are told of before they are law, and where an act meets them."""

from __future__ import annotations

import pytest

from folkmoot.cli.check import _stands
from folkmoot.core.problems import Position, Problem
from folkmoot.kernel.overruled_answers import circle_told
from tests.support.moot import Said
from tests.support.quick import SMALL
from tests.support.seats import Seats, Sit
from tests.support.table import rule

PREVAILS = rule(
    "5",
    """
    def decide_prevails(a, b):
        if claims_over(a, b) != claims_over(b, a):
            return a if claims_over(a, b) else b
        return a if a.number < b.number else b
    """,
)
NUMBERS = rule(
    "6",
    """
    def on_rule_amended(e):
        renumber(e.rule, e.proposal.number)

    def do_raid(a):
        require(ask("price") != 1, "E-FUNDS", "too cheap")
    """,
    actions={"raid": {"summary": "Raid"}},
)
PRICES = [rule(n, f"def decide_price():\n    return {n[-1]}\n") for n in ("201", "202", "203")]
LAW = {**SMALL, "rules": [*SMALL["rules"], PREVAILS, NUMBERS, *PRICES]}
CHANGED = """\
rule: "202"
uid: "202"
title: Rule 202
text: |
  Rule 202.
precedence: {over: ["201"]}
script: |
  def decide_price():
      return 2
"""
NEW = CHANGED.replace('rule: "202"\nuid: "202"\n', "")
CIRCLE = "take precedence over one another in a circle"


@pytest.fixture
def table(seats: Sit) -> Seats:
    return seats(LAW)


def says(said: Said, *wanted: str) -> None:
    whole = " ".join((said.out + said.err).split())
    for words in wanted:
        assert words in whole, (words, whole)


def test_what_becomes_a_circle_by_its_next_number_is_told_when_it_is_proposed_and_voted_on(table: Seats) -> None:
    (table.folder / "202.yaml").write_text(CHANGED)
    warned = f"rules 201, 203 and 202 as amended {CIRCLE}"
    says(table.moot("ann", "propose", "--rule", str(table.folder / "202.yaml")), f"Beware of later: {warned}")
    table.referee()
    says(table.moot("bob", "show", "1"), "Beware of later:", CIRCLE)
    says(table.moot("bob", "vote", "1", "for"), f"Mind: once it is law, {warned}")


def test_a_new_rule_that_closes_a_circle_is_called_the_same_by_all_commands(table: Seats) -> None:
    (table.folder / "new.yaml").write_text(NEW.replace('["201"]', '["201"], defers_to: ["203"]'))
    warned = f"rules 201, 202, 203 and the new one {CIRCLE}"
    says(table.moot("ann", "propose", "--rule", str(table.folder / "new.yaml")), warned)
    table.referee()
    says(table.moot("bob", "show", "1"), warned)
    says(table.moot("bob", "try", "1"), warned)
    says(table.moot("bob", "vote", "1", "for"), warned)


def test_an_act_that_meets_a_circle_says_so_before_it_is_sent(table: Seats) -> None:
    (table.folder / "202.yaml").write_text(CHANGED)
    table.moot("ann", "propose", "--rule", str(table.folder / "202.yaml"))
    table.referee()
    for who in ("ann", "bob", "cid", "dee"):
        table.moot(who, "vote", "1", "for")
    table.referee()
    says(table.moot("bob", "act", "raid", "-n", code=3), "too cheap", f"Mind: rule 201, rule 203 and rule 301 {CIRCLE}")


ANSWERS = NEW.replace("def decide_price():\n      return 2", "def decide_prevails(a, b):\n      return b")


@pytest.mark.parametrize(
    ("over", "warned"),
    [('["5"]', "rule 5 answers which rule prevails before this one, whatever is claimed here"), ('["201"]', "")],
)
def test_a_claim_that_has_no_say_among_answers_is_told_where_it_stands(table: Seats, over: str, warned: str) -> None:
    (table.folder / "new.yaml").write_text(ANSWERS.replace('["201"]', over))
    said = table.moot("ann", "propose", "--rule", str(table.folder / "new.yaml"))
    says(said, *([f"new.yaml:4:21: {warned}"] if warned else []))
    assert warned or "answers which rule prevails" not in said.out + said.err


SEALS = NEW.replace('precedence: {over: ["201"]}', "defines: {player: {hand: {type: list, sealed: owner}}}")


def test_what_seals_where_nobody_keeps_a_key_is_told_before_it_is_sent_and_voted_on(table: Seats) -> None:
    (table.folder / "new.yaml").write_text(SEALS)
    warned = "nothing can be sealed in this game, which has no keeper's key: hand stays empty"
    says(table.moot("ann", "propose", "--rule", str(table.folder / "new.yaml")), warned, "`moot key --keeper`")
    table.referee()
    says(table.moot("bob", "show", "1"), warned)


def test_the_check_of_a_law_in_force_tells_of_circles_and_not_how_rules_could_be_written_better() -> None:
    at = Position("state/g/rules/301.yaml", 7, 1)
    assert _stands(Problem("W-SCRIPT", circle_told(["201", "203", "301"]), at))
    assert not _stands(Problem("W-SCRIPT", "no rule answers the question `price`", at))
