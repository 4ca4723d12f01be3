"""`moot key`: name the keys with which a player signs; make those that open what is sealed, and the dice's secret."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from msgspec import Struct

from folkmoot.cli import sealing_keys, signing_keys
from folkmoot.cli.exit_codes import Exit
from folkmoot.cli.games import game_folder
from folkmoot.cli.options import (
    FILE,
    PathBeside,
    game_name_option,
    json_option,
    remote_option,
    trying_options,
    wait_option,
)
from folkmoot.cli.terminal import Terminal
from folkmoot.core.problems import ProblemError
from folkmoot.game.secret_store import CHANCE, make_master
from folkmoot.journal import GameRecord


class Waiting(Struct, frozen=True):
    """Whether to wait for the answer, and for how many seconds."""

    wait: bool
    timeout: float | None


class Wanted(Struct, frozen=True, kw_only=True):
    """Which key is asked for, and what is to become of it: the options of the command."""

    sealing: bool
    new: bool
    from_ssh: Path | None
    from_forge: str | None
    keeper: bool
    dice: bool
    print_: bool
    forget: int | None
    number: int | None

    def __bool__(self) -> bool:
        """Say whether any of it is asked for."""
        return any(getattr(self, name) for name in self.__struct_fields__)


@click.command("key")
@click.argument("verb", type=click.Choice(["add", "revoke"]), metavar="[add|revoke]", required=False)
@click.argument("file", type=PathBeside(dir_okay=False, path_type=Path), metavar="[FILE]", required=False)
@click.option("--sealing", is_flag=True, help="Make or show the key with which you open what is sealed to you.")
@click.option("--new", is_flag=True, help="With --sealing: make another; those you have still open old boxes.")
@click.option("--from-ssh", type=FILE, metavar="FILE", help="With --sealing: open with this private SSH key.")
@click.option("--from-forge", metavar="NAME", help="With --sealing: show the SSH keys of an account, and name one.")
@click.option("--keeper", is_flag=True, help="Make the next key of the game's keeper on this machine.")
@click.option("--dice", is_flag=True, help="Print a new master secret for the dice, once: nothing keeps it here.")
@click.option("--print", "print_", is_flag=True, help="With --keeper: print it for a forge, and keep nothing here.")
@click.option("--forget", type=click.IntRange(1, 1000), metavar="N", help="With --keeper: delete key N, once replaced.")
@click.option("--number", type=click.IntRange(1, 1000), help="Which key in the list, or which number the keeper's has.")
@trying_options
@wait_option
@game_name_option
@remote_option
@json_option
@click.pass_obj
def command(
    terminal: Terminal,
    /,
    verb: str | None,
    file: Path | None,
    game: str | None,
    remote: str | None,
    **given: Any,
) -> int:
    """Name an SSH key, or withdraw one; FILE is its public half. Alone it shows which keys are yours.

    Once you have named a key, only what is signed with a key of yours counts as yours, also after you withdrew it. Git
    signs with:

    \b
      git config gpg.format ssh
      git config user.signingkey FILE
      git config commit.gpgsign true

    What is sealed to you opens with a key of another kind, which `moot key --sealing` makes; it stays on your machine.
    The keeper of a game has numbered ones. On a forge the referee's job needs them:

    \b
      moot key --keeper --print | gh secret set FOLKMOOT_SEALING --env referee
      moot key --dice | gh secret set FOLKMOOT_CHANCE --env referee

    On Forgejo and Gitea secrets are stored on the page Settings → Actions → Secrets of the repository. From the master
    secret follow those of all chance epochs (`moot init --apply` makes one and stores it without anybody seeing it). An
    epoch that is open stays with the secret that it was opened with, so end it first (`/do close_epoch`), or give both:
    the new one, a blank, the old one.
    """  # noqa: D301 (the mark keeps lines apart in the help)
    wanted = Wanted(**{name: given.pop(name) for name in Wanted.__struct_fields__})
    if verb is None and file is None and not wanted:
        return signing_keys.show_signing_keys(terminal, game, remote)
    _check_words(verb, file, wanted)
    if wanted.dice:
        return _print_master(terminal)
    if wanted.keeper:
        return _keepers(terminal, game, wanted)
    if wanted.from_forge is not None:
        send, server = _naming(terminal, game, remote, given), sealing_keys.server_of(terminal, game)
        return sealing_keys.key_from_forge(terminal, server, wanted.from_forge, wanted.number, send)
    if verb is None or file is None:
        return sealing_keys.own_sealing_key(terminal, wanted.from_ssh, new=wanted.new)
    how = Waiting(given.pop("wait"), given.pop("timeout"))
    return signing_keys.name_signing_key(terminal, verb, file, game, remote, how, **given)


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


def _naming(
    terminal: Terminal, game: str | None, remote: str | None, given: dict[str, Any]
) -> Callable[[str], int] | None:
    """Return what names a key in a game that is played by pull requests, None where there is none here."""
    from folkmoot.cli import acting

    try:
        if remote is None and not acting.is_met(terminal, game):
            return None
    except ProblemError:
        if game is not None:
            raise
        return None
    how = acting.Sending(**given)
    do, none = "use_sealing_key", {"as_": None, "file": None}
    return lambda key: acting.send_acts(terminal, remote, game, how, action=do, words=(f"key={key}",), **none)


def _check_words(verb: str | None, file: Path | None, wanted: Wanted) -> None:
    """Raise UsageError unless exactly one of the three things is asked for, with what belongs to it."""
    asked = [verb is not None, wanted.sealing, wanted.keeper, wanted.dice]
    if asked.count(True) != 1 or (verb is not None) != (file is not None):
        raise click.UsageError(
            "Say `moot key add FILE`, `moot key revoke FILE`, `moot key --sealing`, `--keeper` or `--dice`."
        )
    if sum(map(bool, (wanted.new, wanted.from_ssh, wanted.from_forge))) > (1 if wanted.sealing else 0):
        raise click.UsageError("One of --new, --from-ssh and --from-forge goes with --sealing.")
    if wanted.print_ and not wanted.keeper:
        raise click.UsageError("--print goes with --keeper.")
    if wanted.number is not None and not (wanted.print_ or wanted.from_forge):
        raise click.UsageError("--number goes with --from-forge, or with --keeper --print.")
    if wanted.forget is not None and (not wanted.keeper or wanted.print_):
        raise click.UsageError("--forget goes with --keeper, without --print.")
