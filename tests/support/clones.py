"""Players at clones who keep to no rule, in games whose cards or ballots are sealed."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Container, Iterable, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import pygit2
import pytest

from folkmoot.game.rulesets import founding
from folkmoot.referee.report import Report
from tests.conftest import FUZZ
from tests.support.gathering import Gathering
from tests.support.meeting import git
from tests.support.moot import Moot, Said

PEOPLE = ("ann", "bob", "cid", "dee")
POINTS = 12 if FUZZ else 2
"""How many win: one of four has two of the first five tricks."""
NAMES = [sha256(b"card %d" % number).hexdigest()[:24] for number in range(32)]
DECK = [f"{name} of {('coins', 'cups', 'swords', 'staves')[number // 8]}" for number, name in enumerate(NAMES)]
"""Cards whose names nobody writes by chance."""
LOOKS = """
log | log --json | status | status --json | verify | show rules | show hand --by ann | show | explain ann hand
explain game discards --json
"""
"""What a stranger looks at, by words between bars."""


@cache
def ways(word: str) -> list[bytes]:
    """Return how a word could be written."""
    name = word.encode()
    shifted = [b64encode(b" " * shift + name)[4:-4] for shift in range(3)]
    escaped = ["".join(f"\\u{byte:04x}" for byte in name), "".join(f"\\x{byte:02x}" for byte in name)]
    return [name, name.upper(), name[::-1], name.hex().encode(), *(each.encode() for each in escaped), *shifted]


def tricks() -> dict[str, Any]:
    """Return the packaged law of a card game with the deck of these tests."""
    found = founding("tricks")
    rules = [dict(rule) for rule in found["rules"]]
    deal = next(rule for rule in rules if rule["rule"] == "2")
    deal["script"] = re.sub(
        r"(?s)(?<=def decide_cards\(\):\n).*(?=def decide_seats)", f"    return {DECK!r}\n\n", deal["script"], count=1
    )
    for rule in rules:
        rule["script"] = rule["script"].replace(">= 12", f">= {POINTS}")
    given = {"title": found["title"], "zone": found["zone"], "rules": rules}
    return {**given, "ruleset": "tricks", "settings": {"pace": "1440"}}


class Clones(Gathering):
    """People at clones of their own, with settings and so a key of their own; and a stranger who looks."""

    def __init__(
        self,
        folder: Path,
        moot: Moot,
        patch: pytest.MonkeyPatch,
        law: Mapping[str, Any] | None = None,
        players: tuple[str, ...] = PEOPLE,
    ) -> None:
        super().__init__(folder, moot, law=law or tricks(), players=players)
        self._patch = patch
        self._shown: set[str] = set()
        self._read: set[str] = set()

    def moot(self, person: str, *words: str, code: int = 0) -> Said:
        self._patch.setenv("XDG_CONFIG_HOME", str(self.folder / f"settings of {person}"))
        return super().moot(person, *words, code=code)

    def hand(self, person: str) -> list[str]:
        """Return somebody's cards, as they see them."""
        found = self.moot(person, "show", "hand", "--json").record["registers"]
        return next((each["value"] for each in found if each["owner"] == person and each["register"] == "hand"), [])

    def act(self, person: str, do: str, *words: str) -> Said:
        said = self.moot(person, "act", do, *words)
        assert not re.search(r"sealed\.[0-9a-f]{64}", said.out), "nobody can read a box of a thousand letters"
        self.note([f"{said.out}{said.err}".encode()] if do != "discard" else [])
        return said

    def game_of(self, name: str) -> Any:
        return self.document("things/game")["game"].get(name)

    # -- what everybody can see

    def referee(self, seconds: int = 0, **given: Any) -> Report:
        """Let the referee run; what it could tell whoever reads its job's log is public."""
        report = super().referee(seconds, **given)
        self.note([repr(report).encode()])
        return report

    def note(self, told: Iterable[bytes]) -> None:
        """Note which cards public bytes name, those of the law left out, which names all of them."""
        for data in told:
            if not all(name.encode() in data for name in NAMES):
                self._shown |= {card for card in DECK if any(way in data for way in ways(card.split()[0]))}

    def objects(self, known: Container[str] = ()) -> dict[str, bytes]:
        """Return each object of the shared repository but those that are known, unpacked."""
        repo = pygit2.Repository(str(self.bare))
        return {str(name): repo.get(name).read_raw() for name in repo if str(name) not in known}

    def everything(self) -> bytes:
        return b"\n".join([*self.objects().values(), self.refs().encode()])

    def shown(self) -> set[str]:
        """Return the cards that anything in the shared repository names: in each object, and each ref's name."""
        objects = self.objects(self._read)
        self.note(objects.values())
        self._read |= {*objects}
        self.note([self.refs().encode()])
        return self._shown

    def looked(self) -> set[str]:
        """Return the cards that logs and screens of a stranger name, beside those in the repository."""
        clone = self.clone("stranger")
        git(clone, "pull", "-q")
        self._patch.setenv("XDG_CONFIG_HOME", str(self.folder / "settings of a stranger"))
        said = [
            self._moot("-C", str(clone), *words.split()) for words in LOOKS.replace("\n", "|").strip("|").split("|")
        ]
        assert [each.err for each in said if "Traceback" in each.err] == []
        self.note(f"{each.out}{each.err}".encode() for each in said)
        return self.shown()


class Voters(Clones):
    """Three people at clones of their own, in a game of Suber's with sealed ballots."""

    def __init__(self, folder: Path, moot: Moot, patch: pytest.MonkeyPatch) -> None:
        given = {**founding("suber"), "settings": {"ballots": "sealed", "mode": "mail"}}
        super().__init__(folder, moot, patch, given, ("ann", "bob", "cid"))
