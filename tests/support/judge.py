"""A judge in the process of the tests: the sandbox's worker, called directly.

It has the same kernel, the same Starlark and the same limits of steps, and every message goes through the same JSON;
but no walls stand around it, no clock watches it, and an error of the kernel's own is raised where it happens. It is
what judges in all tests but those marked `process`. It lies here and not in the engine, so that no game is judged by it.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from folkmoot.sandbox.connection import Connection
from folkmoot.sandbox.walls import WALLS
from folkmoot.sandbox.wire import LENGTH, MEMORY, Message, decode, encode
from folkmoot.sandbox.worker import Worker

Give = Callable[[Message], Message]


class DirectJudge:
    """What a connection holds instead of a process; also what its worker answers to."""

    def __init__(self, memory: int, hash_seed: int, *, only_looks: bool) -> None:
        """Stand ready; what a process is given is of no use here."""
        assert (memory, hash_seed) == (MEMORY, 0), "only a process has memory and a hash seed of its own: mark the test"
        self.walls = list(WALLS)  # which it has not, for the sake of what is said where they stand
        self._worker = Worker(self)
        self._asked: Message = {}
        self._give: Give = lambda asked: {}

    # -- for the connection

    def send(self, message: Message) -> None:
        self._asked = _passed(message)

    def hear(self, give: Give, seconds: float, most: float = inf) -> Message:
        """Answer it; time counts for nothing."""
        self._give = give
        return _passed(self._worker.answer(self._asked))

    def end(self) -> int:
        """Do nothing: it goes with whoever holds it."""
        return 0

    # -- for the worker

    def give(self, asked: Message) -> Message:
        return _passed(self._give(_passed(asked)))

    def _ignore(self, *_: object) -> None:
        """Ignore which hook runs, what is loaded and that time passes: nothing dies here."""

    note = note_loading = begin_anew = beat = allow_time = collect = _ignore


def judge_directly() -> None:
    """Let this process judge everything itself from now on."""
    Connection.backing = DirectJudge


def _passed(message: Message) -> Message:
    """Return a message as it arrives on the other side of a wire."""
    return decode(encode(message)[LENGTH:])
