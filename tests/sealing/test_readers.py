"""Readers whom there cannot be are told where they are written: nobody would ever read what is sealed to them."""

from __future__ import annotations

from typing import Any

import pytest

from folkmoot.kernel.step import Kernel
from folkmoot.scenarios.check_files import rule_problems
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import strip
from folkmoot.wording.page_links import Here
from folkmoot.wording.sentences import effect
from tests.support.sealed_law import SECRET
from tests.support.table import VOTING, Table, effects, rule

OFFICES: dict[str, Any] = {"dealer": {}, "leader": {"fill": "by_rule"}}
GOOD = ("owner", "nobody", "office/dealer", ["owner", "office/dealer"], "ann", ["ann", "zoe"])


def told(defines: dict[str, Any] | None = None, **parts: Any) -> list[str]:
    """Return what is said of a rule that declares offices and something sealed."""
    made = rule("1", defines={"offices": OFFICES, **(defines or {})}, **parts)
    law: Any = {"rules": [made], "players": [{"id": "ann"}]}
    return [
        each.message.replace("'", "") for each in rule_problems(made, law, "title: Cards\n", "cards.yaml", Kernel())
    ]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("said", "what"),
    [
        ("onwer", "a player called onwer"),
        ("nobdy", "a player called nobdy"),
        ("dealer", "a player called dealer"),
        (["owner", "office/deeler"], "no rule declares an office called deeler"),
        ("office/leader", "the rules say anew each time who is leader"),
        ("author", "only an argument has an author"),
    ],
)
def test_readers_whom_there_cannot_be(said: Any, what: str) -> None:
    register = {"hand": {"type": "list", "sealed": said}}
    assert [what in message for message in told({"player": register})] == [True]
    assert [what in message for message in told({"kinds": {"card": {"registers": register}}})] == [True]
    argument = {"card": {"type": "string", "sealed": said}}
    expected = [] if said == "author" else [True]
    assert [what in message for message in told(actions={"play": {"arguments": argument}})] == expected


@pytest.mark.parametrize("of", ["game", "rule", "proposal", "office"])
def test_what_has_no_owner_is_sealed_to_none(of: str) -> None:
    assert "have an owner" in told({of: {"vault": {"type": "list", "sealed": "owner"}}})[0]
    assert told({of: {"vault": {"type": "list", "sealed": "nobody"}}}) == []


@pytest.mark.parametrize("said", GOOD)
def test_readers_whom_there_can_be(said: Any) -> None:
    assert told({"player": {"hand": {"type": "list", "sealed": said}}}) == []


def test_nothing_is_disclosed_to_an_office_that_the_rules_fill_anew_each_time() -> None:
    script = """
    def decide_holder(office):
        return "bob"

    def do_tell(a):
        disclose(pick_sealed([1, 2]), "office/leader")
    """
    table = Table(rule("1", script, defines={"offices": OFFICES}, actions={"tell": {}}))
    outcome = table.act("ann", "tell")
    assert not outcome.accepted
    assert "disclose it to whoever that is" in outcome.failures[0]["error"]


def readers(table: Table, owner: str, name: str) -> list[str]:
    """Return who reads what stands in a register."""
    number = table.get(owner, name)["$sealed"]
    return list(table.document("sealed/000")[str(number)]["readers"])


def test_an_owner_reads_beside_others() -> None:
    script = """
    def do_keep(a):
        put("bob", "note", pick_sealed([1, 2]))
        create("card", "card-1", mark = pick_sealed([1, 2]))

    def do_write(a):
        put(a.by, "note", a.args.text)

    def do_take(a):
        give("card-1", a.by)
    """
    both = {"type": "integer", "sealed": ["owner", "office/dealer", "cid"], "optional": True}
    law = rule(
        "1",
        script,
        defines={"player": {"note": both}, "kinds": {"card": {"registers": {"mark": both}}}, "offices": {"dealer": {}}},
        actions={"keep": {}, "take": {}, "write": {"arguments": {"text": both}}},
    )
    table = Table(law)
    table.ok("ann", "keep")
    assert readers(table, "bob", "note") == ["bob", "office/dealer", "cid"]
    assert readers(table, "card-1", "mark") == ["office/dealer", "cid"]
    table.ok("ann", "take")
    assert readers(table, "card-1", "mark") == ["office/dealer", "cid", "ann"]
    outcome = table.ok("ann", "write", text=7)
    assert readers(table, "ann", "note") == ["ann", "office/dealer", "cid"]
    assert [each["to"] for each in outcome.confided] == [["ann", "cid"]]


def test_an_author_reads_what_they_sealed_but_no_ballot() -> None:
    """It is sealed to nobody until it is opened: its author knows it all the same, on every machine of theirs."""
    script = """
    def do_play(a):
        put("game", "table", get("game", "table") | {a.by: a.args.card})
    """
    law = rule(
        "1",
        script,
        defines={"game": {"table": {"type": "map"}}},
        actions={"play": {"arguments": {"card": {"type": "integer", "sealed": "nobody"}}}},
    )
    table = Table(law, VOTING, SECRET)
    assert [each["to"] for each in table.ok("ann", "play", card=7).confided] == [["ann"]]
    table.propose("ann", {"enact": {"title": "Tea", "text": "Tea is served."}})
    assert table.ok("ann", "vote", proposal=901, choice="for").confided == []


def test_one_hidden_card_for_another_is_told_as_that() -> None:
    law = rule(
        "1",
        "def do_draw(a):\n    put(a.by, 'hand', pick_sealed([{'name': 'x'}, {'name': 'y'}]))\n",
        defines={"player": {"hand": {"type": "map", "sealed": "owner"}}},
        actions={"draw": {}},
    )
    table = Table(law)
    table.ok("ann", "draw")
    outcome = table.ok("ann", "draw")
    here = Here(GameView(slug="x", documents=table.kernel.documents.everything()), "index.md")
    told = strip(effect(here, table.entries[-1], effects(outcome, "put")[0]))
    assert "Hand of ann: sealed → sealed" in told
