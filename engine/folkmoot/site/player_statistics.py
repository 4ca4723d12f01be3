"""What became of what a player proposed, how often they voted, and with whom they voted alike."""

from __future__ import annotations

from itertools import combinations, islice

from msgspec import Struct, field

from folkmoot.core.ballot_display import is_displayed
from folkmoot.core.event_names import makes_law
from folkmoot.wording.game_view import GameView
from folkmoot.wording.indices import of_proposals
from folkmoot.wording.markup import Html, el, facts, sentence, table
from folkmoot.wording.page_links import Here
from folkmoot.wording.translation import _

COMPARED = 100
"""Over how many of the latest votes it is counted who voted like whom."""


class Career(Struct):
    """Counts of one player: proposed and adopted, asked to vote and voted; by others, votes of both and votes alike."""

    proposed: int = 0
    adopted: int = 0
    asked: int = 0
    voted: int = 0
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
        for one, two in combinations(cast, 2):
            for who, other in ((one, two), (two, one)):
                both, alike = found[who].alike.get(other, (0, 0))
                found[who].alike[other] = (both + 1, alike + (cast[one] == cast[two]))
    return found


def shown(here: Here, player: str) -> Html:
    """Return what is counted of a player's proposals and votes, nothing where nothing is decided yet."""
    career = here.view.index(careers).get(player)
    if career is None or not (career.proposed or career.asked):
        return Html("")
    return facts([
        (_("Proposals that became law"), _share(career.adopted, career.proposed)),
        (_("Votes cast"), _share(career.voted, career.asked)),
    ])  # fmt: skip


def agreement(here: Here, player: str) -> Html:
    """Return with whom a player voted alike how often, who did so most first."""
    career = here.view.index(careers).get(player)
    if career is None or not career.alike:
        return Html("")
    ranked = sorted(career.alike.items(), key=lambda pair: (-pair[1][1] / pair[1][0], -pair[1][0], pair[0]))
    rows = [[here.player(other), _share(alike, both)] for other, (both, alike) in ranked]
    told = sentence("Over the votes whose ballots are displayed, at most the last {count}.", count=COMPARED)
    return el("div", el("p", told, class_="fm-more"), table([_("Player"), _("Voted alike")], rows))


def _share(part: int, whole: int) -> str:
    if not whole:
        return ""
    percent = (200 * part + whole) // (2 * whole)
    return _("{part} of {whole} ({percent} %)", part=part, whole=whole, percent=percent)
