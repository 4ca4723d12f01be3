"""Issue 9: what the engine says of the game only the engine says; a rule raises no event of those names."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import folkmoot
from folkmoot.core.event_names import KERNEL_EVENTS, forged, is_kernel_event
from folkmoot.files.reader import read_rule
from folkmoot.game import rulesets
from folkmoot.language.declarations import catalogue
from folkmoot.scenarios.script_check import check_script
from tests.support.table import Table, failed, rule

ENGINE = Path(folkmoot.__file__).parent
LISTENING = rule("5", "def on_joined(e):\n    announce('welcome ' + e.player)\n")
WAYS = [
    "emit('joined', player = 'mallory')",
    "later('joined', player = 'mallory')",
    "emit_under(None, 'joined', player = 'mallory')",
    "after(5, 'joined', player = 'mallory')",
    "every(86400, 'rule-repealed')",
    "emit('changed_score')",
    "emit('proposal_shelved')",
]


@pytest.mark.threat("T-90")
@pytest.mark.parametrize("way", WAYS)
def test_no_rule_raises_what_the_engine_raises(way: str) -> None:
    table = Table(LISTENING, rule("6", f"def do_forge(a):\n    {way}\n", actions={"forge": {}}))
    assert table.refused("ann", "forge") == "E-SCRIPT"
    table.pass_time(100_000)
    assert failed(table.act("ann", "forge")) == [("6", "do_forge")]
    assert "is the engine's to raise" in table.document("law")["rules"]["6"]["failures"][-1]["error"]
    (problem,) = check_script(rule("6", f"def on_acted(e):\n    {way}\n"), None)
    assert "is the engine's to raise" in problem.message
    assert problem.position is not None
    assert problem.position.line == 2


@pytest.mark.threat("T-90")
def test_no_timer_is_called_like_an_event_of_the_engine() -> None:
    text = "title: Forger\ntext: Forges.\ntimers:\n  joined: {every: day}\n  dawn: {every: day}\n"
    with pytest.raises(Exception, match=r"f\.yaml:4:3: E-ARGS: a timer cannot be called so") as error:
        read_rule(text, "f.yaml")
    assert "choose a name" in str(error.value)
    table = Table(rule("6", "def do_go(a):\n    enact(title = 'x', text = 'x')\n", actions={"go": {}}))
    outcome = table.act(
        "root", "repair", changes=[{"enact": {"title": "F", "text": "F", "timers": {"left": {}}}}], why="x"
    )
    assert (outcome.accepted, outcome.code) == (False, "E-ARGS")


def test_events_of_rules_have_names_of_their_own() -> None:
    script = "def do_go(a):\n    emit('joining')\n    later('changes')\n    after(86400, 'dawn')\n"
    table = Table(rule("6", script, actions={"go": {}}))
    table.ok("ann", "go")
    table.replay_all()


def test_the_list_is_what_the_engine_raises_and_what_the_reference_names() -> None:
    named = {name.removeprefix("on_") for name in catalogue("events")} - {"changed_REGISTER"}
    assert named == KERNEL_EVENTS
    said = {name for file in (ENGINE / "kernel").glob("*.py") for name in raised_in(file)}
    assert said <= KERNEL_EVENTS
    assert {"joined", "awarded", "ballot_cast", "rule_repealed"} <= said
    assert not forged("turn-over")
    assert is_kernel_event("proposal_anything")


def raised_in(file: Path) -> set[str]:
    """Return the names that a module of the kernel raises, where it writes them out."""
    calls = [node for node in ast.walk(ast.parse(file.read_text("utf-8"))) if isinstance(node, ast.Call)]
    made = [
        call for call in calls if isinstance(call.func, (ast.Attribute, ast.Name)) and called(call) in ("emit", "tell")
    ]
    constants = [argument for call in made for argument in call.args if isinstance(argument, ast.Constant)]
    return {str(constant.value) for constant in constants}


def called(call: ast.Call) -> str:
    """Return the plain name of what a call calls."""
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def test_no_packaged_law_does_it() -> None:
    for name in rulesets.names():
        for document in rulesets.founding(name)["rules"]:
            problems = check_script(document, None)
            assert not [problem for problem in problems if "the engine's to raise" in problem.message], (name, document)
            assert not [timer for timer in document.get("timers") or {} if forged(timer)]
