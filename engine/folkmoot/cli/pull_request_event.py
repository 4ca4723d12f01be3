"""A pull request as the job sees it that the forge started for it: what the forge's own file says of the event.

Nothing of it is taken from the words of a command or from variables that a shell has seen, and nothing is looked up
that needs the right to write.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from msgspec import Struct

from folkmoot.cli.repositories import proof_for
from folkmoot.cli.tokens import take_variables
from folkmoot.core.problems import Position, fail
from folkmoot.files.named_files import read_bytes
from folkmoot.forges.cache.refs import Refs, Standing, pull_ref
from folkmoot.forges.port import Person
from folkmoot.player.remote_view import RemoteView

LARGEST = 30_000_000  # bytes of a file that describes an event
_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_BRANCH = re.compile(r"(?!-)[^\x00-\x20\x7f~^:?*\[\\]{1,250}")


class Arrived(Struct, frozen=True, kw_only=True):
    """What a forge says of a pull request: its number, the branch it is for, its head (hex), title and author."""

    number: int
    base: str
    head: str
    title: str
    body: str
    author: Person


def read_event(path: Path) -> Arrived:
    """Return the pull request of an event as the forge wrote it down; raises E-ARGS where it is of none."""
    try:
        event = json.loads(read_bytes(path, LARGEST).decode())
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        raise _unfit(path, f"it is no JSON: {error}") from None
    number = _at(event, "pull_request", "number")
    base, head = _at(event, "pull_request", "base", "ref"), _at(event, "pull_request", "head", "sha")
    if type(number) is not int or not 0 < number < 10**9:
        raise _unfit(path, "it is of no pull request")
    if not _BRANCH.fullmatch(str(base)) or not _COMMIT.fullmatch(str(head)):
        raise _unfit(path, "it does not say which commit is for which branch")
    user = _at(event, "pull_request", "user", "id")
    handle = _at(event, "pull_request", "user", "login")
    author = Person(id=str(user) if type(user) is int else "", handle=str(handle or "somebody"))
    title, body = (str(_at(event, "pull_request", name) or "") for name in ("title", "body"))
    return Arrived(number=number, base=str(base), head=str(head), title=title, body=body, author=author)


def _unfit(path: Path, why: str) -> Exception:
    return fail("E-ARGS", f"this describes no event of a pull request: {why}", Position(str(path)))


def _at(value: Any, *path: str) -> Any:
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


class Arrival(RemoteView):
    """Where the players meet, as far as a job may look that holds no right to write: the branch and one head.

    Args:
        folder: the repository into which is fetched, bare or not.
        remote: the address of the repository where players meet; None where it is this one.
        event: the pull request that the job was started for.
    """

    def __init__(self, folder: Path, remote: str | None, event: Arrived) -> None:
        super().__init__(folder, remote)
        self.event = event
        self.repository.refs = Refs(folder, remote, event.base, variables=_variables(remote))
        self.repo = self.repository.refs.repo

    def look(self) -> Arrival:
        """Fetch the branch and the head, and nothing else. Raises E-FORGE, and E-NO-SUCH where the head is gone."""
        self.standing = self.repository.refs.again(self._branch_and_head)
        if self.event.head not in self.repo:
            hint = "a newer push has a run of its own"
            raise fail("E-NO-SUCH", f"commit {self.event.head[:12]} is no longer there", None, hint)
        return self

    def _branch_and_head(self) -> Standing | None:
        standing = self.repository.refs.read()
        return self.repository.refs.fetch(standing, [standing.branch, pull_ref(self.event.number)])

    @property
    def person(self) -> Person:
        """Return who opened the pull request."""
        return self.event.author


def _variables(remote: str | None) -> dict[str, str]:
    """Return the variables by which git gets the job's token, which may read; it is not kept for what runs later."""
    variables = proof_for(remote or "")
    take_variables()
    return variables
