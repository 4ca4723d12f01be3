"""The documents of a game that is open: those of today are in memory, what is sealed is read when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from folkmoot.core.documents import Document

READ_WHEN_ASKED = "sealed/"
"""Where the keys of documents begin of which there are ever more, and of which hardly any are looked at."""


class LoadedDocuments(dict[str, Document]):
    """Documents by key, as a game has them that was loaded; `get` and `[]` also read what is sealed, and remember it.

    Going through them yields what was loaded and what has changed since, whatever was read meanwhile.
    """

    def __init__(self, documents: Mapping[str, Document], archive: Callable[[str], Document | None]) -> None:
        """Begin with what was loaded; `archive(key)` reads another document, None where there is none."""
        super().__init__(documents)
        self._archive = archive
        self._read: dict[str, Document | None] = {}

    def get(self, key: str, default: Any = None) -> Any:
        """Return a document by its key, `default` where there is none."""
        found = super().get(key)
        return found if found is not None or (found := self._asked_for(key)) is not None else default

    def __missing__(self, key: str) -> Document:
        """Return a document that is not among those in memory; raises KeyError where there is none."""
        found = self._asked_for(key)
        if found is None:
            raise KeyError(key)
        return found

    def _asked_for(self, key: str) -> Document | None:
        if not key.startswith(READ_WHEN_ASKED):
            return None
        if key not in self._read:
            self._read[key] = self._archive(key)
        return self._read[key]
