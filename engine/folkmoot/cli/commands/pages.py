"""`moot pages`: write the pages of the site."""

from __future__ import annotations

import click

from folkmoot.cli.exit_codes import Exit, exit_of
from folkmoot.cli.games import root_with_games
from folkmoot.cli.options import json_option
from folkmoot.cli.repositories import told_if_stale
from folkmoot.cli.site import site_folder, trust_option
from folkmoot.cli.terminal import Terminal
from folkmoot.core.packaged import SOURCES
from folkmoot.site.build import prepare_site, write_site
from folkmoot.site.fast_publish import publish


@click.command("pages")
@click.option(
    "--build", is_flag=True, help="Build the site, into site/; Markdown is then written where it lies already."
)
@trust_option
@json_option
@click.pass_obj
def command(terminal: Terminal, build: bool, trust: bool) -> int:
    """Write the pages of every game of the repository below site_src/, only where their bytes change.

    A hook, plugin or template that Folkmoot does not package is run only with your consent, which holds for this folder
    until what it may run changes. `mkdocs build` and `mkdocs serve` write pages first, too; they ask nobody.
    """
    root = root_with_games(terminal)
    laid = prepare_site(root, trust=trust)
    if laid:
        terminal.say("Laid out the site's configuration and theme: mkdocs.yml, ci/ and site_src/.")
        terminal.say("Commit them where the site is published from this repository; nobody else needs them.")
    with told_if_stale(terminal):
        report = publish(root, site_folder(root)) if build else write_site(root)
    terminal.record(
        {
            "written": list(report.written),
            "removed": list(report.removed),
            "unchanged": report.unchanged,
            "laid": bool(laid),
            "failed": [problem.as_record() for problem in report.problems],
        }
    )
    counts = f"{len(report.written)} written, {len(report.removed)} removed, {report.unchanged} as they were"
    place = site_folder(root) if report.stamped else root / SOURCES
    terminal.say(f"{'Files' if report.stamped else 'Pages'} below {place}: {counts}.")
    if build:
        terminal.say(f"The site is in {site_folder(root)}.")
    if not report.problems:
        return Exit.OK
    if not terminal.json:
        terminal.problems(report.problems)
    return exit_of(report.problems)
