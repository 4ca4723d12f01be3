"""Whatever key somebody names and however much is sealed, the game goes on: no player stops it for the others."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ed25519
from hypothesis import given, settings
from hypothesis import strategies as st

from folkmoot.game.keeper import KEEPER
from folkmoot.sealing.boxes import SIZES, read_box
from folkmoot.sealing.commitments import SealingError
from folkmoot.sealing.keys import age_library, asked, make_key
from folkmoot.sealing.public_keys import read_public
from tests.conftest import FUZZ
from tests.support import keeper
from tests.support.keeper import KEY, OWN, UNUSABLE, Cards, _public, _rsa, _ssh
from tests.support.table import rule

LAW = rule(
    "1",
    """
    def same(value):
        return value

    def repeated(value, count):
        return value * count

    def first_of(values):
        return values[0]

    def do_deal(a):
        put("game", "deck", shuffle_sealed([a.args.text * a.args.size + str(n) for n in range(a.args.count)]))

    def do_answer(a):
        put("game", "deck", [sealed("repeated", a.args.text, a.args.size) for n in range(a.args.count)])

    def do_keep(a):
        put(a.by, "hand", a.args.text * a.args.size)

    def do_compute(a):
        hand = sealed("first_of", a.args.values)
        put(a.by, "hand", [hand] + [sealed("same", n) for n in range(a.args.count)])
    """,
    sealed=dict.fromkeys(("same", "repeated", "first_of"), "What it tells"),
    defines={
        "player": {"hand": {"type": "any", "sealed": "owner"}},
        "game": {"deck": {"type": "list"}},
    },
    actions={
        **{
            name: {"arguments": {"text": {"type": "string"}, "size": {"type": "integer"}, "count": {"type": "integer"}}}
            for name in ("deal", "answer", "keep")
        },
        "compute": {"arguments": {"values": {"type": "any", "sealed": "nobody"}, "count": {"type": "integer"}}},
    },
)


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Cards]:
    monkeypatch.setattr(keeper, "GAME", LAW)
    found = Cards(tmp_path)
    found.keep_key(KEY)
    assert found.open_sealing().accepted
    assert found.act("ann", "use_sealing_key", key=OWN["ann"].recipient.text).accepted
    yield found
    assert found.problems() == []


# -- keys


@pytest.mark.threat("T-100")
@pytest.mark.parametrize("key", UNUSABLE.values(), ids=list(UNUSABLE))
def test_a_key_to_which_nothing_can_be_sealed_is_not_named(game: Cards, key: str) -> None:
    for by, do, other in (("bob", "use_sealing_key", {}), ("ann", "open_sealing", {"seeds": "ab" * 32})):
        done = game.act(by, do, key=key, **other)
        assert done.code == "E-RECIPIENT", done.entry
        assert done.entry["reasons"][0]["args"]["why"]
    assert game.act("ann", "deal", text="x", size=1, count=3).accepted


def test_who_names_a_private_key_by_mistake_is_told_to_make_another(game: Cards) -> None:
    done = game.act("bob", "use_sealing_key", key=make_key().secret)
    assert "make another" in str(done.entry["reasons"])


@pytest.mark.parametrize(
    "key",
    [_public(ed25519.Ed25519PrivateKey.generate()), _rsa(3, 2_048), _rsa(65_537, 4_096)],
    ids=["Ed25519", "RSA of exponent 3", "RSA"],
)
def test_what_can_be_named_is_sealed_to(game: Cards, key: str) -> None:
    assert game.act("bob", "use_sealing_key", key=key).accepted
    assert game.act("bob", "keep", text="x", size=1, count=1).entry["boxes"]["bob"]


@settings(max_examples=2_000 if FUZZ else 100, deadline=None)
@given(st.one_of(st.binary(min_size=32, max_size=32).map(lambda key: _ssh(b"ssh-ed25519", key))))
def test_every_key_that_is_taken_can_be_sealed_to(key: str) -> None:
    """What a game judges by bytes alone is what the library does: no key that is taken fails later."""
    try:
        read_public(key)
    except SealingError:
        return
    pyrage = age_library()
    assert asked(lambda: pyrage.encrypt(b"x", [pyrage.ssh.Recipient.from_str(key)]))


def test_a_key_that_an_older_engine_took_stops_nobody(game: Cards, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("folkmoot.kernel.sealed_data.values.read_public", lambda text: ("age", text))
    assert game.act("bob", "use_sealing_key", key=UNUSABLE["no checksum"]).accepted
    done = game.act("bob", "keep", text="x", size=1, count=1)
    assert (done.accepted, list(done.entry["boxes"])) == (True, [KEEPER])


# -- sizes


@pytest.mark.threat("T-100")
@pytest.mark.parametrize(("do", "size", "count"), [("deal", 1_000, 52), ("answer", 900, 40), ("deal", 1, 208)])
def test_however_much_is_sealed_at_once_is_parted(game: Cards, do: str, size: int, count: int) -> None:
    done = game.act("ann", do, text="x", size=size, count=count)
    assert done.accepted, done.entry
    boxes = [read_box(box) for box in done.entry["boxes"][KEEPER]]
    assert (len(boxes) > 1, {box.size for box in boxes} <= {*SIZES}) == (size > 1 or count > 100, True)


@pytest.mark.threat("T-100")
@pytest.mark.parametrize(("do", "text", "size"), [("keep", "€", 6_000), ("keep", "x", 16_001), ("deal", "x", 16_001)])
def test_what_is_too_much_for_a_box_is_refused(game: Cards, do: str, text: str, size: int) -> None:
    done = game.act("ann", do, text=text, size=size, count=1)
    assert [failure["code"] for failure in done.entry["failures"]] == ["E-BOUNDS"]


def test_an_answer_that_is_too_large_is_none(game: Cards) -> None:
    assert game.act("ann", "answer", text="€", size=6_000, count=2).accepted
    assert game.act("ann", "keep", text="x", size=15_990, count=1).accepted


@pytest.mark.threat("T-82")
def test_whether_a_sealed_function_failed_changes_no_size(game: Cards) -> None:
    """Three values from which it takes the first, or fails for want of one, or because it is of a long name."""
    sizes = []
    for values in ([1], [], 5, {"x" * 100: 1}):
        word = game.seal("ann", "compute", "values", values)
        done = game.act("ann", "compute", values=word, count=12)
        assert done.accepted, done.entry
        made = {who: [read_box(box).size for box in boxes] for who, boxes in done.entry["boxes"].items()}
        made["ann"].remove(read_box(word.split(".")[2]).size)  # what she sealed herself, which is as large as it came
        sizes.append(made)
    assert [size for size in sizes if size != sizes[0]] == []
    assert {size for boxes in sizes[0].values() for size in boxes} <= {*SIZES}
