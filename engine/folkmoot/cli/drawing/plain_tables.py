"""Tables and single lines that are printed as they are where they fit, so that the drawing library need not load."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import click

from folkmoot.cli.terminal import without_escapes

if TYPE_CHECKING:
    from rich.console import Group
    from rich.text import Text

GAP = 2
"""Columns between two cells."""


class Line:
    """One line of the engine's own words."""

    def __init__(self, text: object, *, dim: bool = False, bold: bool = False) -> None:
        self.text, self.dim, self.bold = without_escapes(str(text)), dim, bold

    def lines(self, width: int) -> list[str] | None:
        """Return it as it is printed, None where it does not fit `width` columns."""
        taken = _columns(self.text)
        if taken is None or taken > width:
            return None
        return [click.style(self.text, dim=self.dim or None, bold=self.bold or None)]

    def __rich__(self) -> Text:
        from rich.text import Text

        return Text(self.text, style="dim" if self.dim else "bold" if self.bold else "")


class Sheet:
    """A table: cells are words, or words with a style of the drawing library; those of `right` stand to the right."""

    def __init__(
        self, columns: Sequence[object], rows: Iterable[Sequence[object]], right: Iterable[int] = (), caption: str = ""
    ) -> None:
        self.columns, self.rows = columns, [tuple(row) for row in rows]
        self.right, self.caption = frozenset(right), caption

    def lines(self, width: int) -> list[str] | None:
        """Return it as it is printed, None where a cell has a style or more than one line, or it does not fit."""
        cells = [[_word(cell) for cell in row] for row in (self.columns, *self.rows)]
        taken = [[None if cell is None else _columns(cell) for cell in row] for row in cells]
        if not self.rows or any(len(row) != len(self.columns) or None in row for row in taken):
            return None
        widths = [max(column) for column in zip(*([cell or 0 for cell in row] for row in taken), strict=True)]
        total = sum(widths) + GAP * (len(widths) - 1)
        if total > width or _columns(self.caption) is None:
            return None
        head, *body = (self._line([str(cell) for cell in row], widths) for row in cells)
        titled = [click.style(without_escapes(self.caption), bold=True)] if self.caption else []
        return [*titled, click.style(head, bold=True), "─" * total, *body]

    def _line(self, row: Sequence[str], widths: Sequence[int]) -> str:
        parts = []
        for place, (cell, wide) in enumerate(zip(row, widths, strict=True)):
            room = " " * (wide - (_columns(cell) or 0))
            parts.append(room + cell if place in self.right else cell + room)
        return (" " * GAP).join(parts).rstrip()

    def __rich__(self) -> Group:
        from rich import box
        from rich.console import Group
        from rich.table import Table
        from rich.text import Text

        made = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True, show_edge=False)
        for place, column in enumerate(self.columns):
            title = Text(without_escapes(str(column)))
            made.add_column(title, justify="right" if place in self.right else "left", overflow="fold")
        for row in self.rows:
            made.add_row(*(cell if isinstance(cell, Text) else Text(without_escapes(str(cell))) for cell in row))
        caption = [Text(without_escapes(self.caption), style="bold")] if self.caption else []
        return Group(*caption, made)


def _word(cell: object) -> str | None:
    """Return a cell as words, None where it has a style."""
    return without_escapes(str(cell)) if isinstance(cell, (str, int, float)) or cell is None else None


def _columns(text: str) -> int | None:
    """Return how many columns a terminal takes for some words, None where they take more than one line."""
    if text.isascii() and text.isprintable():
        return len(text)
    if "\n" in text or "\t" in text or "\r" in text:
        return None
    from rich.cells import cell_len

    return cell_len(text)
