"""Words of the pages as a terminal prints them: without marks, and with what nobody sees made visible."""

from __future__ import annotations

import html
import re
import shutil
import sys

import click

from folkmoot.cli import terminal
from folkmoot.cli.terminal import without_escapes
from folkmoot.wording.markup import in_utc

TAG = re.compile(r"<[^>]*>")
FOLDED_FOR_PROGRAMS = 116
_PART = re.compile(r"(?P<indent> *)@@ (?P<name>.*) @@")


def plain(markup: str) -> str:
    """Return the words of a piece of a page, its moments as the terminal says them.

    >>> plain("<a href='x'>rule 5</a> &lt; 6")
    'rule 5 < 6'
    """
    return without_escapes(html.unescape(TAG.sub("", in_utc(markup))).replace("\n", " ").strip())


def redline_room() -> int:
    """Return how long a line of a redline may be, without its sign, where it stands four blanks to the right.

    What a program reads is folded as in comments.
    """
    columns = shutil.get_terminal_size().columns if terminal.is_terminal(sys.stdout) else FOLDED_FOR_PROGRAMS
    return columns - len("    + ")


def redlined(line: str) -> str:
    r"""Return a line of a redline in its colour: what is struck red, what is added green, where it stands blue.

    >>> redlined("+ tea")
    '\x1b[32m+ tea\x1b[0m'
    >>> redlined("    @@ title @@")
    '\x1b[36m  title:\x1b[0m'
    """
    part = _PART.fullmatch(line)
    if part is not None:
        return click.style(f"{part['indent'][2:]}{part['name']}:", fg="cyan")
    colour = {"-": "red", "+": "green"}.get(line.lstrip()[:1])
    return click.style(line, fg=colour) if colour else line
