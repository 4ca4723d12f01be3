"""The end of a season: who won and by what, the story in ten moments, how the points came, figures, the rules made.

A season ends with an entry in which somebody wins, whether that ends the game or play goes on. Its moments are chosen
from the record by kind, each in an entry that no kind before it took, until there are ten, and stand in order of time:
the beginning; the win, which is always the last; the first new rule; a board that a new rule shows; the first proposal
that became law though one voter alone was against it; the first defeat, if possible one with reasons; the first tie at
the top; the last change of the leader; the largest gain of a player in one entry; the last change of the law; the
repeal of the rule that held longest; the closest vote; the one that took longest; and the rule that was changed most.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from heapq import nsmallest
from itertools import groupby, islice
from operator import attrgetter

from msgspec import Struct

from folkmoot.core.calendar import DAY, HOUR, MINUTE
from folkmoot.core.documents import Proposal
from folkmoot.core.event_names import makes_law
from folkmoot.core.keys import GAME
from folkmoot.game import rulesets
from folkmoot.game.status import next_name
from folkmoot.kernel.ballot_words import verdict_of
from folkmoot.site.cards import Card, card_of
from folkmoot.site.chart import Chart
from folkmoot.site.page_data import Link, PageData, Person, person
from folkmoot.site.page_model import Sheet
from folkmoot.site.pages.now import first_board
from folkmoot.site.pages.players import careers
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

CHOICE = 4
"""How many moments of a kind there are to choose from, where others took the entries of the best."""
MOMENTS = 10
RACERS, MOST_SEASONS, MOST_RULES, MOST_REASONS, TITLE, REASON, TEXT = 8, 12, 40, 2, 60, 160, 170


class Picture(Struct, frozen=True):
    """What is seen beside a moment: a race, a rule with its changed words, what was said, or a board."""

    race: Race | None = None
    rule: Link | None = None
    words: Html = Html("")
    reasons: tuple[tuple[Person, Html], ...] = ()
    board: Html = Html("")


class Scene(Struct, frozen=True):
    """A moment of the story, its day and its entry."""

    title: str
    words: Html
    day: Html
    entry: Html
    picture: Picture | None


class NewRule(Struct, frozen=True):
    """A rule that was made in the season and holds."""

    rule: Link
    title: str
    by: Html
    begins: str


class Story(PageData, frozen=True, kw_only=True, tag="story"):
    """How a season went.

    `next` is the command that goes on with the rules that are `left` at the end of the game, `again` one that begins
    with those of old; both are "" while play goes on. `before` is the game of which this one is the next season, and
    `card` where the picture to share lies.
    """

    when: Html
    over: bool
    how: Html
    again: str
    left: int
    next: str
    before: Link | None
    picture: str
    awards: tuple[tuple[str, Html], ...]
    standing: Race | None
    scenes: tuple[Scene, ...]
    chart: Chart | None
    figures: tuple[tuple[str, Html], ...]
    rules: tuple[NewRule, ...]
    seasons: tuple[Link, ...]


def season_cards(view: GameView) -> dict[str, Card]:
    """Return the picture of the end of each of the last seasons, to be shared, by its path."""
    return {card_path(season): _card(_story(season, view), view) for season in seasons(view)[-MOST_SEASONS:]}


def card_path(season: Season) -> str:
    """Return where the picture of a season's end lies."""
    return story_path(season).replace(".md", ".png")


def _card(story: Story, view: GameView) -> Card:
    figures = (f"{name}: {strip(said)}" for name, said in story.figures[:2])
    below = " · ".join([strip(story.when), f"{len(story.scenes)} moments", *figures])
    return card_of(view.title, story.title, story.standing, below)


def story_pages(view: GameView) -> Iterator[Sheet]:
    """Return the page of each of the last seasons."""
    for season in seasons(view)[-MOST_SEASONS:]:
        yield Sheet(story_path(season), partial(_story, season))


def _story(season: Season, view: GameView) -> Story:
    here, at = Here(view, story_path(season)), seconds(season.last.get("at"))
    winners, course = winners_of(season), _Course(view, season)
    won = won_by(here, winners)
    over = bool(view.kept(GAME).get("over")) and season.end == max(view.index(wins))
    told = ranking(view)[0][0] if view.currencies else ""
    ruleset = str(view.document("game").get("ruleset") or "")
    following = f"moot new {next_name(view.slug)} --from {view.slug}"
    others = [each for each in seasons(view)[-MOST_SEASONS:] if each.number != season.number]
    return Story(
        path=here.path,
        title=strip(won),
        part="history",
        at=newest_story(view),
        summary=" ".join([strip(won), *_ended(course), "The story in moments."]),
        searchable=True,
        when=here.moment(at),
        over=over,
        how=_how(here, season, course),
        again=f"{following} --ruleset {ruleset}" if over and ruleset in rulesets.names() else "",
        left=len(view.ranked) if over else 0,
        next=following if over else "",
        before=_before(here),
        card=card_path(season),
        picture=here.beside(card_path(season)),
        awards=tuple(_awards(here, season)),
        standing=race_of(here, RACERS, course.final) if course.moved else None,
        scenes=tuple(_scenes(here, season, course)),
        chart=chart_of(here, told, [*course.final][:LINES]) if told and over else None,
        figures=tuple(_figures(here, season, at or 0)),
        rules=tuple(_rules(here, season)),
        seasons=tuple(Link(f"Season {each.number}", here.url(story_path(each))) for each in others),
    )


def _ended(course: _Course) -> Iterator[str]:
    """Yield how players stood at the end, as a link to the page says it in chats."""
    if course.moved:
        stood = (f"{shortened(course.view.name(who), 30)} {amount}" for who, amount in course.final.items())
        yield f"{', '.join(islice(stood, RACERS))}."


def won_by(here: Here, winners: Sequence[str]) -> Html:
    """Return the sentence of who won."""
    if len(winners) > 1 and {*winners} >= {*here.view.present}:
        everybody = "Both players" if len(winners) == 2 else f"All {in_words(len(winners))} players"
        return escape(f"{everybody} won together.")
    return sentence("{players} won.", players=named(here, winners))


def _before(here: Here) -> Link | None:
    """Return the game of which this one is the next season, in which that is said, None where it is the first."""
    follows = here.view.document("game").get("follows")
    if not follows:
        return None
    return Link(f"season {follows['season']}, after {follows['game']}", f"../../{follows['game']}/index.html")


def _how(here: Here, season: Season, course: _Course) -> Html:
    """Return with how much, in which turn, and why somebody won, with the rule that says so."""
    amounts = {course.final.get(winner) for winner in winners_of(season)}
    known = turns(here.view)
    turn = known[turn_of(known, season.end) - 1].number if known and turn_of(known, season.end) else 0
    parts: list[str] = []
    if course.moved and len(amounts) == 1 and (amount := amounts.pop()) is not None:
        parts.append(_amount(here, amount))
    if turn:
        parts.append(f"in turn {turn}")
    what = next(each for each in season.last["effects"] if each["effect"] == "win")
    why = quoted(here, str(what["why"]).rstrip(".")) if what.get("why") else Html("")
    rule = here.rule(what.get("rule"))
    by = join([why, sentence(" ({rule})", rule=rule) if why else sentence("by {rule}", rule=rule)]) if rule else why
    said = join([join(parts, ", "), ": " if parts and by else "", by])
    return join([Html(said[:1].upper() + said[1:]), "."]) if said else said


def _amount(here: Here, amount: int) -> str:
    """Return an amount of the currency that players rank by."""
    return f"{in_words(amount)} {of_amount(here.view, ranking(here.view)[0][0], amount)}"


# -- how players stood


class _Course:
    """How the players stood over a season: `final` at its end, and the moments at which that changed much."""

    def __init__(self, view: GameView, season: Season) -> None:
        self.view, self.moved = view, False
        self.ties: list[tuple[int, list[str], dict[str, int]]] = []
        self.changes: deque[tuple[int, str, str, dict[str, int]]] = deque(maxlen=CHOICE)
        self.gains: list[tuple[int, Line, int, dict[str, int]]] = []
        name, leader = ranking(view)[0][0] if view.currencies else "", ""
        lines = [*_lines(view, name, season)]
        begun = {line.owner: line.before for line in reversed(lines)}
        begun |= {line.owner: line.balance for line in lines if line.seq <= season.start}
        self.amounts = {player: begun.get(player, _held(view, player, name)) for player in view.players}
        self.first = self.final = self._present(seconds(season.first.get("at")) or 0)
        for seq, several in groupby((line for line in lines if line.seq > season.start), key=attrgetter("seq")):
            before, of_entry = _ahead(self.final), [*several]
            leader = before[0] if len(before) == 1 else leader
            self.amounts |= {line.owner: line.balance for line in of_entry if line.owner in self.amounts}
            self.final = self._present(of_entry[0].at or 0)
            self._note(seq, of_entry, before, leader)
        self.final = self._present(seconds(season.last.get("at")) or 0)

    def _present(self, at: int) -> dict[str, int]:
        """Return what each player had who played at a time, who had most first."""
        there = {player: self.amounts[player] for player, about in self.view.players.items()
                 if (seconds(about.get("since")) or 0) <= at <= (seconds(about.get("until")) or at)}  # fmt: skip
        return dict(sorted(there.items(), key=lambda pair: -pair[1]))

    def _note(self, seq: int, lines: Sequence[Line], before: Sequence[str], leader: str) -> None:
        """Note what is worth telling of an entry; `leader` is who led alone last."""
        self.moved, ahead = True, _ahead(self.final)
        shared = 1 < len(ahead) < len(self.final) and self.final[ahead[0]] > 0 and {*ahead} != {*before}
        if shared and len(self.ties) < CHOICE:
            self.ties.append((seq, ahead, self.final))
        if len(ahead) == 1 and leader and ahead[0] != leader:
            self.changes.append((seq, ahead[0], leader, self.final))
        sums = Counter[str]()
        for line in lines:
            sums[line.owner] += line.applied
        paid = {line.owner: line for line in lines if line.owner in self.final and sums[line.owner] > 0}
        gains = [(seq, line, sums[owner], self.final) for owner, line in paid.items()]
        self.gains = nsmallest(CHOICE, [*self.gains, *gains], key=lambda gain: -gain[2])


def _ahead(held: Mapping[str, int]) -> list[str]:
    most = max(held.values(), default=0)
    return [player for player, amount in held.items() if amount == most]


def _held(view: GameView, player: str, currency: str) -> int:
    held = view.registers("player", player).get(currency)
    return held if isinstance(held, int) else 0


def _lines(view: GameView, currency: str, season: Season) -> Iterator[Line]:
    """Yield the changes of a currency up to the end of a season: of its last entry those before somebody won."""
    for line in view.ledger:
        if line.currency == currency and line.seq < season.end:
            yield line
    effects = season.last.get("effects") or ()
    place = next(n for n, what in enumerate(effects) if what["effect"] == "win")
    yield from (line for line in view.ledger_of([{**season.last, "effects": list(effects[:place])}])
                if line.currency == currency)  # fmt: skip


# -- the story in ten moments


def _scenes(here: Here, season: Season, course: _Course) -> Iterator[Scene]:
    """Yield the moments of a season in order of time, no entry twice, the win last."""
    found: dict[int, Scene] = {}
    for kind in (_beginning(here, season, course), _first_rules(here, season), _boards(here, season),
                 _alone(here, season), _defeats(here, season), _ties(here, course), _changes(here, course),
                 _gains(here, course), _last_laws(here, season), _repeals(here, season), _closest(here, season),
                 _longest(here, season), _most_amended(here, season)):  # fmt: skip
        free = (pair for pair in kind if season.start <= pair[0] < season.end and pair[0] not in found)
        found |= dict(islice(free, 1 if len(found) < MOMENTS - 1 else 0))
    yield from (found[seq] for seq in sorted(found))
    winners = winners_of(season)
    title = strip(sentence("{players} wins" if len(winners) == 1 else "{players} win", players=named(here, winners)))
    yield _scene(here, season.end, title, _how(here, season, course), _race(here, course, course.final))


def _scene(here: Here, seq: int, title: str, words: Html, picture: Picture | None) -> Scene:
    entries = here.view.entries
    at = entries[seq - int(entries[0]["seq"])].get("at")
    return Scene(shortened(title, TITLE), words, here.day(at), here.entry(seq), picture)


def _race(here: Here, course: _Course, held: Mapping[str, int]) -> Picture | None:
    return Picture(race=race_of(here, RACERS, held)) if course.moved else None


def _beginning(here: Here, season: Season, course: _Course) -> Iterator[tuple[int, Scene]]:
    view, players = here.view, [*course.first]
    if season.number > 1:
        title = f"Season {season.number} begins"
        words = sentence("{players} play on.", players=named(here, players))
    else:
        rules = sum(1 for uid in view.law if int((view.wordings(uid) or [{}])[0].get("seq") or 0) <= 1)
        title = f"{in_words(len(players))} players, {in_words(rules)} rules".capitalize()
        words = sentence("{players} begin.", players=named(here, players))
    goal = to_win(here)[0]
    said = join([words, " ", sentence("To win: {goal}.", goal=goal)]) if goal else words
    yield season.start, _scene(here, season.start, title, said, _race(here, course, course.first))


def _made(view: GameView, season: Season) -> list[tuple[int, Change]]:
    """Return the rules that were made in a season, each with the entry that made it."""
    inside = (moment for moment in moments(view) if season.holds(moment.seq))
    return [(moment.seq, change) for moment in inside for change in moment.changes if not change[1]]


def _first_rules(here: Here, season: Season) -> Iterator[tuple[int, Scene]]:
    for seq, change in _made(here.view, season):
        yield seq, _law(here, seq, change, "The first new rule")


def _last_laws(here: Here, season: Season) -> Iterator[tuple[int, Scene]]:
    for moment in reversed(moments(here.view)):
        if season.holds(moment.seq):
            yield moment.seq, _law(here, moment.seq, moment.changes[0], "The last change of the law")


def _boards(here: Here, season: Season) -> Iterator[tuple[int, Scene]]:
    """Yield the board that is drawn small, where a rule of the last season shows it."""
    made = {change[0]: seq for seq, change in reversed(_made(here.view, season))}
    board = first_board(here) if made and season == seasons(here.view)[-1] else None
    for page in here.view.shown:
        if board and page.name == board[0] and page.rule in made:
            rule = here.rule(page.rule, f"Rule {here.view.number(page.rule)}")
            words = sentence("{rule} shows it. This is how it looks now.", rule=rule)
            title = f"A board: {page.title}"
            yield made[page.rule], _scene(here, made[page.rule], title, words, Picture(board=board[1]))


def _law(here: Here, seq: int, change: Change, what: str) -> Scene:
    uid, before, after = change
    proposal = here.view.proposals.get(str(after.get("cause")))
    figures = score(here.view, proposal, " to ") if proposal else ""
    words = join([join(filter(None, (what, brought(here, after), figures)), ", "), "."])
    link = Link(str(after.get("rule") or here.view.number(uid)), here.url(rule_path(uid)))
    title = str(after.get("title") or before.get("title") or f"Rule {link.words}")
    return _scene(here, seq, title, words, Picture(rule=link, words=changed(before, after)))


def _decided(view: GameView, season: Season) -> list[tuple[int, Proposal]]:
    """Return what was voted on in a season, each with the entry that decided it, the oldest first."""
    known = ((int(view.resolved_by[name]["seq"]), proposal) for name, proposal in view.proposals.items()
             if name in view.resolved_by and view.displays(name) and proposal.get("ballots"))  # fmt: skip
    return sorted((pair for pair in known if season.holds(pair[0])), key=lambda pair: pair[0])


def _alone(here: Here, season: Season) -> Iterator[tuple[int, Scene]]:
    """Yield where one voter alone was against what became law."""
    view = here.view
    for seq, proposal in _decided(view, season):
        against = _cast(proposal, "request_changes")
        if len(against) == 1 < len(_cast(proposal, "approve")) and makes_law(proposal["outcome"], view.outcomes):
            title = f"{view.name(against[0])} against the rest"
            words = sentence("{player} alone votes against {proposal}; it is {outcome}, {score}.",
                             player=here.player(against[0]), proposal=here.proposal(proposal["id"]),
                             outcome=str(proposal["outcome"]), score=score(view, proposal, " to "))  # fmt: skip
            yield seq, _scene(here, seq, title, words, _reasons(here, proposal, against))


def _defeats(here: Here, season: Season) -> Iterator[tuple[int, Scene]]:
    """Yield what was voted down, first that of which reasons are known."""
    lost = [(seq, proposal, _reasons(here, proposal, against)) for seq, proposal in _decided(here.view, season)
            if not makes_law(proposal["outcome"], here.view.outcomes)
            and (against := _cast(proposal, "request_changes"))]  # fmt: skip
    for seq, proposal, reasons in sorted(lost, key=lambda each: each[2] is None):
        title = f"{proposal['title'] or titled(proposal['kind'])}: {proposal['outcome']}"
        words = sentence("{proposal} of {author}, {score}.", author=here.player(proposal["author"]),
                         proposal=here.proposal(proposal["id"], name_of(proposal)),
                         score=score(here.view, proposal, " to "))  # fmt: skip
        yield seq, _scene(here, seq, title, words, reasons)


def _repeals(here: Here, season: Season) -> Iterator[tuple[int, Scene]]:
    """Yield the repeals of rules, first that of the one that had held longest."""
    found = [(int(before.get("seq") or 0), moment.seq, (uid, before, after))
             for moment in moments(here.view) if season.holds(moment.seq)
             for uid, before, after in moment.changes if after.get("repealed") and before]  # fmt: skip
    for _since, seq, change in sorted(found, key=lambda each: each[:2]):
        yield seq, _law(here, seq, change, "Repealed")


def _closest(here: Here, season: Season) -> Iterator[tuple[int, Scene]]:
    """Yield votes with both sides, first that in which they were most nearly equal, of such the one of most voters."""
    split = [(seq, proposal, len(_cast(proposal, "approve")), len(_cast(proposal, "request_changes")))
             for seq, proposal in _decided(here.view, season)]  # fmt: skip
    close = [each for each in split if each[2] and each[3]]
    for seq, proposal, yes, no in sorted(close, key=lambda each: (abs(each[2] - each[3]), -each[2] - each[3], each[0])):
        title = "A vote between equals" if yes == no else "By one vote" if abs(yes - no) == 1 else "The closest vote"
        yield seq, _scene(here, seq, title, _outcome(here, proposal), _reasons(here, proposal, [*proposal["ballots"]]))


def _longest(here: Here, season: Season) -> Iterator[tuple[int, Scene]]:
    """Yield what was long before the players, first what was so longest."""
    known = [(int(proposal.get("resolved_at") or 0) - int(proposal.get("submitted_at") or 0), seq, proposal)
             for seq, proposal in _decided(here.view, season)]  # fmt: skip
    for lasted, seq, proposal in sorted(known, key=lambda each: (-each[0], each[1])):
        if long := lasting(lasted):
            words = sentence("It was before the players for {long}. {outcome}", long=long,
                             outcome=_outcome(here, proposal))  # fmt: skip
            yield seq, _scene(here, seq, f"{proposal['title'] or titled(proposal['kind'])}: {strip(long)}", words, None)


def _most_amended(here: Here, season: Season) -> Iterator[tuple[int, Scene]]:
    """Yield the last change of the rules that were changed more than once, first of the one changed most."""
    changes: dict[str, list[tuple[int, Change]]] = {}
    for moment in (moment for moment in moments(here.view) if season.holds(moment.seq)):
        for change in moment.changes:
            if change[1] and not change[2].get("repealed"):
                changes.setdefault(change[0], []).append((moment.seq, change))
    for several in sorted(changes.values(), key=lambda each: (-len(each), each[-1][0])):
        if len(several) > 1:
            yield several[-1][0], _law(here, *several[-1], f"Changed {in_words(len(several))} times")


def _outcome(here: Here, proposal: Proposal) -> Html:
    return sentence("{proposal} of {author} is {outcome}, {score}.", author=here.player(proposal["author"]),
                    proposal=here.proposal(proposal["id"], name_of(proposal)), outcome=str(proposal["outcome"]),
                    score=score(here.view, proposal, " to "))  # fmt: skip


def _cast(proposal: Proposal, verdict: str) -> list[str]:
    """Return who cast a ballot of a verdict themselves."""
    ballots = (proposal.get("ballots") or {}).items()
    return [who for who, ballot in ballots
            if not ballot.get("deemed") and verdict_of(str(ballot.get("choice") or "")) == verdict]  # fmt: skip


def _reasons(here: Here, proposal: Proposal, voters: Sequence[str]) -> Picture | None:
    ballots = proposal.get("ballots") or {}
    said = [(voter, str(ballots[voter].get("reason") or "").strip()) for voter in voters]
    told = tuple((person(here, voter), remark(shortened(reason, REASON))) for voter, reason in said if reason)
    return Picture(reasons=told[:MOST_REASONS]) if told else None


def _ties(here: Here, course: _Course) -> Iterator[tuple[int, Scene]]:
    for seq, ahead, held in course.ties:
        title = f"{in_words(len(ahead)).capitalize()} share the lead"
        amount = _amount(here, held[ahead[0]])
        words = sentence("{players} have {amount} each.", players=named(here, ahead), amount=amount)
        yield seq, _scene(here, seq, title, words, _race(here, course, held))


def _changes(here: Here, course: _Course) -> Iterator[tuple[int, Scene]]:
    for seq, now, before, held in reversed(course.changes):
        title, amount = f"{here.view.name(now)} takes the lead", _amount(here, held[now])
        words = sentence("{player} has {amount}; before, {other} led.", player=here.player(now),
                         amount=amount, other=here.player(before))  # fmt: skip
        yield seq, _scene(here, seq, title, words, _race(here, course, held))


def _gains(here: Here, course: _Course) -> Iterator[tuple[int, Scene]]:
    for seq, line, gained, held in course.gains:
        amount = _amount(here, gained)
        why = join([": ", quoted(here, line.why)]) if line.why else ""
        rule = join([" (", here.rule(line.rule), ")"]) if line.rule else ""
        words = join(
            [sentence("{player} gets {amount}", player=here.player(line.owner), amount=amount), why, rule, "."]
        )
        yield seq, _scene(here, seq, f"{amount[:1].upper() + amount[1:]} at once", words,
                          _race(here, course, held))  # fmt: skip


# -- figures and rules


def _figures(here: Here, season: Season, end: int) -> Iterator[tuple[str, Html]]:
    view = here.view
    lasted = end - (seconds(season.first.get("at")) or end)
    if long := lasting(lasted):
        yield "It took", long
    played = [turn for turn in turns(view) if season.start <= turn.after < season.end]
    if played:
        yield "Turns", escape(len(played))
    decided = [proposal for name, proposal in view.proposals.items() if (entry := view.resolved_by.get(name))
               and season.holds(int(entry["seq"])) and proposal.get("kind", "proposal") == "proposal"]  # fmt: skip
    if decided:
        yield "Proposals decided", escape(len(decided))
    outcomes = [str(proposal.get("outcome")) for proposal in decided]
    for outcome in dict.fromkeys(outcomes):
        yield titled(outcome), escape(outcomes.count(outcome))
    counts = [sum(_in_force(view, uid, seq) for uid in view.law) for seq in (season.start, season.end)]
    yield "Rules", escape(f"{counts[0]}, then {counts[1]}"
                             if counts[0] != counts[1] else counts[0])  # fmt: skip
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


def _awards(here: Here, season: Season) -> Iterator[tuple[str, Html]]:
    """Yield who did most of something in a season; nothing of which nobody did more than once, or several as much."""
    view, decided = here.view, _decided(here.view, season)
    adopted = [proposal for _seq, proposal in decided if makes_law(proposal["outcome"], view.outcomes)]
    against = [who for _seq, proposal in decided for who in _cast(proposal, "request_changes")]
    reasons = [who for _seq, proposal in decided for who, ballot in proposal["ballots"].items() if ballot.get("reason")]
    lost = [str(each["author"]) for _seq, each in decided if not makes_law(each["outcome"], view.outcomes)]
    counts = (
        ("Lawmaker", "{count} proposals adopted", Counter(str(each["author"]) for each in adopted)),
        ("Dissenter", "{count} votes against", Counter(against)),
        ("Orator", "{count} reasons given", Counter(reasons)),
        ("Undaunted", "{count} proposals lost", Counter(lost)),
        ("Longest pen", "{count} words of law", _words_of_law(view, season)),
    )
    for title, what, count in counts:
        first, second = [*count.most_common(2), ("", 0), ("", 0)][:2]
        if first[1] > max(1, second[1]) and first[0] in view.players:
            yield title, join([here.player(first[0]), sentence(": " + what, count=first[1])])


def _words_of_law(view: GameView, season: Season) -> Counter[str]:
    """Return how many words of rules in force each player brought about in a season."""
    found = Counter[str]()
    for seq, (uid, _before, after) in _made(view, season):
        proposal = view.proposals.get(str(after.get("cause")))
        author = proposal["author"] if proposal else None
        if author and seq <= season.end and _in_force(view, uid, season.end):
            found[str(author)] += len(str(after.get("text") or "").split())
    return found


def _in_force(view: GameView, uid: str, seq: int) -> bool:
    """Whether a rule held after an entry."""
    held = [revision for revision in view.revisions(uid) if int(revision.get("seq") or 0) <= seq]
    return bool(held) and not held[-1].get("repealed")


def _rules(here: Here, season: Season) -> Iterator[NewRule]:
    """Yield the rules that were made in a season and held at its end."""
    view = here.view
    made = [uid for uid in view.law for first in view.wordings(uid)[:1]
            if season.holds(int(first.get("seq") or 0)) and _in_force(view, uid, season.end)]  # fmt: skip
    for uid in made[:MOST_RULES]:
        first, now = view.wordings(uid)[0], view.rule(uid)
        title, begins = str(now.get("title") or "untitled"), shortened(str(now.get("text") or ""), TEXT)
        yield NewRule(Link(view.number(uid), here.url(rule_path(uid))), title, brought(here, first), begins)
