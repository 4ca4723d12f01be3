"""Calls of sealed functions: what they see is sealed, they see nothing else, and nothing but their answer comes out."""

from __future__ import annotations

from typing import Any

from folkmoot.core.canonical_json import canonical_bytes
from folkmoot.core.records import Arguments
from folkmoot.core.sealed_data import numbers_in, with_contents
from folkmoot.core.values import SEALED
from folkmoot.kernel.errors import Fault, Overrun, PlayEnds, Refusal
from folkmoot.kernel.frames import Frame
from folkmoot.kernel.hook_calls import RUNNING, note_running
from folkmoot.kernel.play import Play
from folkmoot.kernel.sealed_values import draws_under, find, keep, look_into
from folkmoot.kernel.vault import Content, content_of
from folkmoot.language.binding import ScriptError

TICKS = 2_000  # of the interpreter, whatever the rest of the event has spent
LONGEST_ERROR = 500
LONGEST_ANSWER = 200
CALL_COST = 20
"""Host calls that a sealed function counts as, whatever it does: what it costs must not tell what it saw."""


def compute(play: Play, function: Any, arguments: list[Any]) -> Arguments:
    """Have a sealed function of the rule that runs look into values; returns what stands for its answer."""
    frame = play.writing("compute with what is sealed")
    if frame is None or not isinstance(function, str):
        raise Fault("say by its name which function is to look into what is sealed", "E-ARGS")
    check_declared(play, frame, function)
    play.budget.spend("host calls", CALL_COST)
    numbers = list(dict.fromkeys(numbers_in(arguments)))
    for number in numbers:
        look_into(play, number)
    rests_on = _rests_on(play, numbers)

    def answer() -> Content:
        content = answer_of(play, frame, function, _plain(play, arguments))
        play.vault.note(told_of_call(play, frame, function, content), rests_on)
        return content

    made = keep(play, _common_readers(play, numbers), [answer], draws_under(play, numbers))[0]
    play.vault.rests_on[int(made[SEALED])] = rests_on
    return made


def _rests_on(play: Play, numbers: list[int]) -> frozenset[int] | None:
    """Return on which values from before this event some values rest; None where on one that nobody may read."""
    found: set[int] = set()
    for number in numbers:
        new = find(play, number)["seq"] == play.seq
        rest = play.vault.rests_on.get(number) if new else {number}
        if rest is None:
            return None
        found |= rest
    return frozenset(found)


def _common_readers(play: Play, numbers: list[int]) -> list[str]:
    """Return who reads all of some sealed values; of what was opened everybody does."""
    closed = [found["readers"] for found in (find(play, number) for number in numbers) if "opened" not in found]
    if not closed:
        return []
    return [reader for reader in closed[0] if all(reader in readers for readers in closed[1:])]


def _plain(play: Play, value: Any) -> Any:
    """Return a value with contents in the place of what stands for them; raises Unreadable."""

    def content(number: int) -> Any:
        known = find(play, number)
        return known["opened"] if "opened" in known else play.vault.look(number).value

    return with_contents(value, content)


def check_declared(play: Play, frame: Frame, function: str) -> None:
    """Raise Fault unless the rule that runs declares a function as sealed, and its script has it."""
    version = play.law.in_force(play.view).get(frame.uid)
    declared = (version[0].get("sealed") or {}) if version else {}
    if function not in declared:
        raise Fault(f"this rule declares no sealed function {function}; name it under `sealed:`", "E-NO-SUCH")
    if frame.program is None or function not in frame.program.names:
        raise Fault(f"this rule's script has no function {function}", "E-NO-SUCH")


def answer_of(play: Play, frame: Frame, function: str, arguments: list[Any]) -> Content:
    """Return what a sealed function answers, or nothing and why it failed; whatever it does, it costs the same."""
    assert frame.program is not None
    fuel = iter(range(TICKS))
    play.frames.append(Frame(frame.uid, function, "a sealed function", frame.program, sealed=True))
    note_running(play, frame.uid, f"sealed {function}")
    RUNNING.plays.append(play)
    try:
        return content_of(frame.program.call(function, arguments, lambda: next(fuel, None) is None))
    except (ScriptError, Fault, Refusal, Overrun, PlayEnds) as error:
        return Content(None, error=_said(error, play.stashed or error)[:LONGEST_ERROR])
    finally:
        play.stashed = None
        RUNNING.plays.pop()
        play.frames.pop()
        note_running(play, frame.uid, frame.hook)


def _said(error: BaseException, cause: BaseException) -> str:
    """Return what the cause of an error says, after the line of the script where that was met."""
    line = error.line if isinstance(error, ScriptError) else 0
    return f"{f'line {line}: ' if line else ''}{getattr(cause, 'message', cause)}"


def told_of_call(play: Play, frame: Frame, function: str, content: Content) -> str:
    """Return what somebody is told of a sealed function who may read all that it saw."""
    version = play.law.in_force(play.view).get(frame.uid)
    name = f"{function} of rule {version[0]['rule'] if version else frame.uid}"
    return f"{name} failed: {content.error}" if content.error else f"{name} gave {_short(content.value)}"


def _short(value: Any) -> str:
    text = canonical_bytes(value).decode()
    return text if len(text) <= LONGEST_ANSWER else f"{text[:LONGEST_ANSWER]}…"
