"""`moot key`: name the keys with which a player signs."""

from __future__ import annotations

from pathlib import Path

import click

from folkmoot.cli.options import FILE, game_name_option, json_option
from folkmoot.cli.repositories import remote_option
from folkmoot.cli.sending import addressed, next_step, played_game, read_public_key, remote_view_of, send, warn_stranger
from folkmoot.cli.terminal import Exit, Terminal
from folkmoot.forges.local import Letter
from folkmoot.player.comment_lines import act_line


@click.command("key")
@click.argument("verb", type=click.Choice(["add", "revoke"]), metavar="add|revoke")
@click.argument("file", type=FILE)
@game_name_option
@remote_option
@json_option
@click.pass_obj
def command(terminal: Terminal, verb: str, file: Path, game: str | None, remote: str | None) -> int:
    """Name an SSH key, or withdraw one; FILE is its public half.

    Once you have named a key, only what is signed with a key of yours counts as yours, also after you withdrew it. Git
    signs with:

    \b
      git config gpg.format ssh
      git config user.signingkey FILE
      git config commit.gpgsign true
    """  # noqa: D301 (the mark keeps lines apart in the help)
    key = read_public_key(file)
    view = remote_view_of(terminal, remote).look()
    name = played_game(view, game)
    do = f"{verb}_key"
    with view.session(name) as session:
        line = act_line(do, {"key": key}, None, session.actions())
    sent = send(view, Letter(pull=0, kind="comment", body=addressed(view, name, line)))
    terminal.record({"game": name, "do": do, "key": key, "letter": sent, "signs": view.author.signs})
    what = "name this key as yours" if verb == "add" else "withdraw this key"
    terminal.say(f"Asked to {what}: {key[:40]}…")
    warn_stranger(terminal, view, name)
    if verb == "add" and not view.author.signs:
        terminal.note(
            f"Mind: git does not sign yet; what you send unsigned will not count. See `moot key --help` ({file})."
        )
    terminal.say(next_step(view))
    return Exit.OK
