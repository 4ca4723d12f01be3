"""Every code and every effect of the kernel has its sentence."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from engine.law import reasons
from engine.law.reasons import CODES, DECISIONS, EFFECTS, SENTENCES, effect_sentence, sentence, tree

ENGINE = Path(reasons.__file__).parents[1]
SOURCES = {
    path: path.read_text() for path in sorted(ENGINE.rglob("*.py")) if path.name not in ("reasons.py", "codes.py")
}


def test_every_code_in_the_engine_is_catalogued() -> None:
    used = {code for text in SOURCES.values() for code in re.findall(r'"([EW]-[A-Z][A-Z-]+[A-Z])"', text)}
    assert len(used) > 50
    assert used - set(CODES) == set()


def test_every_decision_the_kernel_notes_has_a_sentence() -> None:
    calls = r'reason\(\s*(?:"([A-Z-]+)"|"([A-Z-]+)" if [^\n]* else "([A-Z-]+)")'
    used = {code for text in SOURCES.values() for found in re.findall(calls, text) for code in found if code}
    assert {"OVERRULED", "HELD", "PARADOX", "SKIPPED-REPEALED"} <= used
    assert {code for code in used if not code.startswith("E-")} - set(SENTENCES) == set()
    assert set(SENTENCES) == set(DECISIONS)


def test_every_effect_the_kernel_writes_has_a_sentence() -> None:
    used = {kind for text in SOURCES.values() for kind in re.findall(r'effect\(\s*"([a-z]+)"', text)}
    used |= {
        kind
        for text in SOURCES.values()
        for pair in re.findall(r'effect\("([a-z]+)" if \w+ else "([a-z]+)"', text)
        for kind in pair
    }
    assert len(used) > 25
    assert used - set(EFFECTS) == set()


def test_meanings_are_sentences() -> None:
    for code, meaning in CODES.items():
        assert meaning.endswith("."), code
        assert meaning[0].isupper(), code


@pytest.mark.parametrize(
    ("reason", "expected"),
    [
        ({"code": "OVERRULED", "rule": "305", "args": {"question": "adopted", "by": "304"}},
         "Rule 304 overrules rule 305 on the question 'adopted'."),
        ({"code": "OVERRULED", "rule": "2", "args": {"action": "go", "by": "1"}}, "Rule 1 overrules rule 2 on how to go."),
        ({"code": "DROPPED", "rule": "3", "args": {"of": "game", "name": "x", "by": "2"}},
         "Rule 3 may not set x of the game otherwise than rule 2, which comes first."),
        ({"code": "SKIPPED-REPEALED", "rule": "3", "args": {"hook": "on_turn_ended"}},
         "Rule 3 was repealed before it could hear of 'turn ended'."),
        ({"code": "NO-ANSWER", "args": {"question": "electorate"}},
         "No rule answers the question 'electorate', so everybody in the game has a vote."),
        ({"code": "PERMITTED", "rule": "1"}, "Rule 1 permits it."),
        ({"code": "HELD", "rule": "1", "args": {"label": "clock", "why": "it is off"}},
         "The act waits until 'clock' is released: it is off (rule 1)."),
        ({"code": "PARADOX", "args": {"rules": ["1", "2", "3"]}},
         "Rule 1, rule 2 and rule 3 take precedence over one another in a circle, so the lower number goes first."),
        ({"code": "OLDER-REVISION", "rule": "1", "args": {"revision": 2}},
         "Rule 1 failed as it stands, so its revision 2 was used."),
        ({"code": "TIMER-STOPPED", "rule": "1", "args": {"timer": "bell"}},
         "The timer 'bell' of rule 1 could not fire and was stopped."),
        ({"code": "CITED", "rule": "1", "args": {"by": "2"}}, "Rule 2 rests on rule 1."),
        ({"code": "E-TIME", "rule": "213", "args": {"why": "the vote is over"}}, "The vote is over (rule 213)."),
        ({"code": "E-GAME-OVER"}, "The game is over."),
        ({"code": "E-TARGET", "rule": "1", "args": {"why": "gone", "of": "proposal/305"}}, "Proposal 305: Gone (rule 1)."),
        ({"code": "E-HOUSE-RULE"}, "It was refused with E-HOUSE-RULE."),
    ],
)  # fmt: skip
def test_sentences_of_reasons(reason: dict[str, Any], expected: str) -> None:
    assert sentence(reason) == expected


def test_names_are_asked_for_rules_and_players() -> None:
    shown = sentence({"code": "PERMITTED", "rule": "8-2"}, lambda kind, uid: f"{kind} [{uid}]")
    assert shown == "Rule [8-2] permits it."


def test_tree_indents_what_lies_below() -> None:
    below = {"code": "E-FUNDS", "args": {"why": "ann has 1"}}
    assert list(tree({"code": "E-SCRIPT", "of": [below]})) == ["A rule's script is at fault.", "  Ann has 1."]


@pytest.mark.parametrize(
    ("effect", "expected"),
    [
        ({"effect": "award", "of": "ann", "name": "score", "asked": 14, "applied": 7, "why": "won", "rule": "202", "credit": "bob"},
         "Ann: +7 score (asked: +14): won, credited to bob (rule 202)."),
        ({"effect": "put", "of": "office/scribe", "name": "holder", "from": None, "to": "ann"},
         "Holder of office scribe: nothing → ann."),
        ({"effect": "create", "of": "ann", "kind": "player"}, "Ann joins the game."),
        ({"effect": "transmute", "of": "103", "to": "mutable"}, "Rule 103 was transmuted as mutable."),
        ({"effect": "ballot", "of": "motion/3", "voter": "ann", "choice": "yes", "counts": False, "why": "away"},
         "Ann votes yes on motion 3, which does not count: away."),
        ({"effect": "win", "of": "ann", "players": ["ann", "bob"], "ends": True}, "Ann and bob win, and the game is over."),
        ({"effect": "timer", "of": "bell", "due": 0}, "The timer 'bell' is set to 1970-01-01T00:00:00Z."),
        ({"effect": "engine", "to": {"engine": "0.2"}}, "From now on the game is judged by engine 0.2."),
        ({"effect": "novelty", "of": "x"}, "Novelty: of x."),
    ],
)  # fmt: skip
def test_sentences_of_effects(effect: dict[str, Any], expected: str) -> None:
    assert effect_sentence(effect) == expected


@pytest.mark.parametrize("kind", EFFECTS)
def test_an_effect_with_nothing_but_its_kind_can_still_be_said(kind: str) -> None:
    assert re.fullmatch(r"(?s).*\.", effect_sentence({"effect": kind, "of": "x"}))
