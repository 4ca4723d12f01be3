"""The referee's pure half: judge one event on the documents of a game and say what came of it, and what pages show."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable
from typing import Any

from folkmoot.core.documents import Document, RuleDocument
from folkmoot.core.event_names import REST_RELEASED
from folkmoot.core.events import Event, Outcome
from folkmoot.core.keys import DUTIES, GAME, LAW, TIMERS, accepted_key, facts_key, proposal_key, refusals_key
from folkmoot.core.limits import LIMITS, is_unlimited, limit_of
from folkmoot.core.portable_names import folded
from folkmoot.core.records import Arguments, LeftOut, ProposedChange, Review, ScriptRecord
from folkmoot.core.sealed_data import holds_box, holds_sealed
from folkmoot.core.values import flaw_of_event, told
from folkmoot.kernel import acts, clock, founding, roster, sealed_data
from folkmoot.kernel.act_declarations import ADMINISTRATIVE, BEYOND_RULES, KERNEL_DECLARATIONS
from folkmoot.kernel.answers import change_record, find_proposal, refusal_of, taken_as, to_record
from folkmoot.kernel.budget import Budget
from folkmoot.kernel.chance import Chance, open_chance
from folkmoot.kernel.documents import Archive, Documents
from folkmoot.kernel.errors import LEFT_OUT, Fault, Held, Overrun, PlayEnds, Refusal, Silenced, with_failure
from folkmoot.kernel.host import HOST
from folkmoot.kernel.kernel_acts import note_act, welcome
from folkmoot.kernel.next_timer import OVERDUE, Due, foremost, next_due
from folkmoot.kernel.overruled_answers import Overruled, overruled_answers
from folkmoot.kernel.play import MUTED_AT_MOST, Play, Scope, left_out
from folkmoot.kernel.registers import crown
from folkmoot.kernel.roster import check_sender, maker_of
from folkmoot.kernel.rule_changes import normalise, set_suspended
from folkmoot.language.tree import hook_names

OpenVault = Callable[[], Any]
"""Opens what an event has at hand of what is sealed (see `folkmoot.kernel.sealed_data.vaults`)."""
PYTHON_CALLS = 4_000
"""How deep Python may call: far deeper than scripts may, so that never the stack of whoever asks decides an outcome."""


class Kernel:
    """A game's documents, changed in place, and the law on them; `apply` judges one event after the other."""

    def __init__(self, documents: dict[str, Document] | None = None, archive: Archive | None = None) -> None:
        """Take over `documents` (none: a game to be founded); `archive` gives what is not in memory."""
        sys.setrecursionlimit(max(sys.getrecursionlimit(), PYTHON_CALLS))
        self.documents = Documents(documents if documents is not None else {}, archive)
        self.play = Play(self.documents, HOST)
        self.without: Collection[LeftOut] = ()

    # -- judging

    def apply(self, event: Event, chance: Chance | None = None, vault: OpenVault | None = None) -> Outcome:
        """Judge one event and return what came of it; without a vault nothing can look into what is sealed.

        `event.do` is `found`, `tick` (fires the timer `with: {timer: key}`, or takes it away where `stopped` says why
        nobody can judge it), `clock` (nothing happens but that time has passed), an act of the kernel or an action of a
        rule. Timers due earlier must have been applied before (see `next_due`).

        What no record can hold is refused (E-ARGS) before anything looks at it.
        """
        flaw = flaw_of_event(event.given())
        if flaw:
            self.documents.begin()
            return Outcome(accepted=False, code="E-ARGS", reasons=[{"code": "E-ARGS", "args": {"why": flaw}}])
        play = self.play
        silenced = Silenced.of(event)
        play.law.volatile |= silenced.anybody
        self.documents.measure(limit_of(self.documents.get(GAME), "game_size"))
        play.begin(event.seq, event.at, chance or open_chance(event.prev, f"{event.seq} {event.do}"), vault=vault)
        play.via, play.actor = event.via, event.by
        play.person = None if maker_of(event.via) else event.by
        play.silenced, play.law.volatile = silenced, silenced.anybody
        outcome, counts = Outcome(accepted=True), self._counts(event)
        while not self._judge(event, outcome):
            pass
        self._finish(event, outcome, counts=counts)
        return outcome

    def _judge(self, event: Event, outcome: Outcome) -> bool:
        """Judge an event; False if it has to be done once more without a rule that spent its whole budget."""
        play = self.play
        try:
            self._dispatch(event, outcome)
        except PlayEnds:
            play.queue.clear()
            self._put_to_sleep()
        except Overrun as overrun:
            if play.mute(overrun):
                return False
            self._undo(outcome, Refusal(overrun.code, overrun.message))
        except Fault as fault:  # what the kernel itself did went wrong
            self._undo(outcome, Refusal(fault.code, fault.message))
        except Refusal as refusal:
            self._undo(outcome, refusal)
        return True

    def _dispatch(self, event: Event, outcome: Outcome) -> None:
        play = self.play
        if event.do == "found" and event.by is None:
            self._go_without(event)
            founding.found(play, event.with_)
        elif event.is_clock:
            return  # what it stands for was judged tick by tick
        elif event.is_tick:
            self._tick(event)
        else:
            self._go_without(event)
            self._act(event, outcome)
        play.drain()
        self._put_to_sleep()
        acts.release_abandoned(play)
        if not play.documents[GAME].get("over"):
            crown(play)
        if self.documents.too_large and event.do not in BEYOND_RULES:
            raise Refusal("E-BOUNDS", f"the game's file {self.documents.too_large} would grow too large")
        self._check_size(event)
        self._put_to_sleep()

    def _check_size(self, event: Event) -> None:
        """Refuse what would let the game grow beyond its limit; administrators may still mend it, up to the largest."""
        allowed = limit_of(self.documents[GAME], "game_size")
        size = self.documents.outgrown(LIMITS["game_size"].most if event.do in BEYOND_RULES else allowed)
        if size:
            why = f"the game would take {size:,} bytes, and {allowed:,} are the most (the limit game_size)"
            raise Refusal("E-BOUNDS", f"{why}; something has to go first, or an administrator raises the limit")

    def _act(self, event: Event, outcome: Outcome) -> None:
        play = self.play
        person = event.via.get("person")
        if isinstance(person, dict):
            check_sender(play, event.by, str(event.via["forge"]), person)
            roster.check_applicant(play, event.by, str(event.via["forge"]), person)
        review = event.via.get("review")
        if isinstance(review, dict) and "why" in review:  # a recorded input: an answer that can be no review's meaning
            play.failed(str(review.get("rule")), "decide_review", Fault(str(review["why"]), "E-ARGS"))
        act = acts.Act(event.do, event.by, event.with_, event.as_)
        play.view = acts.view_for(play, act)
        mark = play.mark()
        play.scopes.append(Scope(None))
        try:
            acts.run(play, act, review=maker_of(event.via))
        except Held as held:
            taken = sealed_data.values.taken_in(play, given) if holds_sealed(given := held.action["args"]) else []
            play.rollback(mark)
            outcome.code = "HELD"
            play.reason("HELD", held.rule, label=held.label, why=held.why)
            if taken:
                sealed_data.values.take_in_again(play, taken)
            acts.keep_held(play, held, act)
        else:
            note_act(play, event.by)
        finally:
            play.scopes.clear()

    def _tick(self, event: Event) -> None:
        key = str(event.with_.get("timer"))
        if not self._is_due(event):
            raise Refusal("E-NO-SUCH", f"no timer {told(key)} is due at this time")
        if event.with_.get("stopped"):  # a recorded input: nobody could judge it
            raise Refusal("E-DIED", str(event.with_["stopped"]))
        self._go_without(event)
        self.play.ticking = True
        if key == OVERDUE:
            clock.pass_deadline(self.play)
        elif clock.timers(self.play)[key]["name"] == REST_RELEASED:
            rest = clock.timers(self.play)[key]["payload"]
            self.documents.remove(TIMERS, clock.timers(self.play), key)
            acts.release_rest(self.play, **rest)
        else:
            clock.fire(self.play, key)

    def _is_due(self, event: Event) -> bool:
        if event.with_.get("timer") == OVERDUE:
            return self.next_due() == (event.at, "deadline", OVERDUE)
        game = self.documents.get(GAME)
        timer = clock.timers(self.play).get(str(event.with_.get("timer")))
        resting = game is not None and (game["paused"] is not None or bool(game["over"]))
        return timer is not None and timer["due"] == event.at and not resting

    def _go_without(self, event: Event) -> None:
        """Note who is not heard in this event, and put the dead to sleep; raises Refusal where one was needed."""
        for death in event.deaths:
            of, hook, how = death["rule"], death["hook"], death["how"]
            self.play.failures.append({"rule": of, "hook": hook, "how": how, "code": "E-DIED", "error": how})
        self._note_left_out(event.left_out)
        if self.play.silenced.silent:
            self.play.reason("UNHEARD")
        unjudged = self.play.silenced.left_out.get(("", ""))
        if unjudged is not None:
            raise Refusal("E-BUDGET", f"this could not be judged: {unjudged}")
        missing = self.play.silenced.missing()
        self.play.unheard = [(uid, left_out(self.play, uid, hook, why)) for uid, hook, why in missing]
        if missing and event.by is None:  # a founding, which mends nothing
            uid, guard = self.play.unheard[0]
            raise Refusal(guard["refused"], guard["why"], uid)
        self._put_to_sleep()

    def _note_left_out(self, out: Iterable[LeftOut]) -> None:
        for of, hook, why in ((each["rule"], each["hook"], each["why"]) for each in out):
            self.play.failures.append({"rule": of, "hook": hook, "why": why, "code": LEFT_OUT, "error": why})

    def _put_to_sleep(self) -> None:
        """Let those sleep who died in this event, and those of so many who spent its budget, unless pardoned since."""
        play = self.play
        spenders = {uid for uid, _ in play.muted} if len(play.muted) > MUTED_AT_MOST else set()
        sleeping = {**dict.fromkeys(sorted(spenders), "it spends the budget of the whole event"), **play.silenced.dead}
        for uid, why in sleeping.items():
            meta = play.law.metas().get(uid)
            if meta is not None and meta["in_force"] and not meta["suspended"] and uid not in play.silenced.pardoned:
                play.budget = Budget()  # whatever was spent, this must be done
                set_suspended(play, uid, why)

    def _undo(self, outcome: Outcome, refusal: Refusal) -> None:
        """Undo all of a refused event; that rules in which the sandbox died sleep stays."""
        play = self.play
        play.rollback((0, 0, 0))
        play.queue.clear()
        play.budget = Budget()  # that it is spent must not keep anybody from saying so
        outcome.accepted, outcome.code = False, refusal.code
        told = {"why": refusal.why, "items": list(refusal.items)}
        play.reason(refusal.code, refusal.rule, **{name: said for name, said in told.items() if said})
        play.silenced.pardoned.clear()
        self._put_to_sleep()

    def _finish(self, event: Event, outcome: Outcome, *, counts: dict[bool, bool]) -> None:
        play = self.play
        play.budget = Budget()
        if play.undecided:
            play.reason("NO-ANSWER", question="adopted")
        for circle in play.law.paradoxes():
            play.reason("PARADOX", rules=list(circle))
        play.failures += [failure for failure in play.law.failures() if failure not in play.failures]
        if not outcome.accepted and event.is_tick and self._is_due(event):
            self._disarm(event)
        heard = event.is_tick and not (event.deaths or event.left_out) and outcome.accepted
        came = play.effects or play.reasons or play.chance.records
        if not self._keep_failures(event) and heard and not came:
            play.failures = []  # they stand in the record already, and are counted with the law: it needs no entry
        if outcome.accepted and event.do != "found":
            acts.keep_effects(play)
        self._note_fact(event, outcome, counts=counts)
        outcome.effects, outcome.reasons, outcome.failures = play.effects, play.reasons, play.failures
        outcome.draws = play.chance.records
        game = self.documents.get(GAME)
        deals_in_sealed = game is not None and "sealed" in game["counters"]
        if play.vault is not None or deals_in_sealed or (not outcome.accepted and holds_box(event.with_)):
            sealed_data.values.conclude(play, event, outcome)
        outcome.changed = set(self.documents.touched)

    def _disarm(self, event: Event) -> None:
        """Take away a timer that could not fire, so that it does not stop the clock for ever."""
        running, key = clock.timers(self.play), str(event.with_.get("timer"))
        clock.mark_overdue(self.play, event.at if key == OVERDUE else 0)
        if key in running:
            timer = running[key]
            self.documents.remove("things/timer", running, key)
            if "spec" in timer or event.with_.get("stopped"):
                self.play.reason("TIMER-STOPPED", timer.get("rule"), timer=key)

    def _keep_failures(self, event: Event) -> bool:
        """Keep the failures of scripts with the law, where the rule's page shows them; whether any of them is new."""
        metas, new = self.play.law.metas(), False
        for failure in self.play.failures:
            meta = metas.get(failure["rule"])
            if meta is None:
                new = True
                continue
            kept, is_new = with_failure(meta, failure, event)
            self.documents.assign(LAW, metas, failure["rule"], {**meta, "failures": kept})
            new |= is_new
        return new

    def _note_fact(self, event: Event, outcome: Outcome, *, counts: dict[bool, bool]) -> None:
        """Keep which fact of a forge this was, so that nobody records it again, and whom a newcomer is there."""
        key = facts_key(event.via)
        if key is None or self.documents.get(GAME) is None:
            self._note_proposals(outcome)
            return
        document = self.documents[key]
        fact = str(event.via["fact"])
        if "facts" in document:  # there may be a thousand of one place: what is new is added to them
            self.documents.assign(key, document["facts"], fact, event.seq)
        else:
            self.documents.assign(key, document, "facts", {fact: event.seq})
        if event.do == "fault":
            self.documents.assign(key, document, "faults", [*document.get("faults", ()), fact])
        self._note_proposals(outcome)
        if event.by and counts[outcome.accepted]:  # so that a referee can stop to record those of who will not stop
            arrived = event.via.get("arrived")
            counted = accepted_key if outcome.accepted else refusals_key
            of_day = counted(str(event.via["forge"]), arrived if type(arrived) is int else event.at)
            acts_of_day = self.documents[of_day]
            self.documents.assign(of_day, acts_of_day, event.by, acts_of_day.get(event.by, 0) + 1)
        person = event.via.get("person")
        if outcome.accepted and isinstance(person, dict) and event.do != "withdraw_application":
            welcome(self.play, str(event.by), str(event.via["forge"]), person)

    def _note_proposals(self, outcome: Outcome) -> None:
        """Keep with each place of a forge what was proposed there; what had been held came by another way than this."""
        made = [effect["of"] for effect in self.play.effects if effect["effect"] == "propose" and outcome.accepted]
        for identifier in made:
            key = facts_key(self.documents[proposal_key(identifier)]["via"])
            if key is not None:
                document = self.documents[key]
                self.documents.assign(key, document, "proposals", [*document.get("proposals", ()), identifier])

    def _counts(self, event: Event) -> dict[bool, bool]:
        """Say, before an act is judged, whether the limits of a day count it if it is accepted (True), or refused."""
        game, owed = self.documents.get(GAME), self.documents.get(DUTIES) or {}
        administrators = game["administrators"] if game is not None else ()
        if event.by is None or "forge" not in event.via or is_unlimited(event.do, event.by, administrators, owed):
            return {True: False, False: False}
        declared = self.play.law.declared("actions").get(event.do)
        return {True: not (event.as_ or (declared and declared[1].get("as"))), False: True}

    # -- looking

    def next_due(self) -> Due | None:
        """Return (due, edge, key) of the timer that fires next, None while the game is paused, over or timeless."""
        timers = self.documents.get(TIMERS) or {}
        first = next_due(self.documents.get(GAME), timers, self.documents.get(DUTIES))
        return first and foremost(timers, first, lambda uids: self.order(first[0], uids))

    def look(self, question: Callable[[Play], Any], now: int) -> Any:
        """Ask something of the law without changing anything, and without whom `without` names."""
        self.play.begin(int((self.documents.find("head") or {}).get("seq", 0)), now, open_chance("", "look"))
        self.play.silenced = Silenced(left_out={(out["rule"], out["hook"]): out["why"] for out in self.without})
        self.play.law.volatile |= self.play.silenced.anybody  # acts are judged with them
        self._note_left_out(self.without)
        self.play.scopes.append(Scope(None))
        try:
            return question(self.play)
        finally:
            self.play.rollback((0, 0, 0))
            self.play.scopes.clear()

    def ask(self, question: str, arguments: list[Any], now: int, about: str = "") -> Any:
        """Return what the law answers to a question, about a proposal (by its id) where one is named, or None."""
        return self.look(lambda play: play.ask(question, *_shown(play, about), *arguments), now)

    def read_review(self, proposal: str, arguments: list[Any], now: int) -> Any:
        """Return the act (`rule`, `do`, `args`, `as`) that the law makes of a review, or `why` it is none."""
        return self.look(lambda play: _read(play, "review", [*_shown(play, proposal), *arguments]), now)

    def taken_as(self, pull: Arguments, now: int) -> Any:
        """Return by which action the law takes a pull request in: see `folkmoot.kernel.answers`."""
        return self.look(lambda play: taken_as(play, pull), now)

    def read_push(self, proposal: str, changes: list[ProposedChange], now: int) -> Any:
        """Return what the law makes of new content of a pull request: see `folkmoot.kernel.step`."""
        return self.look(lambda play: read_push(play, _shown(play, proposal)[0], changes), now)

    def stands_in_way(self, do: str, by: str | None, now: int) -> ScriptRecord | None:
        """Return why an act is refused whatever is said in it: see `folkmoot.kernel.acts`."""
        found: ScriptRecord | None = self.look(lambda play: acts.stands_in_way(play, do, by), now)
        return found

    def order(self, now: int, uids: list[str] | None = None) -> list[str]:
        """Return the uids of rules in force in order of precedence: of all, or of those among some."""
        return list(self.look(lambda play: clock.in_order(play, uids), now))

    def overruled(self, now: int) -> list[Overruled]:
        """Return the answers of rules in force that are always overruled: see `folkmoot.kernel.overruled_answers`."""
        return list(self.look(overruled_answers, now))

    def undo(self) -> None:
        """Undo the event applied last; only where nothing else was done since."""
        self.play.rollback((0, 0, 0))

    def come_back(self, snapshot: bytes) -> None:
        """Come back to a state that `documents.snapshot()` kept; what the scripts are compiled to stays."""
        self.documents.restore(snapshot)
        self.play.law.forget()
        self.play.people = None

    def pages(self, now: int, skip: Collection[str] = ()) -> dict[str, ScriptRecord]:
        """Return every page that a rule shows: name → {title, rule, blocks}, with the error if it fails."""
        return dict(self.look(lambda play: pages_of(play, skip), now))


def _shown(play: Play, proposal: str) -> list[ScriptRecord]:
    return [to_record(play, find_proposal(play, proposal))] if proposal else []


# -- what the law makes of a review, and of new content of a pull request


PERSONAL = "is for people to do in person, a rule does not do it for them"
OF_A_BALLOT = {"choice", "reason"}


def read_push(play: Play, shown: ScriptRecord, changes: list[ProposedChange]) -> Review | None:
    """Return what the law makes of new content of an undecided pull request, or `code` and `why` it is refused."""
    try:
        proposed = [change_record(play, change) for change in normalise(play, changes)]
    except Refusal as refusal:
        return {"code": refusal.code, "why": refusal.why}
    return _read(play, "push", [shown, proposed])


def _read(play: Play, what: str, asked: list[Any]) -> Review | None:
    """Return the act that the law makes of something, which is none of its own."""
    uid, answer = play.ask_whose(what, *asked)
    if uid is None:
        return None
    refused = refusal_of(answer, "") if what == "push" else None
    if refused:
        return {"rule": uid, "code": refused[0], "why": refused[1]}
    why = _flaw_of_meaning(play, what, answer)
    if why:
        return {"rule": uid, "why": f"what a {what} stands for cannot be this: {why}"}
    args = {name: value for name, value in (answer.get("args") or {}).items() if name != "$"}
    return {"rule": uid, "do": answer["do"], "args": args, "as": answer.get("as") or None}


def _flaw_of_meaning(play: Play, what: str, answer: Any) -> str:
    """Return why an answer is nothing that a review or push can stand for, "" if it is."""
    if not isinstance(answer, dict) or not isinstance(answer.get("do"), str):
        return "it must be a map with `do`, the name of an action, and `args` and `as` where it needs them"
    if not isinstance(answer.get("args"), (dict, type(None))):
        return "`args` must be a map"
    if not isinstance(answer.get("as"), (str, type(None))):
        return "`as` must be the name of an office"
    return _flaw_of_act(play, what, answer["do"], answer.get("args") or {})


def _flaw_of_act(play: Play, what: str, do: str, args: Arguments) -> str:
    """Return why this may not become of a review or push: a review may be a ballot, both what a rule declares."""
    if do in ADMINISTRATIVE:
        return f"{do} is for administrators to do, not for rules"
    if do in play.law.declared("actions", play.view):
        return ""
    if do == "vote" and what == "review":
        beside = min(set(args) - OF_A_BALLOT - {"$"}, default="")
        return f"a ballot has a choice and a reason, not {told(beside)}" if beside else ""
    return f"{do} {PERSONAL}" if do in KERNEL_DECLARATIONS else f"no rule in force knows an action {told(do)}"


# -- the pages that rules show: what each says, or how it fails


def pages_of(play: Play, skip: Collection[str] = ()) -> dict[str, ScriptRecord]:
    """Return every page that a rule shows, but those of the rules to skip."""
    shown: dict[str, ScriptRecord] = {}
    for uid, (document, meta) in play.law.in_force().items():
        if uid in skip or meta.get("suspended"):
            continue
        for hook in hook_names(document.get("script") or ""):
            if hook.startswith("show_"):
                name = hook.removeprefix("show_")
                if folded(name) not in map(folded, shown):  # the first that has a name has its file on every system
                    shown[name] = _page(play, uid, document, hook)
    return shown


def _page(play: Play, uid: str, document: RuleDocument, hook: str) -> ScriptRecord:
    failures = len(play.failures)
    blocks = play.advise(uid, hook, [])
    page: ScriptRecord = {
        "title": document["title"],
        "rule": uid,
        "blocks": unmarked(blocks) if isinstance(blocks, list) else [],
    }
    if len(play.failures) > failures:
        page |= {name: value for name, value in play.failures[-1].items() if name in ("error", "line", "column")}
    return page


def unmarked(value: Any) -> Any:
    """Return what a script gave without the marks of what were structs there."""
    if isinstance(value, dict):
        return {key: unmarked(item) for key, item in value.items() if key != "$"}
    return [unmarked(item) for item in value] if isinstance(value, list) else value
