"""What pages look up in a game by a key: indices, each made once for a view (see `GameView.index`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from folkmoot.wording.game_view import GameView
from folkmoot.wording.ledger import Line

K = TypeVar("K")
T = TypeVar("T")


def in_parts(several: Sequence[T], size: int) -> dict[int, Sequence[T]]:
    """Return a sequence in parts of a size by their numbers from 0 on; the last may be shorter.

    >>> in_parts("abcde", 2)
    {0: 'ab', 1: 'cd', 2: 'e'}
    """
    return {at // size: several[at : at + size] for at in range(0, len(several), size)}


def proposal_names(view: GameView) -> dict[str, tuple[str, str]]:
    """Return by id the kind and number of all that is or was voted on: what becomes a link where it is named."""
    return {name: (str(each.get("kind")), str(each.get("number"))) for name, each in view.proposals.items()}


def ledger_at(view: GameView) -> dict[int, list[Line]]:
    """Return the lines of the ledger by the entry that they stand in."""
    return _grouped((line.seq, line) for line in view.ledger)


def lines_of(view: GameView) -> dict[str, list[Line]]:
    """Return the lines of the ledger that concern each owner."""
    return _grouped((line.owner, line) for line in view.ledger)


def _grouped(pairs: Iterable[tuple[K, T]]) -> dict[K, list[T]]:
    found: dict[K, list[T]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


def ranks(view: GameView) -> dict[str, int]:
    """Return the rank of each rule in force, 1 for the one that takes precedence of all."""
    return {uid: rank for rank, uid in enumerate(view.ranked, 1)}
