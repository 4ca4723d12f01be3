"""Table 15: no trial blames a change for what is so without it, and no sentence names a rule that nobody knows."""

from __future__ import annotations

from typing import Any

import pytest

from folkmoot.core.keys import rule_in_words
from folkmoot.referee.preview import failure_sentence
from folkmoot.sandbox.client import Sandbox
from folkmoot.sandbox.worker_process import Died
from tests.support.bench import found
from tests.support.table import START, VOTING, rule

GATED = rule(
    "4",
    """
    def forbid_propose(a):
        require(get("game", "gate") == 1, "E-ORDER", "the gate is closed")

    def on_ballot_cast(e):
        {}["missing"]
    """,
    defines={"game": {"gate": {"type": "integer", "initial": 0}}},
)
HARMLESS = {"enact": {"title": "New", "text": "New.", "script": "def on_dusk(e):\n    announce('dusk')\n"}}
LOCKING = {"repeal": "900"}


def tried(change: dict[str, Any], gate: int) -> dict[str, Any]:
    """Return what a trial says of a change where a gate is open (1) or closed (0)."""
    gated = {**GATED, "defines": {"game": {"gate": {"type": "integer", "initial": gate}}}}
    with Sandbox() as judge:
        found(judge, VOTING, gated)
        return judge.trial([change], "T", "ann", START)


@pytest.mark.threat("T-94")
def test_a_change_is_blamed_for_locking_out_only_where_it_does() -> None:
    assert tried(HARMLESS, 1)["locked_out"] == ""
    assert tried(LOCKING, 1)["locked_out"] != ""
    assert tried(HARMLESS, 0)["locked_out"] == "", "nothing can be proposed at present, with it or without it"


@pytest.mark.threat("T-94")
def test_what_fails_already_is_no_warning_of_a_change() -> None:
    told = tried({"amend": "4", "title": "Gates", "text": "Another text.", "script": GATED["script"]}, 1)
    assert [each for each in told["later"] if "on_ballot_cast" in each] == []


@pytest.mark.parametrize("uid", ["", "probe", "probe-2", "new-0", "library", "*"])
def test_no_sentence_names_a_rule_that_nobody_knows(uid: str) -> None:
    failure = {"rule": uid, "hook": "", "error": "out of memory"}
    for said in (rule_in_words(uid), failure_sentence(failure, str)):
        assert not said.startswith("rule ")
        assert "  " not in said
        assert ": :" not in said


def test_a_death_names_the_rule_by_its_number() -> None:
    with Sandbox() as judge:
        found(judge, VOTING, GATED)
        for died, said in (
            (Died("4", "on_x", "took too long"), "the sandbox took too long in rule 4 (on_x)"),
            (Died("probe", "", "ended"), "the sandbox ended in a rule that this would make"),
            (Died("", "", "ended"), "the sandbox ended"),
        ):
            assert judge._how(died) == said
