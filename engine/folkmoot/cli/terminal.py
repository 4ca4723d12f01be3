"""How the command line speaks: sentences for people, records for programs, progress for the patient.

What cannot be written never ends a command midway: it does its work and says at the end, by its exit code at least,
that its words did not arrive.
"""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click
from msgspec import Struct

from folkmoot.core.calendar import write_stamp
from folkmoot.core.problems import Problem

if TYPE_CHECKING:
    from folkmoot.forges.cache.refs import Standing

TIMES = frozenset(
    "arrived at by due until since paused opened_at closed_at resolved_at submitted_at created_at enacted_at".split()
)
REGISTERS = frozenset(("players", "registers", "values", "now", "from", "to", "with", "effects", "draws", "changes"))
_COLOUR = re.compile(r"(\x1b\[[0-9;]*m)")
_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff]")
_ENDS = re.compile(r"\s*[\n\t]\s*")
_JOB_LINE = re.compile(r"^((?:\s|\x1b\[[0-9;]*m)*):(?=:)", re.MULTILINE)


class Terminal(Struct):
    """Where output goes and in which form; one for each run of the command."""

    json: bool = False
    directory: Path | None = None
    lost: OSError | None = None
    """Why what was said did not arrive, where that is not because its reader had read enough."""
    begun: bool = False
    """Whether anything was printed as a result."""
    patience: float | None = None
    """Seconds that git may take for one command, None for as long as a person may need for a password."""
    standing: Standing | None = None
    """What stood where the players meet when it was last asked, for who only tries; None to ask."""

    def say(self, text: str = "", *, whole: bool = False) -> None:
        """Print a line for people; silent where a program reads. What somebody may copy stays `whole`.

        An empty line stands between others, and begins nothing.
        """
        if not self.json and (text or self.begun):
            self._write(harmless(text) if whole else _fitted(harmless(text), sys.stdout))

    def note(self, text: str) -> None:
        """Print a remark to the error stream, so that it never mixes with results."""
        self._write(_fitted(harmless(text), sys.stderr), err=True)

    def _write(self, text: str, *, err: bool = False) -> None:
        """Print a line; where that fails, remember why, and print nothing there from now on."""
        self.begun = self.begun or not err
        try:
            click.echo(text, err=err, color=False if refuses_colour() else None)
        except BrokenPipeError:
            hush(sys.stderr if err else sys.stdout)
        except OSError as error:
            self.lost = error
            hush(sys.stderr if err else sys.stdout)

    def finish(self) -> None:
        """Let everything that was said arrive, as far as anybody listens."""
        for stream in (sys.stdout, sys.stderr):
            try:
                if stream is not None:
                    stream.flush()
            except BrokenPipeError:
                hush(stream)
            except OSError as error:
                self.lost = error
                hush(stream)

    def record(self, record: Any) -> None:
        """Print a record for programs, if that is what was asked for."""
        if self.json:
            written = json.dumps(record, ensure_ascii=False, indent=2).replace("##[", "##\\u005b")
            self._write(_UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", written))

    def wrapped(self, text: str, indent: int = 0, more: int = 2) -> None:
        """Print a sentence that goes on below itself, `more` to the right, where the terminal has no room for it."""
        line = " " * indent + _ENDS.sub(" ", text)
        self.say(fitted(line, max(40, shutil.get_terminal_size().columns), more), whole=True)

    def heading(self, text: str) -> None:
        """Print a heading."""
        self.say(click.style(text, bold=True))

    def problems(self, problems: Iterable[Problem]) -> None:
        """Print every problem as `file:line:col: sentence` with its hint below, or as records."""
        if self.json:
            self.record({"problems": [problem.as_record() for problem in problems]})
            return
        for problem in problems:
            self.note(sentence_of(problem))
            if problem.hint:
                self.note(click.style(f"  hint: {without_escapes(problem.hint)}", dim=True))

    def table(self, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
        """Print a table; numbers stand to the right, and what stands in a cell is on one line."""
        cells = [[" ".join(cell.split()) if isinstance(cell, str) else cell for cell in row] for row in rows]
        for line in table_lines(columns, cells, shutil.get_terminal_size().columns):
            self.say(line)

    @contextmanager
    def progress(self, title: str, total: int, start: int = 0) -> Iterator[Callable[..., None]]:
        """Show how far a long piece of work is, on terminals only, and nothing of that when it is done.

        Yields what to call after each step, with the place that is reached where it is not the next.
        """
        shown, reached = not self.json and sys.stderr.isatty(), start
        with click.progressbar(length=total, label=title, width=0, file=sys.stderr) if shown else nullcontext() as bar:

            def reach(place: int | None = None) -> None:
                nonlocal reached
                before, reached = reached, reached + 1 if place is None else place
                if bar is not None:
                    bar.update(reached - before)

            if bar is not None:
                bar.render_finish = _clear_line  # type: ignore[method-assign]
            yield reach


def _clear_line() -> None:
    """Take a progress bar away, and show the cursor again."""
    sys.stderr.write("\r\x1b[K\x1b[?25h")
    sys.stderr.flush()


def speak_plainly() -> None:
    """Let a terminal that lacks a letter show its code instead: no word of ours may end a command that did its work."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.errors == "strict":
            stream.reconfigure(errors="backslashreplace")


def _fitted(text: str, stream: TextIO) -> str:
    """Return text that goes on below itself where a stream is a terminal that has no room for it.

    Elsewhere a line stays one: programs and people look for what stands in it.
    """
    columns = shutil.get_terminal_size().columns
    if len(text) <= columns or not is_terminal(stream):
        return text
    return fitted(text, columns)


def refuses_colour() -> bool:
    """Say whether somebody wants no colours; what is said when a command is over has no other way to know."""
    return bool(os.environ.get("NO_COLOR"))


def is_terminal(stream: TextIO | None) -> bool:
    """Say whether somebody sits at the other end of a stream."""
    return stream is not None and not stream.closed and stream.isatty()


def hush(stream: TextIO) -> None:
    """Send what is still to be printed on a stream, whose reader is gone or whose disk is full, nowhere."""
    with suppress(OSError, ValueError):  # a stream without a file of the system, as tests have it
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def stamped(record: Any) -> Any:
    """Return a record for programs with its times as stamps, as the journal has them; registers stay as they are.

    >>> stamped({"at": 1767614400, "by": "ann", "players": [{"at": 1767614400}]})
    {'at': '2026-01-05T12:00:00Z', 'by': 'ann', 'players': [{'at': 1767614400}]}
    >>> stamped([{"by": 1767614400}])
    [{'by': '2026-01-05T12:00:00Z'}]
    """
    if isinstance(record, list):
        return [stamped(each) for each in record]
    if not isinstance(record, dict):
        return record
    return {name: _stamped(name, value) for name, value in record.items()}


def _stamped(name: str, value: Any) -> Any:
    if name in TIMES and isinstance(value, int) and not isinstance(value, bool):
        return write_stamp(value)
    return value if name in REGISTERS else stamped(value)


def harmless(text: str) -> str:
    """Return text that only says something: of escape sequences no more than colours, and no command to a job of CI.

    Runners of CI take lines of a job's output for commands: those that begin with `::`, and what follows `##[`.

    >>> harmless("::set-output name=moved::false"), harmless("a ##[add-mask]e")
    (': :set-output name=moved::false', 'a ## [add-mask]e')
    """
    if _UNSEEN.search(text):
        text = "".join(part if _COLOUR.fullmatch(part) else without_escapes(part) for part in _COLOUR.split(text))
    return _JOB_LINE.sub(r"\1: ", text).replace("##[", "## [")


def without_escapes(text: str) -> str:
    """Return somebody's words with what nobody sees, and what terminals obey, written as its code point."""
    if not _UNSEEN.search(text):
        return text
    from folkmoot.wording.markup import visible  # the pages are more than most commands need

    return visible(text)


def sentence_of(problem: Problem) -> str:
    """Return `file:line:col: sentence [code]`, coloured for terminals."""
    place = click.style(f"{without_escapes(str(problem.position))}: ", bold=True) if problem.position else ""
    return f"{place}{without_escapes(problem.message)} {click.style(f'[{problem.code}]', fg='red')}"


def table_lines(columns: Sequence[str], rows: Sequence[Sequence[object]], most: int = 0) -> list[str]:
    """Return a table's lines: a bold head, columns as wide as they must be.

    Where that is wider than `most`, the cells of the widest columns go on below themselves.
    """
    cells = [[str(cell) for cell in row] for row in rows]
    down = [[row[i] for row in [list(columns), *cells]] for i in range(len(columns))]
    whole = [min(max(len(word) for cell in column for word in cell.split() or [""]), most // 2) for column in down]
    widths = _narrowed([max(map(len, column)) for column in down], most, whole)
    right = [bool(rows) and all(isinstance(row[i], int) for row in rows) for i in range(len(columns))]

    def lines(row: Sequence[str]) -> Iterator[str]:
        folded = (_folded(cell, width) for cell, width in zip(row, widths, strict=True))
        for parts in zip_longest(*folded, fillvalue=""):
            pairs = zip(parts, widths, right, strict=True)
            yield "  ".join(cell.rjust(w) if to_right else cell.ljust(w) for cell, w, to_right in pairs).rstrip()

    return [*(click.style(line, bold=True) for line in lines(columns)), *(line for row in cells for line in lines(row))]


NARROWEST = 12  # that a column becomes for want of room


def _narrowed(widths: list[int], most: int, whole: Sequence[int] = ()) -> list[int]:
    """Return widths of columns that fit side by side, the widest of them made narrower as far as that goes.

    `whole` is how wide each must be that no word is cut, which is done only where there is no other way.

    >>> _narrowed([4, 90, 30], 80), _narrowed([4, 90, 30], 0), _narrowed([30, 90], 50, [30, 9])
    ([4, 42, 30], [4, 90, 30], [30, 18])
    """
    found = [*widths]
    over = sum(found) + 2 * (len(found) - 1) - most if most else 0
    for least in ([max(NARROWEST, width) for width in whole], [NARROWEST] * len(found)) if over > 0 else ():
        places = range(len(least))
        while over > 0 and (wide := [place for place in places if found[place] > least[place]]):
            found[max(wide, key=lambda place: found[place])] -= 1
            over -= 1
    return found


def _folded(cell: str, width: int) -> list[str]:
    """Return a cell as lines that are no wider than its column."""
    if len(cell) <= width:
        return [cell]
    import textwrap

    return textwrap.wrap(cell, width, break_on_hyphens=False) or [""]


def counted(number: int, what: str) -> str:
    """Return a number of things in words.

    >>> counted(1, "file"), counted(2, "file")
    ('1 file', '2 files')
    """
    return f"{number} {what}{'' if number == 1 else 's'}"


# -- lines that go on below themselves; what is to be copied stays in one piece

_PIECE = re.compile(r"(?:`[^`\n]*`|[^\s`]|`)+")  # a word, with the commands in it whole
LEAST = 20  # columns that are made use of


def fitted(text: str, width: int, more: int = 2) -> str:
    """Return lines that go on below themselves, `more` further in, where they are wider than `width`.

    A command between backticks stays in one line if it fits one at all, and a word is never cut.

    >>> print(fitted("  Mind: this clone is behind: `git pull` it.", 26))
      Mind: this clone is
        behind: `git pull` it.
    >>> print(fitted("  Mind: this clone is behind: `git pull` it.", 25))
      Mind: this clone is
        behind: `git pull`
        it.
    """
    return "\n".join(_fit(line, max(LEAST, width), more) for line in text.split("\n"))


def wide(text: str) -> int:
    """Return how many columns a line takes: colours take none."""
    return len(_COLOUR.sub("", text))


def _fit(line: str, width: int, more: int) -> str:
    if wide(line) <= width:
        return line
    seen = _COLOUR.sub("", line)
    then = " " * (len(seen) - len(seen.lstrip(" ")) + more)
    lines, place = [""], 0
    for found in _PIECE.finditer(line):
        between = line[place : found.start()]
        piece = found[0]
        for word in [piece] if wide(piece) <= width - len(then) else piece.split(" "):
            if lines[-1].strip() and wide(lines[-1] + between + word) > width:
                lines.append(then + word)
            else:
                lines[-1] += between + word
            between = " "
        place = found.end()
    return "\n".join(lines)
