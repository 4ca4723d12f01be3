"""SSH signatures of commits, checked without starting a program.

The form is OpenSSH's (PROTOCOL.sshsig): an armoured blob that names the key, the namespace `git`, and a digest. Which
person a key belongs to, and when, is not decided here.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Callable

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

from folkmoot.journal.git_library import pygit2

_BEGIN, _END = b"-----BEGIN SSH SIGNATURE-----", b"-----END SSH SIGNATURE-----"
_MAGIC, _VERSION = b"SSHSIG", 1
_NAMESPACE = b"git"
_DIGESTS: dict[bytes, Callable[[bytes], bytes]] = {
    b"sha256": lambda data: hashlib.sha256(data).digest(),
    b"sha512": lambda data: hashlib.sha512(data).digest(),
}
_CURVES: dict[bytes, tuple[bytes, ec.EllipticCurve, hashes.HashAlgorithm]] = {
    b"ecdsa-sha2-nistp256": (b"nistp256", ec.SECP256R1(), hashes.SHA256()),
    b"ecdsa-sha2-nistp384": (b"nistp384", ec.SECP384R1(), hashes.SHA384()),
    b"ecdsa-sha2-nistp521": (b"nistp521", ec.SECP521R1(), hashes.SHA512()),
}
_RSA_HASHES: dict[bytes, hashes.HashAlgorithm] = {b"rsa-sha2-256": hashes.SHA256(), b"rsa-sha2-512": hashes.SHA512()}
_RSA_BITS = range(2048, 16385)
_MAXIMUM = 32_768  # bytes of an armoured signature


class _UnfitError(ValueError):
    """Raised where a signature or key is not of the form that it must have."""


class _Reader:
    """Reads the fields of an SSH message, one after the other."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def take(self, size: int) -> bytes:
        """Return the next `size` bytes."""
        if size > len(self._data) - self._at:
            raise _UnfitError
        self._at += size
        return self._data[self._at - size : self._at]

    def number(self) -> int:
        """Return the next 32 bits."""
        return int.from_bytes(self.take(4))

    def string(self) -> bytes:
        """Return the next string: four bytes of length, then as many bytes."""
        return self.take(self.number())

    def integer(self) -> int:
        """Return the next integer of any length; none of ours is negative."""
        raw = self.string()
        if raw[:1] >= b"\x80" or (raw[:1] == b"\0" and raw[1:2] < b"\x80"):
            raise _UnfitError
        return int.from_bytes(raw)

    def end(self) -> None:
        """Refuse what is left over."""
        if self._at != len(self._data):
            raise _UnfitError


def signing_key(repo: pygit2.Repository, commit: str) -> str:
    """Return the key whose good SSH signature a commit carries.

    Args:
        repo: the repository that holds it.
        commit: its name (hex).

    Returns:
        The key as a file of public keys writes it, without the comment (`ssh-ed25519 AAAA…`); "" where the commit is
        unsigned, or its signature is of another kind, bad, or of a key that is too weak.
    """
    payload, armour = _parts(repo[commit].read_raw())
    return key_of(armour, payload) if armour else ""


def _parts(raw: bytes) -> tuple[bytes, bytes]:
    """Return a commit's bytes without its signature, and the signature; empty where there is not exactly one."""
    head, gap, message = raw.partition(b"\n\n")
    kept: list[bytes] = []
    found: list[list[bytes]] = []
    current: list[bytes] | None = None
    for line in head.split(b"\n"):
        if line.startswith(b" ") and current is not None:
            current.append(line[1:])
            continue
        current = None
        if line.startswith(b"gpgsig "):
            current = [line[len(b"gpgsig ") :]]
            found.append(current)
        elif line.startswith(b"gpgsig-sha256 "):
            current = []
        else:
            kept.append(line)
    armour = b"\n".join(found[0]) if len(found) == 1 else b""
    return b"\n".join(kept) + gap + message, armour


def key_of(armour: bytes, payload: bytes) -> str:
    """Return the key of an armoured signature if it is a good one of `payload` for git, else ""."""
    try:
        return _checked(_unarmoured(armour), payload)
    except (_UnfitError, InvalidSignature, UnsupportedAlgorithm, ValueError):
        return ""


def _unarmoured(armour: bytes) -> _Reader:
    lines = armour.strip().split(b"\n")
    if len(armour) > _MAXIMUM or lines[0].strip() != _BEGIN or lines[-1].strip() != _END:
        raise _UnfitError
    try:
        return _Reader(base64.b64decode(b"".join(line.strip() for line in lines[1:-1]), validate=True))
    except binascii.Error:
        raise _UnfitError from None


def _checked(reader: _Reader, payload: bytes) -> str:
    if reader.take(len(_MAGIC)) != _MAGIC or reader.number() != _VERSION:
        raise _UnfitError
    key, namespace, reserved, digest, signature = (reader.string() for _ in range(5))
    reader.end()
    if namespace != _NAMESPACE or digest not in _DIGESTS:
        raise _UnfitError
    signed = _MAGIC + b"".join(map(_packed, (namespace, reserved, digest, _DIGESTS[digest](payload))))
    kind = _Reader(key).string()
    if kind not in _KINDS:
        raise _UnfitError
    _KINDS[kind](_Reader(key), _Reader(signature), signed)
    return f"{kind.decode()} {base64.b64encode(key).decode()}"


def _packed(data: bytes) -> bytes:
    return len(data).to_bytes(4) + data


def _check_ed25519(key: _Reader, signature: _Reader, signed: bytes) -> None:
    kind, point = key.string(), key.string()
    algorithm, raw = signature.string(), signature.string()
    key.end()
    signature.end()
    if algorithm != kind:
        raise _UnfitError
    ed25519.Ed25519PublicKey.from_public_bytes(point).verify(raw, signed)


def _check_hardware_ed25519(key: _Reader, signature: _Reader, signed: bytes) -> None:
    kind, point, application = key.string(), key.string(), key.string()
    algorithm, raw, flags, counter = signature.string(), signature.string(), signature.take(1), signature.take(4)
    key.end()
    signature.end()
    if algorithm != kind:
        raise _UnfitError
    message = hashlib.sha256(application).digest() + flags + counter + hashlib.sha256(signed).digest()
    ed25519.Ed25519PublicKey.from_public_bytes(point).verify(raw, message)


def _check_ecdsa(key: _Reader, signature: _Reader, signed: bytes) -> None:
    kind, name, point = key.string(), key.string(), key.string()
    algorithm, numbers = signature.string(), _Reader(signature.string())
    expected, curve, digest = _CURVES[kind]
    encoded = encode_dss_signature(numbers.integer(), numbers.integer())
    for reader in (key, signature, numbers):
        reader.end()
    if algorithm != kind or name != expected or point[:1] != b"\x04":
        raise _UnfitError
    ec.EllipticCurvePublicKey.from_encoded_point(curve, point).verify(encoded, signed, ec.ECDSA(digest))


def _check_rsa(key: _Reader, signature: _Reader, signed: bytes) -> None:
    _, exponent, modulus = key.string(), key.integer(), key.integer()
    algorithm, raw = signature.string(), signature.string()
    key.end()
    signature.end()
    size = (modulus.bit_length() + 7) // 8
    if algorithm not in _RSA_HASHES or modulus.bit_length() not in _RSA_BITS or len(raw) > size:
        raise _UnfitError
    public = rsa.RSAPublicNumbers(exponent, modulus).public_key()
    public.verify(raw.rjust(size, b"\0"), signed, padding.PKCS1v15(), _RSA_HASHES[algorithm])


_KINDS: dict[bytes, Callable[[_Reader, _Reader, bytes], None]] = {
    b"ssh-ed25519": _check_ed25519,
    b"sk-ssh-ed25519@openssh.com": _check_hardware_ed25519,
    b"ssh-rsa": _check_rsa,
    **dict.fromkeys(_CURVES, _check_ecdsa),
}
