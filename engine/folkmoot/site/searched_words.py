"""Which parts of a large index may hold a word: small files that spare readers the parts that have nothing for them.

Of each part they hold the beginnings of the words of its pages, of a few letters each. Whoever asks by no more than the
beginning of a word hears of every part with such a word; what nobody wrote is in none, and none is fetched for it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from folkmoot.site.page_names import BEGINNING, bucket, words_of

FOLDER = "words"
"""Where these files lie beside an index."""
LETTERS = 5
"""How many letters of a word are kept."""
FILES = 64
MOST = 30
"""From which part on all count as one: a reader's browser reckons with so many bits."""


def words_in_files(texts: Mapping[int, Iterable[str]]) -> list[str]:
    """Return the texts of the files that say which words parts, by number, have in their texts."""
    files: list[dict[str, int]] = [{} for _ in range(FILES)]
    for part, known in texts.items():
        beginnings = {word[:LETTERS] for text in known for word in set(words_of(text)) if len(word) >= BEGINNING}
        for word in sorted(beginnings):
            held = files[bucket(word, FILES)]
            held[word] = held.get(word, 0) | 1 << min(part, MOST)
    return [json.dumps(held, ensure_ascii=False, separators=(",", ":")) for held in files]
