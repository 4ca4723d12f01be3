"""Attack with nonsense: every word of a script says in one sentence of ours what it cannot take, and keeps none of it."""

from __future__ import annotations

import re
from typing import Any

import pytest

from folkmoot.core.declared_kinds import OWN
from tests.support.table import VOTING, Table, rule

OF_THE_INTERPRETER = re.compile(r"\b(Type|Key|Value|Index|Attribute|Overflow)Error\b|unhashable|has no len\(\)")
PLACE = {"defines": {"game": {"shelf": {"type": "map"}}, "offices": {"warden": {}}}, "timers": {"bell": {}}}
OPEN = "p = open_voting(submit('a', []))\n    "
VALUES = ["5", "[1]", "{'a': 1}", "True", "None", "'nobody'"]
CALLS = [
    "number({})", "enrol({}, 'ann')", "strike({}, 'ann')", "recount({})", "revise({}, title = 'x')", "take_effect({})",
    "proposal({})", "take_back({})", "drop({})", "held({})", "owe('ann', 'x', key = {})", "owe('ann', 'x', by = {})",
    "after(5, 'bell', key = {})", "try_act('go', 'ann', {})", "try_act('go', 'ann', {{}}, {})", "try_act('go', {})",
    "revisions({})", "registers({})", "reset('ann', [{}])", "get_in('game', 'shelf', 'x', {})", "submit({}, [])",
    "submit('a', {})", "submit('a', [], number = {})", "submit('a', [], {})", OPEN + "enrol(p, {})",
    OPEN + "strike(p, {})", OPEN + "revise(p, title = {})", OPEN + "revise(p, changes = {})", OPEN + "number(p, {})",
    "resolve({}, 'adopted')", "give('x', {})", "create('hut', {})", "emit_under({}, 'foo')", "holder({})",
]  # fmt: skip


@pytest.mark.parametrize("call", CALLS)
def test_no_error_of_the_interpreters_stands_on_record(call: str) -> None:
    """Its words differ between versions of Python, and a replay would differ with them."""
    script = "".join(f"def do_go_{n}(a):\n    {call.format(value)}\n" for n, value in enumerate(VALUES))
    table = Table(VOTING, rule("20", script, actions={f"go_{n}": {} for n in range(len(VALUES))}, **PLACE))
    for n in range(len(VALUES)):
        outcome = table.act("ann", f"go_{n}")
        said = [str(each) for each in (*outcome.reasons, *outcome.failures)]
        assert not [each for each in said if OF_THE_INTERPRETER.search(each)], (VALUES[n], said)
    table.replay_all()
    for document in (d for key, d in table.kernel.documents.everything().items() if key.startswith("proposals/")):
        assert isinstance(document["title"], str)
        assert document["number"] is None or type(document["number"]) in (int, str), document


@pytest.mark.parametrize("by", ["-1", "253402300800 * 1000", "'tomorrow'", "True", "[5]"])
def test_a_duty_is_due_at_a_time_that_calendars_have(by: str) -> None:
    table = Table(VOTING, rule("20", f"def do_go(a):\n    owe('ann', 'x', by = {by})\n", actions={"go": {}}))
    assert table.refused("ann", "go") == "E-SCRIPT"


@pytest.mark.parametrize("kind", sorted(OWN))
def test_no_kind_of_the_engines_own_is_voted_on(kind: str) -> None:
    """Else registers of such a proposal would be kept where none are, and its file could not be read again."""
    declared: dict[str, Any] = {"kinds": {kind: {"votable": True, "registers": {"x": {"type": "integer"}}}}}
    script = f"def do_go(a):\n    put(submit('a', [], kind = '{kind}'), 'x', 5)\n"
    table = Table(VOTING, rule("20", script, defines=declared, actions={"go": {}}))
    assert table.act("ann", "go").accepted is False
    assert not [key for key in table.kernel.documents.everything() if key.startswith("votes/")]
    assert table.act("ann", "vote", kind=kind, proposal=1, choice="for").accepted is False
