"""Whom the referee calls by their handle on the forge, and of what: each occasion once, and nobody who opted out.

An occasion has a key made of what it is about, never of who happens to owe something at the moment: a run that was
killed, or a second referee, comes to the same key, and so nothing is said twice.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from folkmoot.core.documents import Proposal, Roster
from folkmoot.core.keys import REMINDED
from folkmoot.core.proposal_numbers import handle, omission
from folkmoot.forges.port import Call
from folkmoot.game import status
from folkmoot.kernel.ballot_words import typed_choice
from folkmoot.referee.comment import mark_of
from folkmoot.referee.markdown import code, said, written
from folkmoot.referee.preview import Preview
from folkmoot.referee.report import Verdict
from folkmoot.wording.game_view import GameView
from folkmoot.wording.law_sentence import unquoted
from folkmoot.wording.markup import unmarked
from folkmoot.wording.page_links import Here

MOST_CALLS = 30  # in one run; the rest is for the next
MOST_NAMED = 50  # in one call; GitHub notifies no more
HOUR = 3_600
NEWS = 7 * 24 * HOUR

Called = tuple[tuple[Call, ...], tuple[str, ...], bool]
"""The calls to be made, the keys of all that were, and whether that is all."""


class Mention(Struct, frozen=True, kw_only=True):
    """Something of which players are to be told, by `text` (Markdown); a `reminder` also reaches who wants no more.

    One that `counts` is remembered even where it named nobody: what comes after is told from it.
    """

    key: str
    players: tuple[str, ...]
    text: Callable[[], str]
    reminder: bool = False
    counts: bool = False


class Caller(Struct):
    """Makes calls in one run, on a forge of a name that `notifies` or not."""

    forge: str
    notifies: bool
    left: int = MOST_CALLS

    def call(self, occasions: Iterable[Mention], keys: Sequence[str], state: GameState) -> Called:
        """Call those of a game who were not called yet, as `keys` of what was said before tell."""
        calls: list[Call] = []
        made: list[str] = []
        complete = True
        for occasion in occasions if self.notifies else ():
            if occasion.key in keys:
                made.append(occasion.key)
            elif not state.quiet:
                people = self._people(occasion, state.players)
                if people and self.left <= 0:
                    complete = False
                    continue
                if people or occasion.counts:
                    made.append(occasion.key)
                if people:
                    self.left -= 1
                    calls.append(Call(key=occasion.key, people=people, text=occasion.text()))
        return tuple(calls), tuple(dict.fromkeys(made)), complete

    def _people(self, occasion: Mention, roster: Roster) -> tuple[str, ...]:
        """Return the ids on this forge of those who are to be called: who plays, is known there, and wants to be."""
        wanted = ("all", "reminders") if occasion.reminder else ("all",)
        found = []
        for player in occasion.players:
            entry: Mapping[str, Any] = roster.get(player) or {}
            handle = (entry.get("handles") or {}).get(self.forge) or {}
            if entry.get("until") is None and (entry.get("mentions") or "all") in wanted and handle.get("id"):
                found.append(str(handle["id"]))
        return tuple(dict.fromkeys(found))


def key_of(kind: str, *about: Any) -> str:
    """Return the key of an occasion.

    >>> key_of("vote", "dragons", "proposal/305", 0)
    'vote-b617e5a57808629e'
    """
    return f"{kind}-{mark_of(about)}"


class GameState(GameView, frozen=True, kw_only=True, dict=True):
    """A game at the end of a run, the time (Unix seconds), what a vote may say on a proposal, and which actions are."""

    at: int
    choices: Callable[[Proposal], Sequence[str]]
    actions: Callable[[], status.Actions] = dict

    @property
    def quiet(self) -> bool:
        """Say whether nobody is called because the game sleeps."""
        return self.document("game").get("paused") is not None

    @property
    def over(self) -> bool:
        """Say whether the game is over."""
        return bool(self.document("game").get("over"))

    @property
    def awake(self) -> bool:
        """Say whether somebody may be awaited: in a game that sleeps, or is over, nobody is."""
        return not self.quiet and not self.over

    def when(self, at: int) -> str:
        """Return a time in words, in the game's zone."""
        return unmarked(Here(self, "index.md").when(at))

    def reminds(self, since: int | None, deadline: int | None) -> bool:
        """Say whether it is time to remind of a deadline: a day before, or the last third of a shorter period."""
        before = int(self.document("game").get("reminders", REMINDED)) * HOUR
        if deadline is None or not before or self.over:
            return False
        lead = before if since is None else min(before, max(0, deadline - since) // 3)
        return deadline - lead <= self.at < deadline


def of_vote(state: GameState, proposal: Proposal, opener: str | None, *, place: str) -> Iterator[Mention]:
    """Yield that a vote is open in a place ("": the thread), to whose ballots are missing, but for its `opener`."""
    if proposal.get("state") != "open" or state.over:
        return
    yield from _in_parts(
        ("vote", state.slug, proposal["id"], proposal["opened_at"]),
        proposal.get("electorate") or (),
        [voter for voter in status.missing_votes(proposal) if voter != opener],
        _on_vote("vote", state, proposal, place),
    )


def _on_vote(occasion: str, state: GameState, proposal: Proposal, place: str) -> Callable[[], str]:
    on, closes = f" {proposal['kind']}={handle(proposal)}", status.deadline(state.documents, proposal)
    return _words(occasion, state=state, proposal=proposal, place=place, on=on, closes=closes, typed=typed_choice)


def reminder_of(state: GameState, proposal: Proposal, *, place: str) -> Iterator[Mention]:
    """Yield that a vote ends soon, to those whose ballots are missing."""
    closes = status.deadline(state.documents, proposal) if proposal.get("state") == "open" else None
    if closes is None or not state.reminds(proposal.get("opened_at"), closes):
        return
    yield from _in_parts(
        ("remind", state.slug, proposal["id"], closes),
        proposal.get("electorate") or (),
        status.missing_votes(proposal),
        _on_vote("vote ends", state, proposal, place),
        reminder=True,
    )


def of_judge(state: GameState, proposal: Proposal, preview: Preview | None, place: str) -> Iterator[Mention]:
    """Yield that a proposal awaits the decision of whoever holds an office."""
    if preview is None or not preview.judge or state.over:
        return
    called = [preview.judge] if preview.judge != proposal.get("author") else []
    about = (proposal["id"], preview.judge)
    yield _mention(state, "decider", about, called, proposal=proposal, office=preview.office, place=place)


def of_outcome(state: GameState, proposal: Proposal, cause: str | None, link: str) -> Iterator[Mention]:
    """Yield to the author that their proposal was decided, by the act of `cause`."""
    if not proposal.get("outcome"):
        return
    verdict: Mapping[str, Any] = proposal.get("verdict") or {}
    why = str(verdict.get("why") or proposal.get("why") or "")
    author, about = str(proposal.get("author") or ""), (proposal["id"], proposal["outcome"])
    called = [author] if author and author != cause else []
    given = {"proposal": proposal, "why": why, "left": omission(proposal), "link": link}
    yield _mention(state, "decided", about, called, **given)


def of_refusal(state: GameState, about: tuple[Any, ...], author: str, why: str, place: str) -> Mention:
    """Return to its author that what they ask for in a place was refused; `about` tells this refusal from others."""
    return _mention(state, "refused", about, [author], place=place, why=why)


def of_not_taken(state: GameState, verdicts: Iterable[Verdict]) -> Iterator[Mention]:
    """Yield to administrators that the forge refuses what somebody did, for what is in it."""
    administrators = tuple(state.documents["game"].get("administrators") or ())
    for verdict in verdicts:
        yield _mention(state, "not-taken", (verdict.fact,), administrators, who=verdict.who)


def _mention(state: GameState, occasion: str, about: tuple[Any, ...], players: Sequence[str], **given: Any) -> Mention:
    text = _words(occasion, state=state, **given)
    return Mention(key=key_of(occasion, state.slug, *about), players=tuple(players), text=text)


def _words(occasion: str, **given: Any) -> Callable[[], str]:
    return lambda: written("calls.md", occasion=occasion, **given).rstrip()


def _in_parts(
    about: tuple[Any, ...],
    people: Sequence[str],
    called: Collection[str],
    text: Callable[[], str],
    *,
    reminder: bool = False,
) -> Iterator[Mention]:
    """Yield an occasion to call some of many people, so many at once; who is in which part depends on `people` only."""
    for number, start in enumerate(range(0, len(people), MOST_NAMED)):
        some = people[start : start + MOST_NAMED]
        players = tuple(dict.fromkeys(player for player in some if player in called))
        yield Mention(key=key_of(*about, number), players=players, text=text, reminder=reminder)


def of_duties(state: GameState, proposals: Iterable[Proposal]) -> Iterator[Mention]:
    """Yield what players owe by the rules, and which of it ends soon; of votes on `proposals` is told already."""
    owed = status.beside_votes(status.duties_in(state.documents), proposals) if not state.over else []
    groups: dict[tuple[Any, ...], list[status.KeyedDuty]] = {}
    for duty in owed:
        groups.setdefault((duty["what"], duty["by"], duty.get("since")), []).append(duty)
    for about, duties in groups.items():
        called = [duty["player"] for duty in duties if duty["player"] != duty.get("cause")]
        text = _words("owed", owed=_owed(state, duties[0]))
        yield from _in_parts(("owe", state.slug, *about), [duty["player"] for duty in duties], called, text)
    for by in sorted({duty["by"] for duty in owed if duty["by"] is not None}):
        late = [duty for duty in owed if duty["by"] == by and state.reminds(duty.get("since"), by)]
        what = "; ".join(dict.fromkeys(_owed(state, duty) for duty in late))
        players = [duty["player"] for duty in late]
        text = _words("owed", owed=f"a reminder: {what}")
        yield from _in_parts(("remind", state.slug, "thread", by), players, players, text, reminder=True)


def _owed(state: GameState, duty: status.KeyedDuty) -> str:
    """Return what somebody owes, until when, and the command for it."""
    actions = state.actions()
    line = status.comment_line(duty, actions)
    by = f" until {said(state.when(duty['by']))}" if duty["by"] is not None else ""
    how = f" Write {code(line)}." if line else ""
    how = " Open a pull request that changes rules." if status.is_proposing(duty, actions) else how
    return f"you owe the game: “{said(unquoted(duty['what']), 200)}”{by}.{how}"


def of_newcomers(state: GameState) -> Iterator[Mention]:
    """Yield that somebody is let in, to those who asked before; for some days, and once."""
    for player, entry in state.players.items():
        if "asked" in entry and entry["until"] is None and entry["since"] > state.at - NEWS:
            yield _mention(state, "admitted", (player, entry["since"]), [player], player=player)


def of_turn(state: GameState, mover: str, turn: Any, keys: Iterable[str]) -> Iterator[Mention]:
    """Yield whose turn it is, to a player who owes nothing that says so already.

    `turn` is its number, where the law counts turns; where not, the turn before (among `keys`) tells turns apart.
    """
    if not mover:
        return
    game = mark_of(state.slug)[:4]
    before = next((key for key in keys if key.startswith(f"turn-{game}")), "")
    prefix = f"turn-{game}{mark_of([mover, turn])[:6]}"
    key = before if before.startswith(prefix) else prefix + mark_of(before if turn is None else "")[:6]
    owing = any(duty["player"] == mover for duty in status.duties_in(state.documents))
    yield Mention(key=key, players=() if owing else (mover,), counts=True, text=_words("next", state=state))
