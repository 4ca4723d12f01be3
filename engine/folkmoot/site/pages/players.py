"""The pages of players: all of them, and each: what they must do, how they stand, what they proposed, how they vote."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from msgspec import Struct

from folkmoot.core.documents import Document, Proposal
from folkmoot.core.keys import GAME
from folkmoot.core.proposal_numbers import handle
from folkmoot.core.records import Entry
from folkmoot.core.rule_blocks import KindSpec
from folkmoot.game.agenda import KeyedDuty, duties_in
from folkmoot.kernel.names import shown_login
from folkmoot.site.careers import COMPARED, Career, careers
from folkmoot.site.chart import Chart, minus
from folkmoot.site.page_data import Link, PageData, Person, person
from folkmoot.site.page_model import Sheet
from folkmoot.site.pages.events import Day, days_of
from folkmoot.site.pages.status import Coming, owed
from folkmoot.site.polls import Badge, badge
from folkmoot.site.proposed_changes import changes_of
from folkmoot.site.rule_marks import when
from folkmoot.site.standing import (
    LedgerLine,
    Racer,
    amounts_of,
    chart_of,
    currency_name,
    in_words,
    ledger,
    one_currency,
)
from folkmoot.wording.game_view import GameView
from folkmoot.wording.indices import growing, indexed, lines_of, of_proposals
from folkmoot.wording.markup import Html, el, escape, join, sentence
from folkmoot.wording.page_links import Here, anchor_name, humane, player_path, proposal_path, titled
from folkmoot.wording.prose import phrase
from folkmoot.wording.translation import _

MOST_CHANGES = 3
PROPOSED, LINES, THINGS, DUTIES, EVENTS, ALIKE, CURRENCIES = 30, 50, 100, 12, 12, 12, 3
"""How much of each kind stands on the page of a player, and how many currencies in the list of all."""
KNOWN = ("name", "surname", "handles", "since", "until", "dated", "keys", "earlier", "email")
"""What of the roster is shown in its own way, or, as addresses, not at all."""
PATH = "players/index.md"


class Row(Struct, frozen=True):
    """A player in the list of all: offices, amounts, how long they play, how much they owe."""

    who: Person
    offices: str
    amounts: tuple[str, ...]
    since: Html
    owes: int


class Left(Struct, frozen=True):
    """Somebody who has left, from when until when they played."""

    who: Person
    since: Html
    until: Html


class Players(PageData, frozen=True, kw_only=True, tag="players"):
    """Who plays, and who has left."""

    currencies: tuple[str, ...]
    rows: tuple[Row, ...]
    trust: str
    left: tuple[Left, ...]


class Proposed(Struct, frozen=True):
    """What a player proposed: what it changes and the day, what came of it."""

    link: Link
    what: Html
    badge: Badge


class Thing(Struct, frozen=True):
    """Something that a player has: its name, its kind, its registers."""

    name: Html
    kind: str
    state: Html


class Player(PageData, frozen=True, kw_only=True, tag="player"):
    """A player, as the others want to know them."""

    who: Person
    about: tuple[Html, ...]
    left: Html
    duties: tuple[Coming, ...]
    calendar: str
    currency: str
    chart: Chart | None
    ledger: tuple[LedgerLine, ...]
    one_currency: str
    all_lines: Link | None
    proposals: tuple[Proposed, ...]
    more_proposals: int
    facts: tuple[tuple[str, Html], ...]
    alike: tuple[Racer, ...]
    compared: str
    things: tuple[Thing, ...]
    kept: tuple[tuple[str, Html], ...]
    days: tuple[Day, ...]


def player_pages(view: GameView) -> Iterator[Sheet]:
    """Return the list of players and a page for everybody in it."""
    yield Sheet(PATH, _players)
    for player in view.players:
        yield Sheet(player_path(player), partial(player_page, player))


def _players(view: GameView) -> Players:
    here, names = Here(view, PATH), view.told_currencies[:CURRENCIES]
    amounts = [amounts_of(view, name) for name in names]
    order = [*amounts[0]] if amounts else view.present
    offices, duties = view.index(offices_of), view.index(duties_of)
    rows = (
        Row(
            who=person(here, player),
            offices=", ".join(map(titled, offices.get(player, ()))),
            amounts=tuple(minus(each[player]) for each in amounts),
            since=_stay(here, view.players[player], "since"),
            owes=len(duties.get(player, ())),
        )
        for player in order
    )
    left = (Left(person(here, player), _stay(here, entry, "since"), _stay(here, entry, "until"))
            for player, entry in view.players.items() if entry.get("until") is not None)  # fmt: skip
    return Players(
        path=PATH,
        title=_("Players"),
        part="players",
        summary=_("Who plays {game}", game=view.title),
        currencies=tuple(currency_name(view, name) for name in names),
        rows=tuple(rows),
        trust=_trust(view) if view.kept(GAME).get("forge") else "",
        left=tuple(left),
    )


def _stay(here: Here, entry: Document, part: str) -> Html:
    """Return when somebody came or left, as exactly as that is known."""
    dated = entry.get("dated")
    said = dated.get(part) if isinstance(dated, dict) else None
    return when(here, entry.get(part), said) if said else here.day(entry.get(part))


def _trust(view: GameView) -> str:
    """Return how it is known from whom an act comes."""
    signing = [view.name(player) for player in view.present if _keys(view.players[player])]
    if not signing:
        return _(
            "What arrives is believed to come from whom it names: nobody here signs, and this group trusts itself."
        )
    named = ", ".join(signing)
    said = _("What comes from {players} counts only if it is signed with a key that they have named.", players=named)
    return f"{said} {_('The others trust each other.')}" if len(signing) < len(view.present) else said


def _keys(entry: Document) -> list[str]:
    """Return the keys of a player that are valid now."""
    return [str(key["key"]) for key in entry.get("keys") or () if key.get("until") is None]


def player_page(player: str, view: GameView) -> Player:
    """Return the page of a player."""
    here, entry = Here(view, player_path(player)), view.players[player]
    present, names = player in view.present, view.told_currencies
    lines = view.index(lines_of).get(player, [])
    written = view.index(written_by).get(player, [])
    career = view.index(careers).get(player) or Career()
    return Player(
        path=here.path,
        title=view.name(player),
        part="players",
        at=PATH,
        summary=_("{player} in {game}", player=view.name(player), game=view.title),
        searchable=True,
        who=person(here, player),
        about=tuple(_about(here, player, entry)),
        left=sentence("Left the game on {day}.", day=_stay(here, entry, "until")) if not present else Html(""),
        duties=tuple(owed(here, player, DUTIES)),
        calendar=here.beside(here.path.removesuffix(".md") + ".ics") if present else "",
        currency=currency_name(view, names[0]) if names else "",
        chart=_chart(here, player, names[0]) if names else None,
        ledger=ledger(here, lines[-LINES:]),
        one_currency=one_currency(view, lines[-LINES:]),
        all_lines=Link(_("All of it"), here.url("scores/index.md", "ledger")) if len(lines) > LINES else None,
        proposals=tuple(_proposed(here, view.proposals[name]) for name in written[:PROPOSED]),
        more_proposals=max(0, len(written) - PROPOSED),
        facts=tuple(_facts(here, player, career)),
        alike=tuple(_alike(here, career)),
        compared=_("How often both voted the same, of the last {count} votes at most.", count=COMPARED),
        things=tuple(_things(here, player)),
        kept=tuple(_kept(here, player, entry)),
        days=days_of(here, view.index(acts_of).get(player, [])[-EVENTS:][::-1], EVENTS),
    )


def _about(here: Here, player: str, entry: Document) -> Iterator[Html]:
    """Yield what one asks first: since when, in which offices, known elsewhere as whom."""
    yield sentence("playing since {day}", day=_stay(here, entry, "since"))
    for name in here.view.index(offices_of).get(player, ()):
        office = here.link(titled(name), "offices.md", anchor_name("office", name))
        since = here.view.document("things/office")[name].get("since")
        yield sentence("{office} since {day}", office=office, day=here.day(since)) if since else office
    yield from accounts(here, player, entry)


def accounts(here: Here, player: str, entry: Document) -> Iterator[Html]:
    """Yield by which accounts of forges somebody is known."""
    for forge, who in (entry.get("handles") or {}).items():
        login = shown_login(player, who, here.view.outlines)
        yield sentence("{login} on {forge}", login=phrase(login), forge=phrase(str(forge)))


def _chart(here: Here, player: str, currency: str) -> Chart | None:
    """Return a player's line and that of who leads."""
    leader = next(iter(amounts_of(here.view, currency)), player)
    return chart_of(here, currency, [*dict.fromkeys((leader, player))], to_now=False)


def _facts(here: Here, player: str, career: Career) -> Iterator[tuple[str, Html]]:
    """Yield how a player stands: amounts, and how they voted."""
    view = here.view
    held = view.registers("player", player)
    for name in view.told_currencies:
        amount = held.get(name)
        place = _place(view, player, name) if name == view.told_currencies[0] else ""
        yield currency_name(view, name), join([el("b", minus(amount if isinstance(amount, int) else 0)), place])
    if career.proposed:
        yield _("Proposals that became law"), escape(_of(career.adopted, career.proposed))
    if career.asked:
        yield _("Votes cast"), escape(_of(career.voted, career.asked))
    if career.seen:
        yield _("On the side that prevailed"), escape(_of(career.prevailed, career.seen))


def _place(view: GameView, player: str, currency: str) -> str:
    amounts = amounts_of(view, currency)
    if player not in amounts or len(amounts) < 2:
        return ""
    ahead = sum(amount > amounts[player] for amount in amounts.values())
    of = in_words(len(amounts))
    if ahead < len(_PLACES):
        return _(", {place} of {count}", place=_(_PLACES[ahead]), count=of)
    return ""


_PLACES = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()


def _of(part: int, whole: int) -> str:
    return _("{part} of {whole}", part=part, whole=whole)


def _alike(here: Here, career: Career) -> Iterator[Racer]:
    """Yield with whom a player voted alike, who did so most first."""
    ranked = sorted(career.alike.items(), key=lambda pair: (-pair[1][1] / pair[1][0], -pair[1][0], pair[0]))
    for other, (both, alike) in ranked[:ALIKE]:
        yield Racer(person(here, other), alike, 100 * alike // both)


def _proposed(here: Here, proposal: Proposal) -> Proposed:
    called = phrase(f"{handle(proposal)} {proposal.get('title') or ''}".strip())
    several = changes_of(here, proposal)
    what = [*several[:MOST_CHANGES], *([escape("…")] if len(several) > MOST_CHANGES else [])]
    day = here.day(proposal.get("resolved_at") or proposal.get("submitted_at"))
    return Proposed(
        link=Link(called, here.url(proposal_path(proposal))),
        what=join([*what, day], ", "),
        badge=badge(here, proposal, figures=True),
    )


def _things(here: Here, player: str) -> Iterator[Thing]:
    kinds = here.view.declared_kinds()
    for name, kind, registers in here.view.index(things_of).get(player, ())[:THINGS]:
        yield Thing(phrase(name), humane(kind), _registers(here, kinds.get(kind, {}), registers))


def _registers(here: Here, kind: KindSpec, registers: Document) -> Html:
    """Return what a thing holds, each register as its kind declares it."""
    types = {name: str(about.get("type") or "") for name, about in (kind.get("registers") or {}).items()}
    shown = [(name, value) for name, value in registers.items() if name not in ("owner", "holder")]
    return join((join([humane(name), " ", here.value(value, types.get(name, ""))]) for name, value in shown), ", ")


def _kept(here: Here, player: str, entry: Document) -> Iterator[tuple[str, Html]]:
    """Yield the registers that rules keep of a player, and by what they are known."""
    view = here.view
    types = {name: str(d.get("type") or "") for name, (_uid, d) in view.declared("defines.player").items()}
    apart = {*view.told_currencies, *KNOWN}
    for name, value in view.registers("player", player).items():
        if name not in apart:
            called = currency_name(view, name) if name in view.currencies else titled(name)
            yield called, here.value(value, types.get(name, ""))
    for name, value in entry.items():
        if name not in KNOWN:
            yield titled(name), here.value(value)
    if keys := _keys(entry):
        yield _("Signs with"), join([el("code", f"…{key[-12:]}") for key in keys], ", ")
    yield _("Id"), el("code", player)


@indexed
def offices_of(view: GameView) -> dict[str, list[str]]:
    """Return the offices that each player holds."""
    found: dict[str, list[str]] = {}
    for office, held in view.document("things/office").items():
        if holder := held.get("holder") or view.answers.get(f"holder:{office}"):
            found.setdefault(str(holder), []).append(office)
    return found


@growing
def acts_of(_view: GameView, entries: Sequence[Entry]) -> dict[str, list[Entry]]:
    """Return the entries of what each player did."""
    found: dict[str, list[Entry]] = {}
    for entry in entries:
        found.setdefault(str(entry.get("by") or ""), []).append(entry)
    return found


@indexed
def duties_of(view: GameView) -> dict[str, list[KeyedDuty]]:
    """Return what each player owes."""
    found: dict[str, list[KeyedDuty]] = {}
    for duty in duties_in(view.documents):
        found.setdefault(str(duty["player"]), []).append(duty)
    return found


@indexed
def things_of(view: GameView) -> dict[str, list[tuple[str, str, Document]]]:
    """Return what each player owns or holds: its id, kind and registers."""
    found: dict[str, list[tuple[str, str, Document]]] = {}
    for name, (kind, registers) in view.things.items():
        for player in dict.fromkeys((registers.get("owner"), registers.get("holder"))):
            if isinstance(player, str):
                found.setdefault(player, []).append((name, kind, registers))
    return found


@of_proposals(lambda proposal: proposal.get("author"))
def written_by(view: GameView) -> dict[str, list[str]]:
    """Return the ids of what each player proposed, the newest first."""
    found: dict[str, list[str]] = {}
    for name, proposal in view.proposals.items():
        found.setdefault(str(proposal.get("author")), []).append(name)
    return found
