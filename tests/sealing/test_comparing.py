"""A script that looks at what is sealed learns which one it is: its author is told so before anybody plays by it."""

from __future__ import annotations

from typing import Any

import pytest

from folkmoot.kernel.step import Kernel
from folkmoot.scenarios.check_files import rule_problems

BASE: dict[str, Any] = {
    "rule": "1", "uid": "1", "title": "Cards", "text": "There are cards.",
    "defines": {"player": {"hand": {"type": "list", "sealed": "owner"}, "score": {"type": "integer"}}},
    "actions": {"play": {"arguments": {"card": {"type": "string", "sealed": "nobody"}, "to": {"type": "player"}}}},
    "sealed": {"held": "Whether a card is held"},
}  # fmt: skip
HELD = "def held(hand, card):\n    return card in hand and hand != []\n\n"


def told(body: str) -> list[str]:
    """Return what is said of a `do_play` with this body."""
    rule = {**BASE, "script": HELD + "def do_play(a):\n" + "".join(f"    {line}\n" for line in body.splitlines())}
    law = {"rules": [rule], "players": [{"id": "ann"}]}
    found = rule_problems(rule, law, "title: Cards\n", "cards.yaml", Kernel())  # type: ignore[arg-type]
    return [problem.message for problem in found if "is sealed" in problem.message]


@pytest.mark.parametrize(
    ("body", "what"),
    [
        ('announce("x" if get(a.by, "hand") == ["ace"] else "y")', "the register hand"),
        ('announce("x" if "ace" in get(a.by, "hand") else "y")', "the register hand"),
        ('announce("x" if a.args.card != "ace" else "y")', "the argument card"),
        ('announce("x" if "ace" == a.args.card else "y")', "the argument card"),
        (
            'fits = sealed("held", get(a.by, "hand"), a.args.card)\nannounce("x" if fits == True else "y")',
            "what sealed() answers",
        ),
        ('hand = get(a.by, "hand")\nif hand < ["ace"]:\n    announce("x")', "the register hand"),
    ],
)
def test_what_is_compared_is_named(body: str, what: str) -> None:
    assert told(body) == [f"{what} is sealed: comparing tells which one it is, and nothing of what is in it"]


@pytest.mark.parametrize(
    ("body", "use"),
    [
        ('announce("%s" % get(a.by, "hand"))', "printing"),
        ('announce("%s of %s" % (a.by, get(a.by, "hand")))', "printing"),
        ('announce("{}".format(get(a.by, "hand")))', "printing"),
        ('hand = get(a.by, "hand")\nannounce(f"{hand}")', "printing"),
        ('announce(str(get(a.by, "hand")))', "printing"),
        ('put(a.by, "hand", sorted(get(a.by, "hand")))', "sorting"),
        ('require(sealed("held", get(a.by, "hand"), a.args.card), "E-NO")', "asking whether it is true"),
        ('if sealed("held", get(a.by, "hand"), a.args.card):\n    announce("x")', "asking whether it is true"),
        ('x = not sealed("held", get(a.by, "hand"), a.args.card)', "asking whether it is true"),
    ],
)
def test_what_is_printed_sorted_or_asked_is_named(body: str, use: str) -> None:
    (message,) = told(body)
    assert message.endswith(f"is sealed: {use} tells which one it is, and nothing of what is in it")


@pytest.mark.parametrize(
    "body",
    [
        'fits = sealed("held", get(a.by, "hand"), a.args.card)\nrequire(declassify(fits, "is it held") == True, "E-NO")',
        'announce("x" if get(a.by, "score") == 3 else "y")',
        'announce("x" if a.args.to == a.by else "y")',
        'announce("x" if get(a.by, "hand") == None else "y")',
        'for card in get(a.by, "hand"):\n    reveal(card)',
        'if "ace" in reveal(get(a.by, "hand")):\n    announce("x")',
        'put(a.by, "hand", a.args.card)',
    ],
)
def test_what_may_be_done_is_not_blamed(body: str) -> None:
    assert told(body) == []
