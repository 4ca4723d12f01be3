"""The keys with which a player opens what is sealed to them: in a file of their own, never in a repository.

The file is one that `age` reads too; a key of SSH stays where it is, and the file only says where.
"""

from __future__ import annotations

from pathlib import Path

from folkmoot.core.clone_files import CloneFiles
from folkmoot.core.problems import Position, ProblemError, fail
from folkmoot.core.settings_folder import settings_folder
from folkmoot.files.named_files import read_start
from folkmoot.sealing.keys import LARGEST, Identity, make_key, read_identity

_SSH = "# ssh key: "
_NATIVE = "AGE-SECRET-KEY-1"


def own_key_file() -> Path:
    """Return the file with the keys of whoever runs the program."""
    return settings_folder() / "folkmoot" / "sealing.key"


def own_keys() -> list[Identity]:
    """Return the keys of whoever runs the program, the newest first; raises E-RECIPIENT, E-DISK."""
    return [read_key_file(Path(line[len(_SSH) :])) if _is_ssh(line) else read_identity(line) for line in _lines()]


def keep_new_key() -> Identity:
    """Make a key that is native to age, keep it before all others, and return it."""
    made = make_key()
    _keep(f"# public key: {made.recipient.text}\n{made.secret}\n")
    return made


def keep_ssh_key(path: Path) -> Identity:
    """Note that an SSH key opens what is sealed to its holder, before all others, and return it."""
    found = read_key_file(path)
    line = f"{_SSH}{path.resolve()}"
    if line not in _lines():
        _keep(line + "\n")
    return found


def read_key_file(path: Path) -> Identity:
    """Return the private key in a file; raises E-DISK or E-RECIPIENT, which names the file and shows nothing of it."""
    try:
        text = read_start(path, LARGEST + 1).decode("utf-8", "replace")
    except OSError as error:
        message = f"this key cannot be read: {(error.strerror or str(error)).lower()}"
        raise fail(
            "E-DISK", message, Position(str(path)), f"put it back, or take its line out of {own_key_file()}"
        ) from None
    try:
        return read_identity(text)
    except ProblemError as error:
        found = error.problems[0]
        raise fail(found.code, found.message, Position(str(path)), found.hint) from None


def _is_ssh(line: str) -> bool:
    return line.startswith(_SSH)


def _text() -> str:
    file = own_key_file()
    try:
        return CloneFiles(file.parent).read_text(file.name) or ""
    except (OSError, UnicodeDecodeError):
        raise fail("E-DISK", "the keys cannot be read", Position(str(own_key_file()))) from None


def _lines() -> list[str]:
    lines = (line.strip() for line in _text().split("\n"))
    return [line for line in lines if line.startswith((_SSH, _NATIVE))]


def _keep(lines: str) -> None:
    file, before = own_key_file(), _text()
    try:
        CloneFiles(file.parent).write(file.name, (lines + before).encode(), 0o600, durable=True)
    except OSError as error:
        message = f"the key cannot be kept: {(error.strerror or str(error)).lower()}"
        raise fail("E-DISK", message, Position(str(file)), "make room, then run it again") from None
