"""One sentence of how things stand: the law's own, else the most pressing of what is owed, open or to come."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from folkmoot.core.documents import Document
from folkmoot.core.keys import GAME
from folkmoot.core.records import Entry
from folkmoot.game.agenda import KeyedDuty, deadline, duties_in, soonest_first
from folkmoot.wording.catalogue import quoted, say
from folkmoot.wording.entries import effects_in
from folkmoot.wording.game_view import GameView
from folkmoot.wording.indices import growing
from folkmoot.wording.law_sentence import LONGEST, parts_of
from folkmoot.wording.markup import Html, counted, el, escape, join, sentence, shortened
from folkmoot.wording.page_links import Here, timer_words
from folkmoot.wording.prose import phrase
from folkmoot.wording.translation import _

NAMED = 2
"""How many players are named who owe the same."""


def headline(here: Here) -> Html:
    """Return how the game stands in one sentence; there always is one."""
    return next(filter(None, (say(here) for say in SENTENCES)))


def mover(view: GameView) -> str | None:
    """Return whose turn it is, as the rules answer."""
    found = view.answers.get("mover")
    return str(found) if found in view.players else None


def together(duties: Sequence[KeyedDuty]) -> list[list[KeyedDuty]]:
    """Return duties, the soonest first, with those of several players together that are the same.

    >>> [len(each) for each in together([{"player": p, "what": w, "by": None} for p, w in ("ax", "bx", "ay")])]
    [2, 1]
    """
    found: dict[tuple[object, ...], list[KeyedDuty]] = {}
    for duty in soonest_first(duties):
        alike = (*(duty.get(name) for name in ("what", "by", "rule", "do", "of")), bool(duty.get("overdue")))
        found.setdefault(tuple(map(str, alike)), []).append(duty)
    return list(found.values())


def _ended(here: Here) -> Html:
    over = here.view.kept(GAME).get("over")
    if not over:
        return Html("")
    winners = here.players(over.get("winner"))
    return sentence("{players} won.", players=winners) if winners else escape(_("The game is over."))


def _paused(here: Here) -> Html:
    paused = here.view.kept(GAME).get("paused")
    return sentence("The game is paused since {when}.", when=here.when(paused)) if paused is not None else Html("")


def _by_law(here: Here) -> Html:
    """Return what the law says of the game, and behind it what is owed by a time."""
    words = _supplied(here, here.view.answers.get("headline"))
    said = say(here, "law says", {"words": words}) if words else words
    owed = _owed(here) if said else ""
    return join([said, " ", owed]) if owed else said


def _supplied(here: Here, said: object) -> Html:
    """Return the law's own sentence: a text, or a list in which what names a player, rule or proposal is a link."""
    parts = parts_of(said)
    if isinstance(said, str) or sum(map(len, parts)) > LONGEST:
        return phrase(shortened("".join(parts), LONGEST)) if parts else Html("")
    return join(join([" " if part[0] == " " else "", here.value(part.removeprefix(" "))]) for part in parts)


def _owed(here: Here) -> Html:
    """Return what has to be done next by somebody who has a time for it."""
    duties = duties_in(here.view.documents)
    due = [duty for duty in duties if duty.get("by") and not duty.get("overdue")]
    return _must(here, together(due)[0]) if due else Html("")


def _turn(here: Here) -> Html:
    player = mover(here.view)
    return sentence("It is the turn of {player}.", player=here.player(player)) if player else Html("")


def _open_vote(here: Here) -> Html:
    ends = ((deadline(here.view.documents, each), each) for each in here.view.unresolved.values()
            if each.get("state") == "open")  # fmt: skip
    found = sorted(ends, key=lambda pair: (pair[0] is None, pair[0] or 0))
    if not found:
        return Html("")
    due, proposal = found[0]
    named = here.proposal(proposal.get("id"))
    if due is None:
        return sentence("The vote on {proposal} is open.", proposal=named)
    return sentence("The vote on {proposal} is open until {when}.", proposal=named, when=due_time(here, due))


def _owed_some_time(here: Here) -> Html:
    duties = duties_in(here.view.documents)
    return _must(here, together(duties)[0]) if duties else Html("")


def _waiting(here: Here) -> Html:
    count = len(here.view.unresolved)
    return counted(count, "{count} proposal waits.", "{count} proposals wait.") if count else Html("")


@growing
def timers_started(_view: GameView, entries: Sequence[Entry]) -> dict[str, list[int]]:
    """Return the numbers of the entries in which each timer was started, by its key."""
    found: dict[str, list[int]] = {}
    for entry, what in effects_in(entries, "timer"):
        found.setdefault(str(what.get("of")), []).append(int(entry.get("seq") or 0))
    return found


def timers_to_come(view: GameView) -> list[tuple[str, Document]]:
    """Return the timers that can still bring anything, the next first: of no game or vote that is over."""
    if view.kept(GAME).get("over"):
        return []
    timers = sorted(view.document("things/timer").items(), key=lambda pair: (pair[1].get("due") or 0, pair[0]))
    return [(key, timer) for key, timer in timers if timer.get("due") and not _outlives_vote(view, key, timer)]


def _outlives_vote(view: GameView, key: str, timer: Document) -> bool:
    """Say whether all that a timer names was voted on and resolved since it was started."""
    payload, started = timer.get("payload") or {}, view.index(timers_started).get(key, [0])[-1]
    kinds = [kind for kind in view.votable if payload.get("kind") in (None, kind)]
    named = [str(value.get("id") if isinstance(value, dict) else value) for value in payload.values()]
    named += [f"{kind}/{payload[name]}" for kind in kinds for name in ("number", kind) if name in payload]
    found = [name for name in dict.fromkeys(named) if name in view.proposals]
    resolved = [int(view.resolved_by[name]["seq"]) if name in view.resolved_by else 0 for name in found]
    return bool(found) and min(resolved) > started


def _coming(here: Here) -> Html:
    timers = timers_to_come(here.view)
    if not timers:
        return Html("")
    key, first = timers[0]
    what = quoted(here, timer_words(here.view, key, first))
    return sentence("Next: {what}, {when}.", when=due_time(here, first["due"]), what=what)


def _quiet(_here: Here) -> Html:
    return escape(_("Nothing is being voted on, and nobody owes anything."))


SENTENCES: tuple[Callable[[Here], Html], ...] = (
    _ended, _paused, _by_law, _owed, _turn, _open_vote, _owed_some_time, _waiting, _coming, _quiet,
)  # fmt: skip


def due_time(here: Here, at: object) -> Html:
    """Return a deadline, so marked that a script says how far it is away."""
    return el("span", here.when(at), class_="fm-due")


def _must(here: Here, duties: Sequence[KeyedDuty]) -> Html:
    """Return the sentence for what one or several players owe alike."""
    what, by = quoted(here, str(duties[0].get("what") or "")), duties[0].get("by")
    who = some_players(here, [str(duty["player"]) for duty in duties])
    if by:
        return sentence("{players} must {what} by {when}.", players=who, what=what, when=due_time(here, by))
    return sentence("{players} must {what}.", players=who, what=what)


def some_players(here: Here, players: Sequence[str], most: int = NAMED) -> Html:
    """Return players by name, of many the first, and how many more there are."""
    if len(players) <= most + 1:
        return here.players(players)
    return sentence("{players} and {count} more", players=here.players(players[:most]), count=len(players) - most)
