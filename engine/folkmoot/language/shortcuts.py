"""The shortcuts of judging: a call that did the same before is gone through without its script.

A script is a function of its arguments and of what the host answers; it has no memory, clock or chance of its own. So
what a call did is kept: its host calls, the ticks counted up to each, and its answer. A call of the same function with
the same arguments makes the same host calls and counts the same ticks as long as the host answers the same. Where that
answers something else or fails, or time is up, the interpreter runs the script from its start, is handed what has been
answered already, and goes on from there; nobody can tell the difference but by the clock. An argument that a function
never names does not cross the border to it, so that calls which differ there alone are alike: votes of a law of a
hundred guards cost three fifths of what they do without that.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable
from hashlib import blake2b
from typing import Any

from msgspec import Struct

from folkmoot.language.tree import tree_of, walk

Ask = Callable[[str], Any]  # carries a host call, in JSON, to the host
Key = tuple[int, str, str]  # program, function, arguments in JSON
Step = tuple[int, str, Any]  # ticks counted up to a host call, the call, the mark of its answer

LONG = 500  # characters of an answer of which only the digest is kept
STEP = 200  # characters: about what a step takes beside its call
LARGEST = 100_000  # characters that a call takes which is kept
MOST = 4_000_000  # characters that all take together, before all are forgotten


# -- calls that are known


class Run(Struct, frozen=True):
    """What a call did: its host calls, all its ticks, and what it answered."""

    steps: list[Step]
    ticks: int
    answer: Any


class Course:
    """A call under way: it counts ticks and makes host calls, known ones first, then those of its script."""

    __slots__ = ("_ask", "_cancelled", "_counted", "_failure", "_given", "_stop", "large", "steps", "ticks")

    def __init__(self, cancelled: Callable[[], bool], ask: Ask) -> None:
        """`cancelled` counts a tick, and says whether time is up."""
        self._cancelled, self._ask = cancelled, ask
        self._given: list[Any] = []  # what the host answered before the script ran,
        self._failure: Exception | None = None  # what it failed with then,
        self._counted = self._stop = 0  # how many ticks were counted, and at which of them time was up
        self.ticks = self.large = 0  # characters that its steps take
        self.steps: list[Step] = []

    def tick(self) -> bool:
        """Count one tick of the interpreter; True when the script must stop."""
        self.ticks += 1
        return self._cancelled() if self.ticks > self._counted else self.ticks == self._stop

    def call(self, text: str) -> Any:
        """Answer a host call of the script."""
        if len(self.steps) < len(self._given):
            answer = self._given[len(self.steps)]
        elif self._failure is not None:
            raise self._failure
        else:
            answer = self._ask(text)
        self.steps.append((self.ticks, text, mark_of(answer)))
        self.large += STEP + len(text)
        return answer

    def follow(self, run: Run) -> bool:
        """Go along what a call did; True where it ends as it did then, else the script has to run."""
        for ticks, text, mark in run.steps:
            if not self._count(ticks):
                return False
            try:
                answer = self._ask(text)
            except Exception as error:  # noqa: BLE001  it is raised again where the script stands
                self._failure = error
                return False
            self._given.append(answer)
            if mark_of(answer) != mark:
                return False
        return self._count(run.ticks)

    def _count(self, ticks: int) -> bool:
        """Count up to so many ticks; False where time is up before."""
        while self._counted < ticks:
            self._counted += 1
            if self._cancelled():
                self._stop = self._counted
                return False
        return True


def mark_of(answer: Any) -> Any:
    """Return what stands for an answer of the host: what differs for a script differs here."""
    kind = type(answer)
    if kind is str:
        return answer if len(answer) < LONG else blake2b(answer.encode(), digest_size=20).digest()
    return (kind, answer) if answer is None or kind is int or kind is bool else (kind, repr(answer))


class KnownRuns:
    """What calls did last, by what was called with which arguments; not `on`, every call runs its script."""

    on = True

    def __init__(self) -> None:
        """Know none."""
        self._runs: dict[Key, Run] = {}
        self._large = 0

    def answer(self, key: Key, course: Course, run: Callable[[], Any]) -> Any:
        """Return what a call answers: as it did before where that can be, else what `run` returns."""
        if not self.on:
            return run()
        known = self._runs.get(key)
        if known is not None and course.follow(known):
            return known.answer
        answer = run()
        self._keep(key, Run(course.steps, course.ticks, answer), len(key[2]) + course.large)
        return answer

    def _keep(self, key: Key, run: Run, large: int) -> None:
        if large > LARGEST:
            return
        self._large += large
        if self._large > MOST:
            self._runs.clear()
            self._large = large
        self._runs[key] = run


# -- arguments that are not looked at


def unnamed_parameters(script: str) -> dict[str, frozenset[int]]:
    """Return the places of those parameters that functions never name, so that they cannot look at what they are given.

    Functions that the script could mean another one by have none.
    """
    tree, found = tree_of(script), {}
    names = Counter(node.name for node in tree.nodes if isinstance(node, ast.FunctionDef))
    names.update(node.id for node in tree.nodes if isinstance(node, ast.Name))
    for function in tree.body:
        if isinstance(function, ast.FunctionDef) and names[function.name] == 1:
            plain = function.args.args[: len(function.args.args) - len(function.args.defaults)]
            own = {node.id for node in walk(function) if isinstance(node, ast.Name)} if plain else set()
            free = (each.arg not in own and each.annotation is None for each in plain)
            found[function.name] = frozenset(place for place, is_free in enumerate(free) if is_free)
    return found
