"""The pages of a game made one after the other, or many of them in several processes at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
from msgspec import Struct

from folkmoot.site import folder_sync, process_pool
from folkmoot.site import page_cache as kept_pages
from folkmoot.site.page_cache import PageCache
from folkmoot.site.page_filling import Site, data_beside
from folkmoot.site.page_model import Sheet
from folkmoot.wording.game_view import GameView

SHARED = 300
"""From how many pages on they are made in several processes: to begin one costs as much as some dozens of pages."""


class Done(msgspec.Struct):
    """What a copy of this process tells of the pages that it made."""

    pages: kept_pages.Told
    files: folder_sync.Told


class PageWorkers(Struct):
    """Makes pages of a game as `kept` has them, and puts them into a `site`."""

    view: GameView
    kept: PageCache
    site: Site

    def make(self, sheets: Sequence[Sheet], *, alone: bool = False) -> None:
        """Make pages; in this process `alone` if it is asked, or if they are few."""
        count = process_pool.processes() if len(sheets) >= SHARED and not alone else 1
        if count > 1:
            known = _one_of_each_kind(sheets)
            self._make(known)
            first = {sheet.path for sheet in known}
            others = [each for each in sheets if each.path not in first]
            sheets = process_pool.share(others, count, self._make, self._told, self._hear)
        self._make(sheets)

    def _make(self, sheets: Iterable[Sheet]) -> None:
        for sheet in sheets:
            self.site.page(self.view, self.kept.leaf(sheet))

    def _told(self, sheets: Sequence[Sheet]) -> bytes:
        paths = [sheet.path for sheet in sheets]
        pages = [self.site.has(self.view, path) for path in paths]
        files = self.site.outputs.told([*pages, *map(data_beside, pages)])
        return msgspec.msgpack.encode(Done(self.kept.told(paths), files))

    def _hear(self, data: bytes) -> None:
        done = msgspec.msgpack.decode(data, type=Done)
        self.kept.hear(done.pages)
        for path in done.pages.notes.made:
            self.site.has(self.view, path)
        self.site.outputs.hear(done.files)


def _one_of_each_kind(sheets: Sequence[Sheet]) -> list[Sheet]:
    """Return a page of each folder: what they look up is then at hand, and found but once."""
    return list({sheet.path.rpartition("/")[0]: sheet for sheet in sheets}.values())
