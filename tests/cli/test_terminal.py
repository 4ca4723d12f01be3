"""How the command line speaks: colours, tables, costs of starting, unexpected ends."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from folkmoot.cli.exit_codes import Exit, exit_of
from folkmoot.cli.main import COMMANDS
from folkmoot.cli.main import moot as moot_command
from folkmoot.cli.terminal import Terminal, table_lines
from folkmoot.core.problems import Position, Problem
from tests.support.moot import Moot
from tests.support.terminal import MOOT, on_a_terminal

HEAVY = {
    "ruamel",
    "mkdocs",
    "git",
    "jsonschema_rs",
    "markdown_it",
    "starlark",
    "rich",
    "yaml",
    "nh3",
}


def imported(*arguments: str) -> set[str]:
    run = subprocess.run(
        [sys.executable, "-X", "importtime", *MOOT[1:], *arguments], capture_output=True, text=True, check=True
    )
    return {line.split("|")[2].strip().partition(".")[0] for line in run.stderr.splitlines() if "|" in line}


@pytest.mark.parametrize("arguments", [["--help"], ["--version"]])
def test_starting_the_command_imports_nothing_heavy(arguments: list[str]) -> None:
    assert not imported(*arguments) & HEAVY


def test_the_status_command_imports_neither_the_site_builder_nor_what_reads_markdown() -> None:
    assert not imported("status", "--help") & {"mkdocs", "jsonschema_rs", "markdown_it", "mdit_py_plugins", "nh3"}


def test_colour_is_for_terminals_only_and_can_be_refused(table: Moot) -> None:
    root = str(Path.cwd())
    piped = subprocess.run([*MOOT, "-C", root, "status"], capture_output=True, check=True).stdout
    assert b"\x1b[" not in piped
    assert b"\x1b[1m" in on_a_terminal(["-C", root, "status"])
    assert b"\x1b[" not in on_a_terminal(["-C", root, "status"], NO_COLOR="1")
    assert b"\x1b[1m" in on_a_terminal(["-C", root, "status"], NO_COLOR="")


@pytest.mark.parametrize("words", [["vote", "99", "for"], ["explain", "ann"], ["init", "--pin", "--check"]])
def test_what_went_wrong_is_told_without_colour_too(table: Moot, words: list[str]) -> None:
    said = on_a_terminal(["-C", str(Path.cwd()), *words], NO_COLOR="1")
    assert said.strip()
    assert b"\x1b[" not in said


def test_a_closed_pipe_is_no_error(table: Moot) -> None:
    command = f"{sys.executable} -m folkmoot -C {Path.cwd()} check --schema rule | head -1"
    run = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, check=False)
    assert (run.stdout, run.stderr) == ("{\n", "")


def test_a_full_disk_is_told_in_one_sentence(moot: Moot) -> None:
    script = f"{sys.executable} -m folkmoot check --schema rule > /dev/full"
    run = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
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


@pytest.mark.parametrize(
    ("codes", "code"),
    [
        (["E-KEY"], Exit.PROBLEMS),
        (["E-KEY", "E-CHAIN"], Exit.DAMAGED),
        (["E-DISK"], Exit.OUTSIDE),
        (["E-NO-GAME"], Exit.USAGE),
    ],
)
def test_the_gravest_problem_decides_the_exit_code(codes: list[str], code: Exit) -> None:
    assert exit_of(Problem(name, "…") for name in codes) is code


def test_every_exit_code_is_explained_by_help(moot: Moot) -> None:
    explained = {int(number) for number in re.findall(r"\b(\d+) [a-z]", moot("--help").out)}
    assert {int(code) for code in Exit} <= explained


def test_problems_are_printed_with_place_and_hint(moot: Moot, capsys: pytest.CaptureFixture[str]) -> None:
    from folkmoot.cli.terminal import Terminal

    Terminal().problems([Problem("E-KEY", "there is no 'titel'", Position("a.yaml", 3, 1), "did you mean 'title'?")])
    assert capsys.readouterr().err == "a.yaml:3:1: there is no 'titel' [E-KEY]\n  hint: did you mean 'title'?\n"


def test_tables_put_numbers_to_the_right() -> None:
    lines = [re.sub(r"\x1b\[\d*m", "", line) for line in table_lines(["Who", "Score"], [["ann", 5], ["bobby", -10]])]
    assert lines == ["Who    Score", "ann        5", "bobby    -10"]


@pytest.mark.parametrize("command", [*COMMANDS, ""])
def test_every_help_fits_80_columns(command: str) -> None:
    said = CliRunner().invoke(moot_command, [*filter(None, [command]), "--help"], terminal_width=80, obj=Terminal())
    assert said.exit_code == 0
    assert [line for line in said.output.splitlines() if len(line) > 80] == []
    assert said.output.startswith("Usage: ")
