"""Where the documents of a game lie."""

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
