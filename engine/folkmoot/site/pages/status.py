"""How a game stands in one sentence: what is before the players and for whom it waits, and what the law says of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import cast

from msgspec import Struct

from folkmoot.core.documents import Proposal, Timer
from folkmoot.core.keys import GAME, forge_kind
from folkmoot.core.records import Entry
from folkmoot.core.rule_blocks import ActionSpec
from folkmoot.game import agenda
from folkmoot.game.agenda import (
    KeyedDuty,
    asked_of,
    command_line,
    comment_line,
    deadline,
    duties_in,
    missing_votes,
    soonest_first,
)
from folkmoot.kernel.act_declarations import KERNEL_DECLARATIONS
from folkmoot.wording.catalogue import quoted, say
from folkmoot.wording.entries import effects_in
from folkmoot.wording.game_view import GameView
from folkmoot.wording.indices import growing
from folkmoot.wording.law_sentence import LONGEST, parts_of
from folkmoot.wording.markup import Html, counted, el, escape, join, sentence, shortened
from folkmoot.wording.page_links import Here, timer_words
from folkmoot.wording.prose import phrase
from folkmoot.wording.translation import _

LISTED, NAMED = 20, 4
"""How much of what is owed stands in a list, and how many players are named who are waited for."""


class Status(Struct, frozen=True):
    """How a game stands: in a sentence, and what stands small below it."""

    words: Html
    by: Html = Html("")


class Coming(Struct, frozen=True):
    """What is due on a day, or whenever its time comes, and the line that does it where there is one."""

    day: Html
    words: Html
    line: str = ""


def status_of(here: Here) -> Status:
    """Return how the game stands; there always is something to say."""
    found = next(filter(None, (say_it(here) for say_it in SENTENCES)))
    law = _law_says(here)
    return Status(found.words, join(filter(None, [found.by, law]), " · "))


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


def answer_to(view: GameView, duty: KeyedDuty) -> str:
    """Return what does what a duty asks for where the game is played: a comment on the web, else a command."""
    declared = view.declared("actions")
    actions = {**KERNEL_DECLARATIONS, **{name: cast(ActionSpec, spec) for name, (_uid, spec) in declared.items()}}
    kind = forge_kind(view.kept(GAME))
    if kind not in ("", "local"):
        return comment_line(duty, actions)
    do = next(iter(asked_of(duty, actions)), "")
    return command_line(duty, do, actions, "" if kind else str(duty["player"])) if do else ""


def owed(here: Here, player: str | None = None, most: int = LISTED) -> Iterator[Coming]:
    """Yield what is owed, or what one player does, each with its time; what several owe alike but once."""
    found = together(duties_in(here.view.documents, player))
    for alike in found[:most]:
        duty = alike[0]
        rule = join([" (", here.rule(duty["rule"]), ")"]) if duty.get("rule") else ""
        who = join([named(here, [str(each["player"]) for each in alike]), ": "]) if player is None else ""
        late = escape(_(" (overdue)")) if duty.get("overdue") else ""
        by = join([here.clock(duty["by"]), ": "]) if duty.get("by") else ""
        words = join([by, who, quoted(here, str(duty.get("what") or "")), late, rule])
        day = here.day(duty["by"]) if duty.get("by") else escape(_("Some time"))
        yield Coming(day, words, answer_to(here.view, duty))
    if len(found) > most:
        more = _("{count} more", count=len(found) - most)
        yield Coming(Html(""), here.link(more, "offices.md", "owed") if here.path != "offices.md" else escape(more))


def named(here: Here, players: Sequence[str], most: int = NAMED) -> Html:
    """Return players in a sentence, of many the first and how many more there are."""
    shown = [here.player(player) for player in players[:most]]
    if len(players) > most:
        return join([join(shown, ", "), " ", _("and {count} more", count=len(players) - most)])
    return join([join(shown[:-1], ", "), " ", _("and"), " ", shown[-1]]) if len(shown) > 1 else join(shown)


def due_time(here: Here, at: object) -> Html:
    """Return a deadline, so marked that a script says when it has passed."""
    return el("span", here.moment(at), class_="due-time")


def _ended(here: Here) -> Status | None:
    over = here.view.kept(GAME).get("over")
    if not over:
        return None
    winners = over.get("winner") or ()
    why = quoted(here, over["why"]) if over.get("why") else ""
    rule = join([" (", here.rule(over["rule"]), ")"]) if over.get("rule") else ""
    words = (
        sentence("{players} won.", players=named(here, list(winners))) if winners else escape(_("The game is over."))
    )
    return Status(words, join([here.moment(over.get("at")), " ", why, rule]))


def _paused(here: Here) -> Status | None:
    paused = here.view.kept(GAME).get("paused")
    if paused is None:
        return None
    told = sentence("Since {when}. Clocks stand still; nothing is due until play resumes.", when=here.moment(paused))
    return Status(escape(_("The game is paused.")), told)


def _voting(here: Here) -> Status | None:
    found = open_votes(here.view)
    if not found:
        return None
    due, first = found[0]
    until = sentence("until {when}", when=due_time(here, due)) if due is not None else Html("")
    missing = missing_votes(first)
    if len(found) > 1:
        words = counted(len(found), "{count} vote is open.", "{count} votes are open.")
        ends = sentence("the first ends {when}", when=due_time(here, due)) if due is not None else Html("")
        return Status(words, ends)
    whose = here.player(first.get("author"))
    what = here.proposal(first.get("id"))
    before = sentence("{proposal} by {player} is before the players.", proposal=what, player=whose) if whose else (
        sentence("{proposal} is before the players.", proposal=what))  # fmt: skip
    waits = sentence("It waits for {players}.", players=named(here, missing)) if missing else (
        escape(_("Everybody has voted.")))  # fmt: skip
    return Status(join([before, " ", waits]), until)


def _owed_by_a_time(here: Here) -> Status | None:
    due = [duty for duty in duties_in(here.view.documents) if duty.get("by") and not duty.get("overdue")]
    return _must(here, together(due)[0]) if due else None


def _turn(here: Here) -> Status | None:
    player = mover(here.view)
    return Status(sentence("It is {player}’s turn.", player=here.player(player))) if player else None


def _owed(here: Here) -> Status | None:
    duties = duties_in(here.view.documents)
    return _must(here, together(duties)[0]) if duties else None


def _waiting(here: Here) -> Status | None:
    count = len(here.view.unresolved)
    return Status(counted(count, "{count} proposal waits.", "{count} proposals wait.")) if count else None


def _coming(here: Here) -> Status | None:
    timers = timers_to_come(here.view)
    if not timers:
        return None
    key, first = timers[0]
    what = quoted(here, timer_words(here.view, key, first))
    return Status(sentence("Next: {what}.", what=what), due_time(here, first["due"]))


def _quiet(_here: Here) -> Status:
    return Status(escape(_("Nothing is before the players.")))


SENTENCES: tuple[Callable[[Here], Status | None], ...] = (
    _ended, _paused, _voting, _owed_by_a_time, _turn, _owed, _waiting, _coming, _quiet,
)  # fmt: skip


def _law_says(here: Here) -> Html:
    """Return the law's own sentence: a text, or a list in which what names a player, rule or proposal is a link."""
    said = here.view.answers.get("headline")
    parts = parts_of(said)
    if not parts:
        return Html("")
    if isinstance(said, str) or sum(map(len, parts)) > LONGEST:
        words = phrase(shortened("".join(parts), LONGEST))
    else:
        words = join(join([" " if part[0] == " " else "", here.value(part.removeprefix(" "))]) for part in parts)
    return say(here, "law says", {"words": words})


def _must(here: Here, duties: Sequence[KeyedDuty]) -> Status:
    """Return the sentence for what one or several players owe alike."""
    what, by = quoted(here, str(duties[0].get("what") or "")), duties[0].get("by")
    who = named(here, [str(duty["player"]) for duty in duties])
    until = sentence("until {when}", when=due_time(here, by)) if by else Html("")
    return Status(sentence("{players} must {what}.", players=who, what=what), until)


def open_votes(view: GameView) -> list[tuple[int | None, Proposal]]:
    """Return what is voted on now, each with its deadline in Unix seconds, the soonest first."""
    found = [(deadline(view.documents, each), each) for each in view.unresolved.values() if each.get("state") == "open"]
    return sorted(found, key=lambda pair: (pair[0] is None, pair[0] or 0))


@growing
def timers_started(_view: GameView, entries: Sequence[Entry]) -> dict[str, list[int]]:
    """Return the numbers of the entries in which each timer was started, by its key."""
    found: dict[str, list[int]] = {}
    for entry, what in effects_in(entries, "timer"):
        found.setdefault(str(what.get("of")), []).append(int(entry.get("seq") or 0))
    return found


def timers_to_come(view: GameView) -> list[tuple[str, Timer]]:
    """Return the timers that can still bring anything, the next first."""

    def resolved(vote: Proposal) -> int | None:
        entry = view.resolved_by.get(str(vote["id"]))
        return int(entry["seq"]) if entry else None

    def started(key: str, _votes: Sequence[Proposal]) -> int | None:
        return max(view.index(timers_started).get(key, ()), default=None)

    return agenda.timers_to_come(view.documents, view.votable, view.proposals.get, resolved, started)
