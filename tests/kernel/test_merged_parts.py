"""Attack on merging: what nobody has written as it is becomes law only where it could have been proposed."""

from __future__ import annotations

from random import Random

import pytest

from folkmoot.core.merging import Conflict, merged_part
from folkmoot.core.values import LONGEST_STRING
from folkmoot.kernel.budget import MOST_PASSAGES
from tests.support.table import VOTING, Record, Table, failed, reasons, rule
from tests.support.timing import Spent

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


@pytest.mark.parametrize(("answer", "script"), [("change", UNLOOPED), ("law", ADDED)])
def test_the_side_that_the_law_prefers_is_taken_whole_where_both_together_would_not_load(
    answer: str, script: str
) -> None:
    settling = f"def decide_conflict(p, change, c):\n    return '{answer}'\n"
    changes = {"amend": "20", "script": ADDED}, {"amend": "20", "script": UNLOOPED}
    table, told = merged(*changes, law=rule("20", LOOP), settling=settling)
    assert table.document("rules/20")["script"] == script
    assert told == [{"failed": []}]


@pytest.mark.parametrize("answer", ["{'value': 'def x(:'}", "{'value': 5}", "{'value': None}"])
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


def test_putting_hostile_texts_together_takes_no_longer_than_an_event_may() -> None:
    """Else the process that judges it would be ended, and a rule that has done nothing be put to sleep for it."""
    random = Random(2)
    texts = ["".join(random.choice(("a. ", "b. ")) for _ in range(70_000)) for _ in range(9)]
    table = Table(VOTING, *(rule(str(20 + n), text=texts[n]) for n in range(3)))
    first = table.propose("ann", *({"amend": str(20 + n), "text": texts[3 + n]} for n in range(3)))
    last = table.propose("bob", *({"amend": str(20 + n), "text": texts[6 + n]} for n in range(3)))
    for number in (first, last):
        for voter in ("ann", "bob"):
            table.ok(voter, "vote", proposal=number, choice="for")
        with Spent() as spent:
            outcome = table.ok("cid", "vote", proposal=number, choice="for")
    assert spent.units < 70
    assert [table.document(f"rules/{20 + n}")["text"] for n in range(3)] == texts[3:6]
    assert "(they are too long to be put together)" in reasons(outcome, "E-STALE")[0]["args"]["why"]


def test_the_law_may_settle_what_is_too_long_to_be_put_together() -> None:
    settling = "def decide_conflict(p, change, c):\n    return 'change'\n"
    texts = [f"{word}. " * 9_000 for word in ("a", "b", "c")]
    changes = ({"amend": "20", "text": text} for text in texts[1:])
    table, _ = merged(*changes, law=rule("20", text=texts[0]), settling=settling)
    assert table.document("rules/20")["text"] == texts[2]


def test_the_slowest_texts_that_are_put_together_are_so_in_time() -> None:
    random, base = Random(1), [f"a{n}." for n in range(MOST_PASSAGES // 3)]
    sides = [" ".join(random.sample(base, len(base))) for _ in range(2)]
    with Spent() as spent, pytest.raises(Conflict):
        merged_part("text", " ".join(base), *sides)
    assert spent.units < 70
