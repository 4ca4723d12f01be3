"""What commits to a sealed value in the place that it belongs to, and to the seeds of sealed draws; pure.

A box has no other tie to where it lies than the place that stands inside, too: a copy of it in another game, by another
player or for another act would open as well.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Any, cast

from msgspec import Struct
from msgspec.structs import asdict

from folkmoot.core.canonical_json import canonical_bytes
from folkmoot.core.problems import Problem, ProblemError
from folkmoot.core.records import SealedFor
from folkmoot.core.values import has_surrogates

NONCE, SALT = 16, 32  # bytes
_DIGEST = re.compile(r"[0-9a-f]{64}", re.ASCII)
_NONCE = re.compile(rf"[0-9a-f]{{{2 * NONCE}}}", re.ASCII)
_BY_PLAYER, _BY_ENGINE, _TAG = b"player", b"engine", b"folkmoot commitment v1"


class SealingError(ProblemError):
    """What is wrong with something sealed, in one sentence that never shows what is in it."""

    def __init__(self, code: str, message: str, hint: str = "") -> None:
        """Keep a code, a sentence and what to do next."""
        super().__init__(Problem(code, message, None, hint))

    @property
    def code(self) -> str:
        """The code of what is wrong."""
        return self.problems[0].code


# -- places


class Context(Struct, frozen=True):
    """Where a player's sealed argument belongs; raises E-CONTEXT for what has no such form.

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
        _require_form(self.game, self.keeper, (self.author, self.act, self.argument), self.target)
        if not (_NONCE.fullmatch(self.nonce) and (not self.target_digest or _DIGEST.fullmatch(self.target_digest))):
            raise _malformed()

    @property
    def place(self) -> str:
        """What sets apart the values of one box."""
        return self.argument

    @property
    def common(self) -> bytes:
        """What all values of one box share, as bytes."""
        texts = (each.encode() for each in (self.author, self.act, self.target))
        digest, nonce = bytes.fromhex(self.target_digest), bytes.fromhex(self.nonce)
        return fields(_BY_PLAYER, bytes.fromhex(self.game), *texts, digest, number(self.keeper), nonce)


class EntryContext(Struct, frozen=True):
    """Where a value that the engine seals belongs: game (its founding's digest), entry, place; raises E-CONTEXT."""

    game: str
    entry: int
    place: str

    def __post_init__(self) -> None:
        _require_form(self.game, self.entry, (self.place,))

    @property
    def common(self) -> bytes:
        """What all values of one box share, as bytes."""
        return fields(_BY_ENGINE, bytes.fromhex(self.game), number(self.entry))


AnyContext = Context | EntryContext


def _require_form(game: str, value: int, texts: tuple[str, ...], target: str = "") -> None:
    good = _DIGEST.fullmatch(game) and 0 <= value < 1 << 64 and all(texts)
    if not good or any(map(has_surrogates, (*texts, target))):
        raise _malformed()


def _malformed() -> SealingError:
    return SealingError("E-CONTEXT", "what says for which place this was sealed has not the form that it must have")


def own_context(game: str, author: str, act: str, argument: str, nonce: str) -> Context:
    """Return where something belongs that a player seals to themselves alone: it names no key of a keeper."""
    return Context(game, author, act, argument, target="", target_digest="", keeper=0, nonce=nonce)


def flat(context: AnyContext) -> SealedFor:
    """Return a context as a map of texts and numbers."""
    return cast(SealedFor, asdict(context))


def context_bytes(context: AnyContext) -> bytes:
    """Return the bytes of a context that a commitment covers."""
    return context.common + fields(context.place.encode())


def read_context(common: bytes, place: bytes) -> AnyContext:
    """Return the context that bytes of a box stand for; raises E-CONTEXT where they stand for none."""
    try:
        context = _context(*Reader(common).rest(), place=place.decode())
    except (TypeError, ValueError):
        raise _malformed() from None
    if context.common != common:
        raise _malformed()
    return context


def _context(kind: bytes, game: bytes, *parts: bytes, place: str) -> AnyContext:
    if kind == _BY_ENGINE:
        (entry,) = parts
        return EntryContext(game.hex(), int.from_bytes(entry, "big"), place)
    if kind != _BY_PLAYER:
        raise ValueError("another kind of context")
    author, act, target, digest, keeper, nonce = parts
    texts, of = (author.decode(), act.decode(), place, target.decode()), int.from_bytes(keeper, "big")
    return Context(game.hex(), *texts, digest.hex(), of, nonce.hex())


def differences(found: AnyContext, expected: AnyContext) -> tuple[str, ...]:
    """Return the names of the parts in which two contexts differ; a nonce, which nobody can expect, is none.

    >>> differences(EntryContext("00" * 32, 7, "a"), EntryContext("00" * 32, 8, "a"))
    ('entry',)
    """
    if type(found) is not type(expected):
        return ("kind",)
    names = (name for name in found.__struct_fields__ if name != "nonce")
    return tuple(name for name in names if getattr(found, name) != getattr(expected, name))


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


# -- bytes


def field(data: bytes) -> bytes:
    r"""Return bytes behind their length.

    >>> field(b"abc")
    b'\x00\x00\x00\x03abc'
    """
    return number(len(data), 4) + data


def fields(*parts: bytes) -> bytes:
    """Return several parts, each behind its length."""
    return b"".join(map(field, parts))


def number(value: int, length: int = 8) -> bytes:
    """Return a number from 0 as so many bytes; raises ValueError for one that is negative or too large."""
    try:
        return value.to_bytes(length, "big")
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
        return int.from_bytes(self.take(4), "big")

    def field(self) -> bytes:
        """Return the next part."""
        return self.take(self.count())

    def rest(self) -> Iterator[bytes]:
        """Yield all parts that are left."""
        while self.at < len(self.data):
            yield self.field()


# -- digests that bind whoever publishes them to a value


def commitment(context: AnyContext, value: Any, salt: bytes) -> str:
    """Return what commits to a value in a place: SHA-256 in hex over a tag, context, value and 32 bytes of salt."""
    return sha256(committed_bytes(context, value, salt)).hexdigest()


def committed_bytes(context: AnyContext, value: Any, salt: bytes) -> bytes:
    """Return the bytes whose digest a commitment is; raises E-COMMITMENT for a salt or value that cannot be."""
    if len(salt) != SALT:
        raise SealingError("E-COMMITMENT", f"a salt has {SALT} bytes")
    try:
        data = canonical_bytes(value)
    except ValueError:
        raise SealingError("E-COMMITMENT", "this is no value that a game can keep") from None
    return fields(_TAG, context_bytes(context), data, salt)


def opens(committed: str, context: AnyContext, value: Any, salt: bytes) -> bool:
    """Whether a commitment is that to a value, in a time that does not depend on how much of it agrees."""
    try:
        found = commitment(context, value, salt)
    except SealingError:
        return False
    return bool(_DIGEST.fullmatch(committed)) and hmac.compare_digest(found, committed)


# -- seeds of sealed draws: committed to all at once, opened one by one
#
# The tree is that of RFC 9162 (leaves and nodes are hashed apart) over 4,096 leaves. Opening a seed tells nothing of
# any other, nor of the secret that they follow from.


SEEDS, HEIGHT = 4_096, 12
"""How many seeds one key of a keeper has, and how many digests prove one."""


def seed_secret(identity: str) -> bytes:
    """Return the secret that the seeds of a keeper's key (`AGE-SECRET-KEY-1…`) follow from."""
    return hmac.digest(identity.encode(), b"folkmoot seeds v1", "sha256")


def nth_seed(secret: bytes, game: str, n: int) -> bytes:
    """Return seed `n` (from 0) of a game, by the digest of its founding entry; raises E-SEED beyond the last one."""
    if not 0 <= n < SEEDS:
        hint = "the keeper names a new key, which has new seeds: `moot key --keeper`"
        raise SealingError("E-SEED", f"a key of the keeper has seeds 0 to {SEEDS - 1}, and no seed {n}", hint)
    return hmac.digest(secret, fields(b"folkmoot seed v1", bytes.fromhex(game), number(n)), "sha256")


def _leaf(game: str, n: int, seed: bytes) -> bytes:
    return sha256(b"\x00" + fields(b"folkmoot seed leaf v1", bytes.fromhex(game), number(n), seed)).digest()


def _node(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right).digest()


@lru_cache(maxsize=4)
def _tree(secret: bytes, game: str) -> list[list[bytes]]:
    """Return the tree floor by floor, its leaves first and its root last."""
    floors = [[_leaf(game, n, nth_seed(secret, game, n)) for n in range(SEEDS)]]
    while len(floor := floors[-1]) > 1:
        floors.append([_node(floor[i], floor[i + 1]) for i in range(0, len(floor), 2)])
    return floors


def seed_root(secret: bytes, game: str) -> str:
    """Return what commits a keeper to all seeds of a game, in hex."""
    return _tree(secret, game)[-1][0].hex()


def seed_proof(secret: bytes, game: str, n: int) -> tuple[str, ...]:
    """Return what proves that a seed is the n-th under its root: twelve digests in hex, from the leaf upwards."""
    nth_seed(secret, game, n)
    return tuple(floor[(n >> depth) ^ 1].hex() for depth, floor in enumerate(_tree(secret, game)[:-1]))


def verify_seed(root: str, game: str, n: int, seed: bytes, proof: Sequence[str]) -> bool:
    """Whether a seed is the n-th of those that a root commits to."""
    try:
        steps = [bytes.fromhex(step) for step in proof if _DIGEST.fullmatch(step)]
        found = _leaf(game, n, seed)
    except (ValueError, TypeError):
        return False
    if not 0 <= n < SEEDS or not len(steps) == len(proof) == HEIGHT or len(seed) != 32:
        return False
    for depth, step in enumerate(steps):
        found = _node(step, found) if n >> depth & 1 else _node(found, step)
    return hmac.compare_digest(found.hex(), root)


def draw_bytes(seed: bytes, entry_before: str, event: str) -> bytes:
    """Return the 32 bytes that a sealed draw begins with, by the digests (hex) of the entry before and of the event."""
    draw = fields(b"folkmoot sealed draw v1", bytes.fromhex(entry_before), bytes.fromhex(event))
    return hmac.digest(seed, draw, "sha256")
