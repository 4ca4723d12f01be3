"""Tables and single lines that are printed as they are where they fit, so that the drawing library need not load."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import click

from folkmoot.cli.drawing.styled import Styled, columns_of
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
        taken = columns_of(self.text)
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
        """Return it as it is printed, None where a cell has more than one line, or it does not fit."""
        cells = [[_words(cell) for cell in row] for row in (self.columns, *self.rows)]
        taken = [[columns_of(cell.plain) for cell in row] for row in cells]
        if not self.rows or any(len(row) != len(self.columns) or None in row for row in taken):
            return None
        widths = [max(column) for column in zip(*([cell or 0 for cell in row] for row in taken), strict=True)]
        total = sum(widths) + GAP * (len(widths) - 1)
        if total > width or columns_of(self.caption) is None:
            return None
        head, *body = (self._line(row, widths) for row in cells)
        titled = [click.style(without_escapes(self.caption), bold=True)] if self.caption else []
        return [*titled, *([click.style(head, bold=True), "─" * total] if self._is_headed() else []), *body]

    def _is_headed(self) -> bool:
        """Whether any column has a name: where none has, no line is left for names."""
        return any(_words(column).plain.strip() for column in self.columns)

    def _line(self, row: Sequence[Styled], widths: Sequence[int]) -> str:
        parts = []
        for place, (cell, wide) in enumerate(zip(row, widths, strict=True)):
            room, said = " " * (wide - len(cell)), cell.coloured(0, len(cell.plain))
            parts.append(room + said if place in self.right else said + room)
        return (" " * GAP).join(parts).rstrip()

    def __rich__(self) -> Group:
        from rich import box
        from rich.console import Group
        from rich.table import Table
        from rich.text import Text

        headed = self._is_headed()
        made = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True, show_edge=False, show_header=headed)
        for place, column in enumerate(self.columns):
            title = Text(without_escapes(str(column)))
            made.add_column(title, justify="right" if place in self.right else "left", overflow="fold")
        for row in self.rows:
            made.add_row(
                *(cell.__rich__() if isinstance(cell, Styled) else Text(without_escapes(str(cell))) for cell in row)
            )
        caption = [Text(without_escapes(self.caption), style="bold")] if self.caption else []
        return Group(*caption, made)


def _words(cell: object) -> Styled:
    return cell if isinstance(cell, Styled) else Styled().put(without_escapes(str(cell)))
