"""The keeper's master secret: taken out of the environment at once, read with care, and never shown."""

from __future__ import annotations

import binascii
import os
import re
from base64 import urlsafe_b64decode

from folkmoot.core.problems import fail

VARIABLE = "FOLKMOOT_CHANCE"
LENGTH = 32
"""How many bytes a secret has at least."""
_LONGEST = 4_096
_FEWEST_KINDS = 8  # of bytes: 32 random ones have fewer once in 10^30 times
_HEX = re.compile(r"(?:[0-9A-Fa-f]{2})+", re.ASCII)
_hidden = [""]


def make_master() -> str:
    """Return a new master secret as `FOLKMOOT_CHANCE` holds it: 32 random bytes, hex."""
    import secrets

    return secrets.token_hex(LENGTH)


def hide_masters() -> None:
    """Take the master secrets out of the environment, so that no process that is started from now on gets them."""
    found = os.environ.pop(VARIABLE, "")
    if found.strip():
        _hidden[0] = found


def masters() -> list[bytes]:
    """Return the master secrets that the environment held, the newest first; raises E-SECRET for what is none."""
    hide_masters()
    return read_masters(_hidden[0]) if _hidden[0] else []


def read_masters(text: str) -> list[bytes]:
    """Return the master secrets that a text holds, the newest first; raises E-SECRET, which shows nothing of them.

    Each is 32 bytes or more in hex or base64; several are set apart by blanks or commas. Epochs are opened with the
    first, and closed with whichever they were opened with.
    """
    words = text.replace(",", " ").split() if len(text) <= _LONGEST else []
    found = [master for word in words if (master := _bytes_of(word)) is not None]
    if not found or len(found) < len(words):
        message = f"{VARIABLE} does not hold {LENGTH} or more random bytes in hex or base64"
        raise fail("E-SECRET", message, None, "`moot secret` makes such a secret")
    return found


def _bytes_of(word: str) -> bytes | None:
    """Return the bytes that a word stands for, None where they are too few, not random, or no bytes at all."""
    try:
        plain = word.replace("+", "-").replace("/", "_").rstrip("=")
        found = bytes.fromhex(word) if _HEX.fullmatch(word) else _base64(plain)
    except (ValueError, binascii.Error):
        return None
    return found if len(found) >= LENGTH and len(set(found)) >= _FEWEST_KINDS else None


def _base64(plain: str) -> bytes:
    if not re.fullmatch(r"[A-Za-z0-9_-]+", plain, re.ASCII):
        raise ValueError(plain[:0])
    return urlsafe_b64decode(plain + "=" * (-len(plain) % 4))


def derived(master: bytes, game: str, epoch: int) -> bytes:
    """Return the secret of a chance epoch: HMAC-SHA256 over the game's name and the number under a master secret.

    Publishing it when the epoch closes tells nothing of the master secret, or of any other epoch.
    """
    import hmac

    return hmac.digest(master, f"folkmoot chance epoch\n{game}\n{epoch}".encode(), "sha256")
