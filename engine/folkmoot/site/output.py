"""The folder of a site, made equal to what is published: a file whose digest is the one listed is not even made.

The list lies in the folder itself, so whoever has a published site has all that the next build needs to know of it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

import folkmoot
from folkmoot.core.clone_files import CloneFiles

LIST = "digests.json"
MAKERS = (
    "folkmoot", "mkdocs", "mkdocs-material", "markdown", "pymdown-extensions", "jinja2", "minijinja", "markdown-it-py",
    "mdit-py-plugins", "nh3", "pygments", "resvg-py", "icalendar", "feedgenerator", "tzdata",
)  # fmt: skip
"""What makes a site, as packages whose release counts."""


class Listed(Struct, array_like=True):
    """A file of the site: the digest of all that it was made of, and its size in bytes."""

    digest: str
    size: int


class Digests(Struct):
    """Every file of a site; `look` is the digest of the engine, templates and settings that all are made with."""

    look: str
    files: dict[str, Listed]


class Output:
    """A folder of files by their paths below it: `has` or `put` each that is to be there, then `end`."""

    def __init__(self, folder: Path, look: str, spared: str = "") -> None:
        """Take a folder; with another `look` than that of its list all is made again. What is `spared` stays."""
        self.folder, self.look, self.spared = folder, look, spared
        self.files = CloneFiles.around(folder)
        self._there = dict(_sizes(folder, spared))
        listed = _read(self.files)
        self._listed = listed.files if listed and listed.look == look else {}
        self._wanted: dict[str, Listed] = {}
        self.written: list[str] = []
        self.removed: list[str] = []

    @property
    def unchanged(self) -> int:
        """How many files stayed as they were."""
        return len(self._wanted) - len(self.written)

    def has(self, path: str, digest: str) -> bool:
        """Return whether a file that is to be there was made of what has this digest, and is as long as it was."""
        known = self._listed.get(path)
        if known is None or known.digest != digest or self._there.get(path) != known.size:
            return False
        self._wanted[path] = known
        return True

    def put(self, path: str, digest: str, data: bytes) -> None:
        """Have a file; one that has these bytes is not touched."""
        if self._there.get(path) != len(data) or self.files.read(path) != data:
            if not self.written:  # a run that is cut short leaves no list that could be wrong
                self.files.remove(LIST)
            self.files.write(path, data)
            self.written.append(path)
        self._wanted[path] = Listed(digest, len(data))

    def put_bytes(self, path: str, data: bytes) -> None:
        """Have a file that is made each time; see `put`."""
        digest = digest_of(data)
        if not self.has(path, digest):
            self.put(path, digest, data)

    def keep_below(self, folder: str) -> None:
        """Have all that lies below a folder as it is."""
        for path, size in self._there.items():
            if path.startswith(f"{folder}/"):
                self._wanted[path] = self._listed.get(path) or Listed("", size)

    def end(self, *, listed: bool = True) -> None:
        """Remove what is not to be there, and list what is."""
        if listed:
            found = Digests(self.look, dict(sorted(self._wanted.items())))
            data = msgspec.json.encode(found)
            if self.files.read(LIST) != data:
                self.files.write(LIST, data)
        for path in self._there.keys() - self._wanted.keys() - ({LIST} if listed else set()):
            self.files.remove(path)
            self.removed.append(path)
        self._remove_empty_folders()

    def _remove_empty_folders(self) -> None:
        if self.removed:
            folders = {folder for path in self.removed for folder in _folders_of(path)}
            for folder in sorted(folders, key=len, reverse=True):
                if not self.files.listing(folder):
                    self.files.remove_tree(folder)


def digest_of(value: Any) -> str:
    """Return a digest of bytes, text or data of JSON, or structs of such; equal ones have one."""
    data = value if isinstance(value, bytes) else encoded(value)
    return blake2b(data, digest_size=12).hexdigest()


def encoded(value: Any) -> bytes:
    """Return data of JSON or structs of such as bytes, the same for the same."""
    try:
        return msgspec.msgpack.encode(value, enc_hook=str)
    except Exception:  # noqa: BLE001 (what it has not: numbers beyond 64 bits, half characters)
        return repr(value).encode("utf-8", "backslashreplace")


@cache
def engine() -> str:
    """Return a digest of what makes sites: the engine's own sources and the libraries behind it."""
    files = CloneFiles(Path(folkmoot.__file__).parent)
    said = blake2b("\n".join(f"{name} {version(name)}" for name in MAKERS).encode(), digest_size=16)
    for path in (path for path in files.walk() if path.endswith((".py", ".yaml", ".html"))):
        said.update(path.encode() + b"\0" + (files.read(path) or b""))
    return said.hexdigest()


def _sizes(folder: Path | str, spared: str, below: str = "") -> Iterator[tuple[str, int]]:
    """Yield every file below a folder with its size; -1 for what is no regular file."""
    try:
        found = [*os.scandir(folder)]
    except OSError:
        return
    for entry in found:
        path = f"{below}{entry.name}"
        if entry.is_dir(follow_symlinks=False):
            if path != spared:
                yield from _sizes(entry.path, spared, f"{path}/")
        else:
            regular = entry.is_file(follow_symlinks=False)
            yield path, entry.stat(follow_symlinks=False).st_size if regular else -1


def _folders_of(path: str) -> Iterator[str]:
    while "/" in path:
        path = path.rpartition("/")[0]
        yield path


def _read(files: CloneFiles) -> Digests | None:
    try:
        return msgspec.json.decode(files.read(LIST) or b"", type=Digests)
    except (OSError, msgspec.MsgspecError, ValueError):
        return None
