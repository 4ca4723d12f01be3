"""Pages on disk: gathers each game, writes its generated pages where bytes change, builds and serves the site."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from mkdocs.commands.build import build as build_site
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import MkDocsException
from mkdocs.plugins import BasePlugin
from mkdocs.structure.pages import Page as DocumentPage

from folkmoot.core.problems import Position, Problem, ProblemError, fail
from folkmoot.core.whole_files import write_whole
from folkmoot.game.open_game import deputies_in
from folkmoot.game.session import Session
from folkmoot.site.policy import with_digests
from folkmoot.site.relocatable import settle
from folkmoot.site.render import Game, markdown, published, render_front
from folkmoot.site.searching import index_site, is_indexed
from folkmoot.wording.game_view import GameView, ShownPage
from folkmoot.wording.page_links import titled

MARK = ".gitignore"
MARK_TEXT = "# Folkmoot writes this folder from the record of the game; git leaves it alone.\n*\n"
FRONT, INDEX = "front.md", "index.md"
QUESTIONS = ("mover",)


NOTHING: Mapping[str, Problem] = MappingProxyType({})


@dataclass
class Report:
    """What a run changed on disk, as paths below the site's sources; `problems` of games whose pages stay.

    `games` are those whose pages were made.
    """

    written: list[str] = field(default_factory=list)
    unchanged: int = 0
    removed: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    games: list[Game] = field(default_factory=list)


def view_of(session: Session) -> GameView:
    """Return a game as its pages see it: its documents of today, all of the past, and what its rules answer now."""
    record, documents, law = session.record, session.documents, session.sandbox
    shown_keys = (key for key in record.archived_keys() if not key.startswith("acts/"))
    past = {key: found for key in shown_keys if (found := record.archive(key)) is not None}
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
    return GameView(
        slug=record.name,
        documents={**past, **documents},
        entries=tuple(record.entries()),
        order=law.order(now),
        shown=shown,
        answers=answers,
    )


def write_pages(
    views: Sequence[GameView],
    site_src: Path,
    failed: Mapping[str, Problem] = NOTHING,
) -> Report:
    """Write the pages of all games below `site_src` and the page in front of them; remove what is no longer made.

    Games that `failed` (name → why) keep the pages that they have, and so does one whose pages cannot be made.

    A file whose bytes stay the same is not touched. Raises E-SITE where a game's folder holds pages that Folkmoot did
    not write.
    """
    report, wrong = Report(), dict(failed)
    for view in views:
        _claim(site_src / view.slug)
    for folder in generated_folders(site_src):
        if folder.name not in {*wrong, *(view.slug for view in views)}:
            shutil.rmtree(folder)
            report.removed.append(f"{folder.name}/")
    for view in views:
        try:
            game = published(view)
            files = markdown(game) | game.files
        except Exception as error:  # noqa: BLE001 (one game that cannot be drawn keeps no other from being published)
            wrong[view.slug] = Problem("E-FAULT", f"no pages of {view.slug}: {type(error).__name__} while drawing them")
            continue
        report.games.append(game)
        _write_game(view, files, site_src, report)
    _write(site_src, INDEX, render_front(list(views), front_words(site_src)), report)
    report.problems += wrong.values()
    return report


def front_words(site_src: Path) -> str:
    """Return the hand-written words of the page in front of all games, as Markdown."""
    words = site_src / FRONT
    return words.read_text("utf-8") if words.exists() else "# Games\n"


def _claim(folder: Path) -> None:
    """Make sure that a folder is ours: new, empty, or marked as generated."""
    if folder.exists() and not (folder / MARK).exists() and any(folder.iterdir()):
        message = "a game has the name of this folder, but its pages are not generated ones"
        raise fail("E-SITE", message, Position(folder.as_posix()), "rename the game or move the pages")


def generated_folders(site_src: Path) -> list[Path]:
    """Return the folders of games below a site's sources."""
    marks = sorted(site_src.glob(f"*/{MARK}"))
    return [mark.parent for mark in marks if mark.read_text("utf-8") == MARK_TEXT]


def _write_game(view: GameView, pages: Mapping[str, str], site_src: Path, report: Report) -> None:
    files = {**pages, MARK: MARK_TEXT}
    folder = site_src / view.slug
    for path in sorted(folder.rglob("*"), reverse=True):
        name = path.relative_to(folder).as_posix()
        if path.is_dir():
            if not any(path.iterdir()):
                path.rmdir()
        elif name not in files:
            path.unlink()
            report.removed.append(f"{view.slug}/{name}")
    for name, text in files.items():
        _write(site_src, f"{view.slug}/{name}", text, report)


def _write(site_src: Path, name: str, text: str, report: Report) -> None:
    path, data = site_src / name, text.encode("utf-8")
    if path.exists() and path.read_bytes() == data:
        report.unchanged += 1
        return
    write_whole(path, data)
    report.written.append(name)


def build(config_file: Path, site_dir: Path | None = None) -> Path:
    """Build the site with MkDocs and return its folder; raises E-SITE with everything that MkDocs warns of."""
    with _heard() as warnings:
        try:
            config = load_config(str(config_file), **({"site_dir": str(site_dir)} if site_dir else {}))
            config.plugins["folkmoot"] = _Policy()
            config.plugins.on_startup(command="build", dirty=False)
            try:
                build_site(config)
            finally:
                config.plugins.on_shutdown()
        except (MkDocsException, SystemExit) as error:
            raise _unbuilt(config_file, error, warnings) from error
    settle(Path(config.site_dir), config.site_url)
    if not is_indexed(Path(config.site_dir)):  # the hook of the configuration does it where there is one
        index_site(Path(config.site_dir))
    return Path(config.site_dir)


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
