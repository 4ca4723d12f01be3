"""A table in one repository at which players run `moot` themselves, without other processes or clones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.support.moot import Moot, Said
from tests.support.quick import QuickMeeting


class Seats(QuickMeeting):
    """A quick meeting; each person sits at the shared repository, and git says that it is they."""

    def __init__(
        self, folder: Path, moot: Moot, patch: pytest.MonkeyPatch, *, law: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(folder, law=law)
        self._moot, self._patch = moot, patch

    def moot(self, person: str, *words: str, code: int = 0) -> Said:
        """Run `moot` as somebody; it must end with a code."""
        for role in ("AUTHOR", "COMMITTER"):
            self._patch.setenv(f"GIT_{role}_NAME", person.capitalize())
            self._patch.setenv(f"GIT_{role}_EMAIL", f"{person}@x.org")
        with pytest.MonkeyPatch.context() as patch:  # what is tried arrives at the table's own time
            patch.setattr("folkmoot.player.present_time.present", lambda: self.now)
            said = self._moot("-C", str(self.bare), *words)
        assert said.code == code, (words, said.out, said.err)
        return said

    def status(self, person: str) -> str:
        return self.moot(person, "status").out


Sit = Callable[..., Seats]


@pytest.fixture
def seats(moot: Moot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sit:
    """Return a function that sits people down at a game of a law."""
    return lambda law=None: Seats(tmp_path, moot, monkeypatch, law=law)
