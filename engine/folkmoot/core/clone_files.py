"""The one door to the files of a clone, which somebody else may have made.

Every path lies below a root folder and is walked folder by folder, so that nothing on the way is a symbolic link, now
or while it is read. A file is a regular one and no larger than expected; a write is whole or not at all. The root
itself, and what lies above it, is the user's own, as are the folders of their settings, which are written here too.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal

from folkmoot.core.problems import Position, ProblemError, fail
from folkmoot.core.values import is_digits

Kind = Literal["folder", "file", "other"]
LARGEST = 64_000_000  # bytes of a file: more than a wheel of the engine, a founding, or a page of a site
FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
MACHINE = FULL | {errno.EIO, errno.EROFS, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EACCES}
"""What is wrong with a machine, whatever was to be done on it."""

MOST_HELD = 100  # folders that are kept open
DEEPEST = 50  # names on a path: nothing of a game, a site or an engine lies deeper
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_NOWHERE = (errno.ENOENT, errno.ENOTDIR)


class CloneFiles:
    """The files below a root folder, by their paths in it, with `/` between names.

    Each way in raises E-FILE for a path that leads outside, a symbolic link on the way, and whatever is not the regular
    file or folder that it should be; what the machine refuses is an OSError that names the file.
    """

    def __init__(self, root: Path | str, base: str = "") -> None:
        """Take a root folder, which need not be there yet; paths are those below `base` in it."""
        self.root = Path(root)
        self._base = names_of(base) if base else ()
        self._held: dict[tuple[str, ...], int] | None = None

    @classmethod
    def around(cls, folder: Path | str) -> CloneFiles:
        """Return the files below a folder of a clone, whose root is the nearest folder around it with a `.git`.

        Outside a clone the root is the folder itself, that of a game (`state/<game>`) the one which holds `state`.
        """
        path = Path(os.path.abspath(folder))  # noqa: PTH100 (links in the clone are not to be resolved)
        root = _clone_around(path) or (path.parents[1] if path.parent.name == "state" else None)
        if root is None:  # a link above the root, which is the user's own
            path = path.resolve()
            root = _clone_around(path) or path
        return cls(root, path.relative_to(root).as_posix() if root != path else "")

    @property
    def path(self) -> str:
        """Return the path of `base` below the root, "" where that is the root itself."""
        return "/".join(self._base)

    def name(self, path: str = "") -> str:
        """Return how a file is named in messages."""
        return str(self.root.joinpath(*self._base, path))

    # -- looking

    def read(self, path: str, limit: int = LARGEST) -> bytes | None:
        """Return the bytes of a file, None where there is none; raises E-FILE for one of more than `limit` bytes."""
        with self._at(path) as (folder, name):
            file = None if folder is None else self._opened(path, folder, name, os.O_RDONLY)
            if file is None:
                return None
            try:
                return self._content(path, file, limit)
            finally:
                os.close(file)

    def read_text(self, path: str, limit: int = LARGEST, errors: str = "strict") -> str | None:
        """Return the text of a file in UTF-8, None where there is none; see `read`."""
        data = self.read(path, limit)
        return None if data is None else data.decode("utf-8", errors)

    def stat(self, path: str = "") -> os.stat_result | None:
        """Return what the file system says of a file, a folder or a link itself, None where there is nothing."""
        with self._at(path) as (folder, name):
            return None if folder is None else _stat(folder, name)

    def kind(self, path: str = "") -> Kind | None:
        """Return what lies at a path, None where there is nothing."""
        found = self.stat(path)
        return None if found is None else _kind(found.st_mode)

    def listing(self, path: str = "") -> list[tuple[str, Kind]]:
        """Return what lies directly in a folder, names and kinds in order; nothing where there is no folder."""
        with self.folder(path) as folder:
            if folder is None:
                return []
            with os.scandir(folder) as found:
                return sorted((item.name, _entry_kind(item)) for item in found)

    def walk(self, path: str = "") -> Iterator[str]:
        """Yield the paths of all regular files below a folder, in order."""
        for name, kind in self.listing(path):
            below = f"{path}/{name}" if path else name
            if kind == "folder":
                yield from self.walk(below)
            elif kind == "file":
                yield below

    @contextmanager
    def folder(self, path: str = "") -> Iterator[int | None]:
        """Open a folder as long as the context lasts; None where there is none."""
        with self._descend(self._below(path), path) as folder:
            yield folder

    # -- writing

    def write(self, path: str, data: bytes, mode: int = 0o666, *, durable: bool = False) -> None:
        """Write a file aside and give it its name when all of it is there; its folders are made if need be.

        `mode` is what the user's mask leaves of it; `durable` waits for the disk. Raises OSError; the file then is as
        it was.
        """
        token = os.urandom(8).hex()
        with self._written(path, data, token, mode, durable) as (folder, name):
            _place(folder, name, token, durable)

    def prepare(self, path: str, data: bytes, token: str, mode: int = 0o666, *, durable: bool = False) -> None:
        """Write what shall be a file beside it, under a name that holds `token` and that nobody foresees without it."""
        with self._written(path, data, token, mode, durable):
            pass

    @contextmanager
    def _written(self, path: str, data: bytes, token: str, mode: int, durable: bool) -> Iterator[tuple[int, str]]:
        """See `prepare`; yields the folder and the file's name, and leaves nothing where what follows fails."""
        with self._at(path, make=True) as (folder, name):
            assert folder is not None
            if (found := _stat(folder, name)) is not None and not stat.S_ISREG(found.st_mode):
                raise self._wrong(path, found.st_mode)
            try:
                _write(_aside(name, token), folder, data, mode, durable)
                yield folder, name
            except OSError:
                with suppress(OSError):
                    os.unlink(_aside(name, token), dir_fd=folder)
                raise

    def prepared(self, path: str, token: str, limit: int = LARGEST) -> bytes | None:
        """Return what was prepared for a file, None where it is not there, or in its place by now."""
        around, _, name = path.rpartition("/")
        return self.read(f"{around}/{_aside(name, token)}" if around else _aside(name, token), limit)

    def place(self, path: str, token: str, *, durable: bool = False) -> None:
        """Give a file that was prepared its name; raises FileNotFoundError where it is not there."""
        with self._at(path) as (folder, name):
            if folder is None:
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
            _place(folder, name, token, durable)

    def discard(self, path: str, token: str) -> None:
        """Remove what was prepared for a file, if it is there and can be."""
        with suppress(OSError), self._at(path) as (folder, name):
            if folder is not None:
                os.unlink(_aside(name, token), dir_fd=folder)

    @contextmanager
    def appending(self, path: str, mode: int = 0o666) -> Iterator[int]:
        """Open a file to add to it, or to lock it; its folders are made if need be, and it too."""
        with self._at(path, make=True) as (folder, name):
            assert folder is not None
            file = self._opened(path, folder, name, os.O_WRONLY | os.O_APPEND | os.O_CREAT, mode)
            assert file is not None
            try:
                self._regular(path, file)
                yield file
            finally:
                os.close(file)

    def make_folder(self, path: str = "") -> None:
        """Make a folder, and those around it; one that is there stays."""
        with self._descend(self._below(path), path, make=True):
            pass

    def remove(self, path: str) -> None:
        """Remove a file, or a link itself, if it is there."""
        with self._at(path) as (folder, name), suppress(FileNotFoundError):
            if folder is not None:
                os.unlink(name, dir_fd=folder)

    def remove_tree(self, path: str) -> None:
        """Remove a folder and all below it, or a file, if it is there; links are removed and not followed."""
        if self.kind(path) == "folder":
            for name, _ in self.listing(path):
                self.remove_tree(f"{path}/{name}")
            with self._at(path) as (folder, name), suppress(FileNotFoundError):
                if folder is not None:
                    os.rmdir(name, dir_fd=folder)
        else:
            self.remove(path)

    # -- the way

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep folders open until the context ends, so that the way to each is gone once."""
        if self._held is not None:
            yield
            return
        self._held = {}
        try:
            yield
        finally:
            folders, self._held = self._held.values(), None
            for folder in folders:
                os.close(folder)

    def _below(self, path: str) -> tuple[str, ...]:
        return (*self._base, *names_of(path)) if path else self._base

    @contextmanager
    def _at(self, path: str, *, make: bool = False) -> Iterator[tuple[int | None, str]]:
        """Open the folder of a path; yields it, None where there is none, and the name in it."""
        names = self._below(path)
        if not names:
            with self._descend((), path, make=make) as folder:
                yield folder, "."
            return
        with self._descend(names[:-1], path, make=make) as folder:
            yield folder, names[-1]

    @contextmanager
    def _descend(self, names: tuple[str, ...], path: str, *, make: bool = False) -> Iterator[int | None]:
        held = {} if self._held is None else self._held
        try:
            folder = held[names] if names in held else self._walked(names, path, make)
        except OSError as error:
            if not make and error.errno in _NOWHERE:
                yield None
                return
            raise self._named(error, path) from None
        if self._held is not None and len(held) < MOST_HELD:
            held[names] = folder
        try:
            yield folder
        except OSError as error:
            raise self._named(error, path) from None
        finally:
            if names not in held:
                os.close(folder)

    def _walked(self, names: tuple[str, ...], path: str, make: bool) -> int:
        """Open each folder in the one before; raises E-FILE at a link."""
        if make:
            self.root.mkdir(parents=True, exist_ok=True)
        folder = os.open(self.root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        for name in names:
            try:
                try:
                    below = os.open(name, _FOLDER, dir_fd=folder)
                except FileNotFoundError:
                    if not make:
                        raise
                    with suppress(FileExistsError):
                        os.mkdir(name, dir_fd=folder)
                    below = os.open(name, _FOLDER, dir_fd=folder)
            except OSError as error:
                found = _stat(folder, name)
                if found is None or error.errno not in (errno.ELOOP, errno.EMLINK, errno.ENOTDIR):
                    raise
                if not (make or stat.S_ISLNK(found.st_mode)):
                    raise
                raise self._wrong(path, found.st_mode, name) from None
            finally:
                os.close(folder)
            folder = below
        return folder

    # -- what is refused

    def _content(self, path: str, file: int, limit: int) -> bytes:
        size = self._regular(path, file)
        data = b"" if size > limit else os.read(file, min(size, limit) + 1)
        while size < len(data) <= limit and (more := os.read(file, limit + 1 - len(data))):
            data += more
        if max(size, len(data)) > limit:
            raise fail(
                "E-FILE", f"the file is larger than {limit:,} bytes, so it was not read", Position(self.name(path))
            )
        return data

    def _regular(self, path: str, file: int) -> int:
        """Return the size of an open file; raises E-FILE unless it is a regular one."""
        found = os.fstat(file)
        if not stat.S_ISREG(found.st_mode):
            raise self._wrong(path, found.st_mode)
        return found.st_size

    def _opened(self, path: str, folder: int, name: str, flags: int, mode: int = 0) -> int | None:
        """Open a file, None where there is none; raises E-FILE for what is no file that can be opened."""
        try:
            return os.open(name, flags | _FILE, mode, dir_fd=folder)
        except OSError as error:
            if error.errno == errno.ENOENT:
                return None
            found = _stat(folder, name)
            if found is None or stat.S_ISREG(found.st_mode):
                raise
            raise self._wrong(path, found.st_mode) from None

    def _wrong(self, path: str, mode: int, name: str = "") -> ProblemError:
        whole = self.name(path)
        at = f"'{name}' on the way to it" if name and name != Path(whole).name else "it"
        hint = "look at what lies there; `git status` says whether git has it so"
        return fail("E-FILE", f"{at} is {_what(mode)}, so it is left alone", Position(whole), hint)

    def _named(self, error: OSError, path: str) -> OSError:
        return error if error.errno is None else OSError(error.errno, error.strerror, self.name(path))


def _clone_around(path: Path) -> Path | None:
    return next((around for around in (path, *path.parents) if os.path.lexists(around / ".git")), None)


def names_of(path: str) -> tuple[str, ...]:
    """Return the names of a path; raises E-FILE for one that is empty or could lead outside, and for too many."""
    names = tuple(path.split("/"))
    if "\0" in path or any(name in ("", ".", "..") for name in names):
        raise fail("E-FILE", f"'{path.replace(chr(0), '?')}' is no path below a folder")
    refuse_too_deep(path)
    return names


def refuse_too_deep(path: str) -> None:
    """Raise E-FILE for a path of more names than anything of a game, a site or an engine has."""
    if path.count("/") >= DEEPEST:
        where = Position("/".join(path.split("/", 4)[:4]) + "/…")
        raise fail("E-FILE", f"folders lie more than {DEEPEST} deep within each other here", where, "remove them")


def _stat(folder: int, name: str) -> os.stat_result | None:
    try:
        return os.stat(name, dir_fd=folder, follow_symlinks=False)
    except OSError as error:
        if error.errno in _NOWHERE:
            return None
        raise


def _kind(mode: int) -> Kind:
    return "folder" if stat.S_ISDIR(mode) else "file" if stat.S_ISREG(mode) else "other"


def _entry_kind(item: os.DirEntry[str]) -> Kind:
    if item.is_dir(follow_symlinks=False):
        return "folder"
    return "file" if item.is_file(follow_symlinks=False) else "other"


def _what(mode: int) -> str:
    if stat.S_ISLNK(mode):
        return "a symbolic link"
    if stat.S_ISREG(mode):
        return "a file and no folder"
    kinds = {stat.S_IFDIR: "a folder", stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket"}
    return f"no regular file ({kinds.get(stat.S_IFMT(mode), 'a device')})"


def _aside(name: str, token: str) -> str:
    return f".{name[:200]}.{token}"


def _write(name: str, folder: int, data: bytes, mode: int, durable: bool) -> None:
    file = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _FILE, mode, dir_fd=folder)
    try:
        left = memoryview(data)
        while left:
            left = left[os.write(file, left) :]
        if durable:
            os.fsync(file)
    finally:
        os.close(file)


def _place(folder: int, name: str, token: str, durable: bool) -> None:
    os.replace(_aside(name, token), name, src_dir_fd=folder, dst_dir_fd=folder)
    if durable:
        os.fsync(folder)


def read_whole(path: Path, limit: int = LARGEST) -> bytes | None:
    """Return the bytes of a file of the clone around it (see `CloneFiles.read`)."""
    return CloneFiles.around(path.parent).read(path.name, limit)


def read_text(path: Path, limit: int = LARGEST, errors: str = "strict") -> str | None:
    """Return the text of a file of the clone around it (see `CloneFiles.read_text`)."""
    return CloneFiles.around(path.parent).read_text(path.name, limit, errors)


def write_whole(path: Path, data: bytes, mode: int = 0o666, *, durable: bool = False) -> None:
    """Write a file of the clone around it (see `CloneFiles.write`)."""
    CloneFiles.around(path.parent).write(path.name, data, mode, durable=durable)


def remove(path: Path) -> None:
    """Remove a file of the clone around it (see `CloneFiles.remove`)."""
    CloneFiles.around(path.parent).remove(path.name)


def newest_folders(names: Iterable[str]) -> list[str]:
    """Return names of folders, of the numbered ones only the last two: the others' files change no more.

    >>> newest_folders(["things", "000", "002", "001"])
    ['things', '002', '001']
    """
    found = [*names]
    older = sorted(name for name in found if is_digits(name))[:-2]
    return [name for name in found if name not in older]


def is_machines(error: BaseException, numbers: frozenset[int] = MACHINE) -> bool:
    """Say whether an error is the machine's own; git's library tells it in words, without a number.

    Those words stand at the end: what comes before may be the name of a file, which somebody else chose.

    >>> is_machines(OSError("cannot write 'x': No space left on device"))
    True
    >>> is_machines(OSError("cannot read 'No space left on device'"))
    False
    """
    if isinstance(error, OSError) and error.errno is not None:
        return error.errno in numbers
    return any(str(error).endswith(f": {os.strerror(number)}") for number in numbers)
