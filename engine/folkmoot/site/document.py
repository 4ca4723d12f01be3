"""The page model and its one way out: a Markdown file of headings and finished HTML, each on a line of its own.

Nothing that a player wrote reaches a Markdown parser: headings are written in numeric entities, all else stands inside
a `<div>` on one line, which every Markdown dialect hands through untouched. So does the page's title, below the game's
navigation: a search would otherwise take the title for one part of the page and the navigation for its beginning.
"""

from __future__ import annotations

import html
import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from folkmoot.core.documents import Document
from folkmoot.core.event_names import makes_law
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import UNSOUGHT, Html, chip, el, heading_text, join, shortened
from folkmoot.wording.page_links import Here, file_name, kind_folder, plural, titled

MARK = "generated: by Folkmoot from the game's record; changes made here are lost"
TITLE = "page-title"
"""The anchor of a page's title, to which `Skip to content` leads."""


@dataclass
class Section:
    """A part of a page under a heading of its own (none for the part under the page's title)."""

    parts: list[Html]
    heading: str = ""
    anchor: str = ""
    level: int = 2


@dataclass
class Page:
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

    def add(self, *parts: object, heading: str = "", anchor: str = "", level: int = 2) -> None:
        """Add a section; parts that are empty are left out."""
        kept = [part if isinstance(part, Html) else el("p", part) for part in parts if part not in (None, "")]
        if kept or heading:
            self.sections.append(Section(kept, heading, anchor, level))


def render(view: GameView, page: Page) -> str:
    """Return a page as the text of a Markdown file."""
    front = {"title": full_title(view, page)}
    if page.summary:
        front["description"] = page.summary
    lines = ["---", f"# {MARK}", *(f"{name}: {_scalar(text)}" for name, text in front.items())]
    lines.append(f"game: {json.dumps(view.slug)}")
    lines += [] if page.searchable else ["search: {exclude: true}"]
    lines += ["hide: [navigation]" if not page.wide else "hide: [navigation, toc]", "---", ""]
    lines += [_block(top(view, page)), ""]
    for section in page.sections:
        if section.heading:
            anchor = f" {{ #{section.anchor} }}" if section.anchor else ""
            lines += [f"{'#' * section.level} {heading_text(section.heading)}{anchor}", ""]
        if section.parts:
            lines += [_block(join(section.parts)), ""]
    return told_apart("\n".join(lines))


def full_title(view: GameView, page: Page) -> str:
    """Return what a page is called where its game is not plain: in a window's title, in search, behind a link."""
    return f"{page.title} · {view.title}" if page.path != "index.md" else view.title


def top(view: GameView, page: Page) -> Html:
    """Return what every page begins with: the game's navigation, the way there, the title."""
    title = el("h1", el("bdi", shortened(page.title) or "untitled"), id=TITLE)
    return join([tabs(view, page), trail(view, page), title])


def told_apart(text: str) -> str:
    """Return a page on which no two parts that one can jump to have one name: later ones are counted.

    >>> told_apart('<nav aria-label="Steps"></nav><nav aria-label="Steps"></nav>')
    '<nav aria-label="Steps"></nav><nav aria-label="Steps (2)"></nav>'
    """
    seen: Counter[str] = Counter()

    def counted(found: re.Match[str]) -> str:
        seen[found["name"]] += 1
        number = seen[found["name"]]
        return found[0] if number == 1 else f"{found['before']}{found['name']} ({number})"

    return _NAMED.sub(counted, text)


def _block(markup: Html) -> str:
    return el("div", markup, class_="fm")


_NAMED = re.compile(r'(?P<before><(?:nav\b|div\b(?=[^<>]*\srole="region"))[^<>]*\saria-label=")(?P<name>[^"]*)')


def _scalar(text: str) -> str:
    """Return text as a YAML scalar that reads the same in 1.1 and 1.2, escaped for the theme's templates."""
    return json.dumps(html.escape(shortened(text, 240), quote=True), ensure_ascii=False)


def tabs(view: GameView, page: Page) -> Html:
    """Return the game's own navigation: its sections, never all of its pages."""
    here = Here(view, page.path)
    links = [
        el("li", here.link(title, path, aria_current="page" if path == (page.tab or page.path) else None))
        for title, path in section_pages(view)
    ]
    name = here.link(el("bdi", shortened(view.title, 60)), "index.md", class_="fm-nav__game", data_pagefind_meta="game")
    return el("nav", name, el("ul", join(links)), class_="fm-nav", aria_label="The game", **UNSOUGHT)


def section_pages(view: GameView) -> list[tuple[str, str]]:
    """Return the sections of a game as (title, path)."""
    votes = [(titled(plural(kind)), f"{kind_folder(kind)}/index.md") for kind in view.kinds]
    boards = [(page.title, f"boards/{file_name(page.name)}.md") for page in view.shown]
    shown = boards if len(boards) <= 3 else [("Boards", "boards/index.md")]
    middle = [("Scores", "scores/index.md"), *shown, ("Players", "players/index.md"), ("Offices", "offices.md")]
    middle.append(("How to act", "act.md"))
    last = [("Rulings", "settings.md"), ("Chance", "chance/index.md"), ("Journal", "journal/index.md")]
    return [("Today", "index.md"), ("Law", "law/index.md"), *votes, *middle, *last]


def trail(view: GameView, page: Page) -> Html:
    """Return the way from the section to the page."""
    if not page.trail:
        return Html("")
    here = Here(view, page.path)
    steps = [el("li", here.link(title, path)) for title, path in page.trail]
    return el("nav", el("ol", join(steps)), class_="fm-trail", aria_label="Where you are", **UNSOUGHT)


def note(text: object, kind: str = "note", title: str = "") -> Html:
    """Return a remark set apart; `kind` is note, good, bad or wait."""
    head = el("strong", title, " ") if title else ""
    return el("div", head, text, class_=f"fm-note fm-note--{kind}", role="note")


def state_chip(proposal: Document, outcomes: Mapping[str, Document]) -> Html:
    """Return what became of a proposal, else its state, as a small label; `outcomes` are those that rules declare."""
    outcome, state = proposal.get("outcome"), str(proposal.get("state") or "pending")
    if outcome:
        return chip(str(outcome), "good" if makes_law(outcome, outcomes) else "bad")
    return chip(state, "open" if state == "open" else "wait")
