"""The two ends of a move: where the games lie, where they go, who asks there, and what is said at either end."""

from __future__ import annotations

import re
import shlex
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pygit2
from msgspec import Struct

from folkmoot.cli.forge_setup import people_on
from folkmoot.cli.forges import api_of, gitea_place, github_place, home_at, kind_at, settings_of
from folkmoot.cli.options import pair_of
from folkmoot.cli.repositories import address_of, repository_of
from folkmoot.cli.terminal import Terminal
from folkmoot.core.game_location import LOCAL
from folkmoot.core.keys import HOME
from folkmoot.core.problems import ProblemError, fail
from folkmoot.forges.cache.refs import Refs
from folkmoot.forges.git_transport import RENEW
from folkmoot.forges.local.forge import LocalForge
from folkmoot.forges.port import Forge
from folkmoot.forges.web.credentials import how_to_give, server_of, variable_of
from folkmoot.ops.doctor.place import KINDS
from folkmoot.ops.moving.moving import Landing, LocalLanding, WebLanding
from folkmoot.ops.table import equip, make_bare

if TYPE_CHECKING:
    from folkmoot.forges.web.forge import WebForge

ADDRESS = re.compile(r"[^\s@:,]{1,64}@[^\s@:,]{1,189}")


def present() -> int:
    """Return the time in Unix seconds."""
    return int(time.time())


class Route(Struct, frozen=True, kw_only=True):
    """From where to where: of each end its kind, its address for git, and as people open it ("" for plain git)."""

    repo: pygit2.Repository
    old_kind: str
    old_address: str | None
    old_home: str
    kind: str
    address: str
    home: str

    @property
    def host(self) -> str:
        """Return where the new forge is reached, "" for plain git."""
        return self.home.rpartition("/")[0].rpartition("/")[0]

    @property
    def old_host(self) -> str:
        """Return where the old forge is reached, "" for plain git."""
        return self.old_home.rpartition("/")[0].rpartition("/")[0]

    @property
    def shown(self) -> str:
        """Return how the new place is called in sentences."""
        return self.home or self.address

    @property
    def shown_old(self) -> str:
        """Return how the old place is called in sentences."""
        return self.old_home or self.old_address or "this repository"

    @property
    def folder(self) -> Path | None:
        """Return the folder of a table of plain git on this machine, None for any other place."""
        is_far = self.kind != LOCAL or "://" in self.address or ":" in self.address
        return None if is_far else Path(self.address)

    def next_steps(self) -> Iterator[str]:
        """Yield what is still to be typed, in order."""
        if self.repo.is_bare:
            yield f"git clone {shlex.quote(self.address)}, and what follows in that clone."
        else:
            yield f"git remote set-url origin {shlex.quote(self.address)} && git pull"
        if self.kind == LOCAL:
            yield "every player does the same in their clone, and whoever referees: `moot referee --watch 60`."
            return
        yield f"moot init --forge {self.kind} --home {self.home} --apply"
        yield "moot pin, then git push origin HEAD; `moot doctor` says what is still missing."


def route_of(terminal: Terminal, there: str, kind: str | None, remote: str | None) -> Route:
    """Return from where to where the games go. Raises E-ARGS where one of the two ends cannot be understood."""
    repo = repository_of(terminal)
    address = address_of(repo, remote)
    kinds = {found for game in settings_of(repo) if (found := kind_at(game, address))}
    if len(kinds) != 1:
        hint = "`moot init` takes a game to a forge that one person keeps"
        raise fail("E-NO-GAME", "no game here is played by pull requests", None, hint)
    old = kinds.pop()
    kind = kind or ("github" if there.startswith("https://github.com/") else "")
    if not kind:
        raise fail("E-ARGS", "which kind of forge is it?", None, "say --forge github, --forge gitea or --forge local")
    home = there.rstrip("/").removesuffix(".git") if kind in KINDS else ""
    if kind in KINDS and not HOME.fullmatch(home):
        raise fail("E-ARGS", f"{there!r} is no address of a repository", None, "write it https://HOST/OWNER/NAME")
    new = f"{home}.git" if home else _path(there)
    if new == address or (home and home.lower() == home_at(kind, address).lower()):
        raise fail("E-ARGS", f"{there} is where the games are now", None, "name the new place, or --remote OLD")
    return Route(repo=repo, old_kind=old, old_address=address, old_home=home_at(old, address), kind=kind,
                 address=new, home=home)  # fmt: skip


def _path(there: str) -> str:
    is_url = "://" in there or re.match(r"[^/]+:", there)
    return there if is_url else str(Path(there).expanduser().resolve())


@contextmanager
def token_named(where: str, server: str, prefix: str = "FOLKMOOT_TOKEN") -> Iterator[None]:
    """Tell of which of the two places a token is not accepted, and which variable takes another."""
    try:
        yield
    except ProblemError as error:
        if not any(RENEW in each.hint for each in error.problems):
            raise
        hint = "it may be mistyped, or have expired: make another there, and give it in "
        hint += variable_of(server_of(server), prefix)
        raise fail("E-FORGE", f"the token for {where} is not accepted there", None, hint) from None


# -- the new forge


@contextmanager
def landing_at(route: Route, token: str, *, make: bool) -> Iterator[Landing]:
    """Yield the new forge. A table in a folder that is not there is made, where something is to be changed."""
    if route.kind == LOCAL:
        folder = route.folder
        if folder is not None and make and not folder.exists():
            make_bare(folder)
        yield LocalLanding(route.repo, route.address)
        if folder is not None and make:
            equip(folder)
        return
    if not token:
        raise fail("E-FORGE", f"no token is given for {route.home}", None, how_to_give(route.kind, route.host))
    forge = _web(route.repo, route.kind, route.address, token)
    try:
        yield WebLanding(forge)
    finally:
        forge.close()


def _web(repo: pygit2.Repository, kind: str, address: str, token: str) -> WebForge:
    from folkmoot.forges.gitea import GiteaForge  # a tenth of a second that other commands need not wait
    from folkmoot.forges.github import GitHubForge

    if kind == "gitea":
        home, repository = gitea_place(address) or ("", "")
        return GiteaForge(Path(repo.path), address, home, repository, token, repo=repo)
    host, repository = github_place(address) or ("", "")
    return GitHubForge(Path(repo.path), address, repository, token, api=api_of(kind, host), repo=repo)


def identities(landing: Landing, lines: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return player → id and login at the new forge; raises a usage error, or E-FORGE for who is not there."""
    if isinstance(landing, WebLanding):
        return people_on(landing.forge.client, lines)
    found = {}
    for each in lines:
        player, mail = pair_of(each, "A login")
        if not ADDRESS.fullmatch(mail):
            raise click.UsageError(f"On plain git people are known by an address, ann=ann@example.org, not {each!r}.")
        found[player] = {"id": mail.lower(), "login": mail}
    return found


# -- the old forge


def old_refs(route: Route, token: str, *, gone: bool) -> Refs:
    """Return the refs of the repository that is left; where that is `gone`, this clone stands for it."""
    forge = None if gone else old_forge(route, token)
    if forge is not None:
        return forge.refs  # type: ignore[attr-defined, no-any-return]
    refs = Refs(Path(route.repo.path), None if gone else route.old_address, may_ask=True)
    refs.repo = route.repo
    return refs


def old_forge(route: Route, token: str) -> Forge | None:
    """Return the forge that is left, None where its API would need a token that nobody gave."""
    if route.old_kind == LOCAL:
        forge = LocalForge(Path(route.repo.path), route.old_address)
        forge.refs.repo = route.repo
        return forge
    return _web(route.repo, route.old_kind, route.old_address or "", token) if token else None


def unread_there(terminal: Terminal, route: Route, token: str) -> list[str]:
    """Return what was said at the old forge and is not recorded, in sentences; says so where nobody can look."""
    from folkmoot.referee.run import Referee

    forge = old_forge(route, token)
    if forge is None:
        terminal.note(f"No token for {route.shown_old} is given, so nobody looks whether all is recorded there.")
        return []
    with Referee(forge, route.repo, present, route.old_home) as referee:
        report = referee.run(dry=True)
    found = [game.stopped[0].message for game in report.games if game.stopped]
    if report.entries:
        found.append(f"{report.entries} {'entry waits' if report.entries == 1 else 'entries wait'} to be recorded.")
    if report.unsettled:
        found.append("Something was said there less than two minutes ago, and does not count yet.")
    return found


def tell_there(terminal: Terminal, route: Route, token: str) -> bool:
    """Say at the old forge where the games are, by a run of its referee; False where nobody can."""
    from folkmoot.referee.run import Referee

    forge = old_forge(route, token)
    if forge is None:
        return False
    with Referee(forge, route.repo, present, route.old_home) as referee:
        report = referee.run()
    for game in report.games:
        if game.gone:
            terminal.note(f"At the old place: {game.gone}.")
    return True
