"""What a repository's site remembers from one time that it is published to the next, in one process and beyond."""

from __future__ import annotations

import os
from collections.abc import Container, Iterator
from pathlib import Path

from folkmoot.core.clone_files import CloneFiles
from folkmoot.core.packaged import CONFIG, SOURCES
from folkmoot.site.base_site import Base, base_of
from folkmoot.site.consent import require_consent
from folkmoot.site.generated import CACHE
from folkmoot.site.incremental_reading import Reading
from folkmoot.site.page_cache import PageCache
from folkmoot.site.page_filling import Site

Stamp = tuple[str, int, int]


class SiteCache:
    """What is known of the games' pages and of the site made of them; `folder` keeps it, None does not."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        self._kept: dict[str, PageCache] = {}
        self._readings: dict[str, Reading] = {}
        self._site: Site | None = None
        self._base: tuple[object, Base] | None = None

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

    def forget_others(self, slugs: Container[str]) -> None:
        """Forget games that are no more."""
        kept = CloneFiles.around(self.folder) if self.folder else None
        named = (name.removesuffix(".kept") for name, _ in (kept.listing() if kept else ()) if name.endswith(".kept"))
        for slug in [slug for slug in {*named, *self._kept, *self._readings} if slug not in slugs]:
            self._kept.pop(slug, None)
            self._readings.pop(slug, None)
            if kept:
                kept.remove(f"{slug}.kept")

    def site(self, root: Path, folder: Path, front: str) -> Site:
        """Return the site of a repository in a folder, with the Markdown of its `front` page.

        Raises E-SITE where MkDocs cannot build it.
        """
        assert self.folder is not None, "a site is made of what is kept"
        seen = (tuple(_stamps(root)), front)
        if self._base is None or self._base[0] != seen or require_consent(root):
            self._base = seen, base_of(root / CONFIG, self.folder, front)
        base = self._base[1]
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
        if self._site:
            self._site.outputs.save()


def _stamps(root: Path) -> Iterator[Stamp]:
    """Yield the files that a base is made of, with when each was written and its size."""
    yield _stamp(root / CONFIG)
    for top, folders, names in os.walk(root / SOURCES):
        folders.sort()
        yield from (_stamp(Path(top, name)) for name in sorted(names))


def _stamp(path: Path) -> Stamp:
    try:
        found = path.stat()
    except OSError:
        return str(path), -1, -1
    return str(path), found.st_mtime_ns, found.st_size
