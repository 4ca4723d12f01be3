"""`moot comment`: say something about a pull request, or on the game's own thread."""

from __future__ import annotations

import click

from folkmoot.cli.options import game_name_option, json_option, pull_number
from folkmoot.cli.repositories import remote_option
from folkmoot.cli.sending import addressed, played_game, remote_view_of, send, title_of
from folkmoot.cli.terminal import Exit, Terminal
from folkmoot.forges.local import Letter
from folkmoot.referee.commands import commands_in


@click.command("comment")
@click.argument("text", metavar="TEXT…", nargs=-1, required=True)
@click.option("--on", "pull", type=pull_number, metavar="PULL", help="The pull request.  [default: the game itself]")
@game_name_option
@remote_option
@json_option
@click.pass_obj
def command(terminal: Terminal, text: tuple[str, ...], pull: int | None, game: str | None, remote: str | None) -> int:
    """Say TEXT about a pull request, or about the game.

    Lines that start with a slash are commands of the game (`/vote abstain`, `/do move to=c4`), as if they were written
    by `moot vote` and `moot act`; all else is talk, and is not recorded.
    """
    body = " ".join(text).strip()
    if not body:
        raise click.UsageError("Say something.")
    view = remote_view_of(terminal, remote).look()
    if pull is None:
        name = played_game(view, game)
        letter, where = Letter(pull=0, kind="comment", body=addressed(view, name, body)), f"the thread of {name}"
    else:
        if game is not None:
            played_game(view, game)  # told where it is wrong, though the pull request says which game is meant
        letter, where = Letter(pull=pull, kind="comment", body=body), title_of(view.wanted(pull))
    sent = send(view, letter)
    names = [found.name for found in commands_in(body)]
    terminal.record({"pull": pull or 0, "letter": sent, "commands": names})
    terminal.say(f"Said on {where}." + (f" It asks for {', '.join(f'/{name}' for name in names)}." if names else ""))
    return Exit.OK
