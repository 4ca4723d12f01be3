"""For which place something was sealed, and what commits to it: the place stands inside of the box, too; pure.

A box has no other tie to where it lies, so that a copy of it in another game, by another player or for another act
would open as well; what it says inside tells them apart.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any, cast

from msgspec import Struct

from folkmoot.core.canonical_json import canonical_bytes
from folkmoot.core.records import SealedFor
from folkmoot.core.values import has_surrogates
from folkmoot.sealing.errors import COMMITMENT, CONTEXT, SealingError

NONCE = 16  # bytes
_DIGEST = re.compile(r"[0-9a-f]{64}", re.ASCII)
_NONCE = re.compile(rf"[0-9a-f]{{{2 * NONCE}}}", re.ASCII)
_BY_PLAYER, _BY_ENGINE = b"player", b"engine"


class Context(Struct, frozen=True):
    """Where a player's sealed argument belongs.

    `game` is the digest of the game's founding entry (64 hex digits), `author` who acts, `act` and `argument` what is
    done and which of its arguments is sealed, `target` what it is about ("" for nothing) and `target_digest` the digest
    of that as the author saw it ("" or 64 hex digits), `keeper` the number of the keeper's key, `nonce` 32 hex digits
    that are new for each box.
    """

    game: str
    author: str
    act: str
    argument: str
    target: str
    target_digest: str
    keeper: int
    nonce: str

    def __post_init__(self) -> None:
        """Raise E-CONTEXT for what has no such form."""
        if not (_NONCE.fullmatch(self.nonce) and (not self.target_digest or _DIGEST.fullmatch(self.target_digest))):
            raise _malformed()
        _check(self.game, (self.author, self.act, self.argument), self.keeper)
        _check(self.game, (self.target,), 0, empty=True)

    @property
    def place(self) -> str:
        """What sets apart the values of one box."""
        return self.argument

    @property
    def common(self) -> bytes:
        """What all values of one box share, as bytes."""
        texts = (each.encode() for each in (self.author, self.act, self.target))
        digest = bytes.fromhex(self.target_digest)
        return fields(_BY_PLAYER, _hex(self.game), *texts, digest, number(self.keeper), _hex(self.nonce))


class EntryContext(Struct, frozen=True):
    """Where a value that the engine seals belongs: the number of the entry, and a place in it.

    `game` is the digest of the game's founding entry (64 hex digits).
    """

    game: str
    entry: int
    place: str

    def __post_init__(self) -> None:
        """Raise E-CONTEXT for what has no such form."""
        _check(self.game, (self.place,), self.entry)

    @property
    def common(self) -> bytes:
        """What all values of one box share, as bytes."""
        return fields(_BY_ENGINE, _hex(self.game), number(self.entry))


AnyContext = Context | EntryContext


def own_context(game: str, author: str, act: str, argument: str, nonce: str) -> Context:
    """Return where something belongs that a player seals to themselves alone: it names no key of a keeper."""
    return Context(game, author, act, argument, target="", target_digest="", keeper=0, nonce=nonce)


def context_bytes(context: AnyContext) -> bytes:
    """Return the bytes of a context that a commitment covers."""
    return context.common + fields(context.place.encode())


def read_context(common: bytes, place: bytes) -> AnyContext:
    """Return the context that bytes of a box stand for; raises E-CONTEXT where they stand for none."""
    try:
        kind, *parts = Reader(common).rest()
        context = _KINDS[kind](parts, place.decode())
    except (KeyError, ValueError):
        raise _malformed() from None
    if context.common != common:
        raise _malformed()
    return context


def _read_players(parts: list[bytes], place: str) -> Context:
    game, author, act, target, digest, keeper, nonce = parts
    texts = {"author": author.decode(), "act": act.decode(), "argument": place, "target": target.decode()}
    made = int.from_bytes(keeper, "big")
    return Context(game=game.hex(), target_digest=digest.hex(), keeper=made, nonce=nonce.hex(), **texts)


def _read_engines(parts: list[bytes], place: str) -> EntryContext:
    game, entry = parts
    return EntryContext(game.hex(), int.from_bytes(entry, "big"), place)


_KINDS: Mapping[bytes, Callable[[list[bytes], str], AnyContext]] = {
    _BY_PLAYER: _read_players,
    _BY_ENGINE: _read_engines,
}


# -- is it the one that is meant?


def differences(found: AnyContext, expected: AnyContext) -> tuple[str, ...]:
    """Return the names of the parts in which two contexts differ; a nonce, which nobody can expect, is none.

    >>> differences(EntryContext("00" * 32, 7, "a"), EntryContext("00" * 32, 8, "a"))
    ('entry',)
    """
    if type(found) is not type(expected):
        return ("kind",)
    names = (name for name in found.__struct_fields__ if name != "nonce")
    return tuple(name for name in names if getattr(found, name) != getattr(expected, name))


def require_context(found: AnyContext, expected: AnyContext) -> None:
    """Raise E-CONTEXT where something was sealed for another place than the one it stands in."""
    wrong = differences(found, expected)
    if wrong:
        words = named_differences(wrong)
        raise SealingError(CONTEXT, f"this was sealed for another place ({words})", "seal it anew for this one")


def named_differences(names: Iterable[str]) -> str:
    """Return in words in which parts two contexts differ."""
    return ", ".join(_WORDS[name] for name in names)


_WORDS = {
    "kind": "an act instead of an entry, or the reverse",
    "game": "another game, or a fork of it",
    "author": "another player",
    "act": "another act",
    "argument": "another argument",
    "target": "another target",
    "target_digest": "other content of the target",
    "keeper": "another key of the keeper",
    "entry": "another entry",
    "place": "another place in the entry",
}


# -- form


def _check(game: str, texts: tuple[str, ...], value: int, *, empty: bool = False) -> None:
    good = _DIGEST.fullmatch(game) and 0 <= value < 1 << 64 and not any(map(has_surrogates, texts))
    if not good or not (empty or all(texts)):
        raise _malformed()


def _malformed() -> SealingError:
    return SealingError(CONTEXT, "what says for which place this was sealed has not the form that it must have")


def _hex(text: str) -> bytes:
    return bytes.fromhex(text)


def flat(context: AnyContext) -> SealedFor:
    """Return a context as plain data, for records and test vectors."""
    return cast(SealedFor, {name: getattr(context, name) for name in context.__struct_fields__})


# -- parts with their length before them


_LENGTH = 4  # bytes of a length
_NUMBER = 8  # bytes of a number


def field(data: bytes) -> bytes:
    r"""Return bytes behind their length.

    >>> field(b"abc")
    b'\x00\x00\x00\x03abc'
    """
    return len(data).to_bytes(_LENGTH, "big") + data


def fields(*parts: bytes) -> bytes:
    """Return several parts, each behind its length."""
    return b"".join(map(field, parts))


def number(value: int) -> bytes:
    """Return a number from 0 to 2⁶⁴ − 1 as eight bytes; raises ValueError for any other."""
    try:
        return value.to_bytes(_NUMBER, "big")
    except OverflowError:
        raise ValueError("a number that is negative or too large") from None


class Reader(Struct):
    """Takes bytes apart from the front; raises ValueError where there are too few."""

    data: bytes
    at: int = 0

    def take(self, count: int) -> bytes:
        """Return the next `count` bytes."""
        found = self.data[self.at : self.at + count]
        if len(found) < count:
            raise ValueError("it ends too early")
        self.at += count
        return found

    def count(self) -> int:
        """Return the length that comes next."""
        return int.from_bytes(self.take(_LENGTH), "big")

    def field(self) -> bytes:
        """Return the next part."""
        return self.take(self.count())

    def ended(self) -> bool:
        """Say whether nothing is left."""
        return self.at == len(self.data)

    def rest(self) -> Iterator[bytes]:
        """Yield all parts that are left."""
        while not self.ended():
            yield self.field()


# -- digests that bind whoever publishes them to a value


SALT = 32  # bytes
_TAG = b"folkmoot commitment v1"
_FORM = re.compile(r"[0-9a-f]{64}", re.ASCII)


def commitment(context: AnyContext, value: Any, salt: bytes) -> str:
    """Return what commits to a value in a place: SHA-256 over a tag, the context, the value and 32 bytes of salt, hex.

    Raises as `committed_bytes` does.
    """
    return sha256(committed_bytes(context, value, salt)).hexdigest()


def committed_bytes(context: AnyContext, value: Any, salt: bytes) -> bytes:
    """Return the bytes whose digest a commitment is.

    Raises E-COMMITMENT for a salt of another length, and for what no game can keep.
    """
    if len(salt) != SALT:
        raise SealingError(COMMITMENT, f"a salt has {SALT} bytes")
    try:
        data = canonical_bytes(value)
    except ValueError:
        raise SealingError(COMMITMENT, "this is no value that a game can keep") from None
    return fields(_TAG, context_bytes(context), data, salt)


def opens(committed: str, context: AnyContext, value: Any, salt: bytes) -> bool:
    """Say whether a commitment is that to a value, in a time that does not depend on how much of it agrees."""
    try:
        found = commitment(context, value, salt)
    except SealingError:
        return False
    return bool(_FORM.fullmatch(committed)) and hmac.compare_digest(found, committed)


def require_commitment(committed: str, context: AnyContext, value: Any, salt: bytes) -> None:
    """Raise E-COMMITMENT where what was opened is not what was committed to."""
    if not opens(committed, context, value, salt):
        raise SealingError(COMMITMENT, "what was opened is not what was committed to")
