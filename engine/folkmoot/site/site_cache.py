"""What a repository's site remembers from one time that it is published to the next, in one process and beyond."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from pathlib import Path

from folkmoot.core.clone_files import CloneFiles
from folkmoot.core.packaged import CONFIG, SOURCES
from folkmoot.site.base_site import Base, base_of, fits
from folkmoot.site.consent import load
from folkmoot.site.folder_sync import FolderSync
from folkmoot.site.generated import CACHE
from folkmoot.site.incremental_reading import Reading
from folkmoot.site.page_cache import PageCache
from folkmoot.site.page_filling import Site
from folkmoot.site.page_shells import UnfitError

Stamp = tuple[str, int, int]


class SiteCache:
    """What is known of the games' pages and of the site made of them; `folder` keeps it, None does not."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        self._kept: dict[str, PageCache] = {}
        self._readings: dict[str, Reading] = {}
        self._sources: dict[Path, FolderSync] = {}
        self._site: Site | None = None
        self._base: tuple[object, Base | None] | None = None

    @classmethod
    def of(cls, root: Path) -> SiteCache:
        """Return the memory of a repository."""
        return cls(root / CACHE)

    def reading(self, slug: str) -> Reading:
        """Return what was read of a game."""
        return self._readings.setdefault(slug, Reading())

    def kept(self, slug: str) -> PageCache:
        """Return what was made of a game."""
        if slug not in self._kept:
            self._kept[slug] = PageCache(self.folder / f"{slug}.kept" if self.folder else None)
        return self._kept[slug]

    def sources(self, folder: Path) -> FolderSync:
        """Return the folder of a game's Markdown."""
        if folder not in self._sources:
            notes = self.folder / f"{folder.name}.notes" if self.folder else None
            self._sources[folder] = FolderSync(folder, notes)
        return self._sources[folder]

    def forget(self, slug: str) -> None:
        """Forget a game that is no more."""
        self._kept.pop(slug, None)
        self._readings.pop(slug, None)
        for folder in [folder for folder in self._sources if folder.name == slug]:
            del self._sources[folder]
        if self.folder:
            for ending in ("kept", "notes"):
                CloneFiles.around(self.folder).remove(f"{slug}.{ending}")

    def site(self, root: Path, folder: Path, generated: Collection[str], front: str) -> Site | None:
        """Return the site of a repository in a folder; None where it cannot be made in the fast way.

        Raises what MkDocs raises.
        """
        assert self.folder is not None, "a site is made of what is kept"
        seen = (tuple(_stamps(root, generated)), frozenset(generated), front)
        if self._base is None or self._base[0] != seen:
            self._base = seen, _base(root, self.folder, generated, front)
        base = self._base[1]
        if base is None:
            return None
        if self._site is None or (self._site.folder, self._site.base.key) != (folder, base.key):
            self._site = Site(folder, base, self.folder)
        return self._site

    def save(self) -> None:
        """Write what the next process begins with."""
        if self.folder is None:
            return
        CloneFiles.around(self.folder).write(".gitignore", b"*\n")
        for kept in self._kept.values():
            kept.save()
        for outputs in (*self._sources.values(), *([self._site.outputs] if self._site else ())):
            outputs.save()


def _base(root: Path, cache: Path, generated: Collection[str], front: str) -> Base | None:
    config_file = root / CONFIG
    try:
        return base_of(config_file, cache, generated, front) if fits(load(config_file)) else None
    except UnfitError:
        return None


def _stamps(root: Path, generated: Collection[str]) -> Iterator[Stamp]:
    """Yield the files that a base is made of, with when each was written and its size."""
    yield _stamp(root / CONFIG)
    for top, folders, names in os.walk(root / SOURCES):
        if top == str(root / SOURCES):
            folders[:] = [name for name in folders if name not in generated]
        folders.sort()
        yield from (
            _stamp(Path(top, name)) for name in sorted(names) if not (name == "index.md" and top == str(root / SOURCES))
        )


def _stamp(path: Path) -> Stamp:
    try:
        found = path.stat()
    except OSError:
        return str(path), -1, -1
    return str(path), found.st_mtime_ns, found.st_size
