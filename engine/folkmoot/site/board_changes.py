"""What moved on a board since an earlier state of it: which pieces went where, and the same in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct

from folkmoot.wording.markup import Html, sentence
from folkmoot.wording.prose import phrase

MOST = 12
"""Of how many pieces that came and went a move is told; where more did, it was none that could be told."""
Standing = tuple[str, str]
"""What a piece is called and whose it is."""


class Move(Struct, frozen=True):
    """A piece that came to a place, left one, or both ("" for neither place)."""

    name: str
    origin: str = ""
    target: str = ""


def moves(before: Sequence[tuple[str, Standing]], after: Sequence[tuple[str, Standing]]) -> list[Move]:
    """Return what moved between two states of a board, each the places with what stands there; nothing for too much.

    >>> moves([("a1", ("man", "ann")), ("b2", ("king", "zed"))], [("a2", ("man", "ann")), ("b2", ("king", "zed"))])
    [Move(name='man', origin='a1', target='a2')]
    """
    gone, come = Counter(before) - Counter(after), Counter(after) - Counter(before)
    found = [*_paired(sorted(gone.elements()), sorted(come.elements()))]
    return found if len(found) <= MOST else []


def _paired(gone: list[tuple[str, Standing]], come: list[tuple[str, Standing]]) -> Iterator[Move]:
    for target, what in come:
        origin = next((place for place, other in gone if other == what), "")
        if origin:
            gone.remove((origin, what))
        yield Move(what[0], origin, target)
    yield from (Move(what[0], place) for place, what in gone)


def told(found: Sequence[Move]) -> tuple[Html, ...]:
    """Return what moved, a sentence for each."""
    return tuple(map(_told, found))


def _told(move: Move) -> Html:
    piece = phrase(move.name)
    if not move.origin:
        return sentence("{piece} came to {square}.", piece=piece, square=move.target)
    if not move.target:
        return sentence("{piece} left {square}.", piece=piece, square=move.origin)
    return sentence("{piece} went from {origin} to {square}.", piece=piece, origin=move.origin, square=move.target)
