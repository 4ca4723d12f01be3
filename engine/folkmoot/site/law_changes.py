"""Every moment at which the law changed, oldest first, with what changed."""

from __future__ import annotations

from msgspec import Struct, field

from folkmoot.core.calendar import DAY
from folkmoot.core.documents import Document
from folkmoot.wording.game_view import GameView
from folkmoot.wording.indices import of_the_law
from folkmoot.wording.stamps import seconds

Change = tuple[str, Document, Document]
"""The uid of a rule, its revision before (empty: there was none) and after."""


class Moment(Struct):
    """A day on which an entry of the journal (0: before the first) changed the law: when last, and how.

    An entry that brought a past along has a moment for every day of it.
    """

    seq: int
    at: int | None
    changes: list[Change] = field(default_factory=list)

    @property
    def causes(self) -> list[str]:
        """By what the law was changed, each once."""
        return list(dict.fromkeys(str(after.get("cause") or "") for _uid, _before, after in self.changes))


def moments(view: GameView) -> list[Moment]:
    """Return every moment at which the law changed, oldest first."""
    return list(view.index(moments_by_day).values())


@of_the_law
def moments_by_day(view: GameView) -> dict[tuple[int, int, str], Moment]:
    """Return every moment at which the law changed, oldest first, by its entry, its Unix day, and an inexact date."""
    found: dict[tuple[int, int, str], Moment] = {}
    for uid in (*view.ranked, *view.repealed):
        before: Document = {}
        for after in view.revisions(uid):
            seq, at = int(after.get("seq") or 0), seconds(after.get("at"))
            moment = found.setdefault((seq, (at or 0) // DAY, str(after.get("dated") or "")), Moment(seq, at))
            moment.at = max(moment.at or 0, at) if at is not None else moment.at
            moment.changes.append((uid, before, after))
            before = after
    return {key: found[key] for key in sorted(found)}


@of_the_law
def last_change(view: GameView) -> dict[str, int | None]:
    """Return when the law changed last, in Unix seconds, as `at`."""
    return {"at": next((moment.at for moment in reversed(moments(view))), None)}
