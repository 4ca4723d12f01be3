"""The base of a site: what MkDocs makes of everything that no game wrote, and a frame for each depth of a game's pages.

It is made once and kept below `build/` for as long as the configuration, the theme and the hand-written pages stay the
same; a site is that base with the games' pages put into its frames. What a mark in a frame is called nobody can
foresee, so nothing that a repository's own words say is ever taken for one. Only scripts and styles that the theme
itself wrote count, each known by its digest: should players' text ever get through as markup, browsers ignore a script
in it.
"""

from __future__ import annotations

import json
import logging
import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from secrets import token_hex
from typing import Any

from mkdocs.commands.build import build as build_with_mkdocs
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import BasePlugin
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page as DocumentPage
from mkdocs.utils.templates import TemplateContext
from msgspec import Struct

from folkmoot.core.clone_files import CloneFiles, is_machines
from folkmoot.core.packaged import SOURCES, scaffold
from folkmoot.core.problems import Position, Problem, ProblemError
from folkmoot.site.configuration import load, require_consent
from folkmoot.site.output import engine
from folkmoot.site.page_model import Page
from folkmoot.site.preparation import INDEX
from folkmoot.site.render import with_marks
from folkmoot.wording.markup import escape, shortened

NOTES = "base/base.json"


class Base(Struct, frozen=True):
    """A base as it lies in the folder `site`: its frames, and the front page with marks of a `token` in it.

    `address` is the site's, `about` what its settings say of it; both may be "".
    """

    site: Path
    key: str
    frames: Mapping[int, Frame]
    front: str
    token: str
    address: str
    about: str

    @property
    def files(self) -> CloneFiles:
        """Return the files that MkDocs made."""
        return CloneFiles.around(self.site)


def base_of(config_file: Path, cache: Path, front: str) -> Base:
    """Return the base of a site with the Markdown of its `front` page, made anew where it is not in `cache`.

    Raises E-SITE with everything that MkDocs warns of.
    """
    key = _key(config_file, front)
    folder, files = cache / "base", CloneFiles.around(cache)
    notes = _noted(files)
    if (notes.get("key"), notes.get("files")) != (key, _digest_below(files)):
        files.remove_tree("base")
        made = _made(config_file, folder / "site", Frames(front, key[:32]))
        files.write(".gitignore", b"*\n")
        notes = {"key": key, "files": _digest_below(files), **made}
        files.write(NOTES, json.dumps(notes).encode())
    return read_base(folder / "site", key, **{name: notes[name] for name in ("token", "address", "about")})


def read_base(site: Path, key: str, token: str, address: str, about: str) -> Base:
    """Return a base that MkDocs made in a folder, with marks of this token."""
    files = CloneFiles.around(site)
    front = files.read_text("index.html") or ""
    return Base(site, key, read_frames(files, token), front, token, address, about)


def told_of(config: MkDocsConfig, frames: Frames) -> dict[str, str]:
    """Return what is to be known of a base beside its files."""
    return {"token": frames.token, "address": config.site_url or "", "about": config.site_description or ""}


def _noted(files: CloneFiles) -> dict[str, Any]:
    """Return what is noted of a base, nothing where that cannot be read."""
    try:
        found = json.loads(files.read(NOTES) or b"")
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _digest_below(files: CloneFiles) -> str:
    """Return a digest of all files of a base: one that lost or changed one is no base."""
    return sha256("\n".join(_digests(files, files.walk("base/site"))).encode()).hexdigest()


def _digests(files: CloneFiles, paths: Iterable[str]) -> list[str]:
    return [f"{path!a} {sha256(files.read(path) or b'').hexdigest()}" for path in paths]


def _key(config_file: Path, front: str) -> str:
    said = [engine(), front]
    if require_consent(config_file.parent):  # a hook or plugin may make something else each time
        said.append(token_hex(16))
    files = CloneFiles(config_file.parent)
    said += _digests(files, [config_file.name, *files.walk(SOURCES)])
    return sha256("\n".join(said).encode()).hexdigest()


def _made(config_file: Path, site: Path, frames: Frames) -> dict[str, str]:
    with _heard() as warnings:
        try:
            config = load(config_file, site)
            config.plugins["folkmoot"] = frames
            config.plugins.on_startup(command="build", dirty=False)
            try:
                build_with_mkdocs(config)
            finally:
                config.plugins.on_shutdown()
        except (Exception, SystemExit) as error:  # a theme may fail in any way on what it is set to
            if isinstance(error, ProblemError | MemoryError) or is_machines(error):
                raise
            raise _unbuilt(config_file, error, warnings) from error
    return told_of(config, frames)


@contextmanager
def _heard() -> Iterator[list[str]]:
    """Keep what MkDocs warns of."""
    said, ear, logger = list[str](), logging.Handler(logging.WARNING), logging.getLogger("mkdocs")
    ear.emit = lambda record: said.append(" ".join(record.getMessage().split()))  # type: ignore[method-assign]
    logger.addHandler(ear)
    try:
        yield said
    finally:
        logger.removeHandler(ear)


def _unbuilt(config_file: Path, error: BaseException, warnings: list[str]) -> ProblemError:
    said = " ".join(str(error).split()) or "MkDocs gave up"
    where = Position(config_file.as_posix())
    first = Problem("E-SITE", f"the site could not be built: {said}", where)
    return ProblemError(first, *(Problem("E-SITE", warning, where) for warning in warnings))


# -- frames

FOLDER = "fm-frame"
FIELDS = ("title", "summary", "path", "card", "game", "colour", "navigation", "body")
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
            "card": f"{page.game}/{page.data.card}",
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


# -- which scripts and styles count

_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)
_STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)
_OF_SCRIPTS = "script-src 'self' 'unsafe-inline'"
_OF_STYLES = "style-src 'self';"


def with_digests(page: str) -> str:
    """Return a page that allows the theme's inline scripts and styles by their digests, and no other ones.

    Those inside of its article are none of the theme's. What a page's policy does not speak of stays as it is.

    >>> page = "<meta content=script-src 'self' 'unsafe-inline'><script>1</script>"
    >>> with_digests(page).partition("sha256-")[2][:12]
    'a4ayc/80/OGd'
    """
    start, end = page.find("<article"), page.rfind("</article>")
    themes = page if start < 0 else page[:start] + page[end:]
    scripts, styles = (" ".join(_digests_of(found, themes)) for found in (_SCRIPT, _STYLE))
    allowing = page.replace(_OF_SCRIPTS, f"script-src 'self' {scripts}".rstrip(), 1)
    return allowing.replace(_OF_STYLES, f"style-src 'self' {styles}".rstrip() + ";", 1)


def _digests_of(found: re.Pattern[str], page: str) -> dict[str, None]:
    texts = (each[1].encode() for each in found.finditer(page))
    return {f"'sha256-{b64encode(sha256(text).digest()).decode()}'": None for text in texts}


# -- a page for what is missing that is right in any folder

MISSING = "404.html"
_FROM_ROOT = re.compile(' (href|src)="/')
_BASE = """<base href="/">
<script>{
const known = new Set(%s), parts = location.pathname.replace(/^[/]+/, "/").split("/");
const here = parts.findIndex(part => known.has(part));
if (here > 0) document.querySelector("base").href = parts.slice(0, here).join("/") + "/";
}</script>
<link """


def settled_page(text: str, folders: Sequence[str], address: str | None) -> str:
    """Return the page for what is missing of a site with these folders in it.

    Without an address a script finds the site's folder. Without scripts links lead to the root of the server: what lies
    at an unknown depth below one cannot know better.
    """
    if not address:
        text = _FROM_ROOT.sub(r' \1="', text).replace("<link ", _BASE % json.dumps(list(folders)), 1)
    return with_digests(text)
