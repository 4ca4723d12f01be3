"""The public half of a key: to whom a box is sealed, native to age or an SSH key."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Iterator
from functools import lru_cache
from hashlib import sha256
from typing import Any

from msgspec import Struct

from folkmoot.sealing.age_library import age_library, asked
from folkmoot.sealing.errors import RECIPIENT, SealingError
from folkmoot.sealing.public_keys import BLANKS, LARGEST, Kind, damaged, read_public

MOST_LINES = 100  # of a list of keys


class Recipient(Struct, frozen=True):
    """To whom a box is sealed: a kind of key and its text, without a comment."""

    kind: Kind
    text: str

    @property
    def fingerprint(self) -> str:
        """What people compare: for SSH keys as `ssh-keygen -l` shows it, else 32 hex digits in groups of four."""
        if self.kind != "age":
            digest = sha256(b64decode(self.text.split()[1])).digest()
            return "SHA256:" + b64encode(digest).decode().rstrip("=")
        digits = sha256(self.text.encode()).hexdigest()[:32]
        return " ".join(digits[at : at + 4] for at in range(0, 32, 4))

    @property
    def warning(self) -> str:
        """What somebody should know who uses it, "" where there is nothing."""
        if self.kind != "ssh-rsa":
            return ""
        return "RSA is old and slow: every box is larger, and the page in the browser cannot open it"

    def in_library(self) -> Any:
        """Return the key as the library has it."""
        return _loaded(self.kind, self.text)


@lru_cache(maxsize=256)
def _loaded(kind: Kind, text: str) -> Any:
    pyrage = age_library()
    read = pyrage.x25519.Recipient.from_str if kind == "age" else pyrage.ssh.Recipient.from_str
    return asked(lambda: read(text))


def lines_of(text: str) -> list[str]:
    """Return the lines of a text that are not blank, without the blanks around them."""
    return [line.strip(BLANKS) for line in text.split("\n") if line.strip(BLANKS)]


def read_recipient(text: str) -> Recipient:
    """Return the key that a text holds: `age1…`, or one line of an SSH public key; raises E-RECIPIENT.

    The comment of an SSH key is dropped.
    """
    found = Recipient(*read_public(text))
    if found.in_library() is None:
        raise damaged()
    return found


# -- many keys


class Candidate(Struct, frozen=True):
    """A key in somebody's list on a forge: usable, or the sentence why it is not."""

    line: int
    recipient: Recipient | None
    problem: str = ""


def candidates(text: str) -> tuple[Candidate, ...]:
    """Return the keys of a list such as a forge shows (`USER.keys`), each with why it cannot be used if so.

    Raises E-RECIPIENT for a list that no forge gives.
    """
    if len(text) > MOST_LINES * LARGEST or text.count("\n") > MOST_LINES:
        raise SealingError(RECIPIENT, f"a list of keys has at most {MOST_LINES} lines")
    return tuple(_candidates(text))


def _candidates(text: str) -> Iterator[Candidate]:
    for line, words in enumerate(text.split("\n"), 1):
        if not words.strip(BLANKS) or words.startswith("#"):
            continue
        try:
            yield Candidate(line, read_recipient(words))
        except SealingError as error:
            yield Candidate(line, None, error.problems[0].message)
