"""Printing what is drawn: as wide as the terminal has room for, as plain lines where there is none."""

from __future__ import annotations

import io
import shutil
from collections.abc import Iterable, Sequence

from rich import box
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from folkmoot.cli.terminal import Terminal, without_escapes

WIDEST = 100
COLOURS = ("cyan", "magenta", "yellow", "green", "blue", "red", "bright_cyan", "bright_magenta")


def room() -> int:
    """Return how many columns a drawing may take."""
    return max(20, min(shutil.get_terminal_size((80, 24)).columns, WIDEST))


def say_drawn(terminal: Terminal, parts: Iterable[RenderableType], width: int | None = None) -> None:
    """Print parts one below the other. The terminal leaves out their colours where they would not be seen."""
    if terminal.json:
        return
    console = Console(
        file=io.StringIO(),
        width=width or room(),
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


def words(text: object, style: str = "") -> Text:
    """Return somebody's words, with what nobody sees made visible."""
    return Text(without_escapes(str(text)), style=style)


def heading(text: object) -> Text:
    """Return a heading."""
    return words(text, "bold")


def indented(part: RenderableType, by: int = 2) -> Padding:
    """Return a part further to the right."""
    return Padding(part, (0, 0, 0, by))


def table_of(
    columns: Sequence[object], rows: Iterable[Sequence[object]], numeric: Iterable[int] = (), caption: str = ""
) -> Group:
    """Return a table whose cells go on in the next line where there is no room.

    Those that are `numeric` stand to the right.
    """
    right = set(numeric)
    made = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True, show_edge=False)
    for number, column in enumerate(columns):
        made.add_column(words(column), justify="right" if number in right else "left", overflow="fold")
    for row in rows:
        made.add_row(*(cell if isinstance(cell, Text) else words(cell) for cell in row))
    return Group(*([heading(caption)] if caption else []), made)
