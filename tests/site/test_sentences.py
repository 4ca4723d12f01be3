"""Every reason and every effect has its sentence, on every surface, and no word of a rule begins one."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from folkmoot.wording import sentences
from folkmoot.wording.catalogue import keys, say, templates
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import Html, strip
from folkmoot.wording.page_links import Here
from folkmoot.wording.sentences import GROUPS, act, effect, events, reason, refusal
from tests.support.site_game import game

ENGINE = Path(sentences.__file__).parents[1]
LAW = {path: path.read_text() for path in sorted(ENGINE.glob("**/*.py")) if path.parent.name != "pages"}
RULES = {uid: {"number": uid, "in_force": True} for uid in ("1", "2", "3", "202", "213", "304", "305")}
PLAIN = Here(GameView(slug="x", documents={"law": {"version": 1, "rules": RULES}}, entries=[]), "index.md")
FULL = Here(game(), "journal/0001.md")
EFFECTS = sorted({key.split()[1] for key in keys() if key.startswith("effect ")})
REASONS = sorted({key.split()[1] for key in keys() if key.startswith("reason ")})


def test_every_decision_the_kernel_notes_has_a_sentence() -> None:
    calls = r'reason\(\s*(?:"([A-Z-]+)"|"([A-Z-]+)" if [^\n]* else "([A-Z-]+)")'
    used = {code for text in LAW.values() for found in re.findall(calls, text) for code in found if code}
    assert {"OVERRULED", "HELD", "PARADOX", "SKIPPED-REPEALED"} <= used
    assert {code for code in used if not code.startswith("E-")} - set(REASONS) == set()
    assert set(REASONS) == set(GROUPS["decisions"])


def test_every_effect_the_kernel_writes_has_a_sentence() -> None:
    used = {kind for text in LAW.values() for kind in re.findall(r'effect\(\s*"([^"]+)"', text)}
    either = r'effect\("([^"]+)" if \w+ else "([^"]+)"'
    used |= {kind for text in LAW.values() for pair in re.findall(either, text) for kind in pair}
    assert len(used) > 25
    assert used - set(EFFECTS) == set()


@pytest.mark.parametrize(
    ("why", "expected"),
    [
        ({"code": "OVERRULED", "rule": "305", "args": {"question": "adopted", "by": "304"}},
         "rule 304 overrules rule 305 on the question “adopted”"),
        ({"code": "OVERRULED", "rule": "2", "args": {"action": "go", "by": "1"}}, "rule 1 overrules rule 2 on how to go"),
        ({"code": "SKIPPED-REPEALED", "rule": "3", "args": {"hook": "on_turn_ended"}},
         "rule 3 was repealed before it could hear of “turn ended”"),
        ({"code": "NO-ANSWER", "args": {"question": "electorate"}},
         "no rule answers the question “electorate”, so everybody in the game has a vote"),
        ({"code": "HELD", "rule": "1", "args": {"label": "clock", "why": "it is off"}},
         "the act waits until “clock” is released: “it is off” (rule 1)"),
        ({"code": "PARADOX", "args": {"rules": ["1", "2", "3"]}},
         "rule 1, rule 2 and rule 3 take precedence over one another in a circle, so the lower number goes first"),
        ({"code": "E-TIME", "rule": "213", "args": {"why": "the vote is over"}}, "rule 213: “the vote is over”"),
        ({"code": "E-GAME-OVER"}, "The game is over"),
        ({"code": "E-TARGET", "rule": "1", "args": {"why": "gone", "of": "proposal/305"}}, "rule 1: proposal 305: “gone”"),
        ({"code": "E-TIME", "args": {"why": "late", "of": "12"}}, "the act held since entry #12: late"),
        ({"code": "E-HOUSE-RULE"}, "refused with E-HOUSE-RULE"),
        ({"code": "MOVER", "rule": "202", "args": {"mover": "ann"}}, "mover ann (rule 202)"),
    ],
)  # fmt: skip
def test_sentences_of_reasons(why: dict[str, Any], expected: str) -> None:
    assert strip(refusal(PLAIN, why)) == expected


def test_reasons_link_to_rules() -> None:
    shown = reason(FULL, {"code": "E-SCRIPT", "rule": "206"})
    assert '<a href="../law/206.html"' in shown
    assert strip(shown) == "E-SCRIPT A rule's script is at fault (rule 206)"


@pytest.mark.parametrize(
    ("what", "expected"),
    [
        ({"effect": "award", "of": "ann", "name": "score", "asked": 14, "applied": 7, "why": "won", "rule": "202"},
         "Ann Abel +7 points (asked: +14) for “won” by rule 202"),
        ({"effect": "put", "of": "office/scribe", "name": "holder", "from": None, "to": "ann"},
         "Holder of scribe: none → Ann Abel"),
        ({"effect": "put", "of": "game", "name": "board", "key": "c4", "from": 2, "to": None}, "Board: c4 is gone"),
        ({"effect": "correct", "of": "ann", "name": "score", "why": "miscounted"},
         "Score of Ann Abel (a correction: “miscounted”)"),
        ({"effect": "suspend", "of": "206", "why": "it fails."}, "Put to sleep rule 206: “it fails”"),
        ({"effect": "ballot", "of": "proposal/310", "voter": "ann", "choice": "yes", "counts": False, "why": "away"},
         "Ann Abel’s ballot on proposal 310: yes does not count: “away”"),
        ({"effect": "win", "of": "ann", "players": ["ann", "bob"], "ends": True},
         "Ann Abel, Bob Baker win, and the game is over"),
        ({"effect": "win", "of": "ann", "players": ["ann"], "why": "200 points"}, "Ann Abel wins: “200 points”"),
        ({"effect": "redact", "of": "3", "path": "with.text", "why": "private"},
         "with.text of entry #3 is replaced by its digest: “private”"),
        ({"effect": "identify", "of": "ann", "forge": "gitea", "to": {"id": 7, "login": "ann7"}},
         "Ann Abel is ann7 on the gitea forge"),
        ({"effect": "novelty", "of": "x"}, "Novelty: of x"),
    ],
)  # fmt: skip
def test_sentences_of_effects(what: dict[str, Any], expected: str) -> None:
    assert strip(effect(FULL, {"seq": 1}, what)) == expected


def test_what_players_wrote_stays_text() -> None:
    nasty = "<script>alert(1)</script>"
    for kind in EFFECTS:
        shown = effect(PLAIN, {}, {"effect": kind, "of": nasty, "why": nasty, "to": nasty, "label": nasty, "name": nasty,
                                   "path": nasty, "forge": nasty, "what": nasty, "choice": nasty, "kind": nasty})  # fmt: skip
        assert "<script" not in shown, kind
    for code in [*REASONS, "E-X"]:
        args = dict.fromkeys(("why", "by", "of", "name", "label", "hook", "question", "timer", "revision"), nasty)
        assert "<script" not in reason(PLAIN, {"code": code, "rule": nasty, "args": args}), code


def test_every_sentence_of_the_catalogue_can_be_said_and_names_only_ways_of_showing_that_there_are() -> None:
    for key in keys():
        assert isinstance(say(PLAIN, key, {"who": "x"}), Html), key


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
        "tick": act(here, {"seq": 9, "do": "tick", "with": {"timer": f"{words} of nobody"}}),
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
