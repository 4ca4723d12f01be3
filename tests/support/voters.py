"""Players at clones whose ballots are sealed."""

from __future__ import annotations

from pathlib import Path

import pytest

from folkmoot.game.rulesets import founding
from tests.support.clones import Clones
from tests.support.meeting import Meeting, git
from tests.support.moot import Moot

PEOPLE = ("ann", "bob", "cid")


class Voters(Clones):
    """Three people at clones of their own, in a game of Suber's with sealed ballots."""

    def __init__(self, folder: Path, moot: Moot, patch: pytest.MonkeyPatch) -> None:
        given = {**founding("suber"), "settings": {"ballots": "sealed", "mode": "mail"}}
        Meeting.__init__(self, folder, law=given, players=PEOPLE)
        self._moot, self._patch = moot, patch
        self._shown: set[str] = set()
        self._read: set[str] = set()

    def everything(self) -> bytes:
        """Return every object and ref of the shared repository."""
        known = git(self.bare, "cat-file", "--batch-all-objects", "--batch-check=%(objectname)").split()
        repo = self.repository()
        return b"\n".join([*(repo.get(each).read_raw() for each in known), self.refs().encode()])
