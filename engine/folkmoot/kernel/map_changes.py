"""What an event changed in a document with a wide map, as the law of a long game: only that is handed on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypedDict

from folkmoot.core.documents import Document

WIDE = 100
"""How many entries the map has at least, so that this is worth while."""


class MapChange(TypedDict):
    """What changed in a document: entries of its widest map `wide`, and what stands beside that map by key."""

    wide: str
    entries: dict[str, Any]
    beside: dict[str, Any]


def map_change(document: Document, writes: Iterable[tuple[Any, str]]) -> MapChange | None:
    """Return what writes (the map that was written to, and the name) changed in a document.

    None where the document has no wide map, or is not known to have changed in entries of that map and beside it alone.
    """
    maps = {key: len(value) for key, value in document.items() if type(value) is dict and len(value) >= WIDE}
    if not maps:
        return None
    wide = max(maps, key=maps.__getitem__)
    change: MapChange = {"wide": wide, "entries": {}, "beside": {}}
    for target, name in writes:
        if target is document and name in target and name != wide:
            change["beside"][name] = target[name]
        elif (entry := _entry(document[wide], target, name)) is not None:
            change["entries"][entry] = document[wide][entry]
        else:
            return None
    return change


def _entry(entries: dict[str, Any], target: Any, name: str) -> str | None:
    """Return which entry a write changed: one that was given anew, or something directly in one."""
    if target is entries:
        return name if name in entries else None
    return next((each for each, entry in entries.items() if entry is target), None)


def changed_so(document: Document, change: MapChange) -> Document:
    """Return a document as a change of it leaves it; what it was stays as it is."""
    wide = change["wide"]
    return {**document, wide: {**document[wide], **change["entries"]}, **change["beside"]}


def with_changes(
    before: Mapping[str, Document], whole: Mapping[str, Document | None], changes: Mapping[str, MapChange]
) -> dict[str, Document | None]:
    """Return all documents that changed, by key in order: handed on as a whole, or a change of what they were."""
    made = {key: changed_so(before[key], change) for key, change in changes.items()}
    return dict(sorted({**whole, **made}.items()))
