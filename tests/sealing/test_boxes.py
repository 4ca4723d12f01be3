"""Boxes and commitments: what goes in comes out, and nothing else does; the vectors for others are what the engine does."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from base64 import b64decode, b64encode
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from traceback import format_exception
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from folkmoot.core.canonical_json import canonical_bytes, read_canonical
from folkmoot.core.problems import ProblemError
from folkmoot.sealing import commitments as seeds
from folkmoot.sealing.boxes import SIZES, Opening, _padded, fresh_nonce, fresh_salt, open_all, open_box, read_box, seal
from folkmoot.sealing.commitments import (
    AnyContext,
    Context,
    EntryContext,
    SealingError,
    context_bytes,
    differences,
    fields,
    opens,
    read_context,
)
from folkmoot.sealing.keys import Identity, make_key, read_identity, read_recipient
from tests.conftest import examples
from tests.sealing.make_vectors import FILE, ssh_key

FLIPS = 10_000 if os.environ.get("FOLKMOOT_FUZZ") else 200
GAME = "5a" * 32
KEY, OTHER = make_key(), make_key()
PLACE = EntryContext(GAME, 3, "hand/ann/1")
SEALED = seal(Opening(PLACE, "canary", fresh_salt()), KEY.recipient)
BALLOT = Context(GAME, "ann", "vote", "choice", "proposal/301", "7b" * 32, 1, "c4" * 16)

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)
digests = st.binary(min_size=32, max_size=32).map(bytes.hex)
numbers = st.integers(0, 2**64 - 1)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**100), 2**100) | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=8,
)
players = st.builds(
    Context, digests, names, names, names, texts, digests | st.just(""), numbers, st.binary(min_size=16, max_size=16).map(bytes.hex)
)  # fmt: skip
contexts = players | st.builds(EntryContext, digests, numbers, names)


def opening(value: Any = "canary", **place: Any) -> Opening:
    return Opening(replace(PLACE, **place), value, fresh_salt())


def refusal(call: Callable[[], object]) -> str:
    with pytest.raises(SealingError) as caught:
        call()
    assert "canary" not in "".join(format_exception(caught.value))
    return caught.value.code


@settings(max_examples=examples(200), deadline=None)
@given(contexts, contexts, values, values, st.binary(min_size=32, max_size=32))
def test_what_was_sealed_is_what_is_opened_and_its_commitment_is_to_it_alone(
    one: Any, another: Any, value: Any, other: Any, salt: bytes
) -> None:
    sealed = Opening(one, value, salt)
    assert open_box(seal(sealed, KEY.recipient), [OTHER, KEY]) == sealed
    data = canonical_bytes(value)
    assert canonical_bytes(read_canonical(data)) == data
    assert opens(sealed.commitment, one, value, salt)
    assert opens(sealed.commitment, another, value, salt) == (one == another)
    assert opens(sealed.commitment, one, other, salt) == (data == canonical_bytes(other))
    assert not opens(sealed.commitment, one, value, bytes([salt[0] ^ 1]) + salt[1:])


def test_bits_and_letters_that_are_flipped_are_found() -> None:
    sealed = opening()
    text = seal(sealed, KEY.recipient)
    committed = bytes.fromhex(sealed.commitment) + sealed.salt + bytes.fromhex(GAME)
    dice = random.Random(int(os.environ.get("FOLKMOOT_SEED", "1")))

    def flipped(data: bytes) -> bytes:
        changed = bytearray(data)
        bit = dice.randrange(len(data) * 8)
        changed[bit // 8] ^= 1 << bit % 8
        return bytes(changed)

    for _ in range(FLIPS):
        box = b64encode(flipped(b64decode(text))).decode()
        assert refusal(lambda box=box: open_box(box, [KEY])) in ("E-BOX", "E-READER")
        at = dice.randrange(len(text))
        box = text[:at] + chr(ord(text[at]) ^ 1 << dice.randrange(7)) + text[at + 1 :]
        if box.strip() != text:
            assert refusal(lambda box=box: open_box(box, [KEY])) in ("E-BOX", "E-READER")
        changed = flipped(committed)
        place = replace(PLACE, game=changed[64:].hex())
        assert not opens(changed[:32].hex(), place, sealed.value, changed[32:64])
    assert not opens(sealed.commitment.upper(), PLACE, sealed.value, sealed.salt)


@settings(max_examples=examples(400), deadline=None)
@given(st.text(max_size=80), st.integers(0, 400), st.binary(max_size=80))
def test_whatever_is_given_is_refused_with_a_code_or_read(text: str, at: int, data: bytes) -> None:
    good = b64decode(SEALED)
    changed = b64encode(good[:at] + data + good[at + len(data) :]).decode()
    header = good[:22] + data + b"\n--- " + b"A" * 43 + b"\n" + bytes(SIZES[0] + 32)
    calls = [lambda: open_box(changed, [KEY]), lambda: read_box(text), lambda: read_box(b64encode(header).decode())]
    calls += [lambda: read_box("-----BEGIN AGE ENCRYPTED FILE-----\n" + text), lambda: read_recipient(text)]
    calls += [lambda: read_identity(text), lambda: read_identity("-----BEGIN " + text)]
    for call in calls:
        with suppress(SealingError):
            call()


def test_boxes_of_one_size_tell_nothing_of_what_is_inside() -> None:
    """The names around a value may bring it to the very edge of a size; `against` is longer than `for`."""
    for most, size in ((40, 256), (700, 1_024), (3_500, 4_096), (16_000, 16_384)):
        found = {read_box(seal(opening("x" * length), KEY.recipient)).size for length in (most, most - 20, most - 40)}
        assert found == {size}
    assert set(SIZES) == {256, 1_024, 4_096, 16_384}
    assert refusal(lambda: seal(opening("x" * 17_000), KEY.recipient)) == "E-BOX"
    for length in range(1, 400):
        ballot = replace(BALLOT, author="a" * length)
        sizes = {len(_padded([Opening(ballot, choice, bytes(32))])) for choice in (1, "for", "against", "x" * 62)}
        assert len(sizes) == 1


def test_only_values_of_one_entry_or_act_share_a_box_each_in_a_place_of_its_own() -> None:
    deck = [opening({"rank": n % 13, "suit": "clubs"}, place=f"deck/{n}") for n in range(208)]
    text = seal(deck, KEY.recipient)
    assert open_all(text, [KEY]) == tuple(deck)
    assert refusal(lambda: open_box(text, [KEY])) == "E-BOX"
    for many in ([opening(), opening()], [opening(), opening(1, entry=4, place="b")], []):
        assert refusal(lambda many=many: seal(many, KEY.recipient)) == "E-BOX"


def test_armour_is_read_and_gives_the_same_box() -> None:
    text = seal(opening(), KEY.recipient)
    lines = [text[at : at + 64] for at in range(0, len(text), 64)]
    armoured = "\n".join(["-----BEGIN AGE ENCRYPTED FILE-----", *lines, "-----END AGE ENCRYPTED FILE-----", ""])
    for form in (armoured, armoured.replace("\n", "\r\n"), f"\n{armoured}\n"):
        assert read_box(form) == read_box(text)
    for wrong in (armoured.replace(lines[0], lines[0][:60] + "\n" + lines[0][60:]), armoured.replace("END", "E")):
        assert refusal(lambda wrong=wrong: read_box(wrong)) == "E-BOX"


def test_a_value_that_no_game_keeps_is_not_sealed() -> None:
    for value in (1.5, {"a": {1}}, "\ud800", {1: 2}):
        assert refusal(lambda value=value: seal(opening(value), KEY.recipient)) == "E-BOX"
        assert refusal(lambda value=value: opening(value).commitment) == "E-COMMITMENT"
    assert refusal(lambda: Opening(PLACE, 1, b"short").commitment) == "E-COMMITMENT"


@pytest.mark.parametrize("change", ["game", "author", "act", "argument", "target", "target_digest", "keeper"])
def test_what_was_sealed_for_another_place_is_told_apart(change: str) -> None:
    wrong = {"game": "00" * 32, "target_digest": "00" * 32, "keeper": 2}.get(change, "bob")
    found = replace(BALLOT, **{change: wrong, "nonce": fresh_nonce()})
    assert differences(found, BALLOT) == (change,)
    assert opening("x").commitment != Opening(found, "x", bytes(32)).commitment


def test_a_box_of_a_player_is_none_of_the_engine() -> None:
    assert differences(replace(BALLOT, nonce=fresh_nonce()), BALLOT) == ()
    assert differences(PLACE, BALLOT) == ("kind",)
    assert differences(replace(PLACE, place="x", entry=9), PLACE) == ("entry", "place")
    bad: list[dict[str, Any]] = [
        {"game": "5A" * 32},
        {"nonce": "c4"},
        {"author": ""},
        {"keeper": -1},
        {"act": "\ud800"},
    ]
    for parts in bad:
        assert refusal(lambda parts=parts: replace(BALLOT, **parts)) == "E-CONTEXT"


def test_nothing_secret_is_shown_by_accident() -> None:
    shown = repr(opening()) + repr(KEY)
    assert not [word for word in ("canary", KEY.secret, "salt") if word in shown]


def test_the_library_is_loaded_by_who_needs_it_and_where_it_lacks_it_is_said_what_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    code = "import sys, folkmoot.cli.main, folkmoot.sealing.boxes, folkmoot.sealing.keys; sys.exit('pyrage' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
    monkeypatch.setitem(sys.modules, "pyrage", None)
    with pytest.raises(ProblemError, match="E-OUTSIDE: sealed data needs the library pyrage"):
        make_key()


# -- vectors

VECTORS = json.loads(FILE.read_text("utf-8"))
KEYS = {each["name"]: read_identity(each["identity"]) for each in VECTORS["keys"]}


def context_of(record: dict[str, Any]) -> AnyContext:
    return Context(**record) if "author" in record else EntryContext(**record)


def key(case: dict[str, Any]) -> list[Identity]:
    return [KEYS[case["key"]]]


def test_keys_contexts_and_commitments() -> None:
    for each in VECTORS["keys"]:
        found = KEYS[each["name"]].recipient
        assert (found.text, found.fingerprint) == (each["recipient"], each["fingerprint"])
    for each in VECTORS["contexts"]:
        context = context_of(each["context"])
        assert context_bytes(context).hex() == each["bytes"]
        assert read_context(context.common, context.place.encode()) == context
    for each in VECTORS["commitments"]:
        value, salt = read_canonical(each["value"].encode()), bytes.fromhex(each["salt"])
        assert canonical_bytes(value).decode() == each["value"]
        assert Opening(context_of(each["context"]), value, salt).commitment == each["commitment"]
        assert opens(each["commitment"], context_of(each["context"]), value, salt)
    assert len({each["commitment"] for each in VECTORS["commitments"]}) == len(VECTORS["commitments"])


def test_boxes_of_every_size_and_kind_open_to_what_stands_there() -> None:
    for case in VECTORS["boxes"]:
        assert read_box(case["box"]).text == case["box"]
        for found, expected in zip(open_all(case["box"], key(case)), case["openings"], strict=True):
            assert found.context == context_of(expected["context"])
            assert canonical_bytes(found.value).decode() == expected["value"]
            assert (found.salt.hex(), found.commitment) == (expected["salt"], expected["commitment"])
    read = [read_box(case["box"]) for case in VECTORS["boxes"]]
    assert {each.size for each in read} == set(SIZES)
    assert {each.kind for each in read} == {"X25519", "ssh-ed25519", "ssh-rsa"}


@pytest.mark.parametrize("case", VECTORS["refused_boxes"], ids=lambda case: case["what"])
def test_boxes_that_are_refused_get_their_code_and_never_show_what_is_inside(case: dict[str, Any]) -> None:
    assert refusal(lambda: open_box(case["box"], key(case))) == case["code"]


@pytest.mark.parametrize("case", VECTORS["refused_recipients"], ids=lambda case: case["what"])
def test_keys_to_which_nothing_can_be_sealed(case: dict[str, Any]) -> None:
    assert refusal(lambda: read_recipient(case["recipient"])) == case["code"]


def test_seeds_their_proofs_and_draws() -> None:
    known = VECTORS["seeds"]
    secret = seeds.seed_secret(known["identity"])
    assert seeds.seed_root(secret, known["game"]) == known["root"]
    for each in known["seeds"]:
        assert seeds.nth_seed(secret, known["game"], each["n"]).hex() == each["seed"]
        assert list(seeds.seed_proof(secret, known["game"], each["n"])) == each["proof"]
    for each in [*known["seeds"], *known["refused"]]:
        seed = bytes.fromhex(each["seed"])
        sound = seeds.verify_seed(known["root"], known["game"], each["n"], seed, each["proof"])
        assert sound == (each in known["seeds"]), each
    for each in known["draws"]:
        found = seeds.draw_bytes(bytes.fromhex(each["seed"]), each["entry_before"], each["event"])
        assert found.hex() == each["bytes"]


# -- keys: native to age and SSH keys that can open; all others are refused with a sentence each

SEALED_CARD = opening()


def sentence(text: str) -> str:
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
    assert open_box(seal(SEALED_CARD, key.recipient), [make_key(), key]) == SEALED_CARD
    file = tmp_path / "key.pub"
    file.write_text(f"{key.recipient.text} ann@home\n", "utf-8")
    assert read_recipient(file.read_text("utf-8")) == key.recipient
    shown = subprocess.run(["ssh-keygen", "-l", "-f", str(file)], capture_output=True, text=True, check=True).stdout
    assert shown.split()[1] == key.recipient.fingerprint
    assert bool(key.recipient.warning) == (kind == "ssh-rsa")


def test_private_keys_that_cannot_open_get_a_sentence_each(tmp_path: Path) -> None:
    assert "ECDSA" in sentence(ssh_key("ecdsa"))
    file = tmp_path / "locked"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "canary", "-f", str(file)], check=True)
    assert "passphrase" in sentence(file.read_text("utf-8"))
    public = file.with_suffix(".pub").read_text("utf-8")
    assert "agent" in sentence(public)
    assert "plugin" in sentence("AGE-PLUGIN-YUBIKEY-1QQQQ")
    assert "security key" in sentence(_security_key())
    secret = make_key().secret
    assert "damaged" in sentence(secret[:-1] + ("P" if secret[-1] == "Q" else "Q"))
    assert "no private key" in sentence("")
    assert sentence("-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----")


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


def test_a_pem_file_of_an_rsa_key_is_read() -> None:
    key = rsa.generate_private_key(65537, 2048)
    text = key.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption()).decode()
    identity = read_identity(text)
    assert open_box(seal(SEALED_CARD, identity.recipient), [identity]) == SEALED_CARD
