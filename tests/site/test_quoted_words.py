"""No word of a rule begins a sentence: what it says stands in quotation marks behind whose it is, whatever it says."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from folkmoot.wording.catalogue import templates
from folkmoot.wording.markup import strip
from folkmoot.wording.page_links import Here
from folkmoot.wording.sentences import act, effect, events, refusal
from tests.support.site_game import game

FIELD = re.compile(r"\{[^}]*\}|\[[^\]]*\]|<[^>]*>")
ENGINE = [FIELD.sub("ann", text) for texts in templates().values() for text in texts]
"""What the engine says, as somebody would write it who wants to be taken for it."""
HEADS = {
    "told": "Ann Abel, by rule 101: ",
    "tick": "A deadline passed: ",
    "came": "Rule 101: ",
    "timer": "Timer ",
    "reason": "rule 101: ",
    "announce": "Rule 101 says: ",
    "owe": "Ann Abel owes: ",
    "raised": "Rule 101 raised ",
}
OWN = frozenset({"act told", "act tick", "act tick told", "effect timer", "effect cancel", "rule and reason", "effect announce",
                 "effect owe", "raised"})  # fmt: skip
"""The sentences that quote."""
WORDS = st.one_of(
    st.sampled_from(ENGINE),
    st.builds("{}{}".format, st.sampled_from(ENGINE), st.text(max_size=9)),
    st.text(max_size=60),
)


a_game = cache(game)


def told_by(words: str) -> dict[str, str]:
    """Return what is said where a rule has these words for each thing that it can say, by what that is."""
    view = a_game()
    uid = view.ranked[0]
    actions = {"trade": {"told": words.translate(dict.fromkeys(map(ord, "{}[]|")))}}
    blocks = {"actions": actions, "timers": {"bell": {"summary": words}}}
    documents = {**view.documents, f"rules/{uid}": {**view.documents[f"rules/{uid}"], **blocks}}
    here = Here(replace(view, documents=documents), "journal/0001.md")
    entry: Any = {"seq": 999, "by": "ann", "do": "trade", "with": {}}
    event = {"effect": "event", "name": words, "rule": uid}
    made = {
        "told": act(here, entry),
        "tick": act(here, {"seq": 9, "do": "tick", "with": {"timer": words}}),
        "came": act(here, {"seq": 9, "do": "tick", "with": {"timer": "bell"}}),
        "timer set": effect(here, entry, {"effect": "timer", "of": words}),
        "timer stopped": effect(here, entry, {"effect": "cancel", "of": words}),
        "reason": refusal(here, {"code": "E-NO", "rule": uid, "args": {"why": words}}),
        "announce": effect(here, entry, {"effect": "announce", "text": words, "rule": uid}),
        "owe": effect(here, entry, {"effect": "owe", "of": "ann", "what": words}),
        "raised": events(here, {**entry, "effects": [event]}),
    }
    return {what: strip(sentence) for what, sentence in made.items()}


@pytest.mark.threat("T-150")
@given(words=WORDS.filter(lambda words: words.strip("{}[]|. \n_-").strip()))
def test_whatever_a_rule_says_stands_between_two_marks_behind_whose_it_is(words: str) -> None:
    for what, sentence in told_by(words).items():
        if sentence.startswith("Ann Abel · trade") or ("“" not in sentence and what == "reason"):
            continue  # it had no words that can be said
        head, _, rest = sentence.partition("“")
        assert head == HEADS[what.partition(" ")[0]], (what, sentence)
        assert (rest.count("“"), rest.count("”")) == (0, 1), (what, sentence)


@pytest.mark.threat("T-150")
def test_no_other_sentence_of_the_engine_begins_so() -> None:
    begins = tuple(head for what, head in HEADS.items() if what != "owe")
    for key, texts in templates().items():
        for text in texts if key not in OWN else ():
            shown = re.sub(r"<[^>]*>|^\[|\]", "", text)
            shown = re.sub(r"^\{(who|of|by|player)[^}]*\}", "Ann Abel", re.sub(r"^\{rule:Rule\}", "Rule 101", shown))
            shown = re.sub(r"^\{(rule|uid|by)[^}]*\}", "rule 101", shown)
            assert not shown.startswith(begins), (key, text)
