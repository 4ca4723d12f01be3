"""What people send, as plain data that can be written down, sent again, and made smaller."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Say:
    """A comment or review by somebody on a pull request; 0 is the games' own thread."""

    person: str
    where: int
    body: str
    kind: str = "comment"


@dataclass(frozen=True)
class Form:
    """An issue with the games' label, as a form makes it."""

    person: str
    title: str
    body: str


@dataclass(frozen=True)
class Raw:
    """A commit in a chain of letters made by hand: its files (path → mode and bytes), author, chain and signature.

    `where` is the ref below those of letters; `parents` how many commits before it are named (0: a chain begun anew).
    """

    author: str
    chain: str
    files: dict[str, tuple[int, bytes]]
    message: str = "letter"
    parents: int = 1
    signature: str = ""
    raw_author: bytes = b""


@dataclass(frozen=True)
class Pull:
    """A pull request: its title, files (path → bytes, None: removed) and odd nodes (path → mode and bytes).

    Paths that begin with a slash lie outside of the game's folder. `voted` says that the one voter votes for it, `author`
    is the line of its commit that names one, where it is no ordinary one; `below` has such a commit before it.
    """

    person: str
    title: str
    files: dict[str, bytes | None]
    nodes: dict[str, tuple[int, bytes]] = field(default_factory=dict)
    voted: bool = False
    author: bytes = b""
    below: bool = False


@dataclass(frozen=True)
class Wait:
    """Time that passes (seconds)."""

    seconds: int


@dataclass(frozen=True)
class Act:
    """An act that a program puts before a session: whatever is given, it is refused or recorded."""

    by: str | None
    do: str
    args: Any
    as_: str | None = None
    via: Any = None


Input = Say | Form | Raw | Pull | Wait | Act


@dataclass(frozen=True)
class Story:
    """What is sent before each of some runs of the referee, told at a `table` (local, github, gitea, session).

    `pages` says that the pages of the games are made in the end.
    """

    table: str
    runs: tuple[tuple[Input, ...], ...]
    pages: bool = True

    @property
    def count(self) -> int:
        """Return how many inputs it has."""
        return sum(map(len, self.runs))
