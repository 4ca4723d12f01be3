"""Players' text: what it may say, that it stays where it is, and what redlines mark of its change."""

from __future__ import annotations

import html
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from folkmoot.wording.markup import Html, el, escape, shortened, strip, visible
from folkmoot.wording.prose import phrase, prose, remark
from folkmoot.wording.redline import redline, script_redline
from tests.conftest import examples
from tests.support.timing import least_units
from tests.untrusted.sinks import payloads


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("*a* **b** ~~c~~ `d`", "<em>a</em> <strong>b</strong> <s>c</s> <code>d</code>"),
        ("| a | b |\n|---|--:|\n| 1 | 2 |", '<td class="fm-right">2</td>'),
        ("- [x] done\n- [ ] open", '<span class="fm-task">☑</span>  done'),
        ("# Huge", "<h4>Huge</h4>"),
        ("### Small", "<h6>Small</h6>"),
        ("[x](https://example.org/)", '<a href="https://example.org/" rel="nofollow ugc noopener">x</a>'),
        ("![x](https://example.org/p.png)", 'picture: <a href="https://example.org/p.png"'),
        ("<b>bold</b>", "&lt;b&gt;bold&lt;/b&gt;"),
        ("a <!-- hidden --> b", "a &lt;!-- hidden --&gt; b"),
    ],
)
def test_commonmark_and_its_extensions(text: str, expected: str) -> None:
    assert expected in prose(text)


@pytest.mark.threat("T-37")
@pytest.mark.parametrize(
    "text", ["[x](javascript:alert(1))", "[x](data:text/html,x)", "[x](vbscript:x)", "<javascript:x>"]
)
def test_addresses_that_act_are_no_links(text: str) -> None:
    assert "<a" not in prose(text)


def test_footnotes_of_two_fragments_have_their_own_ids() -> None:
    text = "One[^1].\n\n[^1]: The note.\n"
    ids = [re.findall(r'id="([^"]+)"', prose(text, name)) for name in ("r1", "r2")]
    assert len(ids[0]) == 2
    assert not set(ids[0]) & set(ids[1])


def test_every_payload_becomes_one_line_in_one_element() -> None:
    for name, text in payloads().items():
        shown = prose(text, name)
        assert "\n" not in shown
        assert "\x00" not in shown
        assert not shown or (shown.startswith('<div class="fm-prose" dir="auto">') and shown.endswith("</div>")), name
        assert shown.count("<div") == shown.count("</div>") == bool(shown), name
        assert len(shortened(text)) <= 160
        assert "\n" not in shortened(text)


@pytest.mark.parametrize("mark", [*map(chr, range(32, 127)), "\n", "  \n", "\n\n", "\t", "\xa0", "é", "“"])
def test_text_without_marks_is_set_as_beside_text_with_some(mark: str) -> None:
    for text in (f"Tea{mark}cake{mark}", f"Tea {mark} cake {mark}i{mark} /b{mark}.", f"Tea.\n{mark}cake"):
        assert prose(f"{text.strip()}\n\n*x*") == prose(text).removesuffix("</div>") + "&#10;<p><em>x</em></p></div>"


ORDINARY = ("The voters meet at noon on each day, and speak in turn of tea and of cake. " * 3 + "\n\n") * 800
WORN = {
    "a table": "| a | b | c |\n|---|---|---|\n" + "| one | two | three |\n" * 6_800,
    "a wide table": "|" + "a|" * 2_000 + "\n|" + "-|" * 2_000 + "\n" + ("|" + "b|" * 2_000 + "\n") * 35,
    "a table of missing cells": "|" + "a|" * 2_000 + "\n|" + "-|" * 2_000 + "\n" + "b\n" * 9_000,
    "one-word paragraphs": "2 Tea\n\n" * 28_000,
    "broken lines": "a  \n" * 40_000,
    "a list": "- a\n" * 45_000,
    "a numbered list": "".join(f"{number}. a\n" for number in range(20_000)),
    "tasks": "- [ ] a\n" * 1_990,
    "headings": "# a\n" * 45_000,
    "underlined headings": "a\n=\n" * 45_000,
    "fences": "~~~\na\n" * 25_000,
    "quotes": "".join(">" * number + " a\n" for number in range(500)),
    "lines that go on with a quote": "> a\n" + "b\n" * 80_000,
    "struck words": "~~a~~ " * 25_000,
    "strokes": "~~a " * 40_000,
    "backslashes": "\\a" * 80_000,
    "colons": "a:" * 80_000,
    "closing brackets": "a] " * 50_000,
    "footnotes": "[^a] " * 1_900 + "\n\n[^a]: x\n",
    "control characters": "\x01" * 100_000,
}
WEARING = {
    **WORN,
    "open brackets": "[" * 200_000,
    "open links": "[a](" * 40_000,
    "emphasis": "*a **a " * 20_000,
    "open quotes": "> " * 50_000,
    "open tags": "<a " * 50_000,
    "open code": "`` ` " * 30_000,
    "nested lists": "- tea and cake\n  - at noon sharp\n    - or later\n" * 3_800,
    "deep quotes": ">>>>> tea and cake\n\n" * 9_000,
    "a table of long cells": "|a|b|\n|-|-|\n" + f"|{'tea and cake ' * 20}|{'at noon ' * 20}|\n" * 350,
    "many tables": "|a|b|\n|-|-|\n|c|d|\n\n" * 7_500,
    "code": "```\ntea and cake\n```\n" * 8_000,
    "links": "tea [and cake](https://tea.example/7) at noon\n" * 1_990,
    "links by name": "[tea][r7] and cake\n" * 1_990 + "[r7]: https://tea.example\n" * 4_000,
    "footnotes of their own": "".join(f"tea[^{n}]\n\n[^{n}]: and cake\n\n" for n in range(1_900)),
    "words of another script": "这是一个游戏的规则，" * 8 + "\n\n" + "这是一个游戏的规则，\n\n" * 5_000,
}


@pytest.mark.parametrize("name", WEARING)
@pytest.mark.sampled(4)
def test_no_text_takes_longer_than_a_reader_should_wait_for_it(name: str) -> None:
    """What would is cut; an ordinary text of 180 kilobytes takes two units."""
    assert least_units(lambda: prose(WEARING[name]), 12) < 12


@pytest.mark.parametrize("name", ["a table", "one-word paragraphs", "a list", "strokes"])
def test_what_is_cut_says_so_and_shows_all_of_it(name: str) -> None:
    shown = prose(WORN[name])
    assert shown.count("it is too much to be set") == 1
    assert "left out" not in shown
    before, _, after = shown.partition("it is too much to be set")
    words = re.findall("one|Tea|a", WORN[name])
    parts = [re.sub("<[^>]*>", " ", part) for part in (before.removesuffix("What follows is shown as it was written: "),
             after)]  # fmt: skip
    assert sum(part.count(words[0]) for part in parts) >= WORN[name].count(words[0])
    assert "left out" in prose("word " * 60_000)


def test_an_ordinary_text_is_not_cut() -> None:
    law = "## Of tea\n\nTea is *served* at noon, see rule 201; `tea(now)` says when.\n\n- one cup\n- two cups\n\n" * 90
    rows = "| who | cups |\n|:--|--:|\n" + "| ann | 3 |\n" * 300
    for text in (ORDINARY, law, rows):
        assert "too much to be set" not in prose(text)


@pytest.mark.parametrize(("text", "expected"), [
    ("plain", "plain"), ("a\u202eb", "a⟦U+202E⟧b"), ("a\u200bb", "a⟦U+200B⟧b"), ("ad\u200dmin", "ad⟦U+200D⟧min"),
    ("\u3164", "⟦U+3164⟧"), ("a\x00b", "a⟦U+0000⟧b"), ("a\ud800b", "a⟦U+D800⟧b"), ("a\u2028b", "a⟦U+2028⟧b"),
    ("hi\U000e0068", "hi⟦U+E0068⟧"), ("a\ufe0f", "a⟦U+FE0F⟧"),
])  # fmt: skip
def test_what_cannot_be_seen_is_shown(text: str, expected: str) -> None:
    assert visible(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "\U0001f469\u200d\U0001f4bb",  # a person at a computer
        "\u2764\ufe0f",  # a heart in colour
        "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",  # the flag of England
        "\u0646\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",  # a Persian word with its non-joiner
        "\u0915\u094d\u200d\u0937",  # a Devanagari conjunct
        "\u05e9\u05dc\u05d5\u05dd\u200f",  # a mark after Hebrew
        "one\n\ttwo\n",
    ],
)
def test_what_a_script_or_an_emoji_needs_stays(text: str) -> None:
    assert visible(text) == text


def test_markup_is_escaped_and_kept_on_one_line_and_remarks_keep_their_code_but_no_blocks() -> None:
    assert remark("As `eligible`, *but*") == "<bdi>As <code>eligible</code>, <em>but</em></bdi>"
    assert remark("# no\n\n- heading") == "<bdi># no - heading</bdi>"
    assert el("a", "5 < 6\n", href='"x') == '<a href="&quot;x">5 &lt; 6&#10;</a>'
    assert escape(Html("<b>")) == "<b>"
    assert phrase("a <b>\n c") == "a &lt;b&gt; c"
    assert phrase("אן") == "<bdi>אן</bdi>", "only what may run the other way is held apart"
    assert strip(el("p", "a & b", el("b", "<c>"))) == "a & b<c>"


# -- redlines

WORDS = st.lists(
    st.sampled_from(["the", "vote", "of", "all", "players,", "10", "points.", "<b>", "&", "a"]), max_size=30
)


def _without(markup: str, tag: str) -> str:
    text = re.sub(rf"<{tag}>.*?</{tag}>", "", markup)
    return re.sub(r"\s+", "", html.unescape(re.sub(r"<[^>]+>", "", text)))


def marked(old: str, new: str) -> tuple[list[str], list[str]]:
    """Return what is struck and what is inserted."""
    shown = redline(old, new)
    return re.findall("<del>(.*?)</del>", shown), re.findall("<ins>(.*?)</ins>", shown)


def test_a_redline_marks_words_and_neither_wrapping_nor_what_stays() -> None:
    assert "<del>75</del> <ins>60</ins>" in redline("A vote of 75 % adopts.", "A vote of 60 % adopts.")
    assert marked("one\ntwo three", "one two\nthree") == ([], []), "wrapping alone is no change"
    assert marked("one two", "one\n- two")[1], "a list is not joined to its sentence"
    assert "<details" not in redline("a\n\n" * 20, "a\n\n" * 20)
    long = "\n\n".join(f"paragraph {n} " + "word " * 30 for n in range(300))
    assert marked(long, long.replace("paragraph 150 ", "paragraph ten ")) == (["150"], ["ten"]), "by paragraph"
    before = "1. One votes by saying so\n   in the title.\n2. Nobody votes twice."
    shown = redline(before, before.replace("title", "subject"))
    assert shown.count("<p") == 2, "a line that goes on below its item is no paragraph of its own"
    assert "1. One votes by saying so in the <del>title</del> <ins>subject</ins>." in shown
    assert "<script>" not in redline("<script>", "<script>alert(1)</script>")
    shown = script_redline("a = 1\nb = 2\n", "a = 1\nb = 3\n")
    assert "<del>- b = 2&#10;</del><ins>+ b = 3&#10;</ins>" in shown


def test_texts_of_which_nothing_stays_are_soon_compared() -> None:
    assert least_units(lambda: redline("a b " * 4_000, "b a " * 4_000), 30) < 30


def test_paragraphs_that_stay_in_between_are_folded() -> None:
    old = "One.\n\n" + "\n\n".join(f"Stays {n}." for n in "abcdefg") + "\n\nLast."
    shown = redline(old, old.replace("One", "Two").replace("Last", "Next"))
    folded = re.search(r'<details class="same"><summary>What stays as it was</summary>(.*?)</details>', shown)
    assert folded
    assert re.findall('<p class="ctx">(.*?)</p>', folded[1]) == [f"Stays {n}." for n in "bcdef"]
    assert re.findall('<p class="ctx">(.*?)</p>', shown.replace(folded[0], "")) == ["Stays a.", "Stays g."]
    assert re.findall("<p>(.*?)</p>", shown) == ["<del>One</del> <ins>Two</ins>.", "<del>Last</del> <ins>Next</ins>."]


@settings(max_examples=examples(150))
@given(WORDS, WORDS)
def test_both_wordings_can_be_read_from_a_redline(old: list[str], new: list[str]) -> None:
    before, after = " ".join(old), " ".join(new)
    shown = redline(before, after)
    assert "<details" not in shown
    assert (_without(shown, "ins"), _without(shown, "del")) == ("".join(old), "".join(new))
