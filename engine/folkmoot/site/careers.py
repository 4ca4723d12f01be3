"""What became of what a player proposed, how often they voted and prevailed, and with whom they voted alike."""

from __future__ import annotations

from itertools import combinations, islice

from msgspec import Struct, field

from folkmoot.core.ballot_display import is_displayed
from folkmoot.core.event_names import makes_law
from folkmoot.kernel.ballot_words import verdict_of
from folkmoot.wording.game_view import GameView
from folkmoot.wording.indices import of_proposals

COMPARED = 100
"""Over how many of the latest votes it is counted who voted like whom, and who prevailed."""


class Career(Struct):
    """Counts of one player: proposed and adopted, asked to vote and voted, seen to vote for or against and to prevail.

    `alike` are, by others, votes of both and votes alike.
    """

    proposed: int = 0
    adopted: int = 0
    asked: int = 0
    voted: int = 0
    seen: int = 0
    prevailed: int = 0
    alike: dict[str, tuple[int, int]] = field(default_factory=dict)


@of_proposals(lambda proposal: proposal if proposal.get("outcome") else None)
def careers(view: GameView) -> dict[str, Career]:
    """Return the counts of each player over all that has been decided, the newest first."""
    found: dict[str, Career] = {player: Career() for player in view.players}
    decided = [proposal for proposal in view.proposals.values() if proposal.get("outcome")]
    for proposal in decided:
        if (author := found.get(str(proposal.get("author")))) is not None:
            author.proposed += 1
            author.adopted += makes_law(proposal["outcome"], view.outcomes)
        ballots = proposal.get("ballots") or {}
        for voter in proposal.get("electorate") or ():
            if voter in found:
                found[voter].asked += 1
                found[voter].voted += voter in ballots and not ballots[voter].get("deemed")
    for proposal in islice((each for each in decided if is_displayed(each)), COMPARED):
        cast = {voter: ballot.get("choice") for voter, ballot in (proposal.get("ballots") or {}).items()
                if voter in found and not ballot.get("deemed")}  # fmt: skip
        won = "approve" if makes_law(proposal["outcome"], view.outcomes) else "request_changes"
        for voter, choice in cast.items():
            verdict = verdict_of(str(choice or ""))
            found[voter].seen += bool(verdict)
            found[voter].prevailed += verdict == won
        for one, two in combinations(cast, 2):
            for who, other in ((one, two), (two, one)):
                both, alike = found[who].alike.get(other, (0, 0))
                found[who].alike[other] = (both + 1, alike + (cast[one] == cast[two]))
    return found
