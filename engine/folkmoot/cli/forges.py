"""The forge on which games are played: how it is found, which token it takes, and how its API is asked."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING
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
    from folkmoot.forges.web.forge import WebForge
    from folkmoot.referee.run import Referee


def forge_of(repo: pygit2.Repository, remote: str | None) -> Forge:
    """Return the forge where players meet: what the games of this repository say, the local one if nothing else.

    Raises E-FORGE where that is one with an API, and the remote, or the token, is not.
    """
    address, games = address_of(repo, remote), settings_of(repo)
    kinds = {kind for game in games if (kind := kind_at(game, address)) in KINDS}
    if len(kinds) > 1:
        kinds = {"github"} if (web_place(address or "") or ("",))[0] == GITHUB else {"gitea"}
    if kinds:
        return _on_the_web(kinds.pop(), repo, address or "", games)
    forge = LocalForge(Path(repo.path), address)
    forge.refs.repo = repo  # what it fetches must be seen by all who read it
    return forge


def kind_at(game: PlayedAt, address: str | None) -> str:
    """Return by which kind of forge acts of a game come at an address: that of a forge which it has left, if it is one.

    >>> moved = {"forge": {"kind": "github", "home": "https://github.com/a/b"}, "left": [{"kind": "local"}]}
    >>> [kind_at(moved, place) for place in ("git@github.com:a/b.git", "/srv/table.git", "ann@host:games/table.git")]
    ['github', 'local', 'local']
    """
    now, home, left = forge_kind(game), forge_home(game), forges_left(game)
    for each in ({"kind": now, "home": home}, *reversed(left)) if left else ():
        lies = str(each.get("home") or "")
        if lies and home_at(str(each["kind"]), address, lies).lower() == lies.lower():
            return str(each["kind"])
    if now not in KINDS or all(each["kind"] != LOCAL for each in left):
        return now
    place = web_place(address or "")  # which may be one of the home's host, under whatever name git knows that
    lies_like = place is not None and (_host(place[0]) == _host(home) or home.endswith(f"/{place[1]}"))
    return now if lies_like else LOCAL


def home_at(kind: str, address: str | None, home: str = "") -> str:
    """Return the address of a repository as people open it, "" where it is on no forge on the web."""
    place = web_place(address or "", home) if kind in KINDS else None
    return "/".join(place) if place else ""


def _host(address: str) -> str:
    return urlsplit(address).hostname or ""


def _on_the_web(kind: str, repo: pygit2.Repository, address: str, games: Sequence[PlayedAt]) -> Forge:
    """Return a forge with an API. Raises E-FORGE where there is no token for it, or it is not there."""
    from folkmoot.player.dry_run import FORGES

    known = [
        each for game in games for each in ({"kind": forge_kind(game), "home": forge_home(game)}, *forges_left(game))
    ]
    homes = [str(each.get("home") or "") for each in known if each["kind"] == kind]
    here = _host((web_place(address) or ("",))[0])
    home, repository = web_place(address, next((each for each in homes if _host(each) == here), "")) or ("", "")
    if not home:
        what = f"the game is played on {FORGES[kind]}, and the remote is not there"
        raise fail("E-FORGE", what, None, "name it: --remote URL")
    token = take_token(kind, home)
    if not token:
        what = f"the game is played on {FORGES[kind]}, and no token is given"
        raise fail("E-FORGE", what, None, how_to_give(kind, home))
    named = os.environ.get("MOOT_THREAD", "game")
    thread = int(named) if named.isdigit() else named
    return web_forge(kind)(Path(repo.path), address, repository, token, api_of(kind, home), thread=thread, repo=repo)


def web_forge(kind: str) -> type[WebForge]:
    """Return how a kind of forge with an API is met; only who asks waits the tenth of a second of its import."""
    from folkmoot.forges.gitea import GiteaForge
    from folkmoot.forges.github import GitHubForge

    return GiteaForge if kind == "gitea" else GitHubForge


def settings_of(repo: pygit2.Repository) -> list[PlayedAt]:
    """Return the settings of the games, as the repository stands here."""
    commit, found = _commit(repo), list[PlayedAt]()
    for name in games_at(repo, commit) if commit else ():
        with suppress(ProblemError):  # a damaged game says nothing; the referee says what is wrong with it
            found.append(GameTree(repo, commit, name).kept(GAME))
    return found


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


def web_place(address: str, home: str = "") -> tuple[str, str] | None:
    """Return where a forge is reached and `owner/name`, by the address of a repository; None if it has none.

    A forge may lie below a path. Where git goes by ssh, `home` (the address of the repository as people open it) tells
    where that is, provided that it is on the same host: nobody else gets the token.

    >>> web_place("https://host.example:3000/git/ann/game.git"), web_place("git@codeberg.org:ann/game.git")
    (('https://host.example:3000/git', 'ann/game'), ('https://codeberg.org', 'ann/game'))
    >>> web_place("ssh://git@host.example:2222/ann/game", "https://host.example/git/ann/game")
    ('https://host.example/git', 'ann/game')
    """
    short = re.fullmatch(r"(?:[^@/:]+@)?([^/@:]+):(?!/)(.+)", address)
    place = urlsplit(f"ssh://{short[1]}/{short[2]}" if short else address)
    *below, owner, name = ["", "", *place.path.strip("/").removesuffix(".git").split("/")]
    below = [part for part in below if part]
    if place.scheme not in ("http", "https", "ssh") or not place.hostname or not owner:
        return None
    if place.scheme != "ssh":
        return "/".join([f"{place.scheme}://{place.netloc.rpartition('@')[2]}", *below]), f"{owner}/{name}"
    named = web_place(home) if _host(home) == place.hostname else None
    return None if below else (named[0] if named else f"https://{place.hostname}", f"{owner}/{name}")


def referee_of(terminal: Terminal, remote: str | None, *, trusts_clock: bool = False) -> Referee:
    """Return the referee of this repository's games, who may be told that this machine's clock is right."""
    from folkmoot.referee.run import Referee

    repo = repository_of(terminal)
    forge = forge_of(repo, remote)
    if isinstance(forge, LocalForge):
        forge.trusts_clock, forge.warn = trusts_clock, terminal.note
    return Referee(forge, repo, lambda: int(time.time()), home_at(forge.name, address_of(repo, remote)))


# -- for the commands that look after settings


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
    lies = web_place(home or address)
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

    client = Client(place.api, web_forge(place.kind).headers_with(token))
    try:
        yield client
    finally:
        client.close()
