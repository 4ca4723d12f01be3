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
from typing import Any

from folkmoot.core.whole_files import write_whole
from folkmoot.site.article import article
from folkmoot.site.base import FRONT_MARK, Base, of_shell
from folkmoot.site.document import Page
from folkmoot.site.render import Game
from folkmoot.site.searching import FOLDER as SOUGHT
from folkmoot.site.shells import FOLDER, shape_of
from folkmoot.wording.game_view import GameView

SITEMAP = "sitemap.xml"
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

    def stamp(self, games: Iterable[Game], cards: str) -> list[str]:
        """Make the site; return the paths of the files that were written."""
        wanted = set[str]()
        for path, data in chain(self._all(list(games), cards), self._map()):
            wanted.add(path)
            if data is not None:
                self._write(path, data)
        self._clean(wanted)
        kept = {"key": self.base.key, "site": str(self.folder), "pages": self.now}
        write_whole(self.notes, json.dumps(kept).encode())
        return self.written

    def _all(self, games: list[Game], cards: str) -> Iterator[tuple[str, bytes | None]]:
        """Return every file but the map of the site, with its bytes, or None where it is known to be as it was."""
        for path in sorted((self.base.folder / "site").rglob("*")):
            name = path.relative_to(self.base.folder / "site").as_posix()
            if path.is_file() and not of_shell(name) and name not in ("index.html", SITEMAP, f"{SITEMAP}.gz"):
                yield name, path.read_bytes()
        yield "index.html", self.base.front.replace(FRONT_MARK, cards).encode()
        for game in games:
            for name, text in game.files.items():
                yield f"{game.view.slug}/{name}", text.encode()
            for page in game.pages:
                yield self._page(game.view, page)

    def _page(self, view: GameView, page: Page) -> tuple[str, bytes | None]:
        said = article(view, page, self.base.permalink)
        path = f"{said.path.removesuffix('.md')}.html"
        digest = sha256(repr(said).encode("utf-8", "replace")).hexdigest()
        before = self.before.get(path)
        if before and before["digest"] == digest and _stamp(self.folder / path) == before["stamp"]:
            self.now[path] = before
            return path, None
        data = self.base.shells[shape_of(page)].filled(said).encode()
        self._write(path, data)
        self.now[path] = {"digest": digest, "stamp": _stamp(self.folder / path)}
        return path, None

    def _map(self) -> Iterator[tuple[str, bytes]]:
        site = self.base.folder / "site"
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
            elif name not in wanted and not name.startswith(f"{SOUGHT}/"):
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
