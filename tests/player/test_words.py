"""What a person means arrives as meant: lines of comments read back exactly, and letters that nobody could read stay."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from folkmoot.core.problems import ProblemError
from folkmoot.forges.local.letters import Letter, parse
from folkmoot.player.voting import act_line, checked_letter, vote_line
from folkmoot.referee.commands import Asked, asked, commands_in, read_ballot

BREAKS = "\n\r"
NO_BREAKS = "\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"  # end a line for Python, and for nobody who reads Markdown
LINE = st.text(st.characters(exclude_categories=["Cs"], exclude_characters=BREAKS), max_size=30)
NAMES = st.from_regex(r"[a-z_][a-z0-9_]{0,8}", fullmatch=True).filter(lambda name: name != "as")
KEYS = LINE.filter(lambda key: not key.startswith("$"))  # no key of a game begins so
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | LINE,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=6,
)
TEXTS = st.sampled_from(["text", "string", "rule", "choice", "player"])
TYPED = (
    st.tuples(TEXTS, LINE)
    | st.tuples(st.sampled_from(["any", "integer", ""]), PLAIN)
    | st.tuples(st.just("list"), st.lists(PLAIN, max_size=3))
    | st.tuples(st.just("map"), st.dictionaries(KEYS, PLAIN, max_size=3))
)


def read(line: str, actions: dict[str, Any]) -> list[Asked]:
    """Return what a comment asks for, whatever the words of a ballot."""
    found = [asked(command, actions) for command in commands_in(f"I do this.\n{line}\nThank you.")]
    return [replace(each, typed=None) for each in found]


def same(one: Any, other: Any) -> bool:
    """Compare as JSON does: 1 is not true."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and bool(one == other)


@given(st.dictionaries(NAMES, TYPED, max_size=5), st.sampled_from([None, "scribe", "the judge"]))
def test_any_act_on_one_line_is_read_back_exactly(typed: dict[str, tuple[str, Any]], office: str | None) -> None:
    actions = {"move": {"arguments": {name: {"type": kind} for name, (kind, _) in typed.items()}}}
    args = {name: value for name, (_, value) in typed.items()}
    found = read(act_line("move", args, office, actions), actions)
    assert len(found) == 1
    assert (found[0].do, found[0].as_, found[0].flaw) == ("move", office, "")
    assert same(found[0].args, args)


@given(st.text(max_size=60))
def test_a_text_either_arrives_as_it_is_or_is_refused(text: str) -> None:
    actions = {"state": {"arguments": {"text": {"type": "text"}}}}
    with suppress(ProblemError):
        line = act_line("state", {"text": text}, None, actions)
        assert [act.args for act in read(line, actions)] == [{"text": text}]


@pytest.mark.parametrize("break_", list(BREAKS))
def test_no_text_smuggles_a_second_command_in(break_: str) -> None:
    actions = {"state": {"arguments": {"text": {"type": "text"}}}}
    with pytest.raises(ProblemError, match="no line of a comment says exactly this") as error:
        act_line("state", {"text": f"Hello.{break_}/vote against"}, None, actions)
    assert "--with" in error.value.problems[0].hint


@pytest.mark.parametrize("sign", list(NO_BREAKS))
def test_a_sign_that_ends_no_line_arrives_as_it_is(sign: str) -> None:
    actions = {"state": {"arguments": {"text": {"type": "text"}}}}
    line = act_line("state", {"text": f"Hello.{sign}/vote against"}, None, actions)
    assert [(each.do, each.args) for each in read(line, actions)] == [("state", {"text": f"Hello.{sign}/vote against"})]


def test_an_unknown_action_is_named_with_the_one_that_may_be_meant() -> None:
    with pytest.raises(ProblemError, match="did you mean finalise") as error:
        act_line("finalize", {}, None, {"finalise": {}})
    assert error.value.problems[0].code == "E-NO-SUCH"


@pytest.mark.parametrize(
    ("do", "args", "office"),
    [
        ("move", {"rule": 203}, None),
        ("move", {"to far": 1}, None),
        ("move", {"text": "x" * 11_000}, None),
        ("move", {"as": "judge"}, "scribe"),
    ],
)
def test_what_no_line_says_is_refused(do: str, args: dict[str, Any], office: str | None) -> None:
    actions = {"move": {"arguments": {"rule": {"type": "rule"}, "text": {"type": "text"}, "as": {"type": "string"}}}}
    with pytest.raises(ProblemError, match="no line of a comment") as error:
        act_line(do, args, office, actions)
    assert error.value.problems[0].code == "E-ARGS"


@given(
    st.sampled_from(["for", "abstain", "perhaps", "aye-aye"]),
    st.integers(0, 999),
    LINE | st.just("motion=3 because /do"),
)
def test_any_ballot_is_read_back_with_its_reason_on_one_line(choice: str, number: int, reason: str) -> None:
    found = read(vote_line(choice, {"motion": number}, reason), {})
    said = {"reason": " ".join(reason.split())} if reason.split() else {}
    assert found == [Asked("vote", {"choice": choice, "motion": number, **said})]


@pytest.mark.parametrize("choice", ["not sure", "yes,", "a=b", "as before", "for now"])
def test_a_choice_of_any_words_is_read_back(choice: str) -> None:
    for choices in ([choice, "for"], [choice.upper(), choice], []):
        line = vote_line(choice, {"motion": 3}, "so be it", choices)
        (command,) = commands_in(line)
        read_back = read_ballot(command.rest, lambda _named, known=choices: known)
        assert read_back == Asked("vote", {"choice": choice, "motion": 3, "reason": "so be it"})


@pytest.mark.parametrize("choice", ["", "for\n/vote against", "For"])
def test_what_no_line_says_is_no_choice(choice: str) -> None:
    with pytest.raises(ProblemError, match="no line of a comment"):
        vote_line(choice, {}, "")


@pytest.mark.parametrize("body", ["", "x" * 70_000, "broken \udcff byte"])
def test_a_letter_that_nobody_could_read_is_not_sent(body: str) -> None:
    with pytest.raises(ProblemError) as error:
        checked_letter(Letter(pull=1, kind="comment", body=body))
    assert error.value.problems[0].code in ("E-ARGS", "E-UTF8")


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=80))
def test_a_letter_that_is_sent_says_what_was_meant(body: str) -> None:
    letter = Letter(pull=1, kind="comment", body=body)
    with suppress(ProblemError):
        assert parse(checked_letter(letter).as_file()) == letter
