"""What is sealed badly is refused by one sentence with a code, whichever way it comes: on record, and nothing else happens."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from folkmoot.core.keys import sealed_keys
from folkmoot.core.sealed_data import told_in, write_box
from folkmoot.game import secret_store
from folkmoot.game.keeper import keeper_word
from folkmoot.journal import entry_digest
from folkmoot.kernel.proposals import content_digest
from folkmoot.kernel.sealed_data.vaults import REFUSALS
from folkmoot.player.hand import keep_new_key, own_keys
from folkmoot.sealing.boxes import Opening, fresh_nonce, fresh_salt, open_all, read_box, seal
from folkmoot.sealing.commitments import Context
from folkmoot.sealing.keys import Identity, age_library, make_key
from tests.conftest import FUZZ
from tests.support.issues import WithIssues, act
from tests.support.letters import LAW, Sealed

CANARY = "heartsease5f3a"
KEEPER, STRANGER = make_key(), make_key()
BALLOT = {"choice": "for", "reason": CANARY}


class Table(Sealed):
    """A game of cards with sealed ballots, on a forge with comments, reviews and forms."""

    issues: WithIssues

    def word(self, by: str, do: str, value: Any, key: Identity = KEEPER, **other: Any) -> str:
        """Return a value that is sealed well but for what is asked."""
        with self.session() as session:
            game = entry_digest(session.record.entry(1))
            proposal = session.proposal("proposal/901") if do == "vote" else None
        about = {"target": "proposal/901", "target_digest": content_digest(proposal)} if proposal else {}
        argument = "choice" if do == "vote" else "card"
        place = {
            "game": game,
            "author": by,
            "act": do,
            "argument": argument,
            "target": "",
            "target_digest": "",
            **about,
        }
        context = Context(**{**place, "keeper": 1, "nonce": fresh_nonce(), **other})  # type: ignore[arg-type]
        opening = Opening(context, value, fresh_salt())
        return write_box(opening.commitment, seal(opening, key.recipient))

    def state(self) -> dict[str, Any]:
        """Return what the game has of cards, votes and sealed values."""
        with self.session() as session:
            last = session.document("game")["counters"].get("sealed", 0)
            found = {**session.documents, **{key: session.document(key) for key in sealed_keys(int(last))}}
        return {key: found[key] for key in found if key.startswith(("things/", "proposals/", "sealed/", "boxes/"))}

    def said_of(self, number: int) -> str:
        return self.issues.kept[number].said if number in self.issues.kept else self.said(number)


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    monkeypatch.setitem(secret_store.HIDDEN, secret_store.SEALING, keeper_word(1, KEEPER))
    found = Table(tmp_path, law=LAW)
    found.forge = found.issues = WithIssues(found.bare)
    found.say("ann", 0, "/do open_sealing")
    found.say("ann", 0, f"/do use_sealing_key key={keep_new_key().recipient.text}")
    found.say("ann", 0, "/do deal")
    found.open("bob", {"rules/tea.yaml": b"title: Tea\ntext: Tea is served.\n"}, "Tea")
    found.referee(60)
    assert found.proposal(901)["state"] == "open"
    yield found
    assert found.sound()


# -- what is wrong with a box


def _bytes(word: str) -> bytes:
    return b64decode(word.split(".")[2])


def _with_box(word: str, data: bytes) -> str:
    return write_box(word.split(".")[1], b64encode(data).decode())


def _encrypted(inside: bytes, *keys: Identity) -> bytes:
    return bytes(age_library().encrypt(inside, [key.recipient.in_library() for key in keys]))


def _of_kind(word: str, kind: bytes) -> str:
    """Return a box whose part for its reader says that it is of another kind."""
    return _with_box(word, _bytes(word).replace(b"-> X25519", b"-> " + kind, 1))


Seal = Callable[..., str]
NO_BOX = "this is no box: "
KIND = f"{NO_BOX}it is sealed in a way that is not allowed here"
TWO = f"{NO_BOX}it is sealed to more than one recipient"
SIZE = f"{NO_BOX}what is inside has not one of the sizes that boxes have"
INSIDE = f"{NO_BOX}what is inside has not the form that it must have"
HEAD = f"{NO_BOX}it does not begin as a file of age"
CLOSED = "the box does not open; it has to be sealed to key 1 of the keeper, age1"
OTHERS = "and what is in it is not yours to see"
BAD: dict[str, tuple[str, Callable[[Seal], str], str]] = {
    "it is said in clear": ("E-SEALED", lambda _: CANARY, ""),
    "it is another commitment": ("E-COMMITMENT", lambda seal: write_box("0" * 64, seal().split(".")[2]), f"the commitment beside the box is {'0' * 64}, and that to what is in it "),
    "it is no box": ("E-BOX", lambda seal: _with_box(seal(), b"no box"), HEAD),
    "it ends too early": ("E-BOX", lambda seal: _with_box(seal(), _bytes(seal())[:-40]), SIZE),
    "it is for somebody else": ("E-READER", lambda seal: seal(key=STRANGER), CLOSED),
    "it is for two": ("E-BOX", lambda seal: _with_box(seal(), _encrypted(bytes(256), KEEPER, STRANGER)), TWO),
    "it is of an unknown kind": ("E-BOX", lambda seal: _of_kind(seal(), b"X448"), KIND),
    "its kind is another that is allowed": ("E-BOX", lambda seal: _of_kind(seal(), b"ssh-ed25519"), f"{NO_BOX}the part for its recipient is damaged"),
    "there is nothing in it": ("E-BOX", lambda seal: _with_box(seal(), _encrypted(bytes(256), KEEPER)), INSIDE),
    "it is far over 16 KB": ("E-BOX", lambda seal: _with_box(seal(), _encrypted(bytes(29_000), KEEPER)), NO_BOX),
    "it is another player's": ("E-CONTEXT", lambda seal: seal(author="cid"), OTHERS),
    "it is of another game": ("E-CONTEXT", lambda seal: seal(game="5a" * 32), OTHERS),
    "it is for another act": ("E-CONTEXT", lambda seal: seal(act="lend"), "another act (lend, not "),
    "it is for another argument": ("E-CONTEXT", lambda seal: seal(argument="to"), "another argument (to, not "),
    "it is about something else": ("E-CONTEXT", lambda seal: seal(target="proposal/7", target_digest="5a" * 32), "another target (proposal/7, not "),
    "it is for another key of the keeper": ("E-CONTEXT", lambda seal: seal(keeper=2), "(2, not 1)"),
    "it is nothing that was asked for": ("E-SEALED-VALUE", lambda seal: seal(value=[CANARY, {"a": 1}]), ""),
}  # fmt: skip


def told(entry: dict[str, Any]) -> str:
    """Return what the author of an entry, who has no key yet, is told in secret: the keeper has it for them."""
    ((reader, (box,)),) = entry["boxes"].items()
    (opening,) = open_all(box, [KEEPER])
    assert (reader, opening.commitment, read_box(box).size) == ("keeper", told_in(entry), 1_024)  # type: ignore[arg-type]
    return str(opening.value).rstrip()


WAYS = ("a comment on the game", "a form", "a comment below a form", "a comment with a ballot", "a review")


def send(table: Table, way: str, make: Callable[[Seal], str]) -> int:
    """Send what is sealed badly in a way; returns where an answer is expected."""
    do = "vote" if way in ("a comment with a ballot", "a review") else "play"
    value: Any = BALLOT if do == "vote" else CANARY
    word = make(lambda **other: table.word("dee", do, other.pop("value", value), **other))
    if way == "a comment on the game":
        table.say("dee", 0, f"/do play card={word}")
        return 0
    if way == "a form":
        return table.issues.open("dee", act("play", f"card: {word}"), table.now)
    if way == "a comment below a form":
        number = table.issues.open("dee", "Tea is a drink.", table.now)
        table.referee(60)
        table.issues.comment("dee", number, f"/do play card={word}", table.now)
        return number
    table.say("dee", 1, f"/vote {word}", kind="approve" if way == "a review" else "comment")
    return 1


@pytest.mark.threat("T-83")
@pytest.mark.parametrize("way", WAYS)
def test_a_bad_box_is_refused_by_one_sentence_and_nothing_happens(table: Table, way: str) -> None:
    whats = [*BAD] if FUZZ else [*BAD][WAYS.index(way) :: len(WAYS)]
    for what in sorted(whats, key="it is said in clear".__eq__):
        code, make, words = BAD[what]
        before, length = table.state(), len(table.journal())
        where = send(table, way, make)
        table.referee(60)
        entry, new = table.journal()[-1], table.journal()[length:]
        if way == "a review":  # it is a vote in clear itself
            assert new.pop(0)["code"] == "E-SEALED"
        assert [each["code"] for each in new if each["do"] != "state"] == [code], (what, new)
        (reason,) = [reason for reason in entry.get("reasons") or () if reason["code"] == code]
        assert table.state() == before
        assert entry.get("effects") is None
        if what == "it is said in clear":
            assert entry.get("boxes") is None
        else:
            assert words in told(entry), what
            assert (CANARY in told(entry)) == (what == "it is nothing that was asked for" and way in WAYS[:3])
            assert CANARY not in table.said_of(where)
        if code in REFUSALS and code != "E-SEALED":
            assert reason["args"]["why"] == REFUSALS[code]
    assert "it is said in clear" in whats or CANARY.encode() not in table.every_byte()


def spent(table: Table, limit: int, refused: int) -> str:
    """Let bob, who has a key, come to the limit of refused acts of a day and beyond; return a card of bob's."""
    table.say("ann", 0, f"/do set_limit name=refused_acts_a_day value={limit}")
    table.say("bob", 0, f"/do use_sealing_key key={own_keys()[0].recipient.text}")
    table.referee(60)
    hand = table.hand("bob")
    for _ in range(refused):
        table.say("bob", 0, f"/do play card={table.word('bob', 'play', CANARY, key=STRANGER)}")
        table.referee(60)
        assert table.journal()[-1]["code"] == "E-READER"
    return next((each for each in hand if "hearts" in each), hand[0])


@pytest.mark.threat("T-83")
def test_bad_boxes_count_as_refused_acts_of_the_day_and_good_ones_go_on(table: Table) -> None:
    """Where somebody had all refused acts of a day, what is sealed is recorded as ever, until twice as many were refused."""
    card = spent(table, 2, 3)
    table.say("bob", 0, f"/do play card={table.word('bob', 'play', card)}")
    table.referee(60)
    assert table.journal()[-1].get("code") is None


@pytest.mark.threat("T-82")
def test_past_the_limit_the_answer_is_the_same_whatever_is_sealed(table: Table) -> None:
    """A card that follows suit, one that does not, a box that opens for nobody: none is looked into, or told apart."""
    good = spent(table, 1, 2)
    length, before = len(table.journal()), table.state()
    for value, key in ((good, KEEPER), (CANARY, KEEPER), (good, STRANGER), ([1], KEEPER)):
        table.say("bob", 0, f"/do play card={table.word('bob', 'play', value, key=key)}")
        table.referee(60)
        assert (len(table.journal()), table.state()) == (length, before)
        lines = [line for line in table.said(0).split("\n") if "this is answered only" in line]
        (answer,) = {line.split("; this is")[0][-60:] for line in lines}
        assert "it depends on what is sealed, which nobody looks into" in answer
    assert CANARY not in table.said(0)
    table.say("bob", 0, "/do show")  # what has nothing to do with it
    table.referee(60)
    assert len(table.journal()) == length + 1


def test_what_is_sealed_well_is_taken_whichever_way_it_comes(table: Table) -> None:
    """It is no card of theirs, which a rule can say only where the box opens."""
    for way, size in zip(WAYS, (10, 3_000, 7_000, 10, 7_000), strict=True):
        length = len(table.journal())
        ballot = way in ("a comment with a ballot", "a review")
        value: Any = {**BALLOT, "reason": "x" * size} if ballot else "x" * 2 * size
        send(table, way, lambda seal, value=value: seal(value=value))
        table.referee(60)
        last = table.journal()[-1]
        assert len(table.journal()) > length
        assert (last["do"], last.get("code")) == (("vote", None) if ballot else ("play", "E-SUIT"))
