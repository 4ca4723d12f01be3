"""Sealing a secret so that nobody but the forge can open it, as GitHub asks for it."""

from __future__ import annotations

import binascii
from base64 import b64decode, b64encode

from nacl.public import PublicKey, SealedBox

from folkmoot.core.problems import fail


def sealed(secret: str, key: str) -> str:
    """Return a secret sealed to a public key (base64, 32 bytes), as base64; raises E-FORGE for what is no key."""
    try:
        box = SealedBox(PublicKey(b64decode(key, validate=True)))
    except (binascii.Error, ValueError, TypeError):
        raise fail("E-FORGE", "the forge names no key to which a secret can be sealed", None, "run it again") from None
    return b64encode(box.encrypt(secret.encode())).decode()
