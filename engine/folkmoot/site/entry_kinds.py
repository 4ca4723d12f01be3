"""Which effects make an entry worth telling, and what kind of thing it then tells of."""

from __future__ import annotations

from folkmoot.core.records import Entry
from folkmoot.wording.entries import was_refused

TELLING = frozenset(
    "award resolve enact amend repeal transmute retitle suspend wake repair win setting announce correct".split()
)
"""Effects that dashboards and feeds tell: what was decided, paid or won."""
LAW = frozenset({"enact", "amend", "repeal", "transmute", "retitle", "renumber"})
VOTES = frozenset({"propose", "open", "resolve"})


def kinds_of(entry: Entry) -> list[str]:
    """Return of what kinds an entry is, by which readers choose among entries."""
    if was_refused(entry):
        return ["refused"]
    effects = {str(each.get("effect")) for each in entry.get("effects") or ()}
    known = {
        "votes": entry.get("do") == "vote",
        "proposals": bool(effects & VOTES),
        "law": bool(effects & LAW),
        "points": "award" in effects,
        "said": entry.get("do") == "state",
    }
    return [name for name, is_so in known.items() if is_so] or ["rest"]
