"""What the pages of a site are called, in small files: a search answers a name or a number out of one of them at once.

A page stands in the file of the beginning of each word of its name, and of the names that it had before. Where a word
begins very many names, a few of them stand there, the law's and the newest first: the index of the whole finds the
others. Words with a digit are not left out anywhere, so what has no such number has none.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from folkmoot.site.unspaced_scripts import parted

FOLDER = "names"
"""Where these files lie beside an index."""
BEGINNING = 3
"""How many letters of a word say in which file it stands."""
PAGES_A_FILE = 80
"""About for how many pages there is one file more."""
MOST_FILES = 512
MOST_OF_A_WORD = 40
"""How many pages a file names for one word without a digit."""
FEW = 200
_LETTERS = re.compile(r"[^\W_]+")


class Named(NamedTuple):
    """A page's address from the root of its site, what it and its game are called, and what it was called before."""

    url: str
    title: str
    game: str = ""
    former: str = ""


def names_in_files(pages: Sequence[Named]) -> list[str]:
    """Return the texts of the files with the names of pages."""
    files = _in_files(pages, min(MOST_FILES, 1 << (len(pages) // PAGES_A_FILE).bit_length()))
    return [json.dumps(names, ensure_ascii=False, separators=(",", ":")) for names in files]


def _in_files(pages: Iterable[Named], count: int) -> list[list[Named]]:
    """Return the pages that each file names."""
    files: list[dict[Named, None]] = [{} for _ in range(count)]
    of_word: Counter[str] = Counter()
    known = {page.url: page for page in pages}
    for url in in_order(known, FEW):
        page = known[url]
        for word in dict.fromkeys(words_of(f"{page.title} {page.former}")):
            of_word[word] += 1
            if of_word[word] <= MOST_OF_A_WORD or any(map(str.isdecimal, word)):
                files[bucket(word, count)][page] = None
    return [list(names) for names in files]


def in_order(urls: Iterable[str], few: int) -> list[str]:
    """Return the addresses of pages as a search goes through them; folders with less than `few` pages come first."""
    named = [(url.rpartition("/")[0], url) for url in urls]
    sizes = Counter(folder for folder, _ in named)

    def rank(folder: str) -> int:
        name = folder.rpartition("/")[2]
        return 0 if sizes[folder] < few else 1 if name == "law" else 3 if name.startswith("journal") else 2

    ordered = sorted(named, key=lambda each: (-rank(each[0]), len(each[1]), each[1]), reverse=True)
    return [url for _, url in ordered]


def words_of(text: str) -> list[str]:
    """Return the words of a text, in small letters; each sign of a script without spaces is one.

    >>> words_of("Rule 投票")
    ['rule', '投', '票']
    """
    return _LETTERS.findall(parted(text.lower()))


def bucket(word: str, count: int) -> int:
    """Return the number of the file in which pages with a word in their name stand, as `assets/search.js` finds it.

    >>> bucket("tea", 8) == bucket("teapot", 8)
    True
    """
    found = 0
    for letter in word[:BEGINNING]:
        found = (found * 31 + ord(letter)) % 65521
    return found % count
