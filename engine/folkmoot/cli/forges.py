"""The forge on which games are played: how it is found, which token it takes, and how its API is asked."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from folkmoot.cli.games import repository_around, root_of
from folkmoot.cli.repositories import address_of, repository_of
from folkmoot.cli.terminal import Terminal
from folkmoot.cli.tokens import GITHUB, take_token
from folkmoot.core.game_location import KINDS, LOCAL, forges_left
from folkmoot.core.keys import GAME, forge_home, forge_kind
from folkmoot.core.problems import ProblemError, fail
from folkmoot.core.records import PlayedAt
from folkmoot.forges.cache.forge import Forge
from folkmoot.forges.local.forge import LocalForge
from folkmoot.forges.web.credentials import how_to_give, server_of
from folkmoot.journal.git_library import pygit2
from folkmoot.journal.tree import GameTree, games_at
from folkmoot.ops.doctor.place import Place, branch_of, games_below

if TYPE_CHECKING:
    from folkmoot.forges.web.client import Client
    from folkmoot.referee.run import Referee

_ADDRESS = re.compile(
    r"(?:(?P<scheme>https?|ssh)://(?:[^@/]*@)?(?P<host>[^/@]+)/|(?:[^@/:]+@)?(?P<short>[^/@:]+):(?!/))"
    r"(?P<repository>[^/]+/[^/]+?)(?:\.git)?/?\Z"
)


def forge_of(repo: pygit2.Repository, remote: str | None) -> Forge:
    """Return the forge where players meet: what the games of this repository say, the local one if nothing else.

    Raises E-FORGE where that is one with an API, and the remote, or the token, is not.
    """
    address, games = address_of(repo, remote), settings_of(repo)
    kinds = {kind for game in games if (kind := kind_at(game, address)) in KINDS}
    if not kinds:
        return _local(repo, address)
    if len(kinds) > 1:
        kinds = {"github"} if (github_place(address or "") or ("",))[0] == GITHUB else {"gitea"}
    return _github(repo, address or "") if "github" in kinds else _gitea(repo, address or "", games)


def kind_at(game: PlayedAt, address: str | None) -> str:
    """Return by which kind of forge acts of a game come at an address: that of a forge which it has left, if it is one.

    >>> moved = {"forge": {"kind": "github", "home": "https://github.com/a/b"}, "left": [{"kind": "local"}]}
    >>> [kind_at(moved, place) for place in ("git@github.com:a/b.git", "/srv/table.git", "ann@host:games/table.git")]
    ['github', 'local', 'local']
    """
    now, home = forge_kind(game), forge_home(game)
    left = forges_left(game)
    if not left or (home and _lies_at(address, now, home)):
        return now
    for each in reversed(left):
        if each.get("home") and _lies_at(address, str(each["kind"]), str(each["home"])):
            return str(each["kind"])
    plain = any(each["kind"] == LOCAL for each in left) and now in KINDS
    return LOCAL if plain and not _lies_like(address, home) else now


def home_at(kind: str, address: str | None) -> str:
    """Return the address of a repository as people open it, "" where it is on no forge on the web."""
    place = (gitea_place if kind == "gitea" else github_place)(address or "") if kind in KINDS else None
    return "/".join(place) if place else ""


def _lies_at(address: str | None, kind: str, home: str) -> bool:
    """Say whether an address is that of the repository which people open at `home`."""
    place = gitea_place(address or "", home) if kind == "gitea" else github_place(address or "")
    return bool(place) and "/".join(place or ()).lower() == home.lower()


def _lies_like(address: str | None, home: str) -> bool:
    """Say whether an address may be one of the home's host, under whatever name git knows that."""
    place = gitea_place(address or "")
    host, same = urlsplit(home).hostname or "", home.rpartition("//")[2].split("/")[-2:]
    return place is not None and (urlsplit(place[0]).hostname == host or place[1].split("/") == same)


def _local(repo: pygit2.Repository, address: str | None) -> Forge:
    forge = LocalForge(Path(repo.path), address)
    forge.refs.repo = repo  # what it fetches must be seen by all who read it
    return forge


def _github(repo: pygit2.Repository, address: str) -> Forge:
    from folkmoot.forges.github import GitHubForge  # a tenth of a second that other commands need not wait

    place = github_place(address)
    host, repository = place or ("", "")
    token = _checked_token("github", host, "GitHub")
    return GitHubForge(
        Path(repo.path), address, repository, token, api=api_of("github", host), thread=_thread(), repo=repo
    )


def _gitea(repo: pygit2.Repository, address: str, games: Sequence[PlayedAt]) -> Forge:
    from folkmoot.forges.gitea import GiteaForge

    known = (
        place for game in games for place in ({"kind": forge_kind(game), "home": forge_home(game)}, *forges_left(game))
    )
    named = next((str(each["home"]) for each in known if each["kind"] == "gitea" and _shares_host(address, each)), "")
    home, repository = gitea_place(address, named) or ("", "")
    token = _checked_token("gitea", home, "Forgejo or Gitea")
    return GiteaForge(Path(repo.path), address, home, repository, token, thread=_thread(), repo=repo)


def _shares_host(address: str, place: Mapping[str, Any]) -> bool:
    found = gitea_place(address)
    return found is not None and urlsplit(str(place.get("home") or "")).hostname == urlsplit(found[0]).hostname


def _checked_token(kind: str, home: str, name: str) -> str:
    """Return the token for a forge. Raises E-FORGE where there is none, or where the forge is not there."""
    if not home:
        what = f"the game is played on {name}, and the remote is not there"
        raise fail("E-FORGE", what, None, "name it: --remote URL")
    token = take_token(kind, home)
    if not token:
        what = f"the game is played on {name}, and no token is given"
        raise fail("E-FORGE", what, None, how_to_give(kind, home))
    return token


def settings_of(repo: pygit2.Repository) -> list[PlayedAt]:
    """Return the settings of the games, as the repository stands here."""
    commit = _commit(repo)
    return [_settings(GameTree(repo, commit, name)) for name in games_at(repo, commit)] if commit else []


def awaits_its_first_game(repo: pygit2.Repository) -> bool:
    """Say whether a repository has commits and no game yet, as one does that was made from a template."""
    commit = _commit(repo)
    return bool(commit) and not games_at(repo, commit)


def _commit(repo: pygit2.Repository) -> str:
    """Return the commit that a repository stands at, "" where it has none."""
    try:
        return str(repo.revparse_single("HEAD").id)
    except (KeyError, pygit2.GitError):
        return ""


def _settings(game: GameTree) -> PlayedAt:
    try:
        return game.kept(GAME)
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


def _thread() -> int | str:
    """Return the number or the label of the issue where games are talked about."""
    named = os.environ.get("MOOT_THREAD", "game")
    return int(named) if named.isdigit() else named


def referee_of(terminal: Terminal, remote: str | None, *, trusts_clock: bool = False) -> Referee:
    """Return the referee of this repository's games, who may be told that this machine's clock is right."""
    from folkmoot.referee.run import Referee

    repo = repository_of(terminal)
    forge = forge_of(repo, remote)
    if isinstance(forge, LocalForge):
        forge.trusts_clock, forge.warn = trusts_clock, terminal.note
    return Referee(forge, repo, lambda: int(time.time()), home_at(forge.name, address_of(repo, remote)))


# -- for the commands that look after settings


HEADERS = {
    "github": {"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"},
    "gitea": {"Accept": "application/json"},
}
SCHEMES = {"github": "Bearer", "gitea": "token"}


def place_of(terminal: Terminal, remote: str | None, kind: str | None = None, home: str | None = None) -> Place:
    """Return the repository around and where it lies; `kind` and `home` prevail over games and remote.

    Raises E-ARGS where `home` is no address of a repository.
    """
    root = root_of(terminal)
    repo = repository_around(root)
    games = games_below(root)
    address = (address_of(repo, remote) or "") if repo is not None else ""
    known = [each.kind for each in games if each.kind in KINDS]
    kind = kind or (known[0] if known else "")
    lies = gitea_place(home or address) if kind == "gitea" else github_place(home or address)
    if home and lies is None:
        raise fail("E-ARGS", f"{home!r} is no address of a repository", None, "write it https://HOST/OWNER/NAME")
    host, repository = lies or ("", "")
    kind = kind or ("github" if host == GITHUB else "")
    return Place(
        root=root,
        repo=repo,
        games=games,
        address=address,
        host=host,
        repository=repository,
        api=api_of(kind, host),
        branch=branch_of(repo) or "main",
        kind=kind,
    )


def api_of(kind: str, host: str) -> str:
    """Return where the API of a host is: where a job's environment says, or where it always is."""
    if not host:
        return ""
    if os.environ.get("GITHUB_API_URL") and os.environ.get("GITHUB_SERVER_URL", "").rstrip("/") == host:
        return os.environ["GITHUB_API_URL"]
    if kind == "gitea":
        return f"{host}/api/v1"
    return "https://api.github.com" if server_of(host) == GITHUB else f"{host}/api/v3"


@contextmanager
def client_of(place: Place, token: str) -> Iterator[Client | None]:
    """Yield what asks the API of the forge, None where the repository lies on none; the token goes there only."""
    if place.kind not in KINDS or not place.api:
        yield None
        return
    from folkmoot.forges.web.client import Client

    proof = {"Authorization": f"{SCHEMES[place.kind]} {token}"} if token else {}
    client = Client(place.api, {**HEADERS[place.kind], **proof})
    try:
        yield client
    finally:
        client.close()
