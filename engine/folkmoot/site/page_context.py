"""What a settled page is made of: its own part of the record, what is named in that, and what stands around all pages.

Names are found by the words of the record: whatever a page may link stands in its part of the record by a word of its
name, so that a new rule or proposal concerns no page on which nothing names it.
"""

from __future__ import annotations

import re

import msgspec

from folkmoot.site.chrome import second_rows
from folkmoot.site.crest import crest
from folkmoot.site.output import digest_of, encoded
from folkmoot.site.page_data import colours
from folkmoot.site.pagination import lists_by_key
from folkmoot.wording.game_view import KERNEL_KINDS, GameView
from folkmoot.wording.sentences import told_actions

NAMED = ("head", "law", "rules/", "history/", "proposals/", "things/", "sealed/")
"""How documents begin of which a settled page shows its own part, and names."""
OF_TODAY = ("chance", "counters", "engine", "open", "settings")
"""What is known of a game that no settled page shows."""
_ESCAPED = re.compile(rb"\\(?:u00..|.)")
_BETWEEN = bytes(each if (chr(each).isalnum() and each < 128) or each == ord("_") else ord(" ") for each in range(256))
"""By which all but letters and digits of ASCII turns into blanks."""


class PageContext:
    """What is shown of a game wherever it is named; see `digest`."""

    def __init__(self, view: GameView) -> None:
        documents = {key: view.documents[key] for key in sorted(view.documents) if not key.startswith(NAMED)}
        documents["game"] = {key: each for key, each in view.document("game").items() if key not in OF_TODAY}
        defines = [(uid, found) for uid in view.ranked if (found := view.rule(uid).get("defines"))]
        around = [view.slug, view.title, view.branch, view.alone, view.address, view.year, crest(view)]
        self._around = digest_of([documents, defines, told_actions(view), around, second_rows(view), colours(view)])
        self._names = _names(view)

    def digest(self, made_of: object) -> str:
        """Return a digest of a part of the record, of all that is named in it, and of what stands around it."""
        try:
            record = msgspec.json.encode(made_of, enc_hook=str)
        except Exception:  # noqa: BLE001 (what it has not: half characters)
            record = repr(made_of).encode("utf-8", "backslashreplace")
        words = {b"", *_words(record)} & self._names.keys()
        named = encoded([self._around, *(self._names[word] for word in sorted(words))])
        return digest_of(named + record)


def _words(record: bytes) -> list[bytes]:
    return (_ESCAPED.sub(b" ", record) if b"\\" in record else record).translate(_BETWEEN).split()


def _names(view: GameView) -> dict[bytes, list[object]]:
    """Return what pages say of what they name, by the last word of each of its names."""
    in_force = {*view.ranked}
    found: list[tuple[object, object]] = []
    for uid in view.law:
        known = (uid, view.number(uid), view.rule_title(uid), uid in in_force)
        found += [(name, known) for name in {uid, known[1], *view.former_numbers(uid)}]
    for name, each in view.proposals.items():
        known = (name, str(each.get("kind")), str(each.get("number")), view.displays(name))
        found += [(word, known) for word in {name, known[2]}]
    for key, document in view.documents.items():
        if key.startswith("sealed/"):
            found += document.items()
        elif key.startswith("things/") and key.removeprefix("things/") not in KERNEL_KINDS:
            found += [(name, (key, name)) for name in document]
    last = ((_words(str(name).encode("utf-8", "replace"))[-1:], known) for name, known in found)
    return lists_by_key((words[0] if words else b"", known) for words, known in last)
