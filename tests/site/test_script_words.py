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
        "on_steep": ("When this time is up: The tea is ready", "It starts a clock and tells somebody to vote on proposal …."),
        "do_brew": ("When somebody does this: Brew it", "The tea is made."),
        "forbid_brew": ("Before somebody does this: Brew it", "It may refuse (“there is no tea”)."),
        "decide_adopted": ("Asked whether a proposal is adopted", ""),
        "decide_teatime": ("Asked about this: teatime", ""),
    }  # fmt: skip
    assert told("def decide_standing(p):\n    return None\n")["decide_standing"][0] == "Asked how an open vote stands"
    assert told("def decide_push(p, changes):\n    return None\n")["decide_push"][0].endswith("?")
    assert answering("adopted") == "say whether a proposal is adopted"
    assert answering("tea_time") == "answer “tea time”"


def test_hooks_and_the_rest_are_the_whole_script() -> None:
    known = deeds({"script": SCRIPT}, {})
    assert rest_of(SCRIPT, known).startswith("WAIT = 3600\n\ndef due(p):")
    parts = [rest_of(SCRIPT, known), *(each.source for each in known)]
    lines = [line for part in parts for line in part.splitlines() if line]
    assert sorted(lines) == sorted(filter(None, SCRIPT.splitlines()))
    hook = 'def on_rung(e):\n    announce("""one\n# two""")'
    script = f"{hook}\n\n# of what comes next\nFEE = 3\n"
    (deed,) = deeds({"script": script}, {})
    assert (deed.source, rest_of(script, [deed])) == (hook, "# of what comes next\nFEE = 3"), "no comment of the rest"


@pytest.mark.parametrize(
    "script", ["", "def on_bell(", "x" * (MAX_BYTES + 1), "def on_bell(e)\r\n\tpass", "\x00def on_a(e): 1"]
)
def test_no_script_is_too_strange_to_be_told(script: str) -> None:
    assert len(deeds({"script": script}, {})) <= 1


def test_the_words_are_of_hooks_and_functions_that_there_are() -> None:
    known = {*catalogue("events"), *catalogue("questions"), *catalogue("hooks")}
    assert {*_words()["hooks"]} - {"forbid_vote", "on_rule_repealed", "on_office_changed"} <= known
    assert {*_words()["calls"]} <= {*HOST.words}


def test_effects_of_a_kind_are_told_alike_whomever_they_concern() -> None:
    gains = [done({"effect": "award", "name": "score", "applied": applied}, CURRENCIES) for applied in (2, -2)]
    assert gains == ["gave points", "took points"]
    assert len({done({"effect": "owe", "what": f"vote on proposal {number}"}, {}) for number in (7, 8)}) == 1
    assert done({"effect": "event", "name": "bell"}, {}) == ""
