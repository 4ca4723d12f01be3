"""`moot serve`: build the site and serve it."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path
from threading import Thread

import click

from folkmoot.cli.games import root_with_games
from folkmoot.cli.live_site import Behind, Builds, follow, live_handler
from folkmoot.cli.options import json_option
from folkmoot.cli.repositories import told_if_stale
from folkmoot.cli.site import build_site, open_server, say_where, site_folder, trust_option
from folkmoot.cli.terminal import Terminal, counted
from folkmoot.core.problems import Problem, ProblemError
from folkmoot.site.preparation import prepare_site
from folkmoot.site.publish import publish
from folkmoot.site.searching import index_changes, index_site
from folkmoot.site.site_cache import SiteCache


@click.command("serve")
@click.option("--port", type=click.IntRange(0, 65535), help="Where to serve.  [default: 8000, or the next free one]")
@trust_option
@json_option
@click.pass_obj
def command(terminal: Terminal, port: int | None, trust: bool) -> None:
    """Build the site of every game of the repository and serve it on this machine until interrupted.

    When a game goes on, or words of the site change, it is built again, and open pages follow.
    A hook, plugin or template that Folkmoot does not package is run only with your consent, for as long as it stays the
    same; with `--trust` also where it changes while this command serves.
    """
    root = root_with_games(terminal)
    memory = SiteCache.of(root.resolve())
    with told_if_stale(terminal):
        site = build_site(terminal, root, memory, trust=trust)
    builds = Builds()
    with open_server(site, port, live_handler(site, builds)) as server:
        say_where(terminal, site, server)
        Thread(target=server.serve_forever, daemon=True).start()
        search = Behind(partial(_searchable, terminal, site))
        try:
            follow(root, partial(_again, terminal, root, memory, search.ask, trust=trust), builds)
        except KeyboardInterrupt:
            terminal.say()
        server.shutdown()


def _again(
    terminal: Terminal, root: Path, memory: SiteCache, index: Callable[[], object], *, trust: bool = False
) -> None:
    """Build the site once more; its search follows, after the pages."""
    try:
        prepare_site(root, trust=trust)
        report = publish(root, site_folder(root), memory, index=False)
    except ProblemError as error:
        terminal.problems(error.problems)
        return
    terminal.problems(report.problems)
    terminal.say(f"Built again: {counted(len(report.written), 'page')} changed.")
    if report.built:
        index()


def _searchable(terminal: Terminal, site: Path) -> None:
    """Make what changed searchable, then, where much has, the whole site anew."""
    try:
        if index_changes(site):
            index_site(site)
    except ProblemError as error:
        terminal.problems(error.problems)
    except (OSError, subprocess.SubprocessError) as error:
        terminal.problems([Problem("E-SITE", f"the search of the site stays as it was: {error}")])
