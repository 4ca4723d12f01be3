"""The site of a repository: every game below `state/` as pages, built by MkDocs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from msgspec.structs import replace

from folkmoot.core.clone_files import CloneFiles
from folkmoot.core.packaged import CONFIG, HOOK, SOURCES, scaffold
from folkmoot.core.problems import Problem, ProblemError
from folkmoot.game.session import Session
from folkmoot.site.configuration import played_branch, site_address, site_languages
from folkmoot.site.consent import require_consent
from folkmoot.site.garbage_collection import uncollected
from folkmoot.site.generated import INDEX, require_plain
from folkmoot.site.publish import Report, view_of, write_pages
from folkmoot.site.site_cache import SiteCache
from folkmoot.wording.game_view import GameView

_written = ContextVar[frozenset[Path]]("_written", default=frozenset())


@contextmanager
def pages_are_written(root: Path) -> Iterator[None]:
    """Let `write_site` do nothing for a repository whose pages were just written: MkDocs' hook asks for them again."""
    token = _written.set(_written.get() | {root.resolve()})
    try:
        yield
    finally:
        _written.reset(token)


def write_site(root: Path) -> Report:
    """Write the pages of every game of a repository below its `site_src/`, only where bytes change.

    A game whose record cannot be read keeps the pages that it had; what is wrong with it stands in the report.
    """
    if root.resolve() in _written.get():
        return Report()
    memory = SiteCache.of(root.resolve())
    views, failed = games_of(root, memory)
    report = write_pages(views, root / SOURCES, failed, memory)
    memory.save()
    return report


def games_of(root: Path, memory: SiteCache | None = None) -> tuple[list[GameView], dict[str, Problem]]:
    """Return the games of a repository as their pages see them, and what is wrong with those that cannot be read.

    What `memory` has read of them stays as it is where it is the same.
    Raises what is wrong where none can be read, though there are some.
    """
    views, failed = [], dict[str, Problem]()
    files = CloneFiles(root)
    folders = [root / "state" / name for name, _ in files.listing("state") if files.kind(f"state/{name}/head.yaml")]
    branch, address, spoken = played_branch(root), site_address(root), site_languages(root)
    for folder in folders:
        try:
            with uncollected(), Session.open(folder) as session:
                view = view_of(session, memory.reading(folder.name) if memory else None)
        except ProblemError as error:
            first = error.problems[0]
            failed[folder.name] = replace(first, message=f"no pages of {folder.name}: {first.message}")
            continue
        views.append(replace(view, branch=branch, alone=len(folders) == 1, address=address,
                             language=spoken.get(folder.name, "")))  # fmt: skip
    if failed and not views:
        raise ProblemError(*failed.values())
    return views, failed


def prepare_site(root: Path, *, trust: bool = False) -> list[str]:
    """Make sure that a repository's site can be made here, and lay what it lacks (see `lay_site`).

    Nothing is written before all that lies there was looked at; with `trust` whoever asks consents to what it may run.
    Raises E-FILE, E-SITE, E-CONSENT.
    """
    require_plain(root)
    if not trust:
        require_consent(root)
    laid = lay_site(root)
    if trust:
        require_consent(root, given=True)
    return laid


def lay_site(root: Path) -> list[str]:
    """Copy the site's configuration, theme and guides into a repository that lacks them; return what was written.

    Where the configuration or the hook that it names is missing, everything that is missing is laid; else a file that
    somebody took away stays away. Raises E-SITE where the engine was installed in parts.
    """
    files, source = CloneFiles(root), scaffold()
    if files.kind(CONFIG) and files.kind(HOOK):
        return []
    missing = [name for name in site_files() if not files.kind(name)]
    for name in sorted(missing, key=lambda name: name in (CONFIG, HOOK)):  # these two say that all is there
        files.write(name, (source / name).read_bytes())
    return missing


def site_files() -> list[str]:
    """Return what a site is built with besides its pages: configuration, hook, theme and guides, as paths."""
    return [CONFIG, HOOK, *_sources(scaffold() / SOURCES)]


def _sources(folder: Path) -> list[str]:
    """Return the hand-written files of a site's sources as paths below the folder around it."""
    generated = {mark.parent for mark in folder.glob("*/.gitignore")} | {folder / INDEX}
    return [
        f"{SOURCES}/{path.relative_to(folder).as_posix()}"
        for path in sorted(folder.rglob("*"))
        if path.is_file() and generated.isdisjoint((path, *path.parents))
    ]
