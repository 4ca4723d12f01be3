"""The test vectors, which any other implementation can use, are what the engine does."""

from __future__ import annotations

import json
from traceback import format_exception
from typing import Any

import pytest

from folkmoot.core.canonical_json import canonical_bytes, read_canonical
from folkmoot.sealing import commitments as seeds
from folkmoot.sealing.boxes import SIZES, open_all, open_box, read_box
from folkmoot.sealing.commitments import (
    AnyContext,
    Context,
    EntryContext,
    SealingError,
    commitment,
    context_bytes,
    opens,
    read_context,
)
from folkmoot.sealing.keys import Identity, read_identity, read_recipient
from tests.sealing.make_vectors import FILE

VECTORS = json.loads(FILE.read_text("utf-8"))
KEYS = {each["name"]: read_identity(each["identity"]) for each in VECTORS["keys"]}


def context_of(record: dict[str, Any]) -> AnyContext:
    return Context(**record) if "author" in record else EntryContext(**record)


def key(case: dict[str, Any]) -> list[Identity]:
    return [KEYS[case["key"]]]


def test_keys_have_their_public_halves_and_fingerprints() -> None:
    for each in VECTORS["keys"]:
        found = KEYS[each["name"]].recipient
        assert (found.text, found.fingerprint) == (each["recipient"], each["fingerprint"])


def test_contexts_are_the_bytes_that_stand_there_and_can_be_read_back() -> None:
    for each in VECTORS["contexts"]:
        context = context_of(each["context"])
        assert context_bytes(context).hex() == each["bytes"]
        assert read_context(context.common, context.place.encode()) == context


def test_commitments() -> None:
    for each in VECTORS["commitments"]:
        value, salt = read_canonical(each["value"].encode()), bytes.fromhex(each["salt"])
        assert canonical_bytes(value).decode() == each["value"]
        assert commitment(context_of(each["context"]), value, salt) == each["commitment"]
        assert opens(each["commitment"], context_of(each["context"]), value, salt)
    assert len({each["commitment"] for each in VECTORS["commitments"]}) == len(VECTORS["commitments"])


@pytest.mark.parametrize("case", VECTORS["boxes"], ids=lambda case: f"{case['key']}-{len(case['openings'])}")
def test_boxes_open_to_what_stands_there(case: dict[str, Any]) -> None:
    found = open_all(case["box"], key(case))
    assert read_box(case["box"]).text == case["box"]
    for opening, expected in zip(found, case["openings"], strict=True):
        assert opening.context == context_of(expected["context"])
        assert canonical_bytes(opening.value).decode() == expected["value"]
        assert (opening.salt.hex(), opening.commitment) == (expected["salt"], expected["commitment"])


def test_boxes_of_every_size_and_kind_are_among_them() -> None:
    found = [read_box(case["box"]) for case in VECTORS["boxes"]]
    assert {each.size for each in found} == set(SIZES)
    assert {each.kind for each in found} == {"X25519", "ssh-ed25519", "ssh-rsa"}


@pytest.mark.parametrize("case", VECTORS["refused_boxes"], ids=lambda case: case["what"])
def test_boxes_that_are_refused_get_their_code_and_never_show_what_is_inside(case: dict[str, Any]) -> None:
    with pytest.raises(SealingError) as caught:
        open_box(case["box"], key(case))
    assert caught.value.code == case["code"]
    assert "canary" not in "".join(format_exception(caught.value))


@pytest.mark.parametrize("case", VECTORS["refused_recipients"], ids=lambda case: case["what"])
def test_keys_to_which_nothing_can_be_sealed(case: dict[str, Any]) -> None:
    with pytest.raises(SealingError) as caught:
        read_recipient(case["recipient"])
    assert caught.value.code == case["code"]


def test_seeds_and_their_proofs() -> None:
    known = VECTORS["seeds"]
    secret = seeds.seed_secret(known["identity"])
    assert seeds.seed_root(secret, known["game"]) == known["root"]
    for each in known["seeds"]:
        assert seeds.nth_seed(secret, known["game"], each["n"]).hex() == each["seed"]
        assert list(seeds.seed_proof(secret, known["game"], each["n"])) == each["proof"]
        assert seeds.verify_seed(known["root"], known["game"], each["n"], bytes.fromhex(each["seed"]), each["proof"])


@pytest.mark.parametrize("case", VECTORS["seeds"]["refused"], ids=lambda case: case["what"])
def test_seeds_that_are_not_those_committed_to(case: dict[str, Any]) -> None:
    known = VECTORS["seeds"]
    seed, proof = bytes.fromhex(case["seed"]), case["proof"]
    assert not seeds.verify_seed(known["root"], known["game"], case["n"], seed, proof)


def test_draws_begin_with_bytes_that_follow_from_the_seed_and_from_both_digests() -> None:
    for each in VECTORS["seeds"]["draws"]:
        found = seeds.draw_bytes(bytes.fromhex(each["seed"]), each["entry_before"], each["event"])
        assert found.hex() == each["bytes"]
