"""The end of a season: who won and by what, the story in moments, how the points came, figures, the rules made.

A season ends with an entry in which somebody wins, whether that ends the game or play goes on. Its moments are chosen
from the record by kind, each in an entry that no kind before it took, and stand in order of time: the beginning; the
first new rule; a board that a new rule shows; the first proposal that became law though one voter alone was against
it; the first defeat, if possible one with reasons; the first tie at the top; the last change of the leader; the
largest gain of a player in one entry; the last change of the law; and the win.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby, islice
from operator import attrgetter
from typing import Any

from msgspec import Struct

from folkmoot.core.calendar import DAY, HOUR, MINUTE
from folkmoot.core.documents import Proposal
from folkmoot.core.event_names import makes_law
from folkmoot.core.keys import GAME
from folkmoot.game.status import next_name
from folkmoot.kernel.ballot_words import verdict_of
from folkmoot.site.cards import Card, card_of
from folkmoot.site.chart import Chart
from folkmoot.site.page_data import Link, PageData, Person, person
from folkmoot.site.page_model import Sheet
from folkmoot.site.pages.now import first_board
from folkmoot.site.pages.players import careers
from folkmoot.site.pages.rules import Listed, listed_rule
from folkmoot.site.pages.status import named
from folkmoot.site.polls import name_of, score
from folkmoot.site.revisions import Change, brought, changed, moments
from folkmoot.site.standing import (
    LINES,
    Race,
    Season,
    chart_of,
    in_words,
    newest_story,
    race_of,
    ranking,
    seasons,
    story_path,
    to_win,
    turn_of,
    turns,
    winners_of,
    wins,
)
from folkmoot.wording.catalogue import quoted
from folkmoot.wording.game_view import GameView, Line, seconds
from folkmoot.wording.markup import Html, counted, escape, join, sentence, shortened, strip
from folkmoot.wording.page_links import Here, of_amount, rule_path, titled
from folkmoot.wording.prose import remark

RACERS, MOST_SEASONS, MOST_RULES, MOST_REASONS, TITLE, REASON = 8, 12, 40, 2, 60, 160
Held = Mapping[str, int]
"""What each player had, who had most first."""


class Scene(Struct, frozen=True):
    """A moment with its day and entry, and a picture of it: a race, a rule as it changed, reasons, or a board."""

    title: str
    words: Html
    day: Html
    entry: Html
    race: Race | None = None
    rule: Link | None = None
    changed: Html = Html("")
    reasons: tuple[tuple[Person, Html], ...] = ()
    board: Html = Html("")


class Story(PageData, frozen=True, kw_only=True, tag="story"):
    """How a season went.

    `next` is the command that goes on with the rules that are `left` at the end of the game, "" while play goes on;
    `before` is the game of which this one is the next season, and `picture` where the picture to share lies.
    """

    when: Html
    over: bool
    how: Html
    left: int
    next: str
    before: Link | None
    picture: str
    standing: Race | None
    scenes: tuple[Scene, ...]
    chart: Chart | None
    figures: tuple[tuple[str, Html], ...]
    rules: tuple[Listed, ...]
    seasons: tuple[Link, ...]


def season_cards(view: GameView) -> dict[str, Card]:
    """Return the picture of the end of each of the last seasons, to be shared, by its path."""
    found = {}
    for story in (_story(season, view) for season in seasons(view)[-MOST_SEASONS:]):
        figures = (f"{name}: {strip(said)}" for name, said in story.figures[:2])
        below = " · ".join([strip(story.when), f"{len(story.scenes)} moments", *figures])
        found[story.card] = card_of(view.title, story.title, story.standing, below)
    return found


def story_pages(view: GameView) -> Iterator[Sheet]:
    """Return the page of each of the last seasons."""
    for season in seasons(view)[-MOST_SEASONS:]:
        yield Sheet(story_path(season), partial(_story, season))


def _story(season: Season, view: GameView) -> Story:
    here, at = Here(view, story_path(season)), seconds(season.last.get("at"))
    telling, follows = _Telling(here, season), view.document("game").get("follows")
    course, card = telling.course, here.path.replace(".md", ".png")
    won = strip(sentence("{players} won.", players=named(here, winners_of(season))))
    over = bool(view.kept(GAME).get("over")) and season.end == max(view.index(wins))
    told = ranking(view)[0][0] if view.currencies else ""
    stood = ", ".join(f"{shortened(view.name(who), 30)} {amount}" for who, amount in [*course.final.items()][:RACERS])
    others = [each for each in seasons(view)[-MOST_SEASONS:] if each.number != season.number]
    made = [uid for _seq, (uid, _before, _after) in telling.made if _in_force(view, uid, season.end)]
    return Story(
        path=here.path,
        title=won,
        at=newest_story(view),
        summary=" ".join([won, *([f"{stood}."] if course.moved else []), "The story in moments."]),
        searchable=True,
        when=here.moment(at),
        over=over,
        how=telling.how(),
        left=len(view.ranked) if over else 0,
        next=f"moot new {next_name(view.slug)} --from {view.slug}" if over else "",
        before=Link(f"season {follows['season']}, after {follows['game']}", f"../../{follows['game']}/index.html")
        if follows else None,
        card=card,
        picture=here.beside(card),
        standing=race_of(here, RACERS, course.final) if course.moved else None,
        scenes=tuple(telling.scenes()),
        chart=chart_of(here, told, [*course.final][:LINES]) if told and over else None,
        figures=tuple(_figures(here, season, at or 0)),
        rules=tuple(listed_rule(here, uid) for uid in made[:MOST_RULES]),
        seasons=tuple(Link(f"Season {each.number}", here.url(story_path(each))) for each in others),
    )  # fmt: skip


# -- how players stood


class _Course:
    """How the players stood over a season: at its beginning and end, and what is worth telling of the time between.

    `tie` is the first tie at the top, `change` the last change of the leader, `gain` the largest gain in an entry.
    """

    def __init__(self, view: GameView, season: Season) -> None:
        self.view, self.season, self.moved = view, season, False
        self.tie: tuple[int, list[str], Held] | None = None
        self.change: tuple[int, str, str, Held] | None = None
        self.gain: tuple[int, Line, int, Held] | None = None
        name, leader = ranking(view)[0][0] if view.currencies else "", ""
        lines = [*_lines(view, name, season)]
        begun = {line.owner: line.before for line in reversed(lines)}
        begun |= {line.owner: line.balance for line in lines if line.seq <= season.start}
        usual = {player: view.registers("player", player).get(name) for player in view.players}
        self.amounts = {who: begun.get(who, held if isinstance(held, int) else 0) for who, held in usual.items()}
        self.first = self.final = self._present(seconds(season.first.get("at")) or 0)
        for seq, several in groupby((line for line in lines if line.seq > season.start), key=attrgetter("seq")):
            before, of_entry = _ahead(self.final), [*several]
            leader = before[0] if len(before) == 1 else leader
            self.amounts |= {line.owner: line.balance for line in of_entry if line.owner in self.amounts}
            self.moved, self.final = True, self._present(of_entry[0].at or 0)
            if seq < season.end:
                self._note(seq, of_entry, before, leader)
        self.final = self._present(seconds(season.last.get("at")) or 0)

    def _present(self, at: int) -> Held:
        """Return what each player had who played at a time."""
        there = {player: self.amounts[player] for player, about in self.view.players.items()
                 if (seconds(about.get("since")) or 0) <= at <= (seconds(about.get("until")) or at)}  # fmt: skip
        return dict(sorted(there.items(), key=lambda pair: -pair[1]))

    def _note(self, seq: int, lines: Sequence[Line], before: Sequence[str], leader: str) -> None:
        """Note what is worth telling of an entry; `leader` is who led alone last."""
        ahead, sums = _ahead(self.final), Counter[str]()
        if not self.tie and 1 < len(ahead) < len(self.final) and self.final[ahead[0]] > 0 and {*ahead} != {*before}:
            self.tie = (seq, ahead, self.final)
        if len(ahead) == 1 and leader and ahead[0] != leader:
            self.change = (seq, ahead[0], leader, self.final)
        for line in lines:
            sums[line.owner] += line.applied
        for line in {line.owner: line for line in lines if line.owner in self.final}.values():
            if sums[line.owner] > (self.gain[2] if self.gain else 0):
                self.gain = (seq, line, sums[line.owner], self.final)


def _ahead(held: Held) -> list[str]:
    most = max(held.values(), default=0)
    return [player for player, amount in held.items() if amount == most]


def _lines(view: GameView, currency: str, season: Season) -> Iterator[Line]:
    """Yield the changes of a currency up to the end of a season: of its last entry those before somebody won."""
    effects = season.last.get("effects") or ()
    place = next(n for n, what in enumerate(effects) if what["effect"] == "win")
    last = view.ledger_of([{**season.last, "effects": list(effects[:place])}])
    yield from (line for line in view.ledger if line.currency == currency and line.seq < season.end)
    yield from (line for line in last if line.currency == currency)


# -- the story in moments


class _Telling:
    """What is told of a season, and what of the record several of its moments look at."""

    def __init__(self, here: Here, season: Season) -> None:
        view = here.view
        self.here, self.view, self.season, self.course = here, view, season, _Course(view, season)
        inside = (moment for moment in moments(view) if season.holds(moment.seq))
        self.changes = [(moment.seq, change) for moment in inside for change in moment.changes]
        self.made = [pair for pair in self.changes if not pair[1][1]]
        known = ((int(view.resolved_by[name]["seq"]), proposal) for name, proposal in view.proposals.items()
                 if name in view.resolved_by and view.displays(name) and proposal.get("ballots"))  # fmt: skip
        self.decided = sorted((pair for pair in known if season.holds(pair[0])), key=lambda pair: pair[0])

    def how(self) -> Html:
        """Return with how much, in which turn, and why somebody won, with the rule that says so."""
        here, season, known = self.here, self.season, turns(self.view)
        amounts = {self.course.final.get(winner) for winner in winners_of(season)}
        turn = known[turn_of(known, season.end) - 1].number if known and turn_of(known, season.end) else 0
        amount = amounts.pop() if self.course.moved and len(amounts) == 1 else None
        parts = [self._amount(amount)] if amount is not None else []
        parts += [f"in turn {turn}"] if turn else []
        what = next(each for each in season.last["effects"] if each["effect"] == "win")
        why, rule = quoted(here, str(what.get("why") or "").rstrip(".")), here.rule(what.get("rule"))
        why = why if what.get("why") else Html("")
        by = join([why, sentence(" ({rule})" if why else "by {rule}", rule=rule)]) if rule else why
        said = join([join(parts, ", "), ": " if parts and by else "", by])
        return join([Html(said[:1].upper() + said[1:]), "."]) if said else said

    def scenes(self) -> Iterator[Scene]:
        """Yield the moments of a season in order of time, no entry twice, the win last."""
        found: dict[int, Scene] = {}
        for kind in (self._beginning(), self._first_rules(), self._boards(), self._alone(), self._defeats(),
                     self._ties(), self._changes(), self._gains(), self._last_laws()):  # fmt: skip
            free = (pair for pair in kind if self.season.start <= pair[0] < self.season.end and pair[0] not in found)
            found |= dict(islice(free, 1))
        yield from (found[seq] for seq in sorted(found))
        winners = winners_of(self.season)
        title = sentence("{players} wins" if len(winners) == 1 else "{players} win", players=named(self.here, winners))
        yield self._scene(self.season.end, strip(title), self.how(), race=self._race(self.course.final))[1]

    def _scene(self, seq: int, title: str, words: Html, **picture: Any) -> tuple[int, Scene]:
        entries = self.view.entries
        at = entries[seq - int(entries[0]["seq"])].get("at")
        return seq, Scene(shortened(title, TITLE), words, self.here.day(at), self.here.entry(seq), **picture)

    def _amount(self, amount: int) -> str:
        """Return an amount of the currency that players rank by."""
        return f"{in_words(amount)} {of_amount(self.view, ranking(self.view)[0][0], amount)}"

    def _race(self, held: Held) -> Race | None:
        return race_of(self.here, RACERS, held) if self.course.moved else None

    def _beginning(self) -> Iterator[tuple[int, Scene]]:
        view, players = self.view, [*self.course.first]
        title, words = f"Season {self.season.number} begins", "{players} play on."
        if self.season.number == 1:
            rules = sum(1 for uid in view.law if int((view.wordings(uid) or [{}])[0].get("seq") or 0) <= 1)
            title, words = f"{in_words(len(players))} players, {in_words(rules)} rules".capitalize(), "{players} begin."
        goal, said = to_win(self.here)[0], sentence(words, players=named(self.here, players))
        said = join([said, " ", sentence("To win: {goal}.", goal=goal)]) if goal else said
        yield self._scene(self.season.start, title, said, race=self._race(self.course.first))

    def _first_rules(self) -> Iterator[tuple[int, Scene]]:
        return (self._law(seq, change, "The first new rule") for seq, change in self.made)

    def _last_laws(self) -> Iterator[tuple[int, Scene]]:
        last = [pair for pair in self.changes if pair[0] == self.changes[-1][0]][:1]
        return (self._law(seq, change, "The last change of the law") for seq, change in last)

    def _law(self, seq: int, change: Change, what: str) -> tuple[int, Scene]:
        here, (uid, before, after) = self.here, change
        proposal = self.view.proposals.get(str(after.get("cause")))
        figures = score(self.view, proposal, " to ") if proposal else ""
        words = join([join(filter(None, (what, brought(here, after), figures)), ", "), "."])
        link = Link(str(after.get("rule") or self.view.number(uid)), here.url(rule_path(uid)))
        title = str(after.get("title") or before.get("title") or f"Rule {link.words}")
        return self._scene(seq, title, words, rule=link, changed=changed(before, after))

    def _boards(self) -> Iterator[tuple[int, Scene]]:
        """Yield the board that is drawn small, where a rule of the last season shows it."""
        made = {change[0]: seq for seq, change in reversed(self.made)}
        page, board = first_board(self.here) if made and self.season == seasons(self.view)[-1] else (None, Html(""))
        if page and page.rule in made:
            rule = self.here.rule(page.rule, f"Rule {self.view.number(page.rule)}")
            words = sentence("{rule} shows it. This is how it looks now.", rule=rule)
            yield self._scene(made[page.rule], f"A board: {page.title}", words, board=board)

    def _alone(self) -> Iterator[tuple[int, Scene]]:
        """Yield where one voter alone was against what became law."""
        for seq, proposal in self.decided:
            against = _cast(proposal, "request_changes")
            if len(against) == 1 < len(_cast(proposal, "approve")) and self._is_law(proposal):
                said = "{player} alone votes against {proposal}; it is {outcome}, {score}."
                words = sentence(said, player=self.here.player(against[0]), proposal=self.here.proposal(proposal["id"]),
                                 outcome=proposal["outcome"], score=score(self.view, proposal, " to "))  # fmt: skip
                title = f"{self.view.name(against[0])} against the rest"
                yield self._scene(seq, title, words, reasons=self._reasons(proposal, against))

    def _defeats(self) -> Iterator[tuple[int, Scene]]:
        """Yield what was voted down, first that of which reasons are known."""
        lost = [(seq, proposal, self._reasons(proposal, against)) for seq, proposal in self.decided
                if not self._is_law(proposal) and (against := _cast(proposal, "request_changes"))]  # fmt: skip
        for seq, proposal, reasons in sorted(lost, key=lambda each: not each[2]):
            title = f"{proposal['title'] or titled(proposal['kind'])}: {proposal['outcome']}"
            words = sentence("{proposal} of {author}, {score}.", author=self.here.player(proposal["author"]),
                             proposal=self.here.proposal(proposal["id"], name_of(proposal)),
                             score=score(self.view, proposal, " to "))  # fmt: skip
            yield self._scene(seq, title, words, reasons=reasons)

    def _is_law(self, proposal: Proposal) -> bool:
        return makes_law(proposal["outcome"], self.view.outcomes)

    def _reasons(self, proposal: Proposal, voters: Sequence[str]) -> tuple[tuple[Person, Html], ...]:
        ballots = proposal.get("ballots") or {}
        said = [(voter, str(ballots[voter].get("reason") or "").strip()) for voter in voters]
        given = [(person(self.here, who), remark(shortened(reason, REASON))) for who, reason in said if reason]
        return tuple(given[:MOST_REASONS])

    def _ties(self) -> Iterator[tuple[int, Scene]]:
        if self.course.tie:
            seq, ahead, held = self.course.tie
            words = sentence("{players} have {amount} each.", players=named(self.here, ahead),
                             amount=self._amount(held[ahead[0]]))  # fmt: skip
            yield self._scene(seq, f"{in_words(len(ahead)).capitalize()} share the lead", words, race=self._race(held))

    def _changes(self) -> Iterator[tuple[int, Scene]]:
        if self.course.change:
            seq, now, before, held = self.course.change
            words = sentence("{player} has {amount}; before, {other} led.", player=self.here.player(now),
                             amount=self._amount(held[now]), other=self.here.player(before))  # fmt: skip
            yield self._scene(seq, f"{self.view.name(now)} takes the lead", words, race=self._race(held))

    def _gains(self) -> Iterator[tuple[int, Scene]]:
        if self.course.gain:
            seq, line, gained, held = self.course.gain
            amount, who, rule = self._amount(gained), self.here.player(line.owner), self.here.rule(line.rule)
            why = join([": ", quoted(self.here, line.why)]) if line.why else ""
            by = join([" (", rule, ")"]) if line.rule else ""
            words = join([sentence("{player} gets {amount}", player=who, amount=amount), why, by, "."])
            yield self._scene(seq, f"{amount[:1].upper()}{amount[1:]} at once", words, race=self._race(held))


def _cast(proposal: Proposal, verdict: str) -> list[str]:
    """Return who cast a ballot of a verdict themselves."""
    ballots = (proposal.get("ballots") or {}).items()
    return [who for who, ballot in ballots
            if not ballot.get("deemed") and verdict_of(str(ballot.get("choice") or "")) == verdict]  # fmt: skip


# -- figures


def _figures(here: Here, season: Season, end: int) -> Iterator[tuple[str, Html]]:
    view = here.view
    if long := lasting(end - (seconds(season.first.get("at")) or end)):
        yield "It took", long
    if played := [turn for turn in turns(view) if season.start <= turn.after < season.end]:
        yield "Turns", escape(len(played))
    decided = [proposal for name, proposal in view.proposals.items() if (entry := view.resolved_by.get(name))
               and season.holds(int(entry["seq"])) and proposal.get("kind", "proposal") == "proposal"]  # fmt: skip
    if decided:
        yield "Proposals decided", escape(len(decided))
    for outcome, count in Counter(str(proposal.get("outcome")) for proposal in decided).items():
        yield titled(outcome), escape(count)
    before, after = (sum(_in_force(view, uid, seq) for uid in view.law) for seq in (season.start, season.end))
    yield "Rules", escape(f"{before}, then {after}" if before != after else before)
    seen = {who: career for who, career in view.index(careers).items() if career.seen}
    if seen and len(seasons(view)) == 1:
        best = max(career.prevailed / career.seen for career in seen.values())
        best_of = [who for who, career in seen.items() if career.prevailed / career.seen == best]
        of = sentence(", {count} of {all} votes", count=seen[best_of[0]].prevailed, all=seen[best_of[0]].seen)
        yield "Most often on the side that prevailed", join([named(here, best_of), of if len(best_of) == 1 else ""])


def lasting(seconds: int) -> Html:
    """Return a length of time in its largest unit, nothing for less than a minute.

    >>> str(lasting(7_300)), str(lasting(59))
    ('2 hours', '')
    """
    units = (DAY, "{count} day", "{count} days"), (HOUR, "{count} hour", "{count} hours"), (
        MINUTE, "{count} minute", "{count} minutes")  # fmt: skip
    return next((counted(seconds // size, one, many) for size, one, many in units if seconds >= size), Html(""))


def _in_force(view: GameView, uid: str, seq: int) -> bool:
    """Whether a rule held after an entry."""
    held = [revision for revision in view.revisions(uid) if int(revision.get("seq") or 0) <= seq]
    return bool(held) and not held[-1].get("repealed")
