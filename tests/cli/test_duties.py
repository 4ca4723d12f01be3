"""Finding 7 of the table: duties that were refused, stale, doubled or named the wrong command."""

from __future__ import annotations

from typing import Any

import pytest

from folkmoot.game.status import asked_of
from tests.support.moot import Moot

ACTIONS: dict[str, Any] = {
    "challenge": {"summary": "Challenge somebody"}, "accept": {"summary": "Accept a challenge"},
    "decline": {"summary": "Decline a challenge"}, "throw_die": {"summary": "Throw the die"}, "judge": {"summary": "Settle a question"},
}  # fmt: skip


@pytest.mark.parametrize(
    ("named", "wanted"),
    [
        (["accept", "decline"], ["accept", "decline"]),
        (["throw_die"], ["throw_die"]),
        (["dance", "judge"], ["judge"]),
        ([], []),
    ],
)
def test_what_is_to_be_done_is_what_a_duty_names_and_nothing_that_it_says(named: list[str], wanted: list[str]) -> None:
    assert asked_of({"key": "challenge/7", "what": "challenge somebody", "do": named}, ACTIONS) == wanted


def duties(table: Moot) -> list[tuple[str, str]]:
    return [(duty["player"], duty["what"]) for duty in table("status", "--json").record["duties"]]


def act(table: Moot, by: str, *words: str) -> None:
    said = table("act", *words, "--by", by)
    assert said.code == 0, (words, said.err)


def test_a_question_that_is_asked_after_a_settlement_is_owed_too(table: Moot) -> None:
    act(table, "ann", "invoke_judgment", "question=Is it so?")
    judge = next(who for who, what in duties(table) if "on which Judgment was invoked" in what)
    act(table, judge, "judge", "ruling=It is.", "--as", "judge")
    assert not [what for _, what in duties(table) if "on which Judgment was invoked" in what]
    act(table, "ann", "invoke_judgment", "question=Is it still so?")
    assert (judge, "settle the question “Is it still so?” on which Judgment was invoked") in duties(table)
