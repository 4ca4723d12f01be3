"""Pages on disk: gathers each game, writes its generated pages where bytes change, builds and serves the site."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import filterfalse
from pathlib import Path
from types import MappingProxyType

from mkdocs.commands.build import build as build_site
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import BasePlugin
from mkdocs.structure.pages import Page as DocumentPage
from msgspec import Struct, field

from folkmoot.core.clone_files import CloneFiles, is_machines
from folkmoot.core.problems import Position, Problem, ProblemError
from folkmoot.game.open_game import deputies_in
from folkmoot.game.session import Session
from folkmoot.site.consent import load
from folkmoot.site.folder_sync import FolderSync
from folkmoot.site.generated import INDEX, MARK, MARK_TEXT, claim, generated_folders
from folkmoot.site.home import game_card
from folkmoot.site.incremental_reading import Reading
from folkmoot.site.own_templates import OwnTemplates
from folkmoot.site.page_cache import PageCache
from folkmoot.site.page_filling import Site
from folkmoot.site.page_model import Sheet
from folkmoot.site.page_workers import PageWorkers
from folkmoot.site.policy import with_digests
from folkmoot.site.relocatable import settle
from folkmoot.site.render import bundles, front_cards, sheets_by_path, with_cards
from folkmoot.site.rule_activity import OVERRULED
from folkmoot.site.searching import index_site, is_indexed
from folkmoot.site.site_cache import SiteCache
from folkmoot.wording.game_view import GameView, ShownPage
from folkmoot.wording.markup import Html
from folkmoot.wording.page_links import titled

FRONT = "front.md"
QUESTIONS = ("mover", "headline")


NOTHING: Mapping[str, Problem] = MappingProxyType({})


class Report(Struct):
    """What a run changed on disk, as paths below the site's sources; `problems` of games and pages.

    `stamped` says that the site was made in the fast way: then the paths are those of the site's own files. `built`
    says that pages of it changed.
    """

    written: list[str] = field(default_factory=list)
    unchanged: int = 0
    removed: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    stamped: bool = False
    built: bool = False


def view_of(session: Session, reading: Reading | None = None) -> GameView:
    """Return a game as its pages see it: its documents of today, all of the past, and what its rules answer now.

    `reading` knows what was read of the game the last time.
    """
    record, law, reading = session.record, session.sandbox, reading or Reading()
    documents = reading.documents(session)
    now = int((documents.get("head") or {}).get("at") or 0)
    shown = [
        ShownPage(
            name=name,
            title=titled(name),
            rule=str(page.get("rule") or ""),
            blocks=list(page.get("blocks") or ()),
            failure=str(page.get("error") or ""),
        )
        for name, page in law.pages(now).items()
    ]
    answers = {question: law.ask(question, [], now) for question in QUESTIONS}
    offices = documents.get("things/office") or {}
    for office in offices:
        answers[f"holder:{office}"] = law.ask("holder", [office], now)
    holders = {name: answers[f"holder:{name}"] or kept.get("holder") for name, kept in offices.items()}
    acting = deputies_in(documents, holders, lambda player, office: law.ask("acts_for", [player, office], now))
    answers |= {f"acts_for:{office}": players for office, players in acting.items()}
    for uid, question, by in law.overruled(now):
        answers.setdefault(f"{OVERRULED}{uid}", []).append([question, by])
    return GameView(
        slug=record.name,
        documents=documents,
        entries=reading.entries(session),
        order=law.order(now),
        shown=shown,
        answers=answers,
    )


def write_pages(
    views: Sequence[GameView],
    site_src: Path,
    failed: Mapping[str, Problem] = NOTHING,
    memory: SiteCache | None = None,
    opened: Callable[[], Site | None] | None = None,
) -> Report:
    """Write the pages of all games below `site_src` and the page in front of them; remove what is no longer made.

    Games that `failed` (name → why) keep the pages that they have. A page that cannot be made says so, and the rest is
    written. A file whose bytes stay the same is not touched; a page of which `memory` knows that it would stay the same
    is not made. The site that `opened` returns gets every page, too. Raises E-SITE where a game's folder holds pages
    that Folkmoot did not write.
    """
    report, memory, restyling = Report(problems=[*failed.values()]), memory or SiteCache(), OwnTemplates(site_src)
    listed = {view.slug: _listed(view, memory.kept(view.slug)) for view in views}
    undrawn = {slug: found for slug, found in listed.items() if isinstance(found, Problem)}
    if undrawn:
        return write_pages([view for view in views if view.slug not in undrawn], site_src, {**failed, **undrawn})
    cards = front_cards(found.card for found in listed.values() if isinstance(found, _Listed))
    for view in views:
        claim(site_src / view.slug)
    for folder in generated_folders(site_src):
        if folder.name not in {*failed, *(view.slug for view in views)}:
            CloneFiles.around(site_src).remove_tree(folder.name)
            memory.forget(folder.name)
            report.removed.append(f"{folder.name}/")
    _write(site_src, INDEX, with_cards(front_words(site_src), cards), report)
    site = opened() if opened else None
    goes_on = site is None or site.begin({view.slug: memory.kept(view.slug).runs for view in views})
    for view in views:
        found = listed[view.slug]
        assert isinstance(found, _Listed)
        _write_game(view, found.pages, site_src, memory, site, restyling, report, goes_on=goes_on)
    report.problems += restyling.problems
    if site is not None:
        site.end(cards)
        files = site.outputs
        report.written, report.removed, report.unchanged = files.written, files.removed, files.unchanged
        report.stamped, report.built = True, any(path.endswith(".html") for path in files.written)
    return report


class _Listed(Struct, frozen=True):
    """What there is of a game: its card for the page in front of all games, and its pages by their paths."""

    card: Html
    pages: dict[str, Sheet]


def _listed(view: GameView, kept: PageCache) -> _Listed | Problem:
    """Return what there is of a game, or why neither its card nor the list of its pages can be drawn."""
    kept.follow(view)
    try:
        card, kept.pages = game_card(view), sheets_by_path(view, kept.pages)
        return _Listed(card, kept.pages.all)
    except Exception as error:  # noqa: BLE001 (one game that cannot be drawn keeps no other from being published)
        return Problem("E-FAULT", f"no pages of {view.slug}: {type(error).__name__} while drawing them")


def _write_game(
    view: GameView,
    pages: Mapping[str, Sheet],
    site_src: Path,
    memory: SiteCache,
    site: Site | None,
    restyling: OwnTemplates,
    report: Report,
    *,
    goes_on: bool,
) -> None:
    """Write the pages of a game; where the site `goes_on`, only those that are new or made anew are looked at.

    A site needs no Markdown: where there is none yet, it gets none.
    """
    kept = memory.kept(view.slug)
    there = CloneFiles.around(site_src).kind(f"{view.slug}/{MARK}")
    folder = memory.sources(site_src / view.slug) if site is None or there else None
    kept.begin(view, restyling)
    if folder is not None:
        folder.begin()
        goes_on = goes_on and folder.go_on()
        _drop_others(folder, pages)
    if site is not None:
        site.keep_only(view.slug, pages)
    made = kept.lacking(pages) if goes_on else [*pages]
    PageWorkers(view, kept, folder, site).make([pages[path] for path in made], alone=bool(restyling))
    for name, make in bundles(view):
        bundle = kept.bundle(name, make)
        if folder is not None:
            folder.put_all(name, bundle.digest, partial(bundle.under, ""))
        if site is not None:
            site.files(view.slug, bundle)
    kept.end(pages)
    if folder is not None:
        _end(folder, report)
    report.problems += [
        Problem("E-FAULT", f"{view.slug}/{path} says that it could not be made: {error} while drawing it")
        for path, error in kept.broken.items()
    ]


def _drop_others(folder: FolderSync, pages: Mapping[str, Sheet]) -> None:
    """Have no longer the Markdown of what is none of the pages of a game."""
    for path in [*filterfalse(pages.__contains__, folder.files)]:
        if path.endswith(".md"):
            folder.drop(path)


def _end(folder: FolderSync, report: Report) -> None:
    """Let a folder of Markdown hold nothing else, and tell what changed in it."""
    folder.put(MARK, b"", MARK_TEXT.encode)
    folder.end()
    game = folder.folder.name
    report.written += [f"{game}/{name}" for name in folder.written]
    report.removed += [f"{game}/{name}" for name in folder.removed]
    report.unchanged += folder.unchanged


def front_words(site_src: Path) -> str:
    """Return the hand-written words of the page in front of all games, as Markdown."""
    words = CloneFiles.around(site_src).read_text(FRONT)
    return "# Games\n" if words is None else words


def _write(site_src: Path, name: str, text: str, report: Report) -> None:
    files, data = CloneFiles.around(site_src), text.encode("utf-8")
    if files.read(name) == data:
        report.unchanged += 1
        return
    files.write(name, data)
    report.written.append(name)


def build(config_file: Path, site_dir: Path | None = None) -> Path:
    """Build the site with MkDocs and return its folder; raises E-SITE with everything that MkDocs warns of."""
    with _heard() as warnings:
        try:
            config = load(config_file, site_dir)
            config.plugins["folkmoot"] = _Policy()
            config.plugins.on_startup(command="build", dirty=False)
            try:
                build_site(config)
            finally:
                config.plugins.on_shutdown()
        except (Exception, SystemExit) as error:
            if is_not_of_settings(error):
                raise
            raise _unbuilt(config_file, error, warnings) from error
    settle(Path(config.site_dir), config.site_url)
    if not is_indexed(Path(config.site_dir)):  # the hook of the configuration does it where there is one
        index_site(Path(config.site_dir))
    return Path(config.site_dir)


def is_not_of_settings(error: BaseException) -> bool:
    """Say whether a build failed for a reason of its own; a theme may fail in any way on what it is set to."""
    return isinstance(error, ProblemError | MemoryError) or is_machines(error)


class _Policy(BasePlugin):  # type: ignore[type-arg, no-untyped-call]
    """Lets pages run the theme's own scripts and no other ones, also where no hook says so."""

    def on_post_page(self, output: str, /, *, page: DocumentPage, config: MkDocsConfig) -> str:  # noqa: ARG002
        """Name the theme's scripts in a page's policy."""
        return with_digests(output)


class _Ear(logging.Handler):
    """Keeps what MkDocs warns of."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one warning."""
        self.said.append(" ".join(record.getMessage().split()))


@contextmanager
def _heard() -> Iterator[list[str]]:
    ear, logger = _Ear(), logging.getLogger("mkdocs")
    logger.addHandler(ear)
    try:
        yield ear.said
    finally:
        logger.removeHandler(ear)


def _unbuilt(config_file: Path, error: BaseException, warnings: list[str]) -> ProblemError:
    said = " ".join(str(error).split()) or "MkDocs gave up"
    where = Position(config_file.as_posix())
    first = Problem("E-SITE", f"the site could not be built: {said}", where)
    return ProblemError(first, *(Problem("E-SITE", warning, where) for warning in warnings))
