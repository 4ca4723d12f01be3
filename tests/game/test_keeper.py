"""What is sealed in a game on disk: boxes for those who may read it, and a record that everybody can check."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from folkmoot.core.keys import GAME as GAME_KEY
from folkmoot.core.problems import ProblemError
from folkmoot.game.keeper import KEEPER, SealedPast, confided_seed
from folkmoot.game.session import Session
from folkmoot.kernel.sealed_data.vaults import Content, KeptVault
from folkmoot.sealing.boxes import open_all
from folkmoot.sealing.keys import make_key
from tests.support.keeper import CARDS, KEY, OWN, Cards, cards
from tests.support.table import START

__all__ = ["cards"]


@pytest.mark.threat("T-81")
def test_everybody_opens_their_own_cards_and_nobody_elses(cards: Cards) -> None:
    hands = {player: cards.hand(player)[0] for player in ("ann", "bob")}
    assert sorted(card for hand in hands.values() for card in hand) == sorted({*hands["ann"], *hands["bob"]})
    assert {*hands["ann"], *hands["bob"]} <= set(CARDS)
    assert b"boxes" in cards.bytes()
    assert [card for card in CARDS if card.encode() in cards.bytes()] == []


def test_who_names_a_key_later_gets_what_they_may_read(cards: Cards) -> None:
    assert cards.hand("cid") == []
    assert cards.act("cid", "use_sealing_key", key=OWN["cid"].recipient.text).accepted
    assert set(cards.hand("cid")[0]) <= set(CARDS)


def test_a_card_is_played_sealed_and_shown(cards: Cards) -> None:
    hand = cards.hand("ann")[0]
    card = next((each for each in hand if "hearts" in each), hand[0])
    done = cards.act("ann", "play", card=cards.seal("ann", "play", "card", card))
    assert done.accepted, done.entry
    assert cards.hand("ann")[:2] == [card, [each for each in hand if each != card]]
    assert card not in cards.hand("bob")
    assert cards.act("ann", "show").accepted
    with Session.open(cards.path) as session:
        assert session.document("things/game")["game"]["shown"] == {"ann": card}


@pytest.mark.threat("T-86")
def test_where_the_key_is_not_nothing_is_recorded(cards: Cards) -> None:
    cards.keep_key()
    before = cards.record.head.seq
    with pytest.raises(ProblemError, match="needs the keeper's key"):
        cards.act("ann", "deal")
    assert cards.record.head.seq == before
    assert cards.problems() == []  # which needs no key
    cards.keep_key(KEY)


@pytest.mark.threat("T-85")
def test_another_key_waits_until_everybody_could_see_it(cards: Cards) -> None:
    new = make_key()
    assert cards.act("bob", "use_sealing_key", key=new.recipient.text).accepted
    assert cards.act("ann", "confirm_sealing_key", player="bob").code == "E-TIME"
    with Session.open(cards.path, writing=True) as session:
        done = session.act("ann", "confirm_sealing_key", {"player": "bob"}, at=START + 86_400)
    assert done.accepted
    (box,) = done.entry["boxes"]["bob"]
    assert set(open_all(box, [new])[0].value) <= set(CARDS)


def test_without_a_keeper_nothing_is_sealed(tmp_path: Path) -> None:
    game = Cards(tmp_path)
    assert game.act("ann", "deal").code == "E-SEALED"
    assert game.problems() == []


def test_the_keepers_box_is_for_the_keeper_alone(cards: Cards) -> None:
    (entry,) = [each for each in cards.record.entries() if each["do"] == "deal"]
    assert sorted(entry["boxes"]) == ["ann", "bob", KEEPER]
    with pytest.raises(ProblemError):
        open_all(entry["boxes"][KEEPER][0], [OWN["ann"]])


# -- proofs


def test_verify_says_what_it_proved_and_what_waits(cards: Cards) -> None:
    cards.act("ann", "open")
    counts = cards.report().counts
    assert (counts["openings"], counts["sealed"], counts["sealed_seeds"]) == (1, 8, 1)


@pytest.mark.threat("T-84")
def test_the_seed_of_a_draw_is_opened_alone_and_proves_what_was_dealt(cards: Cards) -> None:
    with Session.open(cards.path, writing=True) as session:
        for player in ("ann", "bob", "cid"):
            assert session.act(player, "open", {}, at=START).accepted
        seed = confided_seed(session.record, session.kept(GAME_KEY), {"draw": 1})
        assert session.act("ann", "open_seed", {"draw": 1}, at=START, confided=seed).accepted
    cards.keep_key()
    counts = cards.report().counts
    assert (counts["opened_seeds"], counts.get("sealed_seeds")) == (1, None)
    cards.keep_key(KEY)


def test_a_seed_that_was_not_committed_to_is_found(cards: Cards) -> None:
    assert cards.act("ann", "open_seed", draw=1, insist=True, seed="0" * 64, proof=["0" * 64] * 12).accepted
    assert [problem.code for problem in cards.problems()] == ["E-SEED"]
    cards.proved = False


@pytest.mark.threat("T-84")
@pytest.mark.parametrize(("part", "wrong"), [("value", ["another card"]), ("salt", "0" * 64), ("salt", "short")])
def test_an_opening_that_was_changed_is_found(cards: Cards, part: str, wrong: object) -> None:
    cards.act("ann", "open")
    entry: Any = cards.record.entry(cards.record.head.seq)
    (opened,) = [each for each in entry["sealed"] if "opened" in each]
    past = SealedPast.of(cards.record)
    assert past is not None
    assert (past.openings, past.wrong) == (1, [])
    past._read({**entry, "sealed": [{**opened, part: wrong}]})
    assert [problem.code for problem in past.wrong] == ["E-COMMITMENT"]


@pytest.mark.threat("T-84")
def test_with_the_key_what_sealed_functions_gave_is_computed_anew(cards: Cards) -> None:
    """A keeper who records another answer than the rules give is found by whoever has the key, or once it is opened."""
    cheat = KeptVault.keep

    def keep(vault: KeptVault, number: int, compute: Any) -> str:
        return cheat(vault, number, lambda: Content(["an ace", "another"]))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(KeptVault, "keep", keep)
        assert cards.act("ann", "deal").accepted
    assert cards.hand("ann")[0] == ["an ace", "another"]
    assert "is not what the rules compute" in cards.problems()[0].message
    cards.keep_key()
    assert cards.problems() == []  # nobody else can know yet
    cards.keep_key(KEY)
    cards.proved = False
