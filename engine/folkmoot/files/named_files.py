"""Files that a person or a job names: theirs and not a clone's, so that links and pipes are followed, up to a size.

Whatever bytes a file holds that a person wrote, the answer is its text or one sentence.
"""

from __future__ import annotations

from pathlib import Path

from folkmoot.core import clone_files
from folkmoot.core.clone_files import LARGEST
from folkmoot.core.problems import Position, fail

_WIDE = (b"\xff\xfe", b"\xfe\xff")


def read_start(path: Path, size: int) -> bytes:
    """Return the first bytes of a file, at most `size`; raises OSError."""
    with path.open("rb") as file:
        return file.read(size)


def read_bytes(path: Path, limit: int = LARGEST) -> bytes:
    """Return the bytes of a file; raises E-SIZE where there are more than `limit`, and OSError."""
    data = read_start(path, limit + 1)
    if len(data) > limit:
        raise fail("E-SIZE", f"the file is larger than {limit:,} bytes, so it was not read", Position(str(path)))
    return data


def read_file(path: Path, *, exact: bool = False) -> str:
    """Return the text of a file, its lines ended by line feeds alone unless it is wanted `exact`.

    Raises E-UTF8 at the line where it is none, E-SIZE, and what the disk says (OSError).
    """
    return _text(read_bytes(path), path, exact=exact)


def read_found(path: Path) -> str:
    """Return the text of a file that nobody named: one found in a folder, which may be a clone's (see `read_file`)."""
    data = clone_files.read_whole(path)
    if data is None:
        raise FileNotFoundError(2, "No such file or directory", str(path))
    return _text(data, path)


def append_text(path: Path, text: str) -> None:
    """Add to a file that a job named, such as its summary."""
    with path.open("a", encoding="utf-8") as file:
        file.write(text)


def _text(data: bytes, path: Path, *, exact: bool = False) -> str:
    try:
        text = data.decode("utf-8")
        return text if exact else text.replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        what = "UTF-16" if data.startswith(_WIDE) else "not UTF-8 text"
        place = Position(str(path), data.count(b"\n", 0, error.start) + 1)
        raise fail("E-UTF8", f"the file is {what}", place, "save it as UTF-8") from None
