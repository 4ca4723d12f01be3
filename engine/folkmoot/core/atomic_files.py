"""Files whose folder is taken for the user's own: written whole or not at all by the door, `core/clone_files.py`."""

from __future__ import annotations

from pathlib import Path

from folkmoot.core.clone_files import CloneFiles


def write_whole(path: Path | str, data: bytes) -> None:
    """Write a file, and make its folder if need be; raises OSError naming the file, which then is as it was."""
    CloneFiles(Path(path).parent).write(Path(path).name, data)


def write_secret(path: Path, text: str) -> None:
    """Write a file that nobody else may read, and bring it to the disk before it has its name; raises OSError."""
    CloneFiles(path.parent).write(path.name, text.encode(), 0o600, durable=True)
