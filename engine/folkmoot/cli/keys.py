"""`moot key`: name the keys with which a player signs; make those that open what is sealed, and the dice's secret."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click
from msgspec import Struct

from folkmoot.cli import sealing_keys, signing_keys
from folkmoot.cli.exit_codes import Exit
from folkmoot.cli.games import game_folder
from folkmoot.cli.saying import How
from folkmoot.cli.terminal import Terminal
from folkmoot.game.secret_store import CHANCE, make_master
from folkmoot.journal import GameRecord


class Wanted(Struct, frozen=True, kw_only=True):
    """Which key is asked for, and what is to become of it: the options of the command."""

    sealing: bool
    new: bool
    from_ssh: Path | None
    keeper: bool
    dice: bool
    print_: bool
    forget: int | None
    number: int | None

    def __bool__(self) -> bool:
        """Say whether any of it is asked for."""
        return any(getattr(self, name) for name in self.__struct_fields__)


def run_key(
    terminal: Terminal,
    /,
    verb: str | None,
    file: Path | None,
    game: str | None,
    remote: str | None,
    **given: Any,
) -> int:
    """Name, make, show or print a key."""
    wanted = Wanted(**{name: given.pop(name) for name in Wanted.__struct_fields__})
    if verb is None and file is None and not wanted:
        return signing_keys.show_signing_keys(terminal, game, remote)
    _check_words(verb, file, wanted)
    if wanted.dice:
        return _print_master(terminal)
    if wanted.keeper:
        return _keepers(terminal, game, wanted)
    if verb is None or file is None:
        return sealing_keys.own_sealing_key(terminal, wanted.from_ssh, new=wanted.new)
    return signing_keys.name_signing_key(terminal, verb, file, game, remote, How(**given))


def _print_master(terminal: Terminal) -> int:
    """Print a new master secret for the dice."""
    click.echo(make_master())
    if sys.stdout.isatty():
        terminal.note(f"This is shown once. Store it as the secret {CHANCE} of the forge, then clear the screen.")
    return Exit.OK


def _keepers(terminal: Terminal, game: str | None, wanted: Wanted) -> int:
    """Make, print or forget a key of the game's keeper."""
    folder = _kept_at(terminal, game)
    if wanted.forget is not None:
        return sealing_keys.forget_key(terminal, folder, wanted.forget)
    if wanted.print_:
        return sealing_keys.print_keeper_key(terminal, folder, wanted.number)
    return sealing_keys.keeper_key(terminal, folder)


def _kept_at(terminal: Terminal, game: str | None) -> GameRecord:
    """Return the game whose key is meant: in the clone, or at a table, which has no files but keeps its key."""
    from folkmoot.cli.games import repository_around, root_of
    from folkmoot.journal import GameFolder

    repo = repository_around(root_of(terminal))
    if repo is None or not repo.is_bare:
        return GameFolder(game_folder(terminal, game))
    from folkmoot.cli.sending import played_game, remote_view_of

    view = remote_view_of(terminal, None).look()
    return view.record(played_game(view, game))


def _check_words(verb: str | None, file: Path | None, wanted: Wanted) -> None:
    """Raise UsageError unless exactly one of the three things is asked for, with what belongs to it."""
    asked = [verb is not None, wanted.sealing, wanted.keeper, wanted.dice]
    if asked.count(True) != 1 or (verb is not None) != (file is not None):
        raise click.UsageError(
            "Say `moot key add FILE`, `moot key revoke FILE`, `moot key --sealing`, `--keeper` or `--dice`."
        )
    if sum(map(bool, (wanted.new, wanted.from_ssh))) > (1 if wanted.sealing else 0):
        raise click.UsageError("One of --new and --from-ssh goes with --sealing.")
    if wanted.print_ and not wanted.keeper:
        raise click.UsageError("--print goes with --keeper.")
    if wanted.number is not None and not wanted.print_:
        raise click.UsageError("--number goes with --keeper --print.")
    if wanted.forget is not None and (not wanted.keeper or wanted.print_):
        raise click.UsageError("--forget goes with --keeper, without --print.")
