"""What git's library reads objects from: a repository's own files alone, and none that it would read for ever.

Where the compressed bytes of a loose object end too soon libgit2 asks for more of them without end, and it follows
differences in a pack that lead in a circle; nothing in the same process could stop it. So loose objects are read here,
and packs are looked through for circles before the library gets them. What other repositories lend is not read.
"""

from __future__ import annotations

import mmap
import os
import stat
import sys
import zlib
from array import array
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from folkmoot.journal.git_folder import common_folder
from folkmoot.journal.git_library import pygit2

_KINDS = {b"commit": 1, b"tree": 2, b"blob": 3, b"tag": 4}
_MOST_DENSE = 1_100  # bytes that a byte of deflated data can stand for
_WHOLE = 40  # hexadecimal digits of a name that is no prefix
_HEAD = 64  # bytes of the line before an object's content
_PACKS, _LOOSE, _HEADERS = 3, 2, 1  # which is asked first: the highest
_INDEX, _FAN = b"\xfftOc\0\0\0\2", 8  # how an index begins, and where it counts
_BY_DISTANCE, _BY_NAME = 6, 7  # kinds of an entry in a pack that is a difference from another


def own_objects(repo: pygit2.Repository) -> None:
    """Let a repository read its own objects by readers that come to an end; raises `pygit2.GitError` for a bad pack."""
    folder = common_folder(Path(repo.path)) / "objects"
    refuse_circles(folder / "pack")
    store = pygit2.Odb()
    store.add_backend(pygit2.OdbBackendPack(str(folder)), _PACKS)
    store.add_backend(LooseObjects(folder), _LOOSE)
    store.add_backend(_loose(folder), _HEADERS)
    repo.set_odb(store)


def _loose(objects: Path) -> pygit2.OdbBackendLoose:
    return pygit2.OdbBackendLoose(str(objects), -1, 0, 0, 0)


class ObjectsBy(pygit2.OdbBackend):
    """Objects that a function reads: kind and content by name (hex), KeyError where there is none.

    They are found where they are read, and nowhere else: whether one is here is for git's own stores to say.
    """

    def __init__(self, read: Callable[[str], tuple[int, bytes]]) -> None:
        super().__init__()
        self._read = read

    def read_cb(self, name: Any) -> tuple[int, bytes]:
        """Return kind and content of an object."""
        return self._read(str(name))

    def read_prefix_cb(self, name: Any) -> tuple[int, bytes, Any]:
        """Return its whole name too, which is given."""
        return *self._read(str(name)), pygit2.Oid(hex=str(name))

    def read_header_cb(self, name: Any) -> tuple[int, int]:
        """Return its kind and size."""
        kind, data = self._read(str(name))
        return kind, len(data)

    def exists_cb(self, name: Any) -> bool:  # noqa: ARG002
        """Know of none."""
        return False

    def exists_prefix_cb(self, name: Any) -> Any:
        """Know of none."""
        raise KeyError(str(name))

    def refresh_cb(self) -> None:
        """Remember nothing."""

    def __iter__(self) -> Iterator[Any]:
        return iter(())


# -- loose objects


class LooseObjects(ObjectsBy):
    """The loose objects of a repository, each read to its end or not at all."""

    def __init__(self, objects: Path) -> None:
        super().__init__(self.found)
        self._objects = str(objects)
        self._writing = pygit2.Odb()
        self._writing.add_backend(_loose(objects), 1)

    def found(self, id_: str) -> tuple[int, bytes]:
        """Return kind and content of an object; raises KeyError where none is here, `pygit2.GitError` for a bad one."""
        try:
            handle = os.open(f"{self._objects}/{id_[:2]}/{id_[2:]}", os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except FileNotFoundError:
            raise KeyError(id_) from None
        except OSError as error:
            raise pygit2.GitError(f"the object {id_} cannot be read: {error.strerror}") from None
        with os.fdopen(handle, "rb") as file:
            regular = stat.S_ISREG(os.fstat(handle).st_mode)
            found = _inflated(file.read()) if regular else None
        if found is None:
            raise pygit2.GitError(f"the object {id_} is damaged")
        return found

    def read_prefix_cb(self, name: Any) -> tuple[int, bytes, Any]:
        """Do the same for one whose name begins so, and return its whole name too."""
        id_ = prefix = str(name)
        if len(prefix) < _WHOLE:
            found = [path.name for path in Path(self._objects, prefix[:2]).glob(f"{prefix[2:]}*")]
            if len(found) != 1:
                raise KeyError(prefix)
            id_ = prefix[:2] + found[0]
        return *self.found(id_), pygit2.Oid(hex=id_)

    def write_cb(self, name: Any, data: bytes, kind: int) -> None:  # noqa: ARG002
        """Store an object."""
        self._writing.write(kind, data)

    def read_header_cb(self, name: Any) -> tuple[int, int]:
        """Leave the line before the content to the library, which reads that well."""
        raise KeyError(str(name))


def _inflated(data: bytes) -> tuple[int, bytes] | None:
    """Return kind and content of a loose object, None where its bytes are not those of one whole object."""
    try:
        head = zlib.decompressobj().decompress(data, _HEAD).partition(b"\0")[0]
        kind, _, size = head.partition(b" ")
        whole = len(head) + 1 + int(size)
        if whole > _HEAD + len(data) * _MOST_DENSE:
            return None
        stream = zlib.decompressobj()
        content = stream.decompress(data, whole + 1)
        stream.decompress(stream.unconsumed_tail, 1)  # the sum at its end, where that was not reached yet
    except (zlib.error, ValueError):
        return None
    sound = stream.eof and not stream.unused_data and len(content) == whole
    return (_KINDS[kind], content[len(head) + 1 :]) if sound and kind in _KINDS else None


# -- packs


def refuse_circles(folder: Path) -> None:
    """Raise `pygit2.GitError` where a pack has differences that lead in a circle, or cannot be followed."""
    for index in folder.glob("*.idx"):
        pack = index.with_suffix(".pack")
        found = [path.stat() for path in (index, pack) if path.is_file()]
        if len(found) == 2 and not _leads_on(index, pack, *((each.st_size, each.st_mtime_ns) for each in found)):
            raise pygit2.GitError(f"the pack {pack.name} is damaged")


@lru_cache(maxsize=256)
def _leads_on(index: Path, pack: Path, *state: tuple[int, int]) -> bool:
    try:
        with pack.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return _is_straight(index.read_bytes(), data)
    except (IndexError, ValueError):  # cut, or empty
        return False


def _is_straight(index: bytes, pack: mmap.mmap) -> bool:
    """Say whether all differences in a pack end at something whole."""
    if not index.startswith(_INDEX):
        return False
    count = int.from_bytes(index[_FAN + 255 * 4 : _FAN + 256 * 4], "big")
    names = _FAN + 256 * 4
    at = names + count * 24
    offsets = _numbers("I", index[at : at + count * 4])
    far = _numbers("Q", index[at + count * 4 : -40])
    places = [far[place & 0x7FFFFFFF] if place >> 31 else place for place in offsets]
    named = [place for place in places if (pack[place] >> 4) & 7 == _BY_NAME]
    of = {index[names + n * 20 : names + n * 20 + 20]: place for n, place in enumerate(places)} if named else {}
    straight: set[int] = set()
    for start in named:
        way: set[int] = set()
        here: int | None = start
        while here is not None and here not in straight:
            if here in way:
                return False
            way.add(here)
            here = _base(pack, here, of)
        straight |= way
    return True


def _numbers(kind: str, data: bytes) -> array[int]:
    numbers = array(kind, data)
    if sys.byteorder == "little":
        numbers.byteswap()
    return numbers


def _base(pack: mmap.mmap, at: int, of: Mapping[bytes, int]) -> int | None:
    """Return where in a pack lies what an entry differs from, None where it is whole, or differs from nothing here."""
    kind, here = (pack[at] >> 4) & 7, at
    while pack[here] & 0x80:
        here += 1
    if kind == _BY_NAME:
        return of.get(pack[here + 1 : here + 21])
    if kind != _BY_DISTANCE:
        return None
    here += 1
    distance = pack[here] & 0x7F
    while pack[here] & 0x80:
        here += 1
        distance = (distance + 1) << 7 | (pack[here] & 0x7F)
    return at - distance if 0 < distance < at else None
