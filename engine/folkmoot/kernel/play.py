"""One event being judged: it is raised, rules hear it, and questions are put to the law; the heart of the kernel.

`Play` knows what has come of the event, undoes it, raises events and asks questions; below it stand the calls of hooks:
`call` is the only way into a script, and `border` the only way out of one, to the host functions of
`folkmoot.kernel.host`. What those do lives in the modules beside this; each takes the play as its first argument.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from threading import local
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct, field

from folkmoot.core import sealed_data
from folkmoot.core.declared_kinds import PROPOSAL, lineage
from folkmoot.core.documents import Proposal
from folkmoot.core.keys import GAME, LAW, proposal_key
from folkmoot.core.problems import ProblemError
from folkmoot.core.records import Arguments, Effect, Failure, Reason, ScriptRecord, Via
from folkmoot.core.values import flaw_of, size, told
from folkmoot.core.word_lists import WordList
from folkmoot.kernel import script_records
from folkmoot.kernel.act_declarations import VOTE
from folkmoot.kernel.budget import FRESH, NESTED_EVENTS, PER_EVENT, PER_HANDLER, Budget, budget_for
from folkmoot.kernel.chance import Chance, open_chance
from folkmoot.kernel.documents import Documents
from folkmoot.kernel.errors import (
    LEFT_OUT,
    FailedGuard,
    Fault,
    Overrun,
    PlayEnds,
    Refusal,
    Silenced,
    TooDeep,
    failures_of_now,
    is_needed,
    shortened,
)
from folkmoot.kernel.lawbook import Lawbook, View
from folkmoot.kernel.script_records import kept, record
from folkmoot.language.binding import (
    LOADING_TICKS,
    Compiler,
    Linked,
    Program,
    ScriptError,
    is_of_sealed,
    pack_answer,
)
from folkmoot.language.declarations import NOTHING, VALUES, HostFunction, HostFunctions
from folkmoot.language.tree import PURE, hook_names

MUTED_AT_MOST = 8  # without going to sleep
MUTED_FOR_ADMINISTRATORS = 3  # then no script is heard in the rest of their act
LONGEST_ERROR = 1_000  # characters that are kept of what a script's failure says


class Scope(Struct):
    """One event (or action) being handled: what caused what, and who set which register in it, or which key of one."""

    cause: ScriptRecord | None
    puts: dict[tuple[str, ...], tuple[str, Any]] = field(default_factory=dict)


class Sent(NamedTuple):
    """Which entry brought the act that is judged, and when: of an act that waited, those of before."""

    entry: int
    at: int


class Released(NamedTuple):
    """An act that waited, by the entry that brought it, and which effects of this event are its own."""

    entry: int
    start: int
    end: int


class Frame(Struct):
    """One running script: whose, and which hook.

    `pure` names the hook that forbids writing here: itself, or one that it serves; "" where it may write. `program` is
    what it runs; `mute` says why that may ask nothing of the engine, and with which code it fails if it does.
    """

    uid: str
    hook: str
    pure: str = ""
    program: Program | None = None
    mute: tuple[str, ...] = ()


class Play:
    """Judges one event after the other on the same documents."""

    def __init__(self, documents: Documents, host: HostFunctions) -> None:
        """`host` is all that scripts may call."""
        self.documents = documents
        self.host = host
        self.law = Lawbook(documents, self._ask_prevails)
        self.programs: dict[Linked, Program | ScriptError | Fault] = {}
        self.muted: set[tuple[str, str]] = set()
        self.word_lists: dict[str, WordList] = {}  # by digest; see `folkmoot.kernel.host`
        self.lengths: dict[tuple[str, str, str], tuple[Any, int]] = {}  # see `folkmoot.kernel.registers`
        self.people: Any = None  # what `folkmoot.kernel.names` knows of the roster
        self.entered: Callable[[str, str], None] = lambda _uid, _hook: None
        self.contents: Callable[[int], Any] = lambda _number: None  # what is sealed, where it is at hand
        self.details: dict[str, str] = {}  # what refused acts told their authors in secret, last, where it is at hand
        self.loading: Callable[[str], None] = lambda _script: None
        self.debugged: Callable[[Failure], None] = lambda _note: None  # what scripts debug, where rules are tried
        self.restarted: Callable[[], None] = lambda: None
        self.begin(0, 0, open_chance("", ""))

    def begin(
        self, seq: int, now: int, chance: Chance, view: View = None, vault: Callable[[], Any] | None = None
    ) -> None:
        """Start judging an event at a time, with a source of chance, and what opens the `vault` of what is sealed."""
        self.seq, self.now, self.chance = seq, now, chance
        self.vault: Any = None  # what was asked of what is sealed; see `folkmoot.kernel.sealed_data`
        self.open_vault = vault
        self.probing = False
        self.ticking = False
        self.actor: str | None = None
        self.person: str | None = None  # whose own act is being judged; no rule acts in their name meanwhile
        self.via: Via = {}
        self.sent = Sent(seq, now)
        self.released: list[Released] = []
        self.muted = set()
        self.veiled: str | None = None  # id of the proposal whose ballots what it brings does not see
        self.muted_guards: set[str] = set()  # uids of rules muted because a guard of theirs spent the budget
        self.silenced = Silenced()
        self.documents.begin()
        self.effects: list[Effect] = []
        self._start_anew(view)

    def _start_anew(self, view: View = None) -> None:
        self.view = view
        self.reasons: list[Reason] = []
        self.failures: list[Failure] = []
        self.queue: list[tuple[str, Arguments]] = []
        self.frames: list[Frame] = []
        self.scopes: list[Scope] = []
        self.questions: list[str] = []
        self.budget = budget_for(len(self.documents.find("things/player") or ()))
        self.draft: Proposal | None = None
        self.undecided: set[str] = set()  # ids of proposals that were closed in this event and not resolved
        self.unheard: list[tuple[str, FailedGuard]] = []  # who had to be heard before the act that is begun
        self.stashed: BaseException | None = None
        self.law.begin()

    def mute(self, overrun: Overrun) -> bool:
        """Undo the event and start it anew without the rule that spent its budget; False if there is none to blame."""
        blamed = overrun.blame or overrun.outermost
        lenient = self.silenced.lenient
        most = MUTED_FOR_ADMINISTRATORS if lenient else MUTED_AT_MOST + len(self.law.in_force())
        if blamed is not None and blamed not in self.muted and len(self.muted) < most:
            self.muted.add(blamed)
            if overrun.of_guard:
                self.muted_guards.add(blamed[0])
        elif lenient and not self.silenced.silent:
            self.silenced.silent = True
        else:
            return False
        self.rollback((0, 0, 0))
        self.silenced.makers.clear()
        self.silenced.pardoned.clear()
        self.law.volatile = True  # what was answered with it is not what is answered without it
        self._start_anew()
        self.law.volatile = True
        self.restarted()
        return True

    # -- savepoints, and what is otherwise for a while

    @contextmanager
    def having(self, **others: Any) -> Iterator[None]:
        """Have other values of some attributes for a while."""
        before = {name: getattr(self, name) for name in others}
        vars(self).update(others)
        try:
            yield
        finally:
            vars(self).update(before)

    def mark(self) -> tuple[int, int, int]:
        """Return a savepoint of documents, effects and queue."""
        return self.documents.mark(), len(self.effects), len(self.queue)

    def rollback(self, mark: tuple[int, int, int]) -> None:
        """Undo everything since a savepoint."""
        undone = self.documents.rollback(mark[0])
        del self.effects[mark[1] :], self.queue[mark[2] :]
        self.released = [each for each in self.released if each.end <= mark[1]]
        if any(key in (LAW, GAME) or key.startswith("rules/") for key in undone):
            self.law.forget()
        if "roster" in undone:
            self.people = None

    def effect(self, kind: str, /, **fields: Any) -> Effect:
        """Note an effect; empty fields are left out."""
        noted: Any = {"effect": kind, **fields}
        if None in fields.values():
            noted = {name: value for name, value in noted.items() if value is not None or name in ("from", "to")}
        if self.frames and "rule" not in fields and (rule := self.frames[-1].uid):
            noted["rule"] = rule
        self.budget.spend("effects")
        self.budget.spend("output", size(noted, 2))
        self.effects.append(noted)
        told: Effect = noted
        return told

    def reason(self, code: str, rule: str | None = None, /, **arguments: Any) -> None:
        """Note a reason of what is being decided."""
        noted: Reason = {"code": code}
        if rule:
            noted["rule"] = rule
        if arguments:
            noted["args"] = arguments
        if noted not in self.reasons:
            self.budget.spend("reasons")
            self.budget.spend("output", size(noted, 2))
            self.reasons.append(noted)

    def answer_for(self, uid: str, *, pardoned: bool) -> None:
        """Note who answers for a rule made, changed or woken in this event: a listener, or nobody (`pardoned`)."""
        if pardoned:
            self.silenced.pardoned.add(uid)
        elif self.frames and self.frames[-1].hook.startswith("on_"):
            maker = self.frames[-1].uid
            self.silenced.makers[uid] = self.silenced.makers.get(maker, maker)

    def writing(self, what: str) -> Frame | None:
        """Return the running frame; raises Fault where it may not write."""
        if not self.frames:
            return None
        frame = self.frames[-1]
        if frame.pure:
            raise Fault(f"{frame.pure} may only look, it cannot {what}", "E-PURE")
        return frame

    def too_deep(self, message: str, *entering: tuple[str, str]) -> TooDeep:
        """Return what ends a chain of scripts that is too deep: it began where the rule that recurs first ran."""
        chain = [*((frame.uid, frame.hook) for frame in self.frames), *entering]
        recurring = next((uid for place, (uid, hook) in enumerate(chain) if (uid, hook) in chain[place + 1 :]), None)
        return TooDeep(message, next((place for place, (uid, _) in enumerate(chain) if uid == recurring), 0))

    def is_within(self, error: Exception) -> bool:
        """Whether an error is of a chain of scripts that began further out than what failed here."""
        return isinstance(error, TooDeep) and error.start < len(self.frames)

    def failed(self, uid: str, hook: str, error: ScriptError | Fault) -> None:
        """Record that a hook of a rule failed; shown on the rule's page."""
        noted: Failure = {"rule": uid, "hook": hook, "error": error.message[:LONGEST_ERROR]}
        if isinstance(error, ScriptError) and error.line:
            noted["line"], noted["column"] = error.line, error.column
        if isinstance(error, Fault):
            noted["code"] = error.code
        elif is_of_sealed(error):
            noted["code"] = "E-SEALED"
        if noted in self.failures:
            return
        self.failures.append(noted)

    def cite(self) -> str | None:
        """Return the uid of the rule whose script is running."""
        return self.frames[-1].uid if self.frames else None

    # -- events

    def emit(self, name: str, payload: Arguments, to: str = "") -> None:
        """Raise an event: all listeners, or rule `to` alone, hear it at once by precedence, each under a savepoint."""
        hook = f"on_{name}"
        if to:
            listeners = [uid for uid in self.law.by_default(hook, self.view) if uid == to]
        else:
            listeners = self.law.listeners(hook, view=self.view)
        if not listeners or self.silenced.silent:
            return
        if self.budget.nested >= NESTED_EVENTS:
            raise self.too_deep(f"events are nested more than {NESTED_EVENTS} deep")
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
        if hook not in hook_names(script):
            return
        if "about" in version[0] and not is_about(self, version[0]["about"], [scope.cause]):
            return
        if self.silenced.lacks(uid, hook):
            return
        mark, puts = self.mark(), scope.puts.copy()
        try:
            call(self, uid, script, hook, [scope.cause])
        except Overrun:
            raise
        except (ScriptError, Fault, Refusal) as error:
            if self.is_within(error):
                raise
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
        """Call an advisory hook; an error is recorded and counts as no opinion, but a guard that fails refuses."""
        version = self.law.in_force(self.view).get(uid)
        script = (version[0].get("script") or "") if version else ""
        if version is None or hook not in hook_names(script):
            return None
        if "about" in version[0] and not is_about(self, version[0]["about"], arguments):
            return None
        if self.silenced.lacks(uid, hook):
            why = self.silenced.why_left_out(uid, hook)
            return left_out(self, uid, hook, why) if why is not None and _refuses(self, uid, hook, arguments) else None
        try:
            return call(self, uid, script, hook, arguments)
        except Overrun as overrun:
            overrun.of_guard |= is_guard(hook) and overrun.blame == (uid, script)
            raise
        except (ScriptError, Fault) as error:
            circle = isinstance(error, Fault) and error.code == "E-CIRCLE" and len(self.questions) > 1
            if circle or self.is_within(error):
                raise
            self.failed(uid, hook, error)
            bystander = (uid, script) in self.muted and uid not in self.muted_guards
            return None if bystander else stands_for(self, uid, hook, arguments, error)
        except Refusal as refusal:
            if is_guard(hook):
                return {"refused": refusal.code, "why": refusal.why}
            self.failed(uid, hook, Fault(str(refusal), refusal.code))
            return None

    def answers(self, question: str, arguments: list[Any]) -> list[tuple[str, Any]]:
        """Return (uid, answer) of every rule that answers a question, highest precedence first."""
        hook = f"decide_{question}"
        heard = self.law.by_default if question == "prevails" else self.law.listeners
        listeners = heard(hook, view=self.view)
        if not listeners or self.silenced.silent:
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
        return self.prevailing(question, self.answers(question, list(arguments)))

    def prevailing(self, question: str, found: list[tuple[str, Any]]) -> tuple[str | None, Any]:
        """Return the first of the answers to a question, and the uid of its rule; those that it overrules are noted."""
        if not found:
            return None, None
        uid, answer = found[0]
        for lower, other in found[1:]:
            if other != answer and question != "prevails" and not self.probing:
                self.reason("OVERRULED", lower, question=question, by=uid)
        return uid, answer

    def _ask_prevails(self, a: ScriptRecord, b: ScriptRecord, view: View) -> tuple[str | None, list[Failure]]:
        """Return which of two rules prevails, and what failed: asked apart from the event, for later ones too."""
        winner, failures = None, list[Failure]()
        apart = {"reasons": [], "failures": failures, "questions": [], "scopes": [], "frames": []}
        with self.having(view=view, budget=Budget(), **apart):
            try:
                for uid, answer in self.answers("prevails", [a, b]):
                    named = answer.get("uid") if isinstance(answer, dict) else None
                    if named not in (a["uid"], b["uid"]):
                        why = "it must be one of the two rules that were asked about"
                        self.failed(uid, "decide_prevails", Fault(f"this answer cannot be used: {why}", "E-ARGS"))
                    winner = winner or (named if named in (a["uid"], b["uid"]) else None)
            except Overrun as overrun:
                self.failed(overrun.blame[0] if overrun.blame else a["uid"], "decide_prevails", overrun)
                winner = None
        return winner, failures


def _identity(argument: Any) -> Any:
    """Return by what two arguments of a question are the same: proposals and rules by their ids."""
    if isinstance(argument, dict):
        named = argument.get("id") or argument.get("uid")
        return named if isinstance(named, str) else msgspec.json.encode(argument, order="sorted")
    return argument


# -- of which kind a thing is, and which rules hear of it: one that says `about: KIND` hears of none of other kinds

KERNEL_KINDS = {"game", "rule", "office", "timer", "duty", "held"}


def kind_of(play: Play, thing: Any) -> str | None:
    """Return the kind of the player or thing with this id."""
    if isinstance(thing, str):
        found = play.documents.all()
        if thing in found.get("things/player", ()):
            return "player"  # asked about most of all
        for key in play.documents.thing_keys:
            if thing in found.get(key, ()) and key[7:] not in KERNEL_KINDS:
                return key[7:]
    return None


def is_about(play: Play, kind: str, arguments: list[Any]) -> bool:
    """Whether what a hook is given names something of a kind, or of one like it, or nothing that has a kind."""
    play.budget.spend("host calls")  # for it looks at the game, as one of those does
    declared = {name: spec for name, (_uid, spec) in play.law.declared("defines.kinds", play.view).items()}
    named = {PROPOSAL, *declared}.intersection(k for given in arguments for k in _kinds(play, given) if type(k) is str)
    return not named or any(kind in (each, *lineage(declared, each)) for each in named)


def _kinds(play: Play, argument: Any) -> Iterator[Any]:
    """Yield the kinds that an argument of a hook, of any shape, names: of a proposal or thing, an event, or an act."""
    if isinstance(argument, str):
        yield argument.partition("/")[0] if "/" in argument else kind_of(play, argument)
    elif isinstance(argument, dict) and isinstance(argument.get("args"), dict):
        yield from _kinds_of_act(play, str(argument.get("name")), argument["args"])
    elif isinstance(argument, dict):
        votes = [each for each in (argument, *argument.values()) if isinstance(each, dict) and "submitted_at" in each]
        yield from (each.get("kind") for each in votes)
        yield argument.get("kind") if "thing" in argument else None


def _kinds_of_act(play: Play, do: str, given: Arguments) -> Iterator[Any]:
    """Yield the kinds of what an act names, but not where it is free which words it says: nobody evades a guard so."""
    if do == VOTE:
        ref = str(given.get(str(given.get("kind") or PROPOSAL)) or given.get("proposal"))
        yield ref.partition("/")[0] if "/" in ref else given.get("kind")
    action = play.law.declared("actions", play.view).get(do)
    for name, spec in ((action[1].get("arguments") or {}) if action else {}).items():
        if spec.get("type") == "thing":
            yield kind_of(play, given.get(name))


# -- calling hooks of rules' scripts: compiled once, entered with a budget of their own, answered at the border

NESTED_CALLS = 60
MISUSED = (TypeError, LookupError, AttributeError, ValueError, ArithmeticError)


class Running(local):
    """The plays whose scripts run in a thread, the innermost last, and the programs that all its plays share."""

    def __init__(self) -> None:
        """Begin without the prelude and the library, which the first script to be compiled brings."""
        self.plays: list[Play] = []
        self.compiler: Compiler | None = None
        self.programs: dict[Linked, Program] = {}


RUNNING = Running()
PROGRAMS_KEPT = 1_000


# -- into scripts


def program(play: Play, uid: str, script: str, linked: Linked = ()) -> Program:
    """Return the compiled script, `linked` with those it loads from; raises ScriptError when it does not load."""
    _check_depth(play, uid, "load")
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


def _load(play: Play, script: Linked) -> Program | ScriptError | Fault:
    """Compile a script, or say what is wrong with it: the same on every machine, whatever else is being judged."""
    if script in RUNNING.programs:
        return RUNNING.programs[script]
    fuel = iter(range(LOADING_TICKS))
    RUNNING.plays.append(play)
    try:
        if RUNNING.compiler is None:  # with the prelude of a play's host functions, which is that of all plays
            RUNNING.compiler = Compiler(
                lambda asked, sealed: border(RUNNING.plays[-1], asked, holds_sealed=sealed), play.host.prelude
            )
        made = RUNNING.compiler.compile(script[0], lambda: next(fuel, None) is None, *script[1:])
        if len(RUNNING.programs) >= PROGRAMS_KEPT:
            RUNNING.programs.clear()
        RUNNING.programs[script] = made
        return made
    except ScriptError as error:
        stashed, play.stashed = play.stashed, None
        if isinstance(stashed, Fault):
            return stashed
        spent = next(fuel, None) is None
        return Fault("the script runs too long while it loads", "E-BUDGET") if spent else error
    finally:
        RUNNING.plays.pop()


def _check_depth(play: Play, uid: str, hook: str) -> None:
    """Raise TooDeep where one more script would be too deep, whether it is compiled already or not."""
    if len(play.frames) >= NESTED_CALLS:
        raise play.too_deep(f"scripts call each other more than {NESTED_CALLS} deep", (uid, hook))


def _enter(play: Play, uid: str, hook: str, pure: str, running: Program | None = None) -> dict[str, int]:
    """Begin a call with a fresh budget, `pure` where it may only look; returns the caller's, for `_leave`."""
    frames, budget = play.frames, play.budget
    outer, budget.handler = budget.handler, FRESH.copy()
    frames.append(Frame(uid, hook, (frames[-1].pure or pure) if frames else pure, running))
    note_running(play, uid, hook)
    return outer


def _leave(play: Play, outer: dict[str, int]) -> None:
    frames = play.frames
    frames.pop()
    play.budget.handler = outer
    if frames:
        note_running(play, frames[-1].uid, frames[-1].hook)


def note_running(play: Play, uid: str, hook: str) -> None:
    """Say outside which hook runs, in the name of the rule that answers for it."""
    made, maker = play.silenced.makers, uid
    if made and (uid in made or uid in play.law.loading(play.view)):
        maker = next((made[each] for each in play.law.linked_rules(uid, play.view) if each in made), uid)
    play.entered(maker, hook if maker == uid else f"{hook} of rule {uid}")


def call(play: Play, uid: str, script: str, hook: str, arguments: list[Any]) -> Any:
    """Call a hook of a rule; raises ScriptError, Fault, Refusal or PlayEnds as the script or what it called ended."""
    if play.muted and (uid, script) in play.muted:
        raise Fault("this script spent the budget of the whole event", "E-BUDGET")
    if play.silenced.lacks(uid, hook):
        raise Fault("this is not heard in this event", "E-LEFT-OUT")
    before = play.budget.spent.copy()
    try:
        _check_depth(play, uid, hook)
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
        try:
            play.budget.spend("failures")  # which cost far more than a call that goes well
        except Overrun as overrun:
            overrun.blame = uid, script
            raise
        raise
    play.stashed = None
    return answer


def _within(play: Play, uid: str, hook: str, found: Program, arguments: list[Any]) -> Any:
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


def _run(play: Play, found: Program, hook: str, arguments: list[Any]) -> Any:
    RUNNING.plays.append(play)
    try:
        return found.call(hook, arguments, play.budget.tick)
    except ScriptError:
        stashed, play.stashed = play.stashed, None
        if stashed is not None:
            raise stashed from None
        budget = play.budget
        if what := next((what for what, limit in PER_EVENT.items() if budget.spent[what] > limit * budget.times), ""):
            raise Overrun(what) from None
        if any(budget.handler[what] > limit * budget.times for what, limit in PER_HANDLER.items()):
            raise Fault("the script ran too long", "E-BUDGET") from None
        raise
    finally:
        RUNNING.plays.pop()


def call_library(play: Play, name: str, arguments: list[Any]) -> Any:
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


def border(play: Play, asked: list[Any], *, holds_sealed: bool) -> Any:
    """Carry out a host function (`asked`: name and arguments) for the script that runs; what it raises is stashed."""
    name = asked[0]
    asked[0] = play
    try:
        frame = play.frames[-1]
        if play.stashed is not None or frame.mute:
            raise play.stashed or Fault(*frame.mute)
        play.budget.spend("host calls")
        function = play.host[name]
        if play.law.deciding:
            play.law.asked = True
            play.law.volatile |= not function.law
        if holds_sealed or function.keeps is not NOTHING:
            _take(play, function, asked, holds_sealed=holds_sealed)
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
        stashed = play.stashed = _told_as(play.host[name], error)
        if stashed is error:
            raise
        raise stashed from None


def _told_as(function: HostFunction, error: Exception) -> Exception:
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
    why = f"{function.name}() was given a value of a type that it cannot take: it is called {function.signature}"
    return Fault(why, "E-ARGS")


def _take(play: Play, function: HostFunction, asked: list[Any], *, holds_sealed: bool) -> None:
    """Count what a script hands over as its output; raises Fault for what no game can keep, or may not be sealed."""
    looked_at = (each for place, each in enumerate(asked[1:]) if place != play.host.sealed[function.name])
    if holds_sealed and any(map(sealed_data.holds_sealed, looked_at)):
        raise Fault(f"{function.name}() cannot be given here what is sealed", "E-SEALED")
    if function.keeps is NOTHING:
        return
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


def veil(play: Play, proposal: Proposal) -> AbstractContextManager[None]:
    """Keep a proposal's ballots from what it brings, but those that the law displays while votes run."""
    return play.having(veiled=play.veiled if proposal.get("displayed") else proposal["id"])


def is_own(play: Play, uid: str) -> bool:
    """Whether a rule, or one that it loads from, is as it is by the proposal that is veiled, or an order of it."""
    metas = play.law.metas()
    made = (metas[each]["cause"] for each in play.law.linked_rules(uid, play.view) if each in metas)
    return uid == play.veiled or play.veiled in made


def as_outside(play: Play, value: Any) -> Any:
    """Return what a script is shown, without the ballots on the proposal that is veiled."""
    if isinstance(value, list):
        return [as_outside(play, item) for item in value]
    if not isinstance(value, dict):
        return value
    shown: ScriptRecord = {key: as_outside(play, item) if key != "ballots" else item for key, item in value.items()}
    if shown.get("$") == script_records.PROPOSAL and shown.get("id") == play.veiled:
        shown["ballots"] = []
    return shown


# -- guards that fail or are too slow: what they guard is refused, but for what only mends them
#
# A guard says whether something may be done. One that cannot be heard must not let it pass, or every fault in a rule
# would be a hole in the law; so it is where anything that an act needs took too long and was left out of it. So that
# the fault can be mended, an act on the way of a proposal that changes nothing but rules at fault goes on without them.
# Which proposal that is, is told by what the act does (`folkmoot.kernel.acts.Doubt`).

OF_AN_ACT = ("decide_law_for", "decide_may_alter", "decide_may_put", "decide_may_do")
OF_A_PROPOSAL = ("decide_proper", "decide_may_change", "decide_ballot_counts")  # which is the first that is asked
QUESTIONS = (*OF_AN_ACT, *OF_A_PROPOSAL)
MENDING = ("amend", "repeal", "transmute")
TO_MEND = "propose a change of that rule alone, which goes on without it; an administrator may let it sleep (suspend)"


def is_guard(hook: str) -> bool:
    """Whether a hook says that something may not be done, so that `require` in it is an opinion.

    >>> [hook for hook in ("forbid", "forbid_go", "decide_proper", "decide_proper_time") if is_guard(hook)]
    ['forbid', 'forbid_go', 'decide_proper']
    """
    return hook == "forbid" or hook.startswith("forbid_") or hook in QUESTIONS


def stands_for(play: Play, uid: str, hook: str, arguments: list[Any], error: ScriptError | Fault) -> FailedGuard | None:
    """Return what stands for the answer of a hook that failed: nothing, but where a guard failed, its refusal."""
    if not _refuses(play, uid, hook, arguments):
        return None
    line = f" (line {error.line} of its script)" if isinstance(error, ScriptError) and error.line else ""
    number = play.law.in_force(play.view)[uid][0]["rule"]
    why = f"rule {number} failed in its {hook}{line}, so this is refused until a proposal mends the rule"
    return FailedGuard(refused="E-SCRIPT", why=f"{why}: {shortened(error.message)}")


def left_out(play: Play, uid: str, hook: str, why: str) -> FailedGuard:
    """Return the refusal of what needed a hook that was left out, and what is to be done."""
    version = play.law.in_force(play.view).get(uid)
    rule = f"rule {version[0]['rule']}" if version else "a rule on trial"
    said = f"{rule} was left out of this, because its {hook} {why}, so this is refused; try again"
    return FailedGuard(refused="E-BUDGET", why=f"{said}, or {TO_MEND}" if version else said)


def _refuses(play: Play, uid: str, hook: str, arguments: list[Any]) -> bool:
    """Whether something is refused where a hook cannot be heard: what it guards, unless that is its own mending."""
    if not is_guard(hook) or play.silenced.lenient:
        return False
    proposal = proposal_named(play, arguments[0]) if hook in QUESTIONS and arguments else None
    return proposal is None or not mends(play, proposal, uid)


def proposal_named(play: Play, shown: Any) -> Proposal | None:
    """Return the proposal that something shown to scripts is or names, None where it is of none."""
    identifier = shown.get("id", shown.get("of")) if isinstance(shown, dict) else None
    if play.draft is not None and identifier == play.draft["id"]:
        return play.draft
    found: Proposal | None = play.documents.get(proposal_key(identifier)) if isinstance(identifier, str) else None
    return found


def mends(play: Play, proposal: Proposal, uid: str) -> bool:
    """Whether a proposal changes a rule that failed, and beside it only others that did."""
    if any(change["kind"] not in MENDING for change in proposal["changes"]):
        return False
    targets, metas = {change["rule"] for change in proposal["changes"]}, play.law.metas()
    for target in targets - {uid}:
        known = failures_of_now(metas[target]) if target in metas else []
        if not any(map(refuses_acts, [*known, *(each for each in play.failures if each["rule"] == target)])):
            return False
    return uid in targets


def refuses_acts(failure: Mapping[str, object]) -> bool:
    """Whether acts are refused for a failure: that of a guard, or that something they need was left out."""
    hook = str(failure["hook"])
    return is_guard(hook) or (failure.get("code") == LEFT_OUT and is_needed(hook))
