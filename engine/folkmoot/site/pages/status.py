"""How a game stands in one sentence: what is before the players and for whom it waits, and what the law says of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from msgspec import Struct

from folkmoot.core.documents import Proposal, Timer
from folkmoot.core.keys import GAME, forge_kind
from folkmoot.core.rule_blocks import ActionSpec
from folkmoot.game import status
from folkmoot.game.status import KeyedDuty, deadline, duties_in, missing_votes
from folkmoot.kernel.act_declarations import KERNEL_DECLARATIONS
from folkmoot.site.polls import listed, name_of
from folkmoot.site.standing import newest_story
from folkmoot.wording.catalogue import quoted, say
from folkmoot.wording.game_view import GameView, effects_in, lists_by_key
from folkmoot.wording.law_sentence import LONGEST, parts_of
from folkmoot.wording.markup import Html, counted, el, escape, join, sentence, shortened
from folkmoot.wording.page_links import Here, timer_words
from folkmoot.wording.prose import phrase

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
    found = next(_situations(here))
    return Status(found.words, join(filter(None, [found.by, _law_says(here)]), " · "))


def _situations(here: Here) -> Iterator[Status]:
    """Yield what is before the players, what is most important first."""
    game, duties, waiting = here.view.kept(GAME), duties_in(here.view.documents), len(here.view.unresolved)
    if over := game.get("over"):
        winners, rule = [*(over.get("winner") or ())], here.rule(over.get("rule"))
        won = sentence("{players} won.", players=named(here, winners)) if winners else escape("The game is over.")
        why = [quoted(here, over["why"]) if over.get("why") else "", join([" (", rule, ")"]) if rule else ""]
        story = newest_story(here.view)
        more = join([" · ", here.link("How it went", story)]) if story else ""
        yield Status(won, join([here.moment(over.get("at")), ": " if over.get("why") else " ", *why, more]))
    if (paused := game.get("paused")) is not None:
        still = "Since {when}. Clocks stand still; nothing is due until play resumes."
        yield Status(escape("The game is paused."), sentence(still, when=here.moment(paused)))
    if votes := open_votes(here.view):
        yield _voting(here, votes)
    if timely := [duty for duty in duties if duty.get("by") and not duty.get("overdue")]:
        yield _must(here, together(timely)[0])
    if player := mover(here.view):
        yield Status(sentence("It is {player}’s turn.", player=here.player(player)))
    if duties:
        yield _must(here, together(duties)[0])
    if waiting:
        yield Status(counted(waiting, "{count} proposal waits.", "{count} proposals wait."))
    for key, timer in timers_to_come(here.view)[:1]:
        what = quoted(here, timer_words(here.view, key, timer))
        yield Status(sentence("Next: {what}.", what=what), due_time(here, timer["due"]))
    yield Status(escape("Nothing is before the players."))


def _voting(here: Here, votes: Sequence[tuple[int | None, Proposal]]) -> Status:
    due, vote = votes[0]
    when = due_time(here, due) if due is not None else Html("")
    if len(votes) > 1:
        ends = sentence("The first ends {when}", when=when) if when else when
        return Status(counted(len(votes), "{count} vote is open.", "{count} votes are open."), ends)
    author, missing = here.player(vote.get("author")), missing_votes(vote)
    said = "{proposal} by {player} is before the players. " if author else "{proposal} is before the players. "
    said += "It waits for {players}." if missing else "Everybody has voted."
    proposal = here.proposal(vote.get("id"), name_of(vote))
    words = sentence(said, proposal=proposal, player=author, players=named(here, missing))
    return Status(words, sentence("Until {when}", when=when) if when else when)


def _must(here: Here, duties: Sequence[KeyedDuty]) -> Status:
    """Return the sentence for what one or several players owe alike."""
    what, by = quoted(here, str(duties[0].get("what") or "")), duties[0].get("by")
    who = named(here, [str(duty["player"]) for duty in duties])
    until = sentence("Until {when}", when=due_time(here, by)) if by else Html("")
    return Status(sentence("{players} must {what}.", players=who, what=what), until)


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


def mover(view: GameView) -> str | None:
    """Return whose turn it is, as the rules answer."""
    found = view.answers.get("mover")
    return str(found) if found in view.players else None


def named(here: Here, players: Sequence[str]) -> Html:
    """Return players in a sentence, of many the first and how many more there are."""
    shown, more = join(map(here.player, players[:NAMED]), ", "), len(players) - NAMED
    return join([shown, f" and {more} more"]) if more > 0 else listed([*map(here.player, players)])


def due_time(here: Here, at: object) -> Html:
    """Return a deadline, so marked that a script says when it has passed."""
    return el("span", here.moment(at), class_="due-time")


# -- what is owed, and what comes


def together(duties: Sequence[KeyedDuty]) -> list[list[KeyedDuty]]:
    """Return duties, the soonest first, with those of several players together that are the same.

    >>> [len(each) for each in together([{"player": p, "what": w, "by": None} for p, w in ("ax", "bx", "ay")])]
    [2, 1]
    """
    parts = ("what", "by", "rule", "do", "of")
    alike = lists_by_key(((*(str(duty.get(part)) for part in parts), bool(duty.get("overdue"))), duty)
                         for duty in status.soonest_first(duties))  # fmt: skip
    return list(alike.values())


def owed(here: Here, player: str | None = None, most: int = LISTED) -> Iterator[Coming]:
    """Yield what is owed, or what one player does, each with its time; what several owe alike but once."""
    found = together(duties_in(here.view.documents, player))
    for alike in found[:most]:
        duty, by = alike[0], alike[0].get("by")
        parts: list[object] = [here.clock(by), ": "] if by else []
        parts += [named(here, [str(each["player"]) for each in alike]), ": "] if player is None else []
        parts += [quoted(here, str(duty.get("what") or "")), " (overdue)" if duty.get("overdue") else ""]
        parts += [" (", here.rule(duty["rule"]), ")"] if duty.get("rule") else []
        yield Coming(here.day(by) if by else escape("Some time"), join(parts), _answer(here.view, alike))
    if len(found) > most:
        more = f"{len(found) - most} more"
        yield Coming(Html(""), here.link(more, "offices.md", "owed") if here.path != "offices.md" else escape(more))


def _answer(view: GameView, alike: Sequence[KeyedDuty]) -> str:
    """Return what does what duties ask for where the game is played: a comment on the web, else a command."""
    duty = alike[0]
    declared = view.declared("actions")
    actions = {**KERNEL_DECLARATIONS, **{name: cast(ActionSpec, spec) for name, (_uid, spec) in declared.items()}}
    kind = forge_kind(view.kept(GAME))
    if kind not in ("", "local"):
        return status.comment_line(duty, actions)
    do = next(iter(status.asked_of(duty, actions)), "")
    by = str(duty["player"]) if len(alike) == 1 else status.OPEN
    return status.command_line(duty, do, actions, "" if kind else by) if do else ""


def open_votes(view: GameView) -> list[tuple[int | None, Proposal]]:
    """Return what is voted on now, each with its deadline in Unix seconds, the soonest first."""
    found = [(deadline(view.documents, each), each) for each in view.unresolved.values() if each.get("state") == "open"]
    return sorted(found, key=lambda pair: (pair[0] is None, pair[0] or 0))


def timers_started(view: GameView) -> dict[str, int]:
    """Return the number of the entry in which each timer was started last, by its key."""
    return {str(what.get("of")): int(entry.get("seq") or 0) for entry, what in effects_in(view.entries, "timer")}


def timers_to_come(view: GameView) -> list[tuple[str, Timer]]:
    """Return the timers that can still bring anything, the next first."""

    def resolved(vote: Proposal) -> int | None:
        return int(view.resolved_by[vote["id"]]["seq"]) if vote["id"] in view.resolved_by else None

    def started(key: str, _votes: object) -> int | None:
        return view.index(timers_started).get(key)

    return status.timers_to_come(view.documents, view.votable, view.proposals.get, resolved, started)
