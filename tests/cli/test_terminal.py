"""How the command line speaks: colours, lines, tables, charts, what it loads, exit codes and unexpected ends."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from rich.console import RenderableType

from folkmoot.cli.drawing.blocks import drawn_chart
from folkmoot.cli.drawing.printing import code, prose, say_drawn, table_of, words
from folkmoot.cli.exit_codes import Exit, exit_of
from folkmoot.cli.main import COMMANDS
from folkmoot.cli.main import moot as moot_command
from folkmoot.cli.misuse import OPTIONS, SUCCESSORS
from folkmoot.cli.outcomes import failed
from folkmoot.cli.terminal import Terminal, fitted, table_lines, wide
from folkmoot.core.problems import Position, Problem
from tests.support.forking import Forking
from tests.support.moot import Moot


@pytest.fixture
def program(forking: Forking, tmp_path: Path) -> str:
    """Return a program that is `moot`."""
    return str(forking.shim(tmp_path / "moot-program"))


def on_a_terminal(*arguments: str, **environment: str) -> bytes:
    """Return what a program writes to a terminal."""
    reader, writer = pty.openpty()
    variables = {key: value for key, value in os.environ.items() if key != "NO_COLOR"} | environment
    with subprocess.Popen(arguments, stdout=writer, stderr=writer, env=variables) as process:
        os.close(writer)
        said = b""
        try:
            while part := os.read(reader, 4096):
                said += part
        except OSError:
            pass
        process.wait()
    os.close(reader)
    return said


def test_colour_is_for_terminals_only_and_can_be_refused(table: Moot, program: str) -> None:
    piped = subprocess.run([program, "status"], capture_output=True, check=True).stdout
    assert b"\x1b[" not in piped
    assert b"\x1b[1m" in on_a_terminal(program, "status")
    assert b"\x1b[" not in on_a_terminal(program, "status", NO_COLOR="1")
    assert b"\x1b[1m" in on_a_terminal(program, "status", NO_COLOR="")


def test_what_went_wrong_is_told_without_colour_and_a_bar_is_gone_when_it_is_done(table: Moot, program: str) -> None:
    shown = on_a_terminal(program, "act", "propose", "--by", "ann", COLUMNS="40", NO_COLOR="1").decode()
    assert "\x1b[" not in shown
    lines = shown.replace("\r", "").splitlines()
    assert max(map(len, lines)) <= 40
    assert "`moot act propose --help`" in " ".join(lines)
    Path("tea.yaml").write_text("title: Tea\ntext: There is tea.\n")
    bar, _, rest = on_a_terminal(program, "check", "tea.yaml").rpartition(b"\r\x1b[K")
    assert (b"checking" in bar, b"checking" in rest) == (True, False)


def test_output_that_cannot_be_written_is_no_fault(moot: Moot) -> None:
    command = f"{sys.executable} -m folkmoot check --help"
    run = subprocess.run(
        ["bash", "-o", "pipefail", "-c", f"{command} | head -1"], capture_output=True, text=True, check=False
    )
    assert (run.stdout, run.stderr) == ("Usage: moot check [OPTIONS] [PATH]…\n", "")
    run = subprocess.run(["bash", "-c", f"{command} > /dev/full"], capture_output=True, text=True, check=False)
    assert run.returncode == Exit.OUTSIDE
    assert "No space left on device" in run.stderr
    assert "Traceback" not in run.stderr


def test_a_fault_of_our_own_is_one_sentence_too(
    moot: Moot, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from folkmoot.cli import main

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("out of cheese")

    monkeypatch.setattr(main.Commands, "main", broken)
    with pytest.raises(RuntimeError):
        main.main(["--help"])
    monkeypatch.delenv("MOOT_DEBUG")
    said = moot("--help")
    assert said.code == Exit.FAULT
    assert "out of cheese [E-FAULT]" in said.err


def test_the_gravest_problem_decides_the_exit_code_and_help_explains_each(moot: Moot) -> None:
    for codes, wanted in (
        (["E-KEY"], Exit.PROBLEMS),
        (["E-KEY", "E-CHAIN"], Exit.DAMAGED),
        (["E-DISK"], Exit.OUTSIDE),
        (["E-NO-GAME"], Exit.USAGE),
    ):
        assert exit_of(Problem(name, "…") for name in codes) is wanted
    explained = {int(number) for number in re.findall(r"\b(\d+) [a-z]", moot("--help").out)}
    assert {int(code) for code in Exit} <= explained


def test_problems_are_printed_with_place_and_hint(capsys: pytest.CaptureFixture[str]) -> None:
    Terminal().problems([Problem("E-KEY", "there is no 'titel'", Position("a.yaml", 3, 1), "did you mean 'title'?")])
    assert capsys.readouterr().err == "a.yaml:3:1: there is no 'titel' [E-KEY]\n  hint: did you mean 'title'?\n"
    failure = {"rule": "203", "hook": "on_x", "error": "no such key", "line": 3}
    assert failed(failure) == "rule 203: on_x failed in line 3 of its script: no such key"
    assert "line ?" not in failed({**failure, "line": None})


# -- help


@pytest.mark.parametrize("command", [*COMMANDS, ""])
def test_every_help_fits_80_columns(command: str) -> None:
    said = CliRunner().invoke(moot_command, [*filter(None, [command]), "--help"], terminal_width=80, obj=Terminal())
    assert said.exit_code == 0
    assert [line for line in said.output.splitlines() if len(line) > 80] == []
    assert said.output.startswith("Usage: ")


def test_a_word_that_was_a_command_tells_its_successor(moot: Moot) -> None:
    listed = moot("--help").out
    assert all(f"  {name} " in listed for name in COMMANDS)
    for word, successor in SUCCESSORS.items():
        said = moot(word, "more", "--words")
        assert (said.code, f"It is `{successor}` now." in said.err, word in COMMANDS) == (2, True, False)
    assert "No such option '--open'. It is `moot serve` now." in moot("show", "--open").err
    for successor in [*SUCCESSORS.values(), *re.findall(r"`(moot [a-z]\S* --[^`]+)`", str(OPTIONS))]:
        _moot, name, *words = successor.split()
        command = moot_command.get_command(click.Context(moot_command), name)
        assert command is not None
        options = {option for parameter in command.params for option in parameter.opts}
        assert {each for each in words if each.startswith("--")} <= options


# -- lines, tables and charts


@pytest.mark.parametrize("width", [20, 31, 79])
def test_nothing_is_lost_or_cut(width: int, capsys: pytest.CaptureFixture[str]) -> None:
    text = "  Mind: `git pull` brings what the others have; \x1b[1mthen\x1b[0m say `moot act judge ruling=…` again."
    shown = fitted(text, width)
    assert shown.split() == text.split()
    assert max(map(wide, shown.split("\n"))) <= width
    assert all(line.startswith("  ") for line in shown.split("\n"))
    assert shown.count("`git pull`") == 1, "a command stays in one line"
    script = 'def on_joined(e):\n    announce("welcome, whoever you are, and wherever you come from")  # so be it'
    lines = drawn(capsys, code(script), width)
    assert "".join("".join(lines).split()) == "".join(script.split())
    assert max(map(len, lines)) <= width


def test_a_table_that_is_too_wide_goes_on_below_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [[number, "word " * 40, "short", "x" * 50] for number in range(3)]
    lines = [click.unstyle(line) for line in table_lines(["No.", "Long", "Short", "Name"], rows, 80)]
    assert max(map(len, lines)) <= 80
    assert " ".join(lines).count("word") == 120
    assert "".join(lines).count("x") == 150
    assert len(table_lines(["No.", "Long", "Short", "Name"], rows)) == 4, "as wide as it must be, where nobody says"


def drawn(capsys: pytest.CaptureFixture[str], part: RenderableType, width: int = 80) -> list[str]:
    """Return the lines of a part, without colours."""
    say_drawn(Terminal(), [part], width)
    return click.unstyle(capsys.readouterr().out).splitlines()


def test_words_of_others_are_made_visible(capsys: pytest.CaptureFixture[str]) -> None:
    hostile = "a\x1b[2Jb\u202ec"
    for part in (words(hostile), table_of(["Of"], [[hostile]]), prose(hostile), code(f"# {hostile}")):
        said = "\n".join(drawn(capsys, part))
        assert "\x1b[2J" not in said
        assert "\u202e" not in said
        assert "a" in said


def test_a_chart_is_a_table_of_what_was_first_between_and_last(capsys: pytest.CaptureFixture[str]) -> None:
    series = {"ann": [(day, day * day) for day in range(101)], "bob": [(50, 7)], "cid": []}
    said = [line.split() for part in drawn_chart(series, "Fruit") for line in drawn(capsys, part)]
    assert said[:2] == [["Fruit"], ["0", "25", "50", "75", "100"]]
    assert said[3:] == [["ann", "0", "625", "2500", "5625", "10000"], ["bob", "7", "7", "7"]]
    (part,) = drawn_chart({"cid": []}, "Fruit")
    assert drawn(capsys, part) == ["Fruit: nothing yet."]
