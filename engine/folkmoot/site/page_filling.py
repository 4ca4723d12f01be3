"""A site: the base that MkDocs made, with every page of every game put into a frame.

A page that says what it said is neither filled nor written again.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Container, Mapping, Sequence
from functools import partial
from html import escape
from itertools import filterfalse
from pathlib import Path

from folkmoot.site.base_site import Base
from folkmoot.site.changed_facts import digest_of
from folkmoot.site.folder_sync import FolderSync
from folkmoot.site.frames import FOLDER, is_frame, site_path
from folkmoot.site.page_cache import Bundle, Leaf
from folkmoot.site.page_json import encoded, path_of
from folkmoot.site.relocatable import MISSING, settled_page
from folkmoot.site.search import FOLDER as SOUGHT
from folkmoot.wording.game_view import GameView

SITEMAP = "sitemap.xml"
KEPT = "site.notes"


class Site:
    """A folder that is made equal to a base with games in it. First `begin`, then pages and files, then `end`."""

    def __init__(self, folder: Path, base: Base, cache: Path | None = None) -> None:
        """Take the folder of a site and what it is made of; what is known of it is kept in `cache`."""
        self.folder, self.base = folder, base
        self.outputs = FolderSync(folder, cache / KEPT if cache else None, base.key, spared=SOUGHT)
        self._pages: dict[str, dict[str, str]] = {}  # of each game, the file of each page
        self._runs: dict[str, int] = {}
        self._mapped_as: Sequence[str] = ()  # the pages of which the map is made, none where others came or went
        self._map_digest = b""
        self._kept_only: dict[str, Container[str]] = {}  # of each game what `keep_only` was told the last time

    def begin(self, games: Mapping[str, int]) -> bool:
        """Begin a run with these games, after as many runs of each; return whether what is there may stay.

        Then only what is new or changed is to be put, and what is gone dropped.
        """
        self.outputs.begin()
        if self._runs != games:
            self.outputs.doubt()
        self._runs = {game: runs + 1 for game, runs in games.items()}
        if self.outputs.go_on():
            return True
        self._pages, self._mapped_as, self._kept_only = {game: {} for game in games}, (), {}
        return False

    def page(self, view: GameView, leaf: Leaf) -> None:
        """Have a page of a game in the site."""
        path = self.has(view, leaf.path)
        self.outputs.put(path, leaf.digest, partial(self._filled, leaf))
        self.outputs.put(data_beside(path), leaf.digest, lambda: encoded(leaf.page().data))

    def has(self, view: GameView, page: str) -> str:
        """Count a page among those of the site; return the path of its file."""
        path = f"{view.slug}/{page.removesuffix('.md')}.html"
        if page not in self._pages[view.slug]:
            self._pages[view.slug][page] = path
            self._mapped_as = ()
        return path

    def keep_only(self, game: str, pages: Container[str]) -> None:
        """Have no longer what is none of the pages of a game."""
        known = self._pages[game]
        if pages is self._kept_only.get(game):  # the same collection as in the last run
            return
        self._kept_only[game] = pages
        for page in [*filterfalse(pages.__contains__, known)]:
            path = known.pop(page)
            self.outputs.drop(path)
            self.outputs.drop(data_beside(path))
            self._mapped_as = ()

    def _filled(self, leaf: Leaf) -> bytes:
        page = leaf.page()
        return self.base.frames[site_path(page).count("/")].filled(page, self.base.about).encode()

    def keep_all(self, game: str) -> None:
        """Have all that is known of a game that cannot be read now."""
        self.outputs.keep_below(game)

    def files(self, slug: str, bundle: Bundle) -> None:
        """Have files of a game in the site that are no pages."""
        self.outputs.put_all(f"{slug}/{bundle.name}", bundle.digest, partial(bundle.under, f"{slug}/"))

    def end(self, cards: str, example: str) -> None:
        """Have all else in the site: the hand-written pages, the front page with what is put into it, the map."""
        digest = bytes.fromhex(self.base.key)
        self.outputs.put_all("", digest, self._base)
        self.outputs.put("index.html", digest_of([self.base.key, cards, example]), partial(self._front, cards, example))
        self._map()
        if self.base.files.kind(MISSING):
            folders = (name for name, kind in self.base.files.listing() if kind == "folder" and not is_frame(name))
            tops = sorted({*self._pages, *folders, SOUGHT})
            self.outputs.put(MISSING, digest_of([self.base.key, tops]), partial(self._missing, tops))
        self.outputs.end()

    def _front(self, cards: str, example: str) -> bytes:
        front = self.base.front.replace(f"{self.base.token}cards", cards)
        return front.replace(f"{self.base.token}example", example).encode()

    def _missing(self, folders: list[str]) -> bytes:
        text = self.base.files.read_text(MISSING) or ""
        return settled_page(self.base.site, text, folders, self.base.address).encode()

    def _base(self) -> dict[str, bytes]:
        """Return every file of the base but those that say something of the games, and its own search."""
        apart = {"index.html", SITEMAP, f"{SITEMAP}.gz", MISSING}
        return {
            name: self.base.files.read(name) or b""
            for name in self.base.files.walk()
            if not is_frame(name) and name not in apart and not name.startswith(f"{SOUGHT}/")
        }

    def _map(self) -> None:
        base = self.base.files.read_text(SITEMAP) if self.base.address else None
        if base is not None:
            if not self._mapped_as:
                self._mapped_as = sorted(path for each in self._pages.values() for path in each.values())
                self._map_digest = digest_of([self.base.key, self._mapped_as])
            self.outputs.put_all(SITEMAP, self._map_digest, partial(self._mapped, base, self._mapped_as))

    def _mapped(self, base: str, pages: Sequence[str]) -> dict[str, bytes]:
        text = _mapped(base, self.base.address, pages).encode()
        return {SITEMAP: text, f"{SITEMAP}.gz": gzip.compress(text, mtime=0)}


def data_beside(path: str) -> str:
    """Return where the data of a page lies, by the path of its file.

    >>> data_beside("tea/law/203.html")
    'tea/data/law/203.json'
    """
    game, _, page = path.partition("/")
    return f"{game}/{path_of(page)}"


def _mapped(text: str, address: str, paths: Sequence[str]) -> str:
    """Return a map of the site without its frames and with the pages of games."""
    start, *urls = text.removesuffix("</urlset>").split("<url>")
    kept = [url for url in urls if f"{address}{FOLDER}" not in url]
    dated = re.search("<lastmod>.*?</lastmod>", text)
    made = f"\n         <loc>%s</loc>\n         {dated[0] if dated else ''}\n    </url>\n    "
    return "<url>".join([start, *kept, *(made % escape(address + path) for path in paths)]).rstrip() + "\n</urlset>"
