"""What a repository has before its site is made: theme, guides, consent, and nothing that a build would write over.

Where a build writes, git tracks nothing.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from folkmoot.core.clone_files import LARGEST, CloneFiles
from folkmoot.core.packaged import CONFIG, HOOK, SOURCES, scaffold
from folkmoot.core.problems import Position, fail
from folkmoot.journal.git_library import pygit2
from folkmoot.journal.repositories import find_repository
from folkmoot.site.configuration import CACHE, OUTPUT, require_consent, setting
from folkmoot.site.search import FOLDER as SOUGHT


def prepare_site(root: Path, *, trust: bool = False) -> list[str]:
    """Make sure that a repository's site can be made here, and lay what it lacks (see `lay_site`).

    Nothing is changed before all that lies there was looked at; with `trust` whoever asks consents to what it may run.
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
    source = scaffold()
    paths = sorted(path for path in (source / SOURCES).rglob("*") if path.is_file())
    return [CONFIG, HOOK, *(path.relative_to(source).as_posix() for path in paths)]


# -- what a build may write over

INDEX, FRONT = "index.md", "front.md"


def claim(site_src: Path, games: Iterable[str]) -> None:
    """Make sure that neither a hand-written page nor the search lies where one of a game, or the front page, is to be.

    Raises E-SITE.
    """
    files = CloneFiles.around(site_src)
    nested = setting(site_src.parent, "use_directory_urls") != "false"
    for game in games:
        if files.kind(game) or game == SOUGHT or (nested and files.kind(f"{game}.md")):
            message = "a game has the name of this folder, which is none of its pages"
            raise fail("E-SITE", message, Position((site_src / game).as_posix()), "rename the game or move the pages")
    if files.kind(INDEX):
        message = f"the page in front of all games is made of {FRONT}, and this one stands in its place"
        raise fail("E-SITE", message, Position((site_src / INDEX).as_posix()), f"move what it says to {FRONT}")


def require_plain(root: Path) -> None:
    """Look at what a site is made of, where it is built, and what is kept of the last time, before anything is.

    Raises E-FILE where a link, a device or a file of many bytes lies there, and E-SITE where git tracks what a build
    would write over.
    """
    files = CloneFiles(root)
    for folder in (SOURCES, OUTPUT, CACHE):
        _look(files, folder)
    for name in (OUTPUT, CACHE):
        for path in tracked_below(root / name):
            message = "git tracks this file, which the build of the site would write over or remove"
            place = Position(f"{name}/{path}".rstrip("/"))
            raise fail("E-SITE", message, place, f"`git rm -r --cached {name}`, if it is yours")


def _look(files: CloneFiles, folder: str) -> None:
    for name, kind in files.listing(folder):
        path = f"{folder}/{name}"
        if kind == "folder":
            _look(files, path)
        elif kind == "other" or (folder.startswith(SOURCES) and (it := files.stat(path)) and it.st_size > LARGEST):
            files.read(path)  # which says what is wrong


def tracked_below(path: Path) -> list[str]:
    """Return what git tracks below a folder, as paths in it; "" is a file of that name. Raises E-GIT."""
    files = CloneFiles.around(path)
    base = Path(os.path.relpath(path, files.root)).as_posix()
    try:
        repo = find_repository(files.root)
        paths = [entry.path for entry in repo.index] if repo else []
    except pygit2.GitError as error:
        hint = "`git fsck` says what is damaged"
        raise fail("E-GIT", f"what git tracks cannot be read: {error}", Position(str(files.root)), hint) from None
    return [each[len(base) + 1 :] for each in paths if f"{each}/".startswith(f"{base}/")]
