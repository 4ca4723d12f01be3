"""The sentence by which a law says how its game stands: what a rule answers to `decide_headline`, as words in a row."""

from __future__ import annotations

LONGEST = 240
"""Characters that are told of it."""
_CLOSING = ".,;:!?)"
"""What stands close behind what is before it."""


def parts_of(said: object) -> list[str]:
    """Return the parts of an answer, each with the space before it; none of what is no such sentence.

    An answer is a text, or a list of texts in which what names a player, rule or proposal stands alone.

    >>> parts_of(["Turn 3 of", "ann", ":", "nobody proposed."]), parts_of("All sleep. "), parts_of(["", 7])
    (['Turn 3 of', ' ann', ':', ' nobody proposed.'], ['All sleep.'], [])
    """
    if isinstance(said, str):
        return [" ".join(said.split())] if said.strip() else []
    if not isinstance(said, list) or not all(isinstance(part, str) and part.strip() for part in said):
        return []
    return [f"{'' if place == 0 or part[0] in _CLOSING else ' '}{part}" for place, part in enumerate(said)]


def told(said: object) -> str:
    """Return an answer on one line, cut short where it is too long; "" where there is none.

    >>> told(["It is the turn of", "ann", "."]), told(None), len(told("a" * 500))
    ('It is the turn of ann.', '', 240)
    """
    line = " ".join("".join(parts_of(said)).split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"
