"""What a person's file changes in a rule, and the digest of proposed changes, to which a ballot is bound."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from folkmoot.core.documents import Change
from folkmoot.core.records import ProposedChange, Written
from folkmoot.core.values import told

DOMAIN = b"folkmoot changes 1\n"
EMPTY: dict[str, Any] = {"title": "", "text": "", "about": "", "script": "", "examples": []}  # other parts are maps
_TOP = re.compile(r"^[^\s#-]", re.MULTILINE)


def changes_between(uid: str, present: Written, proposed: Written, source: str) -> list[ProposedChange]:
    """Return the changes that lead from a rule to what its file would make of it, none where both say the same.

    Args:
        uid: the rule.
        present: the rule as it is.
        proposed: the rule as the file has it; what that leaves out is changed to nothing.
        source: the file's own text, which goes with every change so that its comments live.

    Returns:
        a retitling where only the title differs, a transmutation where only the label `status` does, else an
        amendment of the parts that differ; one that comes with another status is followed by a transmutation, so that
        nobody transmutes a rule by amending it.
    """
    parts = [part for part in dict.fromkeys((*present, *proposed)) if part not in ("rule", "uid")]
    changed = {part: proposed.get(part) for part in parts if present.get(part) != proposed.get(part)}
    before, after = dict(present.get("labels") or {}), dict(proposed.get("labels") or {})
    status = after.get("status")
    transmuted = [{"transmute": uid, "to": status, "source": source}] if status and status != _status(before) else []
    if transmuted:
        kept = {name: value for name, value in after.items() if name != "status"} | _only_status(before)
        changed = {**changed, "labels": kept}
        if kept == before:
            del changed["labels"]
    if set(changed) == {"title"} and not transmuted:
        return [{"retitle": uid, "to": changed["title"], "source": source}]
    given = {part: EMPTY.get(part, {}) if value is None else value for part, value in changed.items()}
    return [*([{"amend": uid, **given, "source": source}] if given else []), *transmuted]


def _status(labels: Mapping[str, Any]) -> Any:
    return labels.get("status")


def _only_status(labels: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in labels.items() if name == "status"}


def written_anew(before: str, after: str) -> str:
    """Return those parts of a file, from one key at the margin to the next, that another text of it does not hold.

    That is what a person wrote, comments included: it stays the same where somebody else changes another part of the
    file and the two are merged.
    """
    old = set(_parts_of(before))
    return "".join(part for part in _parts_of(after) if part not in old)


def _parts_of(text: str) -> list[str]:
    starts = [0, *(found.start() for found in _TOP.finditer(text) if found.start()), len(text)]
    return [text[start:end] for start, end in pairwise(starts)]


def change_digest(changes: Sequence[ProposedChange | Change]) -> str:
    """Return the SHA-256 of a list of changes in hex.

    Two lists have one digest exactly if they hold the same values in the same order; the order of keys does not
    matter. A change that carries a person's own text (`source`) is digested with its comments, whatever line ends the
    text was kept with.

    Raises:
        TypeError: for a value that no file can hold.
    """
    data = json.dumps(_plain(list(changes)), sort_keys=True, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(DOMAIN + data.encode()).hexdigest()


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        if not all(isinstance(key, str) for key in value):
            raise TypeError("a key must be a string")
        return {key: _lines(item) if key == "source" else _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float) or not isinstance(value, str | int | None):
        raise TypeError(f"a {type(value).__name__} cannot be part of a change: {told(value):.80}")
    return value


def _lines(source: Any) -> Any:
    return source.replace("\r\n", "\n") if isinstance(source, str) else _plain(source)
