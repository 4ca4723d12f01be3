"""What a comment of ours says, read back out of its text for those who ask from a clone."""

from __future__ import annotations

from folkmoot.referee.comment import FLAWS, HEADS


def flaws_in(text: str) -> list[str]:
    """Return what a comment says is wrong with scripts and examples, a line each, as Markdown."""
    return _listed_below(text, FLAWS)


def obstacles_in(text: str) -> list[str]:
    """Return why a pull request was not taken in, as its comment says: what is wrong, not proper, or refused."""
    wrong = _listed_below(text, "#### What is wrong")
    law = _listed_below(text, "#### What the law says of it")
    no = [line for line in law if line.startswith(("It is **not proper", "It cannot be proposed"))]
    return [*wrong, *no, *answers_in(text)]


def answers_in(text: str) -> list[str]:
    """Return what a comment says of acts that wait, have no effect or were refused, a line each, as Markdown."""
    return [line for kind in ("waiting", "void", "refused") for line in _listed_below(text, f"{HEADS[kind]}:")]


def _listed_below(text: str, heading: str) -> list[str]:
    """Return the items of the list below a line that begins with a heading."""
    lines = text.split("\n")
    begins = next((place for place, line in enumerate(lines) if line.startswith(heading)), len(lines))
    rest = lines[begins + 1 :]
    found = rest[next((place for place, line in enumerate(rest) if line), len(rest)) :]
    end = next((place for place, line in enumerate(found) if not line.startswith("- ")), len(found))
    return [line.removeprefix("- ") for line in found[:end]]
