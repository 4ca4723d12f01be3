"""Named places where a write may be cut short, so that tests can cut it there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

DECLARED = (
    "before-stage",  # nothing was written
    "begun",  # the log says what is going to be written
    "staged",  # a file is complete beside its place; others may follow
    "before-commit",  # all are, and the log is not in force
    "after-commit",  # the log is in force, no file is in its place yet
    "placed",  # a file is in its place; others may follow
    "removed",  # a file that is no longer derived is gone
    "before-clean",  # every file is in its place, the log is still there
    "after-clean",  # the log is gone
)
FORGE = (
    "before-list",  # nothing was asked of the remote
    "listed",  # it is known what the remote holds
    "before-fetch",  # nothing new was fetched
    "fetched",  # objects and our mirror of the refs are here
    "before-write",  # what is new was read, nothing of it is written down
    "half-written",  # some objects of the observation are stored, no commit names them
    "written",  # the observation is a commit that no ref names
    "before-push",  # nobody else can see it
    "pushed",  # the remote has it, our mirror does not say so
    "mirrored",  # our mirror says so too
)

_hooks: list[Callable[[str], None]] = []


def fault_point(name: str) -> None:
    """Mark a place where a write may be cut short; does nothing unless a test has set a hook."""
    for hook in _hooks:
        hook(name)


@contextmanager
def fault_hook(hook: Callable[[str], None]) -> Iterator[None]:
    """Call `hook` with the name of every fault point that is passed while the context lasts."""
    _hooks.append(hook)
    try:
        yield
    finally:
        _hooks.remove(hook)
