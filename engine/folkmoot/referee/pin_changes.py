"""What a pull request of no game would change of the referee itself: the pin of the engine, and the jobs that run it.

Only names and the pin are read. Whether a wheel is what its hash says is proved where it is installed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress

from msgspec import Struct

from folkmoot.core.problems import ProblemError
from folkmoot.core.values import in_a_row
from folkmoot.forges.engine_pin import ENGINE, Package, is_named, pinned_engine, read_lock
from folkmoot.forges.workflows import JOBS, LOCK, WHEELS
from folkmoot.journal.git_library import pygit2
from folkmoot.referee.pull_request_tree import (
    EXECUTABLE,
    FILE,
    Node,
    changed_names,
    find,
    folder_id,
    header,
    read_blob,
    read_tree,
)


class Keeping(Struct, frozen=True, kw_only=True):
    """What a pull request changes of what runs the referee.

    `pinned` is the engine's version after it ("" where the pin stays as it is), `told` what a maintainer should know,
    `wrong` why no job would run after it, each a sentence without its full stop.
    """

    pinned: str = ""
    told: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()


NOTHING = Keeping()


LARGEST_PIN = 1_000_000  # bytes
MOST_NAMED = 5


def keeping(repo: pygit2.Repository, base: pygit2.Oid, head: pygit2.Oid) -> Keeping:
    """Return what changes between two trees (by their ids) of the engine's pin and the jobs."""
    names = changed_names(read_tree(repo, base), read_tree(repo, head))
    if not any(path.partition("/")[0] in names for path in (*JOBS, LOCK)):
        return NOTHING
    told = []
    for folder in JOBS:
        old, new = find(repo, base, folder), find(repo, head, folder)
        if old != new:
            jobs = changed_names(read_tree(repo, folder_id(old)), read_tree(repo, folder_id(new)))
            shown = in_a_row((f"{folder}/{job}" for job in jobs), MOST_NAMED) or folder
            told.append(f"It changes the jobs themselves: {shown}")
    old, new = find(repo, base, LOCK), find(repo, head, LOCK)
    kept, wheels = (sorted(read_tree(repo, folder_id(find(repo, tree, WHEELS)))) for tree in (base, head))
    if old == new and wheels == kept:
        return Keeping(told=tuple(told))
    try:
        after = _packages(repo, new)
    except ProblemError as error:
        first = error.problems[0]
        return Keeping(told=tuple(told), wrong=(f"{first.position or LOCK}: {first.message}",))
    before: dict[str, Package] = {}
    with suppress(ProblemError):
        before = _packages(repo, old)
    engine = after[ENGINE]
    told += _pins(before, after)
    odd = [name for name in wheels if not is_named(engine, name)]
    told += [f"{WHEELS}/{name} is no wheel of Folkmoot {engine.version}, which {LOCK} pins" for name in odd]
    return Keeping(pinned=engine.version, told=tuple(told))


def _packages(repo: pygit2.Repository, node: Node | None) -> dict[str, Package]:
    """Return the packages of a pin by name (with the systems that they are for). Raises E-PIN."""
    text = ""
    if node is not None:
        plain = node.mode in (FILE, EXECUTABLE) and header(repo, node.id)[1] <= LARGEST_PIN
        text = read_blob(repo, node.id).decode("utf-8", "replace") if plain else "no plain file\n"
    pinned_engine(text)
    return {f"{package.name}{package.marker}": package for package in read_lock(text)}


def _pins(before: Mapping[str, Package], after: Mapping[str, Package]) -> Iterator[str]:
    """Yield what becomes another version, or another file of the same."""
    old, new = before.get(ENGINE), after[ENGINE]
    if old is None:
        yield f"It pins Folkmoot {new.version}, where none was pinned that can be read"
        return
    if old.version != new.version:
        yield f"It pins Folkmoot {new.version} instead of {old.version}"
    elif old.hashes != new.hashes:
        yield f"It pins another file as Folkmoot {new.version}: approve that only if you know where it comes from"
    was, is_ = ({name: (each.version, each.hashes) for name, each in pins.items()} for pins in (before, after))
    others = [name for name in sorted({*was, *is_} - {ENGINE}) if was.get(name) != is_.get(name)]
    if others:
        yield f"What the engine runs with changes too: {in_a_row(others, MOST_NAMED)}"
