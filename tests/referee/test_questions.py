"""Questions in comments: a rule, or how something is written; they change nothing and their answers are bounded."""

from __future__ import annotations

from typing import Any

import pytest

from folkmoot.kernel.act_declarations import KERNEL_DECLARATIONS
from folkmoot.referee.questions import COMMANDS, MOST_CHARACTERS, help_found, rule_found
from tests.support.quick import QuickMeeting

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
        ("103", "/rule 103", "no rule in force has that number, or speaks of that; did you mean 101?"),
        ("dragons", "/rule dragons", "no rule in force has that number, or speaks of that; /rule alone lists all of them"),
    ],
)  # fmt: skip
def test_rules_are_found_by_number_or_words(asked: str, what: str, why: str) -> None:
    told = rule_found(asked, RULES)
    assert (told.what, told.why) == (what, why)


def test_rules_are_listed_as_people_count() -> None:
    assert rule_found("", RULES).lines == ("9  Long", "101  Obedience", "301  Tea", "302  Coffee")


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
    assert (
        help_found("stat", KERNEL_DECLARATIONS).why == "there is no action or command of that name; did you mean state?"
    )


# -- where they are asked


@pytest.fixture
def meeting(tmp_path: Any) -> QuickMeeting:
    return QuickMeeting(tmp_path)


def test_a_rule_is_shown_on_a_pull_request_and_nothing_recorded(meeting: QuickMeeting) -> None:
    pull = meeting.propose("ann")
    meeting.referee()
    entries = len(meeting.journal())
    meeting.say("bob", pull, "What does it say?\n\n/rule 2")
    meeting.say("zed", pull, "/help give")
    meeting.referee(60)
    assert len(meeting.journal()) == entries
    said = meeting.said(pull)
    assert "#### What was asked" in said
    assert "**rule 2** (asked by bob)" in said
    assert "/do give to=… amount=…" in said
    meeting.referee(60)
    assert meeting.said(pull) == said


def test_a_rule_is_shown_in_the_thread(meeting: QuickMeeting) -> None:
    meeting.say("zed", 0, "/rule 2")
    meeting.referee()
    assert len(meeting.journal()) == 1
    assert "**rule 2** (asked by Zed)" in meeting.said(0)


def test_only_the_newest_questions_are_answered(meeting: QuickMeeting) -> None:
    pull = meeting.propose("ann")
    for number in range(12):
        meeting.say("bob", pull, f"/rule word{number}")
    meeting.referee()
    assert [number for number in range(12) if f"/rule word{number}**" in meeting.said(pull)] == [7, 8, 9, 10, 11]


def test_an_action_of_that_name_prevails(tmp_path: Any) -> None:
    from tests.support.quick import SMALL, made_rule

    ruling = made_rule("4", "def do_rule(a):\n    announce('ruled')", actions={"rule": {"summary": "Rule"}})
    meeting = QuickMeeting(tmp_path, law={**SMALL, "rules": [*SMALL["rules"], ruling]})
    meeting.say("bob", 0, "/rule")
    meeting.referee()
    assert meeting.journal()[-1]["do"] == "rule"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("/vot for", "there is no command /vot; did you mean /vote?"),
        ("/rulee 2", "there is no command /rulee; did you mean /rule?"),
        ("/do giv to=bob amount=1", "there is no action giv; did you mean give?"),
        ("/do give too=bob amount=1", "give takes no argument too, did you mean to?"),
        ("/do give whom=bob amount=1", "give takes no argument whom; it takes to, amount"),
        ("/do give to=bbo amount=1", "to must be a player"),
        ("/vote fro", "'fro' is no choice of vote here; choose for, against, abstain"),
    ],
)
def test_a_typo_is_helped(meeting: QuickMeeting, line: str, told: str) -> None:
    pull = meeting.propose("ann")
    meeting.referee()
    meeting.say("bob", pull, line)
    meeting.referee(60)
    assert told in meeting.said(pull).replace("\\_", "_")


@pytest.mark.parametrize(
    "body",
    [
        "> /do roll", "```\n/do roll\n```", "~~~\n/do roll\n~~~", "I would /do roll", "    /do roll", "- /do roll",
        "<!--\n/do roll\n-->", "<pre>\n/do roll\n</pre>", "<blockquote>\n/do roll\n</blockquote>", "`/do roll`",
        "<PRE class=x>\n/do roll\n\n/do roll\n</PRE>", "<details><pre>\n/do roll\n</pre></details>",
    ],
)  # fmt: skip
def test_what_is_quoted_or_code_asks_for_nothing(meeting: QuickMeeting, body: str) -> None:
    pull = meeting.propose("ann")
    meeting.referee()
    entries = len(meeting.journal())
    meeting.say("bob", pull, body)
    meeting.referee(60)
    assert len(meeting.journal()) == entries
