"""A folder that is made equal to what is published: files that stay the same are neither made, read nor touched.

What lies there is known by a digest of what it was made of, and believed for as long as the file has the time and size
with which it was written. Within one process a folder in which nothing came or went is believed without a look at
each file.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

import msgspec

from folkmoot.core.clone_files import CloneFiles


class File(msgspec.Struct, array_like=True):
    """A file as it was written: the digest of what it was made of, its time in nanoseconds and its size."""

    digest: bytes
    at: int
    size: int


class Notes(msgspec.Struct):
    """What is known of a folder from run to run; `groups` are the files that come of one maker, by its name."""

    folder: str
    key: str
    files: dict[str, File]
    groups: dict[str, list[str]]


class Told(msgspec.Struct):
    """What one process tells another of files: how they were written, and which of them were."""

    files: dict[str, File]
    written: list[str]


class FolderSync:
    """A folder of files by their paths below it. First `begin`, then what there is to be, then `end`."""

    def __init__(self, folder: Path, notes: Path | None = None, key: str = "", spared: str = "") -> None:
        """Take a folder; what is known of it is kept in `notes` while `key` is the same, what is `spared` stays."""
        self.folder, self.notes, self.key, self.spared = folder, notes, key, spared
        self._on_disk = CloneFiles.around(folder)
        self.files: dict[str, File] = {}
        self.groups: dict[str, list[str]] = {}
        known = _read(notes) if notes else None
        if known is not None and (known.folder, known.key) == (str(folder), key):
            self.files, self.groups = known.files, known.groups
        self.written: list[str] = []
        self.removed: list[str] = []
        self._wanted: dict[str, None] = {}
        self._dropped: set[str] = set()
        self._left: set[str] = set()
        self._folders: dict[str, int] = {}
        self._places: set[str] = set()
        self._believed = self._goes_on = False

    @property
    def unchanged(self) -> int:
        """How many files stayed as they were."""
        return len(self.files if self._goes_on else self._wanted) - len(self.written)

    def begin(self) -> None:
        """Begin a run."""
        self.written, self.removed, self._wanted, self._dropped, self._left = [], [], {}, set(), set()
        self._goes_on, self._believed = (
            False,
            bool(self._folders) and all(_time(path) == at for path, at in self._folders.items()),
        )
        self._places, self._folders = {*self._folders}, {}  # a run that is cut short leaves nothing to be believed

    def go_on(self) -> bool:
        """Take all that is there for wanted, where the folder is believed; say so. What is not is to be dropped."""
        self._goes_on = self._believed
        return self._goes_on

    def doubt(self) -> None:
        """Look at each file in this run."""
        self._believed = False

    def drop(self, name: str) -> None:
        """Have a file no longer."""
        self._wanted.pop(name, None)
        self._dropped.add(name)

    def put(self, name: str, digest: bytes, make: Callable[[], bytes]) -> None:
        """Have a file in the folder; `make` is asked for its bytes where another digest, or another file, is there."""
        self._want([name])
        if not self._is_there(name, digest):
            self._write(name, digest, make())

    def put_all(self, group: str, digest: bytes, make: Callable[[], Mapping[str, bytes]]) -> None:
        """Have all files of a maker in the folder, as `put` has one."""
        known = self.groups.get(group)
        if known and all(self._is_there(name, digest) for name in known):
            self._want(known)
            return
        made = make()
        for name in known or ():
            self.drop(name)
        self.groups[group] = list(made)
        self._want(made)
        for name, data in made.items():
            self._write(name, digest, data)

    def keep_below(self, folder: str) -> None:
        """Have all that lies below a folder in this run."""
        self._left.add(folder)
        self._want([name for name in self.files if name.startswith(f"{folder}/")])

    def told(self, names: Iterable[str]) -> Told:
        """Return what is known of files of this run, for this in another process (see `hear`)."""
        written = set(self.written)
        files = {name: self.files[name] for name in names}
        return Told(files, [name for name in files if name in written])

    def hear(self, told: Told) -> None:
        """Have files in the folder that were put there in a copy of this process."""
        self.files |= told.files
        self._want(told.files)
        self.written += told.written

    def end(self) -> None:
        """Remove what is not to be there."""
        if self._believed:
            for name in self._dropped & self.files.keys() if self._goes_on else self.files.keys() - self._wanted.keys():
                self._remove(name)
        else:
            self._sweep()
            self.files = {name: self.files[name] for name in self._wanted}
            self._places = {self._path(name) for name in self._subfolders()}
        new = {f"{self.folder}/{name}".rpartition("/")[0] for name in self.written}
        self._folders = {path: at for path in self._places | new if (at := _time(path)) >= 0}

    def save(self) -> None:
        """Write what the next run begins with."""
        if self.notes is not None:
            known = msgspec.msgpack.encode(Notes(str(self.folder), self.key, self.files, self.groups))
            CloneFiles.around(self.notes.parent).write(self.notes.name, known)

    def _want(self, names: Iterable[str]) -> None:
        self._wanted.update(dict.fromkeys(names))
        self._dropped.difference_update(names)

    def _is_there(self, name: str, digest: bytes) -> bool:
        known = self.files.get(name)
        if known is None or known.digest != digest:
            return False
        return self._believed or _stamp(self._path(name)) == (known.at, known.size)

    def _path(self, name: str) -> str:
        return f"{self.folder}/{name}" if name else str(self.folder)

    def _write(self, name: str, digest: bytes, data: bytes) -> None:
        target = self._path(name)
        known = _stamp(target)
        if known[1] != len(data) or self._on_disk.read(name) != data:
            self._on_disk.write(name, data)
            self.written.append(name)
            known = _stamp(target)
        self.files[name] = File(digest, *known)

    def _remove(self, name: str) -> None:
        self._on_disk.remove(name)
        self.files.pop(name, None)
        self.removed.append(name)

    def _sweep(self) -> None:
        for folder in reversed([*self._subfolders()]):
            for name, kind in self._on_disk.listing(folder):
                path = f"{folder}/{name}" if folder else name
                if kind != "folder" and path not in self._wanted:
                    self._remove(path)
            if folder and not self._on_disk.listing(folder):
                self._on_disk.remove_tree(folder)

    def _subfolders(self, folder: str = "") -> Iterator[str]:
        """Yield a folder and all below it but one that is spared, as paths."""
        yield folder
        for name, kind in self._on_disk.listing(folder):
            path = f"{folder}/{name}" if folder else name
            if kind == "folder" and path != self.spared and path not in self._left:
                yield from self._subfolders(path)


def _stamp(path: str) -> tuple[int, int]:
    """Return what changes when a file is written: when it was, in nanoseconds, and its size; (-1, -1) for none."""
    try:
        found = os.lstat(path)
    except OSError:
        return -1, -1
    return found.st_mtime_ns, found.st_size


def _time(path: str) -> int:
    return _stamp(path)[0]


def _read(notes: Path) -> Notes | None:
    try:
        return msgspec.msgpack.decode(CloneFiles.around(notes.parent).read(notes.name) or b"", type=Notes)
    except (OSError, msgspec.MsgspecError, ValueError):
        return None
