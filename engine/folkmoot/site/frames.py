"""Frames: pages that MkDocs draws once for each depth of folders, with marks where a page of a game has words.

What a mark is called nobody can foresee, so nothing that a repository's own words say is ever taken for one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import BasePlugin
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page as DocumentPage
from mkdocs.utils.templates import TemplateContext
from msgspec import Struct

from folkmoot.core.clone_files import CloneFiles
from folkmoot.core.packaged import SOURCES, scaffold
from folkmoot.site.generated import INDEX
from folkmoot.site.page_model import Page
from folkmoot.site.policy import with_digests
from folkmoot.site.render import with_marks
from folkmoot.wording.markup import escape, shortened

FOLDER = "fm-frame"
FIELDS = ("title", "summary", "path", "game", "colour", "navigation", "body")
DEPTHS = (1, 2)
"""How many folders of a site the pages of a game lie in."""
MOST_TOLD = 240
"""Letters of a title or summary that a page says to search engines and in links."""


def frame_path(depth: int) -> str:
    """Return the path of a frame below a site; the folder at its beginning stands for that of the game."""
    return "/".join([f"{FOLDER}{depth}", *("deep",) * (depth - 1), "page.html"])


def site_path(game: str, page: str) -> str:
    """Return the path below a site of the file of a page of a game."""
    return f"{game}/{page.removesuffix('.md')}.html"


class Frame(Struct, frozen=True):
    """What the theme draws around a page: pieces of HTML, and between them the names of what a page says."""

    pieces: tuple[str, ...]

    def filled(self, page: Page, about: str) -> str:
        """Return a page as the theme draws it; one without a summary has what the site says `about` itself."""
        path = site_path(page.game, page.path)
        said = {
            "title": escape(shortened(page.title, MOST_TOLD)),
            "summary": escape(shortened(page.data.summary, MOST_TOLD)) or about,
            "path": path,
            "game": page.game,
            "colour": str(page.colour),
            "navigation": page.navigation,
            "body": page.body,
        }
        pieces = list(self.pieces)
        pieces[1::2] = [said[name] for name in pieces[1::2]]
        return "".join(pieces)


def read_frames(files: CloneFiles, token: str) -> Mapping[int, Frame]:
    """Return the frames that MkDocs drew in a folder, by depth, with marks of this token."""
    marks = re.compile(f"{token}({'|'.join(FIELDS)})")
    return {depth: Frame(tuple(marks.split(files.read_text(frame_path(depth)) or ""))) for depth in DEPTHS}


def is_frame(path: str) -> bool:
    """Return whether a path below a site is that of a frame, which is no part of the site."""
    return path.startswith(FOLDER)


class Frames(BasePlugin):  # type: ignore[type-arg, no-untyped-call]
    """Has MkDocs draw frames beside the hand-written pages, and the page in front of all games with a mark in it."""

    def __init__(self, front: str, secret: str) -> None:
        """Take the Markdown of the page in front of all games, and letters and digits that nobody can foresee."""
        self.token = f"fm{secret}"
        self.front = with_marks(front, *(f"<div>{self.mark(name)}</div>" for name in ("cards", "example")))

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
        for path, text in ((INDEX, self.front), *((frame_path(depth).replace(".html", ".md"), "") for depth in DEPTHS)):
            file = File.generated(config, path, content=text)
            if is_frame(path):
                file.dest_uri = path.replace(".md", ".html")
            files.append(file)
        return files

    def on_page_markdown(self, markdown: str, /, *, page: DocumentPage, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG002
        """Say of a frame by which template it is drawn, and what that is filled with."""
        if is_frame(page.file.src_uri):
            page.meta.update(template="game.html", search={"exclude": True})
            page.meta.update((name, self.mark(name)) for name in FIELDS)
            page.title = self.mark("title")
        elif page.file.src_uri == INDEX:
            page.meta["template"] = "front.html"
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

    def on_post_page(self, output: str, /, *, page: DocumentPage, config: MkDocsConfig) -> str:  # noqa: ARG002
        """Let a page run the theme's own scripts and no other ones."""
        return with_digests(output)
