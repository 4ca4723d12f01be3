"""Options that several commands share, and how their words become values."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from folkmoot.cli.games import game_folder, games_in, root_of
from folkmoot.cli.terminal import Terminal

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
Command = TypeVar("Command", bound=Callable[..., Any])


def _remember_json(context: click.Context, _parameter: click.Parameter, wanted: bool) -> bool:
    context.ensure_object(Terminal).json = wanted
    return wanted


def json_option(command: Command) -> Command:
    """Add `--json`, which the terminal remembers."""
    return click.option(
        "--json",
        "json_",
        is_flag=True,
        expose_value=False,
        callback=_remember_json,
        is_eager=True,
        help="Print a record for programs instead of sentences.",
    )(command)


def complete_games(context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Return the games whose names start with what was typed."""
    names = games_in(root_of(context.find_root().ensure_object(Terminal)))
    return [CompletionItem(name) for name in names if name.startswith(typed)]


def game_name_option(command: Command) -> Command:
    """Add `--game`; the command gets the game's name, None where none is given."""
    return click.option(
        "-g",
        "--game",
        envvar="MOOT_GAME",
        shell_complete=complete_games,
        help="The game, by name; needed only where there are several. [env: MOOT_GAME]",
    )(command)


def pull_number(word: str) -> int:
    """Return the number of a pull request that a word means: 7, or #7."""
    digits = word.removeprefix("#")
    if not digits.isascii() or not digits.isdigit() or len(digits) > 9 or int(digits) == 0:
        raise click.BadParameter(f"{word!r} is no number of a pull request, such as 7; `moot status` lists them.")
    return int(digits)


def game_option(command: Command) -> Command:
    """Add `--game`; the command gets the game's folder as `game`."""

    def found(context: click.Context, _parameter: click.Parameter, name: str | None) -> Path:
        return game_folder(context.ensure_object(Terminal), name)

    return click.option(
        "-g",
        "--game",
        envvar="MOOT_GAME",
        callback=found,
        shell_complete=complete_games,
        help="The game, by name or path; needed only where there are several. [env: MOOT_GAME]",
    )(command)


def at_option(command: Command) -> Command:
    """Add `--at`, a stamp or a duration after the last entry."""
    return click.option(
        "--at", metavar="TIME", help="When: a stamp (2026-01-05T12:00:00Z) or a time after the last entry (+2h)."
    )(command)


def commit_option(command: Command) -> Command:
    """Add `--no-commit`."""
    return click.option(
        "--commit/--no-commit", default=True, show_default=True, help="Commit the entry to the git repository around."
    )(command)


def moment_of(at: str | None, last: int) -> int:
    """Return the time (Unix seconds) that `--at` means: never before the last entry unless a stamp says so."""
    from folkmoot.core.calendar import read_moment

    return read_moment(at, last) if at else max(int(time.time()), last)


def pair_of(text: str, what: str) -> tuple[str, str]:
    """Return name and word of `name=word`; raises a usage error where there is no `=`."""
    name, equals, word = text.partition("=")
    if not equals or not name:
        raise click.UsageError(f"{what} is written NAME=VALUE, and {text!r} is not.")
    return name, word
