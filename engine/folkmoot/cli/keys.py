"""`moot key`: name the keys with which a player signs; make those that open what is sealed, and the dice's secret."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Any

import click

from folkmoot.cli import sealing_keys
from folkmoot.cli.exit_codes import Exit
from folkmoot.cli.games import game_folder, repository_around, root_of
from folkmoot.cli.saying import How, Statement, say
from folkmoot.cli.sending import people_of, played_game, player_here, read_public_key, remote_view_of, to_thread
from folkmoot.cli.terminal import Terminal
from folkmoot.core.calendar import write_moment
from folkmoot.core.problems import fail
from folkmoot.core.records import Shown
from folkmoot.game.secret_store import CHANCE, make_master
from folkmoot.journal import GameFolder, GameRecord
from folkmoot.player.remote_view import RemoteView
from folkmoot.player.voting import act_line

SHOWN = 8  # of a key's last characters
LOST = 'Lost it? An administrator names another for you: `moot act add_key player={} key="…"`.'


def run_key(
    terminal: Terminal,
    /,
    verb: str | None,
    file: Path | None,
    sealing: bool,
    new: bool,
    from_ssh: Path | None,
    keeper: bool,
    dice: bool,
    print_: bool,
    forget: int | None,
    game: str | None,
    remote: str | None,
    **how: Any,
) -> int:
    """Name, make, show or print a key."""
    if [verb is not None, sealing, keeper, dice].count(True) > 1 or (verb is None) != (file is None):
        raise click.UsageError(
            "Say `moot key add FILE`, `moot key revoke FILE`, `moot key --sealing`, `--keeper` or `--dice`."
        )
    if sum((new, from_ssh is not None)) > sealing:
        raise click.UsageError("One of --new and --from-ssh goes with --sealing.")
    if sum((print_, forget is not None)) > keeper:
        raise click.UsageError("One of --print and --forget goes with --keeper.")
    if sealing:
        return sealing_keys.own_sealing_key(terminal, from_ssh, new=new)
    if keeper:
        record = _kept_at(terminal, game)
        if forget is not None:
            return sealing_keys.forget_key(terminal, record, forget)
        return (sealing_keys.print_keeper_key if print_ else sealing_keys.keeper_key)(terminal, record)
    if verb is not None and file is not None:
        return name_signing_key(terminal, verb, file, game, remote, How(**how))
    if not dice:
        return show_signing_keys(terminal, game, remote)
    click.echo(make_master())
    if sys.stdout.isatty():
        terminal.note(f"This is shown once. Store it as the secret {CHANCE} of the forge, then clear the screen.")
    return Exit.OK


def _kept_at(terminal: Terminal, game: str | None) -> GameRecord:
    """Return the game whose key is meant: in the clone, or at a table, which has no files but keeps its key."""
    repo = repository_around(root_of(terminal))
    if repo is None or not repo.is_bare:
        return GameFolder(game_folder(terminal, game))
    view = remote_view_of(terminal, None).look()
    return view.record(played_game(view, game))


# -- the keys with which a player signs


def name_signing_key(terminal: Terminal, verb: str, file: Path, game: str | None, remote: str | None, how: How) -> int:
    """Send that a key signs for a player from now on, or no more, unless that would be refused or lock them out."""
    key = read_public_key(file)
    view = remote_view_of(terminal, remote).look()
    name = played_game(view, game)
    if verb == "revoke" and not how.anyway and _valid(view, name) == [key]:
        message = "this is your only key: once it is withdrawn, nothing that you send counts"
        now = f"`moot key revoke {shlex.quote(str(file))} --anyway`"
        raise fail("E-ORDER", message, None, f"name another first: `moot key add FILE`; {now} withdraws it now")
    what = "name this key as yours" if verb == "add" else "withdraw this key"
    with view.session(name) as session:
        line = act_line(f"{verb}_key", {"key": key}, None, session.actions())
        statement = Statement(
            letters=[to_thread(view, name, line)],
            record={"game": name, "do": f"{verb}_key", "key": key, "signs": view.author.signs},
            sentences=[f"Asked to {what}: {_shown(key)}."],
            notes=_how_to_sign(view, [key, *_valid(view, name)], file) if verb == "add" else (),
        )
        code = say(terminal, view, [session], statement, how).code
    if code == Exit.REFUSED and view.author.key != key:
        terminal.note(LOST.format(player_here(view, name)))
    return code


def show_signing_keys(terminal: Terminal, game: str | None, remote: str | None) -> int:
    """Show which keys a game knows of the person at a clone, and whether git signs with one of them."""
    view = remote_view_of(terminal, remote).look()
    name = played_game(view, game)
    player = player_here(view, name)
    keys = _keys(view, name)
    terminal.record({"game": name, "player": player, "keys": keys, "signs": view.author.signs, "by": view.author.key})
    if player is None:
        terminal.say(f"You are no player of {name}: `moot join --key FILE` names a key when you join.")
        return Exit.OK
    for each in keys:
        until = f", withdrawn {write_moment(each['until'])}" if each["until"] is not None else ""
        terminal.say(f"{player} signs with {_shown(each['key'])} since {write_moment(each['since'])}{until}")
    if not keys:
        terminal.say(f"{player} plays on trust: no key is named. `moot key add FILE` names the public half of one.")
        return Exit.OK
    for note in _how_to_sign(view, _valid(view, name), None):
        terminal.note(note)
    terminal.say(LOST.format(player))
    return Exit.OK


def _keys(view: RemoteView, game: str) -> list[Shown]:
    entry = people_of(view, game).get(player_here(view, game) or "")
    return [dict(each) for each in entry.get("keys") or ()] if entry else []


def _valid(view: RemoteView, game: str) -> list[str]:
    """Return the keys that are the person's and not withdrawn."""
    return [str(each["key"]) for each in _keys(view, game) if each["until"] is None]


def _shown(key: str) -> str:
    """Return a key by what tells it from others: its kind, and how it ends.

    >>> _shown("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIO01q6EHJCyA")
    'ssh-ed25519 …q6EHJCyA'
    """
    return f"{key.partition(' ')[0]} …{key[-SHOWN:]}"


def _how_to_sign(view: RemoteView, keys: list[str], file: Path | None) -> list[str]:
    """Return what has to be typed that git signs with one of some keys, nothing where it does."""
    author = view.author
    if author.signs and (not author.key or author.key in keys):
        return []
    why = f"git signs with another key, {_shown(author.key)}" if author.signs else "git does not sign yet"
    where = shlex.quote(str(file.resolve())) if file is not None else "FILE"
    lines = ("gpg.format ssh", f"user.signingkey {where}", "commit.gpgsign true")
    mind = f"Mind: {why}. What is not signed with your key will not count:"
    return [mind, *(f"  git config {line}" for line in lines)]
