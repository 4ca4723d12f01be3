"""Keys: the public half, to which a box is sealed, and the private half, which opens it; native to age, or of SSH.

Which texts are public keys is read as bytes, without any library: a game judges by it what its players name, so that it
says the same on every machine.
"""

from __future__ import annotations

import binascii
import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from functools import lru_cache
from hashlib import sha256
from typing import Any, Literal, TypeVar

from msgspec import Struct

from folkmoot.core.problems import ProblemError, fail
from folkmoot.sealing.commitments import Reader, SealingError

Answer = TypeVar("Answer")
Kind = Literal["age", "ssh-ed25519", "ssh-rsa"]
NATIVE = "make a key of its own: `moot key --sealing`"
BLANKS = " \t\r\n"


# -- the library behind boxes and keys, loaded when it is first needed: games without sealed data never pay for it


def age_library() -> Any:
    """Return pyrage; raises E-OUTSIDE where this system has none."""
    try:
        import pyrage
    except ImportError:
        hint = "`pip install pyrage` says why; games without sealed data do not need it"
        raise fail("E-OUTSIDE", "sealed data needs the library pyrage, which is not installed", None, hint) from None
    return pyrage


def asked(call: Callable[[], Answer]) -> Answer | None:
    """Return what the library answers, None where it refuses: what it says of that may show what it read."""
    try:
        return call()
    except Exception:  # noqa: BLE001  its errors are of many types, and none of their words are for people
        return None
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # it is no Exception, so that nothing catches it by chance
            raise
        return None


# -- which texts are public keys; pure


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
_SMALL = frozenset(
    {
        0,
        1,
        _FIELD - 1,
        325606250916557431795983626356110631294008115727848805560023387167927233504,
        39382357235489614581723061780553021112529911719440698176882885853963445705823,
    }
)
"""The points of order one, two, four and eight: with them every sender has the same secret (RFC 7748, section 6.1)."""


def read_public(text: str) -> tuple[Kind, str]:
    """Return the kind of a public key, and the key in its one form: `age1…`, or two words of SSH without a comment.

    Raises E-RECIPIENT where nothing can be sealed to it, or everybody could open what is.
    """
    text = text.strip(BLANKS)
    if native := _AGE.fullmatch(text):
        return "age", _sound(text, _is_native(native[1]))
    words = " ".join(_WORDS.split(text)[:2]) if len(text) <= LARGEST_PUBLIC and "\n" not in text else ""
    ssh = _SSH.fullmatch(words)
    if ssh is None:
        raise SealingError("E-RECIPIENT", next(why for form, why in _UNUSABLE if re.match(form, text)), NATIVE)
    parts = _parts(ssh[1], ssh[2])
    if ssh[1] == "ssh-ed25519":
        return "ssh-ed25519", _sound(words, len(parts) == 1 and _is_point(parts[0]))
    return "ssh-rsa", _sound(words, len(parts) == 2 and _is_modulus(*parts))


def is_private(text: str) -> bool:
    """Whether a text begins as the private half of a key does."""
    return _PRIVATE.match(text.strip(BLANKS)) is not None


def _sound(text: str, is_sound: bool) -> str:
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
    return bits & 15 == 0 and not _is_small((bits >> 4).to_bytes(32, "big"))


def _checksum(digits: list[int]) -> int:
    found = 1
    for digit in digits:
        top, found = found >> 25, (found & 0x1FFFFFF) << 5 ^ digit
        for bit, part in enumerate(_POLYNOMIAL):
            found ^= part if top >> bit & 1 else 0
    return found


def _is_small(point: bytes) -> bool:
    return int.from_bytes(point, "little") % (1 << 255) % _FIELD in _SMALL


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
    whole = all(
        each.to_bytes(each.bit_length() // 8 + 1, "big") == part for each, part in ((e, exponent), (n, modulus))
    )
    return whole and 2_048 <= n.bit_length() <= 4_096 and n % 2 == 1 and e % 2 == 1 and 3 <= e < 2**33


# -- the public half


MOST_LINES = 100  # of a list of keys


class Recipient(Struct, frozen=True):
    """To whom a box is sealed: a kind of key and its text, without a comment."""

    kind: Kind
    text: str

    @property
    def fingerprint(self) -> str:
        """What people compare: for SSH keys as `ssh-keygen -l` shows it, else 32 hex digits in groups of four."""
        if self.kind != "age":
            digest = sha256(b64decode(self.text.split()[1])).digest()
            return "SHA256:" + b64encode(digest).decode().rstrip("=")
        digits = sha256(self.text.encode()).hexdigest()[:32]
        return " ".join(digits[at : at + 4] for at in range(0, 32, 4))

    @property
    def warning(self) -> str:
        """What somebody should know who uses it, "" where there is nothing."""
        if self.kind != "ssh-rsa":
            return ""
        return "RSA is old and slow: every box is larger, and the page in the browser cannot open it"

    def in_library(self) -> Any:
        """Return the key as the library has it."""
        return _public_half(self.kind, self.text)


@lru_cache(maxsize=256)
def _public_half(kind: Kind, text: str) -> Any:
    pyrage = age_library()
    read = pyrage.x25519.Recipient.from_str if kind == "age" else pyrage.ssh.Recipient.from_str
    return asked(lambda: read(text))


def read_recipient(text: str) -> Recipient:
    """Return the key that a text holds: `age1…`, or one line of an SSH public key; raises E-RECIPIENT.

    The comment of an SSH key is dropped.
    """
    found = Recipient(*read_public(text))
    _sound(text, found.in_library() is not None)
    return found


class Candidate(Struct, frozen=True):
    """A key in somebody's list on a forge: usable, or the sentence why it is not."""

    line: int
    recipient: Recipient | None
    problem: str = ""


def candidates(text: str) -> tuple[Candidate, ...]:
    """Return the keys of a list such as a forge shows (`USER.keys`), each with why it cannot be used if so.

    Raises E-RECIPIENT for a list that no forge gives.
    """
    if len(text) > MOST_LINES * LARGEST_PUBLIC or text.count("\n") > MOST_LINES:
        raise SealingError("E-RECIPIENT", f"a list of keys has at most {MOST_LINES} lines")
    return tuple(_candidates(text))


def _candidates(text: str) -> Iterator[Candidate]:
    for line, words in enumerate(text.split("\n"), 1):
        if not words.strip(BLANKS) or words.startswith("#"):
            continue
        try:
            yield Candidate(line, read_recipient(words))
        except SealingError as error:
            yield Candidate(line, None, error.problems[0].message)


# -- the private half


LARGEST = 20_000  # bytes of a file with a private key
_NATIVE = re.compile(r"AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}", re.ASCII)
_SECURITY_KEY = re.compile(rb"sk-(?:ssh-ed25519|ecdsa-sha2-nistp256)@openssh\.com")


class Identity(Struct, frozen=True):
    """A private key: what is sealed to `recipient` opens with it. Its secret is never shown by accident."""

    recipient: Recipient
    secret: str

    def __repr__(self) -> str:
        """Return whose key it is."""
        return f"Identity(recipient={self.recipient})"

    def in_library(self) -> Any:
        """Return the key as the library has it."""
        return _private_half(self.recipient.kind, self.secret)


@lru_cache(maxsize=16)
def _private_half(kind: Kind, secret: str) -> Any:
    pyrage = age_library()
    if kind == "age":
        return asked(lambda: pyrage.x25519.Identity.from_str(secret))
    return asked(lambda: pyrage.ssh.Identity.from_buffer(secret.encode()))


def make_key() -> Identity:
    """Return a new key that is native to age."""
    return read_identity(str(age_library().x25519.Identity.generate()))


def read_identity(text: str) -> Identity:
    """Return the private key that a file holds: native to age with or without comments, or an SSH key.

    Raises E-RECIPIENT, which shows nothing of it.
    """
    lines = [
        line
        for line in (each.strip(BLANKS) for each in text[:LARGEST].split("\n"))
        if line and not line.startswith("#")
    ]
    if len(lines) == 1 and _NATIVE.fullmatch(lines[0]):
        found = _private_half("age", lines[0])
        if found is None:
            raise _unopening("this private key is damaged; nothing of it was shown", "")
        return Identity(read_recipient(str(found.to_public())), lines[0])
    if lines and lines[0].startswith("-----BEGIN ") and len(text) <= LARGEST:
        return _read_ssh(lines)
    raise _unusable(lines[0] if lines else "")


def _read_ssh(lines: list[str]) -> Identity:
    """Return an SSH key; its public half is read from the file."""
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives import serialization as form

    secret = "\n".join(lines) + "\n"
    is_new = lines[0] == "-----BEGIN OPENSSH PRIVATE KEY-----"
    try:
        private = (form.load_ssh_private_key if is_new else form.load_pem_private_key)(secret.encode(), None)
        public = private.public_key().public_bytes(form.Encoding.OpenSSH, form.PublicFormat.OpenSSH)
    except (TypeError, ValueError, UnsupportedAlgorithm):
        raise _locked(lines) from None
    identity = Identity(read_recipient(public.decode()), secret)
    if identity.in_library() is None:
        raise _locked(lines)
    return identity


def _locked(lines: list[str]) -> SealingError:
    data = asked(lambda: b64decode("".join(lines[1:-1])))
    if data and _SECURITY_KEY.search(data):
        return _unopening("a security key signs, but cannot open what is sealed to it")
    return _unopening("this private key is locked with a passphrase, or is none that can open; nothing of it was shown")


def _unusable(line: str) -> SealingError:
    """Return why a text is no private key; where it is a public one, that."""
    if line.startswith("AGE-PLUGIN-"):
        return _unopening("a key of a plugin of age cannot be used here")
    try:
        read_recipient(line)
    except ProblemError as error:
        known = line.startswith(("sk-", "ecdsa-", "ssh-dss"))
        return _unopening(error.problems[0].message if known else "this is no private key")
    message = "this is the public half of a key; to open takes the private half, and an agent does not give it"
    return _unopening(message, f"give the file without .pub, or {NATIVE}")


def _unopening(message: str, hint: str = NATIVE) -> SealingError:
    return SealingError("E-RECIPIENT", message, hint)
