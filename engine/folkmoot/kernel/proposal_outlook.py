"""What comes of a proposal later: its timers fired, a harmless proposal voted on, in a trial of which nothing stays.

The lock-out probe looks at the moment of adoption. A rule may lock everybody out, fail or run away only when its timer
fires or when people act next; that is warned of here, and forbids nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from msgspec import Struct

from folkmoot.core.calendar import DAY, write_stamp
from folkmoot.core.documents import Proposal, RuleDocument, Timer
from folkmoot.core.keys import ON_TRIAL
from folkmoot.core.records import ProposedChange
from folkmoot.core.values import told
from folkmoot.kernel import clock
from folkmoot.kernel.budget import METER, Budget
from folkmoot.kernel.errors import Fault, Overrun, PlayEnds, failures_of_now
from folkmoot.kernel.hook_calls import program
from folkmoot.kernel.lockout_probe import LOCKED, adopt, apart, can_still_change, has_mechanics
from folkmoot.kernel.play import Play
from folkmoot.kernel.proposals import new_draft
from folkmoot.language.binding import ScriptError
from folkmoot.language.calls import read
from folkmoot.language.declarations import catalogue
from folkmoot.language.definite_answers import NOTHING, REFUSAL, TEXT, TEXTS, TRUTH, VERDICT, Shapes, shapes_of
from folkmoot.language.tree import tree_of

MOST_FIRINGS = 60
MOST_WARNINGS = 5
MOST_WORK = 1_000  # times the budget of an event that timers may take in a day before that is said
LEAST_WORK = 0.001  # of that budget, which a timer takes that does nothing
LONGEST_ERROR = 200  # characters
RANKED = ("script", "precedence", "labels", "rule")  # parts of a rule on which it hangs whose answer is heard
HARMLESS = ("circle", "work", "overruled")  # of warnings those of what breaks nothing
CIRCLE = "take precedence over one another in a circle, so the lower number goes first (PARADOX)"


class Outlook(Struct, frozen=True):
    """What to beware of `later`, a sentence each without a full stop; whether that `breaks` rules or the game.

    `untried` says what was not looked at because it takes too much work, "" for nothing.
    """

    later: list[str] = []
    breaks: bool = False
    untried: str = ""


def outlook(play: Play, proposal: Proposal, most: float) -> Outlook:
    """Return what to beware of once a proposal is law and time has passed.

    `most` is how many times what an event may take is spent on finding it out, and as much again on what comes anyway.
    """
    if play.probing or not any(has_mechanics(play, change) for change in proposal["changes"]):
        return Outlook()
    with apart(play, proposal):
        found = _Trial(play, most)
        found.look_at(proposal)
    if not found.warnings:
        return Outlook(untried=found.untried)
    with apart(play, proposal):
        anyway = _Trial(play, most, found.touched)
        anyway.look_at(None)
    new = {key: sentence for key, sentence in found.warnings.items() if key not in anyway.warnings}
    later = list(new.values())[:MOST_WARNINGS]
    return Outlook(later, any(key[0] not in HARMLESS for key in new), found.untried)


def overruled_in(play: Play, changes: list[ProposedChange]) -> list[tuple[Overruled, str]]:
    """Return the answers of rules that changes would make or change which nobody would hear, each with a sentence."""
    draft = new_draft(play, "A trial", changes, [], "proposal", None, {})
    with apart(play, draft):
        trial = _Trial(play, 0.0)
        trial.adopt(draft)
        return trial.overruled()


def circles_of(play: Play) -> dict[tuple[str, ...], list[str]]:
    """Return which rules (uids) take precedence over one another in a circle, each circle with their numbers."""
    law = play.law
    rules = law.in_force()
    for hook in dict.fromkeys(hook for document, _ in rules.values() for hook in law.hooks_of(document)):
        law.listeners(hook)
    return {circle: [str(rules[uid][0]["rule"]) for uid in circle] for circle in law.paradoxes()}


def circle_told(names: list[str]) -> str:
    """Return a sentence, without a full stop, about rules that take precedence over one another in a circle.

    >>> circle_told(["301", "302", "the new one"]).partition(" take")[0]
    'rules 301, 302 and the new one'
    """
    return f"rules {', '.join(names[:-1])} and {names[-1]} {CIRCLE}"


class _Trial:
    """One such trial: the rules that the proposal makes or changes, and what was found of them, by what it is."""

    def __init__(self, play: Play, most: float, touched: Iterable[str] = ()) -> None:
        self.play = play
        self.end = METER.work() + most
        self.untried = ""
        self.texts = {uid: dict(document) for uid, (document, _) in play.law.in_force().items()}
        self.running = set(clock.timers(play))
        self.touched: set[str] = set(touched)
        self.fired: list[str] = []
        self.work: list[float] = []
        self.warnings: dict[tuple[str, ...], str] = {}

    def look_at(self, proposal: Proposal | None) -> None:
        """Adopt a proposal (None: nothing), wind the clock to its timers, and let a harmless one be proposed."""
        play, mark, now = self.play, self.play.mark(), self.play.now
        try:
            if proposal is not None:
                self.adopt(proposal)
                self.warnings |= {("overruled", each.rule, each.question): said for each, said in self.overruled()}
            self.note_circles()
            if not self.is_open("at the next proposal and the votes on it"):
                return  # the lock-out probe says so
            self.wind()
            self.note_work()
            then = play.now
            if not self.fired or self.is_over("the next proposal after its timers"):
                return
            if not self.is_open("at the next proposal and the votes on it, later"):
                play.rollback(mark)
                play.now = now
                if self.would_be_open(then):
                    sentence = f"once the timer {told(self.fired[-1])} has fired ({write_stamp(then)}), {LOCKED}"
                    self.warnings.setdefault(("locks",), sentence)
        except (Fault, PlayEnds):
            pass

    def adopt(self, proposal: Proposal) -> None:
        """Make a proposal law, and note which rules it touches."""
        adopt(self.play, proposal)
        rules = self.play.law.in_force().items()
        self.touched = {uid for uid, (document, _) in rules if self.texts.get(uid) != document}

    def overruled(self) -> list[tuple[Overruled, str]]:
        """Return the answers of rules with another script or rank that are always overruled, each with a sentence."""
        ranks = {
            uid: [document.get(part) for part in RANKED] for uid, (document, _) in self.play.law.in_force().items()
        }
        before = {uid: [document.get(part) for part in RANKED] for uid, document in self.texts.items()}
        own = (each for each in overruled_answers(self.play) if ranks[each.rule] != before.get(each.rule))
        return [(each, overruled_told(self.play, each, self.named)) for each in own]

    def note_circles(self) -> None:
        """Note which rules take precedence over one another in a circle, among all that listen to one hook."""
        for circle, numbers in circles_of(self.play).items():
            names = [self.numbered(uid, number) for uid, number in zip(circle, numbers, strict=True)]
            self.warnings.setdefault(("circle", *circle), circle_told(names))

    def numbered(self, uid: str, number: str) -> str:
        """Return what stands for a rule in a row of numbers: what has one on trial only is called otherwise."""
        if number.partition("-")[0] not in ON_TRIAL:
            return number
        return f"{self.texts[uid]['rule']} as amended" if uid in self.texts else "the new one"

    def is_open(self, when: str) -> bool:
        """Whether a harmless proposal can pass now; what fails of the proposal's rules meanwhile is noted."""
        try:
            with self.noting(when):
                return can_still_change(self.play)
        except Overrun:
            return False

    def would_be_open(self, then: int) -> bool:
        """Whether a harmless proposal could pass at a time if nothing had been adopted."""
        for _ in range(MOST_FIRINGS):
            due = clock.next_of(self.play)
            if due is None or due[0] > then or self.is_over("") or not self.fire(due[2], due[0]):
                break
        self.play.now = then
        touched, self.touched = self.touched, set()
        try:
            return self.is_open("")
        finally:
            self.touched = touched

    def wind(self) -> None:
        """Fire timers in their order until those of the proposal have fired once, at most so many."""
        for _ in range(MOST_FIRINGS):
            due = clock.next_of(self.play)
            if due is None or not self.waiting() or self.is_over(f"the timer {told(self.waiting()[0])}"):
                return
            if not self.fire(due[2], due[0]):
                return
        for key in self.waiting()[:MOST_WARNINGS]:  # behind too many others: as if those had done nothing
            if self.is_over(f"the timer {told(key)}") or not self.fire(key, clock.timers(self.play)[key]["due"]):
                return

    def is_over(self, what: str) -> bool:
        """Whether no more work may be done, so that something is not tried."""
        if METER.work() >= self.end:
            self.untried = self.untried or what
        return bool(self.untried)

    def waiting(self) -> list[str]:
        """Return the timers that have to do with the proposal and have not fired yet."""
        running = clock.timers(self.play).items()
        return [key for key, timer in running if key not in self.fired and self.is_own(key, timer)]

    def is_own(self, key: str, timer: Timer) -> bool:
        """Whether a timer is new, or started or heard by a rule of the proposal."""
        hook = f"on_{timer['name'].replace('-', '_')}"
        return key not in self.running or timer["rule"] in self.touched or self.hears(hook)

    def hears(self, hook: str) -> bool:
        """Whether a rule of the proposal listens to an event."""
        return bool(self.touched & set(self.play.law.listeners(hook)))

    def fire(self, key: str, due: int) -> bool:
        """Let a timer fire at its time; False where play ends there or nothing more can be tried."""
        play = self.play
        play.now = max(play.now, due)
        own = self.is_own(key, clock.timers(play)[key])
        mark = play.mark()
        try:
            with self.noting(f"when the timer {told(key)} fires ({write_stamp(play.now)})"):
                clock.fire(play, key)
                play.drain()
        except (Overrun, PlayEnds):
            return False
        except Fault:
            play.rollback(mark)
            return False
        if own:
            self.fired.append(key)
            again = clock.timers(play).get(key)
            if again is not None and again["due"] > due:
                self.work.append(max(play.budget.share, LEAST_WORK) * DAY / (again["due"] - due))
        return True

    def note_work(self) -> None:
        """Note what the proposal's timers take in a day, if that is much; those that were not tried count as others."""
        if not self.work:
            return
        own = sum(self.is_own(key, timer) for key, timer in clock.timers(self.play).items())
        whole = int(sum(self.work) * max(1, own / len(self.work)))
        if whole >= MOST_WORK:
            sentence = f"its timers take as much work a day as {whole:,} events may take at most"
            self.warnings.setdefault(("work",), f"{sentence}, which keeps whoever referees busy")

    @contextmanager
    def noting(self, when: str) -> Iterator[None]:
        """Give what is done a budget of its own, and note what fails of the proposal's rules."""
        self.play.budget, self.play.failures = Budget(), []
        try:
            yield
        except Overrun as overrun:
            self.note_overrun(overrun, when)
            raise
        finally:
            self.note(when)

    def note(self, when: str) -> None:
        """Note which of the proposal's rules have failed."""
        for failure in self.play.failures:
            if failure["rule"] in self.touched:
                error = failure["error"][:LONGEST_ERROR].rstrip(".")
                sentence = f"{self.named(failure['rule'])} fails in its {failure['hook']} {when}: {error}"
                self.warnings.setdefault((failure["rule"], failure["hook"], error, when), sentence)

    def note_overrun(self, overrun: Overrun, when: str) -> None:
        """Note which of the proposal's rules spends the budget of a whole event."""
        blamed = overrun.blame or overrun.outermost
        if blamed is not None and blamed[0] in self.touched:
            sentence = f"{self.named(blamed[0])} spends the budget of the whole event {when}"
            self.warnings.setdefault((*blamed, when), sentence)

    def named(self, uid: str) -> str:
        """Return how a rule is called in a sentence."""
        return f"rule {self.texts[uid]['rule']}" if uid in self.texts else "the new rule"


# -- answers that nobody ever hears: a rule of higher precedence always answers the same question
#
# That is told before such a rule is made law, and of one that is. "Always" is read from the script (see
# `language.definite_answers`): in every state of the game, as long as the law stays and that rule does not fail.

EVERY_ANSWER = "ask_all"
USABLE = {
    "permission": Shapes([TRUTH, REFUSAL]),
    "switch": Shapes([TRUTH]),
    "words": Shapes([TEXTS]),
    "verdict": Shapes([TRUTH, VERDICT]),
    "counting": Shapes([TRUTH, TEXT, REFUSAL]),
    "examined": Shapes(),
}
"""Which shapes of an answer the kernel can use in every state, by what the catalogue says of the question."""


class Overruled(NamedTuple):
    """A rule (uid) that answers a question, and the rule that always answers it before."""

    rule: str
    question: str
    by: str


def overruled_answers(play: Play) -> list[Overruled]:
    """Return the answers that are always overruled, as the law in force stands; those of rules that sleep are none."""
    found: list[Overruled] = []
    heard = _heard_all(play)
    hooks = dict.fromkeys(hook for document, _ in play.law.in_force().values() for hook in play.law.hooks_of(document))
    for hook in hooks if heard is not None else ():
        kind, _, question = hook.partition("_")
        if kind != "decide" or question in (heard or ()) or len(play.law.by_default(hook)) < 2:
            continue
        uids = play.law.listeners(hook)
        by = next((place for place, uid in enumerate(uids) if _always_answers(play, uid, question, uids)), len(uids))
        found += [Overruled(uid, question, uids[by]) for uid in uids[by + 1 :]]
    circles = play.law.paradoxes()  # which are told of themselves
    if play.law.volatile:  # which rule goes first may be otherwise at another time
        return []
    return [each for each in found if not any({each.rule, each.by} <= {*circle} for circle in circles)]


def overruled_told(play: Play, answer: Overruled, named: Callable[[str], str]) -> str:
    """Return a sentence, without a full stop, about an answer that is always overruled, and what helps.

    `named` returns how a rule is called in it, by its uid.
    """
    claims = play.law.by_default("decide_prevails") and not play.law.in_force()[answer.rule][0].get("precedence")
    said = f"{named(answer.rule)}'s answer to the question {told(answer.question)} is overruled by {named(answer.by)}"
    return f"{said}, which always answers it; amend that one{', or claim precedence' if claims else ''}"


def _always_answers(play: Play, uid: str, question: str, uids: list[str]) -> bool:
    """Whether a rule gives an answer that can be used whenever a question is put to the law."""
    document, meta = play.law.in_force()[uid][0], play.law.metas()[uid]
    script, hook = document.get("script") or "", f"decide_{question}"
    count, shapes = shapes_of(script, hook, play.host)
    if NOTHING in shapes or not shapes <= _usable(play, question, shapes) or document.get("about"):
        return False
    declared = catalogue("questions").get(hook)
    counts = (
        [len(declared.names)] if declared else [shapes_of(_script(play, each), hook, play.host)[0] for each in uids]
    )
    if {*counts} != {count} or any(each["hook"] == hook for each in failures_of_now(meta)):
        return False
    try:
        program(play, uid, script)
    except (ScriptError, Fault):
        return False
    return True


def _script(play: Play, uid: str) -> str:
    return play.law.in_force()[uid][0].get("script") or ""


def _usable(play: Play, question: str, shapes: Shapes) -> Shapes:
    """Return the shapes that whoever asks a question can use; for what follows from other things none are known."""
    blocks: list[Any] = [block for document, _ in play.law.in_force().values() for block in _blocks(document)]
    if any((block.get(question) or {}).get("derived") for block in blocks):
        return Shapes()
    declared = catalogue("questions").get(f"decide_{question}")
    return USABLE.get(declared.answer, shapes) if declared else shapes


def _blocks(document: RuleDocument) -> Iterator[Any]:
    """Yield the blocks of registers that a rule declares."""
    for name, block in (document.get("defines") or {}).items():
        yield from (kind.get("registers") or {} for kind in block.values()) if name == "kinds" else [block]


def _heard_all(play: Play) -> set[str] | None:
    """Return the questions of which a rule hears every answer; None where it may be any."""
    found: set[str] = set()
    for uid in play.law.in_force():
        script = _script(play, uid)
        if EVERY_ANSWER in script:
            named = [call.literal(0) for call in read(script).calls if call.name == EVERY_ANSWER]
            names = (node.id for node in tree_of(script).nodes if isinstance(node, ast.Name))
            if None in named or len(named) != sum(name == EVERY_ANSWER for name in names):
                return None
            found |= {str(each.value) for each in named if each is not None}
    return found
