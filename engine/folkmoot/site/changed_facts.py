"""Which facts are not what they were: found from what changed in a game, so that the rest need not be looked at.

Facts are held in groups by what they are looked up in: a mapping that is the same object holds none that changed, and
of another one only the keys whose values differ are asked. What follows from one rule or one proposal is asked where
that changed. All other facts are asked each time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from hashlib import blake2b
from typing import Any

import msgspec

from folkmoot.core.declared_kinds import PROPOSAL
from folkmoot.site.tracked_view import ALWAYS, Fact, value_of
from folkmoot.wording.game_view import GameView
from folkmoot.wording.incremental_view import other_keys
from folkmoot.wording.indices import INDICES

OF_A_RULE = frozenset({"rule", "revisions", "wordings", "former_numbers", "number", "rule_title", "text_before"})
"""What a view answers from the documents of one rule, its first argument, and what the law knows of it."""
OF_A_PROPOSAL = frozenset({"displays", "keeps_back_vote"})
"""What a view answers from one proposal, which its first argument names by id, or by kind and number; "" for any."""
OF_THINGS = frozenset({"registers"})
"""What a view answers from the document of a kind of things, its first argument."""
SIMPLE = frozenset({str, int, bool, float, type(None)})
OF_ONE = OF_A_RULE | OF_A_PROPOSAL | OF_THINGS
Group = tuple[str, ...]
Same = Callable[[Any, Any], bool]


class Facts:
    """Facts with their numbers, in groups."""

    def __init__(self) -> None:
        self._numbers: dict[Fact, int] = {}
        self._facts: list[Fact] = []
        self._groups: dict[Group, dict[Any, list[int]]] = {}
        self._grouped = 0  # as many facts stand in groups: the first build of a site needs none

    def number(self, fact: Fact) -> int:
        """Return the number of a fact, a new one where it was not known."""
        found = self._numbers.get(fact)
        if found is None:
            found = self._numbers[fact] = len(self._facts)
            self._facts.append(fact)
        return found

    def fact(self, number: int) -> Fact:
        """Return a fact by its number."""
        return self._facts[number]

    def __iter__(self) -> Iterator[Fact]:
        return iter(self._facts)

    def changed(self, before: GameView, now: GameView, documents: set[str], same: Same) -> Iterator[int]:
        """Yield the numbers of the facts that are not the `same` in two views; unsure ones too.

        `documents` are the keys of those that are not the same object in both.
        """
        looked = _Differences(before, now, documents)
        for group, members in self._in_groups().items():
            keys = looked.keys(group)
            asked = members.values() if keys is None else (members[key] for key in keys if key in members)
            for number in (number for numbers in asked for number in numbers):
                if not self._is_same(before, now, self._facts[number], same):
                    yield number

    def _in_groups(self) -> dict[Group, dict[Any, list[int]]]:
        for number in range(self._grouped, len(self._facts)):
            group, key = _group_of(self._facts[number])
            self._groups.setdefault(group, {}).setdefault(key, []).append(number)
        self._grouped = len(self._facts)
        return self._groups

    def _is_same(self, before: GameView, now: GameView, fact: Fact, same: Same) -> bool:
        if fact == ALWAYS:
            return False
        try:
            return same(value_of(before, fact), value_of(now, fact))
        except Exception:  # noqa: BLE001 (a view that cannot say a fact says none that a page could rely on)
            return False


def _group_of(fact: Fact) -> tuple[Group, Any]:
    kind = str(fact[0])
    if kind in ("item", "has", "of", "has index"):
        return (kind, str(fact[1])), fact[2]
    if kind == "called" and fact[1] in OF_ONE and len(fact) > 2:
        return (kind, str(fact[1])), fact[2]
    return ("single",), fact


class _Differences:
    """What differs between two views."""

    def __init__(self, before: GameView, now: GameView, documents: set[str]) -> None:
        self.before, self.now, self.documents = before, now, documents
        self._found: dict[Group, set[Any]] = {}

    def keys(self, group: Group) -> set[Any] | None:
        """Return the keys of a group under which something may differ, None for any."""
        if group == ("single",):
            return None
        kind, name = group
        found = self._found.get(group)
        if found is None:
            found = self._called(name) if kind == "called" else self._of(name, kind)
            self._found[group] = found
        return found

    def _of(self, name: str, kind: str) -> set[Any]:
        if kind in ("item", "has"):
            return different(getattr(self.before, name), getattr(self.now, name))
        return different(self.before.index(INDICES[name]), self.now.index(INDICES[name]))

    def _called(self, name: str) -> set[Any]:
        """Return the first arguments of a method with which it may answer something else."""
        changed = self.documents
        if name in OF_THINGS:
            return {key.partition("/")[2] for key in changed if key.startswith("things/")}
        if name in OF_A_RULE:
            found = {key.partition("/")[2] for key in changed if key.startswith(("rules/", "history/"))}
            return found | different(self.before.law, self.now.law)
        ids = different(self.before.proposals, self.now.proposals)
        both = (view.proposals.get(name) for name in ids for view in (self.before, self.now))
        return {"", *ids, *(f"{each.get('kind') or PROPOSAL}/{each.get('number')}" for each in both if each)}


def different(old: Mapping[Any, Any], new: Mapping[Any, Any]) -> set[Any]:
    """Return the keys of two mappings under which there is not the same object, nor the same text or number.

    >>> sorted(different({"a": "x", "b": 1, "d": []}, {"a": "x", "b": True, "c": 1}))
    ['b', 'c', 'd']
    """
    if old is new:
        return set()
    missing = object()
    return {key for key in other_keys(old, new) if not _equal(old.get(key, missing), new.get(key, missing))}


def _equal(old: object, new: object) -> bool:
    return type(old) is type(new) and type(new) in SIMPLE and old == new


def digest_of(value: Any) -> bytes:
    """Return a digest of a value of JSON, a struct of such, or text; equal ones have one, whatever else may, too."""
    try:
        data = b'"' + value.encode() if type(value) is str else msgspec.json.encode(value)
    except Exception:  # noqa: BLE001 (what JSON has not: numbers beyond 64 bits, keys that are no text, half characters)
        data = repr(value).encode("utf-8", "backslashreplace")
    return blake2b(data, digest_size=16).digest()
