"""The sentence by which a law says how its game stands: what a rule answers to `decide_headline`, as words in a row."""

from __future__ import annotations

LONGEST = 240
"""Characters that are told of it."""
_CLOSING = ".,;:!?)"
"""What stands close behind what is before it."""

_INNER = str.maketrans("“”„«»", "‘’‚‹›")


def unquoted(words: str) -> str:
    """Return words with other quotation marks than those that are set around them, so that they cannot end those."""
    return words.translate(_INNER)


def quotation(words: object) -> str:
    """Return what a rule says on one line, in quotation marks."""
    return f"“{unquoted(' '.join(str(words).split()))}”"


def because(why: str, rule: str) -> str:
    """Return what stands behind a sentence to say why it is so: a rule's words are quoted, and it is named before.

    >>> because("it is late", "7"), because("", "7"), because("it is late", "")
    (', by rule 7: “it is late”', ' (rule 7)', ': it is late')
    """
    if rule and why:
        return f", by rule {rule}: {quotation(why)}"
    return f" (rule {rule})" if rule else f": {why}" if why else ""


def parts_of(said: object) -> list[str]:
    """Return the parts of an answer, each with the space before it; none of what is no such sentence.

    An answer is a text, or a list of texts in which what names a player, rule or proposal stands alone.

    >>> parts_of(["Turn 3 of", "ann", ":", "nobody proposed."]), parts_of("All sleep. "), parts_of(["", 7])
    (['Turn 3 of', ' ann', ':', ' nobody proposed.'], ['All sleep.'], [])
    """
    if isinstance(said, str):
        said = unquoted(said)
        return [" ".join(said.split())] if said.strip() else []
    if not isinstance(said, list) or not all(isinstance(part, str) and part.strip() for part in said):
        return []
    return [f"{'' if place == 0 or part[0] in _CLOSING else ' '}{unquoted(part)}" for place, part in enumerate(said)]


def told(said: object) -> str:
    """Return an answer on one line, cut short where it is too long; "" where there is none.

    >>> told(["It is the turn of", "ann", "."]), told(None), len(told("a" * 500))
    ('It is the turn of ann.', '', 240)
    """
    line = " ".join("".join(parts_of(said)).split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"
