"""Sealed arguments and ballots that come by letters: nothing of them stands anywhere in clear."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from folkmoot.core.keys import GAME as GAME_KEY
from folkmoot.game import secret_store
from folkmoot.game.keeper import keeper_word, opened_seed
from folkmoot.player.hand import keep_new_key
from folkmoot.sealing.keys import make_key
from tests.support.meeting import GAME
from tests.support.sealed_law import CARDS
from tests.support.sealed_letters import LAW, Sealed

CANARY = "heartsease"


@pytest.fixture
def meeting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sealed]:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    monkeypatch.setitem(secret_store.HIDDEN, secret_store.SEALING, keeper_word(1, make_key()))
    found = Sealed(tmp_path, law=LAW)
    found.say("ann", 0, "/do open_sealing")
    found.referee()
    key = keep_new_key().recipient.text
    found.say("ann", 0, f"/do use_sealing_key key={key}")
    found.say("ann", 0, "/do deal")
    found.referee()
    yield found
    assert found.sound()


def test_a_card_is_played_by_a_comment(meeting: Sealed) -> None:
    cards = meeting.hand("ann")
    assert set(cards) <= set(CARDS)
    card = next((each for each in cards if "hearts" in each), cards[0])
    meeting.say("ann", 0, meeting.seal("ann", "play", card=card))
    meeting.referee()
    assert meeting.journal()[-1].get("code") is None, meeting.journal()[-1]
    assert meeting.hand("ann") == [each for each in cards if each != card]


def test_a_card_in_clear_counts_for_nothing(meeting: Sealed) -> None:
    meeting.say("ann", 0, f"/do play card='{meeting.hand('ann')[0]}'")
    meeting.referee()
    assert meeting.journal()[-1]["code"] == "E-SEALED"
    assert "what is said in clear counts for nothing" in meeting.said(0)


def test_another_players_box_is_refused(meeting: Sealed) -> None:
    line = meeting.seal("ann", "play", card=meeting.hand("ann")[0])
    meeting.say("bob", 0, line)
    meeting.referee()
    assert meeting.journal()[-1]["code"] == "E-CONTEXT"


@pytest.mark.threat("T-81")
def test_ballots_are_sealed_until_the_count(meeting: Sealed) -> None:
    rule = b"title: Tea\ntext: Tea is served.\n"
    pull = meeting.open("ann", {"rules/tea.yaml": rule}, "Tea")
    meeting.referee()
    for person, choice in (("ann", "for"), ("bob", "against")):
        meeting.say(person, pull, meeting.ballot(person, 901, choice, CANARY))
    meeting.say("cid", pull, CANARY.upper(), kind="approve")
    meeting.referee()
    assert meeting.ballots(901) == {"ann": "", "bob": ""}
    assert "are sealed until the count" in meeting.said(pull)
    assert CANARY.encode() not in meeting.every_byte()
    meeting.say("cid", pull, meeting.ballot("cid", 901, "for"))
    meeting.say("dee", pull, meeting.ballot("dee", 901, "for"))
    meeting.referee()
    assert meeting.ballots(901) == {"ann": "for", "bob": "against", "cid": "for", "dee": "for"}
    assert CANARY.encode() in meeting.every_byte()
    assert meeting.proposal(901)["outcome"] == "adopted"


def test_what_the_log_of_a_run_tells_is_read_after_it(meeting: Sealed) -> None:
    """The run ends before its log is written, and nothing that was sealed long ago was asked for in it."""
    meeting.say("ann", 0, "/state I am here.")
    report = meeting.referee()
    documents = report.games[0].documents
    assert "sealed/000" not in [*documents]
    assert documents["sealed/000"]["1"]["commitment"]


@pytest.mark.threat("T-81")
def test_nothing_of_a_hand_stands_in_any_object(meeting: Sealed) -> None:
    """The cards are named in the law; the pair that somebody holds is in no object, packed or not, in their order."""
    one, two = meeting.hand("ann")
    for word in (f'["{one}","{two}"]', f'["{one}", "{two}"]', f"- {one}\n- {two}"):
        assert word.encode() not in meeting.every_byte()
        assert word.encode() not in b"".join(_unpacked(path) for path in meeting.bare.rglob("*") if path.is_file())


def _unpacked(path: Path) -> bytes:
    data = path.read_bytes()
    try:
        return zlib.decompress(data)
    except zlib.error:
        return data


assert GAME


@pytest.mark.threat("T-84")
def test_the_seed_of_a_draw_stands_in_no_object_while_what_it_dealt_is_in_hands(meeting: Sealed) -> None:
    """Also where an administrator asks for it: it is refused without the seed. Who insists has it opened."""
    with meeting.session() as session:
        seed = opened_seed(session.record, session.kept(GAME_KEY), 1)["seed"]
    meeting.say("ann", 0, "/do open_seed draw=1")
    meeting.referee(60)
    entry = meeting.journal()[-1]
    assert (entry["code"], entry["with"]) == ("E-SEALED", {"draw": 1})
    assert "hand of ann, hand of bob" in meeting.said(0)
    assert seed.encode() not in meeting.every_byte()
    meeting.say("bob", 0, "/do open_seed draw=1 insist=true")
    meeting.referee(60)
    assert meeting.journal()[-1]["code"] == "E-NOT-ADMINISTRATOR"
    assert seed.encode() not in meeting.every_byte()
    meeting.say("ann", 0, "/do open_seed draw=1 insist=true")
    meeting.referee(60)
    assert meeting.journal()[-1]["with"]["seed"] == seed
