"""What somebody wrote into a form of their pages."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

from msgspec import Struct

from folkmoot.files.typed_words import read_word

ARGUMENT = "a."
"""What stands before the name of an argument in the name of its field."""


class Form(Struct, frozen=True):
    """What somebody wrote into a form, by the names of its fields; the last of several of one name counts, or all."""

    fields: Mapping[str, Sequence[str]]

    def __getitem__(self, name: str) -> str:
        """Return what stands in a field, "" where there is none."""
        return re.sub(r"\r\n?", "\n", next(iter(reversed(self.fields.get(name, ()))), ""))

    def number(self, name: str) -> int:
        """Return a field's number, 0 where it holds none."""
        return int(self[name]) if re.fullmatch(r"[0-9]{1,9}", self[name]) else 0

    @property
    def back(self) -> str:
        """Return the address of the page from which it came: one of this server."""
        return "/" + self["back"].lstrip("/\\")

    @property
    def press(self) -> int:
        """Return what is the same when a button is pressed twice, and differs where anything was written anew."""
        by_itself = ("token", "foreseen")  # what a page fills in at any time
        said = ((name, *values) for name, values in sorted(self.fields.items()) if name not in by_itself)
        return hash(tuple(said))

    @property
    def arguments(self) -> dict[str, str]:
        """Return the arguments that were filled in, each as it is typed in a terminal."""
        found = {}
        for field in self.fields:
            name, value = field.removeprefix(ARGUMENT), self[field]
            if field.startswith(ARGUMENT) and value.strip():
                lines = [read_word(line.strip()) for line in value.split("\n") if line.strip()]
                found[name] = json.dumps(lines) if name in self.fields.get("lines", ()) else value
        return found
