"""The repository that a command works in, where its players meet, and whether it shows play as it stands."""

from __future__ import annotations

import os
import re
import shlex
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from urllib.parse import unquote

from folkmoot.cli.games import near, repository_around, root_of
from folkmoot.cli.terminal import Terminal
from folkmoot.cli.tokens import token_for
from folkmoot.core.game_location import forges_left
from folkmoot.core.keys import GAME, forge_home
from folkmoot.core.problems import Position, ProblemError, fail
from folkmoot.forges.cache.refs import BRANCHES, FORGE, Refs
from folkmoot.forges.git_transport import Git, without_secrets
from folkmoot.forges.web.credentials import git_variables, server_of
from folkmoot.journal.git_library import pygit2
from folkmoot.journal.git_programs import not_followed, started_by_push
from folkmoot.journal.repositories import find_repository, remote_addresses
from folkmoot.journal.tree import GameTree, games_at

ASKED = 2.0  # seconds that the remote repository is asked for, while the command does its work
_WEB = re.compile(r"https?://([\w.-]+)[:/][!-~]+", re.ASCII)  # of others git would run what a clone names
WAITED = 0.3  # seconds that a command waits for the answer when its own work is done


def repository_of(terminal: Terminal) -> pygit2.Repository:
    """Return the repository that is worked in, bare or not; raises E-GIT where there is none."""
    root = root_of(terminal)
    repo = find_repository(root)
    if repo is None:
        hint = near(root) or "run it in a clone of a game: `git clone ADDRESS` makes one"
        raise fail("E-GIT", "there is no git repository here", Position(str(root)), hint)
    if names := not_followed(root):
        cure = f"if it is yours: `git config --global {names[0]} …`"
        terminal.note(f"Mind: this clone has settings of its own that are not followed ({', '.join(names)}); {cure}.")
    return repo


def proof_for(address: str) -> dict[str, str]:
    """Return the variables by which git proves who we are to the server of a repository, as the environment tells."""
    server = server_of(address.rstrip("/").rpartition("/")[0].rpartition("/")[0])
    token = token_for(server, os.environ)
    return git_variables(f"{server}/", token) if token else {}


def address_of(repo: pygit2.Repository, remote: str | None) -> str | None:
    """Return the path or URL of the repository where players meet, None where it is this one.

    `remote` is the name of a remote, a path or a URL; where none is given it is `origin`, or the only one there is.
    Raises E-FORGE where none of several is meant, or where there is none of that name.
    """
    known = remote_addresses(repo)
    name = remote if remote is not None else _default_remote(sorted(known))
    address = known.get(name or "", remote)
    is_place = remote is not None and (any(mark in remote for mark in "/:\\") or Path(remote).exists())
    if remote is not None and address == remote and not is_place:
        hint = f"name one: {', '.join(sorted(known))}" if known else "give a path or a URL, or `git remote add` one"
        raise fail("E-FORGE", f"there is no remote {remote!r} here, and no such folder", None, hint)
    place = local_path(address or "")
    if address is None or place is None:
        return address
    root = Path(repo.workdir or repo.path).resolve()
    path = ((root if address != remote else Path.cwd()) / os.path.expanduser(place)).resolve()  # noqa: PTH111 (no home)
    if path in {Path(repo.path).resolve(), root} and not _is_of_a_process(place):
        return None
    if address != remote and (not os.path.isabs(place) or root in path.parents or _is_of_a_process(place)):  # noqa: PTH117
        hint = f"if it is yours: `git remote set-url {name} {shlex.quote(str(path))}`"
        message = f"the remote {name} lies beside this clone ({address}), where it may have come with it"
        raise fail("E-FORGE", message, None, hint)
    if address != remote:
        _refuse_programs(str(name), path)
    return str(path) if path.exists() and "://" not in address else address


def _refuse_programs(name: str, path: Path) -> None:
    """Raise E-FORGE where a push to a path that a clone's own settings name would run what nobody here chose to run."""
    from folkmoot.ops.table import is_packaged_hook

    if path.is_file():
        hint = f"`git remote set-url {name} URL` names the repository where players meet"
        message = f"the remote {name} is a file ({path}), as a bundle is, and nobody meets there"
        raise fail("E-FORGE", message, None, hint)
    found = next(started_by_push(path, is_packaged_hook), None)
    if found is None:
        return
    trusted = Git(path.parent).ask(["config", "--global", "--get-all", "safe.directory"], allowed=(0, 1, 128))
    if not {str(path), "*"}.intersection(trusted.splitlines()):
        hint = f"if you trust it: `git config --global --add safe.directory {shlex.quote(str(path))}`"
        message = f"the remote {name} lies on this machine, and what is sent there would run programs of its own"
        raise fail("E-FORGE", f"{message} ({found})", None, hint)


def local_path(address: str) -> str | None:
    """Return the path on this machine that git takes an address for, None where that leads to a server.

    >>> local_path("./evening"), local_path("file:///games/a%20b"), local_path("ann@host:games"), local_path("x/y:z")
    ('./evening', '/games/a b', None, 'x/y:z')
    """
    if scheme := re.match(r"([A-Za-z0-9+.-]+)://[^/]*", address):
        return unquote(address[scheme.end() :]) if scheme[1] == "file" else None
    return None if re.match(r"[^/]*:", address) else address


def _is_of_a_process(place: str) -> bool:
    """Say whether a path leads where a process sees something, as in its own folder, whichever that is."""
    return any(each.resolve().parts[1:2] == ("proc",) for each in (Path(place), *Path(place).parents))


def _default_remote(names: Sequence[str]) -> str | None:
    """Return the remote at which players meet where none is named; None where there is none at all."""
    if "origin" in names or len(names) < 2:
        return "origin" if "origin" in names else next(iter(names), None)
    hint = "name the one where players meet: `--remote NAME`, or for good `git remote rename NAME origin`"
    raise fail("E-FORGE", f"which remote? Here are {', '.join(names)}, and none is called origin", None, hint)


def fork_note(repo: pygit2.Repository, address: str | None) -> str:
    """Return how to lead a clone of a fork to where its games are played, "" where it looks there.

    A repository of another name on the host of a game's home is a fork, unless the game was played there once.
    """
    if not address or repo.is_bare or repo.head_is_unborn or local_path(address) is not None:
        return ""
    head, homes = str(repo.head.target), []
    for name in games_at(repo, head):
        with suppress(ProblemError):  # a damaged game says nothing; others say what is wrong with it
            game = GameTree(repo, head, name).kept(GAME)
            homes += [forge_home(game), *(str(each.get("home") or "") for each in forges_left(game))]
    home = next(filter(None, homes), "")
    host = _WEB.fullmatch(home)
    if not host or host[1] not in re.split(r"[/@:]", address) or _named(address) in map(_named, homes):
        return ""
    fork, there = (shlex.quote(each) for each in (without_secrets(address, address), home))
    led = f"`git remote add fork {fork}`, `git remote set-url origin {there}`, `git pull`"
    return f"Mind: you see a fork as it stood when it was made; the game is played at {home}: {led}."


def _named(address: str) -> list[str]:
    """Return owner and name of a repository on the web, as its address has them."""
    return re.split(r"[/:]", address.lower().rstrip("/").removesuffix(".git"))[-2:]


@contextmanager
def cloned(address: str) -> Iterator[Path]:
    """Yield a bare clone of the branch that is played on in a repository, gone afterwards. Raises E-FORGE."""
    with tempfile.TemporaryDirectory() as folder:
        git = Git(Path(folder), variables=proof_for(address))
        words = ("clone", "--quiet", "--bare", "--single-branch", "--no-tags")
        git.ask([*words, "--", address, f"{folder}/clone.git"])
        yield Path(folder, "clone.git")


# -- newer play elsewhere


@contextmanager
def told_if_stale(terminal: Terminal) -> Iterator[None]:
    """Let a command read the clone's files, and say afterwards if the remote has newer play.

    The remote is asked while the command works. Where it does not answer, what was fetched last is compared; offline,
    or without a remote, nothing is said. Raises E-PAST where the remote lacks what this clone saw there.
    """
    repo = repository_around(root_of(terminal))
    if (
        repo is None or repo.is_bare or repo.head_is_unborn or repo.head_is_detached
        or "origin" not in repo.remotes.names()
    ):  # fmt: skip
        yield
        return
    asked = _Question(repo)
    yield
    tip = asked.answer()
    if tip is None:  # where the branch stood when git last fetched it
        known = repo.references.get(f"refs/remotes/origin/{repo.head.shorthand}")
        tip = str(known.target) if known is not None else ""
    stale = stale_note(repo, tip)
    for note in filter(None, (stale, fork_note(repo, remote_addresses(repo).get("origin")))):
        terminal.note(note)


class _Question(Thread):
    """Asks where the remote's branch of this name stands, and whether that goes on from what was seen."""

    def __init__(self, repo: pygit2.Repository) -> None:
        super().__init__(daemon=True)
        self.repo = repo
        self.branch = repo.head.shorthand
        self.tip: str | None = None
        self.problem: ProblemError | None = None
        self.start()

    def run(self) -> None:
        """Ask, and leave nothing where the remote does not say."""
        try:
            refs = Refs(Path(self.repo.path), address_of(self.repo, None))
            refs.git.seconds = ASKED
            if refs.remote is None:
                return
            listing = refs.git.listing(refs.remote)
            self.tip = listing.refs.get(BRANCHES + self.branch)
            standing = refs.read(listing)
            refs.fetch(standing, [standing.branch, FORGE] if standing.forge else [standing.branch])
        except ProblemError as error:
            self.problem = error if error.problems[0].code == "E-PAST" else None

    def answer(self) -> str | None:
        """Return where the branch stands, None where that was not found out in time. Raises E-PAST."""
        self.join(WAITED)
        if self.tip is not None:
            self.join(ASKED)
        if self.problem is not None:
            raise self.problem
        return self.tip


def stale_note(repo: pygit2.Repository, tip: str) -> str:
    """Return what there is to say where the remote's branch stands at `tip` (hex, "" where nobody knows)."""
    if not tip or (tip in repo and not repo.ahead_behind(repo.head.target, pygit2.Oid(hex=tip))[1]):
        return ""
    address = remote_addresses(repo).get("origin", "")
    return f"Mind: {without_secrets(address, address)} has newer play, and you see the older: `git pull`."
