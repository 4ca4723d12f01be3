"""What people send, as plain data that can be written down, sent again, and made smaller."""

from __future__ import annotations

from msgspec import Struct, field


class Say(Struct, frozen=True):
    """A comment or review by somebody on a pull request; 0 is the games' own thread."""

    person: str
    where: int
    body: str
    kind: str = "comment"


class Raw(Struct, frozen=True):
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


class Pull(Struct, frozen=True):
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


class Wait(Struct, frozen=True):
    """Time that passes (seconds)."""

    seconds: int


Input = Say | Raw | Pull | Wait


class Story(Struct, frozen=True):
    """What is sent before each of some runs of the referee, told at a `table` (local, github).

    `pages` says that the pages of the games are made in the end.
    """

    table: str
    runs: tuple[tuple[Input, ...], ...]
    pages: bool = True
