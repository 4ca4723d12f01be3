"""The ledger: every change of a currency, read from the effects of the journal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct

from folkmoot.core.documents import Document


class Line(Struct, frozen=True):
    """One change of what an owner has of a currency; `asked` is the amount before rules adjusted it."""

    seq: int
    at: int | None
    owner: str
    currency: str
    applied: int
    balance: int
    asked: int | None = None
    rule: str = ""
    why: str = ""
    kind: str = ""
    credit: str = ""
    before: int = 0


def lines(effects: Iterable[tuple[Document, Document]], currencies: Iterable[str], at: Any) -> Iterator[Line]:
    """Return the ledger from (entry, effect) pairs in order; `at(entry)` gives an entry's time in Unix seconds."""
    known = set(currencies)
    for entry, effect in effects:
        name, before, after = str(effect.get("name") or ""), effect.get("from"), effect.get("to")
        counts = isinstance(before, int) and isinstance(after, int)
        if effect.get("effect") == "award" or (name in known and counts):
            before, after, applied = int(before or 0), int(after or 0), effect.get("applied")
            yield Line(
                seq=int(entry.get("seq") or 0),
                at=at(entry),
                owner=str(effect.get("of") or ""),
                currency=name,
                applied=applied if isinstance(applied, int) else after - before,
                balance=after,
                asked=effect.get("asked"),
                rule=str(effect.get("rule") or ""),
                why=str(effect.get("why") or ""),
                kind=str(effect.get("kind") or ""),
                credit=str(effect.get("credit") or ""),
                before=before,
            )
