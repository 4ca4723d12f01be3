"""Calling hooks of rules' scripts: compiled once, entered with a budget of their own, answered at the border.

`call` is the only way into a script; `border` the only way out of one, to the host functions of `folkmoot.kernel.host`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import local
from typing import Any

from folkmoot.core import sealed_data
from folkmoot.core.documents import Proposal
from folkmoot.core.problems import ProblemError
from folkmoot.core.records import ScriptRecord
from folkmoot.core.values import flaw_of, size
from folkmoot.kernel.budget import FRESH
from folkmoot.kernel.errors import Fault, Overrun, PlayEnds, Refusal
from folkmoot.kernel.event_state import EventState, Frame
from folkmoot.kernel.script_records import PROPOSAL, kept
from folkmoot.language.binding import LOADING_TICKS, Compiler, Linked, Program, ScriptError, pack_answer
from folkmoot.language.host_functions import NOTHING, VALUES, HostFunction
from folkmoot.language.tree import PURE

NESTED_CALLS = 60
MISUSED = (TypeError, LookupError, AttributeError, ValueError, ArithmeticError)


class Running(local):
    """The plays whose scripts run in a thread, the innermost last, and the programs that all its plays share.

    A script sees nothing while it loads, so that it loads alike in every game; what it calls later is answered by the
    play that called it. Nothing here keeps a play alive: what the language's binding holds on to is out of sight of
    Python's collector.
    """

    def __init__(self) -> None:
        """Begin without the prelude and the library, which the first script to be compiled brings."""
        self.plays: list[EventState] = []
        self.compiler: Compiler | None = None
        self.programs: dict[Linked, Program] = {}

    def compile(self, play: EventState, linked: Linked, cancelled: Callable[[], bool]) -> Program:
        """Compile a script with the prelude of a play's host functions, which is that of all plays."""
        if self.compiler is None:
            self.compiler = Compiler(
                lambda asked, sealed: border(self.plays[-1], asked, holds_sealed=sealed), play.host.prelude
            )
        return self.compiler.compile(linked[0], cancelled, *linked[1:])


RUNNING = Running()
PROGRAMS_KEPT = 1_000


# -- into scripts


def program(play: EventState, uid: str, script: str, linked: Linked = ()) -> Program:
    """Return the compiled script; raises ScriptError when it does not load.

    `linked` holds those of the rules that it loads from, too; by itself it loads from the rules in force.
    """
    linked = linked or play.law.linked(script, play.view)
    if linked not in play.programs:
        if len(play.programs) > 2_000:
            play.programs.clear()
        outer = _enter(play, uid, "load", "load")
        play.frames[-1].mute = ("nothing may be read or done while a script loads; do it in a hook",)
        play.loading(script)
        play.programs[linked] = _load(play, linked)
        play.loading("")
        _leave(play, outer)
    found = play.programs[linked]
    if isinstance(found, Program):
        return found
    raise found.with_traceback(None)


def _load(play: EventState, script: Linked) -> Program | ScriptError | Fault:
    """Compile a script, or say what is wrong with it: the same on every machine, whatever else is being judged."""
    if script in RUNNING.programs:
        return RUNNING.programs[script]
    fuel = iter(range(LOADING_TICKS))
    RUNNING.plays.append(play)
    try:
        return _keep(script, RUNNING.compile(play, script, lambda: next(fuel, None) is None))
    except ScriptError as error:
        stashed, play.stashed = play.stashed, None
        if isinstance(stashed, Fault):
            return stashed
        spent = next(fuel, None) is None
        return Fault("the script runs too long while it loads", "E-BUDGET") if spent else error
    finally:
        RUNNING.plays.pop()


def _keep(script: Linked, made: Program) -> Program:
    if len(RUNNING.programs) >= PROGRAMS_KEPT:
        RUNNING.programs.clear()
    RUNNING.programs[script] = made
    return made


def _enter(play: EventState, uid: str, hook: str, pure: str, running: Program | None = None) -> dict[str, int]:
    """Begin a call with a fresh budget of its own; returns that of the caller, for `_leave`.

    `pure` names the hook where it may only look.
    """
    frames, budget = play.frames, play.budget
    if len(frames) >= NESTED_CALLS:
        raise play.too_deep(f"scripts call each other more than {NESTED_CALLS} deep", (uid, hook))
    outer, budget.handler = budget.handler, FRESH.copy()
    frames.append(Frame(uid, hook, (frames[-1].pure or pure) if frames else pure, running))
    note_running(play, uid, hook)
    return outer


def _leave(play: EventState, outer: dict[str, int]) -> None:
    frames = play.frames
    frames.pop()
    play.budget.handler = outer
    if frames:
        note_running(play, frames[-1].uid, frames[-1].hook)


def note_running(play: EventState, uid: str, hook: str) -> None:
    """Say outside which hook runs, in the name of the rule that answers for it."""
    made = play.silenced.makers
    maker = next((made[each] for each in play.law.linked_rules(uid, play.view) if each in made), uid) if made else uid
    play.entered(maker, hook if maker == uid else f"{hook} of rule {uid}")


def call(play: EventState, uid: str, script: str, hook: str, arguments: list[Any]) -> Any:
    """Call a hook of a rule.

    Raises ScriptError, Fault, Refusal or PlayEnds as the script or what it called ended.
    """
    if play.muted and (uid, script) in play.muted:
        raise Fault("this script spent the budget of the whole event", "E-BUDGET")
    if play.silenced.lacks(uid, hook):
        raise Fault("this is not heard in this event", "E-LEFT-OUT")
    before = play.budget.spent.copy()
    try:
        found = program(play, uid, script)
        if hook not in found.names:
            return None
        play.budget.spent["handler calls"] += 1  # looked at when it has returned, which it may have idly
        answer = _within(play, uid, hook, found, arguments)
        play.budget.count_call(before, idle=answer is None)
    except Overrun as overrun:
        overrun.outermost = (uid, script)
        if overrun.blame is None and play.budget.is_share(overrun.what, before):
            overrun.blame = (uid, script)
        raise
    except (ScriptError, Fault):
        _count_failure(play, (uid, script))
        raise
    play.stashed = None
    return answer


def _within(play: EventState, uid: str, hook: str, found: Program, arguments: list[Any]) -> Any:
    """Run a hook in a frame of its own and return its answer."""
    outer = _enter(play, uid, hook, hook if hook.startswith(PURE) else "", found)
    if play.veiled and is_own(play, uid):
        arguments = as_outside(play, arguments)
    try:
        answer = _run(play, found, hook, arguments)
        if answer is not None and type(answer) is not bool and (flaw := flaw_of(answer, marked=True)):
            raise Fault(f"the answer holds {flaw}", "E-BOUNDS")
    except MemoryError:  # of what ends the process it must stay noted where that happened
        raise
    except Exception:
        _leave(play, outer)
        raise
    _leave(play, outer)
    return answer


def _run(play: EventState, found: Program, hook: str, arguments: list[Any]) -> Any:
    RUNNING.plays.append(play)
    try:
        return found.call(hook, arguments, play.budget.tick)
    except ScriptError:
        stashed, play.stashed = play.stashed, None
        if stashed is not None:
            raise stashed from None
        spent = play.budget.spent_of_event()
        if spent:
            raise Overrun(spent) from None
        if play.budget.handler_spent():
            raise Fault("the script ran too long", "E-BUDGET") from None
        raise
    finally:
        RUNNING.plays.pop()


def _count_failure(play: EventState, blame: tuple[str, str]) -> None:
    """Count a failed call, which costs far more than one that goes well."""
    try:
        play.budget.spend("failures")
    except Overrun as overrun:
        overrun.blame = blame
        raise


def call_library(play: EventState, name: str, arguments: list[Any]) -> Any:
    """Call a function of the library, as in `numbers.gcd`."""
    module, _, function = name.partition(".")
    text = f'load("{module}", f_ = "{function}")\ndef call_it(a):\n    return f_(*a)\n'
    made = program(play, "library", text)
    RUNNING.plays.append(play)
    try:
        return made.call("call_it", [arguments], play.budget.tick)
    finally:
        RUNNING.plays.pop()


# -- out of scripts


def border(play: EventState, asked: list[Any], *, holds_sealed: bool) -> Any:
    """Carry out a host function (`asked`: its name and arguments) for the script that runs.

    `holds_sealed` says whether anything sealed may be among the arguments. Its exceptions are stashed because the
    binding makes text of them.
    """
    name = asked[0]
    asked[0] = play
    try:
        frame = play.frames[-1]
        if play.stashed is not None or frame.mute:
            raise play.stashed or Fault(*frame.mute)
        play.budget.spend("host calls")
        function = play.host[name]
        if play.law.deciding:
            play.law.surveyed |= name != "me"
            play.law.volatile |= not function.law
        if holds_sealed:
            _check_sealed(play, name, asked[1:])
        if function.keeps is not NOTHING:
            _take(play, function, asked)
        answer = function.carries_out(*asked)
        if play.documents.too_large and function.grows:
            raise Fault(f"the game's file {play.documents.too_large} would grow too large", "E-BOUNDS")
        kind = type(answer)
        if answer is None or kind is bool:
            return answer
        if play.veiled and is_own(play, frame.uid):
            answer = as_outside(play, answer)
        return pack_answer(answer)
    except (ProblemError, Refusal, Fault, PlayEnds, ScriptError, MemoryError, RecursionError, *MISUSED) as error:
        stashed = play.stashed = _told_as(name, error)
        if stashed is error:
            raise
        raise stashed from None


def _told_as(name: str, error: Exception) -> Exception:
    """Return as what an exception of a host function is told: itself, or the fault that it is of whoever called."""
    if isinstance(error, ProblemError):
        inputs = any(problem.code in ("E-DICE", "E-LIST", "E-REPLAY", "E-SECRET") for problem in error.problems)
        return error if inputs else Fault(error.problems[0].message, error.problems[0].code)
    # Of memory that is spent: it is no fault of a script that it could answer, and ends the process
    known = isinstance(error, (Refusal, Fault, PlayEnds, ScriptError, MemoryError))
    if known:
        return error
    if isinstance(error, RecursionError):  # never in the interpreter's words: each of its versions has others
        return Fault("calls are nested too deeply", "E-BUDGET")
    return Fault(f"{name}() was given a value of a type that it cannot take", "E-ARGS")


def _check_sealed(play: EventState, name: str, arguments: list[Any]) -> None:
    """Raise Fault where a script hands over something sealed in the place of what is looked at."""
    looked_at = (each for place, each in enumerate(arguments) if place != play.host.sealed[name])
    if any(map(sealed_data.holds_sealed, looked_at)):
        raise Fault(f"{name}() cannot be given here what is sealed", "E-SEALED")


def _take(play: EventState, function: HostFunction, asked: list[Any]) -> None:
    """Count what a script hands over as its output; raises Fault where no game can keep it."""
    if function.keeps is VALUES:
        asked[1:] = map(kept, asked[1:])
    output = 0
    for argument in asked[1:]:
        kind = type(argument)
        if argument is None or kind is bool:
            continue
        if flaw := flaw_of(argument, marked=True):
            raise Fault(f"no game can keep {flaw}", "E-BOUNDS")
        if kind is not int:
            output += len(argument) if kind is str else size(argument, 2)
    play.budget.spend("output", output)


# -- what the scripts that a proposal brings see of its ballots while it is made law, or tried: what outsiders see
#
# So no proposal can do one thing or another by who voted how on it, and no trial of it tells how anybody voted. What it
# brings sees the ballots on everything else, and once it is law its own, as all rules do.


@contextmanager
def veil(play: EventState, proposal: Proposal) -> Iterator[None]:
    """Keep a proposal's ballots from what it brings, but those that the law displays while votes run."""
    outer = play.veiled
    if not proposal.get("displayed"):
        play.veiled = proposal["id"]
    try:
        yield
    finally:
        play.veiled = outer


def is_own(play: EventState, uid: str) -> bool:
    """Whether a rule, or one that it loads from, is as it is by the proposal that is veiled, or an order of it."""
    metas = play.law.metas()
    return uid == play.veiled or any(
        each in metas and metas[each]["cause"] == play.veiled for each in play.law.linked_rules(uid, play.view)
    )


def as_outside(play: EventState, value: Any) -> Any:
    """Return what a script is shown, without the ballots on the proposal that is veiled."""
    if isinstance(value, list):
        return [as_outside(play, item) for item in value]
    if not isinstance(value, dict):
        return value
    shown: ScriptRecord = {key: as_outside(play, item) if key != "ballots" else item for key, item in value.items()}
    if shown.get("$") == PROPOSAL and shown.get("id") == play.veiled:
        shown["ballots"] = []
    return shown
