"""Options that several commands share, and how their words become values."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from folkmoot.cli.completion import complete_games, complete_players
from folkmoot.cli.terminal import Terminal
from folkmoot.core.calendar import read_date, read_duration, read_moment, read_stamp
from folkmoot.core.problems import ProblemError

Command = TypeVar("Command", bound=Callable[..., Any])
ENGINE_SECONDS = 600  # that another engine may take to replay what it recorded
FILE_KINDS = ("rule", "action", "settings", "scenario", "ruleset")
REPAIRS = ("revert", "record", "clock")
LOOK = "look"  # only say what was changed
NEWEST = 30  # entries that are told of
POWERS = "may pause it, correct its record and redact"
RUNNING = "\0"  # the engine that runs: a source that nobody can name
NEXT = "+"  # a word that begins another act
BETWEEN = f"A {NEXT} stands between two acts: `moot act move to=b3 {NEXT} bake`."


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


def _remember_json(context: click.Context, _parameter: click.Parameter, wanted: bool) -> bool:
    context.ensure_object(Terminal).json = wanted
    return wanted


json_option = click.option(
    "--json",
    "json_",
    is_flag=True,
    expose_value=False,
    callback=_remember_json,
    is_eager=True,
    help="Print a record for programs instead of sentences.",
)
"""Adds `--json`, which the terminal remembers."""
at_option = click.option(
    "--at", metavar="TIME", help="When: a stamp (2026-01-05T12:00:00Z) or a time after the last entry (+2h)."
)
"""Adds `--at`, a stamp or a duration after the last entry."""
commit_option = click.option(
    "--commit/--no-commit", default=True, show_default=True, help="Commit the entry to the git repository around."
)
"""Adds `--no-commit`."""


ruleset_option = click.option(
    "-r", "--ruleset",
    help="A packaged ruleset, or the folder of one, as in ./tea.  [default: asked for, else lanterns]",
)  # fmt: skip
setting_option = click.option(
    "-s", "--setting", "settings", multiple=True, metavar="SWITCH=VALUE", help="Flip a switch of the ruleset."
)
port_option = click.option(
    "--port", type=click.IntRange(0, 65535), help="Where to serve.  [default: 8000, or the next free one]"
)
remote_option = click.option(
    "--remote",
    envvar="MOOT_REMOTE",
    metavar="NAME|URL",
    help="Where the players meet.  [default: origin or the only remote, else this repository; env: MOOT_REMOTE]",
)
"""Adds `--remote`."""


trust_option = click.option(
    "--trust", is_flag=True,
    help="Consent to whatever this repository's own mkdocs.yml, hooks and templates run, as they are now.",
)  # fmt: skip
"""Adds `--trust`."""


def by_option(purpose: str, name: str = "by") -> Callable[[Command], Command]:
    """Return what adds `--by`, which names a player."""
    return click.option("-b", "--by", name, metavar="PLAYER", shell_complete=complete_players, help=purpose)


def players_option(how: str) -> Callable[[Command], Command]:
    """Return what adds `--player`, once for each who plays."""
    said = f"A player, in joining order, {how}.  [default: asked for]"
    return click.option("-p", "--player", "players", multiple=True, metavar="ID[,KEY=VALUE…]", help=said)


def summary_option(what: str) -> Callable[[Command], Command]:
    """Return what adds `--summary`, a file for the forge to show."""
    path = click.Path(dir_okay=False, path_type=Path)
    return click.option("--summary", type=path, help=f"Add {what} to a file, as Markdown.")


LIES_AT = "Where the game lies on its forge: https://HOST/OWNER/NAME.  [default: what the remote says]"


def forge_options(command: Command) -> Command:
    """Add `--home`, `--site` and `--login`."""
    for option in (
        click.option("--login", "logins", multiple=True, metavar="PLAYER=LOGIN[:ID]",
                     help="Who a player is on the forge; the account's number is asked for where it is left out."),
        click.option("--site", "site_url", metavar="URL", help="Where the site is served, if not by Pages."),
        click.option("--home", metavar="URL", help=LIES_AT),
    ):  # fmt: skip
        command = option(command)
    return command


# -- which game


def game_named(purpose: str, **more: Any) -> Callable[[Command], Command]:
    """Return what adds `--game`, by which a command gets a game's name, None where none is given."""
    return click.option("-g", "--game", envvar="MOOT_GAME", shell_complete=complete_games, help=purpose, **more)


game_name_option = game_named("The game, by name; needed only where there are several. [env: MOOT_GAME]")
"""Adds `--game`; the command gets the game's name."""


class Seconds(click.FloatRange):
    """A length of time in seconds."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number that is meant."""
        try:
            known = not math.isnan(float(value))
        except ValueError:
            known = False
        if not known:
            self.fail(f"{value!r} is no number of seconds, such as 60.", param, ctx)
        return super().convert(value, param, ctx)


timeout_option = click.option(
    "--timeout",
    type=Seconds(min=0),
    metavar="SECONDS",
    help="How long to wait.  [default: as long as it takes]",
)
"""Adds `--timeout`."""


def _together(*options: Callable[[Any], Any]) -> Callable[[Command], Command]:
    """Return what adds several options, in this order."""

    def add(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add


saying_options = _together(
    click.option("--anyway", is_flag=True, help="Send it although it would be refused, or its scripts fail."),
    click.option("-n", "--dry-run", is_flag=True, help="Say what would come of it, and send nothing."),
    click.option("--wait", is_flag=True, help="Wait until it is judged, and say what came of it."),
    timeout_option, game_name_option, remote_option, json_option,
)  # fmt: skip
"""Adds what every command has that says something: how it is sent, in which game, and `--json`."""
looking_options = _together(
    click.option("--offline", is_flag=True, help="Do not ask the remote repository; show what was fetched last."),
    game_name_option, remote_option, json_option,
)  # fmt: skip
"""Adds what every command has that looks at a game."""


def trust_clock_option(command: Command) -> Command:
    """Add `--trust-clock`, which a command gets as `trust_clock`."""
    said = "This machine's clock is right, however long nothing has happened here."
    return click.option("--trust-clock", is_flag=True, help=said)(command)


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
        raise click.UsageError(BETWEEN)
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
