"""The seeds of sealed draws: committed to all at once, opened one by one; pure.

The tree is that of RFC 9162 (leaves and nodes are hashed apart) over 4,096 leaves. Opening a seed tells nothing of any
other, nor of the secret that they follow from.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import sha256

from folkmoot.sealing.contexts import fields, number
from folkmoot.sealing.errors import SEED, SealingError

SEEDS = 4_096
"""How many seeds one key of a keeper has."""
HEIGHT = 12
LENGTH = 32  # bytes
_STEP = re.compile(r"[0-9a-f]{64}", re.ASCII)
_ROOT_TAG = b"folkmoot seeds v1"
_SEED_TAG = b"folkmoot seed v1"
_LEAF_TAG = b"folkmoot seed leaf v1"
_DRAW_TAG = b"folkmoot sealed draw v1"


def seed_secret(identity: str) -> bytes:
    """Return the secret that the seeds of a keeper's key (`AGE-SECRET-KEY-1…`) follow from."""
    return hmac.digest(identity.encode(), _ROOT_TAG, "sha256")


def nth_seed(secret: bytes, game: str, n: int) -> bytes:
    """Return seed `n` (from 0) of a game, by the digest of its founding entry; raises E-SEED beyond the last one."""
    _check(n)
    return hmac.digest(secret, fields(_SEED_TAG, bytes.fromhex(game), number(n)), "sha256")


def _leaf(game: str, n: int, seed: bytes) -> bytes:
    return sha256(b"\x00" + fields(_LEAF_TAG, bytes.fromhex(game), number(n), seed)).digest()


def _node(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right).digest()


def _floors(secret: bytes, game: str) -> Iterator[Sequence[bytes]]:
    """Yield the tree floor by floor, its leaves first and its root last."""
    floor = [_leaf(game, n, nth_seed(secret, game, n)) for n in range(SEEDS)]
    while True:
        yield floor
        if len(floor) == 1:
            return
        floor = [_node(floor[i], floor[i + 1]) for i in range(0, len(floor), 2)]


@lru_cache(maxsize=4)
def _tree(secret: bytes, game: str) -> tuple[Sequence[bytes], ...]:
    return tuple(_floors(secret, game))


def seed_root(secret: bytes, game: str) -> str:
    """Return what commits a keeper to all seeds of a game, in hex."""
    return _tree(secret, game)[-1][0].hex()


def seed_proof(secret: bytes, game: str, n: int) -> tuple[str, ...]:
    """Return what proves that a seed is the n-th under its root: twelve digests in hex, from the leaf upwards."""
    _check(n)
    return tuple(floor[(n >> depth) ^ 1].hex() for depth, floor in enumerate(_tree(secret, game)[:-1]))


def verify_seed(root: str, game: str, n: int, seed: bytes, proof: Sequence[str]) -> bool:
    """Say whether a seed is the n-th of those that a root commits to."""
    try:
        steps = [bytes.fromhex(step) for step in proof if _STEP.fullmatch(step)]
        found = _leaf(game, n, seed)
    except (ValueError, TypeError):
        return False
    if not 0 <= n < SEEDS or not len(steps) == len(proof) == HEIGHT or len(seed) != LENGTH:
        return False
    for depth, step in enumerate(steps):
        found = _node(step, found) if n >> depth & 1 else _node(found, step)
    return hmac.compare_digest(found.hex(), root)


def draw_bytes(seed: bytes, entry_before: str, event: str) -> bytes:
    """Return the 32 bytes that a sealed draw begins with, by the digests (hex) of the entry before and of the event."""
    return hmac.digest(seed, fields(_DRAW_TAG, bytes.fromhex(entry_before), bytes.fromhex(event)), "sha256")


def _check(n: int) -> None:
    if not 0 <= n < SEEDS:
        hint = "the keeper names a new key, which has new seeds: `moot key --keeper`"
        raise SealingError(SEED, f"a key of the keeper has seeds 0 to {SEEDS - 1}, and no seed {n}", hint)
