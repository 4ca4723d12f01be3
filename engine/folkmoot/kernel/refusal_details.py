"""What is told of a refused act to its author alone, where something sealed had to do with it; pure.

Everybody sees the code of a refusal and one sentence. What a box held, which part of it did not fit, and why a sealed
function failed goes to the author, sealed, in a text that is always as long: that there is one says no more than the
act itself, which carried something sealed, or met a sealed function.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from folkmoot.core.events import Event
from folkmoot.core.keys import ROSTER
from folkmoot.core.records import Confided
from folkmoot.core.sealed_text import filled, read_box
from folkmoot.kernel.play import Play
from folkmoot.kernel.sealed_values import may_read
from folkmoot.kernel.vault import DETAIL, KeptVault

BYTES = 832
"""How long a detail is in a box, quotation marks included, whatever it says: with all around it 1,024 bytes."""


def tell_detail(play: Play, event: Event) -> None:
    """Tell the author of a refused act in secret what it was refused for, where something sealed was part of it."""
    met = any("refused" not in each for each in play.vault.records) or _holds_box(event.with_)
    if met and event.by in (play.documents.get(ROSTER) or {}):
        play.vault.tell(filled(_text(play, str(event.by)), BYTES))


def _holds_box(given: Any) -> bool:
    if read_box(given) is not None:
        return True
    inner = given.values() if isinstance(given, Mapping) else given if isinstance(given, list) else ()
    return any(map(_holds_box, inner))


def _text(play: Play, author: str) -> str:
    """Return what is told: only sentences that rest on nothing that the author may not read."""
    notes = play.vault.notes
    told = (text for text, rests_on in notes if rests_on is not None and may_read(play, rests_on, author))
    return "\n".join(dict.fromkeys(told))


def confided_detail(play: Play, vault: KeptVault, author: str | None) -> Iterable[Confided]:
    """Yield the detail of a refused act as its box needs it: for the author, or the keeper where they named no key."""
    detail = vault.detail
    if detail is not None and author is not None:
        named = "sealing" in play.documents[ROSTER][author]
        yield {
            "number": 0,
            "value": detail.value,
            "salt": detail.salt,
            "error": None,
            "context": None,
            "place": [play.seq, DETAIL],
            "to": [author] if named else [],
            "keeper": not named,
        }
