"""`moot pin`: say which engine the jobs of a repository run."""

from __future__ import annotations

import click

from folkmoot.cli.exit_codes import Exit
from folkmoot.cli.games import repository_around, require_work_tree, root_of
from folkmoot.cli.options import json_option
from folkmoot.cli.terminal import Terminal, counted
from folkmoot.core.clone_files import read_text
from folkmoot.core.problems import Position, ProblemError, fail
from folkmoot.forges.engine_pin import faults, pin, pinned_engine, read_lock
from folkmoot.forges.workflows import LOCK


@click.command("pin")
@click.argument("source", required=False, metavar="[WHEEL | FOLDER | VERSION]")
@click.option("--check", is_flag=True, help="Only say what is pinned, and whether the pin is in order.")
@json_option
@click.pass_obj
def command(terminal: Terminal, source: str | None, check: bool) -> int:
    """Pin the engine that this repository's jobs run, with all that it runs with, by version and hash.

    Without an argument the engine that runs is taken, from where it was installed: its version of the package index,
    its wheel, the commit or the checkout that it was built from. A wheel that no index has is kept in ci/wheels/, so
    that the jobs find it. To upgrade a game, upgrade `moot`, then pin on a branch and let the maintainers review that.
    """
    if check and source is not None:
        raise click.UsageError("--check only looks: it takes no engine.")
    if check:
        return _check(terminal)
    if source == "":
        raise click.UsageError("Name a wheel, a folder of wheels or a version, or nothing for the engine that runs.")
    root = root_of(terminal)
    require_work_tree(root)
    if repository_around(root) is None:
        raise fail("E-GIT", f"{root} is no git repository", None, "run it in the clone of a game")
    beside = terminal.directory / source if terminal.directory is not None and source else None
    done = pin(root, str(beside) if beside is not None and beside.exists() else source)
    terminal.record(
        {
            "engine": done.version,
            "sha256": done.digest,
            "packages": done.packages,
            "changed": list(done.changed),
            "source": done.source,
        }
    )
    terminal.say(f"Pinned the engine {done.version} and {done.packages - 1} packages that it runs with in {LOCK}.")
    terminal.say(f"It comes from {done.source}.")
    if done.changed:
        terminal.say(f"Changed: {', '.join(done.changed)}.")
        terminal.say("Next: commit it; in a game that is under way, on a branch for the maintainers to review.")
    else:
        terminal.say("It was pinned already; nothing changed.")
    return Exit.OK


def _check(terminal: Terminal) -> int:
    """Say what is pinned; raises E-PIN where it is not in order."""
    text = read_text(root_of(terminal) / LOCK, errors="replace")
    if text is None:
        raise fail("E-PIN", "no engine is pinned here", Position(LOCK), "write the pin with `moot pin`")
    engine, packages = pinned_engine(text), read_lock(text)
    problems = faults(root_of(terminal))
    if problems:
        raise ProblemError(*problems)
    record = {"engine": engine.version, "sha256": engine.hashes[0], "packages": len(packages), "changed": []}
    terminal.record(record)
    terminal.say(
        f"The engine {engine.version} is pinned, with {counted(len(packages) - 1, 'package')} that it runs with."
    )
    return Exit.OK
