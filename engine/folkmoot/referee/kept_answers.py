"""What became of what people wrote, as it is kept for them beside the comments."""

from __future__ import annotations

from collections.abc import Iterable

from folkmoot.forges.port import Heard
from folkmoot.referee.recorder import Verdict


def heard_of(game: str, place: str, verdicts: Iterable[Verdict]) -> tuple[Heard, ...]:
    """Return what became of what was written in a place (`pull 7`, `issue 3`, `thread`) of a game."""
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
