"""Redlines: what they mark, and that nothing is lost in them."""

from __future__ import annotations

import html
import re

from hypothesis import given, settings
from hypothesis import strategies as st

from folkmoot.wording.redline import redline, script_redline
from tests.conftest import examples

WORDS = st.lists(
    st.sampled_from(["the", "vote", "of", "all", "players,", "10", "points.", "<b>", "&", "a"]), max_size=30
)


def _without(markup: str, tag: str) -> str:
    text = re.sub(rf"<{tag}>.*?</{tag}>", "", markup)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", text)).split())


def test_one_word_is_one_change() -> None:
    shown = redline("A vote of 75 % adopts.", "A vote of 60 % adopts.")
    assert "<del>75</del> <ins>60</ins>" in shown


def test_each_paragraph_is_one_and_those_that_stay_in_between_are_folded() -> None:
    old = "One.\n\n" + "\n\n".join(f"Stays {n}." for n in "abcdefg") + "\n\nLast."
    shown = redline(old, old.replace("One", "Two").replace("Last", "Next"))
    folded = re.search(r'<details class="same"><summary>What stays as it was</summary>(.*?)</details>', shown)
    assert folded
    assert re.findall('<p class="ctx">(.*?)</p>', folded[1]) == [f"Stays {n}." for n in "bcdef"]
    assert re.findall('<p class="ctx">(.*?)</p>', shown.replace(folded[0], "")) == ["Stays a.", "Stays g."]
    assert re.findall("<p>(.*?)</p>", shown) == ["<del>One</del> <ins>Two</ins>.", "<del>Last</del> <ins>Next</ins>."]


def test_what_does_not_change_at_all_is_folded_nowhere() -> None:
    assert "<details" not in redline("a\n\n" * 20, "a\n\n" * 20)


def test_wrapping_alone_is_no_change() -> None:
    assert "<ins>" not in redline("one\ntwo three", "one two\nthree")


def test_a_list_is_not_joined_to_its_sentence() -> None:
    assert "<ins>" in redline("one two", "one\n- two")


def test_markup_of_players_is_escaped() -> None:
    assert "<script>" not in redline("<script>", "<script>alert(1)</script>")


@settings(max_examples=examples(150))
@given(WORDS, WORDS)
def test_both_wordings_can_be_read_from_a_redline(old: list[str], new: list[str]) -> None:
    before, after = " ".join(old), " ".join(new)
    shown = redline(before, after)
    squeezed = re.compile(r"\s+")
    assert "<details" not in shown
    assert squeezed.sub("", _without(shown, "ins")) == squeezed.sub("", before)
    assert squeezed.sub("", _without(shown, "del")) == squeezed.sub("", after)


def test_huge_texts_are_compared_by_paragraph() -> None:
    old = "\n\n".join(f"paragraph {n} " + "word " * 30 for n in range(300))
    new = old.replace("paragraph 150 ", "paragraph one hundred and fifty ")
    shown = redline(old, new)
    assert (re.findall("<del>(.*?)</del>", shown), re.findall("<ins>(.*?)</ins>", shown)) == (
        ["150"], ["one hundred and fifty"],
    )  # fmt: skip


def test_a_script_is_compared_by_line_with_signs() -> None:
    shown = script_redline("a = 1\nb = 2\n", "a = 1\nb = 3\n")
    assert "<del>- b = 2&#10;</del><ins>+ b = 3&#10;</ins>" in shown


def test_a_line_that_goes_on_below_its_item_is_no_paragraph_of_its_own() -> None:
    before = "1. One votes by saying so\n   in the title.\n2. Nobody votes twice."
    shown = redline(before, before.replace("title", "subject"))
    assert shown.count("<p") == 2
    assert "1. One votes by saying so in the <del>title</del> <ins>subject</ins>." in shown
