"""`moot status`: whose turn it is, what is open until when, who owes what."""

from __future__ import annotations

from pathlib import Path

import click

from folkmoot.cli.completion import complete_players
from folkmoot.cli.games import STATE, root_of
from folkmoot.cli.options import game_name_option, json_option, remote_option
from folkmoot.cli.output_cache import again_if_unchanged
from folkmoot.cli.terminal import Terminal
from folkmoot.sandbox.starting import begin_early

ASKED = (b"decide_mover", b"decide_holder", b"decide_acts_for")
"""What is asked of the law whatever there is to show."""


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
@again_if_unchanged
def command(
    terminal: Terminal, /, game: str | None, remote: str | None, player: str | None, offline: bool, all_: bool
) -> None:
    """Show whose turn it is, what is open until when, what is owed, how things stand, and which actions there are.

    In a game that is played by pull requests, this fetches first, and shows what you owe with the command for each
    thing, the open pull requests, and what became of what you sent.
    """
    if asks_law(root_of(terminal)):
        begin_early()
    from folkmoot.cli.game_status import show_status  # the game and all that is said of it

    show_status(terminal, game, remote, player, offline=offline, all_=all_)


def asks_law(root: Path) -> bool:
    """Say whether a rule of a game, as the clone has it, may answer what is asked in any case."""
    return any(hook in rule.read_bytes() for rule in root.glob(f"{STATE}/*/rules/*.yaml") for hook in ASKED)
