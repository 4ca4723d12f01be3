"""The values that an argument of an action may have where there are few: players, rules, offices, choices, things."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, cast

from folkmoot.core.documents import Document, Proposal
from folkmoot.core.keys import proposal_key
from folkmoot.core.proposal_numbers import handle
from folkmoot.core.rule_blocks import ArgumentSpec

Documents = Mapping[str, Document]


def known_values(spec: ArgumentSpec, documents: Documents) -> list[str]:
    """Return the values that an argument may have, by its declaration and the documents of a game; none where many may.

    >>> known_values({"type": "choice", "of": ["tea", "milk"]}, {}), known_values({"type": "integer"}, {})
    (['tea', 'milk'], [])
    """
    find = _KNOWN.get(str(spec.get("type") or "text"))
    return [str(value) for value in find(spec, documents)] if find is not None else []


def _players(_spec: ArgumentSpec, documents: Documents) -> Iterator[str]:
    roster = documents.get("roster") or {}
    yield from (player for player, entry in roster.items() if entry.get("until") is None)


def _rules(_spec: ArgumentSpec, documents: Documents) -> Iterator[str]:
    metas = (documents.get("law") or {}).get("rules") or {}
    yield from (str(meta["number"]) for meta in metas.values() if meta.get("in_force"))


def _offices(_spec: ArgumentSpec, documents: Documents) -> Iterator[str]:
    metas = (documents.get("law") or {}).get("rules") or {}
    for uid, meta in metas.items():
        if meta.get("in_force"):
            yield from ((documents.get(f"rules/{uid}") or {}).get("defines") or {}).get("offices") or ()


def _proposals(_spec: ArgumentSpec, documents: Documents) -> Iterator[str]:
    for identifier in (documents.get("game") or {}).get("open") or ():
        found = documents.get(proposal_key(str(identifier)))
        yield str(handle(cast(Proposal, found))) if found else str(identifier).partition("/")[2]


def _things(spec: ArgumentSpec, documents: Documents) -> Iterator[str]:
    kinds = [spec["kind"]] if spec.get("kind") else [key.partition("/")[2] for key in documents if _is_things(key)]
    for kind in kinds:
        yield from map(str, documents.get(f"things/{kind}") or {})


def _is_things(key: str) -> bool:
    return key.startswith("things/") and key not in ("things/timer", "things/duty", "things/held")


_KNOWN: dict[str, Callable[[ArgumentSpec, Documents], Iterable[Any]]] = {
    "player": _players,
    "rule": _rules,
    "office": _offices,
    "proposal": _proposals,
    "thing": _things,
    "boolean": lambda _spec, _documents: ("true", "false"),
    "choice": lambda spec, _documents: spec.get("of") or (),
}
