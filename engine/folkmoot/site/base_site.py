"""The base of a site: what MkDocs makes of everything that no game wrote, and a frame for each depth of a game's pages.

It is made once and kept below `build/` for as long as the configuration, the theme and the hand-written pages stay the
same; a site is that base with the games' pages put into its frames.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from secrets import token_hex
from typing import Any

from mkdocs.commands.build import build as build_with_mkdocs
from mkdocs.config.defaults import MkDocsConfig
from msgspec import Struct

from folkmoot.core.clone_files import CloneFiles, is_machines
from folkmoot.core.packaged import SOURCES
from folkmoot.core.problems import Position, Problem, ProblemError
from folkmoot.site.consent import load, require_consent
from folkmoot.site.frames import Frame, Frames, read_frames
from folkmoot.site.output import engine

NOTES = "base/base.json"


class Base(Struct, frozen=True):
    """A base as it lies in the folder `site`: its frames, and the front page with marks of a `token` in it.

    `address` is the site's, `about` what its settings say of it; both may be "".
    """

    site: Path
    key: str
    frames: Mapping[int, Frame]
    front: str
    token: str
    address: str
    about: str

    @property
    def files(self) -> CloneFiles:
        """Return the files that MkDocs made."""
        return CloneFiles.around(self.site)


def base_of(config_file: Path, cache: Path, front: str) -> Base:
    """Return the base of a site with the Markdown of its `front` page, made anew where it is not in `cache`.

    Raises E-SITE with everything that MkDocs warns of.
    """
    key = _key(config_file, front)
    folder, files = cache / "base", CloneFiles.around(cache)
    notes = _noted(files)
    if (notes.get("key"), notes.get("files")) != (key, _digest_below(files)):
        files.remove_tree("base")
        made = _made(config_file, folder / "site", Frames(front, key[:32]))
        files.write(".gitignore", b"*\n")
        notes = {"key": key, "files": _digest_below(files), **made}
        files.write(NOTES, json.dumps(notes).encode())
    return read_base(folder / "site", key, **{name: notes[name] for name in ("token", "address", "about")})


def read_base(site: Path, key: str, token: str, address: str, about: str) -> Base:
    """Return a base that MkDocs made in a folder, with marks of this token."""
    files = CloneFiles.around(site)
    front = files.read_text("index.html") or ""
    return Base(site, key, read_frames(files, token), front, token, address, about)


def told_of(config: MkDocsConfig, frames: Frames) -> dict[str, str]:
    """Return what is to be known of a base beside its files."""
    return {"token": frames.token, "address": config.site_url or "", "about": config.site_description or ""}


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


def _key(config_file: Path, front: str) -> str:
    said = [engine(), front]
    if require_consent(config_file.parent):  # a hook or plugin may make something else each time
        said.append(token_hex(16))
    files = CloneFiles(config_file.parent)
    said += _digests(files, [config_file.name, *files.walk(SOURCES)])
    return sha256("\n".join(said).encode()).hexdigest()


def _made(config_file: Path, site: Path, frames: Frames) -> dict[str, str]:
    with _heard() as warnings:
        try:
            config = load(config_file, site)
            config.plugins["folkmoot"] = frames
            config.plugins.on_startup(command="build", dirty=False)
            try:
                build_with_mkdocs(config)
            finally:
                config.plugins.on_shutdown()
        except (Exception, SystemExit) as error:  # a theme may fail in any way on what it is set to
            if isinstance(error, ProblemError | MemoryError) or is_machines(error):
                raise
            raise _unbuilt(config_file, error, warnings) from error
    return told_of(config, frames)


class _Ear(logging.Handler):
    """Keeps what MkDocs warns of."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one warning."""
        self.said.append(" ".join(record.getMessage().split()))


@contextmanager
def _heard() -> Iterator[list[str]]:
    ear, logger = _Ear(), logging.getLogger("mkdocs")
    logger.addHandler(ear)
    try:
        yield ear.said
    finally:
        logger.removeHandler(ear)


def _unbuilt(config_file: Path, error: BaseException, warnings: list[str]) -> ProblemError:
    said = " ".join(str(error).split()) or "MkDocs gave up"
    where = Position(config_file.as_posix())
    first = Problem("E-SITE", f"the site could not be built: {said}", where)
    return ProblemError(first, *(Problem("E-SITE", warning, where) for warning in warnings))
