"""What the author of a refused act is told in secret: which check failed, what was expected, why a sealed function failed."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from folkmoot.core.problems import ProblemError
from folkmoot.core.sealed_data import told_in, write_box
from folkmoot.game.keeper import KEEPER, MOST_WAITING
from folkmoot.game.session import Done
from folkmoot.game.verify import replayed_anew
from folkmoot.kernel.sealed_data.vaults import DETAIL, KeptVault
from folkmoot.player.hand import detail_of
from folkmoot.sealing.boxes import open_all
from folkmoot.sealing.commitments import SealingError
from folkmoot.sealing.keys import make_key
from tests.support.keeper import KEY, OWN
from tests.support.notes import CANARY, Table
from tests.support.table import Record


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    game = Table(tmp_path)
    for player in ("ann", "bob"):
        assert game.name_key(player).accepted
    assert game.act("ann", "note", note=game.seal("ann", "note", "note", "fox")).accepted
    yield game
    assert game.wrong() == {}
    assert CANARY.encode() not in game.bytes()


def sizes(done: Done) -> list[int]:
    """Return how many bytes the boxes of an entry hold inside."""
    found = []
    for boxes in (done.entry.get("boxes") or {}).values():
        for data in map(b64decode, boxes):
            _, _, rest = data.partition(b"\n--- ")
            found.append(len(rest) - 44 - 32)
    return found


def misplaced(table: Table, by: str = "ann", **other: Any) -> Done:
    """Let somebody note something that they sealed for another act."""
    return table.act(by, "note", note=table.seal(by, "note", "note", CANARY, **{"act": "book", **other}))


# -- arguments that are refused


@pytest.mark.threat("T-102")
@pytest.mark.parametrize(
    ("other", "words"),
    [
        ({"act": "book"}, "another act (book, not note)"),
        ({"argument": "hand"}, "another argument (hand, not note)"),
        ({"keeper": 2}, "another key of the keeper (2, not 1)"),
        ({"target": "proposal/1"}, "another target (proposal/1, not nothing)"),
        ({"act": "book", "keeper": 7}, "another act (book, not note), another key of the keeper (7, not 1)"),
    ],
    ids=str,
)
def test_the_author_is_told_where_a_box_of_theirs_belongs(table: Table, other: Record, words: str) -> None:
    done = table.act("ann", "note", note=table.seal("ann", "note", "note", CANARY, **other))
    assert done.code == "E-CONTEXT"
    assert table.told(done) == f"note: this was sealed for {words}"
    assert (list(done.entry["boxes"]), sizes(done)) == (["ann"], [1_024])


@pytest.mark.threat("T-102")
def test_whoever_copies_a_box_is_told_nothing_of_it(table: Table) -> None:
    """Nor of another game's, nor of one that the keeper made for themselves."""
    (kept,) = [e for e in table.record.entries() if e["do"] == "note"][-1]["boxes"]["ann"]
    words = {
        "another player": table.seal("ann", "note", "note", CANARY, act="book", target="proposal/7"),
        "another game, or a fork of it": table.seal("bob", "note", "note", CANARY, game="5a" * 32, act="book"),
    }
    for whose, word in words.items():
        done = table.act("bob", "note", note=word)
        assert done.code == "E-CONTEXT"
        told = f"note: this was sealed for another place ({whose}), and what is in it is not yours to see"
        assert table.told(done) == told
    done = table.act("bob", "note", note=write_box("0" * 64, kept))
    assert (done.code, "key 1 of the keeper, age1" in table.told(done)) == ("E-READER", True)


def test_a_box_that_the_keeper_made_for_themselves_opens_for_nobody(table: Table) -> None:
    """They have it open and are asked to say what is in it: they say that it is none of an act."""
    assert table.act("cid", "note", note=table.seal("cid", "note", "note", "fox")).accepted
    assert table.act("cid", "plain").code == "E-NO"
    refused = misplaced(table, "cid")
    (kept,) = refused.entry["boxes"][KEEPER]
    done = table.act("bob", "note", note=write_box("0" * 64, kept))
    assert done.code == "E-CONTEXT"
    assert "an act instead of an entry" in table.told(done)
    assert "book" not in table.told(done)


def test_the_author_is_told_what_does_not_fit(table: Table) -> None:
    word = table.seal("ann", "note", "note", "fox")
    commitment, box = word.split(".")[1:]
    done = table.act("ann", "note", note=write_box("0" * 64, box))
    assert done.code == "E-COMMITMENT"
    assert table.told(done) == (
        f"note: the commitment beside the box is {'0' * 64}, and that to what is in it {commitment}"
    )
    done = table.act("ann", "note", note=table.seal("ann", "note", "note", [CANARY]))
    assert done.code == "E-SEALED-VALUE"
    assert table.told(done) == f"note must be text, not \"['{CANARY}']\""
    done = table.act("ann", "note", note=write_box(commitment, "YWdl"))
    assert (done.code, table.told(done)) == ("E-BOX", "note: this is no box: it does not begin as a file of age")
    assert table.act("ann", "note", note=word).accepted
    done = table.act("ann", "note", note=word)
    assert done.code == "E-DUP"
    assert "has come before, in entry" in table.told(done)


# -- sealed functions


@pytest.mark.threat("T-102")
def test_the_error_of_a_sealed_function_goes_to_whom_it_was_not_kept_from(table: Table) -> None:
    done = table.act("ann", "break", whose="ann")
    assert done.code == "E-NO"
    assert "broken of rule 1 failed: line 2: " in table.told(done)
    assert "same of rule 1 gave null" in table.told(done)
    assert table.told(done, "bob") == ""
    other = table.act("bob", "break", whose="ann")
    assert (other.code, list(other.entry["boxes"]), table.told(other)) == ("E-NO", ["bob"], "")
    assert sizes(other) == sizes(done) == [1_024]


@pytest.mark.threat("T-102")
def test_what_rests_on_two_hands_is_told_to_nobody(table: Table) -> None:
    assert table.act("bob", "note", note=table.seal("bob", "note", "note", "elk")).accepted
    done = table.act("ann", "beat")
    assert (table.told(done), table.told(done, "bob"), sizes(done)) == ("", "", [1_024])


@pytest.mark.threat("T-102")
@pytest.mark.parametrize("do", ["peep", "hide"])
def test_what_a_refused_act_undid_lets_nobody_read_more(table: Table, do: str) -> None:
    """A card that it disclosed, one that it drew: nobody was given to read it in the end."""
    done = table.act("bob", do)
    assert (done.code, table.told(done), sizes(done)) == ("E-NO", "", [1_024])


@pytest.mark.threat("T-102")
def test_an_office_that_a_refused_act_gave_lets_nobody_read_more(table: Table) -> None:
    assert table.act("ann", "book", note=table.seal("ann", "book", "note", CANARY)).accepted
    assert table.told(table.act("bob", "scribe")) == ""


def test_a_refusal_that_nothing_sealed_is_part_of_or_of_who_is_no_player_has_no_box(table: Table) -> None:
    plain, stranger = table.act("ann", "plain"), misplaced(table, "eve")
    assert (plain.code, plain.entry.get("boxes"), plain.entry.get("sealed")) == ("E-NO", None, None)
    assert (stranger.code, stranger.entry.get("boxes"), told_in(stranger.entry)) == ("E-NOT-PLAYER", None, "")
    clear = table.act("ann", "note", note="in clear")
    assert (clear.code, clear.entry.get("boxes"), told_in(clear.entry)) == ("E-SEALED", None, "")


@pytest.mark.threat("T-102")
def test_every_refusal_of_something_sealed_has_a_box_of_one_size(table: Table) -> None:
    """Whatever it was refused for, and whether there is anything to tell."""
    table.act("ann", "pause")
    paused = table.act("ann", "note", note=table.seal("ann", "note", "note", CANARY))
    table.act("ann", "resume")
    found = [
        paused,
        table.act("ann", "no_such_act", note=table.seal("ann", "note", "note", CANARY)),
        table.act("ann", "note", note=table.seal("ann", "note", "note", CANARY), more=1),
        table.act("ann", "note", note=table.seal("ann", "note", "note", [CANARY * 300])),
        table.act("ann", "note", note=table.seal("ann", "note", "note", CANARY, act="é" * 400)),
    ]
    assert [done.code for done in found] == ["E-PAUSED", "E-NO-SUCH", "E-ARGS", "E-SEALED-VALUE", "E-CONTEXT"]
    assert [sizes(done) for done in found] == [[1_024]] * len(found)


# -- who has no key yet


def test_who_names_a_key_is_told_what_waited(table: Table) -> None:
    refused = misplaced(table, "cid")
    assert list(refused.entry["boxes"]) == [KEEPER]
    assert table.all_told("cid") == {}
    done = table.name_key("cid")
    assert {reader: len(boxes) for reader, boxes in done.entry["boxes"].items()} == {"cid": 1}
    told = "note: this was sealed for another act (book, not note)"
    assert table.all_told("cid") == {refused.entry["seq"]: told}
    assert table.all_told("ann") == {}


def test_what_waits_goes_to_the_keepers_next_key(table: Table) -> None:
    refused = misplaced(table, "cid")
    new = make_key()
    table.keep_key(KEY, new)
    assert table.open_sealing(new).accepted
    later = misplaced(table, "cid", key=new)
    assert later.code == "E-CONTEXT"
    done = table.name_key("cid")
    assert done.accepted
    assert sorted(table.all_told("cid")) == [refused.entry["seq"], later.entry["seq"]]
    assert "another key of the keeper (1, not 2)" in table.all_told("cid")[later.entry["seq"]]
    again = make_key()
    table.keep_key(KEY, new, again)
    assert DETAIL not in [
        o.context.place for b in table.open_sealing(again).entry["boxes"][KEEPER] for o in open_all(b, [again])
    ]
    table.keep_key(KEY)


def test_of_very_many_refusals_the_newest_wait(table: Table) -> None:
    """Whoever has no key and is refused again and again makes nobody's naming of a key large."""
    last = 0
    for _ in range(MOST_WAITING + 3):
        last = table.act("cid", "break", whose="cid").entry["seq"]
        assert last
    done = table.name_key("cid")
    assert len(done.entry["boxes"]["cid"]) == MOST_WAITING
    assert [box for box in done.entry["boxes"]["cid"] if open_all(box, [OWN["cid"]])[0].context.place != DETAIL] == []


# -- proofs


def test_with_the_key_what_was_told_is_computed_anew(table: Table) -> None:
    """A keeper who tells the author something else is found by whoever has the key."""
    honest = KeptVault.tell
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(KeptVault, "tell", lambda vault, text: honest(vault, text.replace("note", "nose")))
        done = misplaced(table)
    assert "nose: " in table.told(done)
    found = table.wrong()
    assert list(found) == ["with the key"]
    assert "what its author was told in secret is not what it was refused for" in found["with the key"][0]
    table.wrong = dict  # type: ignore[assignment]


@pytest.mark.threat("T-102")
@pytest.mark.parametrize("code", ["E-BOX", "E-READER"])
def test_with_the_key_it_shows_that_what_was_refused_had_to_be_taken(table: Table, code: str) -> None:
    """Whatever the keeper says is wrong with it, also that it is sealed to another key."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("folkmoot.game.keeper.unseal", lambda *_given: _refusing(code))
        done = table.act("ann", "note", note=table.seal("ann", "note", "note", "fox"))
    assert done.code == code
    found = table.wrong()
    assert list(found) == ["with the key"]
    assert f"had to be taken, and was refused as {code}" in found["with the key"][0]
    table.wrong = dict  # type: ignore[assignment]


def _refusing(code: str) -> None:
    raise SealingError(code, "it is another's")


def test_a_box_that_holds_something_else_is_not_shown(table: Table) -> None:
    done = misplaced(table)
    assert table.told(done)
    assert detail_of({**done.entry, "sealed": [{"told": "0" * 64}]}, "ann", OWN.values()) == ""


def test_a_key_that_is_gone_keeps_nobody_from_proving_the_rest(table: Table) -> None:
    misplaced(table)
    new = make_key()
    table.keep_key(KEY, new)
    assert table.open_sealing(new).accepted
    misplaced(table)
    table.keep_key(make_key(), new)
    assert table.problems() == []
    table.keep_key(KEY, new)
    assert table.problems() == []


def replayed(table: Table, sealed: Any) -> None:
    """Replay the record with other sealed parts of its last entry."""
    entries: list[Any] = list(table.record.entries())
    replayed_anew(table.record)(iter([*entries[:-1], {**entries[-1], "sealed": sealed}]))


@pytest.mark.threat("T-102")
def test_a_changed_record_is_found_and_what_was_told_hides_in_no_other_part(table: Table) -> None:
    """Else it would not be computed anew, and its author would be shown it."""
    refused, told = misplaced(table).entry["sealed"]
    for wrong, why in (
        ([refused, {**told, "told": "0" * 64}], "entry"),
        ([{**refused, "refused": "E-BOX"}, told], "entry"),
        ([{**refused, **told}], "another form"),
    ):
        with pytest.raises(ProblemError, match=why):
            replayed(table, wrong)
