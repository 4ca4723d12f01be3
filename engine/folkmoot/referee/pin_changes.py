"""What a pull request of no game would change of the referee itself: the pin of the engine, and the jobs that run it.

Only names and the pin are read. Whether a wheel is what its hash says is proved where it is installed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from msgspec import Struct

from folkmoot.core.problems import ProblemError
from folkmoot.core.values import in_a_row
from folkmoot.forges.engine_pin import ENGINE, Package, is_named, pinned_engine, read_lock, too_old
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

    def faults(self, games: Mapping[str, str]) -> list[str]:
        """Return why it must not be merged; `games` are the versions of the engines that judge them, by name."""
        older = too_old(self.pinned, games) if self.pinned else ""
        return [*self.wrong, *([f"the pin goes back to Folkmoot {older}"] if older else [])]


NOTHING = Keeping()


LARGEST_PIN = 1_000_000  # bytes
MOST_NAMED = 5


def keeping(repo: pygit2.Repository, base: pygit2.Oid, head: pygit2.Oid) -> Keeping:
    """Return what changes between two trees (by their ids) of the engine's pin and the jobs."""
    names = changed_names(read_tree(repo, base), read_tree(repo, head))
    if not any(path.partition("/")[0] in names for path in (*JOBS, LOCK)):
        return NOTHING
    told = [_jobs(repo, folder, find(repo, base, folder), find(repo, head, folder)) for folder in JOBS]
    jobs = tuple(filter(None, told))
    old, new = find(repo, base, LOCK), find(repo, head, LOCK)
    kept, wheels = (sorted(read_tree(repo, folder_id(find(repo, tree, WHEELS)))) for tree in (base, head))
    if old == new and wheels == kept:
        return Keeping(told=jobs)
    try:
        after = _packages(repo, new)
    except ProblemError as error:
        first = error.problems[0]
        return Keeping(told=jobs, wrong=(f"{first.position or LOCK}: {first.message}",))
    pinned, pin = after[ENGINE], _pins(_before(repo, old), after)
    return Keeping(pinned=pinned.version, told=(*jobs, *pin, *_wheels(pinned, wheels)))


def _jobs(repo: pygit2.Repository, folder: str, old: Node | None, new: Node | None) -> str:
    """Return which jobs of a folder change, "" for none."""
    before, after = read_tree(repo, folder_id(old)), read_tree(repo, folder_id(new))
    names = changed_names(before, after) or ([""] if old != new else [])
    jobs = in_a_row((str(PurePosixPath(folder, name)) for name in names), MOST_NAMED)
    return f"It changes the jobs themselves: {jobs}" if names else ""


def _packages(repo: pygit2.Repository, node: Node | None) -> dict[str, Package]:
    """Return the packages of a pin by name (with the systems that they are for). Raises E-PIN."""
    text = ""
    if node is not None:
        plain = node.mode in (FILE, EXECUTABLE) and header(repo, node.id)[1] <= LARGEST_PIN
        text = read_blob(repo, node.id).decode("utf-8", "replace") if plain else "no plain file\n"
    pinned_engine(text)
    return {f"{package.name}{package.marker}": package for package in read_lock(text)}


def _before(repo: pygit2.Repository, node: Node | None) -> dict[str, Package]:
    try:
        return _packages(repo, node)
    except ProblemError:
        return {}


def _pins(before: Mapping[str, Package], after: Mapping[str, Package]) -> Iterator[str]:
    """Yield what becomes another version, or another file of the same."""
    old, new = before.get(ENGINE), after[ENGINE]
    if old is None:
        yield f"It pins Folkmoot {new.version}, where none was pinned that can be read"
    elif old.version != new.version:
        yield f"It pins Folkmoot {new.version} instead of {old.version}"
    elif old.hashes != new.hashes:
        yield f"It pins another file as Folkmoot {new.version}: approve that only if you know where it comes from"
    others = [name for name in sorted({*before, *after} - {ENGINE}) if _differs(before.get(name), after.get(name))]
    if others and old is not None:
        yield f"What the engine runs with changes too: {in_a_row(others, MOST_NAMED)}"


def _differs(old: Package | None, new: Package | None) -> bool:
    return (old and (old.version, old.hashes)) != (new and (new.version, new.hashes))


def _wheels(engine: Package, names: Sequence[str]) -> Iterator[str]:
    """Yield which of the wheels that are kept beside a pin are not it, by their names."""
    for name in names:
        if not is_named(engine, name):
            yield f"{WHEELS}/{name} is no wheel of Folkmoot {engine.version}, which {LOCK} pins"
