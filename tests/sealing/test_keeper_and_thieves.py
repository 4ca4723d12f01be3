"""Attacks on what is sealed: keys that change, are lost, stolen or unusable, names that look alike, sealed nothing, too much.

Whatever key somebody names and however much is sealed, the game goes on; what is sealed goes to no key but one that the
keeper has or its reader named; and a game is known by its founding, also once something in that is redacted.
"""

from __future__ import annotations

import secrets
from base64 import b64decode, b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from hypothesis import given, settings
from hypothesis import strategies as st

from folkmoot.core.documents import RosterEntry
from folkmoot.core.problems import ProblemError
from folkmoot.game.keeper import KEEPER, keeper_file, keeper_seeds, keeper_word, opened_seed
from folkmoot.game.session import Session
from folkmoot.journal import entry_digest
from folkmoot.kernel.roster import KEPT
from folkmoot.sealing.boxes import SIZES, read_box
from folkmoot.sealing.commitments import SealingError, fields
from folkmoot.sealing.keys import Identity, age_library, asked, make_key
from folkmoot.sealing.public_keys import read_public
from tests.conftest import FUZZ
from tests.support.keeper import KEY, OWN, Cards
from tests.support.table import START, Record, rule


def _ssh(name: bytes, *parts: bytes) -> str:
    return f"{name.decode()} {b64encode(fields(name, *parts)).decode()}"


def _number(value: int) -> bytes:
    return value.to_bytes(value.bit_length() // 8 + 1, "big")


def _rsa(exponent: int, bits: int) -> str:
    return _ssh(b"ssh-rsa", _number(exponent), _number(secrets.randbits(bits) | 1 | 1 << (bits - 1)))


def _public(key: Any) -> str:
    return str(key.public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH).decode())


UNUSABLE = {
    "no checksum": "age1" + "q" * 58,
    "a weak point": "age1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq5cu47z",
    "no point of the curve": _ssh(b"ssh-ed25519", (2).to_bytes(32, "little")),
    "a weak point of SSH": _ssh(b"ssh-ed25519", (1).to_bytes(32, "little")),
    "letters": "ssh-ed25519 " + "A" * 68,
    "RSA that is too short": _rsa(65_537, 1_024),
    "RSA that is too long": _rsa(65_537, 4_104),
    "RSA with the exponent one": _rsa(1, 2_048),
    "ECDSA": _public(ec.generate_private_key(ec.SECP256R1())),
    "a security key": "sk-ssh-ed25519@openssh.com AAAAGnNrLXNzaC1lZDI1NTE5QG9wZW5zc2guY29tAAAA",
    "a plugin": "age1yubikey1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq",
    "the private half": make_key().secret,
    "nothing": " ",
}


NOTE = {"note": {"type": "any", "sealed": "owner"}}
MUCH = {"text": {"type": "string"}, "size": {"type": "integer"}, "count": {"type": "integer"}}
LAW = rule(
    "1",
    """
    def same(x):
        return x

    def nothing(x):
        return None

    def fails(x):
        return x + 1

    def repeated(value, count):
        return value * count

    def first_of(values):
        return values[0]

    def forbid_wait(a):
        if not get("game", "free"):
            return hold("later", "it waits")

    def do_wait(a):
        put(a.by, "note", a.args.note)

    def do_note(a):
        put(a.by, "note", a.args.note)

    def do_free(a):
        put("game", "free", True)
        release("later")

    def do_use(a):
        put(a.by, "note", sealed(a.args.function, get(a.by, "note")))

    def do_empty(a):
        announce("empty" if get(a.by, "note") == None else "held")

    def do_show(a):
        reveal(get(a.by, "note"))

    def do_gift(a):
        for player in things("player"):
            put(player, "note", pick_sealed(["heartsease"]))

    def do_deal(a):
        put("game", "deck", shuffle_sealed([a.args.text * a.args.size + str(n) for n in range(a.args.count)]))

    def do_answer(a):
        put("game", "deck", [sealed("repeated", a.args.text, a.args.size) for n in range(a.args.count)])

    def do_keep(a):
        put(a.by, "note", a.args.text * a.args.size)

    def do_compute(a):
        put(a.by, "note", [sealed("first_of", a.args.values)] + [sealed("same", n) for n in range(a.args.count)])

    def do_come(a):
        create("player", a.by if a.args.back else "dot", sealing = a.args.sealing)

    def do_leave(a):
        destroy(a.by)
    """,
    sealed=dict.fromkeys(("same", "nothing", "fails", "repeated", "first_of"), "What it tells"),
    defines={
        "game": {"free": {"type": "boolean"}, "deck": {"type": "list"}},
        "player": {"note": {"type": "any", "sealed": "owner", "optional": True}},
    },
    actions={
        **{name: {} for name in ("free", "empty", "show", "gift", "leave")},
        **{name: {"arguments": NOTE} for name in ("wait", "note")},
        **{name: {"arguments": MUCH} for name in ("deal", "answer", "keep")},
        "use": {"arguments": {"function": {"type": "string"}}},
        "compute": {"arguments": {"values": {"type": "any", "sealed": "nobody"}, "count": {"type": "integer"}}},
        "come": {"by": "anyone", "arguments": {"sealing": {"type": "any"}, "back": {"type": "boolean"}}},
    },
)


class Notes(Cards):
    """A game of sealed notes, some of which wait; the keeper and ann have keys."""

    law = LAW

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.keep_key(KEY)
        assert self.open_sealing().accepted
        assert self.act("ann", "use_sealing_key", key=OWN["ann"].recipient.text).accepted

    def note(self, by: str, value: Any, do: str = "note", **other: Any) -> Any:
        """Let somebody seal a note."""
        return self.act(by, do, note=self.seal(by, do, "note", value, **other))

    def told(self) -> list[Any]:
        """Return what became public, in order."""
        effects = (each for entry in self.record.entries() for each in entry.get("effects") or ())
        return [each["to"] for each in effects if each["effect"] == "unseal"]


@pytest.fixture(scope="module")
def founded(tmp_path_factory: pytest.TempPathFactory) -> Notes:
    return Notes(tmp_path_factory.mktemp("founded") / "game")


@pytest.fixture
def game(founded: Notes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Notes]:
    copy = founded.copy(tmp_path / "game")
    yield copy
    assert copy.problems() == []


# -- what waits, and for which place something is sealed


@pytest.mark.threat("T-83")
@pytest.mark.threat("T-101")
def test_what_waits_is_done_by_what_somebody_else_does_also_with_another_key_of_the_keeper(game: Notes) -> None:
    """Its box was taken in when it came, once: where it waits there is what stands for it, and no box."""
    waiting = game.note("ann", "heartsease", do="wait")
    assert (waiting.accepted, waiting.entry["code"]) == (True, "HELD")
    kept = [path.read_bytes() for path in game.path.rglob("*.yaml") if "journal" not in path.parts]
    assert [text for text in kept if b"YWdlLWVuY3J5cHRpb24" in text] == []
    new = make_key()
    game.keep_key(KEY, new)
    assert game.open_sealing(new).accepted
    keeper_file(game.record).write_text(keeper_word(2, new) + "\n", "utf-8")  # the first is forgotten
    assert game.act("bob", "free").accepted
    assert game.act("ann", "show").accepted
    assert game.told() == ["heartsease"]


@pytest.mark.threat("T-83")
def test_nobody_says_in_clear_which_sealed_value_they_mean(game: Notes) -> None:
    assert game.note("bob", "heartsease").accepted
    for do in ("note", "wait"):
        for forged in ({"$sealed": 1}, {"$sealed": 2}, "sealed.1", {"commitment": "0" * 64, "box": {"$sealed": 1}}):
            assert game.act("ann", do, note=forged).accepted is False
    game.act("bob", "free")
    assert game.act("ann", "empty").entry["effects"][0]["text"] == "empty"


@pytest.mark.threat("T-83")
def test_a_place_that_looks_alike_or_another_game_is_another(game: Notes, tmp_path: Path) -> None:
    others: list[Record] = [
        {"author": "ann\u200b"}, {"author": "\uff41\uff4e\uff4e"}, {"author": "Ann"}, {"act": "note\u0301"}, {"argument": "n\u043ete"},
        {"argument": "note "}, {"target": "\u200b"}, {"target_digest": "00" * 32}, {"keeper": 0}, {"game": "ab" * 32},
    ]  # fmt: skip
    fork = Notes(tmp_path / "fork")
    with Session.open(fork.path) as session:
        same_founding = game.record.entry(1) == fork.record.entry(1)
        others += [{"game": session.keeper.game}] if not same_founding else []
    for other in others:
        done = game.note("ann", "heartsease", **other)
        assert done.code == "E-CONTEXT", other
        assert "heartsease" not in str(done.entry)


@pytest.mark.threat("T-82")
@pytest.mark.parametrize("function", ["nothing", "fails", "same"])
def test_sealed_nothing_looks_like_something(game: Notes, function: str) -> None:
    """Whether a register is empty is known to all; that what is sealed in it is nothing is not."""
    assert game.act("ann", "empty").entry["effects"][0]["text"] == "empty"
    assert game.note("ann", None).accepted
    assert game.act("ann", "empty").entry["effects"][0]["text"] == "held"
    assert game.note("ann", "heartsease").accepted
    done = game.act("ann", "use", function=function)
    assert done.accepted
    assert game.act("ann", "empty").entry["effects"][0]["text"] == "held"
    assert game.hand("ann")[0] == ("heartsease" if function == "same" else None)
    assert [{**each, "commitment": ""} for each in done.entry["sealed"]] == [{"made": 3, "commitment": ""}]
    sizes = [len(b64decode(box)) for boxes in done.entry["boxes"].values() for box in boxes]
    assert len({size // 1_024 for size in sizes}) == 1


# -- keys of players


@pytest.mark.threat("T-100")
def test_a_key_to_which_nothing_can_be_sealed_is_not_named(game: Notes) -> None:
    for key in UNUSABLE.values():
        for by, do, other in (("bob", "use_sealing_key", {}), ("ann", "open_sealing", {"seeds": "ab" * 32})):
            done = game.act(by, do, key=key, **other)
            assert done.code == "E-RECIPIENT", done.entry
            assert done.entry["reasons"][0]["args"]["why"]
    assert "make another" in str(game.act("bob", "use_sealing_key", key=make_key().secret).entry["reasons"])
    assert game.act("ann", "deal", text="x", size=1, count=3).accepted


@settings(max_examples=2_000 if FUZZ else 100, deadline=None)
@given(st.binary(min_size=32, max_size=32).map(lambda key: _ssh(b"ssh-ed25519", key)))
def test_every_key_that_is_taken_can_be_sealed_to(key: str) -> None:
    """What a game judges by bytes alone is what the library does: no key that is taken fails later."""
    try:
        read_public(key)
    except SealingError:
        return
    pyrage = age_library()
    assert asked(lambda: pyrage.encrypt(b"x", [pyrage.ssh.Recipient.from_str(key)]))


def test_a_key_that_an_older_engine_took_stops_nobody(game: Notes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("folkmoot.kernel.sealed_data.values.read_public", lambda text: ("age", text))
    assert game.act("bob", "use_sealing_key", key=UNUSABLE["no checksum"]).accepted
    done = game.act("bob", "keep", text="x", size=1, count=1)
    assert (done.accepted, list(done.entry["boxes"])) == (True, [KEEPER])


@pytest.mark.threat("T-85")
@pytest.mark.parametrize("back", [False, True])
def test_no_key_is_given_with_who_comes_in(game: Notes, back: bool) -> None:
    """Neither to whom a rule brings in, nor to who comes back: that would be another key without a day's wait."""
    if back:
        assert game.act("ann", "leave").accepted
    theirs = OWN["bob"].recipient.text
    for given_ in ({"key": theirs, "since": START}, {"key": "age1"}, theirs, [], 7):
        assert not game.act("ann" if back else "cid", "come", sealing=given_, back=back).accepted
    done = game.act("bob", "gift")
    assert done.accepted
    assert {*done.entry["boxes"]} == ({"keeper"} if back else {"ann", "keeper"})


def test_nobody_gives_what_the_kernel_alone_writes() -> None:
    """Whatever comes to stand in the roster is either what people say of themselves, or the kernel's to write."""
    said = {"name", "surname", "email"}
    assert {*KEPT} | said == {*RosterEntry.__annotations__}


# -- keys of the keeper


def named(game: Notes, key: Identity, seeds: Identity) -> tuple[bool, str, list[str], list[object]]:
    """Let the administrator name a key: whether that is taken, the code, who got boxes, what is recorded of it."""
    root = keeper_seeds(seeds, entry_digest(game.record.entry(1)))
    done = game.act("ann", "open_sealing", key=key.recipient.text, seeds=root)
    entry = done.entry
    return done.accepted, str(entry.get("code")), list(entry.get("boxes") or ()), list(entry.get("sealed") or ())


@pytest.mark.threat("T-101")
@pytest.mark.parametrize(("here", "right"), [(False, True), (True, False), (False, False)])
def test_a_key_that_the_keeper_has_not_gets_nothing(game: Notes, here: bool, right: bool) -> None:
    """It is refused on record, with its code, and the game goes on with the key that was there."""
    thief = make_key()
    game.keep_key(*([KEY, thief] if here else [KEY]))
    found = named(game, thief, thief if right else make_key())
    assert found == (False, "E-RECIPIENT", [], [{"refused": "E-RECIPIENT"}])
    game.keep_key(KEY)
    assert game.act("ann", "gift").accepted
    with Session.open(game.path) as session:
        assert [key["number"] for key in session.document("game")["sealing"]] == [1]


@pytest.mark.threat("T-101")
def test_a_key_that_the_keeper_has_gets_all(game: Notes) -> None:
    """Who names it with blanks around it, or in capitals, would else lock the game: no key that is kept is written so."""
    assert game.act("ann", "gift").accepted
    new = make_key()
    game.keep_key(KEY, new)
    root = keeper_seeds(new, entry_digest(game.record.entry(1)))
    for text in (f" {new.recipient.text}", new.recipient.text.upper()):
        assert game.act("ann", "open_sealing", key=text, seeds=root).code == "E-RECIPIENT"
    assert named(game, new, new) == (True, "None", [KEEPER], [])
    assert game.act("ann", "gift").accepted
    game.keep_key()
    assert game.problems() == []


@pytest.mark.threat("T-101")
def test_who_keeps_an_old_key_alone_records_nothing(game: Notes) -> None:
    """Of two machines that keep a game, one has not been given the next key: it stands still, and spoils nothing."""
    new = make_key()
    game.keep_key(KEY, new)
    assert game.open_sealing(new).accepted
    game.keep_key(KEY)
    before = game.record.head.seq
    with pytest.raises(ProblemError, match="keeper's key"):
        game.act("ann", "note", note=game.seal("ann", "note", "note", "heartsease", key=new, keeper=2))
    assert game.record.head.seq == before
    game.keep_key(KEY, new)
    assert game.note("ann", "heartsease", key=new, keeper=2).accepted
    assert game.note("ann", "heartsease").code == "E-CONTEXT"  # sealed to the key that was replaced


# -- sizes


@pytest.mark.threat("T-100")
def test_however_much_is_sealed_at_once_is_parted_and_what_is_too_much_refused(game: Notes) -> None:
    for do, size, count, parted in (
        ("deal", 1_000, 52, True),
        ("answer", 900, 40, True),
        ("deal", 1, 208, True),
        ("deal", 1, 9, False),
    ):
        done = game.act("ann", do, text="x", size=size, count=count)
        boxes = [read_box(box) for box in done.entry["boxes"][KEEPER]]
        assert (done.accepted, len(boxes) > 1, {box.size for box in boxes} <= {*SIZES}) == (True, parted, True)
    for do, text, size in (("keep", "€", 6_000), ("keep", "x", 16_001), ("deal", "x", 16_001)):
        done = game.act("ann", do, text=text, size=size, count=1)
        assert [failure["code"] for failure in done.entry["failures"]] == ["E-BOUNDS"]
    assert game.act("ann", "answer", text="€", size=6_000, count=2).accepted, "such an answer is none"
    assert game.act("ann", "keep", text="x", size=15_990, count=1).accepted


@pytest.mark.threat("T-82")
def test_whether_a_sealed_function_failed_changes_no_size(game: Notes) -> None:
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


# -- the founding redacted


def test_what_is_sealed_opens_and_is_proved_after_the_founding_was_redacted(game: Notes) -> None:
    known = game.record.founding
    assert game.act("ann", "gift").accepted
    before = game.seal("bob", "note", "note", "foxglove")
    assert game.act("ann", "redact", seq=1, path="with.title", why="a name").accepted
    assert game.record.founding == known != entry_digest(game.record.entry(1))
    assert game.problems() == []
    assert game.act("bob", "note", note=before).accepted
    assert game.note("ann", "heartsease").accepted
    assert game.act("ann", "show").accepted
    opening = opened_seed(game.record, game.record.archive("game"), 1)
    assert game.act("ann", "open_seed", draw=1, insist=True, **opening).accepted
    assert game.problems() == []
    game.keep_key()
    assert game.problems() == []
