"""The site of a repository: every game below `state/` as pages, in frames that MkDocs drew."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from secrets import token_hex
from types import MappingProxyType
from typing import cast

from mkdocs.config.defaults import MkDocsConfig
from msgspec import Struct, field
from msgspec.structs import replace

from folkmoot.core.ballot_display import is_displayed
from folkmoot.core.clone_files import CloneFiles
from folkmoot.core.documents import Document, Proposal
from folkmoot.core.packaged import SOURCES
from folkmoot.core.problems import Problem, ProblemError
from folkmoot.game.open_game import deputies_in
from folkmoot.game.session import Session
from folkmoot.sandbox.client import Sandbox
from folkmoot.site.base_site import read_base, told_of
from folkmoot.site.configuration import played_branch, site_address
from folkmoot.site.forecast import trials_of
from folkmoot.site.frames import Frames
from folkmoot.site.garbage_collection import uncollected
from folkmoot.site.generated import CACHE, FRONT, claim, remove_former_pages
from folkmoot.site.incremental_reading import Reading
from folkmoot.site.own_templates import OwnTemplates
from folkmoot.site.page_cache import PageCache
from folkmoot.site.page_filling import Site
from folkmoot.site.page_model import Sheet
from folkmoot.site.page_workers import PageWorkers
from folkmoot.site.pages.now import Front, cards, example, front_of
from folkmoot.site.pages.rule import OVERRULED
from folkmoot.site.polls import CHOOSING, COUNTED, STANDING
from folkmoot.site.render import bundles, sheets_by_path
from folkmoot.site.search import index_site, is_indexed
from folkmoot.site.site_cache import SiteCache
from folkmoot.wording.game_view import GameView, ShownPage, is_proposal
from folkmoot.wording.page_links import titled

QUESTIONS = ("mover", "headline", "pitch", "to_win")


class Report(Struct):
    """What a run changed on disk, as paths below the site; `problems` of games and pages.

    `built` says that pages of it changed.
    """

    written: list[str] = field(default_factory=list)
    unchanged: int = 0
    removed: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    built: bool = False


def publish(root: Path, site_dir: Path, memory: SiteCache | None = None, *, index: bool = True) -> Report:
    """Build the site of every game of a repository; see `publish_games`."""
    views, failed = games_of(root, memory)
    return publish_games(root, views, site_dir, failed, memory, index=index)


def publish_games(
    root: Path,
    views: Sequence[GameView],
    site_dir: Path,
    failed: Mapping[str, Problem] = MappingProxyType({}),
    memory: SiteCache | None = None,
    *,
    index: bool = True,
) -> Report:
    """Build a site with the pages of games, and make it searchable if `index` says so.

    A game that `failed` keeps the pages that it has. A page that cannot be made says so, and the rest is written. What
    was made the last time is in `memory`, by default what the repository keeps of it; whoever gives one saves it.
    Raises E-SITE with everything that MkDocs warns of, and where a game has the name of a folder of the site's sources.
    """
    root, remembered = root.resolve(), memory or SiteCache.of(root.resolve())
    claim(root / SOURCES, [view.slug for view in views])
    with uncollected():
        site = remembered.site(root, site_dir, front_words(root / SOURCES))
        report = fill(site, views, failed, remembered, OwnTemplates(root / SOURCES))
    if memory is None:
        remembered.save()
    if index and (report.built or not is_indexed(site_dir)):
        index_site(site_dir)
    return report


class Games(Frames):  # type: ignore[no-untyped-call]
    """Puts the pages of games into a site that MkDocs builds or serves by its own command."""

    def __init__(self, root: Path) -> None:
        """Take a repository."""
        remove_former_pages(root / SOURCES)
        super().__init__(front_words(root / SOURCES), token_hex(16))
        self.root = root

    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Put the games' pages into what MkDocs built, and make all searchable."""
        folder = Path(config.site_dir)
        views, failed = games_of(self.root)
        claim(self.root / SOURCES, [view.slug for view in views])
        site = Site(folder, read_base(folder, "", **told_of(config, self)))
        report = fill(site, views, failed, SiteCache(), OwnTemplates(self.root / SOURCES))
        for problem in report.problems:
            logging.getLogger("mkdocs.plugins.folkmoot").warning(problem.message)
        index_site(folder)


def view_of(session: Session, reading: Reading | None = None, trials: Path | None = None) -> GameView:
    """Return a game as its pages see it: its documents of today, all of the past, and what its rules answer now.

    `reading` knows what was read of the game the last time; `trials` is where those of open votes are stored, which
    are not tried without it.
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
    answers |= _answers_of_votes(law, documents, now)
    answers |= trials_of(session, trials, now) if trials else {}
    return GameView(
        slug=record.name,
        documents=documents,
        entries=reading.entries(session),
        order=law.order(now),
        shown=shown,
        answers=answers,
    )


def _answers_of_votes(law: Sandbox, documents: Mapping[str, Document], now: int) -> dict[str, object]:
    """Return by which words one votes on what is open, and, where ballots are displayed, how the law says it stands."""
    found: dict[str, object] = {}
    for each in documents.values():
        if not is_proposal(each) or each.get("state") != "open":
            continue
        name = str(each["id"])
        found[f"{CHOOSING}{name}"] = law.ask("choices", [], now, name)
        if is_displayed(cast(Proposal, each)):
            verdict = law.ask("adopted", [], now, name)
            found[f"{COUNTED}{name}"] = verdict.get("why") if isinstance(verdict, dict) else None
            found[f"{STANDING}{name}"] = law.ask("standing", [], now, name)
    return {key: said for key, said in found.items() if said}


def games_of(root: Path, memory: SiteCache | None = None) -> tuple[list[GameView], dict[str, Problem]]:
    """Return the games of a repository as their pages see them, and what is wrong with those that cannot be read.

    What `memory` has read of them stays as it is where it is the same.
    Raises what is wrong where none can be read, though there are some.
    """
    views, failed = [], dict[str, Problem]()
    files = CloneFiles(root)
    folders = [root / "state" / name for name, _ in files.listing("state") if files.kind(f"state/{name}/head.yaml")]
    branch, address = played_branch(root), site_address(root)
    for folder in folders:
        try:
            with uncollected(), Session.open(folder) as session:
                view = view_of(session, memory.reading(folder.name) if memory else None, root / CACHE / "trials")
        except ProblemError as error:
            first = error.problems[0]
            failed[folder.name] = replace(first, message=f"no pages of {folder.name}: {first.message}")
            continue
        views.append(replace(view, branch=branch, alone=len(folders) == 1, address=address))
    if failed and not views:
        raise ProblemError(*failed.values())
    return views, failed


class _Listed(Struct, frozen=True):
    """What there is of a game: what the page in front of all games holds of it, and its pages by their paths."""

    front: Front
    pages: dict[str, Sheet]


def _listed(view: GameView, kept: PageCache) -> _Listed | Problem:
    """Return what there is of a game, or why neither its card nor the list of its pages can be drawn."""
    kept.follow(view)
    try:
        front, kept.pages = front_of(view), sheets_by_path(view, kept.pages)
        return _Listed(front, kept.pages.all)
    except Exception as error:  # noqa: BLE001 (one game that cannot be drawn keeps no other from being published)
        return Problem("E-FAULT", f"no pages of {view.slug}: {type(error).__name__} while drawing them")


def fill(
    site: Site, views: Sequence[GameView], failed: Mapping[str, Problem], memory: SiteCache, restyling: OwnTemplates
) -> Report:
    """Put games into a site; those that cannot be drawn count among those that `failed`."""
    listed = {view.slug: _listed(view, memory.kept(view.slug)) for view in views}
    undrawn = {slug: found for slug, found in listed.items() if isinstance(found, Problem)}
    drawn = {slug: found for slug, found in listed.items() if isinstance(found, _Listed)}
    report = Report(problems=[*failed.values(), *undrawn.values()])
    goes_on = site.begin({slug: memory.kept(slug).runs for slug in drawn})
    for slug in (*failed, *undrawn):
        site.keep_all(slug)
    for view in views:
        if view.slug in drawn:
            report.problems += _fill_game(site, view, drawn[view.slug].pages, memory, restyling, goes_on=goes_on)
    fronts = [found.front for found in drawn.values()]
    site.end(cards(fronts), example(fronts))
    report.problems += restyling.problems
    files = site.outputs
    report.written, report.removed, report.unchanged = files.written, files.removed, files.unchanged
    report.built = any(path.endswith(".html") for path in files.written)
    memory.forget_others({*failed, *listed})
    return report


def _fill_game(
    site: Site, view: GameView, pages: Mapping[str, Sheet], memory: SiteCache, restyling: OwnTemplates, *, goes_on: bool
) -> Iterator[Problem]:
    """Put a game into a site, where that `goes_on` only what is new or made anew; yield what could not be made."""
    kept = memory.kept(view.slug)
    kept.begin(view, restyling)
    site.keep_only(view.slug, pages)
    made = kept.lacking(pages) if goes_on else [*pages]
    PageWorkers(view, kept, site).make([pages[path] for path in made], alone=bool(restyling))
    for name, make in bundles(view):
        site.files(view.slug, kept.bundle(name, make))
    kept.end(pages)
    for path, error in kept.broken.items():
        message = f"{view.slug}/{path} says that it could not be made: {error} while drawing it"
        yield Problem("E-FAULT", message)


def front_words(site_src: Path) -> str:
    """Return the hand-written words of the page in front of all games, as Markdown."""
    words = CloneFiles.around(site_src).read_text(FRONT)
    return "# Games\n" if words is None else words
