"""One event being judged: state, law, frames of running scripts, effects and reasons; the heart of the kernel.

`Play` raises events and asks questions; `hook_calls` runs the hooks that hear and answer them. What host functions do
lives in the modules beside it (`registers`, `awards`, `proposals`, `clock`, `acts`); each takes the play as its first
argument.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from folkmoot.core.documents import Change, Proposal
from folkmoot.core.records import Arguments, Effect, Failure, Reason, ScriptRecord, Via
from folkmoot.core.values import size, told
from folkmoot.core.word_lists import WordList
from folkmoot.kernel.budget import NESTED_EVENTS, Budget, budget_for
from folkmoot.kernel.chance import Chance, open_chance
from folkmoot.kernel.documents import Documents
from folkmoot.kernel.errors import Fault, Overrun, Refusal
from folkmoot.kernel.frames import Frame, Released, Scope, Sent
from folkmoot.kernel.hook_calls import call
from folkmoot.kernel.lawbook import Lawbook, View
from folkmoot.kernel.mending import FailedGuard, is_guard, stands_for, stands_for_absent
from folkmoot.kernel.script_records import record
from folkmoot.kernel.silenced import Silenced
from folkmoot.kernel.vault import Contents, Vault
from folkmoot.language.binding import Program, ScriptError, is_of_sealed
from folkmoot.language.scan import hook_names

if TYPE_CHECKING:
    from folkmoot.kernel.map_registers import OwnMap


def _identity(argument: Any) -> Any:
    """Return by what two arguments of a question are the same: proposals and rules by their ids."""
    if isinstance(argument, dict):
        named = argument.get("id") or argument.get("uid")
        return named if isinstance(named, str) else msgspec.json.encode(argument, order="sorted")
    return argument


MUTED_AT_MOST = 8  # without going to sleep
MUTED_FOR_ADMINISTRATORS = 3  # then no script is heard in the rest of their act
LONGEST_ERROR = 1_000  # characters that are kept of what a script's failure says


class Play:
    """Judges one event after the other on the same documents."""

    def __init__(self, documents: Documents, host: Mapping[str, Callable[..., Any]]) -> None:
        """`host[name](play, *arguments)` carries out a host function."""
        self.documents = documents
        self.host = host
        self.law = Lawbook(documents, self._ask_prevails)
        self.programs: dict[str, Program | ScriptError | Fault] = {}
        self.muted: set[tuple[str, str]] = set()
        self.own_maps: dict[tuple[str, str, str], OwnMap] = {}  # see `folkmoot.kernel.map_registers`
        self.word_lists: dict[str, WordList] = {}  # by digest; see `folkmoot.kernel.word_lists`
        self.people: Any = None  # what `folkmoot.kernel.names` knows of the roster
        self.entered: Callable[[str, str], None] = lambda _uid, _hook: None
        self.contents: Contents = lambda _number: None  # what is sealed, where it is at hand
        self.loading: Callable[[str], None] = lambda _script: None
        self.restarted: Callable[[], None] = lambda: None
        self.begin(0, 0, open_chance("", ""))

    def begin(self, seq: int, now: int, chance: Chance, view: View = None, vault: Vault | None = None) -> None:
        """Start judging an event at a time, with a source of chance and one of what is sealed."""
        self.seq, self.now, self.chance, self.vault = seq, now, chance, vault or Vault()
        self.probing = False
        self.ticking = False
        self.actor: str | None = None
        self.person: str | None = None  # whose own act is being judged; no rule acts in their name meanwhile
        self.via: Via = {}
        self.sent = Sent(seq, now)
        self.released: list[Released] = []
        self.shown_proposals: dict[str, tuple[tuple[Any, ...], ScriptRecord, list[Change]]] = {}
        self.muted = set()
        self.veiled: str | None = None  # id of the proposal whose ballots what it brings does not see
        self.muted_guards: set[str] = set()  # uids of rules muted because a guard of theirs spent the budget
        self.silenced = Silenced()
        self.documents.begin()
        self.effects: list[Effect] = []
        self.effect_sizes: list[int] = []  # of each, in a list of them
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
        self.unheard: list[tuple[str, FailedGuard]] = []  # who had to be heard before the act that is begun
        self.stashed: BaseException | None = None
        self.law.begin()

    def mute(self, overrun: Overrun) -> bool:
        """Undo the event and start it anew without the rule that spent its budget; False if there is none to blame.

        So a rule that takes more than its share of every vote can still be repealed by a vote. An act of
        administrators goes on without any script where there is none to blame, or too many.
        """
        blamed = overrun.blame or overrun.outermost
        lenient = self.silenced.lenient
        most = MUTED_FOR_ADMINISTRATORS if lenient else MUTED_AT_MOST + len(self.law.in_force())
        if blamed is not None and blamed not in self.muted and len(self.muted) < most:
            self.muted.add(blamed)
            if overrun.of_guard:
                self.muted_guards.add(blamed[0])
        elif lenient and not self.silenced.silent:
            self.silenced.silence()
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

    # -- savepoints

    def mark(self) -> tuple[int, int, int]:
        """Return a savepoint of documents, effects and queue."""
        return self.documents.mark(), len(self.effects), len(self.queue)

    def rollback(self, mark: tuple[int, int, int]) -> None:
        """Undo everything since a savepoint."""
        undone = self.documents.rollback(mark[0])
        del self.effects[mark[1] :], self.effect_sizes[mark[1] :], self.queue[mark[2] :]
        self.released = [each for each in self.released if each.end <= mark[1]]
        if any(key == "law" or key.startswith("rules/") for key in undone):
            self.law.forget()
        if "roster" in undone:
            self.people = None

    def effect(self, kind: str, /, **fields: Any) -> Effect:
        """Note an effect; empty fields are left out."""
        self.budget.spend("effects")
        rule = self.frames[-1].uid if self.frames else None
        noted: Any = {"effect": kind}
        for name, value in fields.items():
            if value is not None or name in ("from", "to"):
                noted[name] = value
        if rule and "rule" not in fields:
            noted["rule"] = rule
        large = size(noted, 2)
        self.budget.spend("output", large)
        self.effects.append(noted)
        self.effect_sizes.append(large)
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
        """Note who answers from now on in this event for a rule that was made, changed or woken.

        `pardoned` where that was a proposal's doing, or an administrator's; else a listener that did it answers.
        """
        if pardoned:
            self.silenced.pardoned.add(uid)
        elif self.frames and self.frames[-1].hook.startswith("on_"):
            self.silenced.makers[uid] = self.silenced.maker_of(self.frames[-1].uid)

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

    # -- events

    def emit(self, name: str, payload: Arguments) -> None:
        """Raise an event: its listeners run at once, in order of precedence, each under its own savepoint."""
        hook = f"on_{name}"
        listeners = self.law.listeners(hook, view=self.view)
        if not listeners or self.silenced.silent:
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
        if hook not in hook_names(script):
            return
        if self.silenced.anybody and self.silenced.lacks(uid, hook):
            return
        mark, puts = self.mark(), scope.puts.copy()
        try:
            call(self, uid, script, hook, [scope.cause])
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
        """Call an advisory hook; an error is recorded and counts as no opinion, but a guard that fails refuses."""
        version = self.law.in_force(self.view).get(uid)
        script = (version[0].get("script") or "") if version else ""
        if hook not in hook_names(script):
            return None
        if self.silenced.anybody and self.silenced.lacks(uid, hook):
            return stands_for_absent(self, uid, hook, arguments)
        try:
            return call(self, uid, script, hook, arguments)
        except Overrun as overrun:
            overrun.of_guard |= is_guard(hook) and overrun.blame == (uid, script)
            raise
        except (ScriptError, Fault) as error:
            if isinstance(error, Fault) and error.code == "E-CIRCLE" and len(self.questions) > 1:
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
        if question == "prevails":
            listeners = self.law.by_default(hook, self.view)
        else:
            listeners = self.law.listeners(hook, view=self.view)
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
        found = self.answers(question, list(arguments))
        if not found:
            return None, None
        uid, answer = found[0]
        for lower, other in found[1:]:
            if other != answer and question != "prevails" and not self.probing:
                self.reason("OVERRULED", lower, question=question, by=uid)
        return uid, answer

    def _ask_prevails(self, a: ScriptRecord, b: ScriptRecord, view: View) -> tuple[str | None, list[Failure]]:
        """Return which of two rules prevails, and what failed in asking.

        Asked apart from the event that happens to need it first, because the answer is kept for later ones.
        """
        kept = (self.view, self.budget, self.reasons, self.failures, self.questions, self.scopes, self.frames)
        self.view, self.budget, self.reasons, self.failures = view, Budget(), [], []
        self.questions, self.scopes, self.frames = [], [], []
        try:
            winner = None
            for uid, answer in self.answers("prevails", [a, b]):
                named = answer.get("uid") if isinstance(answer, dict) else None
                if named not in (a["uid"], b["uid"]):
                    why = "it must be one of the two rules that were asked about"
                    self.failed(uid, "decide_prevails", Fault(f"this answer cannot be used: {why}", "E-ARGS"))
                winner = winner or (named if named in (a["uid"], b["uid"]) else None)
            return winner, self.failures
        except Overrun as overrun:
            self.failed(overrun.blame[0] if overrun.blame else a["uid"], "decide_prevails", overrun)
            return None, self.failures
        finally:
            self.view, self.budget, self.reasons, self.failures, self.questions, self.scopes, self.frames = kept

    def cite(self) -> str | None:
        """Return the uid of the rule whose script is running."""
        return self.frames[-1].uid if self.frames else None
