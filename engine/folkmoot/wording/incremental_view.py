"""A view of a game that takes over what one of a moment before found out, where that still holds.

What both have as the same object is the same: entries of the journal, documents. So that a look at a long game costs
what is new in it, whoever reads the game again leaves alone what stayed (`folkmoot.site.incremental_reading`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import compress, islice
from operator import is_not
from typing import Any, TypeVar, cast

from folkmoot.core.documents import Proposal
from folkmoot.core.records import Entry
from folkmoot.wording.entries import resolved_in
from folkmoot.wording.game_view import KERNEL_KINDS, GameView, is_proposal, kinds_of, newest, without_outcome
from folkmoot.wording.indices import (
    GROWING,
    OF_EACH_KIND,
    OF_EACH_PROPOSAL,
    OF_EACH_RULE,
    OF_EACH_VALUE,
    OF_PROPOSALS,
    OF_THE_LAW,
    OF_THE_LEDGER,
)

K = TypeVar("K")
V = TypeVar("V")

LAW = frozenset({
    "ranked", "repealed", "uids", "currencies", "outcomes", "votable", "_declared", "_register_types", "_revisions",
    "_wordings",
})  # fmt: skip
"""What follows from the rules alone, and from their order."""


def go_on(now: GameView, before: GameView) -> set[str]:
    """Let a view take over what another one of the same game knows; return the keys of the documents that changed."""
    changed = changed_documents(before, now)
    _law(now, before, changed)
    _proposals(now, before, changed)
    _of_proposals(now, before, changed)
    _of_each(now, before, changed)
    if "things" in vars(before) and not any(_is_declared_kind(key) for key in changed):
        vars(now)["things"] = before.things
    if is_beginning(before.entries, now.entries):
        _past(now, before, now.entries[len(before.entries) :])
    return changed


def changed_documents(before: GameView, now: GameView) -> set[str]:
    """Return the keys of the documents that are not the same object in both, or are in one alone."""
    return other_keys(before.documents, now.documents)


def other_keys(old: Mapping[K, Any], new: Mapping[K, Any]) -> set[K]:
    """Return the keys under which two mappings have not the same object, or that are in one alone.

    >>> tea = object()
    >>> sorted(other_keys({"a": tea, "b": tea, "c": 1}, {"b": tea, "c": 2, "d": 3}))
    ['a', 'c', 'd']
    """
    if len(old) <= len(new) and [*old] == [*islice(new, len(old))]:  # what is new stands behind what there was
        return {*compress(new, map(is_not, old.values(), new.values())), *islice(new, len(old), None)}
    missing = object()
    return {key for key, found in new.items() if old.get(key, missing) is not found} | (old.keys() - new.keys())


def is_beginning(entries: Sequence[Entry], of: Sequence[Entry]) -> bool:
    """Say whether entries are the first of others; those at both ends, and as a rule all, are the same objects."""
    count = len(entries)
    if not count or count > len(of):
        return not count
    if entries[0] is not of[0] or entries[-1] is not of[count - 1]:
        return False
    first = of[:count]
    return entries == first if type(entries) is type(first) else [*entries] == [*first]


def _law(now: GameView, before: GameView, changed: set[str]) -> None:
    known, seeds = vars(before), vars(now)
    if "law" not in changed:
        if "law" in known:
            seeds["law"] = known["law"]
    elif "law" in known:
        seeds["law"] = {uid: _as_before(known["law"].get(uid), meta) for uid, meta in now.law.items()}
    rules = any(key.startswith(("rules/", "history/")) for key in changed)
    if not rules and "law" not in changed and list(now.order) == list(before.order):
        seeds |= {name: known[name] for name in LAW if name in known}
        kept = OF_THE_LAW | OF_EACH_RULE
        now.indices.update({make: found for make, found in before.indices.items() if make.__name__ in kept})
        return
    stayed = {uid for uid, meta in now.law.items() if not {f"rules/{uid}", f"history/{uid}"} & changed
              and meta is before.law.get(uid)} if "law" in known else set()  # fmt: skip
    for name in ("_revisions", "_wordings"):
        seeds[name] = {uid: found for uid, found in known.get(name, {}).items() if uid in stayed}
    for make, index in before.indices.items():
        if make.__name__ in OF_EACH_RULE:
            now.carried[make] = _without(index, index.keys() - stayed)


def _as_before(old: Any, new: Any) -> Any:
    """Return the older of two equal values."""
    return old if old is not None and old == new and repr(old) == repr(new) else new


def _proposals(now: GameView, before: GameView, changed: set[str]) -> None:
    if "proposals" not in vars(before):
        return
    known = before.proposals
    gone = [key for key in changed if key not in now.documents and is_proposal(before.documents[key])]
    touched = {str(found.get("id") or key): cast(Proposal, found) for key in changed
               if is_proposal(found := now.documents.get(key) or {})}  # fmt: skip
    if gone or any(name in known and newest(known[name]) != newest(found) for name, found in touched.items()):
        return
    added = sorted((name for name in touched if name not in known), key=lambda name: newest(touched[name]))
    first = next(iter(known.values()), None)
    if added and first is not None and newest(touched[added[-1]]) > newest(first):
        return
    if not touched:
        vars(now).update({name: vars(before)[name] for name in ("proposals", "unresolved", "kinds") if name in
                          vars(before)})  # fmt: skip
        return
    in_place = {name: found for name, found in touched.items() if name in known}
    vars(now)["proposals"] = {name: touched[name] for name in added} | known | in_place
    if all(each.get("kind") == known[name].get("kind") for name, each in in_place.items()):
        vars(now)["kinds"] = kinds_of(touched.values(), *before.kinds)
    stayed = {name: found for name, found in before.unresolved.items() if name not in touched}
    waiting = stayed | without_outcome(touched)
    vars(now)["unresolved"] = dict(sorted(waiting.items(), key=lambda pair: newest(pair[1])))


def _of_proposals(now: GameView, before: GameView, changed: set[str]) -> None:
    """Take over what follows from proposals in which nothing that it follows from changed."""
    if "proposals" not in vars(now) or now.proposals.keys() != before.proposals.keys():
        return
    if any(key in ("law", "roster") or key.startswith(("rules/", "history/")) for key in changed):
        return
    touched = [
        (before.documents[key], now.documents[key]) for key in changed if is_proposal(now.documents.get(key) or {})
    ]
    for make, index in before.indices.items():
        look = OF_PROPOSALS.get(make.__name__)
        if look is not None and all(look(old) == look(new) for old, new in touched):
            now.indices[make] = index


def _of_each(now: GameView, before: GameView, changed: set[str]) -> None:
    """Take over what follows from single proposals and kinds of things that did not change."""
    documents = (found for key in changed for view in (before, now) if (found := view.documents.get(key)))
    proposals = {str(found.get("id")) for found in documents if is_proposal(found)}
    kinds = {key.removeprefix("things/") for key in changed}
    if vars(now).get("proposals") is vars(before).get("proposals") is not None:
        now.indices.update({make: of for make, of in before.indices.items() if make.__name__ in OF_EACH_PROPOSAL})
    for make, index in before.indices.items():
        gone = proposals if make.__name__ in OF_EACH_PROPOSAL else kinds if make.__name__ in OF_EACH_KIND else None
        if gone is not None and make not in now.indices:
            now.carried[make] = _without(index, gone)


def _is_declared_kind(key: str) -> bool:
    """Say whether a document holds things of a kind that rules declare."""
    folder, _, kind = key.partition("/")
    return folder == "things" and kind not in KERNEL_KINDS


def _without(index: Mapping[K, V], gone: Iterable[K]) -> dict[K, V]:
    kept = dict(index)
    for key in gone:
        kept.pop(key, None)
    return kept


def _past(now: GameView, before: GameView, new: Sequence[Entry]) -> None:
    known, seeds = vars(before), vars(now)
    if "resolved_by" in known:
        found = resolved_in(new)
        seeds["resolved_by"] = {**known["resolved_by"], **found} if found else known["resolved_by"]
    if "ledger" in known and [*now.currencies] == [*before.currencies]:
        lines = now.ledger_of(new)
        seeds["ledger"] = [*known["ledger"], *lines] if lines else known["ledger"]
        for make, index in before.indices.items():
            of = OF_THE_LEDGER.get(make.__name__)
            if of is not None:
                now.indices[make] = _grown(of(lines), index) if lines else index
        _of_each_value(now, before)
    if "duties" in known:
        seeds["duties"] = before.duties.after(new)
    for make, index in before.indices.items():
        grow = GROWING.get(make.__name__)
        if grow is not None:
            now.indices[make] = _grown(grow(now, new), index)


def _of_each_value(now: GameView, before: GameView) -> None:
    """Take over what follows from single values of an index that are the same objects."""
    for make, index in before.indices.items():
        source = OF_EACH_VALUE.get(make.__name__)
        if source in now.indices and source in before.indices:
            gone = other_keys(before.indices[source], now.indices[source])
            now.carried[make] = _without(index, gone)


def _grown(new: Mapping[Any, Any], index: Mapping[Any, Any]) -> Mapping[Any, Any]:
    """Return an index with what is new added to the values that it has: lists go on, numbers are summed."""
    if not new:
        return index
    return {**index, **{key: index[key] + added if key in index else added for key, added in new.items()}}
