"""What is sealed to a player: the key to it, their hand on a page of their own, and a card that one clicks."""

from __future__ import annotations

import re
from typing import Any

import pytest

from folkmoot.game import secret_store
from folkmoot.game.keeper import keeper_word
from folkmoot.game.rulesets import founding
from folkmoot.sealing.keys import make_key
from tests.play.conftest import OWN, Evening
from tests.support.meeting import GAME

CARD = re.compile(r'name="a.card" value="([a-z]+ of [a-z]+)"')


@pytest.fixture
def law() -> dict[str, Any]:
    return {**founding("tricks"), "settings": {}, "ruleset": "tricks"}


def test_a_hand_is_read_on_this_machine_alone_and_a_card_is_played(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    def at(person: str) -> None:
        monkeypatch.setenv("XDG_CONFIG_HOME", str(evening.folder / f"settings-{person}"))

    monkeypatch.setitem(secret_store.HIDDEN, secret_store.SEALING, keeper_word(1, make_key()))
    evening.moot("ann", "act", "open_sealing")
    evening.referee()
    for person in ("ann", "cid"):
        at(person)
        key = evening.moot(person, "key", "--sealing", "--json").record["recipient"]
        evening.moot(person, "act", "use_sealing_key", f"key={key}")
    at("bob")
    bob = evening.browser("bob")
    assert f'href="{OWN}/hand">Make one' in bob.get(f"/{GAME}/index.html").body
    assert bob.post("key", bob.fields(f"/{GAME}/hand", "key")).status == 303
    evening.referee()
    evening.moot("ann", "act", "deal")
    evening.referee()
    look = bob.fields(f"/{GAME}/index.html", "look")
    assert bob.post("look", look).status == 303
    page = bob.get(f"/{GAME}/do?action=discard")
    cards = CARD.findall(page.body)
    assert len(cards) > 5
    assert page.headers["cache-control"] == "no-store"
    assert all(card in bob.get(f"/{GAME}/hand").body for card in cards)
    for other in ("index.html", "act.html", "law/1.html"):
        assert [card for card in cards if card in bob.get(f"/{GAME}/{other}").body] == []
    fields = bob.fields(f"/{GAME}/do?action=discard", "act") | {"a.card": cards[0]}
    tried = bob.post("try", fields)
    assert tried.status == 200
    assert "depends on what is sealed" in tried.body
    assert bob.post("act", fields).status == 303
    assert cards[0] not in evening.refs() + "".join(evening.letters("bob")), "it goes out sealed"
    evening.referee()
    assert bob.post("look", look).status == 303
    assert cards[0] not in CARD.findall(bob.get(f"/{GAME}/do?action=discard").body)
