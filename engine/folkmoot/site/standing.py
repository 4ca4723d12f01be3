"""Turns and seasons, and who has how much: a race, how it went, and the ledger with the rule behind every change."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from folkmoot.core.keys import GAME
from folkmoot.core.records import Entry
from folkmoot.game import rulesets
from folkmoot.site.chart import Chart, chart, minus
from folkmoot.site.page_data import Person, colours, person
from folkmoot.site.polls import listed
from folkmoot.wording.catalogue import quoted
from folkmoot.wording.game_view import GameView, Line, lines_of, seconds
from folkmoot.wording.markup import Html, escape, join, sentence, shortened, strip
from folkmoot.wording.page_links import Here, currency_name, in_sentence
from folkmoot.wording.prose import phrase


class Turn(Struct, frozen=True):
    """A turn: its number, whose it is, and the entry behind which it began."""

    number: int
    player: str
    after: int
    at: int


def turns_begun(view: GameView) -> dict[int, Turn]:
    """Return the turns that began, oldest first, by their places from 1; the number of one is its place by default."""
    begun: dict[int, Turn] = {}
    for entry, what in view.effects("put"):
        if what.get("of") == "game" and what.get("name") in ("mover", "turn_no"):
            seq, to = int(entry.get("seq") or 0), what.get("to")
            turn = begun.get(seq, Turn(0, "", seq, seconds(entry.get("at")) or 0))
            if what.get("name") == "mover":
                begun[seq] = replace(turn, player=str(to or ""))
            elif type(to) is int:
                begun[seq] = replace(turn, number=to)
    known = (turn for turn in begun.values() if turn.player)
    return {place: replace(turn, number=turn.number or place) for place, turn in enumerate(known, 1)}


def turns(view: GameView) -> list[Turn]:
    """Return the turns of a game, oldest first; none where rules do not say whose turn it is."""
    return [*view.index(turns_begun).values()]


def turn_of(known: Sequence[Turn], seq: int) -> int:
    """Return how many of some turns had begun before an entry: it belongs to the last of them."""
    return bisect_left(known, seq, key=lambda turn: turn.after)


# -- seasons


class Season(Struct, frozen=True):
    """A season: its number, the entry behind which it began (the founding or a win), and that which ended it.

    `start` and `end` are the numbers of these entries.
    """

    number: int
    first: Entry
    last: Entry
    start: int
    end: int

    def holds(self, seq: int) -> bool:
        """Whether an entry belongs to it."""
        return self.start < seq <= self.end


def wins(view: GameView) -> dict[int, Entry]:
    """Return the entries in which somebody won, by number."""
    return {int(entry["seq"]): entry for entry, _what in view.effects("win")}


def seasons(view: GameView) -> list[Season]:
    """Return the seasons that have ended, the oldest first."""
    pairs = pairwise([*view.entries[:1], *(entry for _seq, entry in sorted(view.index(wins).items()))])
    return [Season(n, first, last, int(first["seq"]), int(last["seq"])) for n, (first, last) in enumerate(pairs, 1)]


def winners_of(season: Season) -> list[str]:
    """Return who won a season, in the order in which the law named them."""
    found = (what for what in season.last.get("effects") or () if what.get("effect") == "win")
    return list(dict.fromkeys(str(who) for what in found for who in what.get("players") or [str(what["of"])]))


def story_path(season: Season) -> str:
    """Return the path of the page of a season."""
    return f"journal/season-{season.number}.md"


def newest_story(view: GameView) -> str:
    """Return the path of the page of the season that ended last, "" where none has."""
    found = seasons(view)
    return story_path(found[-1]) if found else ""


# -- who has how much

MOST_POINTS = 256  # of a line: one for every second pixel
RACERS, LINES = 30, 8
"""How many players a race shows, and how many lines a chart."""
_WORDS = "none one two three four five six seven eight nine ten eleven twelve".split()
_RULE = re.compile(r",? by rule (\S+)$")
_NUMBER = re.compile(r"\s*(\d{1,9})\b", re.ASCII)


class Racer(Struct, frozen=True):
    """A player in a race: how much they have, and how far that is of the way in percent."""

    who: Person
    amount: int
    part: int


class Race(Struct, frozen=True):
    """Who has how much of a currency; `goal` is what wins, 0 where nothing is known of that."""

    currency: str
    goal: int
    racers: tuple[Racer, ...]
    more: int


class LedgerLine(Struct, frozen=True):
    """A change of what somebody or something has: whose, how much of what, why, by which rule, on which day.

    `asked` is the amount before rules adjusted it, where they did.
    """

    who: Person | None
    owner: Html
    currency: str
    applied: int
    asked: int | None
    why: Html
    rule: Html
    day: Html
    balance: int


def in_words(count: int) -> str:
    """Return a number as a sentence says it: up to twelve in words.

    >>> in_words(1), in_words(13)
    ('one', '13')
    """
    return _WORDS[count] if 0 <= count < len(_WORDS) else minus(count)


def to_win(here: Here) -> tuple[Html, int]:
    """Return what wins, in words, and the number that it begins with, if it does.

    What the ruleset says of it holds as long as the rule that it names is as it was at the founding.
    """
    view, said = here.view, here.view.answers.get("to_win")
    if isinstance(said, str) and said.strip():
        shown = phrase(shortened(said, 60))
    else:
        game = view.document("game")
        said = str(game["to_win"] if "to_win" in game else of_ruleset(view, "to_win"))
        rule = _RULE.search(said)
        shown = phrase(said[: rule.start()] if rule else said) if said else Html("")
        if rule:
            uid = view.uids.get(rule[1], "")
            if uid not in view.ranked or (view.law[uid].get("seq") or 0) > 1:
                return Html(""), 0
            shown = here.rule(rule[1], shown)
    number = _NUMBER.match(said)
    return shown, int(number[1]) if number else 0


def ranking(view: GameView) -> tuple[list[str], int]:
    """Return the currencies by which players rank, first the one of which an amount wins, and that amount, else 0."""
    words, goal = to_win(Here(view, "index.md"))
    unit = strip(words).partition(" ")[2].partition(" ")[0].lower().rstrip("s")
    abouts = {name: f"{name} {view.currencies[name].get('summary') or ''}".lower() for name in view.told_currencies}
    names = sorted(abouts, key=lambda name: not goal or unit not in abouts[name])
    return names, goal if names and unit in abouts[names[0]] else 0


def of_ruleset(view: GameView, part: str) -> str:
    """Return what the packaged ruleset of a game says of it, of one that was founded before it was recorded."""
    return str(rulesets.head_of(str(view.document("game").get("ruleset") or "")).get(part, ""))


def amounts_of(view: GameView, currency: str) -> dict[str, int]:
    """Return how much of a currency each present player has, who has most first."""
    held = {player: view.registers("player", player).get(currency) for player in view.present}
    known = {player: amount if isinstance(amount, int) else 0 for player, amount in held.items()}
    return dict(sorted(known.items(), key=lambda pair: -pair[1]))


def race_of(here: Here, most: int = RACERS, held: Mapping[str, int] | None = None) -> Race | None:
    """Return how the players stand, or what they `held`, in the first currency that they rank by; None without one."""
    view = here.view
    if not view.currencies or not (held or view.present):
        return None
    (name, *_others), goal = ranking(view)
    amounts = held or amounts_of(view, name)
    whole = goal or max(amounts.values())
    racers = (Racer(person(here, player), amount, min(100, max(0, 100 * amount // whole)) if whole > 0 else 0)
              for player, amount in [*amounts.items()][:most])  # fmt: skip
    return Race(currency_name(view, name), goal, tuple(racers), max(0, len(amounts) - most))


def leader(here: Here) -> Html:
    """Return who won or leads, how far from winning, and how closely, in a sentence."""
    if not here.view.currencies:
        return escape("No rule in force knows of points or any other currency.")
    if not here.view.present:
        return escape("Nobody plays.")
    (currency, *_others), goal = ranking(here.view)
    amounts = amounts_of(here.view, currency)
    most = max(amounts.values())
    if most == 0 == min(amounts.values()):
        return sentence("Nobody has any {currency} yet.", currency=in_sentence(currency_name(here.view, currency)))
    ahead = [player for player, amount in amounts.items() if amount == most]
    over = here.view.kept(GAME).get("over")
    won = [*(over.get("winner") or ())] if over else []
    of = sentence(" of the {goal} that win", goal=goal) if goal and not won else ""
    if won == ahead:
        return sentence("{players} won with {amount}.", players=here.players(won), amount=minus(most))
    said = _leads(here, amounts, ahead, join([minus(most), of]))
    return join([sentence("{players} won.", players=here.players(won)), " ", said]) if won else said


def _leads(here: Here, amounts: Mapping[str, int], ahead: Sequence[str], amount: Html) -> Html:
    """Return who is ahead with how much, and by how much more than who comes next."""
    people = [*map(here.player, ahead)] if len(ahead) < 4 else [f"{in_words(len(ahead)).capitalize()} players"]
    if len(ahead) == len(amounts) > 1:
        return sentence("All have {amount}.", amount=amount)
    if len(ahead) > 1:
        return sentence("{players} lead together with {amount}.", players=listed(people), amount=amount)
    closely, others = Html(""), [*amounts.items()][1:]
    if others:
        after = [player for player, each in others if each == others[0][1]]
        closely = sentence(", {count} more than {player}", count=in_words(amounts[ahead[0]] - others[0][1]),
                           player=here.player(after[0]) if len(after) == 1 else "anybody else")  # fmt: skip
    return sentence("{player} leads with {amount}{closely}.", player=people[0], amount=amount, closely=closely)


def ledger(here: Here, lines: Sequence[Line]) -> tuple[LedgerLine, ...]:
    """Return lines of the ledger, the newest first, as pages show them."""
    return tuple(_ledger_line(here, line) for line in reversed(lines))


def _ledger_line(here: Here, line: Line) -> LedgerLine:
    kind = "" if line.kind in ("award", "set", "") else f"{line.kind}: "
    credit = sentence(" (credited to {player})", player=here.player(line.credit)) if line.credit else ""
    known = line.owner in here.view.players
    return LedgerLine(
        who=person(here, line.owner) if known else None,
        owner=Html("") if known else here.owner(line.owner),
        currency=currency_name(here.view, line.currency),
        applied=line.applied,
        asked=line.asked if line.asked != line.applied else None,
        why=join([kind, quoted(here, line.why) if line.why else "", credit]),
        rule=here.rule(line.rule),
        day=here.entry(line.seq, here.day(line.at)),
        balance=line.balance,
    )


# -- how it went


def chart_of(here: Here, currency: str, players: Sequence[str], *, to_now: bool = True) -> Chart | None:
    """Return how much of a currency players had, turn by turn where the game has turns; None where nothing changed.

    Lines go on `to_now`, else up to the last change of any of them; of very many points every so-and-so-many'th stays.
    """
    known = found if len(found := turns(here.view)) > 1 else []
    grown = {who: [*points[:1], *points[: 0 : -(-len(points) // MOST_POINTS) * -1][::-1]]
             for who in players if (points := amounts_over_time(here, who, currency, known))}  # fmt: skip
    if not any(len({amount for _x, amount in points}) > 1 for points in grown.values()):
        return None
    now = (len(known) if known else here.view.now or 0) if to_now else 0
    end = max(now, *(points[-1][0] for points in grown.values()))
    title = "{currency}, turn by turn" if known else "{currency} over time"
    names = {player: shortened(here.view.name(player), 60) for player in grown}

    def turn_named(place: int) -> Html:
        """Return a turn by its number, and when it was over."""
        named = f"turn {known[place - 1].number}" if place else "start"
        return join([named, ", ", here.moment(known[place].at if place < len(known) else here.view.now)])

    return chart(
        {names[player]: [*dict([*points, (end, points[-1][1])]).items()] for player, points in grown.items()},
        title.format(currency=currency_name(here.view, currency)),
        f"chart-{currency}",
        when=turn_named if known else here.moment,
        marks=[(0, "start"), *((n, str(turn.number)) for n, turn in enumerate(known, 1))] if known else (),
        colours={names[player]: colours(here.view).get(player, 7) for player in grown},
    )  # fmt: skip


def amounts_over_time(here: Here, owner: str, currency: str, known: Sequence[Turn] = ()) -> list[tuple[int, int]]:
    """Return what an owner had since they had a currency, at each change: by time (Unix seconds), or by turns."""
    lines = [line for line in here.view.index(lines_of).get(owner, ()) if line.currency == currency]
    start = begins(here, owner, currency)
    points = {line.at: line.balance for line in lines if line.at is not None}
    if known and lines:
        points = {turn_of(known, line.seq): line.balance for line in lines}
        points = {sum(turn.at < start for turn in known): lines[0].before} | points
    elif points and 0 < start < min(points):
        points[start] = lines[0].before
    return sorted(points.items())


def begins(here: Here, owner: str, currency: str) -> int:
    """Return since when an owner has a currency (Unix seconds): since they joined, or a rule in force brought it."""
    view, (uid, _about) = here.view, here.view.declared("defines.currencies").get(currency) or ("", {})
    brought = (seconds(each.get("at")) for each in (view.revisions(uid) if uid else ())
               if currency in ((each.get("defines") or {}).get("currencies") or {}))  # fmt: skip
    joined = seconds(view.players[owner].get("since")) if owner in view.players else 0
    return max(joined or 0, next(brought, 0) or 0, view.kept(GAME).get("founded_at") or 0)
