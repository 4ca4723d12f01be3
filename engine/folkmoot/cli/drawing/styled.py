"""Words in colours that are printed as they are where every terminal counts their columns alike.

What does not fit is wrapped between words as the drawing library would do it; what needs more is left to that.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

import click

from folkmoot.cli.terminal import without_escapes

if TYPE_CHECKING:
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

Piece = tuple[str, str]
"""A text and its style: words such as `bold cyan`, as the drawing library has them."""
TAB = 4
"""How many blanks a tab is drawn as at most: a table cannot measure one."""
_WORD = re.compile(r"\s*\S+\s*")
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_NARROW = re.compile(
    "[\x20-\x7e\xa1-\xac\xae-\u02ff\u0370-\u03ff\u0400-\u0482\u2010-\u2015\u2018-\u2026\u2190-\u21ff\u2212\u2500-\u257f"
    "\u2800-\u28ff]*"
)  # letters and signs that take one column in every terminal


def columns_of(text: str) -> int | None:
    """Return how many columns a terminal takes for some words, None where they take more than one line."""
    if _NARROW.fullmatch(text):
        return len(text)
    if "\n" in text or "\t" in text or "\r" in text:
        return None
    from rich.cells import cell_len

    return cell_len(text)


class Styled:
    """Words, each with a style of its own; what nobody sees is made visible."""

    def __init__(self, text: object = "", style: str = "") -> None:
        self.pieces: list[Piece] = []
        self.add(text, style)

    def add(self, text: object, style: str = "") -> Styled:
        """Put some words behind, and return it."""
        return self.put(without_escapes(str(text)).expandtabs(TAB), style)

    def put(self, text: str, style: str = "") -> Styled:
        """Put a text behind as it is, and return it."""
        if text:
            self.pieces.append((text, style))
        return self

    def follow(self, other: Styled) -> Styled:
        """Put other words behind with their styles, and return it."""
        self.pieces += other.pieces
        return self

    def join(self, parts: Iterable[Styled]) -> Styled:
        """Return parts with these words between them."""
        found = Styled()
        for place, part in enumerate(parts):
            found.follow(part if place == 0 else Styled().follow(self).follow(part))
        return found

    @property
    def plain(self) -> str:
        """Return the words without their styles."""
        return "".join(text for text, _ in self.pieces)

    def __len__(self) -> int:
        columns = columns_of(self.plain)
        return len(self.plain) if columns is None else columns

    def centred(self, width: int) -> Styled:
        """Return it in the middle of so many columns."""
        left = max(0, width - len(self)) // 2
        return Styled(" " * left).follow(self).add(" " * max(0, width - len(self) - left))

    def lines(self, width: int) -> list[str] | None:
        """Return it as it is printed, None where a word is longer than `width` columns."""
        found: list[str] = []
        at = 0
        for line in self.plain.split("\n"):
            parts = _wrapped(line, width)
            if parts is None:
                return None
            found += [self.coloured(at + begin, at + end) for begin, end in parts]
            at += len(line) + 1
        return found

    def coloured(self, begin: int, end: int) -> str:
        """Return the letters from `begin` up to `end` with their colours."""
        found, at = "", 0
        for text, style in self.pieces:
            part = text[max(0, begin - at) : max(0, end - at)]
            found += coloured(part, style) if part else ""
            at += len(text)
        return found

    def __rich__(self) -> Text:
        from rich.text import Text

        return Text.assemble(*self.pieces)


class Hanging:
    """Words whose first letters, `by` of them, stand before the rest, which goes on below itself."""

    def __init__(self, words: Styled, by: int) -> None:
        self.first, self.rest = _divided(words, by)
        self.by = by

    def lines(self, width: int) -> list[str] | None:
        """Return it as it is printed, None where a word does not fit."""
        first, rest = self.first.lines(self.by), self.rest.lines(width - self.by)
        if first is None or rest is None or len(first) > 1:
            return None
        begun = f"{first[0]}{' ' * (self.by - len(self.first))}"
        return [(begun if place == 0 else " " * self.by) + line for place, line in enumerate(rest)]

    def __rich__(self) -> Table:
        from rich.table import Table

        grid = Table.grid()
        grid.add_column(width=self.by)
        grid.add_column()
        grid.add_row(self.first.__rich__(), self.rest.__rich__())
        return grid


class Indented:
    """A part further to the right."""

    def __init__(self, part: object, by: int = 2) -> None:
        self.part, self.by = part, by

    def lines(self, width: int) -> list[str] | None:
        """Return it as it is printed, None where it has to be drawn."""
        drawn = getattr(self.part, "lines", None)
        found = drawn(width - self.by) if drawn is not None else [""] if self.part == "" else None
        return None if found is None else [" " * self.by + line for line in found]

    def __rich__(self) -> Padding:
        from rich.padding import Padding

        part = self.part
        return Padding(part.__rich__() if hasattr(part, "__rich__") else part, (0, 0, 0, self.by))  # type: ignore[arg-type]


class Picture:
    """Lines of a picture, which hold their colours."""

    def __init__(self, text: str) -> None:
        self.text = "\n".join(line.rstrip() for line in text.split("\n"))

    def lines(self, width: int) -> list[str] | None:
        """Return it as it is printed, None where it does not fit."""
        found = self.text.split("\n")
        wide = [columns_of(_COLOUR.sub("", line)) for line in found]
        return found if all(columns is not None and columns <= width for columns in wide) else None

    def __rich__(self) -> Text:
        from rich.text import Text

        return Text.from_ansi(self.text)


@lru_cache(maxsize=64)
def _look(style: str) -> dict[str, str | bool]:
    """Return how `click` calls a style."""
    flags = {"bold": "bold", "dim": "dim", "reverse": "reverse", "strike": "strikethrough"}
    found: dict[str, str | bool] = {}
    for word in style.split():
        found |= {flags[word]: True} if word in flags else {"fg": word}
    return found


def coloured(text: str, style: str) -> str:
    r"""Return a text in a style.

    >>> coloured("tea", "bold red")
    '\x1b[31m\x1b[1mtea\x1b[0m'
    """
    return click.style(text, **_look(style)) if style else text  # type: ignore[arg-type]


def _divided(words: Styled, by: int) -> tuple[Styled, Styled]:
    first, rest, at = Styled(), Styled(), 0
    for text, style in words.pieces:
        first.add(text[: max(0, by - at)], style)
        rest.add(text[max(0, by - at) :], style)
        at += len(text)
    return first, rest


def _wrapped(line: str, width: int) -> list[tuple[int, int]] | None:
    """Return where the parts of a line begin and end that fit a width, None where a word does not."""
    columns = columns_of(line)
    if columns is None or width < 1:
        return None
    if columns <= width:
        return [(0, len(line))]
    breaks = [0]
    for begin, word in _words(line):
        taken, whole = columns_of(word.rstrip()), columns_of(line[breaks[-1] : begin])
        if taken is None or whole is None or taken > width:
            return None
        if whole + taken > width and begin:
            breaks.append(begin)
    ends = [*breaks[1:], len(line)]
    return [(begin, begin + len(line[begin:end].rstrip())) for begin, end in zip(breaks, ends, strict=True)]


def _words(line: str) -> Iterator[tuple[int, str]]:
    """Yield each word of a line with the blanks around it, and where that begins."""
    for found in _WORD.finditer(line):
        yield found.start(), found[0]
