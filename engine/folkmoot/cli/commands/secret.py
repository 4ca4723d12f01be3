"""`moot secret`: make a master secret for the dice."""

from __future__ import annotations

import sys

import click

from folkmoot.cli.exit_codes import Exit
from folkmoot.cli.terminal import Terminal
from folkmoot.game.secret_store import CHANCE, make_master


@click.command("secret")
@click.pass_obj
def command(terminal: Terminal) -> int:
    """Make a master secret for the dice, and print it once: nothing keeps it here.

    The forge keeps it, and gives it to the referee's job alone:

    \b
      moot secret | gh secret set FOLKMOOT_CHANCE --env referee

    On Forgejo and Gitea it is stored on the page Settings → Actions → Secrets of the repository.

    `moot init --apply` makes one and stores it without anybody seeing it. From it follow the secrets of all chance
    epochs; an epoch that is open stays with the secret that it was opened with, so end it first (`/do close_epoch`), or
    give both: the new one, a blank, the old one.
    """  # noqa: D301 (the mark keeps lines apart in the help)
    click.echo(make_master())
    if sys.stdout.isatty():
        terminal.note(f"This is shown once. Store it as the secret {CHANCE} of the forge, then clear the screen.")
    return Exit.OK
