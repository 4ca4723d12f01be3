"""What scripts did before: a call whose whole course is known is gone through without the interpreter.

A script is a function of its arguments and of what the host answers; it has no memory, clock or chance of its own.
So the course of a call is kept as a tree: each node is one call of the host, each branch an answer that was had there,
each leaf what the script returned. Going along a known course makes the same host calls in the same order and counts
the same ticks. Where the host answers something new, or fails, the interpreter runs the script from its start, is
handed what has been answered already, and goes on from there; nobody can tell the difference but by the clock.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Any

import msgspec
from msgspec import Struct, field

from folkmoot.core.values import SEALED

Host = Callable[[list[Any], str], Any]
Key = tuple[int, str, str]  # program, function, arguments as JSON

NODES = 20_000  # of a generation; two are kept
SEALED_MARK = f'"{SEALED}"'
LONG = 1_024  # characters of an answer of which only the digest is kept
LONGEST = 16_384  # characters of arguments or of a call that are kept
MOST_STEPS = 256
TRIES = 16  # calls that come to nothing before a function is left alone
REST = 1_024  # calls for which it is left alone


class Node(Struct):
    """A point of a course: the ticks counted up to it, and the host call made there or else the answer returned."""

    ticks: int
    call: str | None
    answer: Any = None
    then: dict[Any, Node] = field(default_factory=dict)


class Course:
    """One run of a script: what it was given already, and what it did.

    `known` ticks were counted before it began; at tick `stop` of them time was up. `failure` is what the first host
    call after the given answers raised. `steps` are its host calls: ticks counted up to each, the call, the answer.
    """

    __slots__ = ("cancelled", "failure", "given", "known", "steps", "stop", "ticks")

    def __init__(
        self,
        cancelled: Callable[[], bool],
        given: Sequence[Any] = (),
        known: int = 0,
        stop: int = 0,
        failure: Exception | None = None,
    ) -> None:
        """Begin a run; there are very many of them, so that a struct would be felt."""
        self.cancelled, self.given, self.known, self.stop, self.failure = cancelled, given, known, stop, failure
        self.ticks = 0
        self.steps: list[tuple[int, str, Any]] = []

    def tick(self) -> bool:
        """Count one tick of the interpreter; True when the script must stop."""
        self.ticks += 1
        return self.cancelled() if self.ticks > self.known else self.ticks == self.stop


unpack: Callable[[str], Any] = msgspec.json.Decoder().decode  # of JSON that the interpreter wrote
printable: Callable[[str], Any] = re.compile(r"[ -~]*").fullmatch  # of ASCII, whatever the interpreter's tables say
LONGEST_PLAIN = 1_000  # characters: what is shorter holds no key, text or number that is too long
MOST_OPENINGS = 24  # lists and maps, however they lie in each other


def is_plain(text: str) -> bool:
    """Say whether nothing that a host call hands over has a flaw, as far as it holds no fractions.

    What is written in so few characters of ASCII that can be printed, without escapes by number, is nowhere too long,
    too wide or half a character: a file needs no more to write them. With so few lists and maps none lies too deep.
    """
    return (
        len(text) <= LONGEST_PLAIN
        and printable(text) is not None
        and "\\u" not in text
        and text.count("[") + text.count("{") <= MOST_OPENINGS
    )


def branch_of(answer: Any) -> Any:
    """Return under what an answer of the host is kept: what differs for a script differs here."""
    kind = type(answer)
    if kind is str:
        return answer if len(answer) < LONG else blake2b(answer.encode(), digest_size=20).digest()
    return (kind, answer) if answer is None or kind is bool or kind is int else (kind, json.dumps(answer))


class Border:
    """What all programs of a compiler share: the way to the host, the runs under way, and the courses known."""

    def __init__(self, host: Host) -> None:
        """Carry calls to `host([name, *arguments], text)`.

        `text` is what is asked in JSON, as the script wrote it; "" where that holds something sealed, or a fraction,
        which no game keeps.
        """
        self._host = host
        self._fractions: list[str] = []
        self._unpack = msgspec.json.Decoder(float_hook=self._note_fraction).decode
        self.running: list[Course] = []
        self._young: dict[Key, Node] = {}
        self._old: dict[Key, Node] = {}
        self._waiting: dict[Key, list[Run]] = {}
        self._waited: dict[Key, list[Run]] = {}
        self._nodes = 0

    def _note_fraction(self, text: str) -> float:
        self._fractions.append(text)
        return float(text)

    def _ask(self, text: str) -> Any:
        """Ask the host what a script asks."""
        if SEALED_MARK in text:
            return self._host(unpack(text), "")
        asked = self._unpack(text)
        if self._fractions:
            self._fractions.clear()
            text = ""
        return self._host(asked, text)

    def tick(self) -> bool:
        """Count one tick of the script that runs; True when it must stop."""
        return self.running[-1].tick()

    def call(self, text: str) -> Any:
        """Answer a host call of the script that runs: from what it is given, else by asking the host."""
        course = self.running[-1]
        steps = course.steps
        if course.given and len(steps) < len(course.given):
            answer = course.given[len(steps)]
        elif course.failure is not None:
            raise course.failure
        else:
            answer = self._ask(text)
        steps.append((course.ticks, text, answer))
        return answer

    def follow(self, key: Key, cancelled: Callable[[], bool]) -> Node | Course:
        """Go along what is known of a call: return the leaf, or else a course that is known so far and no farther."""
        node = self._find(key)
        given: list[Any] = []
        ticks = 0
        while node is not None:
            while ticks < node.ticks:
                ticks += 1
                if cancelled():
                    return Course(cancelled, given, ticks, ticks)
            if node.call is None:
                return node
            try:
                answer = self._ask(node.call)
            except Exception as error:  # noqa: BLE001  it is raised again where the script stands
                return Course(cancelled, given, ticks, failure=error)
            given.append(answer)
            node = node.then.get(branch_of(answer))
        return Course(cancelled, given, ticks)

    def _find(self, key: Key) -> Node | None:
        """Return what is known of a call, put together from what it did since it was last asked for."""
        found = self._young.get(key)
        if found is None:
            found = self._old.get(key)
            if found is not None:
                self._young[key] = found
        waiting = self._waiting.pop(key, None) or self._waited.pop(key, None)
        if waiting is not None:
            for run in waiting:
                found = self._young[key] = grown(found, run)
        return found

    def keep(self, key: Key, course: Course, answer: Any) -> None:
        """Keep the course of a call that has returned; most never come again, and are put together only if they do."""
        if len(key[2]) > LONGEST or len(course.steps) > MOST_STEPS or any(len(s[1]) > LONGEST for s in course.steps):
            return
        if self._nodes > NODES:
            self._old, self._young, self._waited, self._waiting, self._nodes = self._young, {}, self._waiting, {}, 0
        steps = [(ticks, call, branch_of(given)) for ticks, call, given in course.steps]
        self._nodes += 1 + len(steps)
        self._waiting.setdefault(key, []).append((steps, course.ticks, answer))


Run = tuple[list[tuple[int, str, Any]], int, Any]  # a run: ticks, host call and branch of each step; ticks, answer


def grown(node: Node | None, run: Run) -> Node:
    """Return the tree of a call with one more run in it."""
    steps, ticks, answer = run
    following = [Node(at, call) for at, call, _branch in steps] + [Node(ticks, None, answer)]
    first = node = node or following[0]
    for (_at, _call, branch), then in zip(steps, following[1:], strict=True):
        node = node.then.setdefault(branch, then)
    return first
