"""What authors are told before anybody plays: a script that looks at what is sealed, and readers whom there cannot be."""

from __future__ import annotations

from typing import Any

import pytest

from folkmoot.kernel.step import Kernel
from folkmoot.scenarios.check_files import rule_problems
from tests.support.table import Record, rule


def told(made: Record) -> list[str]:
    """Return what is said of a rule."""
    law: Any = {"rules": [made], "players": [{"id": "ann"}]}
    return [each.message for each in rule_problems(made, law, "title: Cards\n", "cards.yaml", Kernel())]


HELD = "def held(hand, card):\n    return card in hand and hand != []\n\n"


def told_of(body: str) -> list[str]:
    """Return what is said of what is sealed in a `do_play` with this body."""
    made = rule(
        "1",
        HELD + "def do_play(a):\n" + "".join(f"    {line}\n" for line in body.splitlines()),
        uid="1",
        defines={"player": {"hand": {"type": "list", "sealed": "owner"}, "score": {"type": "integer"}}},
        actions={"play": {"arguments": {"card": {"type": "string", "sealed": "nobody"}, "to": {"type": "player"}}}},
        sealed={"held": "Whether a card is held"},
    )
    return [message for message in told(made) if "is sealed" in message]


ASKED = 'sealed("held", get(a.by, "hand"), a.args.card)'
LOOKING = {
    'announce("x" if get(a.by, "hand") == ["ace"] else "y")': "the register hand is sealed: comparing",
    'announce("x" if "ace" in get(a.by, "hand") else "y")': "the register hand is sealed: comparing",
    'announce("x" if a.args.card != "ace" else "y")': "the argument card is sealed: comparing",
    'announce("x" if "ace" == a.args.card else "y")': "the argument card is sealed: comparing",
    f'fits = {ASKED}\nannounce("x" if fits == True else "y")': "what sealed() answers is sealed: comparing",
    'hand = get(a.by, "hand")\nif hand < ["ace"]:\n    announce("x")': "the register hand is sealed: comparing",
    'announce("%s" % get(a.by, "hand"))': "the register hand is sealed: printing",
    'announce("%s of %s" % (a.by, get(a.by, "hand")))': "the register hand is sealed: printing",
    'announce("{}".format(get(a.by, "hand")))': "the register hand is sealed: printing",
    'hand = get(a.by, "hand")\nannounce(f"{hand}")': "the register hand is sealed: printing",
    'announce(str(get(a.by, "hand")))': "the register hand is sealed: printing",
    'put(a.by, "hand", sorted(get(a.by, "hand")))': "the register hand is sealed: sorting",
    f'require({ASKED}, "E-NO")': "what sealed() answers is sealed: asking whether it is true",
    f'if {ASKED}:\n    announce("x")': "what sealed() answers is sealed: asking whether it is true",
    f"x = not {ASKED}": "what sealed() answers is sealed: asking whether it is true",
}


@pytest.mark.parametrize("body", LOOKING)
def test_what_looks_at_what_is_sealed_is_named(body: str) -> None:
    assert told_of(body) == [f"{LOOKING[body]} tells which one it is, and nothing of what is in it"]


@pytest.mark.parametrize(
    "body",
    [
        f'fits = {ASKED}\nrequire(declassify(fits, "is it held") == True, "E-NO")',
        'announce("x" if get(a.by, "score") == 3 else "y")',
        'announce("x" if a.args.to == a.by else "y")',
        'announce("x" if get(a.by, "hand") == None else "y")',
        'for card in get(a.by, "hand"):\n    reveal(card)',
        'if "ace" in reveal(get(a.by, "hand")):\n    announce("x")',
        'put(a.by, "hand", a.args.card)',
    ],
)
def test_what_may_be_done_is_not_blamed(body: str) -> None:
    assert told_of(body) == []


OFFICES: dict[str, Any] = {"dealer": {}, "leader": {"fill": "by_rule"}}


def declaring(defines: Record | None = None, **parts: Any) -> list[str]:
    """Return what is said of a rule that declares offices and something sealed."""
    made = rule("1", defines={"offices": OFFICES, **(defines or {})}, **parts)
    return [message.replace("'", "") for message in told(made)]


@pytest.mark.parametrize(
    ("said", "what"),
    [
        ("onwer", "a player called onwer"),
        ("dealer", "a player called dealer"),
        (["owner", "office/deeler"], "no rule declares an office called deeler"),
        ("office/leader", "the rules say anew each time who is leader"),
        ("author", "only an argument has an author"),
    ],
)
def test_readers_whom_there_cannot_be(said: Any, what: str) -> None:
    """Nobody would ever read what is sealed to them."""
    register = {"hand": {"type": "list", "sealed": said}}
    assert [what in message for message in declaring({"player": register})] == [True]
    assert [what in message for message in declaring({"kinds": {"card": {"registers": register}}})] == [True]
    argument = {"card": {"type": "string", "sealed": said}}
    expected = [] if said == "author" else [True]
    assert [what in message for message in declaring(actions={"play": {"arguments": argument}})] == expected


def test_readers_whom_there_can_be() -> None:
    for said in ("owner", "nobody", "office/dealer", ["owner", "office/dealer"], "ann", ["ann", "zoe"]):
        assert declaring({"player": {"hand": {"type": "list", "sealed": said}}}) == []
    for of in ("game", "rule", "proposal", "office"):
        assert "have an owner" in declaring({of: {"vault": {"type": "list", "sealed": "owner"}}})[0]
        assert declaring({of: {"vault": {"type": "list", "sealed": "nobody"}}}) == []
