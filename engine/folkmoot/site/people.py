"""Players and offices."""

from __future__ import annotations

from collections.abc import Iterator

from folkmoot.core.documents import Document
from folkmoot.game.agenda import comment_line, duties_in, soonest_first
from folkmoot.kernel.declared import KERNEL_DECLARATIONS
from folkmoot.kernel.names import shown_login
from folkmoot.site.document import Page, note, state_chip
from folkmoot.site.journal import event_list
from folkmoot.site.proposals import name_of
from folkmoot.site.scores import ledger_table
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import Html, el, facts, items, join, table
from folkmoot.wording.page_links import Here, anchor_name, humane, player_path, proposal_path, titled
from folkmoot.wording.prose import phrase, remark

KNOWN = ("name", "surname", "handles", "since", "until", "keys", "earlier", "email")
"""What of the roster is shown in its own way, or, as addresses, not at all."""


def player_pages(view: GameView) -> Iterator[Page]:
    """Return the roster and a page for everybody in it."""
    yield _roster(view)
    for player in view.players:
        yield _player_page(view, player)


def _roster(view: GameView) -> Page:
    page = Page("players/index.md", "Players", summary=f"Who plays {view.title}")
    here = Here(view, page.path)
    names = list(view.currencies)
    rows = [_row(here, player, names) for player in view.present]
    columns = ["Player", *(titled(name) for name in names), "Since", "Owes"]
    numeric = sum(1 << n + 1 for n in range(len(names)))
    page.add(table(columns, rows, numeric=numeric, stacked=True) if rows else el("p", "Nobody plays."))
    if view.document("game").get("forge"):
        page.add(el("p", _trust(view)), heading="Who is who", anchor="trust")
    gone = [[here.player(p), here.when(e.get("since")), here.when(e.get("until"))]
            for p, e in view.players.items() if e.get("until") is not None]  # fmt: skip
    if gone:
        page.add(table(["Player", "From", "Until"], gone), heading="Have left", anchor="left")
    return page


def _trust(view: GameView) -> str:
    """Return how it is known from whom an act comes."""
    signing = [view.name(player) for player in view.present if _keys(view.players[player])]
    if not signing:
        return "What arrives is believed to come from whom it names: nobody here signs, and this group trusts itself."
    named = ", ".join(signing)
    rest = " The others trust each other." if len(signing) < len(view.present) else ""
    return f"What comes from {named} counts only if it is signed with a key that they have named.{rest}"


def _keys(entry: Document) -> list[str]:
    """Return the keys of a player that are valid now."""
    return [str(key["key"]) for key in entry.get("keys") or () if key.get("until") is None]


def _row(here: Here, player: str, names: list[str]) -> list[object]:
    held = here.view.registers("player", player)
    amounts = (str(held.get(name) or 0).replace("-", "−") for name in names)
    since = here.when((here.view.players[player]).get("since"))
    owed = duties_in(here.view.documents, player)
    return [here.player(player), *amounts, since, len(owed) or ""]


def _player_page(view: GameView, player: str) -> Page:
    page = Page(player_path(player), view.name(player), tab="players/index.md", trail=[("Players", "players/index.md")])
    page.summary, page.searchable = f"{view.name(player)} in {view.title}", True
    here = Here(view, page.path)
    entry = view.players[player]
    if entry.get("until") is not None:
        page.add(note(here.when(entry["until"]), "wait", "Left the game on"))
    page.add(_facts(here, player, entry))
    owed = duty_list(here, player)
    page.add(owed or el("p", "Nothing.", class_="fm-none"), _calendar(here, player), heading="Owes", anchor="owes")
    page.add(*_things(here, player), heading="Has" if _things(here, player) else "", anchor="has")
    written = [p for p in view.proposals.values() if p.get("author") == player]
    rows = [[here.link(join([name_of(p), ": ", phrase(str(p.get("title") or ""))]), proposal_path(p)),
             state_chip(p, view.outcomes)] for p in written]  # fmt: skip
    if rows:
        page.add(table(["Proposal", "State"], rows), heading="Proposals", anchor="proposals")
    lines = [line for line in view.ledger if line.owner == player]
    if lines:
        page.add(ledger_table(here, lines[-100:][::-1], whose=False), _all_of_ledger(here, len(lines)),
                 heading="Ledger", anchor="ledger")  # fmt: skip
    done = [entry for entry in view.entries if entry.get("by") == player][-20:][::-1]
    if done:
        page.add(event_list(here, done), heading="Latest acts", anchor="acts")
    return page


def _calendar(here: Here, player: str) -> Html:
    if player not in here.view.present:
        return Html("")
    return el("p", here.file("As a calendar", player_path(player).removesuffix(".md") + ".ics"), class_="fm-more")


def _all_of_ledger(here: Here, count: int) -> Html:
    if count <= 100:
        return Html("")
    return el("p", "The latest hundred lines; ", here.link("all are in the ledger", "scores/index.md", "ledger"), ".")


def _facts(here: Here, player: str, entry: Document) -> Html:
    held = here.view.registers("player", player)
    types = {name: str(d.get("type") or "") for name, (_, d) in here.view.declared("defines.player").items()}
    own = [(titled(name), here.value(value)) for name, value in entry.items() if name not in KNOWN]
    offices = [name for name, o in here.view.document("things/office").items() if o.get("holder") == player]
    links = [here.link(titled(name), "offices.md", anchor_name("office", name)) for name in offices]
    accounts = (entry.get("handles") or {}).items()
    handles = ", ".join(f"{forge}: {shown_login(player, who, here.view.outlines)}" for forge, who in accounts)
    amounts = [(titled(n), el("strong", str(held.get(n) or 0).replace("-", "−"))) for n in here.view.currencies]
    apart = {*here.view.currencies, *KNOWN}
    rest = [(titled(n), here.value(v, types.get(n, ""))) for n, v in held.items() if n not in apart]
    return facts([
        *amounts, ("Offices", join(links, ", ")), *rest, *own, ("Joined", here.when(entry.get("since"))),
        ("Known elsewhere as", phrase(handles) if handles else ""),
        ("Signs with", join([el("code", f"…{key[-12:]}") for key in _keys(entry)], ", ")), ("Id", el("code", player)),
    ])  # fmt: skip


def _things(here: Here, player: str) -> list[Html]:
    mine = [(i, k, r) for i, (k, r) in here.view.things.items() if player in (r.get("owner"), r.get("holder"))]
    rows = [[phrase(i), humane(kind), _registers(here, r)] for i, kind, r in mine[:200]]
    return [table(["Thing", "Kind", "State"], rows)] if rows else []


def _registers(here: Here, registers: Document) -> Html:
    shown = {n: v for n, v in registers.items() if n not in ("owner", "holder")}
    return join((join([humane(name), " ", here.value(value)]) for name, value in shown.items()), ", ")


def duty_list(here: Here, player: str | None = None) -> Html:
    """Return what anybody owes, or what a player does, as a list, or nothing for none."""
    declared = here.view.declared("actions")
    actions = {**KERNEL_DECLARATIONS, **{name: spec for name, (_uid, spec) in declared.items()}}
    lines = [
        el("li", join([here.player(d["player"]), ": "]) if player is None else "",
           el("span", phrase(str(d.get("what") or "")), class_="fm-duty__what"),
           join([" by ", el("strong", here.when(d["by"]))]) if d.get("by") else "",
           " (overdue)" if d.get("overdue") else "",
           join([" ", el("code", line)]) if (line := comment_line(d, actions)) else "",
           join([" (", here.rule(d["rule"]), ")"]) if d.get("rule") else "")
        for d in soonest_first(duties_in(here.view.documents, player))
    ]  # fmt: skip
    return el("ul", join(lines), class_="fm-duties") if lines else Html("")


def office_page(view: GameView) -> Page:
    """Return the page of all offices with those who hold and held them."""
    page = Page("offices.md", "Offices", summary=f"Who holds which office in {view.title}", searchable=True)
    here = Here(view, page.path)
    declared, held = view.declared("defines.offices"), view.document("things/office")
    names = [*declared, *(name for name in held if name not in declared)]
    if not names:
        page.add(el("p", "No rule in force knows of an office."))
    for name in names:
        uid, about = declared.get(name) or ("", {})
        page.add(_office(here, uid, about, held.get(name) or {}, name), _former(here, name),
                 heading=titled(name), anchor=anchor_name("office", name))  # fmt: skip
    return page


def _office(here: Here, uid: str, about: Document, held: Document, name: str) -> Html:
    holder = held.get("holder") or here.view.answers.get(f"holder:{name}")
    summary = el("p", remark(str(about["summary"]))) if about.get("summary") else ""
    types = {register: str(d.get("type") or "") for register, (_, d) in here.view.declared("defines.office").items()}
    rest = [(titled(n), here.value(v, types[n])) for n, v in held.items() if n in types and v is not None]
    return join([summary, facts([
        ("Holder", here.player(holder) if holder else el("span", "vacant", class_="fm-none")),
        ("Since", here.when(held.get("since"))),
        ("Act for it", here.players(here.view.answers.get(f"acts_for:{name}"))),
        *rest,
        ("Filled", "by rule" if about.get("fill") == "by_rule" else "by appointment" if about else ""),
        ("Created by", here.rule(uid)),
    ])])  # fmt: skip


def _former(here: Here, office: str) -> Html:
    changes = [
        join([here.when(entry.get("at")), ": ", here.value(what.get("from")), " → ", here.value(what.get("to")), " ",
              here.entry(entry.get("seq"))])
        for entry, what in here.view.effects("put")
        if what.get("of") == f"office/{office}" and what.get("name") == "holder"
    ]  # fmt: skip
    return items(reversed(changes)) if changes else Html("")
