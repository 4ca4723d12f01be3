"""What a comment asks for: commands, questions and their answers, and all that asks for nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from folkmoot.forges.local.letters import Letter
from folkmoot.game.session import Session
from folkmoot.kernel.act_declarations import KERNEL_DECLARATIONS
from folkmoot.referee.commands import LONGEST_LINE, MOST_COMMANDS, asked, commands_in, unread_in
from folkmoot.referee.content import Content
from folkmoot.referee.intake import Intake
from folkmoot.referee.questions import COMMANDS, MOST_CHARACTERS, help_found, rule_found
from folkmoot.referee.recorder import Recorder
from tests.conftest import examples
from tests.support.issues import Table, act
from tests.support.quick import CLOCK, SMALL, VOTES, QuickMeeting, quick, suber, unchanged
from tests.support.table import rule

__all__ = ["quick"]

ACTIONS: dict[str, Any] = {
    "move": {"arguments": {"to": {"type": "thing"}, "steps": {"type": "integer"}, "rule": {"type": "rule"}}},
    "comment": {"arguments": {"text": {"type": "text"}}},
    "finalise": {"arguments": {}},
}


def only(body: str) -> Any:
    (command,) = commands_in(body)
    return asked(command, ACTIONS)


@pytest.mark.parametrize(
    ("body", "do", "args"),
    [
        ("/vote for", "vote", {"choice": "for"}),
        (
            "I agree.\n\n/vote For because it rains, and rains",
            "vote",
            {"choice": "for", "reason": "it rains, and rains"},
        ),
        ("/vote against: too long", "vote", {"choice": "against", "reason": "too long"}),
        ("/vote yes motion=34 why not", "vote", {"choice": "yes", "motion": 34, "reason": "why not"}),
        ("/do move to=c4 steps=3 rule=203", "move", {"to": "c4", "steps": 3, "rule": "203"}),
        ('/do move to="the old mill"', "move", {"to": "the old mill"}),
        ("/move to=c4", "move", {"to": "c4"}),
        ("/comment What if it's raining?", "comment", {"text": "What if it's raining?"}),
        ("/do finalise", "finalise", {}),
        ("/Finalise  ", "finalise", {}),
        ("/vote: for", "vote", {"choice": "for"}),
        ("/vote=for", "vote", {"choice": "for"}),
        ("/finalise!", "finalise", {}),
        ("Hi\n     /vote for", "vote", {"choice": "for"}),
    ],
)
def test_what_is_asked(body: str, do: str, args: dict[str, Any]) -> None:
    wanted = only(body)
    assert (wanted.flaw, wanted.do, wanted.args) == ("", do, args)
    assert only("/do move as=scribe to=c4").as_ == "scribe"


@pytest.mark.parametrize(
    ("body", "flaw"),
    [
        ("/vot for", "there is no command /vot; did you mean /vote?"),
        ("/yes", "there is no command /yes; a ballot is cast by /vote yes"),
        ("/nay", "there is no command /nay; a ballot is cast by /vote nay"),
        ("/withdraw", "there is no command /withdraw here: no rule of this game provides for it"),
        ("/vote", "/vote needs a choice, as in `/vote CHOICE`"),
        ("/do mvoe to=c4", "there is no action mvoe; did you mean move?"),
        ("/do", "there is no action (none was named)"),
        (
            "/move c4",
            "/move: 'c4' means nothing here: arguments are written name=value, and move takes to=…, steps=…, rule=…",
        ),
        ("/move to=c4 to=c5", "/move: to is given twice"),
        ("/move to=c4 as=judge as=scribe", "/move: as is given twice"),
        ("/vote for proposal=301 proposal=302", "/vote: proposal is given twice"),
        ('/move to="c4', "/move: a quotation mark or a bracket is not closed"),
    ],
)
def test_what_is_wrong_with_a_command_is_said(body: str, flaw: str) -> None:
    assert only(body).flaw == flaw


SILENT = (
    # quotations and code
    "> /vote for", "    > /vote for", "> > /vote for", "> <details>\n> /vote for", "> ```\n> /vote for\n> ```",
    "```\n/vote for\n```", "```\n/vote for", "~~~ sh\n/vote for\n~~~", "````\n```\n/vote for\n````", "`/vote for`",
    "    /vote for", "\t/vote for", "Hi\n\n    /vote for", "> quoted\n    /vote for", "# Title\n    /vote for",
    # sentences, lists and paths
    "I said /vote for", "/ vote for", "//vote for", "/2", "- /vote for", "/etc/passwd is there", "/index.html is there",
    # HTML
    "<!--\n/vote for\n-->", "<!-- /vote for -->", "<!-- a\n\n/vote for", "Hello <!-- a\n/vote for\n--> there",
    "<!-- a --> <!-- b\n/vote for\n-->", "<!-- -- > \n/vote for\n-->", "> <!-- folkmoot:referee -->\n> /vote for",
    "<pre>\n</pre \n/vote for\n</pre>", "<script>\n</script\n/vote for\n></script>", "<textarea>\n</textarea\n/vote for",
    "<blockquote>\nx\n</blockquote\n/vote for\n>",
    "<pre>\n/vote for\n</pre>", "<PRE class=x>\n/vote for\n\n/vote for\n</PRE>", "<details><pre>\n/vote for\n</pre></details>",
    "<blockquote>\n/vote for\n</blockquote>", "<style>\n/vote for\n</style>", "<script>\n/vote for\n</script>",
    "<textarea>\n/vote for\n</textarea>", "<?php\n/vote for\n?>", "<!DOCTYPE html\n/vote for\n>", "<![CDATA[\n/vote for\n]]>",
    "<pre>\n<script>\n</pre>\n/vote for", "<style>x</style>\n    /vote for", "<pre\nclass=x>\n/vote for\n</pre>",
    # what only some programs take for the end of a line
    "> I say:\u2028/vote for", "> I say:\u2029/vote for", "> I say:\x0b/vote for", "I say:\x0c/vote for",
    "> a\x1c/vote for\x1d/vote for\x1e/vote for", "> a\x85/vote for",
)  # fmt: skip
HEARD = (
    "/vote for", "I agree.\r\n\r\n/vote for", "<pre>x</pre>\n/vote for", "```\n<pre>\n```\n/vote for", "<!-- x -->\n/vote for",
    "> /vote against\n\n/vote for", "<prefix>\n/vote for", "a\r/vote for", "I use `<pre>`.\n/vote for", "<b>\n/vote for",
    "``<pre>`` and `<blockquote>`\n/vote for", "</pre>\n/vote for",
)  # fmt: skip


@pytest.mark.threat("T-18")
@pytest.mark.parametrize("body", SILENT)
def test_what_nobody_meant_is_no_command(body: str) -> None:
    assert commands_in(body) == []


@pytest.mark.threat("T-18")
@pytest.mark.parametrize("body", HEARD)
def test_what_is_meant_is_heard(body: str) -> None:
    assert [(command.name, command.rest) for command in commands_in(body)] == [("vote", "for")]


@pytest.mark.threat("T-30")
def test_a_comment_asks_for_so_much_at_most() -> None:
    assert len(commands_in("/vote for\n" * 500)) == MOST_COMMANDS
    assert commands_in("/comment " + "x" * 20_000) == []


@settings(max_examples=examples(120))
@given(st.text(max_size=200))
def test_any_text_is_read(body: str) -> None:
    for command in commands_in("/" + body):
        asked(command, ACTIONS)


# -- questions

RULES: list[dict[str, Any]] = [
    {"rule": "101", "uid": "101", "title": "Obedience", "text": "Everybody who plays abides by the rules.\n"},
    {"rule": "301", "uid": "210", "title": "Tea", "text": "There is tea.\n\n```\n/vote for\n```\n@ann <!-- x -->"},
    {"rule": "302", "uid": "302", "title": "Coffee", "text": "There is coffee, which is no tea."},
    {"rule": "9", "uid": "9", "title": "Long", "text": "A line of text.\n" * 1_000},
]


@pytest.mark.parametrize(
    ("asked", "what", "why"),
    [
        ("101", "rule 101", "Obedience"),
        ("Rule 101", "rule 101", "Obedience"),
        ("#301", "rule 301", "Tea"),
        ("210", "rule 301", "Tea"),
        ("tea", "rule 301", "Tea"),
        ("plays ABIDES", "rule 101", "Obedience"),
        ("there is", "/rule there is", "2 rules speak of that"),
        ("", "/rule", "4 rules are in force"),
        ("dragons", "/rule dragons", "no rule in force has that number, or speaks of that; /rule alone lists all of them"),
    ],
)  # fmt: skip
def test_rules_are_found_by_number_or_words(asked: str, what: str, why: str) -> None:
    told = rule_found(asked, RULES)
    assert (told.what, told.why) == (what, why)


def test_answers_are_bounded() -> None:
    told = rule_found("9", RULES)
    assert len("\n".join(told.lines)) < MOST_CHARACTERS + 100
    assert "more lines; the site has all of them" in told.lines[-1]
    many = [{"rule": str(n), "uid": str(n), "title": "x" * 200, "text": ""} for n in range(1000)]
    assert len("\n".join(rule_found("", many).lines)) < MOST_CHARACTERS + 300
    assert len(rule_found("x" * 5_000, RULES).what) < 300


def test_help_names_commands_and_actions() -> None:
    told = help_found("", KERNEL_DECLARATIONS)
    text = "\n".join(told.lines)
    for name in ("/vote", "/do", "/rule", "/help", "/game", "/do state text=…"):
        assert name in text
    assert help_found("vote", KERNEL_DECLARATIONS).why == COMMANDS["/vote CHOICE [because REASON]"]
    state = help_found("/state", KERNEL_DECLARATIONS)
    assert (state.why, state.lines) == ("Say something for the record", ("/do state text=…", "  text: text"))
    assert "there is no action or command of that name" in help_found("stat", KERNEL_DECLARATIONS).why


# -- at a table


@pytest.fixture
def pull(quick: QuickMeeting) -> int:
    """Return a pull request of ann's that is voted on."""
    number = quick.propose("ann")
    quick.referee()
    return number


def test_an_echo_agrees_to_nothing_and_a_word_counts(quick: QuickMeeting, pull: int) -> None:
    for body in SILENT:
        quick.say("bob", pull, body)
    with unchanged(quick):
        quick.referee(60)
    quick.say("bob", pull, HEARD[1])
    quick.referee(60)
    assert quick.ballots() == {"bob": "for"}


@pytest.mark.parametrize("body", ["/vote for\n" * (MOST_COMMANDS + 1), f"/state {'x' * LONGEST_LINE}"])
def test_commands_that_are_not_read_are_named(quick: QuickMeeting, pull: int, body: str) -> None:
    quick.say("bob", pull, body)
    quick.referee()
    assert unread_in(body)
    assert unread_in(body).split(";")[0] in quick.said(pull)


def test_a_rule_is_shown_where_it_is_asked_for_and_nothing_recorded(quick: QuickMeeting, pull: int) -> None:
    entries = len(quick.journal())
    quick.say("bob", pull, "What does it say?\n\n/rule 2")
    quick.say("zed", pull, "/help give")
    quick.say("zed", 0, "/rule 2")
    quick.referee(60)
    assert len(quick.journal()) == entries
    said = quick.said(pull)
    for part in ("#### What was asked", "**rule 2** (asked by bob)", "/do give to=… amount=…"):
        assert part in said
    assert "**rule 2** (asked by Zed)" in quick.said(0)
    quick.referee(60)
    assert quick.said(pull) == said
    for number in range(12):
        quick.say("bob", pull, f"/rule word{number}")
    quick.referee(60)
    assert [number for number in range(12) if f"/rule word{number}**" in quick.said(pull)] == [7, 8, 9, 10, 11]


def test_an_action_of_that_name_prevails(tmp_path: Path) -> None:
    ruling = rule("4", "def do_rule(a):\n    announce('ruled')", actions={"rule": {"summary": "Rule"}})
    meeting = QuickMeeting(tmp_path, law={**SMALL, "rules": [*SMALL["rules"], ruling]})
    meeting.say("bob", 0, "/rule")
    meeting.referee()
    assert meeting.journal()[-1]["do"] == "rule"


def test_a_typo_is_helped(quick: QuickMeeting, pull: int) -> None:
    helped = {
        "/rulee 2": "there is no command /rulee; did you mean /rule?",
        "/do give too=bob amount=1": "give takes no argument too, did you mean to?",
        "/do give whom=bob amount=1": "give takes no argument whom; it takes to, amount",
        "/do give to=bbo amount=1": "to must be a player",
        "/vote fro": "'fro' is no choice of vote here; choose for, against, abstain",
    }
    for line in helped:
        quick.say("bob", pull, line)
    quick.referee(60)
    said = quick.said(pull).replace("\\_", "_")
    assert [told for told in helped.values() if told not in said] == []


# -- what an act is about


def law(name: str) -> dict[str, Any]:
    """Return a law whose actions are about a proposal that they call by some name, and by night wait."""
    spec = {"arguments": {name: {"type": "proposal"}, "why": {"type": "text", "optional": True}}}
    taking = rule(
        "4",
        f"""
        def do_second(a):
            announce("%s seconds %s" % (a.by, proposal(a.args.{name}).title))

        def do_take_back(a):
            resolve(proposal(a.args.{name}), "withdrawn")

        def forbid_wave(a):
            return hold("dawn", "it is night")

        def do_wave(a):
            pass
        """,
        actions={"second": spec, "take_back": {**spec, "takes": "closing"}, "wave": {}},
    )
    return {"title": "Seconds", "zone": "UTC", "rules": [VOTES, CLOCK, taking]}


@pytest.mark.parametrize("name", ["proposal", "matter"])
def test_an_act_is_about_what_its_place_proposed_however_the_law_calls_that(name: str, tmp_path: Path) -> None:
    table = Table(tmp_path, law=law(name))
    one, other = table.propose("ann", "A dragon"), table.propose("bob", "A moat")
    table.referee(60)
    issue = table.state("bob", act("propose", 'title: A bog\nchanges: [{enact: {title: A bog, text: "Wet."}}]'))
    table.say("cid", one, "/second")
    table.say("dee", one, f"/second {name}=302")
    table.below("cid", issue, "/second")
    told = [effect["text"] for entry in table.journal() for effect in entry.get("effects") or () if "text" in effect]
    assert sorted(told) == ["cid seconds A bog", "cid seconds A dragon", "dee seconds A moat"]
    table.send("bob", Letter(pull=other, kind="close"))
    table.referee(60)
    assert [table.proposal(number)["outcome"] for number in (301, 302)] == [None, "withdrawn"]


def test_what_is_held_waits_and_is_not_called_refused(tmp_path: Path) -> None:
    table = Table(tmp_path, law=law("matter"))
    table.say("cid", 0, "/wave")
    number = table.state("bob", act("wave"))
    assert [entry["code"] for entry in table.journal() if entry["do"] == "wave"] == ["HELD", "HELD"]
    assert "Waits:\n\n- cid, wave, by rule 4: “it is night” (`HELD`)" in table.said(0)
    assert "refused" not in table.said(0)
    assert table.is_open(number)
    assert "Was refused" not in table.told(number)


# -- what was said before any rule knew it


def test_a_word_that_nothing_knew_stays_without_effect(tmp_path: Path) -> None:
    meeting = QuickMeeting(tmp_path, law=suber())

    def repaired(change: dict[str, Any]) -> None:
        meeting.say("ann", 0, f"/do repair why=Try changes='{json.dumps([change])}'")
        meeting.referee(60)
        assert meeting.journal()[-1]["do"] == "repair", meeting.said(0)

    def danced() -> int:
        return sum(entry["do"] == "dance" for entry in meeting.journal())

    pull = meeting.propose("ann", "A bridge")
    meeting.say("bob", pull, "/dance")
    meeting.referee(60)
    assert "there is no command /dance" in meeting.said(pull)
    script = 'def do_dance(a):\n    announce("%s dances." % a.by)\n'
    repaired(
        {"enact": {"title": "Dances", "text": "One may.", "actions": {"dance": {"summary": "Dance"}}, "script": script}}
    )
    for _ in range(2):
        meeting.referee(60)
        assert danced() == 0
    assert "no rule knew that when it was said" in meeting.said(pull)
    meeting.say("bob", pull, "/dance")
    meeting.referee(60)
    assert danced() == 1
    rules = meeting.document("law")["rules"]
    uid = next(uid for uid, meta in rules.items() if meta["cause"] != "founding")
    before = rules[uid]["at"]
    repaired({"amend": uid, "text": "One may dance, and sing."})
    after = meeting.document("law")["rules"][uid]["at"]
    record = meeting.game()
    with Session.on(record) as session:
        intake = Intake(Recorder(session, record, "local"), lambda _: Content(head="", base="", digest=""), {})
        later = [intake._came_later("dance", at) for at in (before - 1, before, after - 1, after)]
    assert later == [True, False, False, False]
    assert meeting.sound()
