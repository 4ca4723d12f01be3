"""A boundary around each thing that a run treats: what goes wrong in one harms nothing but that one.

Every stage at which words of players are read, judged or answered is named here, so that a test can make each fail.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from enum import StrEnum
from traceback import extract_tb
from typing import Final, TypeVar

from folkmoot.core.clone_files import is_machines
from folkmoot.core.fault_points import fault_point
from folkmoot.core.problems import Problem, ProblemError

T = TypeVar("T")


class Stage(StrEnum):
    """Where somebody's words are treated: each stage has a boundary of its own."""

    CONTENT = "content"  # the files of a pull request are read
    PLACE = "place"  # it is found out which game something is said to
    GIVEN_UP = "given-up"  # it is looked for who gives up an epoch whose secret is lost
    LETTER = "letter"  # a letter, or a pull request of the local forge, is read
    FACT = "fact"  # a content, remark or closing is understood
    ACT = "act"  # one act in it is judged
    FAULT = "fault"  # it is recorded that something failed
    TICK = "tick"  # a timer fires
    ANSWER = "answer"  # a pull request or an issue of a game is answered
    PREVIEW = "preview"  # what a pull request would do is tried
    NO_GAME = "no-game"  # a pull request or an issue of no game is answered
    WAITING = "waiting"  # it is told who is awaited in a game
    GAME = "game"  # all of one game is judged and answered


FAULT: Final = "E-FAULT"
SAID = "the engine failed over it; whoever keeps the engine can see why in the log of the run"
_PASSING = ("E-FORGE", "E-SECRET", "E-MOVED")
"""What is wrong with the network, or with what the referee was given: no input is to blame."""
_LOG = logging.getLogger("folkmoot")


def guarded(stage: Stage, do: Callable[[], T], otherwise: Callable[[Problem], T], *expected: type[Exception]) -> T:
    """Do something within a boundary; where it fails, do otherwise, told what is wrong.

    What is `expected`, and what is wrong with the machine or the network, is nobody's fault here, and passes.
    """
    try:
        fault_point(f"stage-{stage}")
        return do()
    except Exception as error:
        codes = {problem.code for problem in error.problems} if isinstance(error, ProblemError) else set()
        is_machines_fault = isinstance(error, MemoryError) or (isinstance(error, OSError) and is_machines(error))
        if isinstance(error, expected) or codes.intersection(_PASSING) or is_machines_fault:
            raise
        found = problem_of(error)
        if not isinstance(error, ProblemError):  # whoever keeps the engine is told where, without a word of a player's
            frames = reversed(extract_tb(error.__traceback__)[-8:])
            places = " < ".join(f"{frame.name}:{frame.lineno}" for frame in frames)
            _LOG.error("E-FAULT: %s while treating one %s, in %s", type(error).__name__, stage, places)
    return otherwise(found)


def problem_of(error: Exception) -> Problem:
    """Return what went wrong as a problem: the error's own if it is one, else that the engine failed."""
    if isinstance(error, ProblemError) and error.problems:
        return error.problems[0]
    return Problem(FAULT, SAID, None, "", {"error": type(error).__name__})
