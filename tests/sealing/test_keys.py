"""Keys: native to age and SSH keys that can open; all others are refused with a sentence each."""

from __future__ import annotations

import subprocess
from base64 import b64encode
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from folkmoot.sealing.boxes import Opening, fresh_salt, open_box, seal
from folkmoot.sealing.commitments import EntryContext, SealingError, fields
from folkmoot.sealing.keys import candidates, make_key, read_identity, read_recipient
from tests.sealing.make_vectors import ecdsa_public, refused_recipients, ssh_key

OPENING = Opening(EntryContext("5a" * 32, 3, "hand"), "canary", fresh_salt())


def refusal(text: str) -> str:
    with pytest.raises(SealingError) as caught:
        read_identity(text)
    assert caught.value.code == "E-RECIPIENT"
    return caught.value.problems[0].message


def test_a_native_key_is_read_from_a_file_as_age_keygen_writes_it() -> None:
    made = make_key()
    file = f"# created: 2026-01-05T12:00:00Z\n# public key: {made.recipient.text}\n{made.secret}\n"
    assert read_identity(file) == made
    assert read_recipient(f" {made.recipient.text}\n") == made.recipient
    assert len(made.recipient.fingerprint.replace(" ", "")) == 32


@pytest.mark.parametrize("kind", ["ssh-ed25519", "ssh-rsa"])
def test_ssh_keys_open_and_have_the_fingerprint_that_ssh_keygen_shows(kind: str, tmp_path: Path) -> None:
    key = read_identity(ssh_key(kind))
    assert open_box(seal(OPENING, key.recipient), [make_key(), key]) == OPENING
    file = tmp_path / "key.pub"
    file.write_text(f"{key.recipient.text} ann@home\n", "utf-8")
    assert read_recipient(file.read_text("utf-8")) == key.recipient
    shown = subprocess.run(["ssh-keygen", "-l", "-f", str(file)], capture_output=True, text=True, check=True).stdout
    assert shown.split()[1] == key.recipient.fingerprint
    assert bool(key.recipient.warning) == (kind == "ssh-rsa")


def test_private_keys_that_cannot_open_get_a_sentence_each(tmp_path: Path) -> None:
    assert "ECDSA" in refusal(ssh_key("ecdsa"))
    file = tmp_path / "locked"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "canary", "-f", str(file)], check=True)
    assert "passphrase" in refusal(file.read_text("utf-8"))
    public = file.with_suffix(".pub").read_text("utf-8")
    assert "agent" in refusal(public)
    assert "plugin" in refusal("AGE-PLUGIN-YUBIKEY-1QQQQ")
    assert "security key" in refusal(_security_key())
    secret = make_key().secret
    assert "damaged" in refusal(secret[:-1] + ("P" if secret[-1] == "Q" else "Q"))
    assert "no private key" in refusal("")
    assert refusal("-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----")


def _security_key() -> str:
    """Return the beginning of a file as OpenSSH writes it for a key on a device."""
    inside = b"openssh-key-v1\0" + fields(b"none", b"none", b"", b"sk-ssh-ed25519@openssh.com")
    return f"-----BEGIN OPENSSH PRIVATE KEY-----\n{b64encode(inside).decode()}\n-----END OPENSSH PRIVATE KEY-----\n"


def test_a_private_key_is_never_taken_for_a_public_one() -> None:
    made = make_key()
    for secret in (made.secret, ssh_key("ssh-ed25519")):
        with pytest.raises(SealingError, match="PRIVATE") as caught:
            read_recipient(secret)
        assert secret[20:40] not in str(caught.value)


def test_short_and_old_keys_are_refused() -> None:
    short = rsa.generate_private_key(65537, 1024).public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH)
    old = ("ssh-dss AAAAB3NzaC1kc3MAAACBAP", "age1pq1qqqqqq", "ssh-ed25519-cert-v01@openssh.com AAAA", "ssh-ed25519")
    for text in (short.decode(), ecdsa_public(), *old):
        with pytest.raises(SealingError):
            read_recipient(text)


def test_a_list_of_a_forge_tells_of_each_key_whether_it_can_be_used() -> None:
    native, ssh = make_key().recipient, read_identity(ssh_key("ssh-ed25519")).recipient
    refused = [each["recipient"] for each in refused_recipients() if each["recipient"]]
    found = candidates("\n".join(["# ann", ssh.text, "", native.text, *refused]))
    assert [each.recipient for each in found] == [ssh, native, *([None] * len(refused))]
    assert [each.line for each in found[:3]] == [2, 4, 5]
    assert all(each.problem for each in found[2:])
    with pytest.raises(SealingError):
        candidates("x\n" * 101)


def test_a_pem_file_of_an_rsa_key_is_read() -> None:
    key = rsa.generate_private_key(65537, 2048)
    text = key.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption()).decode()
    identity = read_identity(text)
    assert open_box(seal(OPENING, identity.recipient), [identity]) == OPENING
