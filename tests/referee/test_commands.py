"""Commands in comments."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from folkmoot.referee.commands import MOST_COMMANDS, asked, commands_in

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
        ("Hi\n\n  /vote for", "vote", {"choice": "for"}),
        ("Hi\n     /vote for", "vote", {"choice": "for"}),
    ],
)
def test_what_is_asked(body: str, do: str, args: dict[str, Any]) -> None:
    wanted = only(body)
    assert (wanted.flaw, wanted.do, wanted.args) == ("", do, args)


def test_an_office_is_named_by_as() -> None:
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
            "/move: 'c4' means nothing here: arguments are written name=value, and move takes to=THING, steps=INTEGER, "
            "rule=RULE",
        ),
        ("/move to=c4 to=c5", "/move: to is given twice"),
        ("/move to=c4 as=judge as=scribe", "/move: as is given twice"),
        ("/vote for proposal=301 proposal=302", "/vote: proposal is given twice"),
        ('/move to="c4', "/move: a quotation mark or a bracket is not closed"),
    ],
)
def test_what_is_wrong_with_a_command_is_said(body: str, flaw: str) -> None:
    assert only(body).flaw == flaw


@pytest.mark.threat("T-18")
@pytest.mark.parametrize(
    "body",
    ["> /vote for", "    > /vote for", "```\n/vote for\n```", "~~~ sh\n/vote for\n~~~", "````\n```\n/vote for\n````",
     "I said /vote for", "/ vote for", "//vote for", "```\n/vote for", "/2"],
)  # fmt: skip
def test_quotations_and_code_ask_for_nothing(body: str) -> None:
    assert commands_in(body) == []


@pytest.mark.parametrize("body", ["I use `<pre>`.\n/vote for", "``<pre>`` and `<blockquote>`\n/vote for",
                                  "<pre>x</pre>\n/vote for", "<b>\n/vote for", "</pre>\n/vote for"])  # fmt: skip
def test_what_only_speaks_of_markup_hides_nothing(body: str) -> None:
    assert [command.name for command in commands_in(body)] == ["vote"]


@pytest.mark.threat("T-30")
def test_a_comment_asks_for_so_much_at_most() -> None:
    assert len(commands_in("/vote for\n" * 500)) == MOST_COMMANDS
    assert commands_in("/comment " + "x" * 20_000) == []


@given(st.text(max_size=200))
def test_any_text_is_read(body: str) -> None:
    for command in commands_in("/" + body):
        asked(command, ACTIONS)


@pytest.mark.parametrize(
    "body",
    [
        "    /vote for",
        "\t/vote for",
        "Hi\n\n    /vote for",
        "    x = 1\n    /vote for",
        "> quoted\n    /vote for",
        "# Title\n    /vote for",
        "/etc/passwd is there",
        "/index.html is there",
    ],
)
def test_what_is_shown_as_code_or_is_a_path_is_no_command(body: str) -> None:
    assert commands_in(body) == []
