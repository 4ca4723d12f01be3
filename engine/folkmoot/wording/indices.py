"""What pages look up in a game by a key: indices, each made once for a view (see `GameView.index`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

from folkmoot.core.documents import Document
from folkmoot.core.records import Entry
from folkmoot.wording.game_view import KERNEL_KINDS, GameView
from folkmoot.wording.ledger import Line

Made = Callable[[GameView], Mapping[Any, Any]]
AnyMade = TypeVar("AnyMade", bound=Made)
K = TypeVar("K")
T = TypeVar("T")

INDICES: dict[str, Made] = {}
"""What makes an index of a game, by its name."""


def indexed(make: AnyMade) -> AnyMade:
    """Let pages look something up by the index that a function makes; no two have one name."""
    assert INDICES.setdefault(make.__name__, make) is make, f"two indices are called {make.__name__}"
    return make


OF_THE_LAW: set[str] = set()
"""The indices that follow from the rules and their order alone."""
OF_EACH_RULE: set[str] = set()
"""The indices that follow, rule by rule, from the rules alone (see `of_each_rule`)."""
OF_EACH_PROPOSAL: set[str] = set()
"""The indices that follow, proposal by proposal, from the proposals alone (see `of_each_proposal`)."""
OF_EACH_VALUE: dict[str, Made] = {}
"""From which index those follow, key by key, that `of_each_value` makes, by name."""
OF_EACH_KIND: set[str] = set()
"""The indices that follow, kind by kind, from the documents of things alone (see `of_each_kind`)."""
GROWING: dict[str, Callable[[GameView, Sequence[Entry]], Mapping[Any, Any]]] = {}
"""What makes that part of an index of the journal that follows from some entries (see `growing`), by its name."""


OF_PROPOSALS: dict[str, Callable[[Document], object]] = {}
"""What an index of proposals looks at in each of them (see `of_proposals`), by its name."""
OF_THE_LEDGER: dict[str, Callable[[Iterable[Line]], Mapping[Any, Any]]] = {}
"""What makes an index of lines of the ledger, by its name."""


def of_the_law(make: AnyMade) -> AnyMade:
    """Let pages look something up that follows from the rules and their order alone."""
    OF_THE_LAW.add(make.__name__)
    return indexed(make)


def of_each_rule(of: Callable[[GameView, str], object]) -> Made:
    """Let pages look something up by rule: `of` makes it of a game and the id of a rule that is or was.

    It follows from that rule's documents alone. An error that `of` raises stands in place
    of what it could not make.
    """

    def make(view: GameView) -> Mapping[str, Any]:
        known = view.carried.get(make) or {}
        return completed(view.law, known, partial(_tried, of, view))

    make.__name__ = of.__name__
    OF_EACH_RULE.add(of.__name__)
    return indexed(make)


def of_each_proposal(of: Callable[[GameView, str], object]) -> Made:
    """Let pages look something up by proposal: `of` makes it of a game and a proposal's id.

    It follows from that proposal alone. An error that `of` raises stands in place of what it could not make.
    """

    def make(view: GameView) -> Mapping[str, Any]:
        known = view.carried.get(make) or {}
        return completed(view.proposals, known, partial(_tried, of, view))

    make.__name__ = of.__name__
    OF_EACH_PROPOSAL.add(of.__name__)
    return indexed(make)


def of_each_kind(of: Callable[[GameView, str], object]) -> Made:
    """Let pages look something up by kind of things that rules declare: `of` makes it of the document of a kind alone.

    An error that `of` raises stands in place of what it could not make.
    """

    def make(view: GameView) -> Mapping[str, Any]:
        known = view.carried.get(make) or {}
        kinds = sorted(key.removeprefix("things/") for key in view.documents if key.startswith("things/"))
        return completed([kind for kind in kinds if kind not in KERNEL_KINDS], known, partial(_tried, of, view))

    make.__name__ = of.__name__
    OF_EACH_KIND.add(of.__name__)
    return indexed(make)


def completed(names: Iterable[K], known: Mapping[K, Any], make: Callable[[K], Any]) -> dict[K, Any]:
    """Return something for each name in their order: what is known, else what `make` makes of it.

    Written so that the cost of thousands that are known is that of a copy.

    >>> completed("abc", {"b": 2, "d": 4}, str.upper)
    {'a': 'A', 'b': 2, 'c': 'C'}
    """
    found = dict[K, Any].fromkeys(names)
    missing = found.keys() - known.keys()
    if len(found) - len(missing) == len(known):
        found.update(known)
    else:
        found.update((name, known[name]) for name in found.keys() & known.keys())
    for name in [*filter(missing.__contains__, found)]:
        found[name] = make(name)
    return found


def of_each_value(source: Made) -> Callable[[Callable[[Any], object]], Made]:
    """Let pages look something up that follows, key by key, from what an index of the ledger holds."""

    def made(of: Callable[[Any], object]) -> Made:
        def make(view: GameView) -> Mapping[Any, Any]:
            values = view.index(source)
            return completed(values, view.carried.get(make) or {}, lambda key: of(values[key]))

        make.__name__ = of.__name__
        OF_EACH_VALUE[of.__name__] = source
        return indexed(make)

    return made


def _tried(of: Callable[[GameView, str], object], view: GameView, uid: str) -> object:
    try:
        return of(view, uid)
    except Exception as error:  # noqa: BLE001 (whoever looks it up fails; whoever looks for what changed goes on)
        return error


def raised(pieces: Mapping[K, Any]) -> Mapping[K, Any]:
    """Return all pieces of an index; raises what stands in the place of one that could not be made."""
    found = dict(pieces.items())
    if any(issubclass(kind, Exception) for kind in set(map(type, found.values()))):
        raise next(piece for piece in found.values() if isinstance(piece, Exception))
    return found


def growing(of: Callable[[GameView, Sequence[Entry]], Mapping[Any, Any]]) -> Made:
    """Let pages look something up in the journal: `of` makes it of entries, lists or numbers by keys.

    Later entries add to the lists and numbers of earlier ones.
    """

    def make(view: GameView) -> Mapping[Any, Any]:
        return of(view, view.entries)

    make.__name__ = of.__name__
    GROWING[of.__name__] = of
    return indexed(make)


def of_proposals(look: Callable[[Document], object]) -> Callable[[AnyMade], AnyMade]:
    """Let pages look something up that follows from the law, the players and what `look` sees of each proposal."""

    def made(make: AnyMade) -> AnyMade:
        OF_PROPOSALS[make.__name__] = look
        return indexed(make)

    return made


def in_parts(several: Sequence[T], size: int) -> dict[int, Sequence[T]]:
    """Return a sequence in parts of a size by their numbers from 0 on; the last may be shorter.

    >>> in_parts("abcde", 2)
    {0: 'ab', 1: 'cd', 2: 'e'}
    """
    return {at // size: several[at : at + size] for at in range(0, len(several), size)}


@indexed
def settled_parts(view: GameView) -> dict[int, dict[tuple[int, str], str]]:
    """Return what was done when duties were struck out, by parts of the journal."""
    return view.duties.settled


def of_the_ledger(of: Callable[[Iterable[Line]], Mapping[Any, Any]]) -> Made:
    """Let pages look something up in the ledger: `of` makes it of lines, lists by keys, which later lines add to."""

    def make(view: GameView) -> Mapping[Any, Any]:
        return of(view.ledger)

    make.__name__ = of.__name__
    OF_THE_LEDGER[of.__name__] = of
    return indexed(make)


@of_the_ledger
def ledger_at(lines: Iterable[Line]) -> dict[int, list[Line]]:
    """Return the lines of the ledger by the entry that they stand in."""
    return _grouped((line.seq, line) for line in lines)


@of_the_ledger
def lines_of(lines: Iterable[Line]) -> dict[str, list[Line]]:
    """Return the lines of the ledger that concern each owner."""
    return _grouped((line.owner, line) for line in lines)


@of_the_ledger
def balances(lines: Iterable[Line]) -> dict[str, list[tuple[int, int]]]:
    """Return how much each owner had of each currency (`account`), as (Unix seconds, amount) after each timed line."""
    told = (line for line in lines if line.at is not None)
    return _grouped((account(line.owner, line.currency), (line.at or 0, line.balance)) for line in told)


def account(owner: str, currency: str) -> str:
    """Return what an owner's holdings of a currency are looked up by.

    >>> account("office/speaker", "points")
    'office/speaker/points'
    """
    return f"{owner}/{currency}"


def _grouped(pairs: Iterable[tuple[K, T]]) -> dict[K, list[T]]:
    found: dict[K, list[T]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


@of_the_law
def ranks(view: GameView) -> dict[str, int]:
    """Return the rank of each rule in force, 1 for the one that takes precedence of all."""
    return {uid: rank for rank, uid in enumerate(view.ranked, 1)}
