"""One event being judged: it is raised, rules hear it, and questions are put to the law; the heart of the kernel.

`Play` raises events and asks questions; `hook_calls` runs the hooks that hear and answer them, and `event_state` holds
what came of them. What host functions do lives in the modules beside it (`registers`, `awards`, `proposals`, `clock`,
`acts`); each takes the play as its first argument.
"""

from __future__ import annotations

from typing import Any

import msgspec

from folkmoot.core.records import Arguments, Failure, ScriptRecord
from folkmoot.core.values import told
from folkmoot.kernel.budget import NESTED_EVENTS, Budget
from folkmoot.kernel.documents import Documents
from folkmoot.kernel.errors import Fault, Overrun, Refusal
from folkmoot.kernel.event_state import EventState, Scope, is_about
from folkmoot.kernel.failed_guards import is_guard, stands_for, stands_for_absent
from folkmoot.kernel.hook_calls import call
from folkmoot.kernel.lawbook import View
from folkmoot.kernel.script_records import record
from folkmoot.language.binding import ScriptError
from folkmoot.language.host_functions import HostFunctions
from folkmoot.language.tree import hook_names


def _identity(argument: Any) -> Any:
    """Return by what two arguments of a question are the same: proposals and rules by their ids."""
    if isinstance(argument, dict):
        named = argument.get("id") or argument.get("uid")
        return named if isinstance(named, str) else msgspec.json.encode(argument, order="sorted")
    return argument


class Play(EventState):
    """Judges one event after the other on the same documents."""

    def __init__(self, documents: Documents, host: HostFunctions) -> None:
        """`host` is all that scripts may call."""
        super().__init__(documents, host, self._ask_prevails)

    # -- events

    def emit(self, name: str, payload: Arguments, to: str = "") -> None:
        """Raise an event: its listeners run at once, in order of precedence, each under its own savepoint.

        With the uid of a rule, that rule alone hears it.
        """
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
            return stands_for_absent(self, uid, hook, arguments)
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
