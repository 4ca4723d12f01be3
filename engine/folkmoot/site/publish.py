"""The site of a repository: the pages that MkDocs makes, and every page of every game below `state/` in its frames."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from secrets import token_hex
from types import MappingProxyType

from mkdocs.config.defaults import MkDocsConfig
from msgspec import Struct, field

from folkmoot.core.clone_files import CloneFiles
from folkmoot.core.packaged import CONFIG, SOURCES
from folkmoot.core.problems import Problem
from folkmoot.site.base_site import (
    FOLDER,
    MISSING,
    Base,
    Frames,
    base_of,
    is_frame,
    read_base,
    settled_page,
    site_path,
    told_of,
)
from folkmoot.site.cards import png_of
from folkmoot.site.chrome import chrome
from folkmoot.site.configuration import CACHE
from folkmoot.site.game_views import GameReader, games_of, uncollected
from folkmoot.site.output import Output, digest_of
from folkmoot.site.page_json import encoded, path_of
from folkmoot.site.page_model import Broken, OwnTemplates, Page, PageContext, Sheet, drawn_page
from folkmoot.site.pages.now import Front, cards, example, front_of
from folkmoot.site.preparation import FRONT, claim
from folkmoot.site.render import BUNDLES, cards_of, sheets
from folkmoot.site.search import FOLDER as SOUGHT
from folkmoot.site.search import index_site, is_indexed
from folkmoot.wording.game_view import GameView

SITEMAP = "sitemap.xml"


class Report(Struct):
    """What a run changed on disk, as paths below the site; `problems` of games and pages.

    `built` says that pages of it changed.
    """

    written: list[str] = field(default_factory=list)
    unchanged: int = 0
    removed: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    built: bool = False


class Publisher:
    """Builds the site of a repository, once or again and again; what it read of the games is kept for the next time."""

    def __init__(self, root: Path) -> None:
        """Take a repository."""
        self.root, self.cache = root.resolve(), root.resolve() / CACHE
        self._readers: dict[str, GameReader] = {}

    def publish(self, site: Path, *, index: bool = True) -> Report:
        """Build the site of every game in a folder; see `publish_games`."""
        views, failed = games_of(self.root, self.reader)
        return self.publish_games(views, site, failed, index=index)

    def publish_games(
        self,
        views: Sequence[GameView],
        site: Path,
        failed: Mapping[str, Problem] = MappingProxyType({}),
        *,
        index: bool = True,
    ) -> Report:
        """Build a site with the pages of games, and make it searchable if `index` says so.

        A game that `failed` keeps the pages that it has. A page that cannot be made says so, and the rest is written.
        Raises E-SITE with everything that MkDocs warns of, and where a game has the name of a folder of its sources.
        """
        sources = self.root / SOURCES
        claim(sources, [view.slug for view in views])
        with uncollected():
            report = fill(site, self.base(), views, failed, OwnTemplates(sources))
        CloneFiles.around(self.cache).write(".gitignore", b"*\n")
        if index and not is_indexed(site):
            index_site(site)
        return report

    def reader(self, game: str) -> GameReader:
        """Return what was read of a game."""
        if game not in self._readers:
            self._readers[game] = GameReader(self.cache / "read" / game)
        return self._readers[game]

    def base(self) -> Base:
        """Return what MkDocs makes of the hand-written pages. Raises E-SITE where it cannot."""
        return base_of(self.root / CONFIG, self.cache, front_words(self.root / SOURCES))


def publish(root: Path, site: Path, *, index: bool = True) -> Report:
    """Build the site of every game of a repository in a folder; see `Publisher.publish_games`."""
    return Publisher(root).publish(site, index=index)


class Games(Frames):  # type: ignore[no-untyped-call]
    """Puts the pages of games into a site that MkDocs builds or serves by its own command."""

    def __init__(self, root: Path) -> None:
        """Take a repository."""
        super().__init__(front_words(root / SOURCES), token_hex(16))
        self.root = root

    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Put the games' pages into what MkDocs built, and make all searchable."""
        folder = Path(config.site_dir)
        views, failed = games_of(self.root)
        claim(self.root / SOURCES, [view.slug for view in views])
        base = read_base(folder, "", **told_of(config, self))
        for problem in fill(folder, base, views, failed, OwnTemplates(self.root / SOURCES)).problems:
            logging.getLogger("mkdocs.plugins.folkmoot").warning(problem.message)
        index_site(folder)


def front_words(site_src: Path) -> str:
    """Return the hand-written words of the page in front of all games, as Markdown."""
    words = CloneFiles.around(site_src).read_text(FRONT)
    return "# Games\n" if words is None else words


# -- a folder filled with games


def fill(
    folder: Path, base: Base, views: Sequence[GameView], failed: Mapping[str, Problem], own: OwnTemplates
) -> Report:
    """Put games into the folder of a site; those that cannot be drawn count among those that `failed`."""
    report = Report(problems=[*failed.values()])
    output = Output(folder, digest_of([base.key, own.texts]), spared=SOUGHT)
    fronts, pages = list[Front](), list[str]()
    for slug in failed:
        output.keep_below(slug)
    for view in views:
        try:
            front, listed = front_of(view), {sheet.path: sheet for sheet in sheets(view)}
        except Exception as error:  # noqa: BLE001 (one game that cannot be drawn keeps no other from being published)
            message = f"no pages of {view.slug}: {type(error).__name__} while drawing them"
            report.problems.append(Problem("E-FAULT", message))
            output.keep_below(view.slug)
            continue
        fronts.append(front)
        pages += [site_path(view.slug, path) for path in listed]
        with output.files.held():
            report.problems += _put_pages(output, base, view, listed.values(), own)
        report.problems += _put_files(output, view)
        report.problems += _put_cards(output, view)
    _put_base(output, base, cards(fronts), example(fronts), sorted(pages))
    output.end(listed=bool(base.key))
    report.problems += own.problems
    report.written, report.removed, report.unchanged = output.written, output.removed, output.unchanged
    report.built = any(path.endswith(".html") for path in output.written)
    return report


def _put_pages(
    output: Output, base: Base, view: GameView, listed: Iterable[Sheet], own: OwnTemplates
) -> Iterator[Problem]:
    """Put the pages of a game into its site; yield what could not be made.

    A page stays as it is while all that it is made of is what it was, where that is told, or else what it says.
    """
    context = PageContext(view)
    for sheet in listed:
        path = site_path(view.slug, sheet.path)
        beside = f"{view.slug}/{path_of(sheet.path)}"
        try:
            made_of = sheet.of(view) if sheet.of else None
            digest = "" if made_of is None else context.digest(made_of)
            if digest and output.has(path, digest) and output.has(beside, digest):
                continue
            data = sheet.make(view)
            if not digest:
                digest = digest_of([data, chrome(view, data), view.title])
                if output.has(path, digest) and output.has(beside, digest):
                    continue
            files = _files_of(drawn_page(view, data, own), base)
        except Exception as error:  # noqa: BLE001 (one page that cannot be drawn keeps no other from being published)
            name = type(error).__name__
            message = f"{view.slug}/{sheet.path} says that it could not be made: {name} while drawing it"
            yield Problem("E-FAULT", message)
            data, digest = Broken(path=sheet.path, title="This page could not be made", error=name), ""
            files = _files_of(drawn_page(view, data), base)
        if (view.slug, sheet.path) in own.failed:
            digest = ""
        for name, content in zip((path, beside), files, strict=True):
            output.put(name, digest, content)


def _files_of(page: Page, base: Base) -> tuple[bytes, bytes]:
    """Return a page in its frame, and its data."""
    frame = base.frames[page.path.count("/") + 1]
    return frame.filled(page, base.about).encode(), encoded(page.data)


def _put_files(output: Output, view: GameView) -> Iterator[Problem]:
    """Put the files of a game that are no pages into its site; yield what could not be made."""
    for name, make in BUNDLES.items():
        try:
            files = {f"{view.slug}/{path}": text.encode() for path, text in make(view).items()}
        except Exception as error:  # noqa: BLE001 (files that cannot be made keep no page from being published)
            message = f"{view.slug}/{name} (files) could not be made: {type(error).__name__} while drawing them"
            yield Problem("E-FAULT", message)
            continue
        for path, data in files.items():
            output.put_bytes(path, data)


def _put_cards(output: Output, view: GameView) -> Iterator[Problem]:
    """Put the pictures of a game into its site, drawing what is new; yield what could not be made."""
    try:
        for path, shown in cards_of(view).items():
            place, digest = f"{view.slug}/{path}", digest_of(shown)
            if not output.has(place, digest):
                output.put(place, digest, png_of(shown))
    except Exception as error:  # noqa: BLE001 (pictures that cannot be made keep no page from being published)
        message = f"a picture of {view.slug} could not be made: {type(error).__name__} while drawing it"
        yield Problem("E-FAULT", message)


def _put_base(output: Output, base: Base, cards: str, example: str, pages: Sequence[str]) -> None:
    """Put all else into a site: the hand-written pages, the front page with what is put into it, the map."""
    folders = {name for name, kind in base.files.listing() if kind == "folder" and not is_frame(name)}
    for path in base.files.walk():
        if is_frame(path) or path.startswith((f"{SOUGHT}/", SITEMAP)) or path in ("index.html", MISSING):
            continue
        if not (base.key and output.has(path, base.key)):
            output.put(path, base.key, base.files.read(path) or b"")
    front = base.front.replace(f"{base.token}cards", cards).replace(f"{base.token}example", example)
    output.put_bytes("index.html", front.encode())
    if base.files.kind(MISSING):
        tops = sorted({*(page.partition("/")[0] for page in pages), *folders, SOUGHT})
        missing = settled_page(base.files.read_text(MISSING) or "", tops, base.address)
        output.put_bytes(MISSING, missing.encode())
    if base.address:
        start, *urls = (base.files.read_text(SITEMAP) or "").removesuffix("</urlset>").split("<url>")
        urls = [url for url in urls if f"{base.address}{FOLDER}" not in url]
        urls += [f"<loc>{escape(base.address + page)}</loc></url>\n" for page in pages]
        output.put_bytes(SITEMAP, ("<url>".join([start, *urls]) + "</urlset>\n").encode())
