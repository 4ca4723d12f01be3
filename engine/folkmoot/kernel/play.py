"""One event being judged: state, law, frames of running scripts, effects and reasons; the heart of the kernel.

`Play` runs hooks. What host functions do lives in the modules beside it (`registers`, `awards`, `votes`, `changes`,
`clock`, `acts`); each takes the play as its first argument.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MethodType
from typing import Any, NamedTuple, cast
from weakref import ref

import msgspec

from folkmoot.core.problems import Position, ProblemError
from folkmoot.core.values import flaw_of, size, told
from folkmoot.kernel.absence import Absence
from folkmoot.kernel.budget import FRESH, NESTED_EVENTS, Budget, budget_for
from folkmoot.kernel.chance import Chance, open_chance
from folkmoot.kernel.documents import Documents
from folkmoot.kernel.errors import Fault, Overrun, PlayEnds, Refusal
from folkmoot.kernel.frames import Frame, Scope
from folkmoot.kernel.lawbook import Lawbook, View
from folkmoot.kernel.script_records import Record, Trimmer, fields_read, record, spare, trimmer
from folkmoot.language.binding import Compiler, Program, ScriptError, pack_answer
from folkmoot.language.fields_used import parts_used
from folkmoot.language.guards import Guard, guard_of
from folkmoot.language.scan import PURE, hook_names, scan


def _weakly(method: MethodType) -> Callable[[list[Any]], Any]:
    """Return a function that calls a method without keeping its owner alive.

    What the language's binding holds on to is out of sight of Python's collector, so that no game would ever end.
    """
    owner, function = ref(method.__self__), method.__func__  # a WeakMethod would be made a method at each call

    def call(asked: list[Any]) -> Any:
        return function(owner(), asked)

    return call


def _identity(argument: Any) -> Any:
    """Return by what two arguments of a question are the same: proposals and rules by their ids."""
    if isinstance(argument, dict):
        return argument.get("id") or argument.get("uid") or msgspec.json.encode(argument, order="sorted")
    return argument


REFUSING = ("forbid", "decide_proper", "decide_may_change")  # where `require` is an opinion, not an error
LAW_READS = ("rule", "rules", "me", "ask", "setting", "cite", "declared_board")  # precedence may depend on them
MUTED_AT_MOST = 8  # without going to sleep
MUTED_FOR_ADMINISTRATORS = 3  # then no script is heard in the rest of their act
LOADING_TICKS = 1_000
NESTED_CALLS = 60
LONGEST_ERROR = 1_000  # characters that are kept of what a script's failure says
# Host functions that keep nothing of what they are given, and those after which a file of the game is no larger.
LOOKING = frozenset(
    "get get_all defined things rule rules law_version me now cause setting holder proposal proposals timer date "
    "moment declared_board digest ask locks_out settle cancel overrun cite destroy".split()
)
SHRINKING = LOOKING | {"repeal", "suspend", "wake", "require"}


class Look(NamedTuple):
    """What a hook of a script may do and see: whether it only looks, which fields it reads, which parts it is shown.

    `in_vain` tells of arguments with which it does nothing.
    """

    pure: str
    read: frozenset[str] | None
    trimmers: tuple[Trimmer, ...]
    in_vain: Guard | None

    def at(self, arguments: list[Any]) -> list[Any]:
        """Return what the hook is shown of its arguments: only what it can look at."""
        if len(self.trimmers) != len(arguments):
            return [spare(argument, self.read) for argument in arguments]
        if len(arguments) == 1:
            return [self.trimmers[0](arguments[0])]
        return [trim(argument) for trim, argument in zip(self.trimmers, arguments, strict=True)]


@lru_cache(maxsize=8192)
def look(script: str, hook: str) -> Look:
    """Return what a hook of a script may do and see."""
    read = fields_read(script)
    trimmers = tuple(trimmer(part, read) for part in parts_used(script, hook))
    return Look(hook if hook.startswith(PURE) else "", read, trimmers, guard_of(script, hook))


class Play:
    """Judges one event after the other on the same documents."""

    def __init__(self, documents: Documents, host: Mapping[str, Callable[..., Any]]) -> None:
        """`host[name](play, *arguments)` carries out a host function."""
        self.documents = documents
        self._host = host
        self.compiler = Compiler(_weakly(cast(MethodType, self._border)))
        self.law = Lawbook(documents, self._ask_prevails)
        self._programs: dict[str, Program | ScriptError | Fault] = {}
        self.muted: set[tuple[str, str]] = set()
        self.people: Any = None  # what `folkmoot.kernel.names` knows of the roster
        self.entered: Callable[[str, str], None] = lambda _uid, _hook: None
        self.loading: Callable[[str], None] = lambda _script: None
        self.restarted: Callable[[], None] = lambda: None
        self.begin(0, 0, open_chance("", ""))

    def begin(self, seq: int, now: int, chance: Chance, view: View = None) -> None:
        """Start judging an event at a time, with a source of chance."""
        self.seq, self.now, self.chance = seq, now, chance
        self.probing = False
        self.ticking = False
        self.actor: str | None = None
        self.person: str | None = None  # whose own act is being judged; no rule acts in their name meanwhile
        self.via: Record = {}
        self.shown_proposals: dict[str, tuple[tuple[Any, ...], Record, list[Record]]] = {}
        self.muted = set()
        self.absence = Absence()
        self.documents.begin()
        self.effects: list[Record] = []
        self._start_anew(view)

    def _start_anew(self, view: View = None) -> None:
        self.view = view
        self.reasons: list[Record] = []
        self.failures: list[Record] = []
        self.queue: list[tuple[str, Record]] = []
        self.frames: list[Frame] = []
        self.scopes: list[Scope] = []
        self.questions: list[str] = []
        self.budget = budget_for(len(self.documents.find("things/player") or ()))
        self.draft: Record | None = None
        self.stashed: BaseException | None = None
        self.law.begin()

    def mute(self, overrun: Overrun) -> bool:
        """Undo the event and start it anew without the rule that spent its budget; False if there is none to blame.

        So a rule that takes more than its share of every vote can still be repealed by a vote. An act of
        administrators goes on without any script where there is none to blame, or too many.
        """
        blamed = overrun.blame or overrun.outermost
        lenient = self.absence.lenient
        most = MUTED_FOR_ADMINISTRATORS if lenient else MUTED_AT_MOST + len(self.law.in_force())
        if blamed is not None and blamed not in self.muted and len(self.muted) < most:
            self.muted.add(blamed)
        elif lenient and not self.absence.silent:
            self.absence.silence()
        else:
            return False
        self.rollback((0, 0, 0))
        self.absence.makers.clear()
        self.absence.pardoned.clear()
        self.law.volatile = True  # what was answered with it is not what is answered without it
        self._start_anew()
        self.law.volatile = True
        self.restarted()
        return True

    # -- savepoints

    def mark(self) -> tuple[int, int, int]:
        """Return a savepoint of documents, effects and queue."""
        return self.documents.mark(), len(self.effects), len(self.queue)

    def rollback(self, mark: tuple[int, int, int]) -> None:
        """Undo everything since a savepoint."""
        undone = self.documents.rollback(mark[0])
        del self.effects[mark[1] :], self.queue[mark[2] :]
        if any(key == "law" or key.startswith("rules/") for key in undone):
            self.law.forget()
        if "roster" in undone:
            self.people = None

    def effect(self, kind: str, /, **fields: Any) -> Record:
        """Note an effect; empty fields are left out."""
        self.budget.spend("effects")
        rule = self.frames[-1].uid if self.frames else None
        noted: Record = {"effect": kind}
        for name, value in fields.items():
            if value is not None or name in ("from", "to"):
                noted[name] = value
        if rule and "rule" not in fields:
            noted["rule"] = rule
        self.budget.spend("output", size(noted, 2))
        self.effects.append(noted)
        return noted

    def reason(self, code: str, rule: str | None = None, /, **arguments: Any) -> None:
        """Note a reason of what is being decided."""
        noted: Record = {"code": code}
        if rule:
            noted["rule"] = rule
        if arguments:
            noted["args"] = arguments
        if noted not in self.reasons:
            self.budget.spend("reasons")
            self.budget.spend("output", size(noted, 2))
            self.reasons.append(noted)

    # -- calling into scripts

    def program(self, uid: str, script: str) -> Program:
        """Return the compiled script; raises ScriptError when it does not load."""
        if script not in self._programs:
            if len(self._programs) > 2_000:
                self._programs.clear()
            outer = self._enter(uid, "load", "load", None)
            self.loading(script)
            self._programs[script] = self._load(script)
            self.loading("")
            self._leave(outer)
        found = self._programs[script]
        if isinstance(found, Program):
            return found
        raise found.with_traceback(None)

    def _load(self, script: str) -> Program | ScriptError | Fault:
        """Compile a script, or say what is wrong with it: the same on every machine, whatever else is being judged."""
        for problem in scan(script).problems:
            place = problem.position or Position("")
            return ScriptError(problem.message, place.line, place.column)
        fuel = iter(range(LOADING_TICKS))
        try:
            return self.compiler.compile(script, lambda: next(fuel, None) is None)
        except ScriptError as error:
            stashed, self.stashed = self.stashed, None
            if isinstance(stashed, Fault):
                return stashed
            spent = next(fuel, None) is None
            return Fault("the script runs too long while it loads", "E-BUDGET") if spent else error

    def _enter(self, uid: str, hook: str, pure: str, read: frozenset[str] | None) -> dict[str, int]:
        """Begin a call with a fresh budget of its own; returns that of the caller, for `_leave`."""
        frames, outer = self.frames, self.budget.handler
        if len(frames) >= NESTED_CALLS:
            raise Fault(f"scripts call each other more than {NESTED_CALLS} deep", "E-BUDGET")
        self.budget.handler = FRESH.copy()
        frames.append(Frame(uid, hook, (frames[-1].pure or pure) if frames else pure, read))
        self._note(uid, hook)
        return outer

    def _note(self, uid: str, hook: str) -> None:
        """Say outside which hook runs, in the name of the rule that answers for it."""
        if not self.absence.makers:
            self.entered(uid, hook)
            return
        maker = self.absence.maker_of(uid)
        self.entered(maker, hook if maker == uid else f"{hook} of rule {uid}")

    def answer_for(self, uid: str, *, pardoned: bool) -> None:
        """Note who answers from now on in this event for a rule that was made, changed or woken.

        `pardoned` where that was a proposal's doing, or an administrator's; else a listener that did it answers.
        """
        if pardoned:
            self.absence.pardoned.add(uid)
        elif self.frames and self.frames[-1].hook.startswith("on_"):
            self.absence.makers[uid] = self.absence.maker_of(self.frames[-1].uid)

    def _leave(self, outer: dict[str, int]) -> None:
        self.frames.pop()
        self.budget.handler = outer
        if self.frames:
            self._note(self.frames[-1].uid, self.frames[-1].hook)

    def _reraise(self) -> None:
        """Raise the exception that a host function stashed, if there is one."""
        stashed, self.stashed = self.stashed, None
        if stashed is not None:
            raise stashed

    def call(self, uid: str, script: str, hook: str, arguments: list[Any]) -> Any:
        """Call a hook of a rule.

        Raises ScriptError, Fault, Refusal or PlayEnds as the script or what it called ended.
        """
        if self.muted and (uid, script) in self.muted:
            raise Fault("this script spent the budget of the whole event", "E-BUDGET")
        if self.absence.anybody and self.absence.lacks(uid, hook):
            raise Fault("this is not heard in this event", "E-LEFT-OUT")
        before = self.budget.spent.copy()
        try:
            program = self._programs.get(script)
            if not isinstance(program, Program):
                program = self.program(uid, script)
            seen = look(script, hook)
            if hook not in program.names or (seen.in_vain is not None and self._idles(seen.in_vain, arguments)):
                return None
            self.budget.spent["handler calls"] += 1  # looked at when it has returned, which it may have idly
            outer = self._enter(uid, hook, seen.pure, seen.read)
            try:
                answer = self._kept(self._run(program, hook, seen.at(arguments)))
            except MemoryError:
                raise
            except Exception:  # of what ends the process it must stay noted where that happened
                self._leave(outer)
                raise
            self._leave(outer)
            self.budget.count_call(before, idle=answer is None)
        except Overrun as overrun:
            overrun.outermost = (uid, script)
            if overrun.blame is None and self.budget.is_share(overrun.what, before):
                overrun.blame = (uid, script)
            raise
        except (ScriptError, Fault):
            self._count_failure((uid, script))
            raise
        self.stashed = None
        return answer

    def _kept(self, answer: Any) -> Any:
        """Return what a hook answered; raises Fault where no game can keep it."""
        if answer is None or type(answer) is bool:
            return answer
        flaw = flaw_of(answer, marked=True)
        if flaw:
            raise Fault(f"the answer holds {flaw}", "E-BOUNDS")
        return answer

    def _is_in_vain(self, uid: str, script: str, hook: str, arguments: list[Any]) -> bool:
        """Whether `call` would find that a hook does nothing: asked first, because no savepoint is needed for it.

        It is counted as the same call that runs and comes to nothing.
        """
        if self.muted or type(self._programs.get(script)) is not Program:
            return False
        guard = look(script, hook).in_vain
        try:
            return guard is not None and self._idles(guard, arguments)
        except Overrun as overrun:
            overrun.outermost = (uid, script)
            raise

    def _idles(self, guard: Guard, arguments: list[Any]) -> bool:
        """Whether a call is settled by its first test, which is counted."""
        if not guard(arguments):
            return False
        self.budget.idle_call()
        return True

    def _count_failure(self, blame: tuple[str, str]) -> None:
        """Count a failed call, which costs far more than one that goes well."""
        try:
            self.budget.spend("failures")
        except Overrun as overrun:
            overrun.blame = blame
            raise

    def _run(self, program: Program, hook: str, arguments: list[Any]) -> Any:
        try:
            return program.call(hook, arguments, self.budget.tick)
        except ScriptError:
            self._reraise()
            spent = self.budget.spent_of_event()
            if spent:
                raise Overrun(spent) from None
            if self.budget.handler_spent():
                raise Fault("the script ran too long", "E-BUDGET") from None
            raise

    def _admit(self, name: str) -> Frame:
        """Count a host call of the running frame; raises what ended the script before, and Fault while it loads."""
        if self.stashed is not None:
            raise self.stashed
        frame = self.frames[-1]
        if frame.hook == "load":
            raise Fault("nothing may be read or done while a script loads; do it in a hook")
        self.budget.host_call()
        if self.law.deciding and name not in LAW_READS:
            self.law.volatile = True
        return frame

    def _border(self, asked: list[Any]) -> Any:
        """Carry out a host function (`asked`: its name and arguments) for a script.

        Its exceptions are stashed because the binding makes text of them.
        """
        name = asked[0]
        asked[0] = self
        try:
            frame = self._admit(name)
            if name not in LOOKING:
                self._take(asked)
            answer = self._host[name](*asked)
            if self.documents.too_large and name not in SHRINKING:
                self._refuse_growth()
            kind = type(answer)
            if answer is None or kind is bool:
                return answer
            if kind is dict or kind is list:
                answer = spare(answer, frame.read)
            return pack_answer(answer)
        except ProblemError as error:
            fault = [problem for problem in error.problems if problem.code in ("E-DICE", "E-REPLAY", "E-SECRET")]
            self.stashed = error if fault else Fault(error.problems[0].message, error.problems[0].code)
            raise self.stashed from None
        except (Refusal, Fault, PlayEnds, ScriptError) as error:
            self.stashed = error
            raise
        except MemoryError as error:  # no fault of a script that it could answer: it ends the process
            self.stashed = error
            raise
        except RecursionError:
            self.stashed = Fault("calls are nested too deeply", "E-BUDGET")
            raise self.stashed from None

    def _take(self, asked: list[Any]) -> None:
        """Count what a script hands over as its output; raises Fault where no game can keep it."""
        output = 0
        for argument in asked[1:]:
            kind = type(argument)
            if argument is None or kind is bool:
                continue
            if flaw := flaw_of(argument, marked=True):
                raise Fault(f"no game can keep {flaw}", "E-BOUNDS")
            if kind is not int:
                output += len(argument) if kind is str else size(argument, 2)
        self.budget.spend("output", output)

    def _refuse_growth(self) -> None:
        """Raise Fault, because a script has let a file of the game grow too large; what it wrote is undone with it."""
        raise Fault(f"the game's file {self.documents.too_large} would grow too large", "E-BOUNDS")

    def writing(self, what: str) -> Frame | None:
        """Return the running frame; raises Fault where it may not write."""
        if not self.frames:
            return None
        frame = self.frames[-1]
        if frame.pure:
            raise Fault(f"{frame.pure} may only look, it cannot {what}", "E-PURE")
        return frame

    def failed(self, uid: str, hook: str, error: ScriptError | Fault) -> None:
        """Record that a hook of a rule failed; shown on the rule's page."""
        noted: Record = {"rule": uid, "hook": hook, "error": error.message[:LONGEST_ERROR]}
        if isinstance(error, ScriptError) and error.line:
            noted |= {"line": error.line, "column": error.column}
        if isinstance(error, Fault):
            noted["code"] = error.code
        if noted in self.failures:
            return
        self.failures.append(noted)

    # -- events

    def emit(self, name: str, payload: Record) -> None:
        """Raise an event: its listeners run at once, in order of precedence, each under its own savepoint."""
        hook = f"on_{name}"
        listeners = self.law.listeners(hook, view=self.view)
        if not listeners or self.absence.silent:
            return
        if self.budget.nested >= NESTED_EVENTS:
            raise Fault(f"events are nested more than {NESTED_EVENTS} deep", "E-BUDGET")
        self.budget.nested += 1
        self.scopes.append(Scope(record({"name": name, **payload})))
        try:
            for uid in listeners:
                self._hear(uid, hook)
        finally:
            self.scopes.pop()
            self.budget.nested -= 1

    def _hear(self, uid: str, hook: str) -> None:
        """Let one rule hear the event of the current scope; what it fails to do is undone alone."""
        version = self.law.in_force(self.view).get(uid)
        if version is None or version[1].get("suspended"):
            self.reason("SKIPPED-REPEALED" if version is None else "SKIPPED-SUSPENDED", uid, hook=hook)
            return
        script = version[0].get("script") or ""
        scope = self.scopes[-1]
        if hook not in hook_names(script) or self._is_in_vain(uid, script, hook, [scope.cause]):
            return
        if self.absence.anybody and self.absence.lacks(uid, hook):
            return
        mark, puts = self.mark(), scope.puts.copy()
        try:
            self.call(uid, script, hook, [scope.cause])
        except Overrun:
            raise
        except (ScriptError, Fault, Refusal) as error:
            self.rollback(mark)
            scope.puts = puts
            self.failed(uid, hook, Fault(str(error), error.code) if isinstance(error, Refusal) else error)

    def drain(self) -> None:
        """Raise what was queued for the end of the transaction, first in, first out."""
        while self.queue:
            name, payload = self.queue.pop(0)
            self.emit(name, payload)

    # -- questions

    def advise(self, uid: str, hook: str, arguments: list[Any]) -> Any:
        """Call an advisory hook; an error counts as no opinion and is recorded."""
        version = self.law.in_force(self.view).get(uid)
        script = (version[0].get("script") or "") if version else ""
        if hook not in hook_names(script) or self._is_in_vain(uid, script, hook, arguments):
            return None
        if self.absence.anybody and self.absence.lacks(uid, hook):
            return self._unheard(uid, hook)
        try:
            return self.call(uid, script, hook, arguments)
        except Overrun:
            raise
        except (ScriptError, Fault) as error:
            if isinstance(error, Fault) and error.code == "E-CIRCLE" and len(self.questions) > 1:
                raise
            self.failed(uid, hook, error)
            return None
        except Refusal as refusal:
            if hook.startswith(REFUSING):
                return {"refused": refusal.code, "why": refusal.why}
            self.failed(uid, hook, Fault(str(refusal), refusal.code))
            return None

    def _unheard(self, uid: str, hook: str) -> Record | None:
        """Return what stands for the opinion of a hook that was left out: none, but what guards acts refuses them."""
        why = self.absence.left_out.get((uid, hook))
        guards = hook.startswith(REFUSING) and not self.absence.lenient
        return {"refused": "E-BUDGET", "why": why} if why is not None and guards else None

    def answers(self, question: str, arguments: list[Any]) -> list[tuple[str, Any]]:
        """Return (uid, answer) of every rule that answers a question, highest precedence first."""
        hook = f"decide_{question}"
        if question == "prevails":
            listeners = self.law.by_default(hook, self.view)
        else:
            listeners = self.law.listeners(hook, view=self.view)
        if not listeners or self.absence.silent:
            return []
        asked = f"{question}{[_identity(argument) for argument in arguments]}" if arguments else question
        if asked in self.questions:
            raise Fault(f"the question {told(question)} asks itself with the same arguments", "E-CIRCLE")
        self.questions.append(asked)
        try:
            found = [(uid, self.advise(uid, hook, arguments)) for uid in listeners]
        finally:
            self.questions.pop()
        return [(uid, answer) for uid, answer in found if answer is not None]

    def ask(self, question: str, *arguments: Any) -> Any:
        """Return the answer that prevails, or None; answers it overrules are noted."""
        return self.ask_whose(question, *arguments)[1]

    def ask_whose(self, question: str, *arguments: Any) -> tuple[str | None, Any]:
        """Return the uid of the rule whose answer prevails, and the answer."""
        found = self.answers(question, list(arguments))
        if not found:
            return None, None
        uid, answer = found[0]
        for lower, other in found[1:]:
            if other != answer and question != "prevails" and not self.probing:
                self.reason("OVERRULED", lower, question=question, by=uid)
        return uid, answer

    def _ask_prevails(self, a: Record, b: Record, view: View) -> tuple[str | None, list[Record]]:
        """Return which of two rules prevails, and what failed in asking.

        Asked apart from the event that happens to need it first, because the answer is kept for later ones.
        """
        kept = (self.view, self.budget, self.reasons, self.failures, self.questions, self.scopes, self.frames)
        self.view, self.budget, self.reasons, self.failures = view, Budget(), [], []
        self.questions, self.scopes, self.frames = [], [], []
        try:
            answers = self.answers("prevails", [a, b])
            uids = [answer.get("uid") for _uid, answer in answers if isinstance(answer, dict)]
            return next((uid for uid in uids if uid in (a["uid"], b["uid"])), None), self.failures
        except Overrun as overrun:
            self.failed(overrun.blame[0] if overrun.blame else a["uid"], "decide_prevails", overrun)
            return None, self.failures
        finally:
            self.view, self.budget, self.reasons, self.failures, self.questions, self.scopes, self.frames = kept

    def call_library(self, name: str, arguments: list[Any]) -> Any:
        """Call a function of the library, as in `numbers.gcd`."""
        module, _, function = name.partition(".")
        program = self.program("library", f'load("{module}", f_ = "{function}")\ndef call_it(a):\n    return f_(*a)\n')
        return program.call("call_it", [arguments], self.budget.tick)

    def cite(self) -> str | None:
        """Return the uid of the rule whose script is running."""
        return self.frames[-1].uid if self.frames else None
