"""`moot status`: whose turn it is, what is open until when, who owes what; and waiting until that changes."""

from __future__ import annotations

import click

from folkmoot.cli.completion import complete_players
from folkmoot.cli.options import game_name_option, json_option, remote_option, timeout_option
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
@click.option(
    "--wait",
    "awaited",
    type=click.Choice(["anything", "duty", "answer"]),
    is_flag=False,
    flag_value="anything",
    help="Wait for something that you owe, an answer to what you sent, or whichever comes first, and say that alone.",
)
@timeout_option
@click.option(
    "--notify",
    is_flag=False,
    flag_value="desktop",
    metavar="[COMMAND]",
    help="With --wait: a notice on the desktop, or by COMMAND with a title and a text as its last two words.",
)
@game_name_option
@remote_option
@json_option
@click.pass_obj
def command(
    terminal: Terminal,
    /,
    game: str | None,
    remote: str | None,
    player: str | None,
    offline: bool,
    all_: bool,
    awaited: str | None,
    timeout: float | None,
    notify: str | None,
) -> int:
    """Show whose turn it is, what is open until when, what is owed, how things stand, and which actions there are.

    In a game that is played by pull requests, this fetches first, and shows what you owe with the command for each
    thing, the open pull requests, and what became of what you sent.

    With --wait it ends at once where you owe something already; with `--wait answer` also where all that you sent is
    answered. The repository where players meet is asked with longer and longer pauses, up to half a minute. It exits
    with 0 when it came, with 6 where it did not come in time.

    \b
      moot status --wait && moot status
      moot status --wait answer --timeout 60
      moot status --wait --notify
    """  # noqa: D301 (the mark keeps lines apart in the help)
    if awaited is None:
        if timeout is not None or notify is not None:
            raise click.UsageError("--timeout and --notify go with --wait.")
        from folkmoot.cli.game_status import show_status  # the game and all that is said of it

        show_status(terminal, game, remote, player, offline=offline, all_=all_)
        return 0
    if player is not None or offline or all_:
        raise click.UsageError("--wait is for what concerns you, from now on: leave out --by, --offline and --all.")
    from folkmoot.cli.waiting import wait_for_news

    return wait_for_news(terminal, game, remote, awaited, timeout, notify)
