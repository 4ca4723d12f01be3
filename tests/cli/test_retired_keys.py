"""A key of the keeper that a later one has replaced is deleted once nothing needs it, and then opens nothing here."""

from __future__ import annotations

from pathlib import Path

import pytest

from folkmoot.game import keeper as keeper_keys
from folkmoot.game import secret_store
from folkmoot.game.keeper import KEEPER, keeper_file, keeper_word
from folkmoot.game.session import Session
from folkmoot.journal import GameFolder
from folkmoot.sealing.boxes import open_all
from folkmoot.sealing.commitments import SealingError
from tests.support.keeper import Cards
from tests.support.moot import Moot, Said

AT = "2026-01-05T12:00:00Z"


@pytest.fixture
def cards(moot: Moot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cards:
    """Return a game of cards in which a hand is dealt under the first key; `moot` plays in its folder."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path.parent / f"{tmp_path.name}-settings"))
    monkeypatch.setitem(secret_store.HIDDEN, secret_store.SEALING, "")
    found = Cards(tmp_path)
    assert moot("key", "--keeper").code == 0
    assert act(moot, "open_sealing").code == act(moot, "deal").code == 0
    return found


def act(moot: Moot, do: str, *words: str) -> Said:
    return moot("act", "--no-commit", "--at", AT, "--by", "ann", do, *words)


def forget(moot: Moot, number: int) -> tuple[int, str]:
    said = moot("key", "--keeper", "--forget", str(number))
    assert "AGE-SECRET" not in said.out + said.err
    return said.code, said.out + said.err


def keys(cards: Cards) -> list[int]:
    return sorted(keeper_keys.keeper_keys(GameFolder(cards.path)))


def test_a_key_that_is_needed_is_kept(cards: Cards, moot: Moot) -> None:
    """The one in use, one that is not named yet, and one by which alone a draw can be proved."""
    for number, why in ((1, "no later key has replaced key 1"), (7, "key 7 of the keeper of cards is not here")):
        code, said = forget(moot, number)
        assert (code != 0, why in said) == (True, True), said
    assert moot("key", "--keeper").code == 0
    assert ("no later key" in forget(moot, 1)[1], "no later key" in forget(moot, 2)[1]) == (True, True)
    assert act(moot, "open_sealing").code == 0
    assert "1 sealed draw can be proved by key 1 alone, the first is 1" in forget(moot, 1)[1]
    assert keys(cards) == [1, 2]


@pytest.mark.threat("T-101")
def test_a_key_that_nothing_needs_is_deleted_and_the_game_goes_on(cards: Cards, moot: Moot) -> None:
    """What was sealed under it opens with the next one; with the old one the boxes of old entries do, and no later."""
    old = keeper_keys.keeper_keys(GameFolder(cards.path))[1]
    assert moot("key", "--keeper").code == act(moot, "open_sealing").code == 0
    assert act(moot, "open_seed", "draw=1", "insist=true").code == 0
    code, said = forget(moot, 1)
    assert (code, "Key 1 of the keeper of cards is forgotten here" in said, keys(cards)) == (0, True, [2])
    assert act(moot, "open").code == act(moot, "deal").code == 0
    proved = moot("verify")
    assert (proved.code, "is sound" in proved.out) == (0, True), proved.out
    opened = []
    with Session.open(cards.path) as session:
        kept = [
            (entry["do"], box) for entry in session.record.entries() for box in entry.get("boxes", {}).get(KEEPER, [])
        ]
    for do, box in kept:
        try:
            open_all(box, [old])
            opened.append((do, True))
        except SealingError:
            opened.append((do, False))
    assert opened[0] == ("deal", True)
    assert {each for each in opened if each[0] != "deal"} <= {("open_sealing", False)}
    assert opened[-1] == ("deal", False)


def test_a_key_that_a_secret_holds_is_named_and_not_deleted(
    cards: Cards, moot: Moot, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert moot("key", "--keeper").code == act(moot, "open_sealing").code == 0
    assert act(moot, "open_seed", "draw=1", "insist=true").code == 0
    held = keeper_keys.keeper_keys(GameFolder(cards.path))
    monkeypatch.setitem(
        secret_store.HIDDEN,
        secret_store.SEALING,
        " ".join(keeper_word(n, key) for n, key in held.items()),
    )
    keeper_file(GameFolder(cards.path)).unlink()
    code, said = forget(moot, 1)
    assert (code, "FOLKMOOT_SEALING holds it: take it out of that secret" in said) == (0, True), said
