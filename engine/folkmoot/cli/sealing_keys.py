"""What `moot key` does for sealed data: a player's own key, one from SSH or from a forge, and those of a keeper."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from folkmoot.cli.exit_codes import Exit
from folkmoot.cli.terminal import Terminal, counted
from folkmoot.core.documents import KeeperKey
from folkmoot.core.keys import GAME
from folkmoot.core.problems import fail
from folkmoot.game.keeper import (
    SealedPast,
    forget_keeper_key,
    keeper_file,
    keeper_keys,
    keeper_seeds,
    keeper_word,
    make_keeper_key,
)
from folkmoot.game.secret_store import SEALING
from folkmoot.journal import GameRecord
from folkmoot.player.hand import keep_new_key, keep_ssh_key, own_key_file, own_keys
from folkmoot.sealing.keys import Identity, make_key


def own_sealing_key(terminal: Terminal, ssh: Path | None, *, new: bool) -> int:
    """Make the key of whoever runs the command, take one of SSH, or show the one that is kept."""
    kept = [] if ssh or new else own_keys()
    found = keep_ssh_key(ssh) if ssh else kept[0] if kept else keep_new_key()
    file = own_key_file()
    if ssh:
        terminal.say(f"What is sealed to you opens with {ssh} from now on; {file} says so.")
    else:
        terminal.say(f"This key is kept in {file}." if kept else f"A new key is kept in {file}.")
    terminal.say("Keep a copy of the key elsewhere: without it nobody can open what is sealed to it.")
    recipient = found.recipient
    record = {"kind": recipient.kind, "recipient": recipient.text, "fingerprint": recipient.fingerprint}
    terminal.record({**record, "warning": recipient.warning or None, "file": str(file)})
    terminal.say(f"public half: {recipient.text}")
    terminal.say(f"fingerprint: {recipient.fingerprint}")
    if recipient.warning:
        terminal.note(f"Mind: {recipient.warning}.")
    terminal.say(f'Name it in your game: moot act use_sealing_key key="{recipient.text}"')
    return Exit.OK


# -- the keeper's


def keeper_key(terminal: Terminal, folder: GameRecord) -> int:
    """Make the next key of a game's keeper on this machine."""
    number, made = make_keeper_key(folder)
    file, seeds = str(keeper_file(folder)), keeper_seeds(made, folder.founding)
    told = {"number": number, "recipient": made.recipient.text, "fingerprint": made.recipient.fingerprint}
    terminal.record({**told, "seeds": seeds, "file": file})
    terminal.say(f"Key {number} of the keeper of {folder.name} is kept in {file}.")
    terminal.say("Keep a copy of it elsewhere: without it no sealed data of the game can be opened.")
    for line in _naming(made, seeds):
        terminal.say(line)
    return Exit.OK


def forget_key(terminal: Terminal, folder: GameRecord, number: int) -> int:
    """Forget a key of a game's keeper that a later one has replaced.

    Raises E-SECRET where it is not here, and E-ARGS where something needs it still: it is in use, or sealed draws wait
    for their seeds, which follow from it.
    """
    key = keeper_keys(folder).get(number)
    if key is None:
        raise fail("E-SECRET", f"key {number} of the keeper of {folder.name} is not here")
    _require_retired(folder, number, key)
    forget_keeper_key(folder, number)
    there = number in keeper_keys(folder)
    terminal.record({"number": number, "forgotten": not there})
    if there:
        terminal.note(f"Nothing needs key {number} any more; {SEALING} holds it: take it out of that secret.")
        return Exit.OK
    terminal.say(
        f"Key {number} of the keeper of {folder.name} is forgotten here. Delete every copy of it: "
        "boxes that were sealed to it stay in the repository, and a copy opens them for ever."
    )
    return Exit.OK


def _require_retired(folder: GameRecord, number: int, key: Identity) -> None:
    """Raise E-ARGS where a key of the keeper is the one in use, is not named yet, or has seeds that draws wait for."""
    named: list[KeeperKey] = list(folder.kept(GAME).get("sealing") or ())
    place = next((n for n, each in enumerate(named) if each["key"] == key.recipient.text), len(named))
    if place >= len(named) - 1:
        hint = "an administrator names the next key by `moot act open_sealing`; then this one can be forgotten"
        raise fail("E-ARGS", f"no later key has replaced key {number} of the keeper of {folder.name}", None, hint)
    past = SealedPast.of(folder)
    draws = range(named[place]["after"] + 1, named[place + 1]["after"] + 1)
    waiting = [draw for draw in draws if draw not in past.seeds]
    if waiting:
        message = (
            f"{counted(len(waiting), 'sealed draw')} can be proved by key {number} alone, the first is {waiting[0]}"
        )
        hint = f"`moot act open_seed draw={waiting[0]}` opens its seed, once nothing that it gave is secret any more"
        raise fail("E-ARGS", message, None, hint)


def print_keeper_key(terminal: Terminal, folder: GameRecord) -> int:
    """Make a key of a keeper and print it once: a forge keeps it, and nothing here."""
    if terminal.json:
        raise fail("E-ARGS", "a private key is no record for programs", None, "leave `--json` away")
    named = len(folder.kept(GAME).get("sealing") or ())
    made = make_key()
    click.echo(keeper_word(named + 1, made))
    for line in _naming(made, keeper_seeds(made, folder.founding)):
        terminal.note(line)
    if sys.stdout.isatty():
        terminal.note(f"This is shown once. Add it to the secret {SEALING} of the forge, then clear the screen.")
    return Exit.OK


def _naming(key: Identity, seeds: str) -> tuple[str, ...]:
    """Return the lines by which a keeper's key is shown and named."""
    text = key.recipient.text
    shown = (f"public half: {text}", f"fingerprint: {key.recipient.fingerprint}", f"seeds: {seeds}")
    act = ("  moot act open_sealing \\", f"    key={text} \\", f"    seeds={seeds}")
    return (*shown, "An administrator names it in the game:", *act)
