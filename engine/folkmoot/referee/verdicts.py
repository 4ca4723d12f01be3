"""What became of things that people wrote: told in comments, and kept for their authors."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

from folkmoot.core.records import Reason
from folkmoot.forges.port import Heard

State = Literal["recorded", "refused", "waiting", "void", "told"]


class Verdict(Struct, frozen=True, kw_only=True):
    """What became of a fact: `what` was asked, and why it was refused, waits or does not count.

    Where somebody only asked (`told`), `lines` are the answer. `seq` is the entry that records it, `rule` the one that
    says so (its uid; its number where a comment tells of it), `own` says that it is the present content of its place.
    `person` is the author's id on the forge, `at` when it arrived (Unix seconds).
    """

    who: str
    what: str
    state: State
    code: str = ""
    why: str = ""
    rule: str = ""
    seq: int | None = None
    lines: tuple[str, ...] = ()
    own: bool = False
    fact: str = ""
    person: str = ""
    at: int = 0


def heard_of(game: str, place: str, verdicts: Iterable[Verdict]) -> tuple[Heard, ...]:
    """Return what became of what was written in a place (`pull 7`, `issue 3`, `thread`) of a game, as it is kept."""
    return tuple(
        Heard(
            person=verdict.person,
            fact=verdict.fact,
            game=game,
            place=place,
            at=verdict.at,
            what=verdict.what[:200],
            state=verdict.state,
            code=verdict.code,
            why=verdict.why[:1_000],
            rule=verdict.rule,
            seq=verdict.seq,
        )
        for verdict in verdicts
        if verdict.person
    )


def reason_of(code: str, reasons: Iterable[Reason]) -> tuple[str, str]:
    """Return the words of the reason that refused an act, and the uid of its rule; "" where there is none."""
    reason = next((each for each in reasons if each["code"] == code), None)
    if reason is None:
        return "", ""
    return str((reason.get("args") or {}).get("why") or ""), str(reason.get("rule") or "")
