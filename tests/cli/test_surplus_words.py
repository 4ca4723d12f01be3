"""`/finalise now` made `now` the proposal's new title: words that no argument needs are refused, and nothing is done."""

from __future__ import annotations

from typing import Any

import pytest

from folkmoot.game.rulesets import founding
from folkmoot.kernel.act_declarations import KERNEL_DECLARATIONS
from folkmoot.referee.commands import Command, asked
from folkmoot.referee.forms import read_arguments
from tests.support.meeting import rule
from tests.support.quick import SMALL
from tests.support.seats import Sit
from tests.support.table import rule as made_rule

FINAL = made_rule(
    "4",
    """
    def do_finalise(a):
        award(a.by, "score", 1)

    def do_shout(a):
        award(a.by, "score", 1)
    """,
    actions={
        "finalise": {"arguments": {"title": {"type": "text", "optional": True}, "now_or_later": {"optional": True}}},
        "shout": {"arguments": {"words": {"type": "text"}, "to": {"type": "player", "optional": True}}},
    },
)


def packaged() -> dict[str, Any]:
    """Return every action of the kernel and of the packaged games by name."""
    found = dict(KERNEL_DECLARATIONS)
    for name in ("suber", "suber-mail", "imperial", "imperial-training", "assembly", "council", "b-nomic"):
        for each in founding(name)["rules"]:
            found |= {f"{name}.{action}": declared for action, declared in (each.get("actions") or {}).items()}
    return found


def test_no_word_becomes_an_argument_that_an_action_does_not_need() -> None:
    """Every action there is: a bare word is the text that it needs, or is refused with what the action takes."""
    taken: list[str] = []
    for name, declared in packaged().items():
        arguments = (declared or {}).get("arguments") or {}
        wanted = asked(Command("do", "act now"), {"act": declared or {}})
        form = read_arguments("act", "now", arguments)
        assert form.values == wanted.args, name
        for argument in wanted.args:
            assert not arguments[argument].get("optional"), (name, argument)
        if wanted.flaw:
            assert form.flaw, name
            assert wanted.flaw.startswith("/act: 'now' means nothing here: ")
            assert all(argument in wanted.flaw for argument in list(arguments)[:12]), wanted.flaw
        else:
            taken.append(name)
    assert {"state", "suber.announce", "suber.comment"} <= set(taken)
    assert not {"suber.finalise", "pause", "join", "suber.propose", "oppose_succession"} & set(taken)


def test_the_table(seats: Sit) -> None:
    table = seats({**SMALL, "rules": [*SMALL["rules"], FINAL]})
    pull = table.open("bob", {"rules/x.yaml": rule("X")})
    table.referee()
    table.say("bob", pull, "/propose it at last\n/finalise now")
    for body in ("/leave now", "/do give to=ann amount=1 please", "/shout hear me", "/finalise"):
        table.say("bob", 0, body)
    table.referee(60)
    done = [(entry["do"], entry.get("with") or {}) for entry in table.journal() if entry.get("by") == "bob"][1:]
    assert done == [("shout", {"words": "hear me"}), ("finalise", {})]
    for said, what in (
        (table.said(pull), "on a pull request /propose stands alone"),
        (table.said(pull), "'now' means nothing here: arguments are written name=value, and finalise takes title=TEXT"),
        (table.said(0), "'now' means nothing here: leave takes no arguments"),
        (table.said(0), "'please' means nothing here: arguments are written name=value, and give takes to=PLAYER"),
    ):
        assert what in said.replace("\\", ""), what
    for words in (("finalise", "now"), ("leave", "now"), ("shout", "hear", "me")):
        refused = table.moot("bob", "act", *words, code=2)
        assert "means nothing here" in refused.err
        assert words[0] in refused.err
    table.moot("bob", "act", "shout", "hear me")


@pytest.mark.parametrize("word", ["now", "title now", "=now", "1"])
def test_a_game_that_one_person_keeps(table: Any, word: str) -> None:
    refused = table("act", "finalise", *word.split(), "--by", "ann")
    assert refused.code == 2
    assert "means nothing here" in refused.err
    assert "title=TEXT (optional)" in refused.err
