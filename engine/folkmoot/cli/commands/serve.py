"""`moot serve`: build the site and serve it."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from threading import Thread

import click

from folkmoot.cli.games import root_with_games
from folkmoot.cli.live_site import Builds, follow, live_handler
from folkmoot.cli.options import json_option
from folkmoot.cli.repositories import told_if_stale
from folkmoot.cli.site import build_site, build_written, open_server, say_where
from folkmoot.cli.terminal import Terminal
from folkmoot.core.problems import ProblemError
from folkmoot.site.build import write_site


@click.command("serve")
@click.option("--port", type=click.IntRange(0, 65535), help="Where to serve.  [default: 8000, or the next free one]")
@json_option
@click.pass_obj
def command(terminal: Terminal, port: int | None) -> None:
    """Build the site of every game of the repository and serve it on this machine until interrupted.

    When a game goes on, or words of the site change, it is built again, and open pages follow.
    """
    root = root_with_games(terminal)
    with told_if_stale(terminal):
        site = build_site(terminal, root)
    builds = Builds()
    with open_server(site, port, live_handler(site, builds)) as server:
        say_where(terminal, site, server)
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            follow(root, partial(_again, terminal, root), builds)
        except KeyboardInterrupt:
            terminal.say()
        server.shutdown()


def _again(terminal: Terminal, root: Path) -> None:
    try:
        report = write_site(root)
        build_written(root, report)
    except ProblemError as error:
        terminal.problems(error.problems)
        return
    terminal.problems(report.problems)
    terminal.say(f"Built again: {len(report.written)} pages changed.")
