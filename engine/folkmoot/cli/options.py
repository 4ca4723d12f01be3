"""How words of the command line become values."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import click

from folkmoot.cli.terminal import Terminal
from folkmoot.core.calendar import read_date, read_duration, read_moment, read_stamp
from folkmoot.core.problems import ProblemError

FILE_KINDS = ("rule", "action", "settings", "scenario", "ruleset")
RUNNING = "\0"  # the engine that runs: a source that nobody can name
NEXT = "+"  # a word that begins another act


class PathBeside(click.Path):
    """A path that is there: from the repository that `-C` names, as git has it, else from the current folder."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path that is meant."""
        named = ctx.find_root().params.get("directory") if ctx is not None else None
        beside = Path(named, value) if named is not None and isinstance(value, str) else None
        return super().convert(str(beside) if beside is not None and beside.exists() else value, param, ctx)


def can_ask(terminal: Terminal) -> bool:
    """Say whether somebody is at the terminal who can be asked."""
    return sys.stdin.isatty() and not terminal.json


class AskedFor(click.Argument):
    """An argument that somebody at the terminal is asked for where they leave it out."""

    def __init__(self, *args: Any, question: str, suggested: str, **more: Any) -> None:
        """Keep the question, and what is meant where they only press Enter."""
        super().__init__(*args, **more)
        self.question, self.suggested = question, suggested

    def process_value(self, ctx: click.Context, value: Any) -> Any:
        """Return what is given or answered; raises a usage error where there is nobody to ask."""
        if self.value_is_missing(value) and not ctx.resilient_parsing and can_ask(ctx.ensure_object(Terminal)):
            value = click.prompt(self.question, self.suggested, err=True)
        return super().process_value(ctx, value)


FILE = PathBeside(exists=True, dir_okay=False, path_type=Path)
FILES = PathBeside(exists=True, path_type=Path)
"""Where a folder will do too."""


# -- what is typed


def pull_number(word: str) -> int:
    """Return the number of a pull request that a word means: 7, or #7."""
    digits = word.removeprefix("#")
    if not digits.isascii() or not digits.isdigit() or len(digits) > 9 or int(digits) == 0:
        raise click.BadParameter(f"{word!r} is no number of a pull request, such as 7; `moot status` lists them.")
    return int(digits)


def moment_of(at: str | None, last: int) -> int:
    """Return the time (Unix seconds) that `--at` means: never before the last entry unless a stamp says so."""
    return read_moment(at, last) if at else max(int(time.time()), last)


def pair_of(text: str, what: str) -> tuple[str, str]:
    """Return name and word of `name=word`; raises a usage error where there is no `=`."""
    name, equals, word = text.partition("=")
    if not equals or not name:
        example = f", as in `{text}=immutable`" if what == "A transmutation" and text.isalnum() else ""
        raise click.UsageError(f"{what} is written NAME=VALUE{example}, and {text!r} is not.")
    return name, word


def pairs_of(texts: Iterable[str], what: str) -> dict[str, str]:
    """Return name → word from `name=word` words; raises a usage error for one that is none, or a name given twice."""
    pairs: dict[str, str] = {}
    for name, word in (pair_of(text, what) for text in texts):
        if name in pairs:
            raise click.UsageError(f"{name} is given twice: as {pairs[name]!r} and as {word!r}.")
        pairs[name] = word
    return pairs


def split_acts(action: str | None, words: Sequence[str]) -> list[tuple[str | None, tuple[str, ...]]]:
    """Return the acts that words stand for, each as its action and the words of its arguments.

    Raises a usage error where an action is missing before a `+` or behind it.

    >>> split_acts("move", ("to=b3", "+", "bake")), split_acts("state", ("+",))
    ([('move', ('to=b3',)), ('bake', ())], [('state', ('+',))])
    """
    acts: list[tuple[str | None, tuple[str, ...]]] = []
    rest = (*words,)
    while NEXT in rest[:-1]:
        place = rest.index(NEXT)
        acts.append((action, rest[:place]))
        action, rest = rest[place + 1], rest[place + 2 :]
    if NEXT in (action, *(do for do, _ in acts), *rest[1:]):
        raise click.UsageError(f"A {NEXT} stands between two acts: `moot act move to=b3 {NEXT} bake`.")
    return [*acts, (action, rest)]


def since(_context: click.Context, _parameter: click.Parameter, word: str | None) -> int:
    """Return the moment (Unix seconds) that a stamp, a day, or a length of time before now means."""
    if word is None:
        return 0
    tries: tuple[Callable[[str], int], ...] = (
        lambda text: int(time.time()) - read_duration(text),
        lambda text: read_moment(text, 0),
        lambda text: read_stamp(f"{read_date(text).isoformat()}T00:00:00Z"),
    )
    for read in tries:
        try:
            return read(word.removesuffix(" ago"))
        except ProblemError:
            continue
    raise click.BadParameter(f"{word!r} is no time: write 2d, 3h30m, 2026-01-05 or 2026-01-05T12:00:00Z.")
