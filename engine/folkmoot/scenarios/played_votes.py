"""A vote played on a copy: everybody who may vote casts the same ballot, through the law, until the law has decided.

What was cast in play is put aside first, so that nobody's ballot is told by what comes of it.
"""

from __future__ import annotations

from msgspec import Struct

from folkmoot.core.documents import Proposal
from folkmoot.kernel import acts, proposals, voting
from folkmoot.kernel.act_declarations import VOTE
from folkmoot.kernel.ballot_words import CHOICES
from folkmoot.kernel.budget import budget_for
from folkmoot.kernel.errors import Fault
from folkmoot.kernel.play import Play
from folkmoot.kernel.shown_proposals import to_record
from folkmoot.kernel.things import things

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
        if proposal["id"].endswith("/draft"):
            self._open_draft()
        else:
            self._open()
            self._cast()
        if proposal["state"] == "open":
            self._mark()
            voting.close_voting(play, proposal)
        play.drain()
        self.outcome, self.why = proposal["outcome"] or "", proposal["why"]
        self.is_law = bool(proposals.outcomes(play).get(self.outcome))

    def _open(self) -> None:
        if self.proposal["state"] == "pending":
            voting.open_voting(self.play, self.proposal)
            self.play.drain()
        if self.proposal["ballots"]:
            proposals.set_fields(self.play, self.proposal, ballots={})
        if self.proposal.get("sealed"):  # what all cast alike need not be sealed
            proposals.set_fields(self.play, self.proposal, sealed=False)

    def _open_draft(self) -> None:
        """Have all ballots on what no act has taken in, which nobody can act on."""
        voters = self.play.ask("electorate", to_record(self.play, self.proposal))
        voters = voters if isinstance(voters, list) else things(self.play, "player")
        times = {"opened_at": self.play.now, "state": "open", "electorate": voters}
        proposals.set_fields(self.play, self.proposal, **times)
        self._enter(voters)

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
            why = self._act(voter)
            self.refused = self.refused or why
            if why and self.entering:
                self._enter([voter])

    def _act(self, voter: str) -> str:
        """Let somebody vote; return why that is refused, "" where it is not."""
        given = {"kind": self.proposal["kind"], "proposal": self.proposal["id"], "choice": self.word}
        try:
            done = acts.attempt(self.play, VOTE, voter, given, None)
        except Fault as fault:
            return fault.message
        self.play.drain()
        return "" if done["ok"] else f"{done['why'] or done['code']}"

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
