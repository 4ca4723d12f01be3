"""SSH signatures of commits: `ssh-keygen` and `git verify-commit` agree with us about every key, good and bad."""

from __future__ import annotations

import base64
import hashlib
import struct
import subprocess
from pathlib import Path

import pygit2
import pytest
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from folkmoot.forges.local.letters import Letter
from folkmoot.forges.local.players_repository import Author, PlayersRepository
from folkmoot.forges.signatures import _parts, key_of, signing_key
from tests.forges.local_table import bare, git

KINDS = {
    "ed25519": ["-t", "ed25519"],
    "p256": ["-t", "ecdsa", "-b", "256"],
    "p384": ["-t", "ecdsa", "-b", "384"],
    "p521": ["-t", "ecdsa", "-b", "521"],
    "rsa": ["-t", "rsa", "-b", "2048"],
}
BEGIN, END = b"-----BEGIN SSH SIGNATURE-----", b"-----END SSH SIGNATURE-----"


@pytest.fixture(scope="session")
def keys(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("keys")
    for name, words in KINDS.items():
        subprocess.run(["ssh-keygen", "-q", "-N", "", "-f", str(folder / name), *words], check=True)
    return {name: folder / name for name in KINDS}


def public(key: Path) -> str:
    return " ".join(key.with_suffix(".pub").read_text().split()[:2])


def sign(key: Path, payload: bytes, *options: str, namespace: str = "git") -> bytes:
    words = ["ssh-keygen", "-q", "-Y", "sign", "-n", namespace, "-f", str(key), *options]
    return subprocess.run(words, input=payload, check=True, capture_output=True).stdout.strip()


def keygen_accepts(folder: Path, key: str, armour: bytes, payload: bytes) -> bool:
    (folder / "signature").write_bytes(armour + b"\n")
    (folder / "allowed").write_text(f'ann@x.org namespaces="git" {key}\n')
    words = ["-Y", "verify", "-n", "git", "-I", "ann@x.org", "-f", "allowed", "-s", "signature"]
    done = subprocess.run(["ssh-keygen", *words], cwd=folder, input=payload, capture_output=True, check=False)
    return done.returncode == 0


def armoured(blob: bytes) -> bytes:
    return b"\n".join([BEGIN, base64.b64encode(blob), END])


def blob_of(armour: bytes) -> bytes:
    return base64.b64decode(b"".join(armour.split(b"\n")[1:-1]))


@pytest.mark.parametrize("kind", KINDS)
def test_good_signatures_and_those_of_another_namespace(keys: dict[str, Path], kind: str) -> None:
    for digest in ("sha256", "sha512"):
        armour = sign(keys[kind], b"what is signed", "-O", f"hashalg={digest}")
        assert key_of(armour, b"what is signed") == public(keys[kind])
        assert key_of(armour, b"what is signed.") == ""
    assert key_of(sign(keys[kind], b"what", namespace="file"), b"what") == ""


@pytest.mark.parametrize("kind", KINDS)
def test_every_changed_byte_is_judged_as_ssh_keygen_judges_it(keys: dict[str, Path], kind: str, tmp_path: Path) -> None:
    blob = blob_of(sign(keys[kind], b"what"))
    key = public(keys[kind])
    assert keygen_accepts(tmp_path, key, armoured(blob), b"what")
    for place in range(len(blob)):
        changed = bytearray(blob)
        changed[place] ^= 1
        found = key_of(armoured(bytes(changed)), b"what")
        if found == key:
            assert keygen_accepts(tmp_path, key, armoured(bytes(changed)), b"what"), place
        else:
            assert found == "", place
    for size in range(len(blob)):
        assert key_of(armoured(blob[:size]), b"what") == ""
    assert key_of(armoured(blob + b"\0"), b"what") == ""


def test_nonsense_is_no_signature() -> None:
    for armour in (b"", BEGIN, BEGIN + b"\n" + END, armoured(b""), armoured(b"SSHSIG"), b"\xff" * 50_000):
        assert key_of(armour, b"") == ""
    assert key_of(b"-----BEGIN PGP SIGNATURE-----\n\nabc\n-----END PGP SIGNATURE-----", b"") == ""
    huge = b"SSHSIG" + struct.pack(">II", 1, 0xFFFFFFFF)
    assert key_of(armoured(huge), b"") == ""


def pack(*parts: bytes) -> bytes:
    return b"".join(struct.pack(">I", len(part)) + part for part in parts)


def test_rsa_with_sha1_is_refused(keys: dict[str, Path]) -> None:
    private = serialization.load_ssh_private_key(keys["rsa"].read_bytes(), None)
    assert isinstance(private, rsa.RSAPrivateKey)
    key = base64.b64decode(public(keys["rsa"]).split()[1])
    signed = b"SSHSIG" + pack(b"git", b"", b"sha512", hashlib.sha512(b"what").digest())
    for name, digest, good in ((b"ssh-rsa", hashes.SHA1(), False), (b"rsa-sha2-256", hashes.SHA256(), True)):
        raw = private.sign(signed, padding.PKCS1v15(), digest)
        blob = b"SSHSIG" + struct.pack(">I", 1) + pack(key, b"git", b"", b"sha512", pack(name, raw))
        assert key_of(armoured(blob), b"what") == (public(keys["rsa"]) if good else "")


@pytest.mark.parametrize("flags", [1, 5, 0])
def test_hardware_keys(tmp_path: Path, flags: int) -> None:
    private = Ed25519PrivateKey.generate()
    point = private.public_key().public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
    kind = b"sk-ssh-ed25519@openssh.com"
    key = pack(kind, point, b"ssh:")
    signed = b"SSHSIG" + pack(b"git", b"", b"sha512", hashlib.sha512(b"what").digest())
    tail = bytes([flags]) + struct.pack(">I", 7)
    raw = private.sign(hashlib.sha256(b"ssh:").digest() + tail + hashlib.sha256(signed).digest())
    blob = b"SSHSIG" + struct.pack(">I", 1) + pack(key, b"git", b"", b"sha512", pack(kind, raw) + tail)
    text = f"{kind.decode()} {base64.b64encode(key).decode()}"
    assert key_of(armoured(blob), b"what") == text
    assert keygen_accepts(tmp_path, text, armoured(blob), b"what")
    changed = blob[:-5] + bytes([flags ^ 1]) + blob[-4:]  # nobody can add that somebody was there
    assert key_of(armoured(changed), b"what") == ""


def git_accepts(hub: Path, commit: str, key: str) -> bool:
    (hub / "allowed").write_text(f"ann@x.org {key}\n")
    words = ["git", "-c", f"gpg.ssh.allowedSignersFile={hub / 'allowed'}", "verify-commit", commit]
    return subprocess.run(words, cwd=hub, capture_output=True, check=False).returncode == 0


def seat_of_ann(folder: Path, key: Path) -> PlayersRepository:
    hub = bare(folder)
    for name, value in (("gpg.format", "ssh"), ("user.signingkey", str(key)), ("commit.gpgsign", "true"),
                        ("user.name", "Ann"), ("user.email", "ann@x.org")):  # fmt: skip
        git(hub, "config", name, value)
    return PlayersRepository(hub)


@pytest.mark.parametrize("kind", KINDS)
def test_letters_are_signed_by_the_settings_of_git(keys: dict[str, Path], kind: str, tmp_path: Path) -> None:
    seat, key = seat_of_ann(tmp_path, keys[kind]), public(keys[kind])
    hub, letter = tmp_path / "hub.git", Letter(pull=0, kind="comment", body="Hello.")
    assert seat.author() == Author("Ann", "ann@x.org", signs=True, key=key)
    for author, found in ((None, key), (Author("Ann", "ann@x.org"), "")):
        name = seat.send(letter, author)
        assert signing_key(seat.refs.repo, name) == found
        assert git_accepts(hub, name, key) == bool(found)


def test_a_commit_changed_after_it_was_signed_or_signed_twice(keys: dict[str, Path], tmp_path: Path) -> None:
    seat, hub = seat_of_ann(tmp_path, keys["ed25519"]), tmp_path / "hub.git"
    name = seat.send(Letter(pull=0, kind="comment", body="Hello."))
    repo = pygit2.Repository(str(hub))
    raw = repo[name].read_raw()
    for forged in (raw.replace(b"Ann", b"Bob"), raw.replace(b"Comment", b"comment"), raw + b"\n"):
        made = str(repo.write(pygit2.enums.ObjectType.COMMIT, forged))
        assert signing_key(repo, made) == ""
        assert not git_accepts(hub, made, public(keys["ed25519"]))
    start, end = raw.index(b"gpgsig "), raw.index(b"\n\n")
    payload, armour = _parts(raw[:end] + b"\n" + raw[start:end] + raw[end:])
    assert (armour, b"gpgsig" in payload) == (b"", False)
