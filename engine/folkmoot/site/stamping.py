"""The fast way to a site: the base that MkDocs made once, with every page of every game put into a shell.

The reference way is MkDocs over the games' Markdown; both lead to the same pages, which a test compares. What a page
became last time is kept with the digest of what it said, so that a page that says the same is neither filled nor
written again.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterable, Iterator
from hashlib import sha256
from html import escape
from itertools import chain
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from material.plugins.search.plugin import SearchIndex  # type: ignore[import-untyped]

from folkmoot.core.whole_files import write_whole
from folkmoot.site.article import Article, article
from folkmoot.site.base import FRONT_MARK, Base, of_shell
from folkmoot.site.document import Page
from folkmoot.site.render import Game
from folkmoot.site.shells import FOLDER, SOUGHT, shape_of
from folkmoot.wording.game_view import GameView

INDEX, SITEMAP = "search/search_index.json", "sitemap.xml"
KEPT = "pages.json"


class Site:
    """A folder that is made equal to a base with games in it; files that stay the same are not touched."""

    def __init__(self, folder: Path, base: Base, cache: Path) -> None:
        self.folder, self.base, self.notes = folder, base, cache / KEPT
        self.before: dict[str, dict[str, Any]] = {}
        if self.notes.exists():
            kept = json.loads(self.notes.read_text("utf-8"))
            self.before = kept["pages"] if kept["key"] == base.key and kept["site"] == str(folder) else {}
        self.written: list[str] = []
        self.now: dict[str, dict[str, Any]] = {}
        self.search = SearchIndex(lang=None, separator=None, pipeline=None, fields=None)

    def stamp(self, games: Iterable[Game], cards: str) -> list[str]:
        """Make the site; return the paths of the files that were written."""
        wanted = set[str]()
        docs: list[dict[str, Any]] = []
        for path, data in chain(self._all(list(games), cards, docs), self._indexes(docs)):
            wanted.add(path)
            if data is not None:
                self._write(path, data)
        self._clean(wanted)
        kept = {"key": self.base.key, "site": str(self.folder), "pages": self.now}
        write_whole(self.notes, json.dumps(kept).encode())
        return self.written

    def _all(self, games: list[Game], cards: str, docs: list[dict[str, Any]]) -> Iterator[tuple[str, bytes | None]]:
        """Return every file but the indexes, with its bytes, or None where it is known to be as it was."""
        for path in sorted((self.base.folder / "site").rglob("*")):
            name = path.relative_to(self.base.folder / "site").as_posix()
            if path.is_file() and not of_shell(name) and name not in ("index.html", INDEX, SITEMAP, f"{SITEMAP}.gz"):
                yield name, path.read_bytes()
        yield "index.html", self.base.front.replace(FRONT_MARK, SOUGHT.sub("", cards)).encode()
        docs += self._sought("index.html", self.base.front_title, self.base.front_body.replace(FRONT_MARK, cards))
        for game in games:
            for name, text in game.files.items():
                yield f"{game.view.slug}/{name}", text.encode()
            for page in game.pages:
                yield self._page(game.view, page, docs)

    def _page(self, view: GameView, page: Page, docs: list[dict[str, Any]]) -> tuple[str, bytes | None]:
        said = article(view, page, self.base.permalink)
        path = f"{said.path.removesuffix('.md')}.html"
        digest = sha256(repr(said).encode("utf-8", "replace")).hexdigest()
        before = self.before.get(path)
        if before and before["digest"] == digest and _stamp(self.folder / path) == before["stamp"]:
            self.now[path] = before
            docs += before["docs"]
            return path, None
        found = self._sought(path, said.title, said.body, said) if said.searchable else []
        docs += found
        data = self.base.shells[shape_of(page)].filled(said).encode()
        self._write(path, data)
        self.now[path] = {"digest": digest, "stamp": _stamp(self.folder / path), "docs": found}
        return path, None

    def _sought(self, path: str, title: str, body: str, said: Article | None = None) -> list[dict[str, Any]]:
        """Return what the theme's search keeps of a page."""
        anchors = [SimpleNamespace(id=h.anchor, url=f"#{h.anchor}", children=[]) for h in said.headings] if said else []
        self.search.entries = []
        self.search.add_entry_from_context(
            SimpleNamespace(content=body, toc=anchors, url=path, title=title, meta={"title": title})
        )
        return list(self.search.entries)

    def _indexes(self, docs: list[dict[str, Any]]) -> Iterator[tuple[str, bytes]]:
        site = self.base.folder / "site"
        if (site / INDEX).exists():
            index = json.loads((site / INDEX).read_text("utf-8"))
            own = [doc for doc in index["docs"] if doc["location"].partition("#")[0] not in ("index.html", "")]
            index["docs"] = docs + own
            yield INDEX, json.dumps(index, separators=(",", ":")).encode()
        if self.base.address and (site / SITEMAP).exists():
            text = _mapped((site / SITEMAP).read_text("utf-8"), self.base.address, sorted(self.now))
            yield SITEMAP, text.encode()
            yield f"{SITEMAP}.gz", gzip.compress(text.encode(), mtime=0)

    def _write(self, path: str, data: bytes) -> None:
        target = self.folder / path
        if not target.is_file() or target.read_bytes() != data:
            write_whole(target, data)
            self.written.append(path)

    def _clean(self, wanted: set[str]) -> None:
        for path in sorted(self.folder.rglob("*"), reverse=True):
            name = path.relative_to(self.folder).as_posix()
            if path.is_dir() and not path.is_symlink():
                if not any(path.iterdir()):
                    path.rmdir()
            elif name not in wanted:
                path.unlink()


def _stamp(path: Path) -> list[int]:
    """Return what changes when a file is written: when it was, in nanoseconds, and its size."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return []
    return [found.st_mtime_ns, found.st_size]


def _mapped(text: str, address: str, paths: list[str]) -> str:
    """Return a map of the site without its shells and with the pages of games."""
    start, *urls = text.removesuffix("</urlset>").split("<url>")
    kept = [url for url in urls if f"{address}{FOLDER}" not in url]
    dated = re.search("<lastmod>.*?</lastmod>", text)
    made = f"\n         <loc>%s</loc>\n         {dated[0] if dated else ''}\n    </url>\n    "
    return "<url>".join([start, *kept, *(made % escape(address + path) for path in paths)]).rstrip() + "\n</urlset>"
