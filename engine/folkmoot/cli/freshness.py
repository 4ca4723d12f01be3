"""Whether a clone shows play as it stands: commands that only read say so where there is newer play elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pygit2

from folkmoot.cli.forges import address_of
from folkmoot.cli.places import root_of
from folkmoot.cli.terminal import Terminal, counted
from folkmoot.core.problems import ProblemError
from folkmoot.forges.cache.refs import BRANCHES
from folkmoot.forges.git_transport import Git, without_secrets

ASKED = 2.0  # seconds that the remote repository is asked for, while the command does its work
WAITED = 0.3  # seconds that a command waits for the answer when its own work is done


@contextmanager
def told_if_stale(terminal: Terminal) -> Iterator[None]:
    """Let a command read the clone's files, and say afterwards if the remote has newer play.

    The remote is asked while the command works. Where it does not answer, what was fetched last is compared; offline,
    or without a remote, nothing is said.
    """
    repo = _clone(terminal)
    if repo is None:
        yield
        return
    found: list[str] = []
    asking = Thread(target=_ask, args=(repo, found), daemon=True)
    asking.start()
    yield
    asking.join(WAITED)
    note = stale_note(repo, found[0] if found else _fetched(repo))
    if note:
        terminal.note(note)


def stale_note(repo: pygit2.Repository, tip: str) -> str:
    """Return what there is to say where the remote's branch stands at `tip` (hex, "" where nobody knows)."""
    if not tip:
        return ""
    head, place = repo.head.target, _place(repo)
    if tip not in repo:
        return f"Mind: {place} has newer play than this clone, of which you see the older: `git pull`."
    behind = repo.ahead_behind(head, pygit2.Oid(hex=tip))[1]
    commits = counted(behind, "commit")
    return f"Mind: this clone is {commits} behind {place}, and you see the older play: `git pull`." if behind else ""


def _clone(terminal: Terminal) -> pygit2.Repository | None:
    """Return the repository worked in, if it is one that could be behind another."""
    found = pygit2.discover_repository(str(root_of(terminal)))
    repo = pygit2.Repository(found) if found else None
    if repo is None or repo.is_bare or repo.head_is_unborn or repo.head_is_detached:
        return None
    return repo if "origin" in repo.remotes.names() else None


def _ask(repo: pygit2.Repository, found: list[str]) -> None:
    """Ask where the remote's branch of the same name stands; leave nothing where it does not say."""
    try:
        address = address_of(repo, None)
        listing = Git(Path(repo.path), ASKED).listing(address) if address else None
    except ProblemError:
        return
    tip = listing.refs.get(BRANCHES + repo.head.shorthand) if listing else None
    found += [tip] if tip else []


def _fetched(repo: pygit2.Repository) -> str:
    """Return where the remote's branch stood when git last fetched it."""
    known = repo.references.get(f"refs/remotes/origin/{repo.head.shorthand}")
    return str(known.target) if known is not None else ""


def _place(repo: pygit2.Repository) -> str:
    address = str(repo.remotes["origin"].url)
    return without_secrets(address, address)
