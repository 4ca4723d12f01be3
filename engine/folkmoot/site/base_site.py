"""The base of a site: what MkDocs makes of everything that no game wrote, and a shell for each shape of a game's pages.

It is made once and kept below `build/` for as long as the configuration, the theme and the hand-written pages stay the
same; a site is that base with the games' pages put into its shells.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Collection, Mapping
from contextlib import suppress
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

from mkdocs.commands.build import build as build_with_mkdocs
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import BasePlugin
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page as DocumentPage
from msgspec import Struct

from folkmoot.core.atomic_files import write_whole
from folkmoot.core.packaged import HOOK, SOURCES
from folkmoot.site.page_cache import engine
from folkmoot.site.page_shells import FOLDER, SHAPES, Shape, Shell, UnfitError, read_shell
from folkmoot.site.policy import with_digests
from folkmoot.site.relocatable import settle
from folkmoot.site.searching import without_index

FRONT_MARK = '<div class="fm">fmshellcards</div>'
MAKERS = ("folkmoot", "mkdocs", "mkdocs-material", "markdown", "pymdown-extensions", "jinja2", "pygments")
FORMAT = 3
NOTES = "base.json"


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


def fits(config: MkDocsConfig) -> bool:
    """Return whether a configuration is one whose pages can be stamped: nothing of somebody else's takes part."""
    hooks = [str(Path(str(name)).as_posix()) for name in config.hooks]
    plugins = {str(name) for name in config.plugins} - set(hooks)
    known = all(name.endswith(HOOK) for name in hooks) and not plugins
    return known and not config.use_directory_urls and not config.extra_templates


def base_of(config_file: Path, cache: Path, generated: Collection[str], front: str) -> Base:
    """Return the base of a site, made anew where it is not in `cache`.

    `front` is the Markdown of the front page with its mark in it, `generated` the names of the
    folders that games' pages lie in.
    Raises UnfitError where the theme's pages cannot be filled, and what MkDocs raises.
    """
    key = _key(config_file, generated, front)
    folder = cache / "base"
    notes = _noted(folder)
    if (notes.get("key"), notes.get("files")) != (key, _digest_below(folder / "site")):
        shutil.rmtree(folder, ignore_errors=True)
        made = _made(config_file, folder / "site", generated, front)
        write_whole(cache / ".gitignore", b"*\n")
        notes = {"key": key, "files": _digest_below(folder / "site"), **made}
        write_whole(folder / NOTES, json.dumps(notes).encode())
    return _read(folder, notes, key)


def _noted(folder: Path) -> dict[str, Any]:
    """Return what is noted of a base, nothing where that cannot be read."""
    try:
        found = json.loads((folder / NOTES).read_bytes())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _digest_below(folder: Path) -> str:
    """Return a digest of all files below a folder: a base that lost or changed one is no base."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    said = "\n".join(f"{path.relative_to(folder).as_posix()} {_digest(path)}" for path in files)
    return sha256(said.encode()).hexdigest()


def _key(config_file: Path, generated: Collection[str], front: str) -> str:
    said = [str(FORMAT), engine().hex(), *(f"{name} {version(name)}" for name in MAKERS), repr(SHAPES), front]
    sources = config_file.parent / SOURCES
    ours = {*generated, "index.md"}
    written = (path for path in sorted(sources.rglob("*")) if path.relative_to(sources).parts[0] not in ours)
    files = (path for path in (config_file, config_file.parent / HOOK, *written) if path.is_file())
    said += [f"{path.relative_to(config_file.parent).as_posix()} {_digest(path)}" for path in files]
    return sha256("\n".join(said).encode()).hexdigest()


def _digest(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()


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
    config = load_config(str(config_file), site_dir=str(site))
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
    site, shells, permalink = folder / "site", {}, ""
    for shape in SHAPES:
        with suppress(UnfitError):  # of a shape that no page may ever have
            shells[shape], link = read_shell(shape, (site / shape.path).with_suffix(".html").read_text("utf-8"))
            permalink = link or permalink
    if not shells:
        raise UnfitError("the theme draws no page so that it could be filled")
    front = (site / "index.html").read_text("utf-8")
    if front.count(FRONT_MARK) != 1:
        raise UnfitError("the theme draws the front page in another way")
    return Base(folder, key, shells, permalink, front, notes["address"])


def of_shell(path: str) -> bool:
    """Return whether a path below a site is that of a shell, which is no part of the site."""
    return path.startswith(FOLDER)
