"""Boxes: values with the place they belong to and the salt of their commitment, encrypted to one reader with age.

A box holds one value, or several of one act or entry. What is inside is padded to one of four sizes, chosen so that
short values are not told apart by it, however near to the next size they lie. All of it has one form only: whoever
opens it and seals it again writes the same bytes inside.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

from folkmoot.core.canonical_json import canonical_bytes, read_canonical
from folkmoot.sealing.age_library import age_library, asked
from folkmoot.sealing.contexts import NONCE, SALT, AnyContext, Reader, commitment, read_context
from folkmoot.sealing.contexts import field as with_length
from folkmoot.sealing.errors import BOX, READER, RECIPIENT, SealingError
from folkmoot.sealing.headers import SIZES, Box, box_of, malformed, read_box
from folkmoot.sealing.keys import Identity
from folkmoot.sealing.recipients import Recipient

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
    """Return a box for one reader, as base64 in one line.

    `content` is one value, or several of one act or entry, each in another place. Raises E-BOX where it is too much for
    one box, or does not belong together.
    """
    openings = [content] if isinstance(content, Opening) else list(content)
    loaded, inside = recipient.in_library(), _padded(openings)
    data = asked(lambda: bytes(age_library().encrypt(inside, [loaded])))
    if data is None:
        raise SealingError(RECIPIENT, "nothing can be sealed to this key")
    return box_of(data).text


def parted(openings: Sequence[Opening]) -> list[list[Opening]]:
    """Return values of one act or entry in parts of which each fits into a box.

    All parts but the last have the same number of values, by the largest of all: where they are parted says nothing of
    which value is where.
    """
    if not openings:
        return []
    most = max(len(_part(each)) + -len(_value(each)) % _STEP for each in openings)
    room = SIZES[-1] - len(_TAG) - len(with_length(with_length(openings[0].context.common))) - 4
    count = max(1, room // most)
    return [list(openings[at : at + count]) for at in range(0, len(openings), count)]


def _inside(openings: Sequence[Opening]) -> bytes:
    common = {each.context.common for each in openings}
    places = {each.context.place for each in openings}
    if len(common) != 1 or len(places) != len(openings):
        raise SealingError(BOX, "a box holds the values of one act or entry, each in another place")
    parts = [with_length(common.pop()), len(openings).to_bytes(4, "big"), *map(_part, openings)]
    return b"".join(parts)


def _part(opening: Opening) -> bytes:
    if len(opening.salt) != SALT:
        raise SealingError(BOX, f"a salt has {SALT} bytes")
    return with_length(opening.context.place.encode()) + with_length(_value(opening)) + opening.salt


def _value(opening: Opening) -> bytes:
    try:
        return canonical_bytes(opening.value)
    except ValueError:
        raise SealingError(BOX, "this is no value that a game can keep") from None


def _padded(openings: Sequence[Opening]) -> bytes:
    whole = _TAG + with_length(_inside(openings))
    if len(whole) > SIZES[-1]:
        raise SealingError(BOX, f"this is too much for one box, which holds {SIZES[-1]:,} bytes", "seal less at once")
    counted = len(whole) + sum(-len(_value(each)) % _STEP for each in openings)
    return whole.ljust(next((size for size in SIZES if counted <= size), SIZES[-1]), b"\0")


# -- opening


def open_box(box: Box | str, identities: Iterable[Identity]) -> Opening:
    """Return the one value in a box; raises as `open_all` does, and E-BOX where there are several."""
    openings = open_all(box, identities)
    if len(openings) != 1:
        raise SealingError(BOX, "this box holds several values where one was to be")
    return openings[0]


def open_all(box: Box | str, identities: Iterable[Identity]) -> tuple[Opening, ...]:
    """Return all values in a box.

    Raises E-BOX for what is no box of ours, E-READER where none of the keys opens it (it is sealed to somebody else, or
    damaged), and E-CONTEXT where the place inside has not its form. None of them shows what is in it.
    """
    found = read_box(box) if isinstance(box, str) else box
    whole = _decrypted(found, list(identities))
    try:
        openings = _openings(whole)
        good = len(whole) == found.size and whole == _padded(openings)
    except ValueError:
        openings, good = (), False
    if not good:
        raise malformed("what is inside has not the form that it must have")
    return openings


def _decrypted(box: Box, identities: Sequence[Identity]) -> bytes:
    """Return what is inside of a box, with its padding."""
    keys = [each.in_library() for each in identities if each.recipient.kind == _KINDS[box.kind]]
    whole = asked(lambda: bytes(age_library().decrypt(box.data, keys))) if keys else None
    if whole is None:
        hint = "it is sealed to somebody else, or was damaged on its way"
        raise SealingError(READER, "none of the keys that are here opens this box", hint)
    return whole


_KINDS = {"X25519": "age", "ssh-ed25519": "ssh-ed25519", "ssh-rsa": "ssh-rsa"}


def _openings(whole: bytes) -> tuple[Opening, ...]:
    outer = Reader(whole)
    if outer.take(len(_TAG)) != _TAG:
        raise ValueError("another version")
    reader = Reader(outer.field())
    common, count = reader.field(), reader.count()
    found = []
    while not reader.ended():
        place, value, salt = reader.field(), reader.field(), reader.take(SALT)
        found.append(Opening(read_context(common, place), read_canonical(value), salt))
    if len(found) != count or len({each.context.place for each in found}) != count or not count:
        raise ValueError("another number of values than it says")
    return tuple(found)
