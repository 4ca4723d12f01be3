"""Files of a game's folder that are not what git has: told before anything is built upon them.

Whether a record is sound only `moot verify` proves. What is looked for here costs no more as a game grows older: that
each file in which play goes on is the one that was committed last, so are the newest entries, and those that no commit
has yet chain up to the head.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from folkmoot.core.clone_files import CloneFiles, newest_folders, refuse_too_deep
from folkmoot.core.digest import bytes_digest
from folkmoot.core.problems import Position, Problem, ProblemError
from folkmoot.journal.git_library import pygit2
from folkmoot.journal.layout import HEAD, document_name, entry_name, entry_seq
from folkmoot.journal.record import VERIFY, GameRecord
from folkmoot.journal.repositories import work_tree_around

_MOST_CHAINED = 100  # entries, where no commit has any
_MOST_NAMED = 4  # files, beside the first
_PREV = re.compile(rb'^prev: "?([0-9a-f]{64})"?$', re.MULTILINE)


def damage_of(game: GameRecord, folder: CloneFiles) -> list[Problem]:
    """Return what is wrong with the files of a game that play goes on from, nothing where all are as they should be."""
    try:
        with game.reading():
            return [*_damage(game, folder)]
    except ProblemError as error:
        return [*error.problems]


def _damage(game: GameRecord, folder: CloneFiles) -> Iterator[Problem]:
    head, committed = game.head, _committed(folder)
    last = _last(committed)
    yield from _chained(game, max(1, last + 1, head.seq - _MOST_CHAINED))
    current = last == head.seq
    for name, blob in committed.items():
        if current or (entry_seq(name) or 0) in range(1, last + 1):
            yield from _compared(game, name, blob)
    if current:
        strays = [name for name in map(document_name, game.current_keys()) if name not in committed]
        if strays:  # one problem, however many there are
            first, *more = strays
            rest = "" if len(more) <= _MOST_NAMED else ", …"
            also = f"; so are {len(more)} more: {', '.join(more[:_MOST_NAMED])}{rest}" if more else ""
            yield _problem(game, "E-STRAY", first, f"the file is in no commit, and no entry made it{also}")


def _compared(game: GameRecord, name: str, blob: pygit2.Oid) -> Iterator[Problem]:
    try:
        data = game.read(name)
    except ProblemError as error:
        yield from error.problems
        return
    code = "E-CHAIN" if entry_seq(name) or name == HEAD else "E-DERIVED"
    if data is None:
        yield _problem(game, code, name, "the file is missing")
    elif pygit2.hash(data) != blob:
        yield _problem(game, code, name, "the file is not as the last commit has it")


def _chained(game: GameRecord, first: int) -> Iterator[Problem]:
    """Follow the chain back from the head as far as the last commit."""
    head = game.head
    wanted = head.digest
    for seq in range(head.seq, first - 1, -1):
        data = game.read(entry_name(seq)) or b""
        if bytes_digest(data) != wanted and not game.entry(seq).get("redacted"):
            yield _problem(game, "E-CHAIN", entry_name(seq), "the entry is not the one that the chain names")
        found = _PREV.search(data)  # an entry may be long, and this is all that is asked of it
        wanted = found[1].decode() if found else game.entry(seq)["prev"]


def _committed(folder: CloneFiles) -> dict[str, pygit2.Oid]:
    """Return the files of a game that the last commit has, but for older ones in numbered folders: path → blob."""
    repo = work_tree_around(Path(folder.name()))
    if repo is None or repo.head_is_unborn:
        return {}
    try:
        top = repo.head.peel(pygit2.Commit).tree
        tree = top[folder.path] if folder.path else top
    except KeyError:
        return {}
    return dict(_blobs(tree, "")) if isinstance(tree, pygit2.Tree) else {}


def _blobs(tree: pygit2.Tree, folder: str) -> Iterator[tuple[str, pygit2.Oid]]:
    refuse_too_deep(folder)
    found = {item.name or "": item for item in tree}
    for name in newest_folders(found):
        item = found[name]
        if isinstance(item, pygit2.Tree):
            yield from _blobs(item, f"{folder}{name}/")
        elif isinstance(item, pygit2.Blob):
            yield f"{folder}{name}", item.id


def _last(committed: dict[str, pygit2.Oid]) -> int:
    """Return the number of the last entry that was committed, 0 where none was."""
    return max((entry_seq(name) or 0 for name in committed), default=0)


def _problem(game: GameRecord, code: str, name: str, message: str) -> Problem:
    return Problem(code, message, Position(game.shown(name)), VERIFY)
