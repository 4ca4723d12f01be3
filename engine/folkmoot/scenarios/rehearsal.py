"""What a proposal would do: taken in, voted for and adopted on the game itself, all of which is undone again.

Nobody's vote is foreseen, and none is told: everybody in the electorate is taken to vote alike, and the law counts it
as it counts any vote (see `folkmoot.scenarios.rehearsal`). Where the law makes an act of the review of one office,
that act is tried. What draws decide is tried several times, so that no fall of the dice is told as a fact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from typing import Any

from msgspec import Struct

from folkmoot.core.documents import Proposal, Request
from folkmoot.core.event_names import ADOPTED, DEFEATED
from folkmoot.core.keys import GAME
from folkmoot.core.records import Arguments, Effect, ProposedChange, ScriptRecord, Shown, Taken
from folkmoot.kernel import acts, clock, proposals, voting
from folkmoot.kernel.act_declarations import VOTE, argument_for_changes, default_of, taking_in
from folkmoot.kernel.answers import find_proposal, to_record
from folkmoot.kernel.awards import crown
from folkmoot.kernel.ballot_words import CHOICES
from folkmoot.kernel.budget import METER, MOST_FORESEEN, Budget, budget_for
from folkmoot.kernel.chance import open_chance
from folkmoot.kernel.errors import Fault, Held, Overrun, PlayEnds, Refusal
from folkmoot.kernel.event_state import MUTED_AT_MOST
from folkmoot.kernel.hook_calls import veil
from folkmoot.kernel.lockout_probe import locks_out
from folkmoot.kernel.play import Play
from folkmoot.kernel.proposal_outlook import Outlook, outlook
from folkmoot.kernel.step import Kernel, pages_of
from folkmoot.kernel.things import things

FAILED = ("error", "line", "column")
OUTCOMES = {"approve": ADOPTED, "request_changes": DEFEATED}
OF_THE_VOTE = ("open", "ballot", "close", "weigh", "freeze")
TRIALS = 5  # of what hangs on dice
SPENT = "it takes more than the budget of one event"


def rehearse(
    kernel: Kernel,
    changes: list[ProposedChange],
    title: str,
    author: str | None,
    now: int,
    requests: list[Request] | None = None,
    proposal: str = "",
    act: Taken | None = None,
) -> Shown:
    """Return what came of adopting a proposal (see `_Rehearsal.told`); nothing of it stays.

    `author` is a player's id, None where nobody of the game proposes; `now` in Unix seconds; `requests` travel with the
    changes; `proposal` is the id of one that was taken in already, which then goes as it stands; `act` is what takes
    the changes in, with its arguments, or why nothing does (None: by what the rules declare).
    """
    draft = Submission(changes, title, author, requests or [])
    return dict(kernel.look(lambda play: _Rehearsal(play, draft, act).run(proposal), now))


def foresee(kernel: Kernel, changes: list[ProposedChange], now: int, most: float = MOST_FORESEEN) -> Outlook:
    """Return what to beware of when time passes after changes were adopted (see `folkmoot.kernel.proposal_outlook`)."""
    found: Outlook = kernel.look(lambda play: _foreseen(play, changes, most), now)
    return found


def _foreseen(play: Play, given: list[ProposedChange], most: float) -> Outlook:
    game = play.documents[GAME]
    if game.get("over"):
        return Outlook()
    if game["paused"] is not None:
        clock.shift(play, play.now - game["paused"])
        play.documents.assign(GAME, game, "paused", None)
    try:
        draft = proposals.new_draft(play, "A trial", given, [], "proposal", None, {})
    except (Fault, Refusal):  # it cannot be made law, which the rehearsal says
        return Outlook()
    play.draft = draft
    return outlook(play, draft, most)


class Submission(Struct, frozen=True):
    """What is to be proposed."""

    changes: list[ProposedChange]
    title: str
    author: str | None
    requests: list[Request]


class _Rehearsal:
    """One trial run; each part of it has a budget of its own."""

    def __init__(self, play: Play, draft: Submission, act: Taken | None) -> None:
        self.play, self.draft = play, draft
        self.end = METER.work() + MOST_FORESEEN
        self.act = act
        self.played: Vote | None = None
        self.told: Shown = {
            "proposing": None,  # the act that takes it in: `do`, `ok`, `code`, `why`, `rule`; None where there is none
            "proper": {"ok": True},  # `ok`, `code`, `why`, `rule`: what `proper` and `may_change` say
            "number": None,
            "opened": False,  # whether the vote on it opens as it is taken in
            "changes": [],  # as they are kept
            "choice": "",  # by which all vote for it
            "locked_out": "",  # a sentence
            "adopted": False,  # whether it could be carried out; else `why`, or
            "why": "",
            "falls": "",  # the outcome that the law says all the same
            "refused": "",  # why ballots are refused as things are
            "judged": False,  # whether one office decides, by what the law makes of its review:
            "decider": None,  # `player` and `as`
            "effects": [],
            "failures": [],
            "reasons": [],
            "against": [],  # the effects of defeat instead
            "trials": [],  # where dice decide: what came of each of several tries,
            "against_trials": [],
            "new_actions": [],
            "lost_actions": [],
            "pages": [],  # `name`, `title`, `rule`, `change` (new, gone, changed or failing), of a failing one `error`
        }

    def run(self, proposal: str) -> Shown:
        """Take in, adopt and compare."""
        play = self.play
        game = play.documents[GAME]
        if game.get("over"):
            self.told["proper"] = _refused(Refusal("E-GAME-OVER", "the game is over"))
            return self.told
        if game.get("paused") is not None:  # as it will be once it goes on
            play.documents.assign(GAME, game, "paused", None)
        actions, pages = set(play.law.declared("actions")), self.pages()
        try:
            taken = find_proposal(play, proposal) if proposal else self.taken_in()
        except (Fault, Refusal) as error:
            self.told["proper"] = _refused(error)
            return self.told
        opened = taken["state"] != "pending"
        self.told |= {"number": taken["number"], "opened": opened, "changes": taken["changes"]}
        self.told["locked_out"] = self.apart(lambda: locks_out(play, taken["id"])) or ""
        self.told["against_trials"] = self.trials(lambda: self.defeat(taken))
        with self.undone():
            against = self.defeat(taken)
        self.told["against"] = against
        self.told["trials"] = self.trials(lambda: self.adopt(taken))
        self.adopt(taken)
        after = set(play.law.declared("actions"))
        self.told |= {"new_actions": sorted(after - actions), "lost_actions": sorted(actions - after)}
        self.told["pages"] = _compared(pages, self.pages())
        return self.told

    def apart(self, question: Callable[[], Any]) -> Any:
        """Do something with a budget, reasons and failures of its own; None where the budget does not suffice."""
        play = self.play
        play.budget, play.reasons, play.failures = Budget(), [], []
        try:
            return question()
        except Overrun:
            return None

    def pages(self) -> dict[str, ScriptRecord]:
        """Return the pages that rules show now."""
        return self.apart(lambda: pages_of(self.play)) or {}

    # -- taking it in

    def taken_in(self) -> Proposal:
        """Return the proposal, taken in by its author's act where that works, else as a draft; raises Refusal."""
        play, new = self.play, self.draft
        play.actor = new.author
        draft = proposals.new_draft(play, new.title, new.changes, new.requests, "proposal", new.author, {})
        found: Proposal | None = self.apart(partial(self.proposed, new.author)) if new.author else None
        if found is not None:
            self.told["number"] = found["number"]
            self.examine(found)
            return found
        self.examine(draft)
        play.draft = draft
        draft["number"] = self.apart(lambda: proposals.ask_number(play, draft))
        return draft

    def examine(self, draft: Proposal) -> None:
        """Note whether a proposal is proper and its changes may be made."""
        self.apart(lambda: None)
        try:
            proposals.examine(self.play, draft)
        except Overrun:
            self.told["proper"] = {"ok": False, "code": "E-BUDGET", "why": SPENT, "rule": None}
        except (Fault, Refusal) as error:
            self.told["proper"] = _refused(error)

    def proposed(self, author: str) -> Proposal | None:
        """Return the proposal that came of its author's act, None where the act was refused or made none."""
        play = self.play
        before = set(play.documents[GAME]["open"])
        if self.act is not None and "why" in self.act:
            rule = self.act.get("rule")
            self.told["proposing"] = {"do": "", "ok": False, "code": "E-NO-SUCH", "why": self.act["why"], "rule": rule}
            return None
        for do, as_, arguments in self.ways():
            mark = play.mark()
            try:
                acts.act_within(play, do, author, arguments, as_)
                play.drain()
                self.told["proposing"] = {"do": do, "ok": True}
            except Held as held:
                self.told["proposing"] = {"do": do, "ok": True, "code": "HELD", "why": held.label, "rule": held.rule}
            except (Fault, Refusal) as error:
                self.told["proposing"] = self.told["proposing"] or {"do": do, **_refused(error)}
            made = [identifier for identifier in play.documents[GAME]["open"] if identifier not in before]
            if made:
                return find_proposal(play, made[-1])
            play.rollback(mark)
            play.queue.clear()
        return None

    def ways(self) -> Iterator[tuple[str, str | None, Arguments]]:
        """Yield the acts (action, office, arguments) that may take changes in: the named one, else the law's.

        The one that takes pull requests in comes first.
        """
        if self.act is not None:
            yield self.act["do"], self.act.get("as"), self.act.get("args", {})
            return
        actions = {do: action for do, (_uid, action) in self.play.law.declared("actions").items()}
        first = default_of(actions)
        for do in sorted(taking_in(actions), key=lambda do: do != first):
            given: Arguments = {argument_for_changes(actions[do]): self.draft.changes}
            given |= {"title": self.draft.title} if "title" in (actions[do].get("arguments") or {}) else {}
            given |= {"requests": self.draft.requests} if self.draft.requests else {}
            yield do, actions[do].get("as") or None, given

    # -- deciding it

    def trials(self, decide: Callable[[], list[Effect]]) -> list[list[Effect]]:
        """Return what comes of a decision in each of several tries where dice decide over it, else nothing."""
        play, chance, found = self.play, self.play.chance, list[list[Effect]]()
        for place in range(TRIALS):
            if place and METER.work() > self.end:
                break
            play.chance = open_chance(str(place), "look")
            with self.undone():
                found.append(decide())
            if not play.chance.records:
                found = []
                break
        play.chance = chance
        return found

    @contextmanager
    def undone(self) -> Iterator[None]:
        """Undo what comes of a decision, and all that was noted of it."""
        play, told, mark, muted = self.play, dict(self.told), self.play.mark(), set(self.play.muted)
        yield
        play.rollback(mark)
        play.queue.clear()
        self.told, play.muted = told, muted

    def defeat(self, proposal: Proposal) -> list[Effect]:
        """Defeat or reject a proposal; return the effects."""
        if proposal["outcome"]:
            return []
        mark = self.play.mark()
        self.apart(lambda: None)
        try:
            self.decide(proposal, "request_changes")
            return self.since(mark, proposal) if self.told["adopted"] else []
        except Overrun:
            return []

    def adopt(self, proposal: Proposal) -> list[Effect]:
        """Adopt or accept a proposal, without the rules that spend the budget of all, and note what came of it."""
        play = self.play
        if proposal["outcome"]:
            self.told["why"] = f"it was {proposal['outcome']} already"
            return []
        mark = play.mark()
        for _ in range(MUTED_AT_MOST + 1):
            self.apart(lambda: None)
            try:
                self.decide(proposal, "approve")
                break
            except Overrun as overrun:
                play.rollback(mark)
                play.queue.clear()
                blamed = overrun.blame or overrun.outermost
                if blamed is None or blamed in play.muted:
                    self.told["why"] = SPENT
                    break
                play.muted.add(blamed)
        self.told["effects"] = effects = self.since(mark, proposal)
        self.told["failures"], self.told["reasons"] = list(play.failures), list(play.reasons)
        return effects

    def since(self, mark: tuple[int, int, int], proposal: Proposal) -> list[Effect]:
        """Return what was changed by the decision on a proposal, but what the vote alone did."""
        start = self.played.start if self.played is not None else mark[1]
        found = self.play.effects[max(start, mark[1]) :]
        return [each for each in found if not (each["effect"] in OF_THE_VOTE and each.get("of") == proposal["id"])]

    def decide(self, proposal: Proposal, verdict: str) -> None:
        """Let a proposal be judged by the office whose review decides, else by votes; raises Overrun."""
        self.played, self.told["falls"] = None, ""
        judge = self.judge(proposal, verdict)
        if judge is None:
            self.carry_out(lambda: self.by_vote(proposal, verdict))
            return
        player, act = judge
        self.told |= {"judged": True, "decider": {"player": player, "as": act["as"]}}
        given = {name: value for name, value in (act.get("args") or {}).items() if name != "$"}
        self.carry_out(lambda: acts.act_within(self.play, act["do"], player, given, act["as"]))

    def by_vote(self, proposal: Proposal, verdict: str) -> None:
        """Let all vote alike, and where the law leaves it undecided then, or the vote is over, say the outcome."""
        adopts = verdict == "approve"
        if proposal["state"] != "closed":
            vote = self.played = play_vote(self.play, proposal, adopts=adopts)
            self.told |= {"choice": vote.word, "refused": vote.refused if vote.entering else ""}
            if vote.outcome:
                if vote.is_law != adopts:
                    because = vote.refused or vote.why
                    self.told["falls"] = f"{vote.outcome}: {because}" if because else vote.outcome
                return
            self.play.reasons = []
        with veil(self.play, proposal) if self.played is None else nullcontext():
            proposals.resolve(self.play, proposal, OUTCOMES[verdict], "")

    def judge(self, proposal: Proposal, verdict: str) -> tuple[str, ScriptRecord] | None:
        """Return whose review the law makes an act in an office of, and that act; None where reviews are ballots."""
        shown = to_record(self.play, proposal)
        for player in things(self.play, "player"):
            act = self.apart(partial(self.play.ask, "review", shown, player, verdict, ""))
            if isinstance(act, dict) and isinstance(act.get("do"), str) and act.get("as"):
                return player, act
        return None

    def carry_out(self, decide: Callable[[], Any]) -> None:
        """Decide with all that follows; raises Overrun."""
        play = self.play
        try:
            decide()
            play.drain()
            crown(play)
            self.told["adopted"] = not self.told["falls"]
        except PlayEnds:
            play.queue.clear()
            self.told["adopted"] = True
        except Overrun:
            raise
        except Held as held:
            self.told["why"] = f"it would wait for {held.label}"
        except (Fault, Refusal) as error:
            self.told["why"] = _refused(error)["why"]


def _refused(error: Fault | Refusal) -> Shown:
    if isinstance(error, Refusal):
        return {"ok": False, "code": error.code, "why": error.why, "rule": error.rule}
    return {"ok": False, "code": error.code, "why": error.message, "rule": None}


def _compared(before: dict[str, ScriptRecord], after: dict[str, ScriptRecord]) -> list[Shown]:
    """Return the pages that differ, each with what became of it."""
    found = []
    for name in sorted({**before, **after}):
        old, new = before.get(name), after.get(name)
        if old == new:
            continue
        page = new or old or {}
        fails = bool(new and new.get("error"))
        change = "failing" if fails else "gone" if new is None else "changed" if old is not None else "new"
        parts = ("title", "rule", *(FAILED if fails else ()))
        found.append({"name": name, "change": change, **{part: page[part] for part in parts if part in page}})
    return found


# -- a vote played on a copy


MOST_CAST = 100  # ballots that are cast by acts; those of a larger electorate are entered before
MOST_CHOICES = 8


class Vote(Struct):
    """A vote in which all cast one word, and what came of it.

    `outcome` is "" where the law says none, `is_law` whether it makes the changes law; `start` is the number of effects
    before the ballot that decided. `refused` says why ballots were refused; `entering`, that they count all the same.
    """

    play: Play
    proposal: Proposal
    word: str
    entering: bool
    outcome: str = ""
    why: str = ""
    is_law: bool = False
    start: int = 0
    refused: str = ""

    def run(self) -> None:
        """Open, cast and close the vote; raises Overrun, PlayEnds, and Refusal where it cannot be opened."""
        play, proposal = self.play, self.proposal
        self.start = play.mark()[1]
        if proposal["id"].endswith("/draft"):  # which nobody can act on
            voters = play.ask("electorate", to_record(play, proposal))
            voters = voters if isinstance(voters, list) else things(play, "player")
            proposals.set_fields(play, proposal, opened_at=play.now, state="open", electorate=voters)
            self._enter(voters)
        else:
            if proposal["state"] == "pending":
                voting.open_voting(play, proposal)
                play.drain()
            if proposal["ballots"]:
                proposals.set_fields(play, proposal, ballots={})
            if proposal.get("sealed"):  # what all cast alike need not be sealed
                proposals.set_fields(play, proposal, sealed=False)
            self._cast()
        if proposal["state"] == "open":
            self._mark()
            voting.close_voting(play, proposal)
        play.drain()
        self.outcome, self.why = proposal["outcome"] or "", proposal["why"]
        self.is_law = bool(proposals.outcomes(play).get(self.outcome))

    def _enter(self, voters: list[str]) -> None:
        ballot = voting.new_ballot(self.play, self.word, deemed=True)
        entered = {voter: ballot.copy() for voter in voters}
        proposals.set_fields(self.play, self.proposal, ballots={**self.proposal["ballots"], **entered})

    def _cast(self) -> None:
        """Let everybody in the electorate vote until the vote is over."""
        voters = list(self.proposal["electorate"] or ())
        self._enter(voters[:-MOST_CAST])
        for voter in voters[-MOST_CAST:]:
            if self.proposal["state"] != "open":
                return
            self._mark()
            given = {"kind": self.proposal["kind"], "proposal": self.proposal["id"], "choice": self.word}
            try:
                done = acts.attempt(self.play, VOTE, voter, given, None)
            except Fault as fault:
                why = fault.message
            else:
                self.play.drain()
                why = "" if done["ok"] else str(done["why"] or done["code"])
            self.refused = self.refused or why
            if why and self.entering:
                self._enter([voter])

    def _mark(self) -> None:
        """Let what follows have the budget of one event, and be told from what came before it."""
        play = self.play
        play.budget, play.reasons = budget_for(len(things(play, "player"))), []
        self.start = play.mark()[1]


def play_vote(play: Play, proposal: Proposal, *, adopts: bool) -> Vote:
    """Let all vote by the word that makes a proposal law (or that does not), whichever of those that is.

    Where none does, nothing is changed, and the answer is what comes of the first. Where the law refuses ballots as
    things are, it is played too as if it did not. Raises Overrun, PlayEnds, and Refusal where no vote can be opened.
    """
    choices = voting.choices_of(play, proposal) or CHOICES
    words = choices[:MOST_CHOICES] if adopts else [*choices[1:MOST_CHOICES], *choices[:1]]
    found: list[Vote] = []
    for entering in (False, True):
        for word in words:
            mark, failures = play.mark(), list(play.failures)
            vote = Vote(play, proposal, word, entering)
            vote.run()
            if not vote.outcome or vote.is_law == adopts:
                return vote
            found.append(vote)
            play.rollback(mark)
            play.queue.clear()
            play.failures = failures
        if not any(vote.refused for vote in found):
            break
    return found[0]
