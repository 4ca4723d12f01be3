"""A digest that binds whoever publishes it to a value, and tells nobody what it is until it is opened; pure."""

from __future__ import annotations

import hmac
import re
from hashlib import sha256
from typing import Any

from folkmoot.core.canonical_json import canonical_bytes
from folkmoot.sealing.contexts import AnyContext, context_bytes
from folkmoot.sealing.errors import COMMITMENT, SealingError
from folkmoot.sealing.fields import fields

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
