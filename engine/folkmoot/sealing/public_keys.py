"""Which texts are public keys, native to age or of SSH: read as bytes, without any library.

A game judges by it what its players name, so that it says the same on every machine.
"""

from __future__ import annotations

import binascii
import re
from base64 import b64decode, b64encode
from typing import Literal

from folkmoot.sealing.commitments import Reader, SealingError

Kind = Literal["age", "ssh-ed25519", "ssh-rsa"]
NATIVE = "make a key of its own: `moot key --sealing`"
BLANKS = " \t\r\n"

LARGEST_PUBLIC = 2_000  # characters
_WORDS = re.compile(r"[ \t]+")
_AGE = re.compile(r"age1([02-9ac-hj-np-z]{58})", re.ASCII)
_SSH = re.compile(r"(ssh-ed25519|ssh-rsa) ([A-Za-z0-9+/]+={0,2})", re.ASCII)
_ALPHABET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
_POLYNOMIAL = (0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)
_PREFIX = (3, 3, 3, 0, 1, 7, 5)  # how the checksum counts `age`
_PRIVATE = re.compile(r"AGE-SECRET-KEY-|AGE-PLUGIN-|-----BEGIN")
_UNUSABLE = (
    (r"\S+-cert-v01@", "a certificate is no key"),
    (r"sk-", "a security key signs, but cannot open what is sealed to it"),
    (r"ecdsa-", "an ECDSA key cannot open what is sealed to it"),
    (r"ssh-dss\b", "a DSA key cannot open what is sealed to it"),
    (r"age1(pq|tag|tagpq)1", "keys of this kind of age cannot be used yet"),
    (r"age1[a-z0-9]+1", "a key of a plugin of age needs that plugin, which others do not have"),
    (_PRIVATE.pattern, "this is a PRIVATE key; nothing of it was kept or sent"),
    ("", "this is no key to which something can be sealed: neither `age1…` nor `ssh-ed25519 AAAA…`"),
)
_FIELD = 2**255 - 19
_CURVE = -121_665 * pow(121_666, -1, _FIELD) % _FIELD
_SMALL = {
    *(0, 1, _FIELD - 1, 325606250916557431795983626356110631294008115727848805560023387167927233504),
    39382357235489614581723061780553021112529911719440698176882885853963445705823,
}
"""The points of order one, two, four and eight: with them every sender has the same secret (RFC 7748, section 6.1)."""


def read_public(text: str) -> tuple[Kind, str]:
    """Return the kind of a public key, and the key in its one form: `age1…`, or two words of SSH without a comment.

    Raises E-RECIPIENT where nothing can be sealed to it, or everybody could open what is.
    """
    text = text.strip(BLANKS)
    if native := _AGE.fullmatch(text):
        return "age", check_sound(text, _is_native(native[1]))
    words = " ".join(_WORDS.split(text)[:2]) if len(text) <= LARGEST_PUBLIC and "\n" not in text else ""
    ssh = _SSH.fullmatch(words)
    if ssh is None:
        raise SealingError("E-RECIPIENT", next(why for form, why in _UNUSABLE if re.match(form, text)), NATIVE)
    parts = _parts(ssh[1], ssh[2])
    if ssh[1] == "ssh-ed25519":
        return "ssh-ed25519", check_sound(words, len(parts) == 1 and _is_point(parts[0]))
    return "ssh-rsa", check_sound(words, len(parts) == 2 and _is_modulus(*parts))


def is_private(text: str) -> bool:
    """Whether a text begins as the private half of a key does."""
    return _PRIVATE.match(text.strip(BLANKS)) is not None


def check_sound(text: str, is_sound: bool) -> str:
    """Return a key that is sound; raises SealingError for another."""
    if not is_sound:
        message = "this key is damaged, or so weak that everybody could open its boxes"
        raise SealingError("E-RECIPIENT", message, NATIVE)
    return text


def _is_native(letters: str) -> bool:
    """Whether the letters after `age1` are a point with its checksum (bech32), and no weak one."""
    digits = [_ALPHABET.index(letter) for letter in letters]
    if _checksum([*_PREFIX, *digits]) != 1:
        return False
    bits = 0
    for digit in digits[:-6]:
        bits = bits << 5 | digit
    point = int.from_bytes((bits >> 4).to_bytes(32, "big"), "little")
    return bits & 15 == 0 and point % (1 << 255) % _FIELD not in _SMALL


def _checksum(digits: list[int]) -> int:
    found = 1
    for digit in digits:
        top, found = found >> 25, (found & 0x1FFFFFF) << 5 ^ digit
        for bit, part in enumerate(_POLYNOMIAL):
            found ^= part if top >> bit & 1 else 0
    return found


def _parts(kind: str, written: str) -> list[bytes]:
    """Return the parts after the name in the second word of an SSH key; nothing where it is not in its one form."""
    try:
        data = b64decode(written, validate=True)
        named, *parts = Reader(data).rest()
    except (ValueError, binascii.Error):
        return []
    return parts if b64encode(data).decode() == written and named == kind.encode() else []


def _is_point(data: bytes) -> bool:
    """Whether 32 bytes are a point of Ed25519, and its X25519 counterpart no weak one."""
    y = int.from_bytes(data, "little") % (1 << 255)
    if len(data) != 32 or y >= _FIELD:
        return False
    square = (y * y - 1) * pow(_CURVE * y * y + 1, -1, _FIELD) % _FIELD
    counterpart = (1 + y) * pow(1 - y, _FIELD - 2, _FIELD) % _FIELD
    return pow(square, (_FIELD - 1) // 2, _FIELD) in (0, 1) and counterpart not in _SMALL


def _is_modulus(exponent: bytes, modulus: bytes) -> bool:
    """Whether two numbers are an RSA key of 2,048 to 4,096 bits, with an exponent in use."""
    e, n = (int.from_bytes(part, "big") for part in (exponent, modulus))
    pairs = (e, exponent), (n, modulus)
    whole = all(each.to_bytes(each.bit_length() // 8 + 1, "big") == part for each, part in pairs)
    return whole and 2_048 <= n.bit_length() <= 4_096 and n % 2 == 1 and e % 2 == 1 and 3 <= e < 2**33
