"""Where players meet: the remote of this repository, or the repository itself."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
import pygit2

from engine.cli.places import root_of
from engine.cli.terminal import Terminal
from engine.forge.local import LocalForge
from engine.forge.port import Forge
from engine.model.keys import forge_kind
from engine.problems import Position, ProblemError, fail
from engine.referee.run import Referee
from engine.store.tree import GameTree, games_at

TOKENS = ("FOLKMOOT_TOKEN", "GITHUB_TOKEN", "GH_TOKEN")
"""The variables that may hold a token for the forge, the first that does."""
_ADDRESS = re.compile(
    r"(?:(?P<scheme>https?|ssh)://(?:[^@/]*@)?(?P<host>[^/@]+)/|(?:[^@/:]+@)?(?P<short>[^/@:]+):(?!/))"
    r"(?P<repository>[^/]+/[^/]+?)(?:\.git)?/?\Z"
)
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


def forge_of(repo: pygit2.Repository, remote: str | None) -> Forge:
    """Return the forge where players meet: what the games of this repository say, the local one if nothing else.

    Raises E-FORGE where that is GitHub and the remote, or the token, is not.
    """
    address = address_of(repo, remote)
    return _github(repo, address or "") if "github" in _kinds(repo) else LocalForge(Path(repo.path), address)


def _github(repo: pygit2.Repository, address: str) -> Forge:
    from engine.forge.github import GitHubForge  # a tenth of a second that other commands need not wait

    place = github_place(address)
    token = next((os.environ[name] for name in TOKENS if os.environ.get(name)), "")
    if place is None or not token:
        what = "the game is played on GitHub, and " + ("no token is given" if place else "the remote is not there")
        raise fail("E-FORGE", what, None, "give a token in FOLKMOOT_TOKEN" if place else "name it: --remote URL")
    for name in TOKENS:  # whatever we start from now on has no business with it
        os.environ.pop(name, None)
    host, repository = place
    return GitHubForge(Path(repo.path), address, repository, token, api=_api_of(host), thread=_thread(), repo=repo)


def _kinds(repo: pygit2.Repository) -> set[str]:
    """Return by which forges the games are played, as the repository stands here."""
    try:
        commit = str(repo.revparse_single("HEAD").id)
    except (KeyError, pygit2.GitError):
        return set()
    return {kind for name in games_at(repo, commit) if (kind := _kind(GameTree(repo, commit, name)))}


def _kind(game: GameTree) -> str:
    try:
        return forge_kind(game.archive("game") or {})
    except ProblemError:  # a damaged game says nothing; the referee says what is wrong with it
        return ""


def github_place(address: str) -> tuple[str, str] | None:
    """Return the host (with its scheme, where that is http) and `owner/name` of an address, None if it has none.

    >>> github_place("git@github.com:ann/game.git"), github_place("https://ghe.example/ann/game")
    (('https://github.com', 'ann/game'), ('https://ghe.example', 'ann/game'))
    """
    found = _ADDRESS.match(address)
    if found is None:
        return None
    return f"{'http' if found['scheme'] == 'http' else 'https'}://{found['host'] or found['short']}", found[
        "repository"
    ]


def _api_of(host: str) -> str:
    """Return where the API of a host is: where a workflow says, or where it always is."""
    if os.environ.get("GITHUB_API_URL") and os.environ.get("GITHUB_SERVER_URL") == host:
        return os.environ["GITHUB_API_URL"]
    return "https://api.github.com" if host == "https://github.com" else f"{host}/api/v3"


def _thread() -> int | str:
    """Return the number or the label of the issue where games are talked about."""
    named = os.environ.get("MOOT_THREAD", "game")
    return int(named) if named.isdigit() else named


def referee_of(terminal: Terminal, remote: str | None) -> Referee:
    """Return the referee of this repository's games."""
    repo = repository_of(terminal)
    return Referee(forge_of(repo, remote), repo, lambda: int(time.time()))
