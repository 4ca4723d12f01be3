"""Frames: pages that MkDocs and its theme draw once for each shape, with marks where a page of a game has words.

What a mark is called nobody can foresee, so nothing that a repository's own words say is ever taken for one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from html import unescape
from itertools import product

from markupsafe import escape
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import BasePlugin
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page as DocumentPage
from mkdocs.structure.toc import AnchorLink, TableOfContents
from mkdocs.utils.templates import TemplateContext
from msgspec import Struct

from folkmoot.core.clone_files import CloneFiles
from folkmoot.core.packaged import SOURCES, scaffold
from folkmoot.site.generated import INDEX
from folkmoot.site.page_parts import Article, Heading
from folkmoot.site.policy import with_digests
from folkmoot.site.render import with_cards

FOLDER = "fm-frame"
FIELDS = ("title", "summary", "path", "body", "contents", "sought")
SOUGHT = "data-pagefind-body "


class Shape(Struct, frozen=True, order=True):
    """What decides how a theme draws a page: its depth, whether it has headings, whether it is `wide` (no contents)."""

    depth: int
    headed: bool
    wide: bool

    @property
    def path(self) -> str:
        """Return the path of the frame below a site; the folder at its beginning stands for that of the game."""
        named = f"{FOLDER}{self.depth}{'h' * self.headed}{'w' * self.wide}"
        return "/".join([named, *("deep",) * (self.depth - 1), "page.html"])


SHAPES = tuple(Shape(depth, *flags) for depth in (1, 2) for flags in product((False, True), repeat=2))
"""Every shape that a page of a game can have."""


def shape_of(page: Article) -> Shape:
    """Return the shape of a page of a game."""
    return Shape(page.path.count("/"), bool(page.headings), page.wide)


class Frame(Struct, frozen=True):
    """What the theme draws around a page: pieces of HTML, and between them the names of what a page says."""

    pieces: tuple[str, ...]

    def filled(self, page: Article, about: str) -> str:
        """Return a page as the theme draws it; one without a summary has what the site says `about` itself."""
        said = {
            "title": page.title,
            "summary": page.summary or about,
            "path": page.path,
            "body": page.body,
            "contents": _contents(page.headings),
            "sought": SOUGHT if page.searchable else "",
        }
        pieces = list(self.pieces)
        pieces[1::2] = [said[name] for name in pieces[1::2]]
        return "".join(pieces)


def read_frames(files: CloneFiles, token: str) -> Mapping[Shape, Frame]:
    """Return the frames that MkDocs drew in a folder, with marks of this token."""
    marks = re.compile(f"(?:<h1>)?{token}({'|'.join(FIELDS)})(?:</h1>)?")
    return {shape: Frame(tuple(marks.split(files.read_text(shape.path) or ""))) for shape in SHAPES}


def is_frame(path: str) -> bool:
    """Return whether a path below a site is that of a frame, which is no part of the site."""
    return path.startswith(FOLDER)


class Frames(BasePlugin):  # type: ignore[type-arg, no-untyped-call]
    """Has MkDocs draw frames beside the hand-written pages, and the page in front of all games with a mark in it."""

    def __init__(self, front: str, secret: str) -> None:
        """Take the Markdown of the page in front of all games, and letters and digits that nobody can foresee."""
        self.token = f"fm{secret}"
        self.front = with_cards(front, f'<div class="fm">{self.mark("cards")}</div>')

    def mark(self, field: str) -> str:
        """Return what stands for something that a page says."""
        return f"{self.token}{field}"

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """Have templates at hand that a repository of former times lacks."""
        config.theme.dirs.insert(1 if config.theme.custom_dir else 0, str(scaffold() / SOURCES / "overrides"))
        return config

    def on_files(self, files: Files, /, *, config: MkDocsConfig) -> Files:
        """Put frames and the front page in."""
        if former := files.get_file_from_path(INDEX):
            files.remove(former)
        for path, text in ((INDEX, self.front), *((shape.path.replace(".html", ".md"), "") for shape in SHAPES)):
            file = File.generated(config, path, content=text)
            if is_frame(path):
                file.dest_uri = path.replace(".md", ".html")
            files.append(file)
        return files

    def on_page_markdown(self, markdown: str, /, *, page: DocumentPage, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG002
        """Say of a frame what the theme asks of every page."""
        if is_frame(page.file.src_uri):
            folder = page.file.src_uri.partition("/")[0]
            hidden = ["navigation", *(["toc"] if "w" in folder.removeprefix(FOLDER) else [])]
            said = {"title": self.mark("title"), "description": self.mark("summary"), "sought": self.mark("sought")}
            page.meta.update(said, game=folder, hide=hidden, contents=self.mark("contents"), search={"exclude": True})
            page.title = self.mark("title")
        return markdown

    def on_page_context(
        self,
        context: TemplateContext,
        /,
        *,
        page: DocumentPage,
        config: MkDocsConfig,
        nav: Navigation,  # noqa: ARG002
    ) -> TemplateContext:
        """Have a mark in the address of a frame, after the site's map named all pages."""
        if is_frame(page.file.src_uri) and config.site_url:
            page.canonical_url = f"{config.site_url}{self.mark('path')}"
        return context

    def on_page_content(self, html: str, /, *, page: DocumentPage, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG002
        """Have a mark in the place of what a page of a game says, and of its contents."""
        if not is_frame(page.file.src_uri):
            return html
        headed = "h" in page.file.src_uri.partition("/")[0].removeprefix(FOLDER)
        page.toc = TableOfContents([AnchorLink("", "", 2)] if headed else [])
        return f"<h1>{self.mark('body')}</h1>"  # the theme would set a title above a page that has none

    def on_post_page(self, output: str, /, *, page: DocumentPage, config: MkDocsConfig) -> str:  # noqa: ARG002
        """Let a page run the theme's own scripts and no other ones."""
        return with_digests(output)


def _contents(headings: Sequence[Heading]) -> str:
    """Return the items of a page's table of contents."""
    return "".join(_item(*group) for group in _grouped(headings))


def _item(heading: Heading, inner: Sequence[Heading]) -> str:
    below = ""
    if inner:
        name, items = escape(unescape(heading.words)), _contents(inner)
        below = (
            f'<nav class="md-nav" role="presentation" data-name="{name}"><ul class="md-nav__list">{items}</ul></nav>'
        )
    link = f'<a href="#{heading.anchor}" class="md-nav__link"><span class="md-ellipsis">{heading.words}</span></a>'
    return f'<li class="md-nav__item">{link}{below}</li>'


def _grouped(headings: Sequence[Heading]) -> Iterator[tuple[Heading, list[Heading]]]:
    """Yield each heading with those that stand below it, up to the next that is no deeper."""
    found: list[tuple[Heading, list[Heading]]] = []
    for heading in headings:
        if found and heading.level > found[-1][0].level:
            found[-1][1].append(heading)
        else:
            found.append((heading, []))
    yield from found
