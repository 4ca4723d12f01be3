"""The page of offices and duties: who holds what, who acts for them, what only they can do, and what is owed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from folkmoot.core.documents import Document
from folkmoot.core.records import Effect, Entry
from folkmoot.site.page_data import Link, PageData, Person, people, person
from folkmoot.site.pages.status import Coming, owed
from folkmoot.wording.catalogue import quoted
from folkmoot.wording.entries import effects_in
from folkmoot.wording.game_view import GameView
from folkmoot.wording.indices import growing
from folkmoot.wording.markup import Html, join, sentence
from folkmoot.wording.page_links import Here, anchor_name, titled
from folkmoot.wording.prose import remark
from folkmoot.wording.translation import _

DUTIES, FORMER = 60, 50


class Office(Struct, frozen=True):
    """An office: who holds it since when, who acts for them, what only they can do, who held it before."""

    id: str
    name: str
    holder: Person | None
    since: Html
    acting: tuple[Person, ...]
    summary: Html
    rule: Html
    facts: tuple[tuple[str, Html], ...]
    acts: tuple[Link, ...]
    former: tuple[Html, ...]


class Offices(PageData, frozen=True, kw_only=True, tag="offices"):
    """Who holds which office, and what is owed."""

    offices: tuple[Office, ...]
    duties: tuple[Coming, ...]


def office_page(view: GameView) -> Offices:
    """Return the page of all offices with those who hold and held them, and of what is owed."""
    here = Here(view, "offices.md")
    declared, held = view.declared("defines.offices"), view.document("things/office")
    names = [*declared, *(name for name in held if name not in declared)]
    return Offices(
        path=here.path,
        title=_("Offices and duties"),
        part="players",
        summary=_("Who holds which office in {game}, and what is owed", game=view.title),
        searchable=True,
        offices=tuple(_office(here, name, held.get(name) or {}) for name in names),
        duties=tuple(owed(here, None, DUTIES)),
    )


def _office(here: Here, name: str, held: Document) -> Office:
    view = here.view
    uid, about = view.declared("defines.offices").get(name) or ("", {})
    holder = held.get("holder") or view.answers.get(f"holder:{name}")
    types = {register: str(d.get("type") or "") for register, (_uid, d) in view.declared("defines.office").items()}
    rest = [(titled(each), here.value(value, types[each])) for each, value in held.items()
            if each in types and value is not None]  # fmt: skip
    actions = view.declared("actions").items()
    summary = remark(str(about["summary"])) if about.get("summary") else Html("")
    return Office(
        id=anchor_name("office", name),
        name=titled(name),
        holder=person(here, holder) if holder else None,
        since=here.day(held.get("since")),
        acting=people(here, view.answers.get(f"acts_for:{name}") or ()),
        summary=quoted(here, summary) if summary else Html(""),
        rule=here.rule(uid),
        facts=tuple(rest),
        acts=tuple(Link(str(spec.get("summary") or "") or titled(act), here.url("act.md", anchor_name("act", act)))
                   for act, (_uid, spec) in actions if spec.get("as") == name),
        former=tuple(_former(here, name)),
    )  # fmt: skip


def _former(here: Here, office: str) -> Iterator[Html]:
    """Yield how the holder of an office changed, the newest first."""
    for entry, what in [*here.view.index(holders).get(f"office/{office}", ())][: -FORMER - 1 : -1]:
        before = sentence(", after {player}", player=here.value(what["from"])) if what.get("from") else ""
        holder = here.value(what["to"]) if what.get("to") else _("nobody")
        day = here.entry(entry.get("seq"), here.day(entry.get("at")))
        yield join([holder, " ", sentence("since {day}", day=day), before])


@growing
def holders(_view: GameView, entries: Sequence[Entry]) -> dict[str, list[tuple[Entry, Effect]]]:
    """Return the entries and effects by which each office was filled, by its id."""
    found: dict[str, list[tuple[Entry, Effect]]] = {}
    for entry, what in effects_in(entries, "put"):
        if what.get("name") == "holder" and str(what.get("of")).startswith("office/"):
            found.setdefault(str(what.get("of")), []).append((entry, what))
    return found
