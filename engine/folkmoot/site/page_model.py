"""The page model: headings and finished HTML, with the game's navigation above the title.

A search would otherwise take the title for one part of the page and the navigation for its beginning.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from hashlib import blake2b

from msgspec import Struct, field

from folkmoot.core.documents import Document
from folkmoot.core.event_names import makes_law
from folkmoot.core.rule_blocks import OutcomeSpec
from folkmoot.site.page_data import PageData
from folkmoot.site.pen import body, navigation
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import UNSOUGHT, Html, chip, el, join, shortened
from folkmoot.wording.page_links import Here
from folkmoot.wording.translation import _, term

TITLE = "page-title"
"""The anchor of a page's title, to which `Skip to content` leads."""


class Section(Struct):
    """A part of a page under a heading of its own (none for the part under the page's title)."""

    parts: list[Html]
    heading: str = ""
    anchor: str = ""
    level: int = 2


class Page(Struct):
    """A page of a game: where it stands, what it is called and what it says.

    `tab` is the path of the section it belongs to; `trail` the pages above it as (title, path); `kicker` the small
    line above the title; `searchable` whether it is worth a place in the search index.
    """

    path: str
    title: str
    sections: list[Section] = field(default_factory=list)
    summary: str = ""
    tab: str = ""
    trail: list[tuple[str, str]] = field(default_factory=list)
    searchable: bool = False
    wide: bool = False
    part: str = ""
    body: Html | None = None
    """What a page that is made of data says, from the second row of the navigation on; such a page has no parts."""
    data: PageData | None = None
    """What it is made of, if it is."""
    drawn: list[str] | None = None
    """What stands in the page's blocks (see `blocks`), when it was asked for once: no part is added after that."""

    def add(self, *parts: object, heading: str = "", anchor: str = "", level: int = 2) -> None:
        """Add a section; parts that are empty are left out, and a section of none if it has no `anchor` either."""
        kept = [part if isinstance(part, Html) else el("p", part) for part in parts if part not in (None, "")]
        if kept or heading or anchor:
            self.sections.append(Section(kept, heading, anchor, level))


class Sheet(Struct, frozen=True):
    """A page that is not made yet: its path, and what makes it of a game.

    Nothing but the game, as the view that `make` is given tells it, may decide what the page says: what is looked at
    in the view is what decides whether a page that was made once is made again.
    """

    path: str
    make: Callable[[GameView], Page | PageData]


class Pages(Struct, frozen=True):
    """The pages of a game by their paths: those of rules, those of proposals, the paths of the others, and all."""

    rules: Mapping[str, Sheet]
    proposals: Mapping[str, Sheet]
    others: frozenset[str]
    all: dict[str, Sheet]


def made(view: GameView, sheet: Sheet) -> Page:
    """Return a page of a game; one that is made of data is drawn by the template of its kind."""
    found = sheet.make(view)
    if isinstance(found, Page):
        return found
    return Page(
        path=found.path,
        title=found.title,
        summary=found.summary,
        tab=found.at,
        searchable=found.searchable,
        part=found.part,
        body=body(view, found),
        data=found,
    )


def page_digest(view: GameView, page: Page) -> bytes:
    """Return a digest of all that a page says."""
    shape = [full_title(view, page), page.summary, page.searchable, head(view, page)]
    headings = [(section.level, section.heading, section.anchor) for section in page.sections]
    said = blake2b(repr((shape, headings)).encode(), digest_size=16)
    for part in blocks(view, page):
        said.update(b"\0")
        said.update(part.encode("utf-8", "backslashreplace"))
    return said.digest()


def blocks(view: GameView, page: Page) -> list[str]:
    """Return what a page says: its top, then what stands under each heading ("" for nothing), drawn once."""
    if page.body is not None:
        return [page.body]
    if page.drawn is None:
        seen: Counter[str] = Counter()
        parts = [block(join(section.parts)) if section.parts else "" for section in page.sections]
        page.drawn = [told_apart(each, seen) for each in (block(top(view, page), view.slug), *parts)]
    return page.drawn


def head(view: GameView, page: Page) -> Html:
    """Return the name of the game and its navigation as they stand in the head of a page."""
    return navigation(view, page.path, page.part, page.tab)


def full_title(view: GameView, page: Page) -> str:
    """Return what a page is called where its game is not plain: in a window's title, in search, behind a link."""
    return f"{page.title} · {view.title}" if page.path != "index.md" else view.title


def top(view: GameView, page: Page) -> Html:
    """Return what every page begins with: the way there, the title."""
    title = el("h1", el("bdi", shortened(page.title) or _("untitled")), id=TITLE)
    return join([trail(view, page), title])


def told_apart(text: str, seen: Counter[str] | None = None) -> str:
    """Return a page on which no two parts that one can jump to have one name: later ones are counted.

    `seen` holds the names that were met before, and grows.

    >>> told_apart('<nav aria-label="Steps"></nav><nav aria-label="Steps"></nav>')
    '<nav aria-label="Steps"></nav><nav aria-label="Steps (2)"></nav>'
    """
    if "<nav" not in text and 'role="region"' not in text:
        return text
    met = Counter() if seen is None else seen

    def counted(found: re.Match[str]) -> str:
        met[found["name"]] += 1
        number = met[found["name"]]
        return found[0] if number == 1 else f"{found['before']}{found['name']} ({number})"

    return _NAMED.sub(counted, text)


def block(markup: Html, game: str | None = None) -> Html:
    """Return what a page says under one heading; the first names the `game`, so that style sheets tell games apart."""
    return el("div", markup, class_="fm", data_game=game)


_NAMED = re.compile(r'(?P<before><(?:nav\b|div\b(?=[^<>]*\srole="region"))[^<>]*\saria-label=")(?P<name>[^"]*)')


def trail(view: GameView, page: Page) -> Html:
    """Return the way from the section to the page."""
    if not page.trail:
        return Html("")
    here = Here(view, page.path)
    steps = [el("li", here.link(title, path)) for title, path in page.trail]
    return el("nav", el("ol", join(steps)), class_="fm-trail", aria_label=_("Where you are"), **UNSOUGHT)


def note(text: object, kind: str = "note", title: str = "") -> Html:
    """Return a remark set apart; `kind` is note, good, bad or wait."""
    head = el("strong", title, " ") if title else ""
    return el("div", head, text, class_=f"fm-note fm-note--{kind}", role="note")


def state_chip(proposal: Document, outcomes: Mapping[str, OutcomeSpec]) -> Html:
    """Return what became of a proposal, else its state, as a small label; `outcomes` are those that rules declare."""
    outcome, state = proposal.get("outcome"), str(proposal.get("state") or "pending")
    if outcome:
        return chip(term(str(outcome)), "good" if makes_law(outcome, outcomes) else "bad")
    return chip(term(state), "open" if state == "open" else "wait")
