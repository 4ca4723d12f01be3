"""Awards, adjusters, transfers and the ledger."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.table import Found, effects, rule, said

GO = {"actions": {"go": {}}}
SCORE = {"defines": {"currencies": {"score": {"minimum": -50, "maximum": 100}}, "player": {"team": {"type": "string"}}}}


def law(body: str, **parts: Any) -> dict[str, Any]:
    """Return a rule that declares the score and does something."""
    return rule("1", f"def do_go(a):\n    {body}", **SCORE, **GO, **parts)


def test_an_award_says_everything_and_one_adjusted_to_nothing_stays(found: Found) -> None:
    table = found(
        law("emit('x')"),
        rule("2", "def on_x(e):\n    award('ann', 'score', 7, why = 'luck', credit = 'bob')"),
        rule("3", "def adjust_award(a):\n    return 0 if [a.to, a.currency, a.kind, a.why, a.rule, a.cause.name, a.credit] == "
                  "['ann', 'score', 'award', 'luck', '2', 'x', 'bob'] else None"),
    )  # fmt: skip
    assert effects(table.ok("ann", "go"), "award") == [
        {"effect": "award", "of": "ann", "name": "score", "from": 0, "to": 0, "asked": 7, "applied": 0, "kind": "award",
         "why": "luck", "credit": "bob", "rule": "2", "cause": "x"}
    ]  # fmt: skip


def test_every_change_of_a_currency_is_in_the_ledger_and_told(found: Found) -> None:
    table = found(
        law("put('ann', 'score', 3)\n    add('ann', 'score', 4)\n    award('ann', 'score', 5)"),
        rule("2", "def on_changed(e):\n    announce('%d>%d' % (e.before, e.after))"),
    )
    outcome = table.ok("ann", "go")
    lines = [(e["kind"], e["from"], e["to"], e["rule"]) for e in effects(outcome, "award")]
    assert lines == [("set", 0, 3, "1"), ("set", 3, 7, "1"), ("award", 7, 12, "1")]
    assert said(outcome) == ["0>3", "3>7", "7>12"]


def test_transfer_moves_and_never_mints(found: Found) -> None:
    actions = {"pay": {"arguments": {"to": {"type": "string"}, "amount": {"type": "integer"}}}}
    table = found(
        rule("1", "def do_pay(a):\n    transfer(a.by, a.args.to, 'score', a.args.amount)", actions=actions, **SCORE),
        opening=[{"player": "ann", "score": 30}, {"player": "cid", "score": 99}],
    )
    table.ok("ann", "pay", to="bob", amount=10)
    assert (table.get("ann", "score"), table.get("bob", "score")) == (20, 10)
    table.ok("ann", "pay", to="ann", amount=10)
    assert table.get("ann", "score") == 20
    assert table.refused("ann", "pay", to="bob", amount=71) == "E-FUNDS"
    assert table.refused("ann", "pay", to="ann", amount=71) == "E-FUNDS"
    assert table.refused("ann", "pay", to="bob", amount=-5) == "E-ARGS"
    assert table.refused("ann", "pay", to="cid", amount=5) == "E-BOUNDS"
    assert table.refused("ann", "pay", to="nobody", amount=5) == "E-SCRIPT"
    assert "nobody" not in table.document("roster")


def test_adjusters_run_from_the_lowest_to_the_highest_and_one_may_be_of_one_currency_alone(found: Found) -> None:
    table = found(
        law("award('ann', 'score', 1)\n    award('ann', 'gold', 1)"),
        rule("2", "def adjust_score(a):\n    return a.amount * 10", defines={"currencies": {"gold": {}}}),
        rule("3", "def adjust_award(a):\n    return a.amount + 1"),
    )
    lines = effects(table.ok("ann", "go"), "award")
    assert [(line["asked"], line["applied"]) for line in lines] == [(1, 20), (1, 2)]


def test_award_all_is_adjusted_and_entered_before_anybody_reacts_and_within_the_bounds(found: Found) -> None:
    table = found(
        law("award_all([['ann', 5], ['bob', 170], ['ann', 1]], 'score')"),
        rule("2", "def on_awarded(e):\n    announce('%d %d' % (get('ann', 'score'), get('bob', 'score')))"),
        rule("3", "def adjust_award(a):\n    return a.amount if get('ann', 'score') == 0 else -99"),
    )
    outcome = table.ok("ann", "go")
    assert said(outcome) == ["6 100"] * 3
    assert [(e["asked"], e["applied"]) for e in effects(outcome, "award")] == [(5, 5), (170, 100), (1, 1)]


@pytest.mark.parametrize(
    "call",
    [
        "award_all([['ann', True]], 'score')", "award_all([['ann', '1']], 'score')", "award_all([['ann', None]], 'score')",
        "award('ann', 'gold', 1)", "award('zed', 'score', 1)", "award('ann', 'team', 1)",
        "put('ann', 'team', 5)", "put('ann', 'team', None)", "put('ann', 'nothing', 5)", "put('ann', 'score', 101)",
        "put('ann', 'score', True)", "put('zed', 'team', 'x')", "put('settings', 'Q', 'x')", "add('ann', 'team', 1)",
        "put('ann', 'bag', {'$': 1})", "put('ann', 'bag', {'a': [[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]})",
        "put('ann', 'bag', {'a': 'x' * 300000})", "put('ann', 'size', 9)", "put('ann', 'size', 'huge')",
        "put('ann', 'friend', 'zed')", "add('ann', 'score', 1000)",
    ],
)  # fmt: skip
def test_registers_hold_only_what_they_declare(found: Found, call: str) -> None:
    registers = {"bag": {"type": "map"}, "size": {"type": "choice", "of": ["s", "l"]},
                 "friend": {"type": "player", "optional": True}}  # fmt: skip
    outcome = found(law(call), rule("2", defines={"player": registers})).act("ann", "go")
    assert outcome.code in ("E-SCRIPT", "E-NO-SUCH")
    assert {each["code"] for each in outcome.failures if "code" in each} <= {"E-BOUNDS", "E-NO-SUCH", "E-ARGS"}
