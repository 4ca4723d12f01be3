"""Players and offices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from folkmoot.core.documents import Document
from folkmoot.core.keys import GAME
from folkmoot.core.records import Effect, Entry
from folkmoot.core.rule_blocks import KindSpec
from folkmoot.game.agenda import KeyedDuty, duties_in
from folkmoot.kernel.names import shown_login
from folkmoot.site import player_statistics
from folkmoot.site.journal import event_list
from folkmoot.site.page_model import Page, Sheet, note, state_chip
from folkmoot.site.pages.status import answer_to, together
from folkmoot.site.proposal_lists import name_of
from folkmoot.site.rule_marks import when
from folkmoot.site.scores import ledger_table
from folkmoot.site.standing import currency_name
from folkmoot.wording.catalogue import quoted
from folkmoot.wording.entries import effects_in
from folkmoot.wording.game_view import GameView
from folkmoot.wording.indices import growing, indexed, lines_of, of_proposals
from folkmoot.wording.markup import Html, details, el, facts, items, join, sentence, table
from folkmoot.wording.page_links import Here, anchor_name, humane, player_path, proposal_path, titled
from folkmoot.wording.prose import phrase, remark
from folkmoot.wording.translation import _

MOST_PROPOSALS, MOST_LINES, MOST_THINGS = 50, 100, 200
MOST_DUTIES = 12
"""How many duties stand in a list before the rest are folded."""
KNOWN = ("name", "surname", "handles", "since", "until", "dated", "keys", "earlier", "email")
"""What of the roster is shown in its own way, or, as addresses, not at all."""


def player_pages(view: GameView) -> Iterator[Sheet]:
    """Return the roster and a page for everybody in it."""
    yield Sheet("players/index.md", _roster)
    for player in view.players:
        yield Sheet(player_path(player), partial(_player_page, player))


def _roster(view: GameView) -> Page:
    page = Page("players/index.md", _("Players"), summary=_("Who plays {game}", game=view.title))
    here = Here(view, page.path)
    names = list(view.currencies)
    rows = [_row(here, player, names) for player in view.present]
    columns = [_("Player"), *(currency_name(view, name) for name in names), _("Since"), _("Owes")]
    numeric = sum(1 << n + 1 for n in range(len(names)))
    page.add(table(columns, rows, numeric=numeric, stacked=True) if rows else el("p", _("Nobody plays.")))
    if view.kept(GAME).get("forge"):
        page.add(el("p", _trust(view)), heading=_("Who is who"), anchor="trust")
    gone = [[here.player(p), _stay(here, e, "since"), _stay(here, e, "until")]
            for p, e in view.players.items() if e.get("until") is not None]  # fmt: skip
    if gone:
        page.add(table([_("Player"), _("From"), _("Until")], gone), heading=_("Have left"), anchor="left")
    return page


def _stay(here: Here, entry: Document, part: str) -> Html:
    """Return when somebody came or left, as exactly as that is known."""
    dated = entry.get("dated")
    return when(here, entry.get(part), dated.get(part) if isinstance(dated, dict) else None)


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


def _row(here: Here, player: str, names: list[str]) -> list[object]:
    held = here.view.registers("player", player)
    amounts = (str(held.get(name) or 0).replace("-", "−") for name in names)
    since = here.when((here.view.players[player]).get("since"))
    owed = here.view.index(duties_of).get(player, ())
    return [here.player(player), *amounts, since, len(owed) or ""]


def _player_page(player: str, view: GameView) -> Page:
    page = Page(
        player_path(player), view.name(player), tab="players/index.md", trail=[(_("Players"), "players/index.md")]
    )
    page.summary = _("{player} in {game}", player=view.name(player), game=view.title)
    page.searchable = True
    here = Here(view, page.path)
    entry = view.players[player]
    if entry.get("until") is not None:
        page.add(note(_stay(here, entry, "until"), "wait", _("Left the game on")))
    page.add(_facts(here, player, entry), player_statistics.shown(here, player), _kept(here, player, entry))
    owed = duty_list(here, player)
    page.add(
        owed or el("p", _("Nothing."), class_="fm-none"), _calendar(here, player), heading=_("Owes"), anchor="owes"
    )
    lines = view.index(lines_of).get(player, [])
    page.add(*_things(here, player), heading=_("Has") if _things(here, player) else "", anchor="has")
    mine = view.index(written_by).get(player, [])
    written = [view.proposals[name] for name in mine[:MOST_PROPOSALS]]
    rows = [[here.link(join([name_of(p), ": ", phrase(str(p.get("title") or ""))]), proposal_path(p)),
             state_chip(p, view.outcomes)] for p in written]  # fmt: skip
    if rows:
        more = _("The latest {most} of {count}.", most=MOST_PROPOSALS, count=len(mine))
        page.add(table([_("Proposal"), _("State")], rows), el("p", more) if len(mine) > MOST_PROPOSALS else "",
                 heading=_("Proposals"), anchor="proposals")  # fmt: skip
    alike = player_statistics.agreement(here, player)
    page.add(alike, heading=_("Votes like others") if alike else "", anchor="alike")
    if lines:
        page.add(ledger_table(here, lines[-MOST_LINES:][::-1], whose=False), _all_of_ledger(here, len(lines)),
                 heading=_("Ledger"), anchor="ledger")  # fmt: skip
    done = view.index(acts_of).get(player, [])[-20:][::-1]
    if done:
        page.add(event_list(here, done), heading=_("Latest acts"), anchor="acts")
    return page


def _calendar(here: Here, player: str) -> Html:
    if player not in here.view.present:
        return Html("")
    return el("p", here.file(_("As a calendar"), player_path(player).removesuffix(".md") + ".ics"), class_="fm-more")


def _all_of_ledger(here: Here, count: int) -> Html:
    if count <= MOST_LINES:
        return Html("")
    link = here.link(_("all are in the ledger"), "scores/index.md", "ledger")
    return el("p", sentence("The latest hundred lines; {link}.", link=link))


def _facts(here: Here, player: str, entry: Document) -> Html:
    """Return what one asks first: scores, offices, since when, known as whom."""
    held = here.view.registers("player", player)
    offices = [name for name, o in here.view.document("things/office").items() if o.get("holder") == player]
    links = [here.link(titled(name), "offices.md", anchor_name("office", name)) for name in offices]
    accounts = (entry.get("handles") or {}).items()
    handles = ", ".join(f"{forge}: {shown_login(player, who, here.view.outlines)}" for forge, who in accounts)
    held_of = ((name, str(held.get(name) or 0).replace("-", "−")) for name in here.view.currencies)
    amounts = [(currency_name(here.view, name), el("strong", amount)) for name, amount in held_of]
    return facts([
        *amounts, (_("Offices"), join(links, ", ")), (_("Joined"), _stay(here, entry, "since")),
        (_("Known elsewhere as"), phrase(handles) if handles else ""),
    ])  # fmt: skip


def _kept(here: Here, player: str, entry: Document) -> Html:
    """Return, folded, the registers that rules keep of a player, and by what they are known."""
    held = here.view.registers("player", player)
    types = {name: str(d.get("type") or "") for name, (_uid, d) in here.view.declared("defines.player").items()}
    own = [(titled(name), here.value(value)) for name, value in entry.items() if name not in KNOWN]
    apart = {*here.view.currencies, *KNOWN}
    rest = [(titled(n), here.value(v, types.get(n, ""))) for n, v in held.items() if n not in apart]
    signs = join([el("code", f"…{key[-12:]}") for key in _keys(entry)], ", ")
    told = facts([*rest, *own, (_("Signs with"), signs), (_("Id"), el("code", player))])
    return details(_("All that is kept of this player"), told)


def _things(here: Here, player: str) -> list[Html]:
    mine = here.view.index(things_of).get(player, ())
    kinds = here.view.declared_kinds()
    rows = [
        [phrase(name), humane(kind), _registers(here, kinds.get(kind, {}), r)] for name, kind, r in mine[:MOST_THINGS]
    ]
    return [table([_("Thing"), _("Kind"), _("State")], rows)] if rows else []


def _registers(here: Here, kind: KindSpec, registers: Document) -> Html:
    """Return what a thing holds, each register as its kind declares it."""
    types = {name: str(about.get("type") or "") for name, about in (kind.get("registers") or {}).items()}
    shown = [(name, value) for name, value in registers.items() if name not in ("owner", "holder")]
    return join((join([humane(name), " ", here.value(value, types.get(name, ""))]) for name, value in shown), ", ")


def duty_list(here: Here, player: str | None = None) -> Html:
    """Return what anybody owes, or what a player does, as a list, or nothing for none."""
    found = duties_in(here.view.documents) if player is None else here.view.index(duties_of).get(player, ())
    lines = [
        el("li", join([here.players(each["player"] for each in alike), ": "]) if player is None else "",
           el("span", quoted(here, str(d.get("what") or "")), class_="fm-duty__what"),
           _by(here, d["by"]) if d.get("by") else "",
           join([" ", _("(overdue)")]) if d.get("overdue") else "",
           join([" ", el("code", line)]) if (line := answer_to(here.view, d)) else "",
           join([" (", here.rule(d["rule"]), ")"]) if d.get("rule") else "")
        for alike in together(found) for d in alike[:1]
    ]  # fmt: skip
    return join([_duties(lines[:MOST_DUTIES]), details(_("{count} more", count=len(lines) - MOST_DUTIES), _duties(rest))
                 if (rest := lines[MOST_DUTIES:]) else ""])  # fmt: skip


def _duties(lines: Sequence[Html]) -> Html:
    return el("ul", join(lines), class_="fm-duties") if lines else Html("")


def _by(here: Here, at: object) -> Html:
    return join([" ", sentence("by {when}", when=el("strong", here.when(at), class_="fm-due"))])


def office_page(view: GameView) -> Page:
    """Return the page of all offices with those who hold and held them."""
    page = Page(
        "offices.md", _("Offices"), summary=_("Who holds which office in {game}", game=view.title), searchable=True
    )
    here = Here(view, page.path)
    declared, held = view.declared("defines.offices"), view.document("things/office")
    names = [*declared, *(name for name in held if name not in declared)]
    if not names:
        page.add(el("p", _("No rule in force knows of an office.")))
    for name in names:
        uid, about = declared.get(name) or ("", {})
        page.add(_office(here, uid, about, held.get(name) or {}, name), _former(here, name),
                 heading=titled(name), anchor=anchor_name("office", name))  # fmt: skip
    return page


def _office(here: Here, uid: str, about: Document, held: Document, name: str) -> Html:
    holder = held.get("holder") or here.view.answers.get(f"holder:{name}")
    summary = el("p", remark(str(about["summary"]))) if about.get("summary") else ""
    types = {register: str(d.get("type") or "") for register, (_uid, d) in here.view.declared("defines.office").items()}
    rest = [(titled(n), here.value(v, types[n])) for n, v in held.items() if n in types and v is not None]
    return join([summary, facts([
        (_("Holder"), here.player(holder) if holder else el("span", _("vacant"), class_="fm-none")),
        (_("Since"), here.when(held.get("since"))),
        (_("Act for it"), here.players(here.view.answers.get(f"acts_for:{name}"))),
        *rest,
        (_("Filled"), _("by rule") if about.get("fill") == "by_rule" else _("by appointment") if about else ""),
        (_("Created by"), here.rule(uid)),
    ])])  # fmt: skip


@growing
def holders(_view: GameView, entries: Sequence[Entry]) -> dict[str, list[tuple[Entry, Effect]]]:
    """Return the entries and effects by which each office was filled, by its id."""
    found: dict[str, list[tuple[Entry, Effect]]] = {}
    for entry, what in effects_in(entries, "put"):
        if what.get("name") == "holder" and str(what.get("of")).startswith("office/"):
            found.setdefault(str(what.get("of")), []).append((entry, what))
    return found


@growing
def acts_of(_view: GameView, entries: Sequence[Document]) -> dict[str, list[Document]]:
    """Return the entries of what each player did."""
    found: dict[str, list[Document]] = {}
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


def _former(here: Here, office: str) -> Html:
    changes = [
        join([here.when(entry.get("at")), ": ", here.value(what.get("from")), " → ", here.value(what.get("to")), " ",
              here.entry(entry.get("seq"))])
        for entry, what in here.view.index(holders).get(f"office/{office}", ())
    ]  # fmt: skip
    return items(reversed(changes)) if changes else Html("")
