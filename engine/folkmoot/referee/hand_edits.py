"""Whether a game is still what referees made of it, or somebody changed it by hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pygit2

from folkmoot.core.problems import Problem, ProblemError
from folkmoot.game.advance import validate_advance
from folkmoot.game.journal_parts import unproved_problem
from folkmoot.game.verify import verify
from folkmoot.journal.tree import GameTree
from folkmoot.sandbox import Sandbox


def hand_edits(repo: pygit2.Repository, known: str, main: str, name: str) -> tuple[Problem, ...]:
    """Return what other hands than a referee's changed in a game between two commits (hex).

    Entries that chain and replay are play, whoever pushed them. Without a commit that a referee knows (`known` is "",
    or the game was founded since), the whole record is proved, which takes as long as its replay. What other engines
    recorded is then proved in chain and bytes only where nobody knows any commit, because whoever begins with a
    repository vouches for it, and not at all in a game founded since.
    """
    tip = GameTree(repo, main, name)
    try:
        base = GameTree(repo, known, name) if known and known in repo else None
        if base is not None and base.exists:
            return tuple(validate_advance(base, tip))
        report = verify(tip, _replayed)
        unproved = [unproved_problem(part) for part in report.unproved] if base is not None else []
        return tuple(report.problems or unproved)
    except ProblemError as error:
        return error.problems


def _replayed(entries: Iterator[dict[str, Any]]) -> Mapping[str, dict[str, Any]]:
    with Sandbox() as judge:
        judge.replay(entries)
        return dict(judge.documents())
