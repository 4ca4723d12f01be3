"""Printing what is drawn, by the library that draws: as wide as the terminal has room for."""

from __future__ import annotations

import io
import re
import shutil
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from rich import box
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from folkmoot.cli.terminal import Terminal, without_escapes

if TYPE_CHECKING:
    from rich.markdown import Markdown
    from rich.syntax import Syntax

WIDEST = 100
COLOURS = ("cyan", "magenta", "yellow", "green", "blue", "red", "bright_cyan", "bright_magenta")
TAB = 4
"""How many blanks a tab is drawn as at most: a table cannot measure one."""
_END = re.compile(r"(?: |\x1b\[[0-9;]*m)+$")  # blanks that nobody sees, and colours among them


def room() -> int:
    """Return how many columns a drawing may take."""
    return max(20, min(shutil.get_terminal_size((80, 24)).columns, WIDEST))


def say_drawn(terminal: Terminal, parts: Iterable[RenderableType], width: int | None = None) -> None:
    """Print parts one below the other. The terminal leaves out their colours where they would not be seen."""
    if terminal.json:
        return
    file = io.StringIO()
    console = Console(file=file, width=width or room(), force_terminal=True, color_system="standard", highlight=False,
                      markup=False, emoji=False)  # fmt: skip
    for part in parts:
        console.print(part)
    for line in file.getvalue().splitlines():
        terminal.say(_END.sub(lambda end: end[0].replace(" ", ""), line))


def words(text: object = "", style: str = "") -> Text:
    """Return somebody's words in a style, with what nobody sees made visible; what follows has a style of its own."""
    return Text().append(without_escapes(str(text)).expandtabs(TAB), style)


def heading(text: object) -> Text:
    """Return a heading."""
    return Text(without_escapes(str(text)), style="bold")


def left_out(count: int) -> Iterator[Text]:
    """Yield how many more there are than are shown, if any."""
    if count > 0:
        yield words(f"… and {count} more, on the site", "dim")


def prose(text: str) -> Markdown:
    """Return somebody's text, with its Markdown."""
    from rich.markdown import Markdown  # which takes as long as all else

    return Markdown(without_escapes(text), hyperlinks=False)


def code(script: str) -> Syntax:
    """Return a script in colours."""
    from rich.syntax import Syntax

    return Syntax(without_escapes(script.rstrip()), "python", theme="ansi_dark", background_color="default",
                  word_wrap=True)  # fmt: skip


def indented(part: RenderableType, by: int = 2) -> Padding:
    """Return a part further to the right."""
    return Padding(part, (0, 0, 0, by))


def hanging(line: Text, by: int) -> Table:
    """Return a line whose first letters, `by` of them, stand before the rest, which goes on below itself."""
    first, rest = line.divide([by])
    grid = Table.grid()
    grid.add_column(width=by)
    grid.add_column()
    grid.add_row(first, rest)
    return grid


def table_of(
    columns: Sequence[object], rows: Iterable[Sequence[object]], numeric: Iterable[int] = (), caption: str = ""
) -> Group:
    """Return a table whose cells go on in the next line where there is no room.

    Those that are `numeric` stand to the right; where no column has a name, no line is left for names.
    """
    right, headed = frozenset(numeric), any(str(column).strip() for column in columns)
    made = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True, show_edge=False, show_header=headed)
    for place, column in enumerate(columns):
        made.add_column(_cell(column), justify="right" if place in right else "left", overflow="fold")
    for row in rows:
        made.add_row(*map(_cell, row))
    return Group(*([heading(caption)] if caption else []), made)


def _cell(cell: object) -> Text:
    return cell if isinstance(cell, Text) else Text(without_escapes(str(cell)))
