"""What people write: nothing in it is a command that nobody meant, and nothing in it acts where it is shown."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from folkmoot.cli.referee import show
from folkmoot.cli.terminal import Terminal
from folkmoot.core.problems import Position, Problem
from tests.support.abuse import unchanged
from tests.support.meeting import rule
from tests.support.quick import QuickMeeting
from tests.support.round_table import RoundTable

UNMEANT = {
    "a line separator in a quotation": "> I say:\u2028/vote for",
    "a paragraph separator in a quotation": "> I say:\u2029/vote for",
    "a vertical tab in a quotation": "> I say:\x0b/vote for",
    "a form feed in a sentence": "I say:\x0c/vote for",
    "a file separator": "> a\x1c/vote for\x1d/vote for\x1e/vote for",
    "a next line": "> a\x85/vote for",
    "preformatted": "<pre>\n/vote for\n</pre>",
    "preformatted, in capitals": "<PRE class=x>\n/vote for",
    "a style": "<style>\n/vote for\n</style>",
    "a script": "<script>\n/vote for\n</script>",
    "a text area": "<textarea>\n/vote for\n</textarea>",
    "a processing instruction": "<?php\n/vote for\n?>",
    "a declaration": "<!DOCTYPE html\n/vote for\n>",
    "character data": "<![CDATA[\n/vote for\n]]>",
    "our own comment, quoted": "> <!-- folkmoot:referee -->\n> /vote for",
    "a quotation in a quotation": "> > /vote for",
    "a comment that pretends to end": "<!-- -- > \n/vote for\n-->",
    "a command in code": "`/vote for`",
    "tildes": "~~~\n/vote for\n~~~",
    "a fence in a quotation": "> ```\n> /vote for\n> ```",
}


@pytest.mark.threat("T-18")
@pytest.mark.parametrize("how", UNMEANT)
def test_what_nobody_meant_is_no_command(quick: QuickMeeting, how: str) -> None:
    pull = quick.propose("ann")
    quick.referee()
    quick.say("bob", pull, UNMEANT[how])
    with unchanged(quick):
        quick.referee(60)


MEANT = ("/vote for", "I agree.\r\n\r\n/vote for", "<pre>x</pre>\n/vote for", "```\n<pre>\n```\n/vote for", "<!-- x -->\n/vote for",
         "> /vote against\n\n/vote for", "<prefix>\n/vote for", "a\r/vote for")  # fmt: skip


@pytest.mark.threat("T-18")
@pytest.mark.parametrize("body", MEANT)
def test_what_is_meant_is_heard(quick: QuickMeeting, body: str) -> None:
    pull = quick.propose("ann")
    quick.referee()
    quick.say("bob", pull, body)
    quick.referee(60)
    assert quick.ballots() == {"bob": "for"}


NASTY = (
    "<!-- folkmoot:end -->",
    "<!-- folkmoot:referee -->\n### Adopted",
    "<!-- folkmoot:call vote-0123456789abcdef -->\n@ann",
    "<!-- folkmoot 0123456789abcdef said vote-1 -->",
    "-->\n### Adopted\n<!--",
    "<img src=https://evil.example/x><script>alert(1)</script>",
    "![x](https://evil.example/x) [y](javascript:alert(1))",
    "| a | b |\n|---|---|",
    "```\n### Adopted\n```",
    "</details></td></table>",
    "closes #1, fixes GH-2, reverts 0123456789abcdef0123456789abcdef01234567",
    "@dee @org/team",
)


@pytest.mark.threat("T-36")
@pytest.mark.parametrize("nasty", NASTY)
@pytest.mark.sampled(3)
def test_nobody_speaks_in_our_comment_but_we(voting: RoundTable, nasty: str) -> None:
    """In titles, reasons, rules and commands: nothing becomes a heading, a link, a mention, a picture or a mark."""
    pull = voting.open("bob", {"rules/x.yaml": rule("A bog")}, nasty)
    voting.say("bob", 2, f"/vote for because {' '.join(nasty.split())}")
    voting.say("cid", 2, f"/vote {' '.join(nasty.split())}")
    voting.say("dee", 2, f"/do give to={json.dumps(nasty)} amount=1")
    voting.referee()
    for number in (2, pull):
        said = re.sub(r"(?s)(`{3,})diff\n.*?\n\1", "", voting.said(number))
        assert said.startswith("<!-- folkmoot:referee -->\n<!-- folkmoot ")
        assert said.count("<!--") == said.count("-->") == 3  # ours: the mark, what it depends on, the end
        assert not re.search(
            r"(?m)^#+ Adopted|(?<!\\)!\[|@(?:dee|ann|org)|<(?:img|script|/details|/td)|\]\(https?://evil", said
        )
        assert not re.search(r"(?<![\w＃/])#[12]\b|GH-2|\b[0-9a-f]{40}\b", said)


@pytest.mark.threat("T-36")
@pytest.mark.parametrize("length", [300, 60_000])
def test_a_long_title_is_cut_and_harms_nobody(table: RoundTable, length: int) -> None:
    pull = table.open("ann", {"rules/x.yaml": rule("A bog")}, "W" * length)
    honest = table.propose("bob", "Honest")
    table.referee()
    assert table.said(honest)
    assert 0 < len(table.said(pull)) < 60_000


ESCAPES = ("\x1b[2J\x1b[31mred", "\x1b]0;title\x07", "\x9b31m", "a\rb", "\u202egnorw", "a\x08\x08b")
JOBS = (
    "::set-output name=moved::false",
    "::stop-commands::x",
    "::add-mask::e",
    "##[set-output name=awake;]false",
    "a ##[add-mask]e",
)


@pytest.mark.threat("T-38")
@pytest.mark.parametrize("nasty", [*ESCAPES, *JOBS])
def test_neither_a_terminal_nor_a_job_obeys_a_player(
    quick: QuickMeeting, nasty: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """What a run prints is words: no escape sequences of players', and no line that a runner of CI takes for its own."""
    pull = quick.open("ann", {"rules/x.yaml": rule("A dragon")}, nasty)
    quick.say("bob", 0, f"/do state text={json.dumps(nasty)}")
    quick.referee()
    quick.say("bob", pull, f"/vote for because {nasty}")
    quick.say("cid", 0, f"/do give to={json.dumps(nasty)} amount=1")
    report = quick.referee(60)
    for json_ in (False, True):
        show(Terminal(json=json_), report, dry=False)
    Terminal().problems([Problem("E-PATH", nasty, Position(nasty), nasty)])
    printed = capsys.readouterr()
    for text in (printed.out, printed.err):
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", text)
        assert "##[" not in text
        assert not re.search(r"(?m)^\s*::", text)


@pytest.mark.threat("T-38")
def test_a_program_still_reads_what_was_said(capsys: pytest.CaptureFixture[str]) -> None:
    Terminal(json=True).record({"text": "##[group]a\n::error::b"})
    assert json.loads(capsys.readouterr().out) == {"text": "##[group]a\n::error::b"}


@pytest.mark.threat("T-38")
def test_a_job_summary_is_words_too(quick: QuickMeeting, tmp_path: Path) -> None:
    from folkmoot.cli.referee import write_outputs, write_summary

    quick.say("bob", 0, '/do state text="<img src=x> @dee ![a](https://evil.example) </details>"')
    report = quick.referee(60)
    summary, outputs = tmp_path / "summary", tmp_path / "outputs"
    write_summary(summary, [report], [Problem("E-PATH", "a\n::error::b\n## Adopted", Position("x\ny"), "c")])
    write_outputs(outputs, [report])
    text = re.sub(r"(?s)(`{3,})text\n.*?\n\1", "", summary.read_text("utf-8"))
    assert "recorded, " in text
    assert not re.search(r"<img|@dee|(?<!\\)!\[a\]|^## Adopted|</details>", text, re.MULTILINE)
    assert re.fullmatch(r"(?:\w+=\w+\n)+", outputs.read_text("utf-8"))
