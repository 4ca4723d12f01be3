"""Our one comment on each pull request: how it is marked, so that it is found again, and its text unchanged."""

from __future__ import annotations

_BEGIN = "<!-- folkmoot:referee -->\n"
_END = "\n<!-- folkmoot:end -->"
LONGEST = 65_536
"""How many characters GitHub takes."""
_ROOM = LONGEST - 1_000
_CUT = "\n\n… (the rest is in the game's record)"


def written(text: str, after: str = "") -> str:
    r"""Return the comment that says a text; `after` is added behind it.

    >>> said(written("Adopted.\n", "Merged as abc."))
    'Adopted.\n'
    """
    return f"{_BEGIN}{fitting(text)}{_END}" + (f"\n\n{after}" if after else "")


def fitting(text: str) -> str:
    """Return a text cut to what a comment holds, with what we put round it."""
    return text if len(text) <= _ROOM else text[: _ROOM - len(_CUT)] + _CUT


def said(body: str) -> str | None:
    """Return what a comment of ours says, None if it does not look like one.

    Line ends are as they were written, whatever the forge made of them.
    """
    plain = body.replace("\r\n", "\n")
    if not plain.startswith(_BEGIN):
        return None
    text, end, _ = plain.removeprefix(_BEGIN).rpartition(_END)
    return text if end else plain.removeprefix(_BEGIN)
