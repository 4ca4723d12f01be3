"""The public half of a key: to whom a box is sealed, native to age or an SSH key."""

from __future__ import annotations

import binascii
import re
from base64 import b64decode, b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Any, Literal

from folkmoot.sealing.age_library import age_library, asked
from folkmoot.sealing.errors import RECIPIENT, SealingError
from folkmoot.sealing.fields import Reader

Kind = Literal["age", "ssh-ed25519", "ssh-rsa"]

LARGEST = 2_000  # characters of a key
MOST_LINES = 100  # of a list of keys
NATIVE = "make a key of its own: `moot key --sealing`"
_BLANKS = " \t\r\n"
_WORDS = re.compile(r"[ \t]+")
_AGE = re.compile(r"age1[02-9ac-hj-np-z]{58}", re.ASCII)
_SSH = re.compile(r"(ssh-ed25519|ssh-rsa) ([A-Za-z0-9+/]+={0,2})", re.ASCII)
_FIELD = 2**255 - 19
_ALPHABET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
_UNUSABLE = (
    (r"\S+-cert-v01@", "a certificate is no key"),
    (r"sk-", "a security key signs, but cannot open what is sealed to it"),
    (r"ecdsa-", "an ECDSA key cannot open what is sealed to it"),
    (r"ssh-dss\b", "a DSA key cannot open what is sealed to it"),
    (r"age1(pq|tag|tagpq)1", "keys of this kind of age cannot be used yet"),
    (r"age1[a-z0-9]+1", "a key of a plugin of age needs that plugin, which others do not have"),
    (r"AGE-SECRET-KEY-|AGE-PLUGIN-|-----BEGIN", "this is a PRIVATE key; nothing of it was kept or sent"),
)


@dataclass(frozen=True, slots=True)
class Recipient:
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
    return [line.strip(_BLANKS) for line in text.split("\n") if line.strip(_BLANKS)]


def read_recipient(text: str) -> Recipient:
    """Return the key that a text holds: `age1…`, or one line of an SSH public key; raises E-RECIPIENT.

    The comment of an SSH key is dropped.
    """
    found = _read(text.strip(_BLANKS))
    if found.in_library() is None or _is_weak(found):
        raise SealingError(RECIPIENT, "this key is damaged, or so weak that everybody could open its boxes", NATIVE)
    return found


def _read(text: str) -> Recipient:
    if _AGE.fullmatch(text):
        return Recipient("age", text)
    words = " ".join(_WORDS.split(text)[:2]) if len(text) <= LARGEST and "\n" not in text else ""
    ssh = _SSH.fullmatch(words)
    if ssh and _is_whole(ssh[1], ssh[2]):
        return Recipient("ssh-ed25519" if ssh[1] == "ssh-ed25519" else "ssh-rsa", words)
    raise _unusable(text)


def _unusable(text: str) -> SealingError:
    why = next((words for form, words in _UNUSABLE if re.match(form, text)), "")
    message = why or "this is no key to which something can be sealed: neither `age1…` nor `ssh-ed25519 AAAA…`"
    return SealingError(RECIPIENT, message, NATIVE)


def _is_whole(kind: str, written: str) -> bool:
    """Say whether the second word of an SSH key is what the first one says, in the one form it has."""
    try:
        data = b64decode(written, validate=True)
        named, *parts = Reader(data).rest()
    except (ValueError, binascii.Error):
        return False
    lengths = {"ssh-ed25519": (1, 32, 32), "ssh-rsa": (2, 256, 1_025)}  # 2,048 to 8,192 bits
    count, least, most = lengths[kind]
    same = b64encode(data).decode() == written and named.decode(errors="replace") == kind
    return same and len(parts) == count and least <= len(parts[-1]) <= most


# -- keys with which everybody could open


def _is_weak(recipient: Recipient) -> bool:
    """Say whether a key is one of the few points that give every sender the same secret (RFC 7748, section 6.1)."""
    if recipient.kind == "ssh-rsa":
        return False
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

    point = _native_point(recipient.text) if recipient.kind == "age" else _ssh_point(recipient.text)
    try:
        X25519PrivateKey.from_private_bytes(b"\x01" * 32).exchange(X25519PublicKey.from_public_bytes(point))
    except ValueError:
        return True
    return False


def _native_point(text: str) -> bytes:
    bits = 0
    for letter in text.removeprefix("age1")[:-6]:
        bits = bits << 5 | _ALPHABET.index(letter)
    return (bits >> 4).to_bytes(32, "big")


def _ssh_point(text: str) -> bytes:
    """Return the X25519 key that belongs to an Ed25519 key."""
    y = int.from_bytes(b64decode(text.split()[1])[-32:], "little") % (1 << 255)
    return ((1 + y) * pow(1 - y, _FIELD - 2, _FIELD) % _FIELD).to_bytes(32, "little")


# -- many keys


@dataclass(frozen=True, slots=True)
class Candidate:
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
        if not words.strip(_BLANKS) or words.startswith("#"):
            continue
        try:
            yield Candidate(line, read_recipient(words))
        except SealingError as error:
            yield Candidate(line, None, error.problems[0].message)
