"""Attack on merging: what nobody has written as it is becomes law only where it could have been proposed."""

from __future__ import annotations

import pytest

from folkmoot.core.values import LONGEST_STRING
from tests.kernel.table import VOTING, Record, Table, failed, reasons, rule

LOOP = "def do_x(a):\n    if True:\n        y = 1\n    z = 2\n"
ADDED = LOOP.replace("y = 1\n", "y = 1\n        w = 3\n")
UNLOOPED = LOOP.replace("    if True:\n        y = 1\n", "")


def merged(*changes: Record, law: Record, settling: str = "") -> tuple[Table, list[Record]]:
    """Adopt changes that were made at one time, and return the table and the reasons of the last one's adoption."""
    table = Table(VOTING, law, rule("30", settling))
    numbers = [table.propose("ann", change) for change in changes]
    for number in numbers:
        outcome = [table.ok(voter, "vote", proposal=number, choice="for") for voter in ("ann", "bob", "cid")][-1]
    table.replay_all()
    return table, [*reasons(outcome, "E-STALE"), {"failed": failed(outcome)}]


def test_a_script_that_would_not_load_is_left_out_with_its_reason() -> None:
    table, told = merged({"amend": "20", "script": ADDED}, {"amend": "20", "script": UNLOOPED}, law=rule("20", LOOP))
    assert table.document("rules/20")["script"] == ADDED
    assert told[0]["args"]["why"] == (
        "rule 20 was changed meanwhile in its script so that both together cannot stand "
        "(the script would not load: Parse error: incorrect indentation), so this change of it is left out"
    )
    assert told[-1] == {"failed": []}


def test_the_law_may_settle_it_as_it_settles_conflicts() -> None:
    settling = "def decide_conflict(p, change, c):\n    return {'value': change.script}\n"
    changes = {"amend": "20", "script": ADDED}, {"amend": "20", "script": UNLOOPED}
    table, _ = merged(*changes, law=rule("20", LOOP), settling=settling)
    assert table.document("rules/20")["script"] == UNLOOPED


@pytest.mark.parametrize("answer", ["'change'", "{'value': 'def x(:'}", "{'value': 5}", "{'value': None}"])
def test_an_answer_by_which_it_would_not_load_is_its_rules_failure(answer: str) -> None:
    settling = f"def decide_conflict(p, change, c):\n    return {answer}\n"
    changes = {"amend": "20", "script": ADDED}, {"amend": "20", "script": UNLOOPED}
    table, told = merged(*changes, law=rule("20", LOOP), settling=settling)
    assert table.document("rules/20")["script"] == ADDED
    assert told[-1] == {"failed": [("30", "decide_conflict")]}


def test_a_text_that_no_file_could_keep_is_left_out() -> None:
    half = LONGEST_STRING * 5 // 9
    first, second = (f"{letter * 400}. " * (half // 402) for letter in "ab")
    texts = f"One. {first}Two. Three.", f"One. Two. {second}Three."
    table, told = merged(*({"amend": "20", "text": text} for text in texts), law=rule("20", text="One. Two. Three."))
    assert len("".join(texts)) > LONGEST_STRING
    assert table.document("rules/20")["text"] == texts[0]
    assert "both together cannot stand (a rule cannot hold a text of" in told[0]["args"]["why"]


def test_a_script_that_is_proposed_broken_merges_as_it_was() -> None:
    table, _ = merged(
        {"amend": "20", "script": ADDED}, {"amend": "20", "script": LOOP + "def broken(:\n"}, law=rule("20", LOOP)
    )
    assert table.document("rules/20")["script"] == ADDED + "def broken(:\n"
