"""A card game in a folder, with a keeper whose keys are known."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from copy import copy
from pathlib import Path
from typing import Any, Self

import pytest

from folkmoot.core.sealed_data import write_box
from folkmoot.game.keeper import ERROR, keeper_file, keeper_seeds, keeper_word
from folkmoot.game.session import Done, Session
from folkmoot.game.verify import Report, replayed_anew, verify
from folkmoot.journal import GameFolder
from folkmoot.sealing.boxes import Opening, fresh_nonce, fresh_salt, open_all, seal
from folkmoot.sealing.commitments import Context
from folkmoot.sealing.keys import Identity, make_key
from tests.support.table import START, Record, rule

KEY = make_key()
OWN = {player: make_key() for player in ("ann", "bob", "cid")}
CARDS = ["one of hearts", "two of hearts", "one of spades", "two of spades", "one of clubs", "two of clubs"]
GAME = rule(
    "1",
    """
    def pair(a, b):
        return [a, b]

    def follows(hand, card, led):
        return card in hand and (led in card or not [c for c in hand if led in c])

    def without(hand, card):
        return [c for c in hand if c != card]

    def asks(card):
        return get("game", "led")

    def runs_on(card):
        total = 0
        for n in range(100000):
            for m in range(1000):
                total += n
        return total

    def fails(card):
        return card + 1

    def longest(cards):
        return cards[0] if len(cards[0]) > len(cards[1]) else cards[1]

    def do_deal(a):
        deck = shuffle_sealed(CARDS)
        for i, player in enumerate(things("player")[:3]):
            put(player, "hand", sealed("pair", deck[2 * i], deck[2 * i + 1]))

    def do_play(a):
        hand = get(a.by, "hand")
        fits = sealed("follows", hand, a.args.card, get("game", "led"))
        require(declassify(fits, "whether a card may be played"), "E-SUIT", "follow suit")
        put(a.by, "hand", sealed("without", hand, a.args.card))
        put("game", "played", get("game", "played") | {a.by: a.args.card})

    def do_show(a):
        put("game", "shown", reveal(get("game", "played")))

    def do_ask(a):
        put(a.by, "hand", sealed(a.args.function, get(a.by, "hand")))

    def do_leak(a):
        put("game", "led", get(a.by, "hand"))

    def do_add(a):
        put("game", "led", get(a.by, "hand") + ["one"])

    def do_pay(a):
        award(a.by, "score", get(a.by, "hand"))

    def do_lend(a):
        disclose(get(a.by, "hand"), a.args.to)

    def do_best(a):
        put("game", "best", sealed("longest", [get("ann", "hand"), get("bob", "hand")]))

    def do_open(a):
        put("game", "led", "%s" % reveal(get(a.by, "hand")))
    """.replace("CARDS", json.dumps(CARDS)),
    sealed=dict.fromkeys(("pair", "follows", "without", "asks", "runs_on", "fails", "longest"), "What it tells"),
    defines={
        "player": {"hand": {"type": "list", "sealed": "owner"}},
        "game": {
            "led": {"type": "string", "initial": "hearts"},
            "played": {"type": "map"},
            "shown": {"type": "map"},
            "best": {"type": "list", "sealed": "nobody"},
        },
        "offices": {"dealer": {}},
        "currencies": {"score": {}},
    },
    actions={
        "deal": {},
        "play": {"arguments": {"card": {"type": "string", "sealed": "nobody"}}},
        "show": {},
        "ask": {"arguments": {"function": {"type": "string"}}},
        "leak": {},
        "add": {},
        "pay": {},
        "lend": {"arguments": {"to": {"type": "any"}}},
        "best": {},
        "open": {},
    },
)
SECRET = rule("2", "def decide_ballots_sealed(p):\n    return True\n")


class Cards:
    """A card game in a repository of its own; `proved` says that its record is to be sound in the end."""

    proved = True
    law, others = GAME, list[Record]()

    def __init__(self, folder: Path) -> None:
        """Found it; its keeper has no key yet."""
        subprocess.run(["git", "init", "-q", str(folder)], check=True)
        people = [{"id": player, "surname": player} for player in OWN]
        law = {"title": "Cards", "rules": [self.law, *self.others], "players": people, "administrators": ["ann"]}
        assert Session.found(folder / "state" / "cards", law, START).accepted
        self._stand_in(folder)

    def _stand_in(self, folder: Path) -> None:
        self.path = folder / "state" / "cards"
        self.record = GameFolder(self.path)

    def copy(self, folder: Path) -> Self:
        shutil.copytree(self.path.parents[1], folder)
        found = copy(self)
        found._stand_in(folder)
        return found

    def keep_key(self, *keys: Identity) -> None:
        """Have the keeper's keys on this machine, or none."""
        file = keeper_file(self.record)
        file.parent.mkdir(exist_ok=True)
        file.write_text("".join(keeper_word(number, key) + "\n" for number, key in enumerate(keys, 1)), "utf-8")

    def act(self, by: str, do: str, **args: Any) -> Done:
        """Let somebody act in a session of its own, which has nothing at hand but the record and the keys here."""
        with Session.open(self.path, writing=True) as session:
            return session.act(by, do, args, at=START)

    def open_sealing(self, key: Identity = KEY) -> Done:
        with Session.open(self.path, writing=True) as session:
            args = {"key": key.recipient.text, "seeds": keeper_seeds(key, session.keeper.game)}
            return session.act("ann", "open_sealing", args, at=START)

    def seal(self, by: str, do: str, name: str, value: Any, *, key: Identity = KEY, **other: Any) -> str:
        with Session.open(self.path) as session:
            game = session.keeper.game
        given: Record = {"game": game, "author": by, "act": do, "argument": name, "target": "", "target_digest": ""}
        opening = Opening(Context(**{**given, "keeper": 1, "nonce": fresh_nonce(), **other}), value, fresh_salt())
        return write_box(opening.commitment, seal(opening, key.recipient))

    def openings(self, player: str) -> Iterator[Opening]:
        """Yield what is in the boxes of a player."""
        boxes = (box for entry in self.record.entries() for box in (entry.get("boxes") or {}).get(player, ()))
        return (opening for box in boxes for opening in open_all(box, [OWN[player]]))

    def hand(self, player: str) -> list[Any]:
        """Return what a player can open with their own key, the last first."""
        found = self.openings(player)
        return [each.value for each in found if not each.context.place.endswith(ERROR)][::-1]

    def problems(self) -> list[Any]:
        """Return what is wrong with the record, proved without any key."""
        return list(self.report().problems)

    def report(self) -> Report:
        return verify(self.record, replayed_anew(self.record))

    def bytes(self) -> bytes:
        """Return every byte of the game's files but the law, which names all cards."""
        law = {self.path / "journal" / "000" / "000001.yaml", self.path / "rules" / "1.yaml"}
        return b"".join(
            path.read_bytes() for path in sorted(self.path.rglob("*")) if path.is_file() and path not in law
        )


@pytest.fixture
def cards(tmp_path: Path) -> Iterator[Cards]:
    game = Cards(tmp_path)
    game.keep_key(KEY)
    assert game.open_sealing().accepted
    for player in ("ann", "bob"):
        assert game.act(player, "use_sealing_key", key=OWN[player].recipient.text).accepted
    assert game.act("ann", "deal").accepted
    yield game
    assert game.problems() == [] or not game.proved
