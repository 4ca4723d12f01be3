"""Ballots and reviews as a game's law takes them, and what the law is asked about proposals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from msgspec.structs import replace

from folkmoot.core.declared_kinds import named_in, the_open_one
from folkmoot.core.documents import Proposal
from folkmoot.core.keys import GAME
from folkmoot.core.proposal_numbers import called, handle
from folkmoot.core.records import Arguments, Review, Via
from folkmoot.forges.port import Remark
from folkmoot.forges.vocabulary import Person
from folkmoot.kernel.act_declarations import VOTE, kinds_named
from folkmoot.kernel.ballot_words import (
    CHOICES,
    REVIEWS,
    Typed,
    choice_of_review,
    in_law_words,
    read_said,
    typed_choice,
)
from folkmoot.referee.acts import Acts
from folkmoot.referee.commands import Asked, Command, fitting, read_ballot, spoken_in
from folkmoot.referee.facts import Fact
from folkmoot.referee.people import plays
from folkmoot.referee.recorder import Read

MOST_OFFERED = 6  # choices


class Ballots:
    """Makes acts of reviews and votes as the law takes them; those on a vote that is not open yet wait."""

    def __init__(self, acts: Acts, read: Read) -> None:
        self.recorder = acts.recorder
        self.acts = acts
        self.read = read
        self.waiting: list[Fact] = []

    def review(self, fact: Fact, remark: Remark) -> None:
        """Take a review as the ballot with which it begins, else as the act that the law makes of it."""
        proposal, comments = self.recorder.proposal_at(fact.place), remark.kind == "comment"
        said = self._said(proposal, remark.body)
        if comments and said is None:
            return
        if remark.dismissed_by is not None or remark.deleted:
            done = "deleted"
            if remark.dismissed_by is not None:
                done = f"taken back by {self.recorder.named(remark.dismissed_by)}"
            why = f"it was {done} before it was recorded; review again, or comment /vote, where it shall count"
            self.recorder.note(fact, "a review", "void", why=why)
            return
        if proposal is not None and not proposal["outcome"] and not self._speaks_of(remark.commit, proposal["via"]):
            self.recorder.note(fact, "a review", "void", why="it was made on other content than what is voted on")
            return
        if self.came_to_nothing(fact, "a review", fact.id, proposal):
            return
        reason = _reason(remark.body)
        answer = None if comments else self._by_law(remark.author, proposal, remark.kind, reason)
        if said is not None and (answer is None or answer.get("do", VOTE) == VOTE):
            self.vote(fact, self._asked_in_words(said, remark.kind, proposal), fact.id)
            return
        if answer is not None and "do" in answer:
            self._as_the_law_says(fact, answer, fact.id)
            return
        choices = (self._asked(proposal) if proposal else None) or []
        choice = choice_of_review(remark.kind, choices)
        if not choice and answer is None and proposal is not None and proposal["state"] != "pending":
            self.recorder.note(fact, "a review", "void", why=_stands_for_nothing(remark.kind, choices))
            return
        wanted = Asked("vote", {"choice": choice, **({"reason": reason} if reason else {})}, review=answer)
        self.vote(fact, wanted, fact.id)

    def _said(self, proposal: Proposal | None, body: str) -> Typed | None:
        """Return the ballot with which a review of a proposal begins, None where it begins with none."""
        choices = self._asked(proposal) if proposal is not None else []
        return read_said(spoken_in(body), choices) if choices else None

    def _asked_in_words(self, said: Typed, verdict: str, proposal: Proposal | None) -> Asked:
        """Return the ballot that a review's own words are, unless the review itself says the opposite."""
        opposite = next((other for other in REVIEWS if other != verdict), "") if verdict in REVIEWS else ""
        choices = self._asked(proposal) if proposal is not None else []
        if said.flaw:
            return Asked(flaw=said.flaw)
        if opposite and choice_of_review(opposite, choices) == said.choice:
            meant = f"“{said.choice}” in words, and the opposite as a review ({verdict.replace('_', ' ')})"
            return Asked(flaw=f"it says {meant}: comment `/vote {typed_choice(said.choice, choices)}`, or review anew")
        return Asked("vote", {"choice": said.choice, **({"reason": said.reason} if said.reason else {})})

    def _speaks_of(self, commit: str, via: Via) -> bool:
        """Say whether a review of a commit is one of the content that a proposal was made with."""
        return commit in ("", via.get("head")) or self.read(commit).digest == via.get("digest")

    def _by_law(self, person: Person, proposal: Proposal | None, verdict: str, reason: str) -> Review | None:
        """Return what the law makes of a player's review (`decide_review`), None where it says nothing.

        `rule` is the uid of the rule that says it; it is the act that `do`, `args` and `as` name, or `why` says why
        the answer can be no act.
        """
        player = self.recorder.player(person)
        if proposal is None or player is None or not self.recorder.session.decides("review"):
            return None
        return self.recorder.session.read_review(str(proposal["id"]), player, verdict, reason)

    def _as_the_law_says(self, fact: Fact, answer: Review, identifier: str) -> None:
        """Have a review judged as the act that the law makes of it; a ballot is one on what was reviewed."""
        wanted = Asked(answer["do"], answer["args"], answer["as"], review={"rule": answer["rule"]})
        if wanted.do == "vote" and wanted.do not in self.recorder.session.declared("actions"):
            self.vote(fact, wanted, identifier)
        else:
            self.acts.act(fact, wanted, identifier)

    def _asked(self, proposal: Mapping[str, Any]) -> list[str]:
        """Return the choices of a vote on a proposal, none where any word may be one."""
        asks = self.recorder.session.decides("choices")
        found = self.recorder.session.ask_about("choices", str(proposal["id"])) if asks else None
        return found if isinstance(found, list) and all(isinstance(choice, str) for choice in found) else CHOICES

    def choices_of(self, proposal: Mapping[str, Any]) -> list[str]:
        """Return the words that are offered for votes on a proposal."""
        return self._asked(proposal) or CHOICES

    def in_law_words(self, fact: Fact, wanted: Asked) -> Asked:
        """Return a ballot with its choice as the law writes it: the longest that was typed, whatever the case."""
        if wanted.typed is not None:
            read = partial(read_ballot, wanted.typed, partial(self._choices_meant, fact))
            return replace(fitting("vote", read), review=wanted.review, typed=wanted.typed)
        known, choice = self._choices_meant(fact, wanted.args), wanted.args.get("choice")
        if not known or not isinstance(choice, str):
            return wanted
        return replace(wanted, args={**wanted.args, "choice": in_law_words(choice, known)})

    def _choices_meant(self, fact: Fact, named: Arguments) -> list[str] | None:
        """Return the choices of what a ballot is on, as it names it or by its place; None where there is no such thing.

        Where nothing else says what is meant, it is the only one that is not decided.
        """
        session = self.recorder.session
        open_ = [str(name) for name in session.kept(GAME).get("open") or ()]
        on = self._named(named)
        here = self.recorder.proposal_at(fact.place) if on is None else None
        if here is not None:
            return self._asked(here)
        on = on or the_open_one(open_, str(named.get("kind") or ""))
        identifier = f"{on[0]}/{on[1]}" if on else ""
        found = session.proposal(identifier) if identifier else None
        return self._asked(found) if found and found["id"] in open_ else None

    def _named(self, args: Arguments) -> tuple[str, Any] | None:
        """Return kind and number of what a ballot says it is on, None where it does not say."""
        return named_in(args, kinds_named(self.recorder.session.votable()))

    def whose_turn(self) -> tuple[str, int | None]:
        """Return the player whose turn it is, "" where no rule knows turns, and the turn's number, if it has one."""
        mover = self.recorder.session.ask("mover") if self.recorder.session.decides("mover") else None
        turn = self.recorder.session.ask("turn_no") if mover and self.recorder.session.decides("turn_no") else None
        return (mover if isinstance(mover, str) else ""), (turn if type(turn) is int else None)

    def ignore(self, fact: Fact, command: Command, identifier: str) -> None:
        """Take `/ignore GROUND` as the law takes it."""
        proposal = self.recorder.proposal_at(fact.place)
        wanted = self._by_law(fact.person, proposal, "ignore", command.rest)
        if wanted is None:
            why = "there is nothing to be ignored here, or no rule knows ignoring"
            self.recorder.note(fact, "/ignore", "void", code="E-NO-SUCH", why=why, id_=identifier)
        elif "why" in wanted:
            number = self.recorder.session.document("law")["rules"][wanted["rule"]]["number"]
            why = f"{wanted['why']} (so rule {number} answered)"
            self.recorder.note(fact, "/ignore", "void", code="E-ARGS", why=why, id_=identifier)
        else:
            self._as_the_law_says(fact, wanted, identifier)

    def came_to_nothing(self, fact: Fact, what: str, identifier: str, proposal: Proposal | None) -> bool:
        """Say, and note, that a fact was void while its proposal was decided: it stays so, however often one looks."""
        if proposal is None or not proposal["outcome"] or fact.at >= (proposal["resolved_at"] or 0):
            return False
        why = f"it did not count for {called(proposal)}, which is decided"
        self.recorder.note(fact, what, "void", why=why, id_=identifier)
        return True

    def note_waiting(self) -> None:
        """Note what the ballots wait for that still do."""
        for fact in self.waiting:
            if plays(self.recorder.roster, self.recorder.player(fact.person), fact.at):
                self.recorder.note(fact, "a ballot", "waiting", why=self._awaited(fact))
            else:
                self.recorder.note(fact, "a ballot", "void", code="E-NOT-PLAYER", why=self.acts.no_player(fact))

    def _awaited(self, fact: Fact) -> str:
        proposal = self.recorder.proposal_at(fact.place)
        if proposal is None or proposal["outcome"]:
            return "nothing here is open to votes yet; it is counted when a vote opens"
        return f"the vote on {called(proposal)} is not open yet; it is counted when it opens"

    def vote(self, fact: Fact, wanted: Asked, identifier: str) -> None:
        """Cast a ballot on the proposal of the pull request; before the vote is open it waits."""
        wanted = self.in_law_words(fact, wanted)
        args, flaw = dict(wanted.args), wanted.flaw
        proposal = self.recorder.proposal_at(fact.place)
        if self._named(args) or "kind" in args or (proposal is None and fact.pull is None):
            self._vote_by_name(fact, args, flaw, identifier)
            return
        if proposal is None or proposal["state"] == "pending":
            place = fact.pull or fact.issue
            waits = place is not None and (place.state == "open" or (proposal is not None and place.state == "merged"))
            if not waits:
                self.recorder.note(fact, "a ballot", "void", why=_too_late_to_wait(proposal), id_=identifier)
            elif fact not in self.waiting:
                self.waiting.append(fact)
            return
        if self.came_to_nothing(fact, "a ballot", identifier, proposal):
            return
        if flaw:
            self.acts.limits.slip(fact, "a ballot" if identifier == fact.id else "/vote", flaw, identifier)
            return
        if fact.at < proposal["via"].get("revised", 0):
            why = "it was cast before the text was changed to what is voted on now"
            self.recorder.note(fact, "a ballot", "void", why=why, id_=identifier)
            return
        named = {proposal["kind"]: handle(proposal), **args}
        self.acts.act(fact, Asked("vote", named, review=wanted.review), identifier)

    def _vote_by_name(self, fact: Fact, args: Arguments, flaw: str, identifier: str) -> None:
        """Cast a ballot that names what it is on; only in the game's own thread may the one open proposal be meant."""
        if flaw:
            self.acts.limits.slip(fact, "/vote", flaw, identifier)
        elif fact.issue is not None and not fact.opens and not self._named(args):
            why = "this issue made no proposal: name the one that is meant, as in `/vote CHOICE proposal=301`"
            self.acts.limits.slip(fact, "a ballot", why, identifier)
        else:
            self.acts.act(fact, Asked("vote", args), identifier)


def _too_late_to_wait(proposal: Proposal | None) -> str:
    """Return why a ballot at a closed place, on what is not open to votes, cannot wait there."""
    if proposal is None:
        return "nothing was proposed here, and this is closed"
    named = called(proposal)
    return (
        f"the vote on {named} is not open yet, and this is closed: once it is open, vote in the game's thread by "
        f"/vote CHOICE {proposal['kind']}={handle(proposal)}"
    )


def _stands_for_nothing(verdict: str, choices: Sequence[str]) -> str:
    """Return why a review is no ballot where the law has choices, and does not say which of them it stands for."""
    offered = " or ".join(f"“/vote {typed_choice(choice, choices)}”" for choice in choices[:MOST_OFFERED])
    return f"no rule says which choice stands for {verdict.replace('_', ' ')}: comment {offered}"


def _reason(body: str) -> str:
    """Return what a reviewer wrote, without commands."""
    kept = [line for line in body.splitlines() if not line.startswith("/")]
    return "\n".join(kept).strip()[:2_000]
