"""Who is awaited in a game: what its thread on a forge says, and of what people are called there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, cast

from msgspec import Struct

from folkmoot.core.documents import Proposal, Roster
from folkmoot.core.keys import GAME, came_here
from folkmoot.core.records import PlayedAt
from folkmoot.core.values import in_a_row
from folkmoot.game.status import (
    asleep_in,
    asleep_told,
    beside_votes,
    comment_line,
    deadline,
    decider_of,
    duties_in,
    missing_votes,
    undecided,
)
from folkmoot.referee import mentions
from folkmoot.referee.intake import Intake
from folkmoot.referee.markdown import code, listed, said
from folkmoot.referee.mentions import GameState, Mention
from folkmoot.referee.push_limits import NOT_TAKEN
from folkmoot.wording.law_sentence import unquoted

ARRIVED = "### What arrived here\n"
MOST_LISTED = 50
MOST_ASLEEP = 10
LONGEST_ASLEEP = 600  # characters


class Awaited(Struct, frozen=True, kw_only=True):
    """Who is awaited in one game: `lines` of Markdown for everybody, and the occasions to call somebody."""

    title: str
    lines: tuple[str, ...]
    occasions: tuple[Mention, ...]
    roster: Roster
    quiet: bool


def awaited_in(intake: Intake, state: GameState, keys: Sequence[str]) -> Awaited:
    """Return who is awaited in a game; `keys` are those of the calls that were made in its thread."""
    session = intake.recorder.session
    game, proposals = session.kept(GAME), undecided(session)
    mover, turn = intake.ballots.whose_turn() if state.awake else ("", None)
    refused = [each for some in intake.recorder.verdicts.values() for each in some if each.code == NOT_TAKEN]
    return Awaited(
        title=str(game.get("title") or state.game),
        lines=tuple(_lines(state, proposals, mover, partial(decider_of, session))),
        occasions=(*_occasions(state, proposals, mover, turn, keys), *mentions.of_not_taken(state, refused)),
        roster=intake.recorder.roster,
        quiet=state.quiet,
    )


def comment_on_waiting(games: Sequence[Awaited]) -> str:
    """Return who is awaited in the games as Markdown, "" where nobody is."""
    told = [game for game in games if game.lines]
    if not told:
        return ""
    parts = ["### Who is awaited\n"]
    for game in told:
        parts += [*([f"**{said(game.title, 100)}**\n"] if len(games) > 1 else [])]
        parts += ["\n".join(listed(game.lines, MOST_LISTED)) + "\n"]
    return "\n".join(parts) + "\n"


def _occasions(
    state: GameState, proposals: Sequence[Proposal], mover: str, turn: Any, keys: Sequence[str]
) -> Iterator[Mention]:
    for proposal in proposals:
        via = proposal.get("via") or {}
        if not came_here(via, cast(PlayedAt, state.documents["game"])) or not (via.get("pull") or via.get("issue")):
            yield from mentions.of_vote(state, proposal, [str(proposal.get("author") or "")], place="")
            yield from mentions.reminder_of(state, proposal, (), place="")
    yield from mentions.of_duties(state, proposals)
    yield from mentions.of_newcomers(state)
    yield from mentions.of_turn(state, mover, turn, keys)


def _lines(
    state: GameState, proposals: Sequence[Proposal], mover: str, judged: Callable[[Any], Mapping[str, str] | None]
) -> Iterator[str]:
    if state.claim:
        asked = f"{said(state.claim['by'], 80)} asks to become an administrator"
        due = f"and can from {said(state.when(state.claim['due']))} on"
        yield f"{asked}, {due}, unless an administrator acts until then; `/do oppose_succession` objects."
    if not state.awake:
        yield "The game is paused." if state.quiet else "The game is over."
        return
    if mover:
        yield f"It is the turn of {said(mover, 80)}."
    for rule in asleep_in(state.documents)[:MOST_ASLEEP]:
        yield said(asleep_told(rule), LONGEST_ASLEEP)
    for proposal in proposals:
        if pending := missing_votes(proposal):
            closes = deadline(state.documents, proposal)
            until = f", until {said(state.when(closes))}" if closes else ""
            names = in_a_row((said(name, 80) for name in pending), MOST_LISTED)
            yield f"{mentions.named(proposal)} awaits the votes of {names}{until}."
        judge = judged(proposal)
        if judge is not None:
            who = f"{said(judge['player'], 80)} ({said(judge['as'], 80)})"
            yield f"{mentions.named(proposal)} awaits the decision of {who}."
    for duty in beside_votes(duties_in(state.documents), proposals):
        by = f", by {said(state.when(duty['by']))}" if duty["by"] is not None else ""
        line = comment_line(duty, state.actions())
        how = f" ({code(line)})" if line else ""
        yield f"{said(duty['player'], 80)} owes: “{said(unquoted(duty['what']), 200)}”{by}{how}."
