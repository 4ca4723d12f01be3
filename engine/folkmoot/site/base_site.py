"""The base of a site: what MkDocs makes of everything that no game wrote, and a shell for each shape of a game's pages.

It is made once and kept below `build/` for as long as the configuration, the theme and the hand-written pages stay the
same; a site is that base with the games' pages put into its shells.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

from mkdocs.commands.build import build as build_with_mkdocs
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import BasePlugin
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page as DocumentPage
from msgspec import Struct

from folkmoot.core.clone_files import CloneFiles
from folkmoot.core.packaged import SOURCES
from folkmoot.site.consent import load
from folkmoot.site.generated import INDEX
from folkmoot.site.page_cache import engine
from folkmoot.site.page_shells import FOLDER, SHAPES, Shape, Shell, UnfitError, read_shell
from folkmoot.site.policy import with_digests
from folkmoot.site.relocatable import settle
from folkmoot.site.searching import without_index

FRONT_MARK = '<div class="fm">fmshellcards</div>'
MAKERS = ("folkmoot", "mkdocs", "mkdocs-material", "markdown", "pymdown-extensions", "jinja2", "pygments")
FORMAT = 3
NOTES = "base/base.json"


class Base(Struct, frozen=True):
    """A base as it lies in `folder`: its shells, the link behind headings, the front page with a mark for its cards.

    There is a shell of each shape that the theme draws so that it can be filled. `front` is the whole front page;
    `address` is the site's, or "".
    """

    folder: Path
    key: str
    shells: Mapping[Shape, Shell]
    permalink: str
    front: str
    address: str

    @property
    def files(self) -> CloneFiles:
        """Return the files that MkDocs made."""
        return CloneFiles.around(self.folder / "site")


def fits(config: MkDocsConfig) -> bool:
    """Return whether a configuration is one whose pages can be stamped: nothing of somebody else's takes part."""
    return not (config.hooks or config.plugins or config.use_directory_urls or config.extra_templates)


def base_of(config_file: Path, cache: Path, generated: Collection[str], front: str) -> Base:
    """Return the base of a site, made anew where it is not in `cache`.

    `front` is the Markdown of the front page with its mark in it, `generated` the names of the
    folders that games' pages lie in.
    Raises UnfitError where the theme's pages cannot be filled, and what MkDocs raises.
    """
    key = _key(config_file, generated, front)
    folder, files = cache / "base", CloneFiles.around(cache)
    notes = _noted(files)
    if (notes.get("key"), notes.get("files")) != (key, _digest_below(files)):
        files.remove_tree("base")
        made = _made(config_file, folder / "site", generated, front)
        files.write(".gitignore", b"*\n")
        notes = {"key": key, "files": _digest_below(files), **made}
        files.write(NOTES, json.dumps(notes).encode())
    return _read(folder, notes, key)


def _noted(files: CloneFiles) -> dict[str, Any]:
    """Return what is noted of a base, nothing where that cannot be read."""
    try:
        found = json.loads(files.read(NOTES) or b"")
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _digest_below(files: CloneFiles) -> str:
    """Return a digest of all files of a base: one that lost or changed one is no base."""
    return sha256("\n".join(_digests(files, files.walk("base/site"))).encode()).hexdigest()


def _digests(files: CloneFiles, paths: Iterable[str]) -> list[str]:
    return [f"{path!a} {sha256(files.read(path) or b'').hexdigest()}" for path in paths]


def _key(config_file: Path, generated: Collection[str], front: str) -> str:
    said = [str(FORMAT), engine().hex(), *(f"{name} {version(name)}" for name in MAKERS), repr(SHAPES), front]
    files, ours = CloneFiles(config_file.parent), {*generated, INDEX}
    written = (path for path in files.walk(SOURCES) if path.split("/")[1] not in ours)
    said += _digests(files, [config_file.name, *written])
    return sha256("\n".join(said).encode()).hexdigest()


class _Shells(BasePlugin):  # type: ignore[type-arg, no-untyped-call]
    """Leaves the games' own files out and puts shells in."""

    def __init__(self, generated: Collection[str], front: str) -> None:
        self.folders, self.front = generated, front

    def on_files(self, files: Files, /, *, config: MkDocsConfig) -> Files:
        """Put shells in the place of games."""
        for file in list(files):
            if file.src_uri.partition("/")[0] in self.folders:
                files.remove(file)
        for shape in SHAPES:
            files.append(File.generated(config, shape.path, content=shape.markdown()))
        return files

    def on_page_read_source(self, /, *, page: DocumentPage, config: MkDocsConfig) -> str | None:  # noqa: ARG002
        """Read the front page as it is without games."""
        return self.front if page.file.src_uri == "index.md" else None

    def on_post_page(self, output: str, /, *, page: DocumentPage, config: MkDocsConfig) -> str:  # noqa: ARG002
        """Let a page run the theme's own scripts and no other ones."""
        return with_digests(output)


def _made(config_file: Path, site: Path, generated: Collection[str], front: str) -> dict[str, Any]:
    config = load(config_file, site)
    plugin = _Shells(generated, front)
    config.plugins["folkmoot"] = plugin
    config.plugins.on_startup(command="build", dirty=False)
    try:
        with without_index():  # MkDocs' hook asks for one
            build_with_mkdocs(config)
    finally:
        config.plugins.on_shutdown()
    if config.site_url:
        settle(site, config.site_url)
    return {"address": config.site_url or ""}


def _read(folder: Path, notes: Mapping[str, Any], key: str) -> Base:
    files, shells, permalink = CloneFiles.around(folder / "site"), {}, ""
    for shape in SHAPES:
        with suppress(UnfitError):  # of a shape that no page may ever have
            page = files.read_text(f"{shape.path.removesuffix('.md')}.html") or ""
            shells[shape], link = read_shell(shape, page)
            permalink = link or permalink
    if not shells:
        raise UnfitError("the theme draws no page so that it could be filled")
    front = files.read_text("index.html") or ""
    if front.count(FRONT_MARK) != 1:
        raise UnfitError("the theme draws the front page in another way")
    return Base(folder, key, shells, permalink, front, notes["address"])


def of_shell(path: str) -> bool:
    """Return whether a path below a site is that of a shell, which is no part of the site."""
    return path.startswith(FOLDER)
