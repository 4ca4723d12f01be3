"""Language W8: an answer of another type than a question's is a failure of the rule, never silently something else."""

from __future__ import annotations

import pytest

from tests.support.table import VOTING, Table, failed, rule, said

SCORE = {"currencies": {"score": {}}, "offices": {"judge": {"fill": "by_rule"}}}
WRONG = {
    "decide_weights(p, players)": "{'ann': '1/2'}",
    "decide_electorate(p)": "'ann'",
    "decide_choices(p)": "'for'",
    "decide_number(p)": "'one'",
    "decide_rule_number(p, c)": "[1]",
    "decide_applies_from(p, c)": "'now'",
    "decide_law_for(s)": "'today'",
    "decide_ballot_counts(p, b)": "7",
    "decide_closed(p)": "'yes'",
    "decide_adopted(p)": "'yes'",
    "decide_prevails(a, b)": "a.number",
    "decide_holder(office)": "7",
    "decide_win_ends_play(player)": "'no'",
    "decide_winner()": "7",
    "adjust_award(a)": "'1/2'",
}


@pytest.mark.parametrize("hook", WRONG)
def test_it_is_noted_as_a_failure_of_the_rule(hook: str) -> None:
    table = Table(
        rule("5", f"def {hook}:\n    return {WRONG[hook]}"),
        rule("6", "def do_go(a):\n    holder('judge')\n    award('ann', 'score', 1)\n    win('ann', play_on = False)",
             actions={"go": {}}),
        rule("7", "def on_acted(e):\n    pass", defines=SCORE),
        rule("8", "def on_acted(e):\n    pass"),
        VOTING,
    )  # fmt: skip
    table.act("ann", "propose", title="x", changes=[{"enact": {"title": "New"}}])
    for player in ("ann", "bob", "cid"):
        table.act(player, "vote", proposal=901, choice="for")
    table.act("ann", "go")
    name = hook.partition("(")[0]
    noted = [f for entry in table.entries for f in entry.get("failures", ()) if (f["rule"], f["hook"]) == ("5", name)]
    assert noted, "its answer was silently taken for something else"
    assert {f["code"] for f in noted} == {"E-ARGS"}
    assert all("cannot be used" in f["error"] for f in noted)
    table.replay_all()


@pytest.mark.parametrize(
    ("type_", "answer"), [("integer", "'7'"), ("integer", "True"), ("text", "7"), ("boolean", "1")]
)
def test_so_is_the_value_of_a_derived_register(type_: str, answer: str) -> None:
    derived = {"game": {"strength": {"type": type_, "derived": True}}}
    table = Table(
        rule("5", f"def decide_strength():\n    return {answer}", defines=derived),
        rule("6", "def do_go(a):\n    announce(str(get('game', 'strength', 'none')))", actions={"go": {}}),
    )
    outcome = table.ok("ann", "go")
    assert said(outcome) == ["none"]
    assert failed(outcome) == [("5", "decide_strength")]
