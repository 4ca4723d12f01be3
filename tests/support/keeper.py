"""A card game in a folder, with a keeper whose keys are known."""

from __future__ import annotations

import secrets
import shutil
import subprocess
from base64 import b64encode
from collections.abc import Iterator
from copy import copy
from pathlib import Path
from typing import Any, Self

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from folkmoot.core.sealed_data import write_box
from folkmoot.game.keeper import ERROR, keeper_file, keeper_seeds, keeper_word
from folkmoot.game.session import Done, Session
from folkmoot.game.verify import Report, replayed_anew, verify
from folkmoot.journal import GameFolder
from folkmoot.sealing.boxes import Opening, fresh_nonce, fresh_salt, open_all, seal
from folkmoot.sealing.commitments import Context, fields
from folkmoot.sealing.keys import Identity, make_key
from tests.support.sealed_law import GAME
from tests.support.table import START, Record

KEY = make_key()
OWN = {player: make_key() for player in ("ann", "bob", "cid")}


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
        """Return the same game in another folder."""
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
        """Let the keeper name a key."""
        with Session.open(self.path, writing=True) as session:
            args = {"key": key.recipient.text, "seeds": keeper_seeds(key, session.keeper.game)}
            return session.act("ann", "open_sealing", args, at=START)

    def seal(self, by: str, do: str, name: str, value: Any, *, key: Identity = KEY, **other: Any) -> str:
        """Return a sealed argument as its author writes it."""
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


def _ssh(name: bytes, *parts: bytes) -> str:
    return f"{name.decode()} {b64encode(fields(name, *parts)).decode()}"


def _number(value: int) -> bytes:
    return value.to_bytes(value.bit_length() // 8 + 1, "big")


def _rsa(exponent: int, bits: int) -> str:
    return _ssh(b"ssh-rsa", _number(exponent), _number(secrets.randbits(bits) | 1 | 1 << (bits - 1)))


def _public(key: Any) -> str:
    return str(key.public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH).decode())


UNUSABLE = {
    "no checksum": "age1" + "q" * 58,
    "a weak point": "age1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq5cu47z",
    "no point of the curve": _ssh(b"ssh-ed25519", (2).to_bytes(32, "little")),
    "a weak point of SSH": _ssh(b"ssh-ed25519", (1).to_bytes(32, "little")),
    "letters": "ssh-ed25519 " + "A" * 68,
    "RSA that is too short": _rsa(65_537, 1_024),
    "RSA that is too long": _rsa(65_537, 4_104),
    "RSA with the exponent one": _rsa(1, 2_048),
    "ECDSA": _public(ec.generate_private_key(ec.SECP256R1())),
    "a security key": "sk-ssh-ed25519@openssh.com AAAAGnNrLXNzaC1lZDI1NTE5QG9wZW5zc2guY29tAAAA",
    "a plugin": "age1yubikey1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq",
    "the private half": make_key().secret,
    "nothing": " ",
}
