"""Tricks played by four people through the referee: no card is in an object or a comment before its time, however written."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path

import pytest

from folkmoot.game import secret_store
from folkmoot.game.keeper import keeper_word
from folkmoot.player.hand import keep_new_key
from folkmoot.sealing.keys import make_key
from tests.support.decks import DECK, NAMES, law
from tests.support.sealed_letters import Sealed

PEOPLE = ("ann", "bob", "cid", "dee")


def ways(card: str) -> list[bytes]:
    """Return how the name of a card could be written."""
    name = card.split(maxsplit=1)[0].encode()
    shifted = [b64encode(b" " * shift + name)[4:28] for shift in range(3)]
    return [name, name.hex().encode(), "".join(f"\\u{byte:04x}" for byte in name).encode(), *shifted]


class Cards(Sealed):
    """A meeting of four who each have settings, and so a key, of their own."""

    patch: pytest.MonkeyPatch
    machines: Path

    def at(self, person: str) -> None:
        """Go to somebody's machine."""
        self.patch.setenv("XDG_CONFIG_HOME", str(self.machines / person))

    def told(self) -> list[bytes]:
        """Return all that is public but the law, which names all cards: objects, comments."""
        objects = [self.repo.get(oid).read_raw() for oid in self.repo]
        public = [*objects, str(self.said(0)).encode()]
        return [each for each in public if not all(name.encode() in each for name in NAMES)]

    def shown(self) -> set[str]:
        """Return the cards of which anything public tells."""
        told = b"\n".join(self.told())
        return {card for card in DECK if any(way in told for way in ways(card))}

    def held(self, person: str) -> list[str]:
        self.at(person)
        return list(self.hand(person))


@pytest.fixture
def meeting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Cards]:
    monkeypatch.setitem(secret_store.HIDDEN, secret_store.SEALING, keeper_word(1, make_key()))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    found = Cards(tmp_path, law=law())
    found.patch, found.machines = monkeypatch, tmp_path
    found.say("ann", 0, "/do open_sealing")
    found.referee()
    for person in PEOPLE:
        found.at(person)
        found.say(person, 0, f"/do use_sealing_key key={keep_new_key().recipient.text}")
    found.say("ann", 0, "/do deal")
    found.referee()
    yield found
    assert found.sound()


@pytest.mark.threat("T-81")
def test_no_card_is_in_an_object_or_a_comment_before_its_time(meeting: Cards) -> None:
    hands = {person: meeting.held(person) for person in PEOPLE}
    assert sorted(card for hand in hands.values() for card in hand) == sorted(DECK)
    assert meeting.shown() == set()
    for person in PEOPLE:
        assert meeting.shown() == set()
        meeting.at(person)
        meeting.say(person, 0, meeting.seal(person, "discard", card=hands[person][0]))
        meeting.referee()
    out = {hand[0] for hand in hands.values()}
    assert meeting.shown() == out
    led = ""
    for person in PEOPLE:
        card = next((each for each in hands[person][1:] if each.endswith(led)), hands[person][1])
        led = led or card.split(" of ")[1]
        meeting.say(person, 0, f"/do play card='{card}'")
        meeting.referee()
        assert meeting.journal()[-1].get("code") is None, meeting.journal()[-1]
        out.add(card)
        assert meeting.shown() == out
