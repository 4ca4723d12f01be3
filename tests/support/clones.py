"""Players at clones who keep to no rule."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from folkmoot.referee.report import Report
from tests.conftest import FUZZ
from tests.support.canaries import ways
from tests.support.decks import DECK, NAMES, law
from tests.support.gathering import Gathering
from tests.support.meeting import Meeting, git
from tests.support.moot import Moot, Said

PEOPLE = ("ann", "bob", "cid", "dee")
POINTS = 12 if FUZZ else 2
"""How many win: one of four has two of the first five tricks."""
LOOKS: tuple[tuple[str, ...], ...] = (
    ("log",), ("log", "--json"), ("status",), ("status", "--json"), ("verify",), ("show", "rules"), ("show", "hand", "--by", "ann"),
    ("show",), ("explain", "ann", "hand"), ("explain", "game", "discards", "--json"),
)  # fmt: skip


class Clones(Gathering):
    """Four people at clones of their own, with settings and so a key of their own; and a stranger who looks."""

    def __init__(self, folder: Path, moot: Moot, patch: pytest.MonkeyPatch) -> None:
        given = {**law(), "ruleset": "tricks", "settings": {"pace": "1440"}}
        for rule in given["rules"]:
            rule["script"] = rule["script"].replace(">= 12", f">= {POINTS}")
        Meeting.__init__(self, folder, law=given, players=PEOPLE)
        self._moot, self._patch = moot, patch
        self._shown: set[str] = set()
        self._read: set[str] = set()

    def moot(self, person: str, *words: str, code: int = 0) -> Said:
        """Run `moot` in somebody's clone, with their settings."""
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

    def shown(self) -> set[str]:
        """Return the cards that anything in the shared repository names: in each object, unpacked, and each ref's name."""
        known = git(self.bare, "cat-file", "--batch-all-objects", "--batch-check=%(objectname)").split()
        new = [each for each in known if each not in self._read]
        self._read |= {*new}
        repo = self.repository()
        self.note(repo.get(each).read_raw() for each in new)
        self.note([self.refs().encode()])
        return self._shown

    def repository(self) -> Any:
        import pygit2

        return pygit2.Repository(str(self.bare))

    def looked(self) -> set[str]:
        """Return the cards that pages, logs and screens of a stranger name, beside those in the repository."""
        git(self.clone("stranger"), "pull", "-q")
        self._patch.setenv("XDG_CONFIG_HOME", str(self.folder / "settings of a stranger"))
        said = [
            self._moot("-C", str(self.clone("stranger")), *words)
            for words in (
                *LOOKS,
                (
                    "serve",
                    "--build",
                ),
            )
        ]
        assert [each.err for each in said if "Traceback" in each.err] == []
        self.note(f"{each.out}{each.err}".encode() for each in said)
        pages = [path for path in (self.clone("stranger") / "site").rglob("*") if path.is_file()]
        assert pages
        self.note(path.read_bytes() for path in pages)
        return self.shown()
