"""The private half of a key: with it its holder opens what is sealed to them."""

from __future__ import annotations

import re
from base64 import b64decode
from functools import lru_cache
from typing import Any

from msgspec import Struct

from folkmoot.core.problems import ProblemError
from folkmoot.sealing.age_library import age_library, asked
from folkmoot.sealing.errors import RECIPIENT, SealingError
from folkmoot.sealing.public_keys import NATIVE, Kind
from folkmoot.sealing.recipients import Recipient, lines_of, read_recipient

LARGEST = 20_000  # bytes of a file with a private key
_NATIVE = re.compile(r"AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}", re.ASCII)
_OPENSSH = "-----BEGIN OPENSSH PRIVATE KEY-----"
_PEM = "-----BEGIN "
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
        return _loaded(self.recipient.kind, self.secret)


@lru_cache(maxsize=16)
def _loaded(kind: Kind, secret: str) -> Any:
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
    lines = [line for line in lines_of(text[:LARGEST]) if not line.startswith("#")]
    if len(lines) == 1 and _NATIVE.fullmatch(lines[0]):
        return _native(lines[0])
    if lines and lines[0].startswith(_PEM) and len(text) <= LARGEST:
        return _ssh("\n".join(lines) + "\n")
    raise _unusable(lines[0] if lines else "")


def _native(secret: str) -> Identity:
    found = _loaded("age", secret)
    if found is None:
        raise SealingError(RECIPIENT, "this private key is damaged; nothing of it was shown")
    return Identity(read_recipient(str(found.to_public())), secret)


def _ssh(secret: str) -> Identity:
    """Return an SSH key; its public half is read from the file."""
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    try:
        public = _private_key(secret).public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH)
    except (TypeError, ValueError, UnsupportedAlgorithm):
        raise _locked(secret) from None
    identity = Identity(read_recipient(public.decode()), secret)
    if identity.in_library() is None:
        raise _locked(secret)
    return identity


def _private_key(secret: str) -> Any:
    from cryptography.hazmat.primitives.serialization import load_pem_private_key, load_ssh_private_key

    load = load_ssh_private_key if secret.startswith(_OPENSSH) else load_pem_private_key
    return load(secret.encode(), None)


def _locked(secret: str) -> SealingError:
    data = asked(lambda: b64decode("".join(lines_of(secret)[1:-1])))
    if data and _SECURITY_KEY.search(data):
        return SealingError(RECIPIENT, "a security key signs, but cannot open what is sealed to it", NATIVE)
    message = "this private key is locked with a passphrase, or is none that can open; nothing of it was shown"
    return SealingError(RECIPIENT, message, NATIVE)


def _unusable(line: str) -> SealingError:
    """Return why a text is no private key; where it is a public one, that."""
    if line.startswith("AGE-PLUGIN-"):
        return SealingError(RECIPIENT, "a key of a plugin of age cannot be used here", NATIVE)
    try:
        read_recipient(line)
    except ProblemError as error:
        if line.startswith(("sk-", "ecdsa-", "ssh-dss")):
            return SealingError(RECIPIENT, error.problems[0].message, NATIVE)
        return SealingError(RECIPIENT, "this is no private key", NATIVE)
    message = "this is the public half of a key; to open takes the private half, and an agent does not give it"
    return SealingError(RECIPIENT, message, "give the file without .pub, or " + NATIVE)
