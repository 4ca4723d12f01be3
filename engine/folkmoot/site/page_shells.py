"""Shells: pages that MkDocs and its theme render once for each shape, to be filled with what many pages say.

A shell is a page of marks: where a mark came out of the theme, a page's own words go in. What cannot be found again
in what the theme made (a theme that draws the table of contents twice, say) makes a shell unfit, and the site is then
built in the reference way.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import unescape
from itertools import product

from markupsafe import escape
from msgspec import Struct

from folkmoot.site.page_model import Page
from folkmoot.site.page_parts import Article, Heading

TITLE, SUMMARY = "fmshelltitle", "fmshellsummary"
FIRST, LAST = '<div class="fm"><h1>fmshellfirst</h1></div>', '<div class="fm">fmshelllast</div>'
CODE = '<div class="fm"><pre><code>fmshellcode</code></pre></div>'
FOLDER, PAGE = "fmshell", "fmpage"
_FIELD = re.compile(r"\x00(\w+)\x00")


class UnfitError(Exception):
    """What a theme made of a shell cannot be filled."""


class Shape(Struct, frozen=True, order=True):
    """What decides how a theme draws a page: its depth, whether it is `wide` (no contents beside it), its parts."""

    depth: int
    wide: bool
    told: bool
    headed: bool
    sought: bool

    @property
    def path(self) -> str:
        """Return the path of the shell's Markdown file below the site's sources."""
        flags = "".join("ny"[flag] for flag in (self.wide, self.told, self.headed, self.sought))
        return "/".join([f"{FOLDER}{self.depth}{flags}", *("fmdeep",) * (self.depth - 1), f"{PAGE}.md"])

    def markdown(self) -> str:
        """Return the shell's Markdown: marks wherever a page has words."""
        front = ["---", f'title: "{TITLE}"', *([f'description: "{SUMMARY}"'] if self.told else [])]
        front += [f'game: "{self.path.partition("/")[0]}"', *([] if self.sought else ["search: {exclude: true}"])]
        front += ["hide: [navigation, toc]" if self.wide else "hide: [navigation]", "---", ""]
        headings = ["## Fmparent { #fmparent }", "", "### Fminner { #fminner }", "", "### Fmother { #fmother }", ""]
        headings += ["## Fmleaf { #fmleaf }", "", "## Fmnext { #fmnext }", ""]
        return "\n".join([*front, FIRST, "", CODE, "", *(headings if self.headed else ()), LAST, ""])


SHAPES = tuple(Shape(depth, *each) for depth in (1, 2) for each in product((False, True), repeat=4))
"""Every shape that a page of a game can have."""


def shape_of(page: Page) -> Shape:
    """Return the shape of a page of a game."""
    headed = any(section.heading for section in page.sections)
    return Shape(page.path.count("/") + 1, page.wide, bool(page.summary), headed, page.searchable)


class Contents(Struct, frozen=True):
    """How a theme draws a table of contents: what stands around, between and inside of its items."""

    leaf: str
    opening: str
    closing: str
    between: str
    between_inner: str

    def drawn(self, headings: Sequence[Heading]) -> str:
        """Return the items of a page's table of contents."""
        return self.between.join(self._item(*group) for group in _grouped(headings))

    def _item(self, heading: Heading, inner: Sequence[Heading]) -> str:
        if not inner:
            return _named(self.leaf, "leaf", heading)
        items = self.between_inner.join(self._item(*group) for group in _grouped(inner))
        return _named(self.opening, "parent", heading) + items + self.closing


def _grouped(headings: Sequence[Heading]) -> list[tuple[Heading, list[Heading]]]:
    """Return each heading with those that stand below it, up to the next that is no deeper."""
    found: list[tuple[Heading, list[Heading]]] = []
    for heading in headings:
        if found and heading.level > found[-1][0].level:
            found[-1][1].append(heading)
        else:
            found.append((heading, []))
    return found


def _named(markup: str, mark: str, heading: Heading) -> str:
    named = markup.replace(f'"Fm{mark}"', f'"{escape(unescape(heading.words))}"')
    return named.replace(f"#fm{mark}", f"#{heading.anchor}").replace(f"Fm{mark}", heading.words)


class Shell(Struct, frozen=True):
    """A rendered shell in pieces, ready to be filled."""

    shape: Shape
    pieces: tuple[str, ...]
    contents: Contents | None
    code: str

    def filled(self, page: Article) -> str:
        """Return a page of this shape as the theme would have drawn it."""
        body = page.body.replace("<pre><", self.code)
        values = {"title": page.title, "summary": page.summary, "path": page.path.removesuffix(".md"), "body": body}
        if self.contents:
            values["contents"] = self.contents.drawn(page.headings)
        pieces = list(self.pieces)
        pieces[1::2] = [values[name] for name in pieces[1::2]]
        return "".join(pieces)


def read_shell(shape: Shape, text: str) -> tuple[Shell, str]:
    """Return a shell read from what the theme made of it, and the link that it draws behind a heading (or "").

    Raises UnfitError where a mark is not found once.
    """
    first, last = _once(text, FIRST), _once(text, LAST)
    body = text[first:last]
    before, after = text[:first], text[last + len(LAST) :]
    code = re.search(r"(<pre\b[^>]*><)code>fmshellcode", body)
    if code is None:
        raise UnfitError("code is drawn in another way")
    contents = None
    if shape.headed and not shape.wide and "#fmleaf" in before + after:
        before, contents = _contents(before)
    if "Fmleaf" in before + after:
        raise UnfitError("headings stand outside of the table of contents")
    marked = before + "\x00body\x00" + after
    for name, mark in (("title", TITLE), ("summary", SUMMARY), ("path", shape.path.removesuffix(".md"))):
        marked = marked.replace(mark, f"\x00{name}\x00")
    if FOLDER in marked:
        raise UnfitError("the path of the page stands in the page in another form")
    return Shell(shape, tuple(_FIELD.split(marked)), contents, code[1]), _permalink(body)


def _permalink(body: str) -> str:
    found = re.search(r'<h2 id="fmleaf">Fmleaf(.*?)</h2>', body, re.DOTALL)
    return found[1].replace("fmleaf", "{anchor}") if found else ""


def _contents(text: str) -> tuple[str, Contents]:
    """Return what stands before the body with a field in place of the items, and how items are drawn."""
    parent, inner, other, leaf, following = (
        text.rfind("<li", 0, _once(text, f'href="#fm{name}"')) for name in ("parent", "inner", "other", "leaf", "next")
    )
    ends = [text.index("</li>", at) + len("</li>") for at in (inner, other, leaf, following)]
    parent_end = text.rindex("</li>", 0, leaf) + len("</li>")
    if not 0 < parent < inner < other < leaf < following or parent_end < ends[1]:
        raise UnfitError("the table of contents is no list")
    contents = Contents(
        leaf=text[leaf : ends[2]],
        opening=text[parent:inner],
        closing=text[ends[1] : parent_end],
        between=text[ends[2] : following],
        between_inner=text[ends[0] : other],
    )
    return text[:parent] + "\x00contents\x00" + text[ends[3] :], contents


def _once(text: str, mark: str) -> int:
    if text.count(mark) != 1:
        raise UnfitError(f"the theme draws {mark} {text.count(mark)} times")
    return text.index(mark)
