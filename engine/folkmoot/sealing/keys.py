"""Keys: the public half, to which a box is sealed, and the private half, which opens it; native to age, or of SSH."""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Callable
from functools import lru_cache
from hashlib import sha256
from typing import Any, TypeVar

from msgspec import Struct

from folkmoot.core.problems import ProblemError, fail
from folkmoot.sealing.commitments import SealingError
from folkmoot.sealing.public_keys import BLANKS, NATIVE, Kind, check_sound, read_public

Answer = TypeVar("Answer")


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


# -- the public half


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
    """Return the key that a text holds: `age1…`, or one line of an SSH key, its comment dropped; raises E-RECIPIENT."""
    found = Recipient(*read_public(text))
    check_sound(text, found.in_library() is not None)
    return found


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
    """Return the private key in a file, native to age or of SSH; raises E-RECIPIENT, which shows nothing of it."""
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
