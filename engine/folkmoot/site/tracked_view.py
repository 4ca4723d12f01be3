"""A game's view that notes what is looked at in it, so that it is known which facts a page shows.

A fact is a tuple: how something was asked for, its name, and with what. `value_of` says what a fact is in a view, so
that a page need not be made again while all of its facts are what they were. Whatever cannot be told in such a way
(the whole journal, all documents) counts as changed each time.
"""

from __future__ import annotations

from collections.abc import Callable, ItemsView, Iterator, Mapping, ValuesView
from functools import partial
from typing import Any, Generic, TypeVar, cast

from folkmoot.core.ballot_display import voted_on
from folkmoot.core.keys import Kept, Key
from folkmoot.core.records import Entry
from folkmoot.wording.entries import SETTLED_IN_A_PART
from folkmoot.wording.game_view import GameView
from folkmoot.wording.indices import INDICES, Made, settled_parts

Fact = tuple[str | int | float | bool | None, ...]
ALWAYS: Fact = ("always",)
"""The fact that is never what it was."""
WHOLE = frozenset({"documents", "entries", "effects", "head", "ledger", "now", "shown", "things"})
"""What grows with the game or changes with each act: whoever looks at the whole of it is made anew each time."""
BY_KEY = frozenset({"law", "players", "proposals", "resolved_by", "uids", "unresolved"})
"""What is looked up by a key."""
BY_FIELD = frozenset({"game", "roster", "law"})
"""Documents of which pages look at single fields."""
K = TypeVar("K")
V = TypeVar("V")


def watched(view: GameView) -> tuple[GameView, dict[Fact, None]]:
    """Return a view that says what `view` says, and the facts that are looked at in it, which grow as it is."""
    watching = _Watched(view)
    return cast(GameView, watching), watching.facts


def let_go(watching: GameView) -> None:
    """Let a view that was watched hold no longer what holds it, so that it goes when nobody looks at it."""
    for name in [name for name in vars(watching) if name not in ("_view", "facts")]:
        del vars(watching)[name]


def value_of(view: GameView, fact: Fact) -> Any:
    """Return what a fact is in a view; raises KeyError for a fact of another engine."""
    return _READ[str(fact[0])](view, *fact[1:])


_READ: dict[str, Callable[..., Any]] = {
    "is": getattr,
    "item": lambda view, name, key: getattr(view, name).get(key),
    "has": lambda view, name, key: key in getattr(view, name),
    "called": lambda view, name, *given: getattr(view, name)(*given),
    "field": lambda view, name, key: view.document(name).get(key),
    "has field": lambda view, name, key: key in view.document(name),
    "of": lambda view, name, key: view.index(INDICES[name]).get(key),
    "has index": lambda view, name, key: key in view.index(INDICES[name]),
    "all of": lambda view, name: view.index(INDICES[name]),
    "always": lambda _view: object(),
}


class _Watched:
    """What pages look at in place of a `GameView`."""

    def __init__(self, view: GameView) -> None:
        self._view = view
        self.facts: dict[Fact, None] = {}

    def __getattr__(self, name: str) -> Any:
        """Return what is asked for the first time; from then on it is at hand, and noted."""
        value = getattr(self._view, name)
        if name in WHOLE:
            self._note(ALWAYS)
        elif name in BY_KEY:
            value = _Looked(value, self._note, ("item", name), ("has", name), ("is", name))
        elif callable(value):
            value = partial(self._called, name, value)
        else:
            self._note(("is", name))
        self.__dict__[name] = value
        return value

    def _called(self, name: str, method: Callable[..., Any], *given: Any) -> Any:
        self._note(("called", name, *given))
        return method(*given)

    def _note(self, fact: tuple[Any, ...]) -> None:
        try:
            if fact in self.facts:
                return
        except TypeError:  # no fact that could be kept, as below
            self.facts[ALWAYS] = None
            return
        self.facts[fact if all(map(_can_be_kept, fact)) else ALWAYS] = None

    def document(self, key: str) -> Mapping[str, Any]:
        """Return a document, field by field where pages look at single ones."""
        found = self._view.document(key)
        if key in BY_FIELD:
            return _Looked(found, self._note, ("field", key), ("has field", key), ("called", "document", key))
        self._note(("called", "document", key))
        return found

    def kept(self, key: Key[Kept]) -> Kept:
        """Return a document of a known type, looked at as by `document`."""
        return cast(Kept, self.document(key))

    def index(self, make: Made) -> Mapping[Any, Any]:
        """Return an index, which is looked up by key."""
        known = self.__dict__.setdefault("_indices", {})
        if make not in known:
            name = make.__name__
            assert INDICES.get(name) is make, f"{name} is not known by its name"
            facts = ("of", name), ("has index", name), ("all of", name)
            known[make] = _Looked(self._view.index(make), self._note, *facts)
        found: Mapping[Any, Any] = known[make]
        return found

    def keeps_back(self, entry: Entry) -> bool:
        """Say whether an entry holds a ballot that is not displayed yet."""
        known: dict[int, tuple[Entry, bool]] = self.__dict__.setdefault("_kept_back", {})
        found = known.get(id(entry))
        if found is None:
            on = voted_on(entry)
            if on or entry.get("do") == "vote":
                self._note(("called", "keeps_back_vote", on, None if on else entry.get("seq")))
            found = known[id(entry)] = entry, self._view.keeps_back(entry)  # which holds the entry, and so its id
        return found[1]

    def settled_as(self, seq: int, key: str) -> str:
        """Return what was done when a duty was struck out."""
        self._note(("of", settled_parts.__name__, seq // SETTLED_IN_A_PART))
        return self._view.settled_as(seq, key)


class _Looked(Mapping[K, V], Generic[K, V]):
    """A mapping that notes which of its keys are looked up, or that all of it was looked at."""

    def __init__(self, of: Mapping[K, V], note: Callable[[tuple[Any, ...]], None], *facts: tuple[str, ...]) -> None:
        self._of, self._note = of, note
        self._item, self._has, self._all = facts

    def __getitem__(self, key: K) -> V:
        self._note((*self._item, key))
        return self._of[key]

    def get(self, key: K, default: Any = None) -> Any:
        """Return what a key leads to."""
        self._note((*self._item, key))
        found = self._of.get(key)
        if found is None:
            self._note((*self._has, key))
            return self._of.get(key, default)
        return found

    def __contains__(self, key: object) -> bool:
        self._note((*self._has, key))
        return key in self._of

    def __iter__(self) -> Iterator[K]:
        self._note(self._all)
        return iter(self._of)

    def __len__(self) -> int:
        self._note(self._all)
        return len(self._of)

    def values(self) -> ValuesView[V]:
        """Return all values: one fact, where each key would be one more."""
        self._note(self._all)
        return self._of.values()

    def items(self) -> ItemsView[K, V]:
        """Return all keys with their values, as one fact."""
        self._note(self._all)
        return self._of.items()


def _can_be_kept(part: object) -> bool:
    if isinstance(part, str):
        return part.isascii() or not any("\ud800" <= character <= "\udfff" for character in part)
    return part is None or (isinstance(part, int | float) and -(2**63) <= part < 2**63)
