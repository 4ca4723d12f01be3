"""Prose and scripts that are printed as they are, so that the libraries for Markdown and highlighting need not load."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING

import click

from folkmoot.cli.terminal import without_escapes

if TYPE_CHECKING:
    from rich.markdown import Markdown
    from rich.syntax import Syntax

_MARKED = re.compile(
    r"[^\w .,;:'\"()/%?=+\n-]"  # signs that may mean something in Markdown, and what is no ASCII
    r"|^[ \t]+|^(?:\d+[.)]|[-+])(?: |$)|^[-=]+$"  # indented, items of a list, what makes a heading of the line above
    r"|  | $|\A\n|\n{3}|__|\b_|_\b",
    re.MULTILINE | re.ASCII,
)
_PARTS = re.compile(
    r"(?P<comment>#.*)|(?P<string>\"\"\"[\s\S]*?\"\"\"|'''[\s\S]*?'''|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')"
    r"|(?P<word>\b(?:and|break|continue|def|elif|else|for|if|in|lambda|not|or|pass|return|load)\b)"
    r"|(?P<name>(?<=\bdef )\w+)|(?P<number>\b(?:\d+|True|False|None)\b)"
)
_COLOURS = {"comment": "bright_black", "string": "yellow", "word": "blue", "name": "green", "number": "cyan"}


class Prose:
    """Somebody's text, with its Markdown."""

    def __init__(self, text: str) -> None:
        self.text = without_escapes(text)

    def lines(self, width: int) -> list[str] | None:
        """Return it as it is printed, None where it may be marked or a word does not fit `width` columns."""
        text = self.text.rstrip("\n")
        if _MARKED.search(text) or any(len(word) > width for word in text.split()):
            return None
        found: list[str] = []
        for paragraph in filter(None, text.split("\n\n")):
            found += [""] if found else []
            line = ""
            for word in paragraph.split():
                if line and len(line) + 1 + len(word) > width:
                    found.append(line)
                    line = ""
                line = f"{line} {word}" if line else word
            found.append(line)
        return found

    def __rich__(self) -> Markdown:
        from rich.markdown import Markdown

        return Markdown(self.text, hyperlinks=False)


class Code:
    """A script."""

    def __init__(self, script: str) -> None:
        self.script = without_escapes(script.rstrip())

    def lines(self, width: int) -> list[str] | None:
        """Return it in colours, None where a terminal may count other columns; long lines go on further in."""
        if not all(line.isascii() and line.isprintable() for line in self.script.split("\n")):
            return None
        colours: dict[int, str] = {}
        for part in _PARTS.finditer(self.script):
            colours |= dict.fromkeys(range(*part.span()), _COLOURS[str(part.lastgroup)])
        found, at = [], 0
        for line in self.script.split("\n"):
            for begin, end, inset in _pieces(line, width):
                found.append(" " * inset + _coloured(line[begin:end], [colours.get(at + n) for n in range(begin, end)]))
            at += len(line) + 1
        return found

    def __rich__(self) -> Syntax:
        from rich.syntax import Syntax

        return Syntax(self.script, "python", theme="ansi_dark", background_color="default", word_wrap=True)


def _pieces(line: str, width: int) -> Iterator[tuple[int, int, int]]:
    """Yield the parts of a line that fit a width: where each begins and ends, and how far in it stands."""
    begin, inset = 0, 0
    further = min(len(line) - len(line.lstrip()) + 4, width // 2)
    while len(line) - begin > width - inset:
        most = begin + width - inset
        blank = line.rfind(" ", begin + (len(line) - len(line.lstrip()) if begin == 0 else 0) + 1, most + 1)
        end = blank if blank > begin else most
        yield begin, end, inset
        begin, inset = end + (end == blank), further
    yield begin, len(line), inset


def _coloured(text: str, colours: list[str | None]) -> str:
    """Return a text with the colour of each of its characters."""
    runs = groupby(zip(text, colours, strict=True), key=lambda each: each[1])
    return "".join(
        click.style(said, fg=fg) if fg else said for fg, run in runs for said in ["".join(c for c, _ in run)]
    )
