"""Calls of sealed functions: what they see is sealed, they see nothing else, and nothing but their answer comes out."""

from __future__ import annotations

from typing import Any

from folkmoot.kernel.errors import Fault, Overrun, PlayEnds, Refusal
from folkmoot.kernel.event_state import EventState
from folkmoot.kernel.frames import Frame
from folkmoot.kernel.hook_calls import RUNNING, note_running
from folkmoot.kernel.vault import Content, content_of
from folkmoot.language.binding import ScriptError

TICKS = 2_000  # of the interpreter, whatever the rest of the event has spent
LONGEST_ERROR = 500


def check_declared(play: EventState, frame: Frame, function: str) -> None:
    """Raise Fault unless the rule that runs declares a function as sealed, and its script has it."""
    version = play.law.in_force(play.view).get(frame.uid)
    declared = (version[0].get("sealed") or {}) if version else {}
    if function not in declared:
        raise Fault(f"this rule declares no sealed function {function}; name it under `sealed:`", "E-NO-SUCH")
    if frame.program is None or function not in frame.program.names:
        raise Fault(f"this rule's script has no function {function}", "E-NO-SUCH")


def answer_of(play: EventState, frame: Frame, function: str, arguments: list[Any]) -> Content:
    """Return what a sealed function answers, or nothing and why it failed; whatever it does, it costs the same."""
    assert frame.program is not None
    fuel = iter(range(TICKS))
    play.frames.append(Frame(frame.uid, function, "a sealed function", None, frame.program, sealed=True))
    note_running(play, frame.uid, f"sealed {function}")
    RUNNING.plays.append(play)
    try:
        return content_of(frame.program.call(function, arguments, lambda: next(fuel, None) is None))
    except (ScriptError, Fault, Refusal, Overrun, PlayEnds) as error:
        said = play.stashed or error
        return Content(None, error=str(getattr(said, "message", said))[:LONGEST_ERROR])
    finally:
        play.stashed = None
        RUNNING.plays.pop()
        play.frames.pop()
        note_running(play, frame.uid, frame.hook)
