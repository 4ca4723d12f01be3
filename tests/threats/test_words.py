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
