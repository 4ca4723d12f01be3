"""Trying on the game itself what comes of a proposal, and undoing it: can the law still change, what comes later?

A trial knows no game. It tries what the law offers: actions that take in rule-changes, those without arguments and
some that need only what it can name, votes of everybody by each of the words that one votes by, and the passing of
time, as long as the budget of an event lasts. Where a guard that fails is in the way, it tries whether that rule can be
mended. What is bounded is bounded by counted work, the same on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice, product
from typing import Any

from msgspec import Struct

from folkmoot.core.calendar import DAY, write_stamp
from folkmoot.core.documents import Change, Document, Proposal, Timer
from folkmoot.core.event_names import ADOPTED, DEFEATED
from folkmoot.core.keys import GAME, LAW, ON_TRIAL, rule_key
from folkmoot.core.records import Arguments, ProposedChange
from folkmoot.core.rule_blocks import ActionSpec, ArgumentSpec
from folkmoot.core.values import told
from folkmoot.kernel import acts, clock, proposals, voting
from folkmoot.kernel.act_declarations import VOTE, argument_for_changes
from folkmoot.kernel.answers import find_proposal
from folkmoot.kernel.ballot_words import CHOICES
from folkmoot.kernel.budget import METER, PER_EVENT, Budget
from folkmoot.kernel.chance import open_chance
from folkmoot.kernel.errors import Fault, Overrun, PlayEnds, Refusal
from folkmoot.kernel.overruled_answers import Overruled, circle_told, circles_of, overruled_answers, overruled_told
from folkmoot.kernel.play import Play, refuses_acts, veil
from folkmoot.kernel.proposals import apply_changes
from folkmoot.kernel.rule_changes import normalise
from folkmoot.kernel.things import canonical_digest, holder, things
from folkmoot.language.declarations import host

MECHANICS = ("script", "defines", "actions", "timers", "settings", "precedence", "sealed", "about")


def has_mechanics(play: Play, change: Change) -> bool:
    """Whether a change can alter how the game runs; what is only text cannot."""
    if change["kind"] == "transmute":
        return True
    before: Document = (play.documents.get(rule_key(change["rule"])) if change["rule"] else None) or {}
    return any(part.get(name) for part in (before, change.get("parts", {})) for name in MECHANICS)


@contextmanager
def apart(play: Play, proposal: Proposal) -> Iterator[None]:
    """Try something on a game with a budget, chance and failures of its own, nothing sealed at hand; then undo it."""
    mark, used, play.law.used = play.mark(), play.law.used, []
    chance = open_chance(canonical_digest(proposal["changes"]), "probe")
    empty: dict[str, list[Any]] = {part: [] for part in "reasons failures queue frames scopes questions".split()}
    absent = dict.fromkeys(("vault", "open_vault", "view", "draft"))
    same = {"now": play.now, "actor": play.actor, "stashed": play.stashed}
    try:
        with play.having(probing=True, budget=Budget(), chance=chance, **empty, **absent, **same):
            yield
    finally:
        play.law.used = used
        play.rollback(mark)


def _is_settled(proposal: Proposal) -> bool:
    """Whether nothing is left for the law to decide of a proposal: it is decided, or was never taken in."""
    return proposal["id"].endswith("/draft") or bool(proposal["outcome"])


def adopt(play: Play, proposal: Proposal) -> None:
    """Let a proposal be adopted: by its own resolution, or where that is settled by its changes alone."""
    if _is_settled(proposal):
        apply_changes(play, {**proposal, "number": proposal["number"] or "probe"})
    else:
        proposals.resolve(play, proposal, ADOPTED, "trial")
    play.drain()


# -- the lock-out probe: play on until a harmless proposal passes

MOST_ROUNDS = 300
MOST_CHOICES = 8
LOCKED = "no way was found to adopt even a harmless rule-change"
HARMLESS = "A harmless trial"
TRIAL = "This sentence changes nothing."


@host("proposals", "locks_out(proposal: ref) -> str", looks=True)
def locks_out(play: Play, ref: Any) -> str:
    """Play on with the proposal adopted, in a trial: the reason why no rule-change could be adopted any more, or ''.

    | p = submit("More waves", [{"enact": {"title": "Waves", "text": "There are waves."}}])
    | announce(locks_out(p) or "the game could go on with it")
    """
    if play.probing:
        return ""
    proposal = find_proposal(play, ref)
    if not any(has_mechanics(play, change) for change in proposal["changes"]):
        return ""
    why = _why_locked(play, proposal, is_law=True)
    return "" if why and _why_locked(play, proposal, is_law=False) else why  # no change is blamed for what is so


def _why_locked(play: Play, proposal: Proposal, *, is_law: bool) -> str:
    """Return why no rule-change could be adopted once a proposal is law, or else is defeated; "" where one could."""
    try:
        with apart(play, proposal), veil(play, proposal):
            if is_law:
                adopt(play, proposal)
            elif not _is_settled(proposal):
                proposals.resolve(play, proposal, DEFEATED, "trial")
                play.drain()
            return "" if can_still_change(play) else f"after it, {LOCKED}"
    except PlayEnds:
        return ""
    except Overrun:
        return "the trial needs more than the budget of one event"


def can_still_change(play: Play) -> bool:
    """Whether a harmless change can be adopted as things are, or else faulty rules mended. Raises Overrun."""
    mark, now = play.mark(), play.now
    try:
        if _passes_by_some_choice(play, []):
            return True
        failing = {failure["rule"] for failure in play.failures if refuses_acts(failure)}
        failing |= {uid for uid, _hook, _why in play.silenced.missing()}
        mending: list[ProposedChange] = [{"repeal": uid} for uid in play.law.in_force() if uid in failing]
        if mending:
            play.budget = Budget()
        return bool(mending) and _passes_by_some_choice(play, mending)
    except PlayEnds:
        return True
    finally:
        play.now = now
        play.queue.clear()
        play.rollback(mark)


def _passes_by_some_choice(play: Play, changes: list[ProposedChange]) -> bool:
    """Play on with everybody voting by the first word, then by each other, until something passes."""
    mark, now, budget, place, offered = play.mark(), play.now, play.budget, 0, 1
    try:
        while place < min(offered, MOST_CHOICES):
            trial = _Rounds(play, place, changes)
            if trial.passes():
                return True
            offered = max(offered, trial.offered)
            play.rollback(mark)
            play.queue.clear()
            play.now, place = now, place + 1
            parts = max(1, min(offered, MOST_CHOICES) - 1)
            play.budget = Budget(spent={what: limit - limit // parts for what, limit in PER_EVENT.items()})
        return False
    finally:
        play.budget = budget


class _Rounds:
    """Rounds of play in which everybody votes alike: by the word at a place among those that the law offers."""

    def __init__(self, play: Play, place: int, changes: list[ProposedChange]) -> None:
        """`changes` are to pass together; none: something harmless."""
        self.play, self.place, self.changes = play, place, changes
        self.offered = 1  # words by which one votes
        self.before = set(play.documents[LAW]["rules"])
        self.own: Proposal | None = None
        self.proposed: list[Change] = []
        self.vain = 0  # of the harmless changes were made, and undone at once

    def passes(self) -> bool:
        """Play rounds until something became law, nothing more happens, or the budget is spent. Raises Overrun."""
        for number in range(MOST_ROUNDS):
            try:
                while self.attempt():
                    if self.is_made():
                        return True
                    self.vain += 1  # it was undone at once: propose something else
                if self.has_new_rule():
                    return True
                if not _pass_time(self.play) or self.has_new_rule():
                    break
            except Overrun:
                if number == self.place == 0 and not self.changes:
                    raise
                break
        return self.has_new_rule()

    def has_new_rule(self) -> bool:
        """Whether any rule became law meanwhile, and is."""
        return any(uid not in self.before for uid in self.play.law.in_force())

    def attempt(self) -> bool:
        """Propose something and carry it through; True when it was adopted."""
        play, players = self.play, things(self.play, "player")
        mover = play.ask("mover")
        players = sorted(players, key=lambda player: player != mover)
        proposal = self.find() or self.propose(players)
        if proposal is None:
            _do_what_can_be_done(play, players, lambda: self.propose(players) is not None)
            proposal = self.find()
        if proposal is None:
            for identifier in list(play.documents[GAME]["open"]):
                self.vote(players, find_proposal(play, identifier))
            return False
        if proposal["state"] == "pending":
            _do_what_can_be_done(play, players, lambda: proposal["state"] != "pending")
        self.vote(players, proposal)
        return _is_law(play, proposal)

    def find(self) -> Proposal | None:
        """Return the trial's own proposal while it may still become law."""
        open_ones = (find_proposal(self.play, identifier) for identifier in self.play.documents[GAME]["open"])
        harmless = (each for each in open_ones if each["title"] == HARMLESS and each["author"] is not None)
        found = self.own or next(harmless, None)
        self.own = None if found is not None and found["outcome"] and not found.get("waits") else found
        return self.own

    def propose(self, players: list[str]) -> Proposal | None:
        """Let somebody propose; the first who can."""
        play = self.play
        ways = [self.changes] if self.changes else [[change] for change in _harmless_changes(play)]
        for changes in ways[self.vain :]:
            for do, (_uid, declared) in play.law.declared("actions").items():
                for player in players if argument_for_changes(declared) else ():
                    self.proposed = normalise(play, changes)
                    for more in arguments_of(play, do):
                        if _try(play, do, player, {**more, "title": HARMLESS, "changes": changes}):
                            return self.find()
        return None

    def is_made(self) -> bool:
        """Whether something of what was proposed is law, and not other changes in its place, or none."""
        assert self.own is not None
        proposal = self.own
        left_out = {omitted["change"] for omitted in proposal.get("omitted", ())}
        made = [change for place, change in enumerate(proposal["changes"]) if place not in left_out]
        wanted = [_essence(change) for change in self.proposed]
        return any((not wanted or _essence(change) in wanted) and self.stands(change) for change in made)

    def stands(self, change: Change) -> bool:
        """Whether a change that was made is still so: another rule may have undone it at once."""
        if change["rule"] is None:
            return self.has_new_rule()
        rule = self.play.law.in_force().get(change["rule"])
        if change["kind"] == "repeal":
            return rule is None
        text = change.get("parts", {}).get("text")
        return rule is not None and (text is None or rule[0].get("text") == text)

    def vote(self, players: list[str], proposal: Proposal) -> None:
        """Let everybody vote who has not."""
        if proposal["state"] != "open":
            return
        if proposal.get("sealed"):  # what all cast alike need not be sealed
            proposals.set_fields(self.play, proposal, sealed=False)
        choices = voting.choices_of(self.play, proposal) or CHOICES
        choices = sorted(choices, key=lambda choice: choice != CHOICES[0])
        self.offered = max(self.offered, len(choices))
        arguments = {"kind": proposal["kind"], "proposal": proposal["id"]}
        arguments["choice"] = choices[min(self.place, len(choices) - 1)]
        for player in players:
            if proposal["state"] == "open" and player not in proposal["ballots"]:
                acts.attempt(self.play, acts.Act(VOTE, player, arguments))
                self.play.drain()


def _is_law(play: Play, proposal: Proposal) -> bool:
    return bool(proposals.outcomes(play).get(proposal["outcome"] or "")) and not proposal.get("waits")


def _essence(change: Change) -> tuple[str, str | None, str | None]:
    """Return what a change is about, whatever the law puts beside it."""
    return change["kind"], change["rule"], change.get("parts", {}).get("text")


def _harmless_changes(play: Play) -> list[ProposedChange]:
    """Return changes to try: a new rule, else another wording of one without mechanics, else its repeal."""
    found: list[ProposedChange] = [{"enact": {"title": HARMLESS, "text": TRIAL}}]
    plain = [uid for uid, (rule, _) in play.law.in_force().items() if not any(rule.get(part) for part in MECHANICS)]
    for uid in plain[-2:]:
        found += [{"amend": uid, "text": TRIAL}, {"repeal": uid}]
    return found


def _do_what_can_be_done(play: Play, players: list[str], done: Callable[[], bool]) -> None:
    """Let everybody do what gives nothing up until something is reached: first what needs no arguments."""
    declared = play.law.declared("actions").items()
    others = [do for do, (_uid, action) in declared if not _needs_changes(action)]
    ways = sorted(((do, given) for do in others for given in arguments_of(play, do)), key=lambda way: len(way[1]))
    for do, arguments in ways[: len(others) + MOST_WITH_ARGUMENTS]:
        for player in players[:MOST_VALUES] if arguments else players:
            mark, had = play.mark(), _to_lose(play)
            if _try(play, do, player, arguments):
                lost = had - _to_lose(play)  # all but a proposal that became law was given up
                if any(what != "proposal" or not _is_law(play, find_proposal(play, which)) for what, which in lost):
                    play.rollback(mark)
                elif done():
                    return


def _needs_changes(declared: ActionSpec) -> bool:
    """Whether an action cannot be done without rule-changes: one that may bring some, such as a last form, can."""
    arguments = (declared.get("arguments") or {}).values()
    return any(spec.get("type") == "changes" and not spec.get("optional") for spec in arguments)


def _to_lose(play: Play) -> set[tuple[str, str]]:
    """Return what an act may give up: who plays, which offices are held, what is not decided."""
    held = {("office", office) for office in things(play, "office") if holder(play, office)}
    undecided = {("proposal", of) for of in play.documents[GAME]["open"]}
    return {("player", who) for who in things(play, "player")} | held | undecided


def _try(play: Play, do: str, player: str, arguments: Arguments) -> bool:
    """Let somebody do something; what ends the game opens no way to change the law, and is taken back."""
    mark, declared = play.mark(), play.law.declared("actions")[do][1]
    given = {name: value for name, value in arguments.items() if name in (declared.get("arguments") or {})}
    try:
        done = acts.attempt(play, acts.Act(do, player, given, declared.get("as") or None))
        play.drain()
        return bool(done["ok"])
    except PlayEnds:
        play.rollback(mark)
        play.queue.clear()
        return False
    except Fault:
        return False


def _pass_time(play: Play) -> bool:
    due = clock.next_of(play)
    if due is None:
        return False
    play.now = max(play.now, due[0])
    mark = play.mark()
    try:
        clock.fire(play, due[2])
        play.drain()
    except Fault:
        play.rollback(mark)
        return False
    return True


# -- acts that a trial can do of itself

MOST_VALUES = 4  # of one argument that are tried
MOST_WAYS = 8  # to fill all that an action needs
MOST_WITH_ARGUMENTS = 40


def arguments_of(
    play: Play, do: str, guess: Callable[[Play, ArgumentSpec], list[Any]] = lambda _play, _spec: []
) -> list[Arguments]:
    """Return ways to fill what an action needs but changes and title; `guess` gives what the law names not."""
    declared = play.law.declared("actions")[do][1].get("arguments") or {}
    needed = {
        name: (_values(play, spec) or guess(play, spec))[:MOST_VALUES]
        for name, spec in declared.items()
        if not spec.get("optional") and "default" not in spec and name != "title" and spec.get("type") != "changes"
    }
    filled = islice(product(*needed.values()), MOST_WAYS)
    return [dict(zip(needed, values, strict=True)) for values in filled]


def _values(play: Play, spec: ArgumentSpec) -> list[Any]:
    kind = spec.get("type")
    if kind == "choice":
        return list(spec.get("of") or ())
    if kind == "player":
        return list(things(play, "player"))
    if kind == "proposal":
        return [find_proposal(play, each)["number"] for each in play.documents[GAME]["open"]]
    return [True, False] if kind == "boolean" else [max(1, spec.get("minimum", 1))] if kind == "integer" else []


# -- what comes of a proposal later: its timers fired, a harmless proposal voted on
#
# The lock-out probe looks at the moment of adoption. A rule may lock everybody out, fail or run away only when its
# timer fires or when people act next; that is warned of here, and forbids nothing.

MOST_FIRINGS = 60
MOST_WARNINGS = 5
MOST_WORK = 1_000  # times the budget of an event that timers may take in a day before that is said
LEAST_WORK = 0.001  # of that budget, which a timer takes that does nothing
LONGEST_ERROR = 200  # characters
RANKED = ("script", "precedence", "labels", "rule")  # parts of a rule on which it hangs whose answer is heard
BREAKS_NOTHING = ("circle", "work", "overruled")  # of warnings
NEXT = "at the next proposal and the votes on it"


class Outlook(Struct, frozen=True):
    """What to beware of `later`, whether that `breaks` rules or the game, and what took too much work (`untried`)."""

    later: list[str] = []
    breaks: bool = False
    untried: str = ""


def foresee(play: Play, changes: list[ProposedChange], most: float) -> Outlook:
    """Return what to beware of once changes are law and time has passed, by work of `most` times an event's."""
    game = play.documents[GAME]
    if game.get("over"):
        return Outlook()
    if game["paused"] is not None:  # as it will be once it goes on
        clock.shift(play, play.now - game["paused"])
        play.documents.assign(GAME, game, "paused", None)
    try:
        draft = proposals.new_draft(play, "A trial", changes, [], "proposal", None, {})
    except (Fault, Refusal):  # it cannot be made law, which others say
        return Outlook()
    if not any(has_mechanics(play, change) for change in draft["changes"]):
        return Outlook()
    play.draft = draft
    found, anyway = _Later(play, most), _Later(play, most)
    with apart(play, draft):
        found.look_on(draft)
    if not found.warnings:
        return Outlook(untried=found.untried)
    with apart(play, draft):
        anyway.look_on(None, found)
    new = {key: sentence for key, sentence in found.warnings.items() if key not in anyway.warnings}
    breaks = any(key[0] not in BREAKS_NOTHING for key in new)
    return Outlook(list(new.values())[:MOST_WARNINGS], breaks, found.untried)


def overruled_in(play: Play, changes: list[ProposedChange]) -> list[tuple[Overruled, str]]:
    """Return the answers of rules that changes would make or change which nobody would hear, each with a sentence."""
    draft, before = proposals.new_draft(play, "A trial", changes, [], "proposal", None, {}), _texts(play)
    with apart(play, draft):
        adopt(play, draft)
        return _overruled(play, before)


def _overruled(play: Play, before: Mapping[str, Document]) -> list[tuple[Overruled, str]]:
    """Return the answers that are always overruled of rules with another script or rank than before."""
    rules = play.law.in_force()
    return [
        (each, overruled_told(play, each, rules.keys() - before.keys()))
        for each in overruled_answers(play)
        if any(before.get(each.rule, {}).get(part) != rules[each.rule][0].get(part) for part in RANKED)
    ]


def _texts(play: Play) -> dict[str, Document]:
    return {uid: dict(document) for uid, (document, _) in play.law.in_force().items()}


class _Later:
    """One such trial: the rules that the proposal makes or changes, and what was found of them, by what it is."""

    def __init__(self, play: Play, most: float) -> None:
        self.play, self.most = play, most
        self.end = 0.0
        self.until = 0
        self.untried = ""
        self.texts = _texts(play)
        self.running = set(clock.timers(play))
        self.touched: set[str] = set()
        self.fired: list[str] = []
        self.work: list[float] = []
        self.warnings: dict[tuple[str, ...], str] = {}

    def look_on(self, proposal: Proposal | None, other: _Later | None = None) -> None:
        """Adopt a proposal, or look at what the `other` trial touched; wind the clock, propose what is harmless."""
        self.end = METER.work() + self.most
        try:
            if proposal is not None:
                adopt(self.play, proposal)
                rules = self.play.law.in_force().items()
                self.touched = {uid for uid, (document, _) in rules if self.texts.get(uid) != document}
                for answer, sentence in _overruled(self.play, self.texts):
                    self.warnings["overruled", answer.rule, answer.question] = sentence
            elif other is not None:
                self.touched, self.until = other.touched, other.until
            for circle, numbers in circles_of(self.play).items():
                names = [self.numbered(uid, number) for uid, number in zip(circle, numbers, strict=True)]
                self.warnings["circle", *circle] = circle_told(names)
            if not self.is_open(NEXT):
                locks = proposal is None  # else the lock-out probe says so
            else:
                self.wind()
                self.note_work()
                wound = bool(self.fired or self.until) and not self.is_over("the next proposal after its timers")
                locks = wound and not self.is_open(f"{NEXT}, later")
            if locks:
                self.until = self.play.now
                timer = f"once the timer {told(next(reversed(self.fired), ''))} has fired"
                self.warnings["locks",] = f"{timer} ({write_stamp(self.until)}), {LOCKED}"
        except (Fault, PlayEnds):
            pass

    def numbered(self, uid: str, number: str) -> str:
        """Return what stands for a rule in a row of numbers: what has one on trial only is called otherwise."""
        if number.partition("-")[0] not in ON_TRIAL:
            return number
        return f"{self.texts[uid]['rule']} as amended" if uid in self.texts else "the new one"

    def named(self, uid: str) -> str:
        """Return how a rule is called in a sentence."""
        return f"rule {self.texts[uid]['rule']}" if uid in self.texts else "the new rule"

    def is_open(self, when: str) -> bool:
        """Whether a harmless proposal can pass now; what fails of the proposal's rules meanwhile is noted."""
        try:
            with self.noting(when):
                return can_still_change(self.play)
        except Overrun:
            return False

    def wind(self) -> None:
        """Fire timers in their order until those of the proposal have fired once, and the time is come; but so many."""
        for _ in range(MOST_FIRINGS):
            due, waiting = clock.next_of(self.play), self.waiting()
            if due is None or not (waiting or due[0] <= self.until):
                break
            if self.is_over(f"the timer {told(next(iter(waiting), due[2]))}") or not self.fire(due[2], due[0]):
                break
        else:
            for key in self.waiting()[:MOST_WARNINGS]:  # behind too many others: as if those had done nothing
                due_at = clock.timers(self.play)[key]["due"]
                if self.is_over(f"the timer {told(key)}") or not self.fire(key, due_at):
                    break
        self.play.now = max(self.play.now, self.until)

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
        if key not in self.running or timer["rule"] in self.touched:
            return True
        return bool(self.touched & set(self.play.law.listeners(f"on_{timer['name'].replace('-', '_')}")))

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
            self.warnings["work",] = f"{sentence}, which keeps whoever referees busy"

    @contextmanager
    def noting(self, when: str) -> Iterator[None]:
        """Give what is done a budget and time of its own, and note which of the proposal's rules fail or spend it."""
        self.play.budget, self.play.failures = Budget(), []
        self.play.restarted()
        try:
            yield
        except Overrun as overrun:
            blamed = overrun.blame or overrun.outermost
            if blamed is not None and blamed[0] in self.touched:
                sentence = f"{self.named(blamed[0])} spends the budget of the whole event {when}"
                self.warnings.setdefault((*blamed, when), sentence)
            raise
        finally:
            for failure in self.play.failures:
                if failure["rule"] in self.touched:
                    error = failure["error"][:LONGEST_ERROR].rstrip(".")
                    sentence = f"{self.named(failure['rule'])} fails in its {failure['hook']} {when}: {error}"
                    self.warnings.setdefault((failure["rule"], failure["hook"], error, when), sentence)
