"""What rules would do as law: as a proposal that is rehearsed and undone, or made law on a copy and played on with.

Nobody's vote is foreseen: the electorate is taken to vote alike, or one office decides where the law says so. What
draws decide is tried several times, so that no fall of the dice is told as a fact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from folkmoot.core.calendar import DAY
from folkmoot.core.documents import Document, Proposal, Request
from folkmoot.core.event_names import ADOPTED, DEFEATED
from folkmoot.core.keys import GAME, TIMERS
from folkmoot.core.problems import fail
from folkmoot.core.records import (
    Arguments,
    Draw,
    Effect,
    Entry,
    Failure,
    ProposedChange,
    Reason,
    ScriptRecord,
    Shown,
    Taken,
    Written,
)
from folkmoot.core.rule_blocks import ArgumentSpec
from folkmoot.files.reader import Files, files_of, placed, where
from folkmoot.kernel import acts, proposals, voting
from folkmoot.kernel.act_declarations import VOTE, argument_for_changes, default_of, taking_in
from folkmoot.kernel.answers import find_proposal, to_record
from folkmoot.kernel.ballot_words import CHOICES
from folkmoot.kernel.budget import METER, MOST_FORESEEN, budget_for
from folkmoot.kernel.chance import open_chance
from folkmoot.kernel.errors import Fault, Held, Overrun, PlayEnds, Refusal
from folkmoot.kernel.play import MUTED_AT_MOST, Play, Scope, veil
from folkmoot.kernel.proposals import apply_changes
from folkmoot.kernel.registers import crown
from folkmoot.kernel.step import Kernel, pages_of
from folkmoot.kernel.things import things
from folkmoot.kernel.trials import arguments_of, locks_out
from folkmoot.scenarios.claims import changes_claimed
from folkmoot.scenarios.scenario import Failed, Run, play_steps, told_failure


class Consequences(Struct):
    """What comes of changes once they are law; `locked_out` says why no other could be made law, "" where one could."""

    effects: list[Effect] = []
    failures: list[Failure] = []
    new_actions: list[str] = []
    lost_actions: list[str] = []
    locked_out: str = ""
    later: list[str] = []  # what to beware of when time passes (see `Sandbox.foresee`)
    breaks: bool = False  # whether rules or the game break by that


def _ruling(error: Fault | Refusal | Held, **more: Any) -> Shown:
    """Return what the law says of what is not simply done: `ok`, `code`, `why` and the `rule` that says so."""
    if isinstance(error, Held):
        return {**more, "ok": True, "code": "HELD", "why": error.label, "rule": error.rule}
    why, rule = (error.why, error.rule) if isinstance(error, Refusal) else (error.message, None)
    return {**more, "ok": False, "code": error.code, "why": why, "rule": rule}


# -- a proposal rehearsed on the game itself, all of which is undone again

FAILED = ("error", "line", "column")
OUTCOMES = {"approve": ADOPTED, "request_changes": DEFEATED}
OF_THE_VOTE = ("open", "ballot", "close", "weigh", "freeze")
TRIALS = 5  # of what hangs on dice
MOST_CAST = 100  # ballots that are cast by acts; those of a larger electorate are entered before
MOST_CHOICES = 8
SPENT = "it takes more than the budget of one event"


class Rehearsal(Consequences):
    """What came of adopting a proposal."""

    proposing: Shown | None = None  # the act that takes it in: `do` and a ruling; None where there is none
    proper: Shown = field(default_factory=lambda: {"ok": True})  # what `proper` and `may_change` say, a ruling
    number: int | str | None = None
    opened: bool = False  # whether the vote on it opens as it is taken in
    choice: str = ""  # by which all vote for it
    adopted: bool = False  # whether it could be carried out; else `why`, or
    why: str = ""
    falls: str = ""  # the outcome that the law says all the same
    refused: str = ""  # why ballots are refused as things are
    judged: bool = False  # whether one office decides, by what the law makes of its review:
    decider: Shown | None = None  # `player` and `as`
    reasons: list[Reason] = []
    against: list[Effect] = []  # the effects of defeat instead
    trials: list[list[Effect]] = []  # where dice decide: what came of each of several tries,
    against_trials: list[list[Effect]] = []
    pages: list[Shown] = []  # `name`, `title`, `rule`, `change` (new, gone, changed or failing), else `error`


def rehearse(
    kernel: Kernel,
    changes: list[ProposedChange],
    title: str,
    author: str | None,
    now: int,
    requests: Sequence[Request] = (),
    proposal: str = "",
    act: Taken | None = None,
) -> Rehearsal:
    """Return what came of adopting a proposal, at `now` in Unix seconds, with its `requests`; nothing of it stays.

    `author` is a player's id, or None; `proposal` the id of one that was taken in already and goes as it stands; `act`
    what takes the changes in, with its arguments, or why nothing does (None: by what the rules declare).
    """

    def look(play: Play) -> Rehearsal:
        rehearsing = _Rehearsing(play, act)
        given = {"title": title, "changes": changes, "requests": list(requests)}
        rehearsing.run(lambda: find_proposal(play, proposal) if proposal else rehearsing.taken_in(given, author))
        return rehearsing.told

    found: Rehearsal = kernel.look(look, now)
    return found


class _Rehearsing:
    """One such rehearsal; each part of it has a budget of its own."""

    def __init__(self, play: Play, act: Taken | None) -> None:
        self.play, self.act = play, act
        self.end = METER.work() + MOST_FORESEEN
        self.start = 0  # how many effects there were before what was begun last
        self.told = Rehearsal()

    def run(self, take_in: Callable[[], Proposal]) -> None:
        """Take in, defeat, adopt and compare."""
        play, told = self.play, self.told
        game = play.documents[GAME]
        if game.get("over"):
            told.proper = _ruling(Refusal("E-GAME-OVER", "the game is over"))
            return
        if game.get("paused") is not None:  # as it will be once it goes on
            play.documents.assign(GAME, game, "paused", None)
        actions, pages = set(play.law.declared("actions")), self.pages()
        try:
            taken = take_in()
        except (Fault, Refusal) as error:
            told.proper = _ruling(error)
            return
        told.number, told.opened = taken["number"], taken["state"] != "pending"
        told.locked_out = self.apart(lambda: locks_out(play, taken["id"])) or ""
        told.against_trials = self.trials(taken, "request_changes")
        told.against = self.undone(taken, "request_changes")
        told.trials = self.trials(taken, "approve")
        told.effects = self.decided(taken, "approve")
        after = set(play.law.declared("actions"))
        told.new_actions, told.lost_actions = sorted(after - actions), sorted(actions - after)
        told.pages = list(_compared(pages, self.pages()))

    def begin(self) -> None:
        """Begin with something that has a budget, a time and reasons of its own."""
        play = self.play
        play.budget, play.reasons = budget_for(len(things(play, "player"))), []
        self.start = len(play.effects)
        play.restarted()

    def apart(self, question: Callable[[], Any]) -> Any:
        """Do something with a budget of its own; None where that does not suffice."""
        self.begin()
        self.play.failures = []
        try:
            return question()
        except Overrun:
            return None

    def pages(self) -> dict[str, ScriptRecord]:
        """Return the pages that rules show now."""
        return self.apart(lambda: pages_of(self.play)) or {}

    # -- taking it in

    def taken_in(self, given: Arguments, author: str | None) -> Proposal:
        """Return the proposal, taken in by its author's act where that works, else as a draft; raises Refusal."""
        play = self.play
        play.actor = author
        draft = proposals.new_draft(play, given["title"], given["changes"], given["requests"], "proposal", author, {})
        found: Proposal | None = self.apart(lambda: self.proposed(author, given)) if author else None
        self.begin()
        play.failures = []
        try:
            proposals.examine(play, found or draft)
        except Overrun:
            self.told.proper = _ruling(Refusal("E-BUDGET", SPENT))
        except (Fault, Refusal) as error:
            self.told.proper = _ruling(error)
        if found is None:
            play.draft = draft
            draft["number"] = self.apart(lambda: proposals.ask_number(play, draft))
        return found or draft

    def proposed(self, author: str, given: Arguments) -> Proposal | None:
        """Return the proposal that came of its author's act, None where the act was refused or made none."""
        play, told = self.play, self.told
        before = set(play.documents[GAME]["open"])
        if self.act is not None and "why" in self.act:
            told.proposing = _ruling(Refusal("E-NO-SUCH", self.act["why"], self.act.get("rule")), do="")
            return None
        for do, as_, arguments in self.ways(given):
            mark = play.mark()
            try:
                acts.act_within(play, acts.Act(do, author, arguments, as_))
                play.drain()
                told.proposing = {"do": do, "ok": True}
            except Held as held:
                told.proposing = _ruling(held, do=do)
            except (Fault, Refusal) as error:
                told.proposing = told.proposing or _ruling(error, do=do)
            made = [identifier for identifier in play.documents[GAME]["open"] if identifier not in before]
            if made:
                return find_proposal(play, made[-1])
            play.rollback(mark)
            play.queue.clear()
        return None

    def ways(self, given: Arguments) -> Iterator[tuple[str, str | None, Arguments]]:
        """Yield the acts (action, office, arguments) that may take changes in: the named one, else the law's."""
        if self.act is not None:
            yield self.act["do"], self.act.get("as"), self.act.get("args", {})
            return
        actions = {do: action for do, (_uid, action) in self.play.law.declared("actions").items()}
        first = default_of(actions)
        for do in sorted(taking_in(actions), key=lambda do: do != first):
            arguments: Arguments = {argument_for_changes(actions[do]): given["changes"]}
            arguments |= {"title": given["title"]} if "title" in (actions[do].get("arguments") or {}) else {}
            arguments |= {"requests": given["requests"]} if given["requests"] else {}
            yield do, actions[do].get("as") or None, arguments

    # -- deciding it

    def trials(self, proposal: Proposal, verdict: str) -> list[list[Effect]]:
        """Return what comes of a decision in each of several tries where dice decide over it, else nothing."""
        play, chance, found = self.play, self.play.chance, list[list[Effect]]()
        for place in range(TRIALS):
            if place and METER.work() > self.end:
                break
            play.chance = open_chance(str(place), "look")
            found.append(self.undone(proposal, verdict))
            if not play.chance.records:
                found = []
                break
        play.chance = chance
        return found

    def undone(self, proposal: Proposal, verdict: str) -> list[Effect]:
        """Return what comes of a decision, and undo that and all that was noted of it."""
        play, told, mark, muted = self.play, self.told, self.play.mark(), set(self.play.muted)
        self.told = replace(told)
        effects = self.decided(proposal, verdict)
        play.rollback(mark)
        play.queue.clear()
        self.told, play.muted = told, muted
        return effects

    def decided(self, proposal: Proposal, verdict: str) -> list[Effect]:
        """Let a proposal be decided, without rules that spend the budget of all; return what changed beside that."""
        play, mark = self.play, self.play.mark()
        if proposal["outcome"]:
            self.told.why = f"it was {proposal['outcome']} already"
            return []
        for _ in range(MUTED_AT_MOST + 1):
            self.begin()
            play.failures = []
            try:
                self.decide(proposal, verdict)
                break
            except Overrun as overrun:
                play.rollback(mark)
                play.queue.clear()
                blamed = overrun.blame or overrun.outermost
                if blamed is None or blamed in play.muted:
                    self.told.why = SPENT
                    break
                play.muted.add(blamed)
        self.told.failures, self.told.reasons = list(play.failures), list(play.reasons)
        found = play.effects[self.start :] if self.told.adopted else []
        return [each for each in found if not (each["effect"] in OF_THE_VOTE and each.get("of") == proposal["id"])]

    def decide(self, proposal: Proposal, verdict: str) -> None:
        """Let a proposal be judged by the office whose review decides, else by votes; raises Overrun."""
        play, told = self.play, self.told
        told.falls = ""
        try:
            if (judge := self.judge(proposal, verdict)) is None:
                self.by_vote(proposal, verdict)
            else:
                player, act = judge
                told.judged, told.decider = True, {"player": player, "as": act["as"]}
                given = {name: value for name, value in (act.get("args") or {}).items() if name != "$"}
                acts.act_within(play, acts.Act(act["do"], player, given, act["as"]))
            play.drain()
            crown(play)
            told.adopted = not told.falls
        except PlayEnds:
            play.queue.clear()
            told.adopted = True
        except Overrun:
            raise
        except Held as held:
            told.why = f"it would wait for {held.label}"
        except (Fault, Refusal) as error:
            told.why = _ruling(error)["why"]

    def judge(self, proposal: Proposal, verdict: str) -> tuple[str, ScriptRecord] | None:
        """Return whose review the law makes an act in an office of, and that act; None where reviews are ballots."""
        shown = to_record(self.play, proposal)
        for player in things(self.play, "player"):
            act = self.apart(partial(self.play.ask, "review", shown, player, verdict, ""))
            if isinstance(act, dict) and isinstance(act.get("do"), str) and act.get("as"):
                return player, act
        return None

    def by_vote(self, proposal: Proposal, verdict: str) -> None:
        """Let all vote by the word that brings a verdict, whichever does; where none does it falls as by the first.

        Where the law refuses ballots as things are, it is played too as if it did not. Where it leaves the outcome open
        then, or the vote is over, the outcome is said.
        """
        play, told, adopts = self.play, self.told, verdict == "approve"
        if proposal["state"] == "closed":
            with veil(play, proposal):
                proposals.resolve(play, proposal, OUTCOMES[verdict], "")
            return
        choices = voting.choices_of(play, proposal) or CHOICES
        words = choices[:MOST_CHOICES] if adopts else [*choices[1:MOST_CHOICES], *choices[:1]]
        found: list[Vote] = []
        for entering in (False, True):
            for word in words:
                mark, failures = play.mark(), list(play.failures)
                vote = self.vote(proposal, word, entering=entering)
                if not vote.outcome or vote.is_law == adopts:
                    told.choice, told.refused = word, vote.refused if entering else ""
                    if not vote.outcome:
                        play.reasons = []
                        proposals.resolve(play, proposal, OUTCOMES[verdict], "")
                    return
                found.append(vote)
                play.rollback(mark)
                play.queue.clear()
                play.failures = failures
            if not any(vote.refused for vote in found):
                break
        because = found[0].refused or found[0].why
        told.choice, told.refused = words[0], ""
        told.falls = f"{found[0].outcome}: {because}" if because else found[0].outcome

    def vote(self, proposal: Proposal, word: str, *, entering: bool) -> Vote:
        """Let all cast one word, `entering` what the law refuses; raises Overrun, PlayEnds, and Refusal."""
        play, refused = self.play, ""
        self.begin()
        if proposal["id"].endswith("/draft"):  # which nobody can act on
            voters = play.ask("electorate", to_record(play, proposal))
            voters = voters if isinstance(voters, list) else things(play, "player")
            proposals.set_fields(play, proposal, opened_at=play.now, state="open", electorate=voters)
            _enter(play, proposal, word, voters)
        else:
            if proposal["state"] == "pending":
                voting.open_voting(play, proposal)
                play.drain()
            proposals.set_fields(play, proposal, ballots={})
            if proposal.get("sealed"):  # what all cast alike need not be sealed
                proposals.set_fields(play, proposal, sealed=False)
            voters = list(proposal["electorate"] or ())
            _enter(play, proposal, word, voters[:-MOST_CAST])
            for voter in voters[-MOST_CAST:]:
                if proposal["state"] == "open":
                    why = self.cast(proposal, word, voter)
                    refused = refused or why
                    _enter(play, proposal, word, [voter] if why and entering else [])
        if proposal["state"] == "open":
            self.begin()
            voting.close_voting(play, proposal)
        play.drain()
        outcome = proposal["outcome"] or ""
        return Vote(outcome, proposal["why"], bool(proposals.outcomes(play).get(outcome)), refused)

    def cast(self, proposal: Proposal, word: str, voter: str) -> str:
        """Let somebody vote; return why that is refused, "" where it is not."""
        self.begin()
        given = {"kind": proposal["kind"], "proposal": proposal["id"], "choice": word}
        try:
            done = acts.attempt(self.play, acts.Act(VOTE, voter, given))
        except Fault as fault:
            return fault.message
        self.play.drain()
        return "" if done["ok"] else str(done["why"] or done["code"])


class Vote(Struct, frozen=True):
    """What came of a vote for one word: an `outcome` or "", whether it makes law, why ballots were `refused`."""

    outcome: str
    why: str
    is_law: bool
    refused: str


def _enter(play: Play, proposal: Proposal, word: str, voters: list[str]) -> None:
    """Put the ballots of voters down without an act of theirs."""
    if voters:
        ballot = voting.new_ballot(play, word, deemed=True)
        entered = {voter: ballot.copy() for voter in voters}
        proposals.set_fields(play, proposal, ballots={**proposal["ballots"], **entered})


def _compared(before: dict[str, ScriptRecord], after: dict[str, ScriptRecord]) -> Iterator[Shown]:
    """Yield the pages that differ, each with what became of it."""
    for name in sorted(before.keys() | after.keys()):
        old, new = before.get(name), after.get(name)
        page: ScriptRecord = new or old or {}
        change = "gone" if new is None else "failing" if page.get("error") else "changed" if old is not None else "new"
        parts = ("title", "rule", *(FAILED if change == "failing" else ()))
        if old != new:
            yield {"name": name, "change": change, **{part: page[part] for part in parts if part in page}}


# -- rules made law on a copy, and played on with


class Trial(Consequences):
    """What came of making changes law on a copy: also the pages rules show then, and the documents as they are then."""

    pages: dict[str, ScriptRecord] = {}
    entries: list[Entry] = []
    draws: list[Draw] = []  # of all of it: in play they may fall otherwise
    failed: str = ""  # how a step went otherwise than it says
    tried: list[Entry] = []  # its new actions and timers, each done once
    untried: list[str] = []  # those that could not be
    debug: list[str] = []  # what scripts show to those who try them
    documents: dict[str, Document] = {}


def try_changes(
    kernel: Kernel, proposed: list[ProposedChange], steps: list[Written], seq: int, now: int, files: Sequence[str] = ()
) -> Trial:
    """Make changes law on a game, which is not as it was afterwards, play steps of the scenario form there, and report.

    `seq` is the number of the game's last entry, `now` in Unix seconds; `files` are those of the changes in order, so
    that failures name a place. Raises E-TARGET, E-ARGS or E-NO-SUCH where a change cannot even be made.
    """
    notes = list[Failure]()
    kernel.play.debugged = notes.append
    kernel.documents.keep()
    actions, timers = _declared(kernel, "actions"), _declared(kernel, "timers")
    try:
        trial = _make_law(kernel, proposed, seq, now)
    except (Fault, Refusal) as error:
        raise fail(error.code, _ruling(error)["why"]) from None
    after, names = _declared(kernel, "actions"), _declared(kernel, "timers") - timers
    trial.new_actions, trial.lost_actions = sorted(after - actions), sorted(actions - after)
    places = files_of(zip(proposed, files, strict=False), trial.effects)
    run = Run(kernel, now, lambda event: open_chance("trial", f"{seq} {event.seq} {event.do}"), files=places)
    run.changing = changes_claimed({"steps": steps})
    try:
        play_steps(run, {"steps": steps})
    except Failed as failed:
        trial.failed = str(failed)
    trial.entries = list(run.entries)
    trial.draws += [draw for entry in trial.entries for draw in entry.get("draws") or ()]
    trial.pages = kernel.pages(now)
    trial.documents = kernel.documents.everything()
    if not steps:
        trial.tried, trial.untried = smoke_test(run, trial.new_actions, sorted(names))
    _place_in([*trial.entries, *trial.tried], places)
    failing: Any
    for failing in (*trial.failures, *(page for page in trial.pages.values() if page.get("error"))):
        failing["place"] = where(failing, places)
    trial.debug = [told_failure(note, places) for note in notes[:MOST_NOTES]]
    return trial


def _make_law(kernel: Kernel, proposed: list[ProposedChange], seq: int, now: int) -> Trial:
    """Make changes law, as those of a proposal of now; raises Fault and Refusal."""
    play = kernel.play

    def look(play: Play) -> tuple[Proposal, str]:
        play.draft = draft = proposals.new_draft(play, "A trial", proposed, [], "proposal", None, {})
        locked_out = locks_out(play, draft)
        play.draft = None
        number = proposals.ask_number(play, draft)
        return {**draft, "id": f"proposal/{number}", "number": number}, locked_out

    proposal, locked_out = kernel.look(look, now)
    play.begin(seq, now, open_chance("", "trial"))
    play.scopes.append(Scope(None))
    play.draft = proposal
    apply_changes(play, proposal)
    play.draft = None
    play.drain()
    play.scopes.clear()
    draws = list(play.chance.records)
    return Trial(effects=list(play.effects), failures=list(play.failures), locked_out=locked_out, draws=draws)


def _place_in(entries: list[Entry], files: Files) -> None:
    """Say of every failure where it lies in the file that a person edits."""
    for entry in entries:
        failures = entry.get("failures") or ()
        for reason in entry.get("reasons") or ():
            if isinstance(why := (reason.get("args") or {}).get("why"), str):
                reason["args"]["why"] = placed(why, failures, files)
        for failure in failures:
            failure["place"] = where(failure, files)


def _declared(kernel: Kernel, block: str) -> set[str]:
    return set(kernel.look(lambda play: list(play.law.declared(block)), 0))


# -- the new actions and timers of a law, each done once on a copy

MOST_NOTES = 100  # of what scripts debug
MOST_TRIES = 12  # of one action: by whom, and with what
TOO_MUCH = "that is too much work here, the referee will"
MADE_UP: dict[str, Any] = {"text": "a few words", "string": "word", "list": ["word"], "map": {"word": 1}, "any": "word"}


def smoke_test(run: Run, actions: list[str], timers: list[str]) -> tuple[list[Entry], list[str]]:
    """Do actions and fire timers (by name) once each; return what came of it, and what was not tried and why."""
    end, done = METER.work() + MOST_FORESEEN, dict[str, Entry | None]()
    acting = [("action", _act, name) for name in actions]
    for kind, do, name in (*acting, *acting, *(("timer", _fire, name) for name in timers)):
        if done.get(what := f"the {kind} {name}") is None:  # or again, when others may have made what it needs
            done[what] = do(run, name) if METER.work() < end else None
    why = TOO_MUCH if METER.work() >= end else "nothing that it needs is known here; --steps can bring it about"
    return [each for each in done.values() if each], [f"{what}: {why}" for what, each in done.items() if each is None]


def _act(run: Run, do: str) -> Entry | None:
    """Let somebody do something: the first way that is accepted, else the first in which a script fails, else any."""

    def ways(play: Play) -> list[tuple[str, Arguments]]:
        return [(player, given) for given in arguments_of(play, do, _guess) for player in things(play, "player")]

    begun, office = len(run.entries), run.kernel.play.law.declared("actions")[do][1].get("as")
    for by, arguments in run.kernel.look(ways, run.now)[:MOST_TRIES]:
        if run.apply(do, by, office, arguments).accepted:
            return run.entries[-1]
    tried = run.entries[begun:]
    return next((each for each in tried if each.get("failures")), tried[0] if tried else None)


def _guess(play: Play, spec: ArgumentSpec) -> list[Any]:
    """Return values for an argument of which the law itself names none."""
    kind = spec.get("type", "text")
    if kind == "thing":
        return list(things(play, spec["kind"])) if spec.get("kind") else []
    if kind == "rule":
        return [document["rule"] for document, _ in play.law.in_force().values()]
    if kind == "office":
        return list(play.law.declared("defines.offices"))
    return [play.now + DAY] if kind == "time" else [MADE_UP[kind]] if kind in MADE_UP else []


def _fire(run: Run, name: str) -> Entry | None:
    """Let the first timer of a name fire at its time; None where none runs."""
    running = (run.kernel.documents.find(TIMERS) or {}).items()
    due = min(((timer["due"], key) for key, timer in running if timer["name"] == name), default=None)
    if due is None:
        return None
    run.now = max(run.now, due[0])
    run.apply("tick", with_={"timer": due[1]})
    return run.entries[-1]
