"""`moot pages`: build the site."""

from __future__ import annotations

import click

from folkmoot.cli.exit_codes import Exit, exit_of
from folkmoot.cli.games import root_with_games
from folkmoot.cli.options import json_option
from folkmoot.cli.repositories import told_if_stale
from folkmoot.cli.site import site_folder, trust_option
from folkmoot.cli.terminal import Terminal
from folkmoot.site.preparation import prepare_site
from folkmoot.site.publish import publish


@click.command("pages")
@click.option("--build", is_flag=True, hidden=True, expose_value=False)  # as it was called when pages were Markdown
@trust_option
@json_option
@click.pass_obj
def command(terminal: Terminal, trust: bool) -> int:
    """Build the site of every game of the repository into site/, only where its bytes change.

    A hook, plugin or template that Folkmoot does not package is run only with your consent, which holds for this folder
    until what it may run changes. `mkdocs build` and `mkdocs serve` make the same site; they ask nobody.
    """
    root = root_with_games(terminal)
    laid = prepare_site(root, trust=trust)
    if laid:
        terminal.say("Laid out the site's configuration and theme: mkdocs.yml, ci/ and site_src/.")
        terminal.say("Commit them where the site is published from this repository; nobody else needs them.")
    with told_if_stale(terminal):
        report = publish(root, site_folder(root))
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
    terminal.say(f"The site is in {site_folder(root)}: {counts}.")
    if not report.problems:
        return Exit.OK
    if not terminal.json:
        terminal.problems(report.problems)
    return exit_of(report.problems)
