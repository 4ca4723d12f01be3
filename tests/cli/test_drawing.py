"""What is drawn in the terminal: tables, scripts and somebody's words, as lines that hold all of it."""

from __future__ import annotations

import click
import pytest
from rich.console import RenderableType

from folkmoot.cli.drawing.printing import Styled, code, hanging, prose, say_drawn, table_of
from folkmoot.cli.terminal import Terminal


def drawn(capsys: pytest.CaptureFixture[str], part: RenderableType, width: int = 80) -> list[str]:
    """Return the lines of a part, without colours."""
    say_drawn(Terminal(), [part], width)
    return click.unstyle(capsys.readouterr().out).splitlines()


def test_words_of_others_are_made_visible(capsys: pytest.CaptureFixture[str]) -> None:
    hostile = "a\x1b[2Jb\u202ec"
    for part in (Styled(hostile), table_of(["Of"], [[hostile]]), prose(hostile), code(f"# {hostile}")):
        said = "\n".join(drawn(capsys, part))
        assert "\x1b[2J" not in said
        assert "\u202e" not in said
        assert "a" in said


def test_columns_without_names_leave_no_line_for_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert drawn(capsys, table_of(["", ""], [["ann", 1], ["bob", 20]], [1], "Points")) == [
        "Points",
        "ann   1",
        "bob  20",
    ]


@pytest.mark.parametrize("width", [20, 30, 50])
def test_a_script_is_printed_whole(capsys: pytest.CaptureFixture[str], width: int) -> None:
    script = 'def on_joined(e):\n    announce("welcome, whoever you are, and wherever you come from")  # so be it'
    lines = drawn(capsys, code(script), width)
    assert "".join("".join(lines).split()) == "".join(script.split())
    assert max(map(len, lines)) <= width


def test_what_hangs_goes_on_below_itself(capsys: pytest.CaptureFixture[str]) -> None:
    assert drawn(capsys, hanging(Styled("+ ").add("one two three"), 2), 10) == ["+ one two", "  three"]
