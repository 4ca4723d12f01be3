"""Documents with one very wide map, as the law of a long game: written anew only where they are not what they were.

Such a document is written entry by entry of its widest map. Of an entry that is what it was the text is known, where
this process wrote it, and none is read back that stood in the file before and was read from there. What comes out is
the very text that `write_yaml` makes of the whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from folkmoot.core.documents import Document
from folkmoot.files.canonical import write_yaml
from folkmoot.files.yaml_guard import MAXIMUM_ENGINE_SIZE
from folkmoot.journal.layout import RULES, check_document, document_bytes

LARGE = 16_000
"""Bytes of a file from which on this is worth while."""
WIDE = 50
"""How many entries the map has at least."""


class _Seen(msgspec.Struct, frozen=True):
    """A document as it was read or written, as JSON: the entries of its widest map, and all else by key."""

    wide: str
    entries: dict[str, bytes]
    rest: dict[str, bytes]


class _Known(msgspec.Struct, frozen=True):
    """The bytes of a file, what they say, and the text of each entry where this process wrote it."""

    data: bytes
    seen: _Seen
    texts: dict[str, str]


class WideDocuments:
    """What is known of the large documents of a game that were read or written, by key."""

    def __init__(self) -> None:
        """Know nothing."""
        self._known: dict[str, _Known] = {}

    def note(self, key: str, data: bytes, document: Document) -> None:
        """Note what was read from a file."""
        seen = _seen(document) if len(data) >= LARGE and not key.startswith(RULES) else None
        if seen is not None:
            self._known[key] = _Known(data, seen, {})
        else:
            self._known.pop(key, None)

    def bytes_of(self, key: str, document: Document, before: bytes | None, file: str) -> bytes:
        """Return the bytes of a document's file, by its name, whose bytes were others `before`.

        Raises E-FAULT where they are not read back as the document, and UnwritableError.
        """
        data = self._entry_by_entry(key, document, before, file)
        if data is None:
            data = document_bytes(key, document)
            if data != before:
                check_document(key, document, data, file)
                self.note(key, data, document)
        return data

    def _entry_by_entry(self, key: str, document: Document, before: bytes | None, file: str) -> bytes | None:
        """Return the bytes of a document of which it is known what stood in its file before, else None."""
        known = self._known.get(key)
        seen = _seen(document) if known is not None and known.data == before else None
        if known is None or seen is None or seen.wide != known.seen.wide:
            return None
        items: Mapping[str, Any] = document[seen.wide]
        same = {name for name, item in seen.entries.items() if known.seen.entries.get(name) == item}
        texts = {name: known.texts.get(name, "") if name in same else "" for name in items}
        texts = {name: text or _entry(seen.wide, name, items[name]) for name, text in texts.items()}
        data = _whole(document, seen.wide, texts)
        if data == before:
            return data
        if len(data) > MAXIMUM_ENGINE_SIZE or not self._stood_there(known, texts, same):
            check_document(key, document, data, file)
        else:
            changed = {name: items[name] for name in items if name not in same}
            part = {**document, seen.wide: changed}
            check_document(key, part, _whole(part, seen.wide, {name: texts[name] for name in changed}), file)
        self._known[key] = _Known(data, seen, texts)
        return data

    @staticmethod
    def _stood_there(known: _Known, texts: dict[str, str], same: set[str]) -> bool:
        """Whether the entries that are the same stood in the file with the very text that they have now."""
        if known.texts:
            return True
        seen = known.seen
        gone = {name: msgspec.json.decode(item) for name, item in seen.entries.items() if name not in same}
        before = {name: _entry(seen.wide, name, gone[name]) if name in gone else texts[name] for name in seen.entries}
        rest = {name: msgspec.json.decode(item) for name, item in seen.rest.items()}
        return _whole(rest, seen.wide, before) == known.data


def _seen(document: Document) -> _Seen | None:
    """Return a document as JSON; None where it has no map that is wide, or holds what JSON cannot."""
    maps = {key: len(value) for key, value in document.items() if type(value) is dict and len(value) >= WIDE}
    if not maps:
        return None
    wide = max(maps, key=maps.__getitem__)
    try:
        entries = {name: msgspec.json.encode(item) for name, item in document[wide].items()}
        rest = {key: msgspec.json.encode(None if key == wide else value) for key, value in document.items()}
    except (TypeError, ValueError, OverflowError, msgspec.MsgspecError):
        return None
    return _Seen(wide, entries, rest)


def _entry(wide: str, name: str, item: Any) -> str:
    """Return the lines of an entry of a map as they stand in the file."""
    return write_yaml({wide: {name: item}}).partition("\n")[2]


def _whole(document: Mapping[str, Any], wide: str, texts: Mapping[str, str]) -> bytes:
    """Return the bytes of a document of which the texts of the entries of its widest map are known."""
    parts = [
        "".join([write_yaml({key: {"": 0}}).partition("\n")[0], "\n", *texts.values()])
        if key == wide and texts
        else write_yaml({key: {} if key == wide else value})
        for key, value in document.items()
    ]
    return "".join(parts).encode()
