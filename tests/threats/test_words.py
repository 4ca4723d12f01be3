"""What people write acts nowhere where it is shown: in comments, on terminals, in logs of jobs; and each refusal is shown."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from folkmoot.cli.referee import show, write_outputs, write_summary
from folkmoot.cli.terminal import Terminal
from folkmoot.core.problems import Position, Problem
from tests.support.meeting import rule
from tests.support.quick import QuickMeeting
from tests.support.round_table import RoundTable

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
@pytest.mark.sampled(6)
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
def test_a_long_title_is_cut_and_harms_nobody(table: RoundTable) -> None:
    pulls = [table.open("ann", {f"rules/x{n}.yaml": rule("A bog")}, "W" * n) for n in (300, 60_000)]
    honest = table.propose("bob", "Honest")
    table.referee()
    assert table.said(honest)
    assert all(0 < len(table.said(pull)) < 60_000 for pull in pulls)


ESCAPES = ("\x1b[2J\x1b[31mred", "\x1b]0;title\x07", "\x9b31m", "a\rb", "\u202egnorw", "a\x08\x08b")
JOBS = (
    "::set-output name=moved::false",
    "::stop-commands::x",
    "::add-mask::e",
    "##[set-output name=awake;]false",
    "a ##[add-mask]e",
)


@pytest.mark.threat("T-38")
def test_neither_a_terminal_nor_a_job_obeys_a_player(quick: QuickMeeting, capsys: pytest.CaptureFixture[str]) -> None:
    """What a run prints is words: no escape sequences of players', and no line that a runner of CI takes for its own."""
    for nasty in (*ESCAPES, *JOBS):
        pull = quick.open("ann", {"rules/x.yaml": rule("A dragon")}, nasty)
        quick.say("bob", 0, f"/do state text={json.dumps(nasty)}")
        quick.say("bob", pull, f"/vote for because {nasty}")
        quick.say("cid", 0, f"/do give to={json.dumps(nasty)} amount=1")
    reports = [quick.referee(), quick.referee(60)]
    for json_ in (False, True):
        for report in reports:
            show(Terminal(json=json_), report, dry=False)
    for nasty in (*ESCAPES, *JOBS):
        Terminal().problems([Problem("E-PATH", nasty, Position(nasty), nasty)])
    printed = capsys.readouterr()
    for text in (printed.out, printed.err):
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", text)
        assert "##[" not in text
        assert not re.search(r"(?m)^\s*::", text)
    Terminal(json=True).record({"text": "##[group]a\n::error::b"})
    assert json.loads(capsys.readouterr().out) == {"text": "##[group]a\n::error::b"}, "a program still reads it"


@pytest.mark.threat("T-38")
def test_a_job_summary_is_words_too(quick: QuickMeeting, tmp_path: Path) -> None:

    quick.say("bob", 0, '/do state text="<img src=x> @dee ![a](https://evil.example) </details>"')
    report = quick.referee(60)
    summary, outputs = tmp_path / "summary", tmp_path / "outputs"
    write_summary(summary, [report], [Problem("E-PATH", "a\n::error::b\n## Adopted", Position("x\ny"), "c")])
    write_outputs(outputs, [report])
    text = re.sub(r"(?s)(`{3,})text\n.*?\n\1", "", summary.read_text("utf-8"))
    assert "recorded, " in text
    assert not re.search(r"<img|@dee|(?<!\\)!\[a\]|^## Adopted|</details>", text, re.MULTILINE)
    assert re.fullmatch(r"(?:\w+=\w+\n)+", outputs.read_text("utf-8"))


REFUSED = (
    ("eve", "/vote for"),
    ("bob", "/vote maybe"),
    ("bob", "/dance"),
    ("bob", "/do dance"),
    ("bob", "/do give to=ann amount=much"),
    ("bob", "/do give to=ann amount=1 as=scribe"),
    ("bob", "/do pause why=x"),
    ("bob", '/do give to="ann'),
    ("eve", "/join id=\u0430nn"),
)


@pytest.mark.threat("T-40")
def test_every_refusal_is_visible_to_its_author(voting: RoundTable) -> None:
    for who, words in REFUSED:
        voting.say(who, 2, words)
    voting.referee()
    does_not_count = voting.said(2).partition("What does not count")[2]
    assert does_not_count.count("\n- ") >= len(REFUSED)
    for who, words in REFUSED:
        line = words.split()[1] if words.startswith("/do ") else words.split()[0].lstrip("/")
        assert re.search(rf"- {who}, .*{line}", does_not_count), words
    assert voting.ballots() == {}
