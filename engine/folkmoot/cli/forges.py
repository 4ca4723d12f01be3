"""Where players meet: the remote of this repository, or the repository itself."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

import click
import pygit2

from folkmoot.cli.places import root_of
from folkmoot.cli.terminal import Terminal
from folkmoot.core.keys import forge_home, forge_kind
from folkmoot.core.problems import Position, ProblemError, fail
from folkmoot.forges.cache.lazy_fetch import RemotePromises
from folkmoot.forges.git_transport import Git
from folkmoot.forges.local import LocalForge
from folkmoot.forges.port import Forge
from folkmoot.forges.web.credentials import git_variables
from folkmoot.game.process_hardening import TOKENS
from folkmoot.journal.partial_clone import PartialRepository, open_repository, promising_remote
from folkmoot.journal.tree import GameTree, games_at

if TYPE_CHECKING:
    from folkmoot.referee.run import Referee

_TOKENS_OF = {
    "github": ("FOLKMOOT_TOKEN", "GITHUB_TOKEN", "GH_TOKEN"),
    "gitea": ("FOLKMOOT_TOKEN", "FORGEJO_TOKEN", "GITEA_TOKEN"),
}
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
        help="Where the players meet.  [default: origin or the only remote, else this repository; env: MOOT_REMOTE]",
    )(command)


def repository_of(terminal: Terminal) -> pygit2.Repository:
    """Return the repository that is worked in, bare or not; raises E-GIT where there is none."""
    root = root_of(terminal)
    found = pygit2.discover_repository(str(root))
    if found is None:
        raise fail("E-GIT", "there is no git repository here", Position(str(root)), "run it inside of one")
    repo = open_repository(found)
    if isinstance(repo, PartialRepository):
        name = promising_remote(repo)
        git = Git(Path(repo.path), variables=token_for(str(repo.remotes[name].url)))
        repo.promises = RemotePromises(git, repo, name)
    return repo


def token_for(address: str) -> dict[str, str]:
    """Return the variables by which git proves who we are to the host that a job says it belongs to."""
    server = os.environ.get("GITHUB_SERVER_URL", "").rstrip("/") + "/"
    elsewhere = () if server == "https://github.com/" else _TOKENS_OF["gitea"]
    token = next((os.environ[name] for name in (*elsewhere, *_TOKENS_OF["github"]) if os.environ.get(name)), "")
    return git_variables(server, token) if token and server != "/" and address.startswith(server) else {}


def address_of(repo: pygit2.Repository, remote: str | None) -> str | None:
    """Return the path or URL of the repository where players meet, None where it is this one.

    `remote` is the name of a remote, a path or a URL; where none is given it is `origin`, or the only one there is.
    Raises E-FORGE where none of several is meant, or where there is none of that name.
    """
    known = {each.name: each.url for each in repo.remotes if each.name}
    name = remote if remote is not None else _default_remote(sorted(known))
    address = known.get(name or "", remote)
    if remote is not None and address == remote and not _is_place(remote):
        hint = f"name one: {', '.join(sorted(known))}" if known else "give a path or a URL, or `git remote add` one"
        raise fail("E-FORGE", f"there is no remote {remote!r} here, and no such folder", None, hint)
    if address is None or "://" in address:
        return address
    base = Path(repo.workdir or repo.path) if address != remote else Path.cwd()
    path = (base / Path(address).expanduser()).resolve()
    if path in {Path(repo.path).resolve(), Path(repo.workdir or repo.path).resolve()}:
        return None
    return str(path) if path.exists() else address


def _default_remote(names: Sequence[str]) -> str | None:
    """Return the remote at which players meet where none is named; None where there is none at all."""
    if "origin" in names or len(names) < 2:
        return "origin" if "origin" in names else next(iter(names), None)
    hint = "name the one where players meet: `--remote NAME`, or for good `git remote rename NAME origin`"
    raise fail("E-FORGE", f"which remote? Here are {', '.join(names)}, and none is called origin", None, hint)


def _is_place(remote: str) -> bool:
    """Say whether somebody may have meant a path or a URL."""
    return any(mark in remote for mark in "/:\\") or Path(remote).exists()


def forge_of(repo: pygit2.Repository, remote: str | None) -> Forge:
    """Return the forge where players meet: what the games of this repository say, the local one if nothing else.

    Raises E-FORGE where that is one with an API, and the remote, or the token, is not.
    """
    address, games = address_of(repo, remote), _games(repo)
    kinds = {kind for game in games if (kind := forge_kind(game)) in _TOKENS_OF}
    if not kinds:
        return _local(repo, address)
    if len(kinds) > 1:
        kinds = {"github"} if (github_place(address or "") or ("",))[0] == "https://github.com" else {"gitea"}
    return _github(repo, address or "") if "github" in kinds else _gitea(repo, address or "", games)


def _local(repo: pygit2.Repository, address: str | None) -> Forge:
    forge = LocalForge(Path(repo.path), address)
    forge.refs.repo = repo  # what it fetches must be seen by all who read it
    return forge


def _github(repo: pygit2.Repository, address: str) -> Forge:
    from folkmoot.forges.github import GitHubForge  # a tenth of a second that other commands need not wait

    place = github_place(address)
    host, repository = place or ("", "")
    token = _checked_token("github", host, "GitHub")
    return GitHubForge(Path(repo.path), address, repository, token, api=_api_of(host), thread=_thread(), repo=repo)


def _gitea(repo: pygit2.Repository, address: str, games: Sequence[Mapping[str, Any]]) -> Forge:
    from folkmoot.forges.gitea import GiteaForge

    named = next((home for game in games if forge_kind(game) == "gitea" and (home := forge_home(game))), "")
    home, repository = gitea_place(address, named) or ("", "")
    token = _checked_token("gitea", home, "Forgejo or Gitea")
    return GiteaForge(Path(repo.path), address, home, repository, token, thread=_thread(), repo=repo)


def _checked_token(kind: str, home: str, name: str) -> str:
    """Return the token for a forge. Raises E-FORGE where there is none, or where the forge is not there."""
    if not home:
        what = f"the game is played on {name}, and the remote is not there"
        raise fail("E-FORGE", what, None, "name it: --remote URL")
    token = take_token(kind, home)
    if not token:
        what = f"the game is played on {name}, and no token is given"
        raise fail("E-FORGE", what, None, "give a token in FOLKMOOT_TOKEN")
    return token


def take_token(kind: str, home: str) -> str:
    """Return the token for a forge, "" if none, and take all out of the environment of what is started from now on.

    A job on Forgejo or Gitea finds its token where one on GitHub does; anywhere else that is a token for GitHub, which
    another forge must not get.
    """
    names = _TOKENS_OF.get(kind, TOKENS[:1])
    if kind == "gitea" and home and os.environ.get("GITHUB_SERVER_URL", "").rstrip("/") == home:
        names = (*names, "GITHUB_TOKEN")
    found = {name: os.environ.pop(name, "") for name in TOKENS}
    return next((found[name] for name in names if found[name]), "")


def _games(repo: pygit2.Repository) -> list[Mapping[str, Any]]:
    """Return the settings of the games, as the repository stands here."""
    try:
        commit = str(repo.revparse_single("HEAD").id)
    except (KeyError, pygit2.GitError):
        return []
    return [_settings(GameTree(repo, commit, name)) for name in games_at(repo, commit)]


def _settings(game: GameTree) -> Mapping[str, Any]:
    try:
        return game.archive("game") or {}
    except ProblemError:  # a damaged game says nothing; the referee says what is wrong with it
        return {}


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


def gitea_place(address: str, home: str = "") -> tuple[str, str] | None:
    """Return where a Forgejo or Gitea is reached and `owner/name`, by the address of a repository; None if it has none.

    A forge may lie below a path. Where git goes by ssh, `home` (the address of the repository as people open it) tells
    where that is, provided that it is on the same host: nobody else gets the token.

    >>> gitea_place("https://host.example:3000/git/ann/game.git"), gitea_place("git@codeberg.org:ann/game.git")
    (('https://host.example:3000/git', 'ann/game'), ('https://codeberg.org', 'ann/game'))
    >>> gitea_place("ssh://git@host.example:2222/ann/game", "https://host.example/git/ann/game")
    ('https://host.example/git', 'ann/game')
    """
    short = re.fullmatch(r"(?:[^@/:]+@)?([^/@:]+):(?!/)(.+)", address)
    place = urlsplit(f"ssh://{short[1]}/{short[2]}" if short else address)
    *below, owner, name = ["", "", *place.path.strip("/").removesuffix(".git").split("/")]
    below = [part for part in below if part]
    if (
        place.scheme not in ("http", "https", "ssh")
        or not place.hostname
        or not owner
        or (below and place.scheme == "ssh")
    ):
        return None
    if place.scheme != "ssh":
        return "/".join([f"{place.scheme}://{place.netloc.rpartition('@')[2]}", *below]), f"{owner}/{name}"
    named = gitea_place(home) if urlsplit(home).hostname == place.hostname else None
    return named[0] if named else f"https://{place.hostname}", f"{owner}/{name}"


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
    from folkmoot.referee.run import Referee

    repo = repository_of(terminal)
    return Referee(forge_of(repo, remote), repo, lambda: int(time.time()))
