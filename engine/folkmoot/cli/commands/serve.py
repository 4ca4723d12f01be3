"""`moot serve`: build the site and serve it."""

from __future__ import annotations

import click

from folkmoot.cli.games import root_with_games
from folkmoot.cli.options import json_option
from folkmoot.cli.repositories import told_if_stale
from folkmoot.cli.site import build_site, serve_site
from folkmoot.cli.terminal import Terminal


@click.command("serve")
@click.option("--port", type=click.IntRange(0, 65535), help="Where to serve.  [default: 8000, or the next free one]")
@json_option
@click.pass_obj
def command(terminal: Terminal, port: int | None) -> None:
    """Build the site of every game of the repository and serve it on this machine until interrupted."""
    with told_if_stale(terminal):
        site = build_site(terminal, root_with_games(terminal))
    serve_site(terminal, site, port)
