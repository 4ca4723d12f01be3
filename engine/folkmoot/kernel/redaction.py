"""Redaction: text of an old entry is replaced by its digest, and the chain still holds; pure.

The form. An act `redact` names the entry (`seq`), the place of the text in it (`path`, as in `with.text` or
`effects.0.text`) and the digest of the entry's file as it is afterwards (`digest`). In the old entry the text, wherever
the entry holds exactly it, becomes `[redacted sha256:…]`, and `redacted` lists each place with the digest of what stood
there. The entry after the redacted one goes on naming the digest of the file as it was; that both belong together is
vouched for by the `redact` entry, which itself is part of the chain. A later redaction of the same entry vouches anew.
Draws stay provable, because an event's digest is the same with the marker as with the text (`folkmoot.core.digest`).
Of what was sealed the opened value can be redacted; that it is what was committed to cannot be proved afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any

from folkmoot.core.digest import is_marker, marker, value_digest
from folkmoot.core.problems import fail
from folkmoot.core.records import Entry
from folkmoot.core.sealed_data import read_box
from folkmoot.core.values import is_digits

PARTS = ("with", "via", "effects", "reasons", "failures", "sealed")

Place = tuple[str | int, ...]


def redact_entry(entry: Entry, path: str) -> Entry:
    """Return an entry without the text at `path`; raises E-ARGS where there is none that can be redacted."""
    text = _find(entry, path)
    changed = deepcopy(entry)
    redacted = dict(changed.get("redacted") or {})
    for place in [place for part in PARTS for place in _places_in(changed.get(part), text, (part,))]:
        holder: Any = changed
        for part in place[:-1]:
            holder = holder[part]
        holder[place[-1]] = marker(text)
        redacted[".".join(map(str, place))] = value_digest(text)
    changed["redacted"] = {name: redacted[name] for name in sorted(redacted)}
    return changed


def _find(entry: Mapping[str, Any], path: str) -> str:
    value: Any = entry
    for part in path.split("."):
        if isinstance(value, list) and is_digits(part) and int(part) < len(value):
            value = value[int(part)]
        elif isinstance(value, Mapping) and part in value:
            value = value[part]
        else:
            raise fail("E-ARGS", f"entry {entry['seq']} has nothing at '{path}'")
        if read_box(value) is not None:
            hint = "whoever has its key can open any copy of it; what was opened can be redacted where it was"
            said = f"what stands at '{path}' of entry {entry['seq']} is sealed, and play rests on it"
            raise fail("E-ARGS", said, None, hint)
    if path.partition(".")[0] not in PARTS or not isinstance(value, str) or not value:
        hint = f"name a text below {', '.join(PARTS)}"
        raise fail("E-ARGS", f"what stands at '{path}' of entry {entry['seq']} cannot be redacted", None, hint)
    if path.startswith("sealed.") and "value" not in path.split("."):
        raise fail("E-ARGS", f"what stands at '{path}' of entry {entry['seq']} commits to what is sealed", None,
                   "name the value that was opened, as in sealed.0.value")  # fmt: skip
    if is_marker(value):
        raise fail("E-DUP", f"what stood at '{path}' of entry {entry['seq']} is redacted already")
    return value


def _places_in(value: Any, text: str, place: Place) -> Iterator[Place]:
    if value == text and isinstance(value, str):
        yield place
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, part in parts:
        yield from _places_in(part, text, (*place, name))


def redacted_openings(entry: Entry) -> set[int]:
    """Return at which places of `sealed` an entry opens what was redacted since, wholly or in part.

    >>> redacted_openings({"redacted": {"effects.0.to": "…", "sealed.2.value": "…"}})
    {2}
    """
    places = (str(place).split(".") for place in entry.get("redacted") or {})
    return {int(place[1]) for place in places if place[0] == "sealed" and is_digits(place[1])}


def is_redaction(entry: Entry) -> bool:
    """Say whether an entry is an accepted act that redacts another."""
    return entry.get("do") == "redact" and not entry.get("code")
