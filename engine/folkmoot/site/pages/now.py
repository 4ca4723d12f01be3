"""The page one opens every morning: what the game is, who leads, what comes; and its card in front of all games."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice

from msgspec import Struct

from folkmoot.core.documents import Proposal
from folkmoot.core.event_names import makes_law
from folkmoot.core.keys import GAME
from folkmoot.game.status import asleep_in, asleep_told, held_in, missing_votes
from folkmoot.kernel.ballot_words import verdict_of
from folkmoot.site import polls
from folkmoot.site.blocks import page_title, small_board
from folkmoot.site.cards import Card, card_of
from folkmoot.site.chrome import Crest, crest
from folkmoot.site.page_data import Link, PageData, Person, people
from folkmoot.site.pages.history import Days, days_of, worth_telling
from folkmoot.site.pages.status import Coming, Status, due_time, open_votes, owed, status_of, timers_to_come
from folkmoot.site.pen import drawn
from folkmoot.site.revisions import brought, changed, moments
from folkmoot.site.standing import Race, leader, of_ruleset, race_of, seasons, story_path, to_win, winners_of
from folkmoot.wording.catalogue import quoted
from folkmoot.wording.game_view import GameView, ShownPage, ledger_at, seconds
from folkmoot.wording.markup import Html, counted, join, shortened, strip
from folkmoot.wording.page_links import (
    Here,
    board_path,
    humane,
    of_amount,
    proposal_path,
    rule_path,
    timer_words,
    titled,
)

PITCH, RACERS, CARDS = 160, 8, 3
"""Letters in which a game is told to a stranger, how many players a race shows, and how many votes have their words."""
COMING, REGISTERS, EVENTS, LATEST = 6, 40, 12, 60


class OpenVote(Struct, frozen=True):
    """What is voted on: what it would change, and how it stands as far as anybody may see."""

    link: Link
    intent: Html
    excerpt: Html
    until: Html
    choices: tuple[polls.VoteShare, ...]
    told: str
    missing: tuple[Person, ...]


class Newest(Struct, frozen=True):
    """The change of the law that is in force since last; `rule` leads to the rule by its number."""

    rule: Link
    words: Html
    title: str
    by: Html


class Now(PageData, frozen=True, kw_only=True, tag="now"):
    """A game's front page.

    `waiting` is what waits for a vote or its result, by whom; `held` the acts that the law holds: whose, what, since
    when, in which entry, for what and by which rule; `registers` what rules keep of the game.
    """

    pitch: str
    to_win: Html
    leader: Html
    asleep: tuple[tuple[str, Link], ...]
    status: Status
    votes: tuple[OpenVote, ...]
    waiting: tuple[tuple[Link, Html], ...]
    newest: Newest | None
    race: Race | None
    coming: tuple[Coming, ...]
    duties: tuple[Coming, ...]
    held: tuple[tuple[Html, str, Html, Html, str, Html], ...]
    board: Html
    board_link: Link | None
    events: Days
    registers: tuple[tuple[str, Html], ...]
    join: tuple[str, Html] | None


def game_card(view: GameView) -> Card:
    """Return the picture of how a game stands."""
    here = Here(view, "index.md")
    race = race_of(here, RACERS)
    return card_of(strip(leader(here)) if race else "", view.title, race, pitch_of(view).partition(". ")[0])


def now_page(view: GameView) -> Now:
    """Return the front page of a game."""
    here = Here(view, "index.md")
    race, (shown, board) = race_of(here, RACERS), first_board(here)
    uid, joins = view.declared("actions").get("join", ("", {}))
    return Now(
        path=here.path,
        title=view.title,
        summary=pitch_of(view) or f"{view.title}: how things stand",
        searchable=True,
        pitch=pitch_of(view),
        to_win=to_win(here)[0],
        leader=leader(here) if race else Html(""),
        asleep=tuple((asleep_told(rule), Link(f"rule {rule['number']}", here.url(rule_path(rule["uid"]))))
                     for rule in asleep_in(view.documents)),
        status=status_of(here),
        votes=tuple(open_vote(here, due, each, whole=n < CARDS) for n, (due, each) in enumerate(open_votes(view))),
        waiting=tuple((Link(_called(each), here.url(proposal_path(each))), here.player(each.get("author")))
                      for each in view.unresolved.values() if each.get("state") != "open"),
        newest=newest(here),
        race=race if race and any(each.amount for each in race.racers) else None,
        coming=() if here.view.kept(GAME).get("paused") else tuple(islice(_coming(here), COMING)),
        duties=tuple(owed(here)),
        held=tuple((here.player(act["by"]), humane(act["do"]), here.moment(act["at"]), here.entry(act["id"]),
                    act["label"], here.rule(act.get("rule"))) for act in held_in(view.documents)),
        board=board,
        board_link=Link(page_title(shown), here.url(board_path(shown.name))) if shown else None,
        events=days_of(here, islice(worth_telling(view), LATEST), EVENTS),
        registers=tuple(_registers(here)),
        join=None if view.kept(GAME).get("over") else (str(joins.get("summary") or "Ask to join"), here.rule(uid)),
    )  # fmt: skip


# -- what the game is, and who leads


def pitch_of(view: GameView) -> str:
    """Return what a game is in a line: as its rules answer, else as its ruleset says; "" where neither does."""
    said = view.answers.get("pitch") or view.document("game").get("pitch") or of_ruleset(view, "pitch")
    return shortened(str(said), PITCH) if isinstance(said, str) else ""


def first_board(here: Here) -> tuple[ShownPage | None, Html]:
    """Return the board that is to be seen first, and its page; nothing for one that cannot be drawn."""
    with suppress(Exception):  # its own page says that it cannot be drawn
        return small_board(here) or (None, Html(""))
    return None, Html("")


# -- what is before the players


def open_vote(here: Here, due: int | None, proposal: Proposal, *, whole: bool) -> OpenVote:
    """Return a vote as cards show it; `whole` says whether with the words around the first change that it makes."""
    changes = proposal.get("changes") or () if whole else ()
    excerpts = (changed(*polls.before_and_after(here.view, proposal, each)) for each in changes)
    return OpenVote(
        link=Link(_called(proposal), here.url(proposal_path(proposal))),
        intent=polls.intent(here, proposal),
        excerpt=next(filter(None, excerpts), Html("")),
        until=due_time(here, due) if due is not None else Html(""),
        choices=polls.choices(here.view, proposal),
        told=polls.told(here.view, proposal),
        missing=people(here, missing_votes(proposal)),
    )


def _called(proposal: Proposal) -> str:
    """Return how a proposal is called with its title, as "Proposal 312: Votes"."""
    return f"{polls.name_of(proposal)}: {shortened(str(proposal.get('title') or 'untitled'), 120)}"


def newest(here: Here) -> Newest | None:
    """Return what changed in the law last, None where nothing did since the founding."""
    known = moments(here.view)
    if not known or (moment := known[-1]).seq <= 1:
        return None
    uid, before, after = min(moment.changes, key=lambda each: each[1].get("text") == each[2].get("text"))
    more = len({each[0] for each in moment.changes}) - 1
    rest = [counted(more, "one more rule changed with it", "{count} more rules changed with it")] if more else []
    proposal = here.view.proposals.get(str(after.get("cause")))
    figures = polls.score(here.view, proposal, " to ") if proposal else ""
    return Newest(
        rule=Link(here.view.number(uid), here.url(rule_path(uid))),
        words=changed(before, after if before else {**after, "title": ""}),
        title=shortened(str(after.get("title") or before.get("title") or ""), 80),
        by=join(filter(None, [brought(here, after), figures, here.moment(moment.at), *rest]), ", "),
    )


# -- what comes, and what the law holds


def _coming(here: Here) -> Iterator[Coming]:
    """Yield what comes by the clock: the same on one day but once, with the first and the last time of it."""
    known: dict[tuple[Html, str, str], list[Html]] = {}
    for key, timer in timers_to_come(here.view):
        about = here.day(timer["due"]), timer_words(here.view, key, timer), str(timer.get("rule") or "")
        known.setdefault(about, []).append(here.clock(timer["due"]))
    for (day, words, rule), times in known.items():
        by = [" (", here.rule(rule), ")"] if rule else []
        until = [" to ", times[-1]] if strip(times[-1]) != strip(times[0]) else []
        yield Coming(day, join([times[0], *until, ": ", quoted(here, words), *by]))


# -- the rest


def _registers(here: Here) -> Iterator[tuple[str, Html]]:
    """Yield what rules keep of the game itself, as words."""
    declared, shown = here.view.declared("defines.game"), here.view.registers("game", "game").items()
    plain = [pair for pair in shown if pair[1] not in (None, False, "") and not isinstance(pair[1], list | dict)]
    for name, value in plain[:REGISTERS]:
        about = declared.get(name, ("", {}))[1]
        if not about.get("bookkeeping"):
            yield titled(name), here.value(value, str(about.get("type") or ""))


# -- the page in front of all games

FACES, COMPARED = 8, 40
"""Of the example of a change: how many voters it shows, and among how many proposals it is chosen."""
MOST_WINS = 40
"""How many wins the hall of fame tells of, the last first."""
_CHANGED = re.compile(r"<(?:del|ins)>(.*?)</(?:del|ins)>")


class Before(Here, frozen=True):
    """The page in front of a game, seen from which all of the game lies in its folder."""

    def beside(self, path: str) -> str:
        """Return the address of a file of the game."""
        return f"{self.view.slug}/{super().beside(path)}"


class Example(Struct, frozen=True, kw_only=True):
    """How a rule changed: who proposed which words, who voted for it, and what it paid by which rule."""

    proposal: Link
    author: str
    words: Html
    yes: int
    no: int
    voters: tuple[Person, ...]
    rule: Html
    paid: tuple[str, Html] | None


class Champions(Struct, frozen=True):
    """Who won a game: when (Unix seconds), on which day, which season it was, and the page that tells it."""

    at: int
    day: Html
    players: tuple[str, ...]
    game: str
    season: str
    to: str


class Front(Struct, frozen=True, kw_only=True, tag="front"):
    """A game on the page in front of all: its picture, how it stands, its newest words, who leads, and an example."""

    title: str
    slug: str
    crest: Crest
    over: bool
    status: Status
    pitch: str
    vote: OpenVote | None
    newest: Newest | None
    race: Race | None
    to_win: Html
    board: Html
    counts: tuple[str, ...]
    example: Example | None
    wins: tuple[Champions, ...]


def front_of(view: GameView) -> Front:
    """Return what the page in front of all games holds of a game."""
    here, votes, waiting = Before(view, "index.md"), open_votes(view), len(view.unresolved)
    counts = [counted(len(view.present), "{count} player", "{count} players")]
    counts += [counted(len(view.ranked), "{count} rule", "{count} rules")]
    counts += [counted(waiting, "{count} open proposal", "{count} open proposals")] if waiting > 1 else []
    return Front(
        title=shortened(view.title, 80),
        slug=view.slug,
        crest=crest(view),
        over=bool(view.kept(GAME).get("over")),
        status=status_of(here),
        pitch=pitch_of(view),
        vote=open_vote(here, *votes[0], whole=True) if votes else None,
        newest=newest(here),
        race=race_of(here, RACERS),
        to_win=to_win(here)[0],
        board=first_board(here)[1],
        counts=tuple(counts),
        example=_example(here),
        wins=tuple(_champions(here)),
    )


def _champions(here: Here) -> Iterator[Champions]:
    """Yield who won a game, or each time that play went on; of a game that follows another also which season it is."""
    view, known = here.view, seasons(here.view)
    number = (view.document("game").get("follows") or {}).get("season")
    for season in known[: -MOST_WINS - 1 : -1]:
        at = seconds(season.last.get("at")) or 0
        said = [f"season {number}"] * bool(number) + [f"win {season.number}"] * (len(known) > 1)
        winners = tuple(shortened(view.name(each), 60) for each in winners_of(season))
        to = here.url(story_path(season))
        yield Champions(at, here.day(at), winners, shortened(view.title, 80), ", ".join(said), to)


def cards(fronts: Iterable[Front]) -> Html:
    """Return the cards of games as they stand on the page in front of all."""
    known = [*fronts]
    won = sorted((each for front in known for each in front.wins), key=lambda each: -each.at)
    return drawn("cards.html", cards=known, won=won[:MOST_WINS])


def example(fronts: Iterable[Front]) -> Html:
    """Return how a rule changed in one of some games; nothing where none did."""
    found = next((front.example for front in fronts if front.example), None)
    return drawn("example.html", it=found) if found else Html("")


def _example(here: Here) -> Example | None:
    """Return the shortest of the last amendments adopted with ballots that may be seen; None where there was none."""
    found = min(_amendments(here.view), default=None)
    if found is None:
        return None
    _length, name, rule, words = found
    view, proposal = here.view, here.view.proposals[name]
    sides = {who: verdict_of(str(each.get("choice") or "")) for who, each in (proposal.get("ballots") or {}).items()}
    in_favour = [player for player, side in sides.items() if side == "approve"]
    paid = (
        (f"+{line.applied} {of_amount(view, line.currency, line.applied)}", here.rule(line.rule))
        for line in view.index(ledger_at).get(view.resolved_by[name]["seq"], [])
        if line.owner == proposal.get("author") and line.applied > 0 and line.rule
    )
    return Example(
        proposal=Link(f"proposal {proposal.get('number')}", here.url(proposal_path(proposal))),
        author=view.name(str(proposal.get("author"))),
        words=words,
        yes=len(in_favour),
        no=[*sides.values()].count("request_changes"),
        voters=people(here, in_favour[:FACES]),
        rule=here.rule(view.uids.get(rule, rule), f"Rule {rule}"),
        paid=next(paid, None),
    )


def _amendments(view: GameView) -> Iterator[tuple[int, str, str, Html]]:
    """Yield what the last adopted proposals changed: how much, the proposal, the number of the rule, the words."""
    known = ((name, each) for name, each in view.proposals.items() if name in view.resolved_by and view.displays(name)
             and each.get("ballots") and each.get("author") in view.players and not each.get("taken_over")
             and makes_law(each.get("outcome"), view.outcomes))  # fmt: skip
    for name, proposal in islice(known, COMPARED):
        for change in proposal.get("changes") or ():
            words = changed(*polls.before_and_after(view, proposal, change))
            if polls.kind_of_change(change) == "amend" and "<del>" in words and "<ins>" in words:
                yield len("".join(_CHANGED.findall(words))), name, str(change.get("rule")), words
                break
