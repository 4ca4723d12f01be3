"""SSH signatures of commits, checked without starting a program.

The form is OpenSSH's (PROTOCOL.sshsig): an armoured blob that names the key, the namespace `git`, and a digest. Which
person a key belongs to, and when, is not decided here.
"""

from __future__ import annotations

import base64
import hashlib

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.serialization.ssh import load_ssh_public_key

from folkmoot.journal.git_library import pygit2

_BEGIN, _END = b"-----BEGIN SSH SIGNATURE-----", b"-----END SSH SIGNATURE-----"
_MAGIC, _VERSION = b"SSHSIG", b"\0\0\0\1"
_NAMESPACE = b"git"
_DIGESTS = {b"sha256": hashlib.sha256, b"sha512": hashlib.sha512}
_HARDWARE = b"sk-ssh-ed25519@openssh.com"
_CURVES: dict[bytes, hashes.HashAlgorithm] = {
    b"ecdsa-sha2-nistp256": hashes.SHA256(),
    b"ecdsa-sha2-nistp384": hashes.SHA384(),
    b"ecdsa-sha2-nistp521": hashes.SHA512(),
}
_KINDS = (b"ssh-ed25519", _HARDWARE, b"ssh-rsa", *_CURVES)
_RSA_HASHES: dict[bytes, hashes.HashAlgorithm] = {b"rsa-sha2-256": hashes.SHA256(), b"rsa-sha2-512": hashes.SHA512()}
_RSA_BITS = range(2048, 16385)
_MAXIMUM = 32_768  # bytes of an armoured signature


def _strings(data: bytes) -> list[bytes]:
    """Return the strings of which an SSH message consists: of each four bytes of length, then as many bytes."""
    found = []
    while data:
        end = 4 + int.from_bytes(data[:4])
        if len(data) < end:
            raise ValueError
        found.append(data[4:end])
        data = data[end:]
    return found


def _number(raw: bytes) -> int:
    """Return an integer of any length; none of ours is negative."""
    if raw[:1] >= b"\x80" or (raw[:1] == b"\0" and raw[1:2] < b"\x80"):
        raise ValueError
    return int.from_bytes(raw)


def signing_key(repo: pygit2.Repository, commit: str) -> str:
    """Return the key whose good SSH signature a commit (hex) carries, as a file of public keys writes it.

    It is "" where the commit is unsigned, or its signature is of another kind, bad, or of a key that is too weak.
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
    lines = armour.strip().split(b"\n")
    if len(armour) > _MAXIMUM or lines[0].strip() != _BEGIN or lines[-1].strip() != _END:
        return ""
    try:
        data = base64.b64decode(b"".join(line.strip() for line in lines[1:-1]), validate=True)
        return _checked(data, payload)
    except (InvalidSignature, UnsupportedAlgorithm, NotImplementedError, ValueError):  # the third: a compressed point
        return ""


def _checked(data: bytes, payload: bytes) -> str:
    if not data.startswith(_MAGIC + _VERSION):
        raise ValueError
    key, namespace, reserved, digest, signature = _strings(data.removeprefix(_MAGIC + _VERSION))
    if namespace != _NAMESPACE or digest not in _DIGESTS:
        raise ValueError
    parts = (namespace, reserved, digest, _DIGESTS[digest](payload).digest())
    signed = _MAGIC + b"".join(len(part).to_bytes(4) + part for part in parts)
    kind, *fields = _strings(key)
    if kind not in _KINDS:
        raise ValueError
    text = f"{kind.decode()} {base64.b64encode(key).decode()}"
    public = load_ssh_public_key(text.encode())
    if kind == _HARDWARE:
        told, signature = signature[-5:], signature[:-5]  # whether somebody was there, and how often it has signed
        signed = hashlib.sha256(fields[-1]).digest() + told + hashlib.sha256(signed).digest()
    algorithm, raw = _strings(signature)
    match public:
        case rsa.RSAPublicKey():
            size = (public.key_size + 7) // 8
            if algorithm not in _RSA_HASHES or public.key_size not in _RSA_BITS or len(raw) > size:
                raise ValueError
            public.verify(raw.rjust(size, b"\0"), signed, padding.PKCS1v15(), _RSA_HASHES[algorithm])
        case ec.EllipticCurvePublicKey() if algorithm == kind:
            r, s = map(_number, _strings(raw))
            public.verify(encode_dss_signature(r, s), signed, ec.ECDSA(_CURVES[kind]))
        case ed25519.Ed25519PublicKey() if algorithm == kind:
            public.verify(raw, signed)
        case _:
            raise ValueError
    return text
