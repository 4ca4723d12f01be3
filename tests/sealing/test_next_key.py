"""What is sealed goes to no key but one that the keeper has: no administrator, and no thief of theirs, takes it over."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from folkmoot.game.keeper import KEEPER, keeper_seeds
from folkmoot.game.session import Session
from folkmoot.journal import entry_digest
from folkmoot.sealing.keys import Identity, make_key
from tests.support.keeper import KEY, OWN, Cards
from tests.support.table import START


@pytest.fixture
def cards(tmp_path: Path) -> Iterator[Cards]:
    game = Cards(tmp_path)
    game.keep_key(KEY)
    assert game.open_sealing().accepted
    assert game.act("bob", "use_sealing_key", key=OWN["bob"].recipient.text).accepted
    assert game.act("ann", "deal").accepted
    yield game
    assert game.problems() == []
    game.keep_key()
    assert game.problems() == []


def named(cards: Cards, key: Identity, seeds: Identity) -> tuple[bool, str, list[str], list[object]]:
    """Let the administrator name a key: whether that is taken, the code, who got boxes, what is recorded of it."""
    root = keeper_seeds(seeds, entry_digest(cards.record.entry(1)))
    with Session.open(cards.path, writing=True) as session:
        done = session.act("ann", "open_sealing", {"key": key.recipient.text, "seeds": root}, at=START)
    entry = done.entry
    return done.accepted, str(entry.get("code")), list(entry.get("boxes") or ()), list(entry.get("sealed") or ())


@pytest.mark.threat("T-101")
@pytest.mark.parametrize(("here", "right"), [(False, True), (True, False), (False, False)])
def test_a_key_that_the_keeper_has_not_gets_nothing(cards: Cards, here: bool, right: bool) -> None:
    """It is refused on record, with its code, and the game goes on with the key that was there."""
    thief = make_key()
    cards.keep_key(*([KEY, thief] if here else [KEY]))
    found = named(cards, thief, thief if right else make_key())
    assert found == (False, "E-RECIPIENT", [], [{"refused": "E-RECIPIENT"}])
    cards.keep_key(KEY)
    assert cards.act("ann", "open").accepted
    with Session.open(cards.path) as session:
        assert [key["number"] for key in session.document("game")["sealing"]] == [1]


@pytest.mark.threat("T-101")
def test_a_key_that_the_keeper_has_gets_all(cards: Cards) -> None:
    new = make_key()
    cards.keep_key(KEY, new)
    assert named(cards, new, new) == (True, "None", [KEEPER], [])
    cards.keep_key(KEY, new)
    assert cards.act("ann", "deal").accepted


def test_a_key_in_another_way_of_writing_it_is_none_that_the_keeper_has(cards: Cards) -> None:
    """Who names a key with blanks around it would else lock the game: no key that is kept is written so."""
    new = make_key()
    cards.keep_key(KEY, new)
    root = keeper_seeds(new, entry_digest(cards.record.entry(1)))
    for text in (f" {new.recipient.text}", new.recipient.text.upper()):
        assert cards.act("ann", "open_sealing", key=text, seeds=root).code == "E-RECIPIENT"
    assert cards.act("ann", "open").accepted
