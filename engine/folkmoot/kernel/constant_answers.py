"""Questions whose answers ask nothing of the engine: until the law changes they are answered without any script.

A rule that says of a kind of motion what it is like is asked so for every motion, and so are all others that say it of
other kinds. What such scripts answer follows from the arguments alone. It counts as if they had run.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from folkmoot.kernel.budget import Budget
from folkmoot.kernel.lawbook import View

MOST = 4_096  # questions that are kept
SCALARS = frozenset([str, int, bool, type(None)])
COUNTED = ("handler calls", "idle calls")
Answers = list[tuple[str, Any]]


class Constant(NamedTuple):
    """What all rules with a hook answered to a question, and how many of their calls counted as which."""

    listeners: list[str]
    answers: list[tuple[str, bytes]]
    handler_calls: int
    idle_calls: int


class ConstantAnswers:
    """The answers that are known to follow from the question alone, by the question and the law that governs."""

    def __init__(self) -> None:
        """Begin with none."""
        self._known: dict[tuple[str, View], Constant] = {}

    def recall(self, asked: str, view: View, listeners: list[str], budget: Budget) -> Answers | None:
        """Return what was answered by these very listeners, and count their calls; None where they are to be asked.

        Another state of the law has another list of them, also where it names the same rules.
        """
        known = self._known.get((asked, view))
        if known is None or known.listeners is not listeners or not budget.has_calls(*known[2:]):
            return None
        budget.spent["handler calls"] += known.handler_calls
        budget.spent["idle calls"] += known.idle_calls
        return [(uid, msgspec.json.decode(answer)) for uid, answer in known.answers]

    def keep(
        self,
        asked: str,
        view: View,
        listeners: list[str],
        answers: Answers,
        before: dict[str, int],
        after: dict[str, int],
    ) -> None:
        """Keep answers if nothing was spent on them but calls: neither time, nor anything of the engine."""
        if any(after[what] != before[what] for what in before if what not in COUNTED):
            return
        if len(self._known) >= MOST:
            self._known.clear()
        try:
            kept = [(uid, msgspec.json.encode(answer)) for uid, answer in answers]
        except (OverflowError, msgspec.MsgspecError):  # integers wider than 64 bits
            return
        calls = [after[what] - before[what] for what in COUNTED]
        self._known[asked, view] = Constant(listeners, kept, *calls)
