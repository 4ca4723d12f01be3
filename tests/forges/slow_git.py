"""A git that never gets done with some heads, and counts how often it was asked for each."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from folkmoot.core.problems import Problem
from folkmoot.forges.git_transport import LateError


class SlowGit:
    """Stands between a forge and its git; `stuck` are the refs that cannot be fetched in time."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *stuck: str) -> None:
        self.monkeypatch = monkeypatch
        self.stuck = set(stuck)
        self.waited: Counter[str] = Counter()
        self.times = 0

    def before(self, forge: Any) -> None:
        """Stand between one forge and its git."""
        honest = forge.refs.git.fetch

        def fetch(remote: str, pairs: list[tuple[str, str]]) -> str:
            stuck = self.stuck & {theirs for theirs, _ in pairs}
            if stuck:
                self.times += 1
                self.waited.update(stuck)
                raise LateError(Problem("E-FORGE", "`git fetch` was stopped after 120 seconds", None))
            return str(honest(remote, pairs))

        self.monkeypatch.setattr(forge.refs.git, "fetch", fetch)
