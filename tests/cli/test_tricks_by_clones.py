"""Tricks played by four clones to a winner: what is in a hand is in no object, page, log or screen before it is played."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from folkmoot.game import secret_store
from folkmoot.game.keeper import keeper_word
from folkmoot.game.verify import verify
from folkmoot.sealing.keys import make_key
from tests.support.clones import PEOPLE, POINTS, Clones
from tests.support.decks import DECK
from tests.support.meeting import git
from tests.support.moot import Moot
from tests.support.quick import replayed


@pytest.fixture
def clones(moot: Moot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Clones]:
    for name in ("MOOT_REMOTE", "VISUAL", "EDITOR", "GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setitem(secret_store.HIDDEN, secret_store.SEALING, keeper_word(1, make_key()))
    found = Clones(tmp_path, moot, monkeypatch)
    found.act("ann", "open_sealing")
    found.referee()
    for person in PEOPLE:
        assert "`moot key --sealing` says how" in found.moot(person, "status").out
        key = found.moot(person, "key", "--sealing", "--json").record["recipient"]
        found.act(person, "use_sealing_key", f"key={key}")
    found.referee()
    assert "key --sealing" not in found.moot("ann", "status").out
    yield found
    assert verify(found.game(), replayed).problems == []


def discards(clones: Clones, hands: dict[str, list[str]]) -> set[str]:
    """Let all discard at the same time, and return what they did: nobody sees any of it until the last has."""
    assert "Something is sealed to you" not in clones.moot("bob", "status").out
    clones.act("ann", "deal")
    clones.referee()
    assert "Something is sealed to you: `moot show hand` shows it." in clones.moot("bob", "status").out
    hands |= {person: clones.hand(person) for person in PEOPLE}
    assert sorted(card for hand in hands.values() for card in hand) == sorted(DECK)
    before = set(clones.shown())
    for person in PEOPLE:
        assert clones.shown() == before
        said = clones.act(person, "discard", f"card={hands[person][0]}")
        assert "depends on what is sealed" in said.out
    assert clones.looked() == before
    clones.referee()
    return before | {hands[person].pop(0) for person in PEOPLE}


def trick(clones: Clones, hands: dict[str, list[str]], out: set[str], refused: Callable[[str, str], None]) -> None:
    """Let four play a card each, openly; who could cheat tries before."""
    led = ""
    for _ in PEOPLE:
        person = clones.game_of("turn")
        fitting = [card for card in hands[person] if card.endswith(led)]
        if led and fitting and len(fitting) < len(hands[person]):
            refused(person, next(card for card in hands[person] if card not in fitting))
        card = (fitting or hands[person])[0]
        clones.act(person, "play", f"card={card}")
        clones.referee()
        assert list(clones.game().entries())[-1].get("code") is None
        hands[person].remove(card)
        led = led or card.split()[-1]
        out.add(card)
        assert clones.shown() == out


@pytest.mark.threat("T-81")
def test_tricks_are_played_by_four_clones_to_a_winner(clones: Clones) -> None:
    """Whoever plays a card that does not follow suit is refused; this card is then known, because they said it."""
    tried: list[str] = []

    def refused(person: str, card: str) -> None:
        if tried:
            return
        tried.append(card)
        said = clones.moot(person, "act", "play", f"card={card}")
        clones.note([f"{said.out}{said.err}".encode()])
        clones.referee()
        assert list(clones.game().entries())[-1]["code"] == "E-SUIT"
        out.add(card)

    hands: dict[str, list[str]] = {}
    out: set[str] = set()
    for _ in range(20):
        known = discards(clones, hands)
        assert clones.looked() == known
        out.clear()
        out |= known
        for _ in range(7):
            trick(clones, hands, out, refused)
            if clones.document("game").get("over"):
                break
            assert [clones.hand(person) for person in PEOPLE] == [hands[person] for person in PEOPLE]
        assert clones.looked() == out
        if clones.document("game").get("over"):
            break
    assert tried
    winners = [
        each
        for each in itertools.chain(*(entry.get("effects") or () for entry in list(clones.game().entries())))
        if each["effect"] == "win"
    ]
    points = {player: values.get("points", 0) for player, values in clones.document("things/player").items()}
    assert winners
    assert max(points.values()) == POINTS


@pytest.mark.threat("T-81")
def test_waiting_names_nothing_that_is_sealed(clones: Clones) -> None:
    """Whoever has what came sent by mail sends nothing of their hand with it, nor the referee who calls people."""
    hands: dict[str, list[str]] = {}
    known = discards(clones, hands)
    told = ""
    for person in [clones.game_of("turn"), *PEOPLE]:
        git(clones.clone(person), "pull", "-q")
        said = clones._moot("-C", str(clones.clone(person)), "status", "--wait", "--timeout", "0")
        clones.note([f"{said.out}{said.err}".encode()])
        told += said.out
    assert "play a card" in told
    assert clones.shown() == known


def test_a_hand_is_shown_in_words(clones: Clones) -> None:
    clones.act("ann", "deal")
    clones.referee()
    cards = clones.hand("ann")
    assert f"hand of ann: {', '.join(cards)}\n" in clones.moot("ann", "show", "hand").out
    assert "named no key" not in clones.moot("ann", "show", "hand").err


@pytest.mark.threat("T-81")
def test_what_is_misspelt_of_a_sealed_card_is_not_sent(clones: Clones) -> None:
    clones.act("ann", "deal")
    clones.referee()
    card = clones.hand("ann")[0]
    for words in ((f"crad={card}",), (f"card={card}", f"not={card}")):
        for more in ((), ("--anyway",)):
            said = clones._moot("-C", str(clones.clone("ann")), "act", "discard", *words, *more)
            assert said.code
            assert "nothing was sent" in said.err
    clones.referee()
    assert card not in clones.shown()
