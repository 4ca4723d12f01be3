"""Boxes and commitments: what goes in comes out, and nothing else does."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from base64 import b64decode, b64encode
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from folkmoot.core.canonical_json import canonical_bytes, read_canonical
from folkmoot.sealing.boxes import SIZES, Opening, _padded, fresh_nonce, fresh_salt, open_all, open_box, read_box, seal
from folkmoot.sealing.commitments import (
    Context,
    EntryContext,
    SealingError,
    differences,
    opens,
)
from folkmoot.sealing.keys import candidates, make_key, read_identity, read_recipient

FLIPS = 10_000 if os.environ.get("FOLKMOOT_FUZZ") else 500
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


def opening(value: Any = "canary") -> Opening:
    return Opening(PLACE, value, fresh_salt())


def refusal(call: Any) -> str:
    with pytest.raises(SealingError) as caught:
        call()
    assert "canary" not in str(caught.value)
    return caught.value.code


@settings(max_examples=60, deadline=None)
@given(contexts, values, st.binary(min_size=32, max_size=32))
def test_what_was_sealed_is_what_is_opened(context: Any, value: Any, salt: bytes) -> None:
    sealed = Opening(context, value, salt)
    assert open_box(seal(sealed, KEY.recipient), [OTHER, KEY]) == sealed


@settings(max_examples=100, deadline=None)
@given(values)
def test_a_value_has_one_form(value: Any) -> None:
    data = canonical_bytes(value)
    assert canonical_bytes(read_canonical(data)) == data


@settings(max_examples=100, deadline=None)
@given(contexts, contexts, values, values)
def test_a_commitment_is_to_one_value_in_one_place(one: Any, another: Any, value: Any, other: Any) -> None:
    salt = bytes(32)
    committed = Opening(one, value, salt).commitment
    assert opens(committed, one, value, salt)
    assert opens(committed, another, value, salt) == (one == another)
    assert opens(committed, one, other, salt) == (canonical_bytes(value) == canonical_bytes(other))
    assert not opens(committed, one, value, b"\1" + bytes(31))


def test_bits_that_are_flipped_in_a_box_are_found() -> None:
    text = seal(opening(), KEY.recipient)
    data = b64decode(text)
    dice = random.Random(int(os.environ.get("FOLKMOOT_SEED", "1")))
    for _ in range(FLIPS):
        changed = bytearray(data)
        bit = dice.randrange(len(data) * 8)
        changed[bit // 8] ^= 1 << bit % 8
        box = b64encode(changed).decode()
        assert refusal(lambda box=box: open_box(box, [KEY])) in ("E-BOX", "E-READER")


def test_letters_that_are_flipped_in_a_box_are_found() -> None:
    text = seal(opening(), KEY.recipient)
    dice = random.Random(int(os.environ.get("FOLKMOOT_SEED", "2")))
    for _ in range(FLIPS):
        at = dice.randrange(len(text))
        other = chr(ord(text[at]) ^ 1 << dice.randrange(7))
        changed = text[:at] + other + text[at + 1 :]
        if changed.strip() != text:
            assert refusal(lambda box=changed: open_box(box, [KEY])) in ("E-BOX", "E-READER")


def test_bits_that_are_flipped_in_a_commitment_or_an_opening_are_found() -> None:
    sealed = opening()
    whole = bytes.fromhex(sealed.commitment) + sealed.salt + bytes.fromhex(GAME)
    dice = random.Random(int(os.environ.get("FOLKMOOT_SEED", "3")))
    for _ in range(FLIPS):
        changed = bytearray(whole)
        bit = dice.randrange(len(whole) * 8)
        changed[bit // 8] ^= 1 << bit % 8
        committed, salt, game = bytes(changed[:32]).hex(), bytes(changed[32:64]), bytes(changed[64:]).hex()
        assert not opens(committed, replace(PLACE, game=game), sealed.value, salt)
    assert not opens("00" * 32, PLACE, "canary", sealed.salt)
    assert not opens(sealed.commitment.upper(), PLACE, sealed.value, sealed.salt)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=80), st.integers(0, 400), st.binary(max_size=80))
def test_whatever_is_given_is_refused_with_a_code_or_read(text: str, at: int, data: bytes) -> None:
    good = b64decode(SEALED)
    changed = b64encode(good[:at] + data + good[at + len(data) :]).decode()
    header = good[:22] + data + b"\n--- " + b"A" * 43 + b"\n" + bytes(SIZES[0] + 32)
    calls = [lambda: open_box(changed, [KEY]), lambda: read_box(text), lambda: read_box(b64encode(header).decode())]
    calls += [lambda: read_box("-----BEGIN AGE ENCRYPTED FILE-----\n" + text), lambda: read_recipient(text)]
    calls += [lambda: read_identity(text), lambda: read_identity("-----BEGIN " + text), lambda: candidates(text)]
    for call in calls:
        with suppress(SealingError):
            call()


def test_boxes_of_one_size_tell_nothing_of_what_is_inside() -> None:
    for most, size in ((40, 256), (700, 1_024), (3_500, 4_096), (16_000, 16_384)):
        found = {read_box(seal(opening("x" * length), KEY.recipient)).size for length in (most, most - 20, most - 40)}
        assert found == {size}
    assert set(SIZES) == {256, 1_024, 4_096, 16_384}
    assert refusal(lambda: seal(opening("canary" * 3_000), KEY.recipient)) == "E-BOX"


def test_a_short_value_is_not_told_by_the_size_of_its_box_wherever_that_lies() -> None:
    """The names around it may bring it to the very edge of a size; `against` is longer than `for`."""
    for length in range(1, 400):
        ballot = replace(BALLOT, author="a" * length)
        choices = (1, "for", "against", "x" * 62)
        assert len({len(_padded([Opening(ballot, choice, bytes(32))])) for choice in choices}) == 1


def test_a_deck_of_208_cards_goes_into_one_box() -> None:
    deck = [
        Opening(replace(PLACE, place=f"deck/{n}"), {"rank": n % 13, "suit": "clubs"}, fresh_salt()) for n in range(208)
    ]
    text = seal(deck, KEY.recipient)
    assert open_all(text, [KEY]) == tuple(deck)
    assert refusal(lambda: open_box(text, [KEY])) == "E-BOX"


def test_only_values_of_one_entry_or_act_share_a_box_each_in_a_place_of_its_own() -> None:
    other_entry = Opening(replace(PLACE, entry=4, place="b"), 1, fresh_salt())
    for many in ([opening(), opening()], [opening(), other_entry], []):
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
    assert "canary" not in shown
    assert KEY.secret not in shown
    assert "salt" not in shown


def test_games_without_sealed_data_load_no_library_of_it() -> None:
    code = "import sys, folkmoot.cli.main, folkmoot.sealing.boxes, folkmoot.sealing.keys; sys.exit('pyrage' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_without_the_library_it_is_said_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    from folkmoot.core.problems import ProblemError

    monkeypatch.setitem(sys.modules, "pyrage", None)
    with pytest.raises(ProblemError, match="E-OUTSIDE: sealed data needs the library pyrage"):
        make_key()
