"""`moot status`: whose turn it is, what is open until when, who owes what."""

from __future__ import annotations

import click

from folkmoot.cli.completion import complete_players
from folkmoot.cli.options import game_name_option, json_option, remote_option
from folkmoot.cli.terminal import Terminal


@click.command("status")
@click.option(
    "-b",
    "--by",
    "player",
    metavar="PLAYER",
    shell_complete=complete_players,
    help="Show only what this player owes and may vote on.",
)
@click.option("--offline", is_flag=True, help="Do not ask the remote repository; show what was fetched last.")
@click.option("--all", "all_", is_flag=True, help="Show all that came of what was sent, older things too.")
@game_name_option
@remote_option
@json_option
@click.pass_obj
def command(
    terminal: Terminal, /, game: str | None, remote: str | None, player: str | None, offline: bool, all_: bool
) -> None:
    """Show whose turn it is, what is open until when, what is owed, how things stand, and which actions there are.

    In a game that is played by pull requests, this fetches first, and shows what you owe with the command for each
    thing, the open pull requests, and what became of what you sent.
    """
    from folkmoot.cli.game_status import show_status  # the game and all that is said of it

    show_status(terminal, game, remote, player, offline=offline, all_=all_)
