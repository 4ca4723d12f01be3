"""Printing what is drawn: as wide as the terminal has room for, as plain lines where there is none."""

from __future__ import annotations

import io
import shutil
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from folkmoot.cli.drawing.plain_tables import Line, Sheet
from folkmoot.cli.drawing.plain_text import Code, Prose
from folkmoot.cli.drawing.styled import Hanging, Indented, Picture, Styled
from folkmoot.cli.terminal import Terminal

if TYPE_CHECKING:
    from rich.console import RenderableType

WIDEST = 100
PLAIN = (Sheet, Line, Prose, Code, Styled, Hanging, Indented, Picture)
COLOURS = ("cyan", "magenta", "yellow", "green", "blue", "red", "bright_cyan", "bright_magenta")


def room() -> int:
    """Return how many columns a drawing may take."""
    return max(20, min(shutil.get_terminal_size((80, 24)).columns, WIDEST))


def say_drawn(terminal: Terminal, parts: Iterable[RenderableType], width: int | None = None) -> None:
    """Print parts one below the other. The terminal leaves out their colours where they would not be seen.

    What needs no drawing is printed as it is, without loading the library that draws.
    """
    if terminal.json:
        return
    wide = width or room()
    waiting: list[RenderableType] = []
    for part in parts:
        lines = _plain(part, wide)
        if lines is None:
            waiting.append(part)
            continue
        _draw(terminal, waiting, wide)
        waiting.clear()
        for line in lines:
            terminal.say(line)
    _draw(terminal, waiting, wide)


def _plain(part: RenderableType, width: int) -> list[str] | None:
    """Return a part as lines, None where it has to be drawn."""
    if isinstance(part, PLAIN):
        return part.lines(width)
    return [""] if part == "" else None


def _draw(terminal: Terminal, parts: Sequence[RenderableType], width: int) -> None:
    if not parts:
        return
    from rich.console import Console

    console = Console(
        file=io.StringIO(),
        width=width,
        force_terminal=True,
        color_system="standard",
        highlight=False,
        markup=False,
        emoji=False,
    )
    for part in parts:
        console.print(part)
    file = console.file
    assert isinstance(file, io.StringIO)
    for line in file.getvalue().splitlines():
        terminal.say(line.rstrip())


def words(text: object, style: str = "") -> Styled:
    """Return somebody's words, with what nobody sees made visible."""
    return Styled(text, style)


def heading(text: object) -> Line:
    """Return a heading."""
    return Line(text, bold=True)


def remark(text: object) -> Line:
    """Return a remark beside what is shown."""
    return Line(text, dim=True)


def indented(part: RenderableType, by: int = 2) -> Indented:
    """Return a part further to the right."""
    return Indented(part, by)


def hanging(line: Styled, by: int) -> Hanging:
    """Return a line whose first letters, `by` of them, stand before the rest, which goes on below itself."""
    return Hanging(line, by)


def table_of(
    columns: Sequence[object], rows: Iterable[Sequence[object]], numeric: Iterable[int] = (), caption: str = ""
) -> Sheet:
    """Return a table whose cells go on in the next line where there is no room.

    Those that are `numeric` stand to the right.
    """
    return Sheet(columns, rows, numeric, caption)
