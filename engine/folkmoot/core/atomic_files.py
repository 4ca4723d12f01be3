"""Files beside the record that people keep (settings, jobs, forms, pages, drafts): written whole or not at all.

A file that was cut short by a full disk would be taken for somebody's own the next time, and left as it is.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path

FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
MACHINE = FULL | {errno.EIO, errno.EROFS, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EACCES}
"""What is wrong with a machine, whatever was to be done on it."""


def write_whole(path: Path | str, data: bytes) -> None:
    """Write a file aside and give it its name when all of it is there; its folder is made if need be.

    Raises OSError naming the file, which then is as it was.
    """
    folder, name = os.path.split(path)
    aside = f"{folder}/.{name}.new" if folder else f".{name}.new"
    try:
        _write_aside(aside, data)
        os.replace(aside, path)  # noqa: PTH105 (each page of a site is written here)
    except OSError as error:
        Path(aside).unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(path)) from None


def _write_aside(aside: str, data: bytes) -> None:
    try:
        _write(aside, data)
    except FileNotFoundError:
        Path(aside).parent.mkdir(parents=True, exist_ok=True)
        _write(aside, data)


def _write(path: str, data: bytes) -> None:
    with open(path, "wb", buffering=0) as file:  # noqa: PTH123 (see above)
        left = memoryview(data)
        while left:
            left = left[file.write(left) :]


def write_secret(path: Path, text: str) -> None:
    """Write a file that nobody else may read aside, and bring it to the disk before it has its name.

    Half a secret could be guessed. Raises OSError; the file then is as it was.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(f"{path.name}.new")
    aside.unlink(missing_ok=True)
    try:
        with os.fdopen(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as out:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)


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
