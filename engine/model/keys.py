"""Where the documents of a game lie, and in which order rules stand."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=1024)
def proposal_key(identifier: str) -> str:
    """Return the document key of a proposal's or motion's id.

    >>> proposal_key("proposal/305"), proposal_key("motion/34"), proposal_key("proposal/x12")
    ('proposals/300/305', 'votes/motion/000/34', 'proposals/none/x12')
    """
    kind, _, number = identifier.partition("/")
    bucket = f"{int(number) // 100 * 100:03d}" if number.isdecimal() else "none"
    return f"proposals/{bucket}/{number}" if kind == "proposal" else f"votes/{kind}/{bucket}/{number}"


def number_key(number: str | None) -> tuple[tuple[int, int, str], ...]:
    """Return a key that sorts numbers of rules as people count: 9 before 10, 2-9 before 2-10.

    >>> sorted(["10", "9", "2-10", "2-9"], key=number_key)
    ['2-9', '2-10', '9', '10']
    """
    parts = (number or "").replace(".", "-").split("-")
    return tuple((0, int(part), "") if part.isdigit() else (1, 0, part) for part in parts)
