"""Boxes: values with the place they belong to and the salt of their commitment, encrypted to one reader with age.

A box holds one value, or several of one act or entry. What is inside is padded to one of four sizes, chosen so that
short values are not told apart by it, however near to the next size they lie. All of it has one form only: whoever
opens it and seals it again writes the same bytes inside. The outside is that of age (age-encryption.org/v1): a line, a
part for each recipient, a line with a digest. It is read strictly before anything is decrypted.
"""

from __future__ import annotations

import binascii
import re
import secrets
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from folkmoot.core.canonical_json import canonical_bytes, read_canonical
from folkmoot.sealing.commitments import NONCE, SALT, AnyContext, Reader, SealingError, commitment, number, read_context
from folkmoot.sealing.commitments import field as with_length
from folkmoot.sealing.keys import Identity, Recipient, age_library, asked
from folkmoot.sealing.public_keys import BLANKS

SIZES = (256, 1_024, 4_096, 16_384)
"""How many bytes are inside of a box: the fewest that hold what is sealed, so that a length tells little."""
SLACK = 32  # bytes by which what is inside grows: a nonce and a tag
_TAG = b"folkmoot box v1\n"
_STEP = 64  # bytes: a value counts as the next multiple of it where a size is chosen


class Opening(Struct, frozen=True):
    """What opens a commitment: a value, the place it belongs to, and 32 bytes of salt. It shows neither by accident."""

    context: AnyContext
    value: Any
    salt: bytes

    def __repr__(self) -> str:
        """Return where it belongs."""
        return f"Opening(context={self.context})"

    @property
    def commitment(self) -> str:
        """What commits to it."""
        return commitment(self.context, self.value, self.salt)


def fresh_salt() -> bytes:
    """Return a salt that nobody can guess."""
    return secrets.token_bytes(SALT)


def fresh_nonce() -> str:
    """Return a nonce for a player's box, in hex."""
    return secrets.token_hex(NONCE)


# -- sealing


def seal(content: Opening | Sequence[Opening], recipient: Recipient) -> str:
    """Return a box (base64 in one line) of one value or several of one act or entry for one reader; raises E-BOX."""
    openings = [content] if isinstance(content, Opening) else list(content)
    loaded, inside = recipient.in_library(), _padded(openings)
    data = asked(lambda: bytes(age_library().encrypt(inside, [loaded])))
    if data is None:
        raise SealingError("E-RECIPIENT", "nothing can be sealed to this key")
    return box_of(data).text


def parted(openings: Sequence[Opening]) -> list[list[Opening]]:
    """Return values in parts of which each fits into a box, as many in each: nothing tells which value is where."""
    if not openings:
        return []
    most = max(len(_part(each)) + -len(_value(each)) % _STEP for each in openings)
    room = SIZES[-1] - len(_TAG) - len(with_length(with_length(openings[0].context.common))) - 4
    count = max(1, room // most)
    return [list(openings[at : at + count]) for at in range(0, len(openings), count)]


def _inside(openings: Sequence[Opening]) -> bytes:
    common = {each.context.common for each in openings}
    if len(common) != 1 or len({each.context.place for each in openings}) != len(openings):
        raise SealingError("E-BOX", "a box holds the values of one act or entry, each in another place")
    return b"".join([with_length(common.pop()), number(len(openings), 4), *map(_part, openings)])


def _part(opening: Opening) -> bytes:
    if len(opening.salt) != SALT:
        raise SealingError("E-BOX", f"a salt has {SALT} bytes")
    return with_length(opening.context.place.encode()) + with_length(_value(opening)) + opening.salt


def _value(opening: Opening) -> bytes:
    try:
        return canonical_bytes(opening.value)
    except ValueError:
        raise SealingError("E-BOX", "this is no value that a game can keep") from None


def _padded(openings: Sequence[Opening]) -> bytes:
    whole = _TAG + with_length(_inside(openings))
    if len(whole) > SIZES[-1]:
        message = f"this is too much for one box, which holds {SIZES[-1]:,} bytes"
        raise SealingError("E-BOX", message, "seal less at once")
    counted = len(whole) + sum(-len(_value(each)) % _STEP for each in openings)
    return whole.ljust(next((size for size in SIZES if counted <= size), SIZES[-1]), b"\0")


# -- opening


def open_box(box: Box | str, identities: Iterable[Identity]) -> Opening:
    """Return the one value in a box; raises as `open_all` does, and E-BOX where there are several."""
    openings = open_all(box, identities)
    if len(openings) != 1:
        raise SealingError("E-BOX", "this box holds several values where one was to be")
    return openings[0]


def open_all(box: Box | str, identities: Iterable[Identity]) -> tuple[Opening, ...]:
    """Return all values in a box; raises E-BOX, E-READER (no key opens it) or E-CONTEXT, none of which shows any."""
    found = read_box(box) if isinstance(box, str) else box
    whole = _decrypted(found, identities)
    try:
        openings = _openings(whole)
        good = len(whole) == found.size and whole == _padded(openings)
    except ValueError:
        openings, good = (), False
    if not good:
        raise _malformed("what is inside has not the form that it must have")
    return openings


def _decrypted(box: Box, identities: Iterable[Identity]) -> bytes:
    """Return what is inside of a box, with its padding."""
    kind = "age" if box.kind == "X25519" else box.kind
    keys = [each.in_library() for each in identities if each.recipient.kind == kind]
    whole = asked(lambda: bytes(age_library().decrypt(box.data, keys))) if keys else None
    if whole is None:
        hint = "it is sealed to somebody else, or was damaged on its way"
        raise SealingError("E-READER", "none of the keys that are here opens this box", hint)
    return whole


def _openings(whole: bytes) -> tuple[Opening, ...]:
    outer = Reader(whole)
    if outer.take(len(_TAG)) != _TAG:
        raise ValueError("another version")
    reader, found = Reader(outer.field()), []
    common = reader.field()
    for _ in range(reader.count()):
        place, value, salt = reader.field(), reader.field(), reader.take(SALT)
        found.append(Opening(read_context(common, place), read_canonical(value), salt))
    if not found or len({each.context.place for each in found}) < len(found):
        raise ValueError("nothing, or two values in one place")
    return tuple(found)


# -- the outside of a box: one recipient, of a kind that is allowed


_VERSION = b"age-encryption.org/v1"
_STANZA = re.compile(rb"-> ([!-~]+(?: [!-~]+)*)")
_GREASE = re.compile(rb"[!-~]{1,8}-grease")
_MAC = re.compile(rb"--- ([A-Za-z0-9+/]{43})")
_LARGEST_HEADER, _LARGEST_TEXT = 2_048, 30_000  # bytes, characters
_LINE = 64  # characters of a full line
_BEGIN, _END = "-----BEGIN AGE ENCRYPTED FILE-----", "-----END AGE ENCRYPTED FILE-----"
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


def read_box(text: str) -> Box:
    """Return the box that a text holds, base64 in one line or armoured; raises E-BOX unless it is one of ours."""
    text = text.strip(BLANKS)
    data = None
    if len(text) <= _LARGEST_TEXT:
        data = _armoured(text) if text.startswith("-----") else _unwrapped(text)
    if data is None:
        raise _malformed("it is not base64 in one line, nor an armoured file of age")
    return box_of(data)


def box_of(data: bytes) -> Box:
    """Return the box that bytes hold; raises E-BOX unless it is one of ours."""
    head, mark, rest = data[:_LARGEST_HEADER].partition(b"\n--- ")
    mac, newline, _ = (mark[1:] + rest).partition(b"\n")
    if not (mark and newline and (found := _MAC.fullmatch(mac)) and _decoded(found[1]) is not None):
        raise _malformed("it does not begin as a file of age")
    size = len(data) - len(head) - len(mac) - 2 - SLACK
    if size not in SIZES:
        raise _malformed("what is inside has not one of the sizes that boxes have")
    return Box(data, _kind(head.split(b"\n")), size)


def _kind(lines: list[bytes]) -> str:
    """Return the kind of the one recipient of a header."""
    if lines[0] != _VERSION:
        raise _malformed("it does not begin as a file of age")
    (words, body), *more = list(_stanzas(lines[1:])) or [([b""], b"")]
    form = _FORMS.get(words[0])
    if form is None:
        raise _malformed("it is sealed in a way that is not allowed here (a passphrase, a plugin, another kind of key)")
    lengths, (least, most) = form
    given = [_decoded(word) for word in words[1:]]
    if [None if each is None else len(each) for each in given] != list(lengths) or not least <= len(body) <= most:
        raise _malformed("the part for its recipient is damaged")
    if more and (len(more) > 1 or not _GREASE.fullmatch(more[0][0][0])):
        raise _malformed("it is sealed to more than one recipient")
    return words[0].decode()


def _stanzas(lines: list[bytes]) -> Iterator[tuple[list[bytes], bytes]]:
    """Yield the words and the body of each part of a header."""
    rest = iter(lines)
    for line in rest:
        begun, body = _STANZA.fullmatch(line), list[bytes]()
        for part in rest:
            body.append(part)
            if len(part) < _LINE:
                break
        found = _decoded(b"".join(body))
        whole = body and len(body[-1]) < _LINE and all(len(part) <= _LINE for part in body)
        if begun is None or found is None or not whole:
            raise _malformed("its header is damaged")
        yield begun[1].split(b" "), found


def _decoded(written: bytes) -> bytes | None:
    """Return what unpadded base64 stands for, None where it is not in its one form."""
    return _unwrapped((written + b"=" * (-len(written) % 4)).decode("latin-1"))


def _unwrapped(text: str) -> bytes | None:
    """Return what base64 in one line stands for, None where it is not in its one form."""
    try:
        data = b64decode(text.encode("ascii"), validate=True)
    except (ValueError, binascii.Error):
        return None
    return data if b64encode(data).decode() == text else None


def _armoured(text: str) -> bytes | None:
    lines = text.replace("\r\n", "\n").split("\n")
    if len(lines) < 3 or lines[0] != _BEGIN or lines[-1] != _END:
        return None
    *full, last = lines[1:-1]
    whole = all(len(line) == _LINE for line in full) and 0 < len(last) <= _LINE
    return _unwrapped("".join(lines[1:-1])) if whole else None


def _malformed(why: str) -> SealingError:
    return SealingError("E-BOX", f"this is no box: {why}", "seal it anew")
