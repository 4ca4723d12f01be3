"""What a refusal lists of what the law makes as long as it likes: a dozen, and how many more there are."""

from __future__ import annotations

import pytest

from folkmoot.core.events import Outcome
from tests.support.table import VOTING, Table, rule

MANY = [f"word{number}" for number in range(30)]
FIRST = "word0, word1, word2, word3, word4, word5, word6, word7, word8, word9, word10, word11 and 18 more"
LAW = rule(
    "1",
    f"""
    def decide_choices(p):
        return {MANY}

    def do_set(a):
        put("game", "word", "other")

    def do_flip(a):
        put("settings", "s", "other")

    def do_end(a):
        resolve(proposal(a.args.number), "other")
    """,
    actions={
        "set": {},
        "flip": {},
        "end": {"arguments": {"number": {"type": "integer"}}},
        "say": {"arguments": {"word": {"type": "choice", "of": MANY}}},
        "tell": {"arguments": {word: {"type": "text", "optional": True} for word in MANY}},
    },
    defines={"game": {"word": {"type": "choice", "of": MANY, "initial": "word1"}}},
    settings={"s": {"question": "Which?", "default": "word1", "alternatives": dict.fromkeys(MANY, "So.")}},
)
ACTS = {
    "vote": {"proposal": "NUMBER", "choice": "other"},
    "set": {},
    "flip": {},
    "say": {"word": "other"},
    "tell": {"something": "else"},
}


def sentences(outcome: Outcome) -> str:
    return str([*(reason["args"] for reason in outcome.reasons if "args" in reason), *outcome.failures])


@pytest.mark.parametrize("do", ACTS)
def test_a_dozen_words_are_listed(do: str) -> None:
    table = Table(LAW, VOTING)
    number = table.propose("ann", {"enact": {"title": "Tea", "text": "Tea."}})
    given = {name: number if value == "NUMBER" else value for name, value in ACTS[do].items()}
    outcome = table.judge(do, "ann", given)
    assert FIRST in sentences(outcome)
    assert "word12" not in sentences(outcome)


def test_outcomes_are_listed_whole_where_they_are_few() -> None:
    table = Table(LAW, VOTING)
    number = table.propose("ann", {"enact": {"title": "Tea", "text": "Tea."}})
    assert "'other' is no outcome; choose adopted, defeated" in sentences(table.judge("end", "ann", {"number": number}))
