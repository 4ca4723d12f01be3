"""Where a script failed, as the person who edits its rule's file has it before them: `file:line:column`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from folkmoot.core.documents import Document
from folkmoot.core.records import ProposedChange
from folkmoot.files.reader import script_position

Files = Mapping[str, tuple[str, str]]
"""The files of rules, each by the rule's uid: its text and its name."""
NO_FILES: Files = MappingProxyType({})


def where(failure: Document, files: Files) -> str:
    r"""Return where a failure of a script lies: in its rule's file, in its script where that is not known, or "".

    >>> where({"rule": "7", "line": 2, "column": 5}, {"7": ("title: A\nscript: |\n  x = 1\n  y = z\n", "a.yaml")})
    'at a.yaml:4:7'
    >>> where({"rule": "7", "line": 2}, {}), where({"rule": "7"}, {})
    ('in line 2 of its script', '')
    """
    if not failure.get("line"):
        return ""
    text, file = files.get(str(failure["rule"]), ("", ""))
    place = script_position(text, file, int(failure["line"]), int(failure.get("column") or 0))
    return f"at {place}" if file and place.line else f"in line {failure['line']} of its script"


def placed(text: str, failures: Iterable[Document], files: Files) -> str:
    """Return a sentence that names lines of scripts with the places of these failures in files instead."""
    for failure in failures:
        place = where(failure, files)
        if place.startswith("at "):
            text = text.replace(f"line {failure['line']} of its script", place.removeprefix("at "))
    return text


def files_of(changes: Iterable[tuple[ProposedChange, str]], effects: Iterable[Document]) -> dict[str, tuple[str, str]]:
    """Return the files of changed rules by uid: of changes (with the names of their files), and what came of them.

    A new rule has the uid that the effect of its enactment names; the first with its title is meant.
    """
    found, new = {}, []
    for change, file in changes:
        if "enact" in change:
            new.append((str(change["enact"].get("title")), (str(change["enact"].get("source") or ""), file)))
        elif change.get("source"):
            uid = next(str(change[kind]) for kind in ("amend", "transmute", "retitle") if kind in change)
            found[uid] = (str(change["source"]), file)
    for effect in effects:
        same = (each for each in new if each[0] == effect.get("title"))
        if effect["effect"] == "enact" and (made := next(same, None)):
            new.remove(made)
            found[str(effect["of"])] = made[1]
    return found
