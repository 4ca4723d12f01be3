"""Pages to be searched, as many as are wanted and as those of a large game: made of moulds, not of a game that is played."""

from __future__ import annotations

import random
from collections.abc import Iterator
from html import escape
from itertools import accumulate
from pathlib import Path

from tests.large import law

OFTEN, SELDOM = 0.85, 20_000
RULES = 0.23
"""What share of the pages are rules, as in games that play themselves (see `tests.large.game`)."""
PAGE = """<!doctype html><html lang="en"><head><title>{title}</title></head><body><main data-pagefind-body>
<nav data-pagefind-ignore="index"><a data-pagefind-meta="game">The long game</a></nav><h1>{title}</h1>
{former}<p>{text}</p></main></body></html>
"""
FORMER = '<p data-pagefind-weight="8" data-pagefind-meta="former">{numbers}.</p>'


class Words:
    """Sentences in which a few words are frequent and very many seldom, as in what people write."""

    def __init__(self, chance: random.Random) -> None:
        """Draw the vocabulary by chance."""
        self.chance = chance
        parts = [a + b for a in ("b", "ch", "d", "gl", "k", "l", "m", "pr", "s", "tr", "v", "w") for b in "aeiou"]
        self.words = ["".join(chance.choice(parts) for _ in range(chance.randint(2, 4))) for _ in range(SELDOM)]
        self.weights = list(accumulate(1 / (rank + 10) for rank in range(SELDOM)))

    def text(self, known: list[str]) -> str:
        """Return some paragraphs, which name rules that are known."""
        said = law.text(self.chance, known)
        seldom = self.chance.choices(self.words, cum_weights=self.weights, k=max(3, len(said.split()) // 3))
        return f"{said} {' '.join(seldom)}."


def write_pages(game: Path, pages: int, seed: int = 1) -> list[str]:
    """Write about so many pages of rules and proposals below a game of a site; return words that are seldom in them."""
    chance = random.Random(seed)
    words, rules = Words(chance), int(pages * RULES)
    for path, text in _pages(words, rules, pages - rules):
        target = game / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8")
    return words.words


def _pages(words: Words, rules: int, proposals: int) -> Iterator[tuple[str, str]]:
    known = [str(301 + 3 * number) for number in range(rules)]
    for place, number in enumerate(known):
        former = FORMER.format(numbers=f"Formerly {int(number) + 50_000}") if place % 20 == 3 else ""
        yield f"law/{number}.html", _page(f"Rule {number}: {law.title(words.chance)}", words.text(known), former)
    for number in range(301, 301 + proposals):
        text = " ".join(words.text(known) for _ in range(words.chance.choice((1, 1, 2))))
        yield f"proposals/{number}.html", _page(f"Proposal {number}: {law.title(words.chance)}", text, "")


def _page(title: str, text: str, former: str) -> str:
    return PAGE.format(title=escape(title), text=escape(text), former=former)
