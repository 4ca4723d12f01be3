"""`moot hand`: show what is sealed to you in a game."""

from __future__ import annotations

import click

from folkmoot.cli.completion import complete_players
from folkmoot.cli.options import game_name_option, json_option, remote_option
from folkmoot.cli.terminal import Terminal


@click.command("hand")
@click.option(
    "--by", metavar="PLAYER", shell_complete=complete_players, help="Whose hand, in a game that one person keeps."
)
@click.option("--offline", is_flag=True, help="Take what was fetched last.")
@game_name_option
@remote_option
@json_option
@click.pass_obj
def command(terminal: Terminal, by: str | None, offline: bool, game: str | None, remote: str | None) -> int:
    """Show what you may see in a game, and others may not.

    What is sealed to you opens on this machine, with the key that `moot key --sealing` keeps; nothing of it is sent or
    written anywhere. What is sealed to others is shown as `sealed`.
    """
    from folkmoot.cli import private_view

    return private_view.show_hand(terminal, game, remote, by, offline=offline)
