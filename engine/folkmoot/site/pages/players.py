"""The pages of players and of offices: what they must do, how they stand, what they proposed, who holds what."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import islice, permutations

from msgspec import Struct, field

from folkmoot.core.ballot_display import is_displayed
from folkmoot.core.documents import Document, Proposal
from folkmoot.core.event_names import makes_law
from folkmoot.core.keys import GAME
from folkmoot.core.proposal_numbers import handle
from folkmoot.core.records import Entry
from folkmoot.kernel.ballot_words import verdict_of
from folkmoot.kernel.names import shown_login
from folkmoot.site import standing
from folkmoot.site.chart import Chart, minus
from folkmoot.site.page_data import Link, PageData, Person, people, person
from folkmoot.site.page_model import Sheet
from folkmoot.site.pages.history import Days, days_of
from folkmoot.site.pages.status import Coming, owed
from folkmoot.site.polls import Badge, badge, change_told
from folkmoot.site.revisions import since
from folkmoot.site.standing import amounts_of
from folkmoot.wording.catalogue import quoted
from folkmoot.wording.game_view import GameView, lines_of, lists_by_key
from folkmoot.wording.markup import Html, el, escape, join, sentence
from folkmoot.wording.page_links import Here, anchor_name, currency_name, humane, player_path, proposal_path, titled
from folkmoot.wording.prose import phrase, remark

PROPOSED, CHANGES, LINES, THINGS, DUTIES, EVENTS, ALIKE = 30, 3, 50, 100, 12, 12, 12
"""How much of each kind stands on the page of a player."""
CURRENCIES, ALL_DUTIES, COMPARED = 3, 60, 100
"""How many currencies and duties stand on the pages of all, and over how many of the latest votes these are counted."""
KNOWN = ("name", "surname", "handles", "since", "until", "dated", "keys", "earlier", "email")
"""What of the roster is shown in its own way, or, as addresses, not at all."""
PLACES = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()
PATH = "players/index.md"
Facts = tuple[tuple[str, Html], ...]


class Players(PageData, frozen=True, kw_only=True, tag="players"):
    """Who plays (with their amounts, offices, and since when), and who has left when.

    Where the game is played on a forge (`met`), it says who signs what they send.
    """

    currencies: tuple[str, ...]
    rows: tuple[tuple[Person, tuple[int, ...], str, Html], ...]
    met: bool
    signing: tuple[str, ...]
    left: tuple[tuple[Person, Html, Html], ...]


class Player(PageData, frozen=True, kw_only=True, tag="player"):
    """A player, as the others want to know them.

    Of what they proposed it says what it changed and what became of it, of what they have its name, kind and state.
    """

    who: Person
    about: tuple[Html, ...]
    left: Html
    duties: tuple[Coming, ...]
    calendar: str
    currency: str
    chart: Chart | None
    ledger: tuple[standing.LedgerLine, ...]
    all_lines: str
    proposals: tuple[tuple[Link, Html, Badge], ...]
    more_proposals: int
    facts: Facts
    alike: tuple[standing.Racer, ...]
    offices: tuple[Office, ...]
    things: tuple[tuple[Html, str, Html], ...]
    kept: Facts
    days: Days


class Office(Struct, frozen=True):
    """An office: who holds it since when, who acts for them, what only they can do."""

    id: str
    name: str
    holder: Person | None
    since: Html
    acting: tuple[Person, ...]
    summary: Html
    rule: Html
    facts: Facts
    acts: tuple[Link, ...]


class Offices(PageData, frozen=True, kw_only=True, tag="offices"):
    """Who holds which office, and what is owed."""

    offices: tuple[Office, ...]
    duties: tuple[Coming, ...]


def player_pages(view: GameView) -> Iterator[Sheet]:
    """Return the list of players and a page for everybody in it."""
    yield Sheet(PATH, _players)
    for player in view.players:
        yield Sheet(player_path(player), partial(player_page, player))


# -- all players


def _players(view: GameView) -> Players:
    here, names = Here(view, PATH), standing.ranking(view)[0][:CURRENCIES]
    amounts = [amounts_of(view, name) for name in names]
    rows = ((person(here, player), tuple(each[player] for each in amounts),
             ", ".join(map(titled, offices_of(view, player))), _stay(here, player, "since"))
            for player in (amounts[0] if amounts else view.present))  # fmt: skip
    left = ((person(here, player), _stay(here, player, "since"), _stay(here, player, "until"))
            for player, entry in view.players.items() if entry.get("until") is not None)  # fmt: skip
    return Players(
        path=PATH,
        title="Players",
        summary=f"Who plays {view.title}",
        currencies=tuple(currency_name(view, name) for name in names),
        rows=tuple(rows),
        met=bool(view.kept(GAME).get("forge")),
        signing=tuple(view.name(player) for player in view.present if _keys(view.players[player])),
        left=tuple(left),
    )


def _stay(here: Here, player: str, part: str) -> Html:
    """Return when somebody came or left, as exactly as that is known."""
    entry = here.view.players[player]
    return since(here, {"at": entry.get(part), "dated": (entry.get("dated") or {}).get(part)}, day=True)


def _keys(entry: Document) -> list[str]:
    """Return the keys of a player that are valid now."""
    return [str(key["key"]) for key in entry.get("keys") or () if key.get("until") is None]


# -- one player


def player_page(player: str, view: GameView) -> Player:
    """Return the page of a player."""
    here, present, names = Here(view, player_path(player)), player in view.present, standing.ranking(view)[0]
    lines = view.index(lines_of).get(player, [])
    written, done = view.index(written_by).get(player, []), view.index(done_by).get(player, [])
    career = view.index(careers).get(player) or Career()
    alike = sorted(career.alike.items(), key=lambda pair: (-pair[1][1] / pair[1][0], -pair[1][0], pair[0]))
    pair = [*dict.fromkeys((next(iter(amounts_of(view, names[0])), player), player))] if names else []
    return Player(
        path=here.path,
        title=view.name(player),
        at=PATH,
        summary=f"{view.name(player)} in {view.title}",
        searchable=True,
        who=person(here, player),
        about=tuple(_about(here, player)),
        left=Html("") if present else _stay(here, player, "until"),
        duties=tuple(owed(here, player, DUTIES)),
        calendar=here.beside(here.path.removesuffix(".md") + ".ics") if present else "",
        currency=currency_name(view, names[0]) if names else "",
        chart=standing.chart_of(here, names[0], pair, to_now=False) if names else None,
        ledger=standing.ledger(here, lines[-LINES:]),
        all_lines=here.url("scores/index.md", "ledger") if len(lines) > LINES else "",
        proposals=tuple(_proposed(here, each) for each in written[:PROPOSED]),
        more_proposals=max(0, len(written) - PROPOSED),
        facts=tuple(_facts(here, player, career)),
        alike=tuple(standing.Racer(person(here, other), times, 100 * times // both)
                    for other, (both, times) in alike[:ALIKE]),
        offices=tuple(_office(here, name) for name in offices_of(view, player)),
        things=tuple(_things(here, player)),
        kept=tuple(_kept(here, player)),
        days=days_of(here, done[-EVENTS:][::-1], EVENTS),
    )  # fmt: skip


def written_by(view: GameView) -> dict[str, list[Proposal]]:
    """Return what each player proposed, the newest first."""
    return lists_by_key((str(each.get("author")), each) for each in view.proposals.values())


def done_by(view: GameView) -> dict[str, list[Entry]]:
    """Return what each player did, the oldest first."""
    return lists_by_key((str(entry.get("by")), entry) for entry in view.entries)


def _about(here: Here, player: str) -> Iterator[Html]:
    """Yield what one asks first: since when, in which offices, known elsewhere as whom."""
    yield sentence("playing since {day}", day=_stay(here, player, "since"))
    for name in offices_of(here.view, player):
        office = here.link(titled(name), "offices.md", anchor_name("office", name))
        day = here.day(here.view.document("things/office")[name].get("since"))
        yield sentence("{office} since {day}", office=office, day=day) if day else office
    for forge, who in (here.view.players[player].get("handles") or {}).items():
        login = shown_login(player, who, here.view.outlines)
        yield sentence("{login} on {forge}", login=phrase(login), forge=phrase(str(forge)))


def _facts(here: Here, player: str, career: Career) -> Iterator[tuple[str, Html]]:
    """Yield how a player stands: amounts, in the first currency with their place, and how they voted."""
    view, names = here.view, standing.ranking(here.view)[0]
    amounts = amounts_of(view, names[0]) if names else {}
    place = ""
    if player in amounts and len(amounts) > 1:
        ahead = sum(amount > amounts[player] for amount in amounts.values())
        count = standing.in_words(len(amounts))
        place = f", {PLACES[ahead]} of {count}" if ahead < len(PLACES) else ""
    for name in names:
        amount = view.registers("player", player).get(name)
        said = el("b", minus(amount if isinstance(amount, int) else 0))
        yield currency_name(view, name), join([said, place if name == names[0] else ""])
    for called, part, whole in (
        ("Votes cast", career.voted, career.asked),
        ("On the side that prevailed", career.prevailed, career.seen),
    ):
        if whole:
            yield called, sentence("{part} of {whole}", part=part, whole=whole)


def _proposed(here: Here, proposal: Proposal) -> tuple[Link, Html, Badge]:
    called, changes = phrase(f"{handle(proposal)} {proposal.get('title') or ''}".strip()), proposal.get("changes") or ()
    what = [change_told(here, proposal, each) for each in changes[:CHANGES]] + [escape("…")] * (len(changes) > CHANGES)
    day = here.day(proposal.get("resolved_at") or proposal.get("submitted_at"))
    link = Link(called, here.url(proposal_path(proposal)))
    return link, join([*what, day], ", "), badge(here, proposal, figures=True)


def _things(here: Here, player: str) -> Iterator[tuple[Html, str, Html]]:
    """Yield what a player has: its name, its kind, and each of its registers as its kind declares it."""
    mine = ((name, kind, registers) for name, (kind, registers) in here.view.things.items()
            if player in (registers.get("owner"), registers.get("holder")))  # fmt: skip
    for name, kind, registers in islice(mine, THINGS):
        state = (join([humane(each), " ", here.value(value, here.view.register_type(each))])
                 for each, value in registers.items() if each not in ("owner", "holder"))  # fmt: skip
        yield phrase(name), humane(kind), join(state, ", ")


def _kept(here: Here, player: str) -> Iterator[tuple[str, Html]]:
    """Yield the registers that rules keep of a player, and by what they are known."""
    view, entry = here.view, here.view.players[player]
    for name, value in view.registers("player", player).items():
        if name not in (*view.told_currencies, *KNOWN):
            called = currency_name(view, name) if name in view.currencies else titled(name)
            yield called, here.value(value, view.register_type(name))
    yield from ((titled(name), here.value(value)) for name, value in entry.items() if name not in KNOWN)
    if keys := _keys(entry):
        yield "Signs with", join([el("code", f"…{key[-12:]}") for key in keys], ", ")
    yield "Id", el("code", player)


# -- what they proposed, did, have and owe, and how they voted


class Career(Struct):
    """Counts of one player: asked to vote and voted, seen to vote for or against and to prevail.

    `alike` are, by others, votes of both and votes alike.
    """

    asked: int = 0
    voted: int = 0
    seen: int = 0
    prevailed: int = 0
    alike: dict[str, tuple[int, int]] = field(default_factory=dict)


def careers(view: GameView) -> dict[str, Career]:
    """Return the counts of each player over all that has been decided, the newest first."""
    found: dict[str, Career] = {player: Career() for player in view.players}
    decided = [proposal for proposal in view.proposals.values() if proposal.get("outcome")]
    for proposal in decided:
        for voter in found.keys() & (proposal.get("electorate") or ()):
            found[voter].asked += 1
            found[voter].voted += voter in _cast(proposal)
    for proposal in islice(filter(is_displayed, decided), COMPARED):
        cast = {voter: choice for voter, choice in _cast(proposal).items() if voter in found}
        won = "approve" if makes_law(proposal["outcome"], view.outcomes) else "request_changes"
        for voter, choice in cast.items():
            verdict = verdict_of(choice)
            found[voter].seen += bool(verdict)
            found[voter].prevailed += verdict == won
        for one, two in permutations(cast, 2):
            both, alike = found[one].alike.get(two, (0, 0))
            found[one].alike[two] = (both + 1, alike + (cast[one] == cast[two]))
    return found


def _cast(proposal: Proposal) -> dict[str, str]:
    """Return the choices of those who voted themselves."""
    ballots = proposal.get("ballots") or {}
    return {voter: str(each.get("choice") or "") for voter, each in ballots.items() if not each.get("deemed")}


def offices_of(view: GameView, player: str) -> list[str]:
    """Return the offices that a player holds."""
    held = view.document("things/office").items()
    return [name for name, each in held if (each.get("holder") or view.answers.get(f"holder:{name}")) == player]


# -- offices


def office_page(view: GameView) -> Offices:
    """Return the page of all offices with those who hold them, and of what is owed."""
    here, declared = Here(view, "offices.md"), view.declared("defines.offices")
    return Offices(
        path=here.path,
        title="Offices and duties",
        summary=f"Who holds which office in {view.title}, and what is owed",
        searchable=True,
        offices=tuple(_office(here, name) for name in dict.fromkeys((*declared, *view.document("things/office")))),
        duties=tuple(owed(here, None, ALL_DUTIES)),
    )


def _office(here: Here, name: str) -> Office:
    view, held = here.view, here.view.document("things/office").get(name) or {}
    uid, about = view.declared("defines.offices").get(name) or ("", {})
    holder = held.get("holder") or view.answers.get(f"holder:{name}")
    return Office(
        id=anchor_name("office", name),
        name=titled(name),
        holder=person(here, holder) if holder else None,
        since=here.day(held.get("since")),
        acting=people(here, view.answers.get(f"acts_for:{name}") or ()),
        summary=quoted(here, remark(str(about["summary"]))) if about.get("summary") else Html(""),
        rule=here.rule(uid),
        facts=tuple((titled(each), here.value(value, view.register_type(each))) for each, value in held.items()
                    if each in view.declared("defines.office") and value is not None),
        acts=tuple(Link(str(spec.get("summary") or "") or titled(act), here.url("act.md", anchor_name("act", act)))
                   for act, (_uid, spec) in view.declared("actions").items() if spec.get("as") == name),
    )  # fmt: skip
