"""What is only tried cannot look into what is sealed: how that is noted, and known afterwards."""

from __future__ import annotations

from collections.abc import Sequence

from folkmoot.core.records import Reason, SealedRecord

DEPENDS = "this depends on what is sealed"
"""Why what is only tried goes no further where the game would go on by what nobody can look into there."""
CLOSED: SealedRecord = {"refused": "E-SEALED"}
"""What is noted where something is only tried, and a rule wants to look into what is sealed."""


def depends_on_sealed(code: str, reasons: Sequence[Reason], sealed: Sequence[SealedRecord] = ()) -> bool:
    """Say whether something was refused because nobody could look into what is sealed where it was tried.

    With what was asked of `sealed` contents, also whether a rule wanted to look, and went on when it could not.
    """
    closed = code == "E-SEALED" and any((reason.get("args") or {}).get("why") == DEPENDS for reason in reasons)
    return closed or CLOSED in sealed
