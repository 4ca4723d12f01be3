"""Table 4: many registers set as one change, of which rules hear when all are set."""

from __future__ import annotations

from typing import Any

import pytest

from folkmoot.kernel import budget
from tests.support.table import VOTING, Record, Table, effects, failed, reasons, rule, said

DEFINES: Record = {
    "player": {"points": {"type": "integer", "initial": 0, "minimum": 0}, "heir": {"type": "player", "optional": True}},
    "rule": {"stars": {"type": "integer", "initial": 0}},
    "proposal": {"stars": {"type": "integer", "initial": 0}},
    "office": {"stars": {"type": "integer", "initial": 0}},
    "offices": {"beadle": {}, "scribe": {}},
    "currencies": {"score": {"owners": "player", "initial": 5}},
}


def table(body: str, *more: Record, **blocks: Any) -> Table:
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    return Table(VOTING, rule("5", f"def do_go(a):\n{lines}\n", actions={"go": {}}, defines=DEFINES, **blocks), *more)


HEARING = """
def on_changed_points(e):
    announce("%s: %s" % (e.owner, [get(p, "points") for p in things("player")]))
"""


def test_all_are_set_before_anybody_hears_of_the_first() -> None:
    game = table("put_all('points', {'ann': 3, 'bob': 0, 'cid': 1})", rule("6", HEARING))
    outcome = game.ok("ann", "go")
    assert said(outcome) == ["ann: [3, 0, 1]", "cid: [3, 0, 1]"]
    assert [(each["of"], each["to"]) for each in effects(outcome, "put")] == [("ann", 3), ("cid", 1)]
    assert effects(game.ok("bob", "go"), "put") == [], "what is so already costs no line of the record"


LEADING = """
def on_changed_score(e):
    best = max([get(p, "score") for p in things("player")])
    announce("leads: %s" % [p for p in things("player") if get(p, "score") == best])
"""


@pytest.mark.parametrize(
    ("body", "leaders"),
    [
        ("for p in things('player'):\n    put(p, 'score', 0)", 2),
        ("put_all('score', {p: 0 for p in things('player')})", 1),
    ],
)
def test_a_new_round_crowns_nobody_on_its_way(body: str, leaders: int) -> None:
    outcome = table(body, rule("6", LEADING)).ok("ann", "go")
    assert len(set(said(outcome))) >= leaders
    assert (said(outcome)[0] == 'leads: ["ann", "bob", "cid"]') == (leaders == 1)
    assert [each["kind"] for each in effects(outcome, "award")] == ["set"] * 3


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ("{'ann': 1, 'bob': -1}", "E-BOUNDS"),
        ("{'ann': 1, 'bob': 'two'}", "E-BOUNDS"),
        ("{'ann': 1, 'zed': 1}", "E-NO-SUCH"),
        ("{'ann': 1, 'game': 1}", "E-NO-SUCH"),
        ("{'ann': 1, 'settings': 1}", "E-NO-SUCH"),
        ("[['ann', 1], ['ann', 2]]", "E-ARGS"),
        ("[['ann', 1], 7]", "E-SCRIPT"),
        ("7", "E-SCRIPT"),
    ],
)
def test_where_one_does_not_fit_none_is_set(values: str, code: str) -> None:
    outcome = (game := table(f"put_all('points', {values})")).act("ann", "go")
    assert not outcome.accepted
    assert {each.get("code", "E-SCRIPT") for each in outcome.failures} == {code}
    assert game.get("ann", "points") == 0


def test_a_register_of_players_holds_players() -> None:
    assert failed(table("put_all('heir', {'ann': 'zed'})").act("ann", "go")) == [("5", "do_go")]


def test_owners_may_be_rules_proposals_and_offices() -> None:
    game = table("put_all('stars', [[rule('5'), 1], [proposal(901), 2], [office('beadle'), 3]])")
    game.propose("ann", {"enact": {"title": "New"}})
    outcome = game.ok("ann", "go")
    assert [(each["of"], each["to"]) for each in effects(outcome, "put")] == [
        ("rule/5", 1), ("proposal/901", 2), ("office/beadle", 3),
    ]  # fmt: skip


def test_holders_of_offices_change_hands_together() -> None:
    hearing = rule("6", "def on_office_changed(e):\n    announce('%s %s' % (holder('beadle'), holder('scribe')))")
    game = table("put_all('holder', [[office('beadle'), 'bob'], [office('scribe'), 'cid']])", hearing)
    assert said(game.ok("ann", "go")) == ["bob cid", "bob cid"]


def test_what_a_higher_rule_has_set_stays() -> None:
    sets = "def on_ring(e):\n    announce(str(put_all('points', {p: %d for p in things('player')})))"
    higher = rule("6", "def on_ring(e):\n    put('bob', 'points', 9)")
    game = table("emit('ring')", higher, rule("7", sets % 4), rule("8", sets % 4))
    outcome = game.ok("ann", "go")
    assert said(outcome) == ["False", "False"]
    assert [game.get(who, "points") for who in ("ann", "bob", "cid")] == [4, 9, 4]
    assert {each["rule"] for each in reasons(outcome, "DROPPED")} == {"7", "8"}


def test_it_costs_one_call_and_what_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(budget.PER_HANDLER, "effects", 2)
    assert failed(table("put_all('points', {p: 1 for p in things('player')})").act("ann", "go")) == [("5", "do_go")]
    game = table("put_all('points', {'ann': 1, 'bob': 1, 'cid': 0})")
    assert len(effects(game.ok("ann", "go"), "put")) == 2
    big = table("put_all('points', [['ann', 'x' * 200000]] * 6)").act("ann", "go")
    assert {each.get("code") for each in big.failures} == {"E-BUDGET"}
