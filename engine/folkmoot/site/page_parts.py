"""A page as what a frame is filled with: title, summary, navigation and finished HTML."""

from __future__ import annotations

import html
import re
import unicodedata

from msgspec import Struct

from folkmoot.site.crest import crest
from folkmoot.site.page_model import Page, blocks, full_title, head
from folkmoot.site.pen import former_body
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import heading_text, shortened

MOST_TOLD = 240
PERMALINK = '<a class="headerlink" href="#{}" title="Link to this part">#</a>'
_NOT_SLUG, _GAPS = re.compile(r"[^\w\s-]"), re.compile(r"[-\s]+")
_COUNTED = re.compile(r"^(.*)_([0-9]+)$")


class Article(Struct, frozen=True):
    """What a page says, all of it finished HTML; `path` is that of its file below the site."""

    path: str
    title: str
    summary: str
    navigation: str
    body: str
    colour: int
    former: bool


def article(view: GameView, page: Page) -> Article:
    """Return a page of a game."""
    return Article(
        path=f"{view.slug}/{page.path.removesuffix('.md')}.html",
        title=html.escape(shortened(full_title(view, page), MOST_TOLD), quote=True),
        summary=html.escape(shortened(page.summary, MOST_TOLD), quote=True),
        navigation=head(view, page),
        body=page.body
        if page.body is not None
        else former_body(view, page.path, page.tab, _parts(view, page), page.searchable),
        colour=crest(view).colour,
        former=page.body is None,
    )


def _parts(view: GameView, page: Page) -> str:
    """Return the parts of a page with their headings."""
    first, *drawn = blocks(view, page)
    lines = [first]
    for section, anchor, parts in zip(page.sections, _anchors(page), drawn, strict=True):
        if section.heading:
            words = heading_text(section.heading)
            link = PERMALINK.format(anchor)
            lines.append(f'<h{section.level} id="{anchor}">{words}{link}</h{section.level}>')
        if section.parts:
            lines.append(parts)
    return "\n".join(lines).replace("<pre><", '<pre tabindex="0"><')  # what scrolls is reached by keyboard


def _anchors(page: Page) -> list[str]:
    """Return the anchor of each section: its own, else one made of its heading."""
    used = {section.anchor for section in page.sections if section.heading and section.anchor}
    return [section.anchor or (_made(section.heading, used) if section.heading else "") for section in page.sections]


def _made(heading: str, used: set[str]) -> str:
    return _unique(_slug(html.unescape(heading_text(heading))), used)


def _slug(words: str) -> str:
    plain = unicodedata.normalize("NFKD", words).encode("ascii", "ignore").decode("ascii")
    return _GAPS.sub("-", _NOT_SLUG.sub("", plain).strip().lower())


def _unique(name: str, used: set[str]) -> str:
    while name in used or not name:
        found = _COUNTED.match(name)
        name = f"{found[1]}_{int(found[2]) + 1}" if found else f"{name}_1"
    used.add(name)
    return name
