"""What is known of the event that is being judged: documents, law, running scripts, effects, reasons and failures.

What is noted of an event is noted here, and undone here; `folkmoot.kernel.play` raises events and asks questions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from msgspec import Struct, field

from folkmoot.core.declared_kinds import PROPOSAL, lineage
from folkmoot.core.documents import Proposal
from folkmoot.core.keys import GAME, LAW
from folkmoot.core.records import Arguments, Effect, Failure, Reason, ScriptRecord, Via
from folkmoot.core.values import size
from folkmoot.core.word_lists import WordList
from folkmoot.kernel.act_declarations import VOTE
from folkmoot.kernel.budget import budget_for
from folkmoot.kernel.chance import Chance, open_chance
from folkmoot.kernel.documents import Documents
from folkmoot.kernel.errors import FailedGuard, Fault, Overrun, TooDeep
from folkmoot.kernel.lawbook import Lawbook, Prevails, View
from folkmoot.kernel.skipped_hooks import Silenced
from folkmoot.language.binding import Linked, Program, ScriptError, is_of_sealed
from folkmoot.language.host_functions import HostFunctions


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


# -- what is known of the event

MUTED_AT_MOST = 8  # without going to sleep
MUTED_FOR_ADMINISTRATORS = 3  # then no script is heard in the rest of their act
LONGEST_ERROR = 1_000  # characters that are kept of what a script's failure says


class EventState:
    """The documents, and what has come of the event that is judged on them; one event after the other."""

    def __init__(self, documents: Documents, host: HostFunctions, prevails: Prevails) -> None:
        """`host` is all that scripts may call; `prevails` asks which of two rules prevails."""
        self.documents = documents
        self.host = host
        self.law = Lawbook(documents, prevails)
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
        self.undecided: set[str] = set()  # ids of proposals that were closed in this event and not resolved
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

    # -- savepoints

    def mark(self) -> tuple[int, int, int]:
        """Return a savepoint of documents, effects and queue."""
        return self.documents.mark(), len(self.effects), len(self.queue)

    def rollback(self, mark: tuple[int, int, int]) -> None:
        """Undo everything since a savepoint."""
        undone = self.documents.rollback(mark[0])
        del self.effects[mark[1] :], self.effect_sizes[mark[1] :], self.queue[mark[2] :]
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
        large = size(noted, 2)
        self.budget.spend("effects")
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


# -- of which kind a thing is, and which rules hear of it: one that says `about: KIND` hears of none of other kinds

KERNEL_KINDS = {"game", "rule", "office", "timer", "duty", "held"}


def kind_of(play: EventState, thing: Any) -> str | None:
    """Return the kind of the player or thing with this id."""
    if isinstance(thing, str):
        found = play.documents.all()
        if thing in found.get("things/player", ()):
            return "player"  # asked about most of all
        for key in play.documents.thing_keys:
            if thing in found.get(key, ()) and key[7:] not in KERNEL_KINDS:
                return key[7:]
    return None


def is_about(play: EventState, kind: str, arguments: list[Any]) -> bool:
    """Whether what a hook is given names something of a kind, or of one like it, or nothing that has a kind."""
    play.budget.spend("host calls")  # for it looks at the game, as one of those does
    declared = {name: spec for name, (_uid, spec) in play.law.declared("defines.kinds", play.view).items()}
    named = [each for argument in arguments for each in _kinds(play, argument) if each in declared or each == PROPOSAL]
    return not named or any(kind in (each, *lineage(declared, each)) for each in named)


def _kinds(play: EventState, argument: Any) -> Iterator[str | None]:
    """Yield the kinds that an argument of a hook names: of a proposal or thing itself, of an event, or of an act."""
    if isinstance(argument, str):
        yield argument.partition("/")[0] if "/" in argument else kind_of(play, argument)
    elif isinstance(argument, dict) and isinstance(argument.get("args"), dict):
        yield from _kinds_of_act(play, argument["name"], argument["args"])
    elif isinstance(argument, dict):
        votes = [each for each in (argument, *argument.values()) if isinstance(each, dict) and "submitted_at" in each]
        yield from (each["kind"] for each in votes)
        yield argument.get("kind") if "thing" in argument else None


def _kinds_of_act(play: EventState, do: str, given: Arguments) -> Iterator[str | None]:
    """Yield the kinds of what an act names, but not where it is free which words it says: nobody evades a guard so."""
    if do == VOTE:
        ref = str(given.get(given["kind"] or PROPOSAL) or given["proposal"])
        yield ref.partition("/")[0] if "/" in ref else given["kind"]
    action = play.law.declared("actions", play.view).get(do)
    for name, spec in ((action[1].get("arguments") or {}) if action else {}).items():
        if spec.get("type") == "thing":
            yield kind_of(play, given.get(name))
