"""What scripts do and have done, in plain words."""

from __future__ import annotations

from typing import Any

import pytest

from folkmoot.kernel.host import HOST
from folkmoot.language.declarations import catalogue
from folkmoot.language.tree import MAX_BYTES
from folkmoot.site.script_words import _words, answering, deeds, done, rest_of

CURRENCIES = {"score": "points"}
SCRIPT = '''\
WAIT = 3600

def due(p):
    owe(p.author, "vote on proposal %d" % p.number)

def on_bell(e):
    award(e.player, "score", 1)
    put("game", "n", 1)

def on_steep(e):
    due(e.proposal)
    after(WAIT, "steep")

def do_brew(a):
    """The tea is made."""
    award(a.by, "score", 1)

def forbid_brew(a):
    return refuse("E-STATUS", "there is no tea")

def decide_adopted(p):
    return None

def decide_teatime():
    return None
'''


def told(script: str, **rule: Any) -> dict[str, tuple[str, str]]:
    return {each.hook: (each.when, each.does) for each in deeds({"script": script, **rule}, CURRENCIES)}


def test_a_hook_is_told_by_its_name_and_by_what_it_calls_itself_or_through_others() -> None:
    found = told(SCRIPT, timers={"steep": {"summary": "The tea is ready"}}, actions={"brew": {"summary": "Brew it"}})
    assert found == {
        "on_bell": ("When this happens: bell", "It gives or takes points."),
        "on_steep": (
            "When this time is up: The tea is ready",
            "It starts a clock and tells somebody to vote on proposal ….",
        ),
        "do_brew": ("When somebody does this: Brew it", "The tea is made."),
        "forbid_brew": ("Before somebody does this: Brew it", "It may refuse (“there is no tea”)."),
        "decide_adopted": ("Asked whether a proposal is adopted", ""),
        "decide_teatime": ("Asked about this: teatime", ""),
    }


def test_hooks_and_the_rest_are_the_whole_script() -> None:
    known = deeds({"script": SCRIPT}, {})
    assert rest_of(SCRIPT, known).startswith("WAIT = 3600\n\ndef due(p):")
    together = [
        line for part in (rest_of(SCRIPT, known), *(each.source for each in known)) for line in part.splitlines()
    ]
    assert sorted(filter(None, together)) == sorted(filter(None, SCRIPT.splitlines()))


@pytest.mark.parametrize(
    "script", ["", "def on_bell(", "x" * (MAX_BYTES + 1), "def on_bell(e)\r\n\tpass", "\x00def on_a(e): 1"]
)
def test_no_script_is_too_strange_to_be_told(script: str) -> None:
    assert len(deeds({"script": script}, {})) <= 1


def test_a_text_that_looks_like_a_comment_is_the_hook_s() -> None:
    hook = 'def on_rung(e):\n    announce("""one\n# two""")'
    script = f"{hook}\n\n# of what comes next\nFEE = 3\n"
    (deed,) = deeds({"script": script}, {})
    assert (deed.source, rest_of(script, [deed])) == (hook, "# of what comes next\nFEE = 3")


def test_what_nobody_explained_has_the_words_of_the_catalogue() -> None:
    assert told("def decide_standing(p):\n    return None\n")["decide_standing"][0] == "Asked how an open vote stands"
    assert told("def decide_push(p, changes):\n    return None\n")["decide_push"][0].endswith("?")
    assert answering("adopted") == "say whether a proposal is adopted"
    assert answering("tea_time") == "answer “tea time”"


def test_the_words_are_of_hooks_and_functions_that_there_are() -> None:
    known = {*catalogue("events"), *catalogue("questions"), *catalogue("hooks")}
    own = {"forbid_vote", "on_rule_repealed", "on_office_changed"}
    assert {*_words()["hooks"]} - own <= known
    assert {*_words()["calls"]} <= {*HOST.words}


def test_effects_of_a_kind_are_told_alike_whomever_they_concern() -> None:
    assert done({"effect": "award", "name": "score", "applied": 2}, CURRENCIES) == "gave points"
    assert done({"effect": "award", "name": "score", "applied": -2}, CURRENCIES) == "took points"
    assert done({"effect": "owe", "what": "vote on proposal 7"}, {}) == done(
        {"effect": "owe", "what": "vote on proposal 8"}, {}
    )
    assert done({"effect": "event", "name": "bell"}, {}) == ""
