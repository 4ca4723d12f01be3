"""Reading a file that a person wrote: whatever bytes it holds, the answer is its text or one sentence."""

from __future__ import annotations

from pathlib import Path

from folkmoot.core.problems import Position, fail

_WIDE = (b"\xff\xfe", b"\xfe\xff")


def read_file(path: Path, *, exact: bool = False) -> str:
    """Return the text of a file, its lines ended by line feeds alone unless it is wanted `exact`.

    Raises E-UTF8 at the line where it is none, and what the disk says (OSError).
    """
    data = path.read_bytes()
    try:
        text = data.decode("utf-8")
        return text if exact else text.replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        what = "UTF-16" if data.startswith(_WIDE) else "not UTF-8 text"
        place = Position(str(path), data.count(b"\n", 0, error.start) + 1)
        raise fail("E-UTF8", f"the file is {what}", place, "save it as UTF-8") from None
