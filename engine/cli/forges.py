"""Where players meet: the remote of this repository, or the repository itself."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
import pygit2

from engine.cli.places import root_of
from engine.cli.terminal import Terminal
from engine.forge.local import LocalForge
from engine.problems import Position, fail
from engine.referee.run import Referee

Command = TypeVar("Command", bound=Callable[..., Any])


def remote_option(command: Command) -> Command:
    """Add `--remote`."""
    return click.option(
        "--remote",
        envvar="MOOT_REMOTE",
        metavar="NAME|URL",
        help="Where the players meet.  [default: origin, or this repository if it has none; env: MOOT_REMOTE]",
    )(command)


def repository_of(terminal: Terminal) -> pygit2.Repository:
    """Return the repository that is worked in, bare or not; raises E-GIT where there is none."""
    root = root_of(terminal)
    found = pygit2.discover_repository(str(root))
    if found is None:
        raise fail("E-GIT", "there is no git repository here", Position(str(root)), "run it inside of one")
    return pygit2.Repository(found)


def address_of(repo: pygit2.Repository, remote: str | None) -> str | None:
    """Return the path or URL of the repository where players meet, None where it is this one.

    `remote` is the name of a remote, a path or a URL; where none is given it is `origin`, if there is one.
    """
    known = {each.name: each.url for each in repo.remotes if each.name}
    address = known.get("origin" if remote is None else remote, remote)
    if address is None or "://" in address:
        return address
    base = Path(repo.workdir or repo.path) if address != remote else Path.cwd()
    path = (base / Path(address).expanduser()).resolve()
    if path in {Path(repo.path).resolve(), Path(repo.workdir or repo.path).resolve()}:
        return None
    return str(path) if path.exists() else address


def forge_of(repo: pygit2.Repository, remote: str | None) -> LocalForge:
    """Return the forge where players meet."""
    return LocalForge(Path(repo.path), address_of(repo, remote))


def referee_of(terminal: Terminal, remote: str | None) -> Referee:
    """Return the referee of this repository's games."""
    repo = repository_of(terminal)
    return Referee(forge_of(repo, remote), repo, lambda: int(time.time()))
