"""The outside of a box, read strictly before anything is decrypted: one recipient, of a kind that is allowed; pure.

What stands there is that of age (age-encryption.org/v1): a line, a part for each recipient, a line with a digest.
"""

from __future__ import annotations

import binascii
import re
from base64 import b64decode, b64encode
from collections.abc import Iterator
from hashlib import sha256

from msgspec import Struct

from folkmoot.sealing.errors import BOX, SealingError

SIZES = (256, 1_024, 4_096, 16_384)
"""How many bytes are inside of a box: the fewest that hold what is sealed, so that a length tells little."""
SLACK = 32  # bytes by which what is inside grows: a nonce and a tag
LARGEST_HEADER = 2_048  # bytes
_VERSION = b"age-encryption.org/v1"
_STANZA = re.compile(rb"-> ([!-~]+(?: [!-~]+)*)")
_GREASE = re.compile(rb"[!-~]{1,8}-grease")
_MAC = re.compile(rb"--- ([A-Za-z0-9+/]{43})")
_LINE = 64  # characters of a full line
_BEGIN, _END = "-----BEGIN AGE ENCRYPTED FILE-----", "-----END AGE ENCRYPTED FILE-----"
_BLANKS = " \t\r\n"
_LARGEST_TEXT = 30_000  # characters
_FORMS = {b"X25519": ((32,), (32, 32)), b"ssh-ed25519": ((4, 32), (32, 32)), b"ssh-rsa": ((4,), (256, 1_024))}
"""The lengths of the arguments of each kind of part, and the bounds of its body."""


class Box(Struct, frozen=True):
    """A box as it is stored: its bytes, for which kind of key, and how many bytes are inside."""

    data: bytes
    kind: str
    size: int

    @property
    def text(self) -> str:
        """The one form in which a box is recorded: base64 in one line."""
        return b64encode(self.data).decode()

    @property
    def digest(self) -> str:
        """The SHA-256 of the bytes, in hex, by which a box that is recorded already is known."""
        return sha256(self.data).hexdigest()


def read_box(text: str) -> Box:
    """Return the box that a text holds, base64 in one line or armoured; raises E-BOX unless it is one of ours."""
    data = _armoured(text) if text.lstrip(_BLANKS).startswith("-----") else _unwrapped(text.strip(_BLANKS))
    if data is None:
        raise malformed("it is not base64 in one line, nor an armoured file of age")
    return box_of(data)


def box_of(data: bytes) -> Box:
    """Return the box that bytes hold; raises E-BOX unless it is one of ours."""
    head, mark, rest = data[:LARGEST_HEADER].partition(b"\n--- ")
    mac, newline, _ = (mark[1:] + rest).partition(b"\n")
    if not (mark and newline and (found := _MAC.fullmatch(mac)) and _decoded(found[1]) is not None):
        raise malformed("it does not begin as a file of age")
    size = len(data) - len(head) - len(mac) - 2 - SLACK
    if size not in SIZES:
        raise malformed("what is inside has not one of the sizes that boxes have")
    return Box(data, _kind(head.split(b"\n")), size)


def _kind(lines: list[bytes]) -> str:
    """Return the kind of the one recipient of a header."""
    if lines[0] != _VERSION:
        raise malformed("it does not begin as a file of age")
    (words, body), *more = list(_stanzas(lines[1:])) or [([b""], b"")]
    form = _FORMS.get(words[0])
    if form is None:
        raise malformed("it is sealed in a way that is not allowed here (a passphrase, a plugin, another kind of key)")
    lengths, (least, most) = form
    given = [_decoded(word) for word in words[1:]]
    if [None if each is None else len(each) for each in given] != list(lengths) or not least <= len(body) <= most:
        raise malformed("the part for its recipient is damaged")
    if more and (len(more) > 1 or not _GREASE.fullmatch(more[0][0][0])):
        raise malformed("it is sealed to more than one recipient")
    return words[0].decode()


def _stanzas(lines: list[bytes]) -> Iterator[tuple[list[bytes], bytes]]:
    """Yield the words and the body of each part of a header."""
    rest = iter(lines)
    for line in rest:
        begun = _STANZA.fullmatch(line)
        if begun is None:
            raise malformed("its header is damaged")
        yield begun[1].split(b" "), _body(rest)


def _body(rest: Iterator[bytes]) -> bytes:
    lines = []
    for line in rest:
        lines.append(line)
        if len(line) < _LINE:
            break
    body = _decoded(b"".join(lines))
    if not lines or len(lines[-1]) >= _LINE or any(len(line) > _LINE for line in lines) or body is None:
        raise malformed("its header is damaged")
    return body


# -- base64 in the one form that it has


def _decoded(written: bytes) -> bytes | None:
    """Return what unpadded base64 stands for, None where it is not in its one form."""
    try:
        data = b64decode(written + b"=" * (-len(written) % 4), validate=True)
    except (ValueError, binascii.Error):
        return None
    return data if b64encode(data).rstrip(b"=") == written else None


def _unwrapped(text: str) -> bytes | None:
    try:
        data = b64decode(text.encode("ascii"), validate=True) if len(text) <= _LARGEST_TEXT else b""
    except (ValueError, binascii.Error):
        return None
    return data if b64encode(data).decode() == text else None


def _armoured(text: str) -> bytes | None:
    lines = text.strip(_BLANKS).replace("\r\n", "\n").split("\n") if len(text) <= _LARGEST_TEXT else []
    if len(lines) < 3 or lines[0] != _BEGIN or lines[-1] != _END:
        return None
    *full, last = lines[1:-1]
    whole = all(len(line) == _LINE for line in full) and 0 < len(last) <= _LINE
    return _unwrapped("".join(lines[1:-1])) if whole else None


def malformed(why: str) -> SealingError:
    """Return the error that a text is no box."""
    return SealingError(BOX, f"this is no box: {why}", "seal it anew")
