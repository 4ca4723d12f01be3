"""Writes the table by which the engine knows characters, from the Unicode data of the Python that runs it.

Run it where a newer Unicode is wanted: `python ci/characters.py`. What names look like is law, so that no two
interpreters may disagree on it; a table with the engine decides, whose version the journal of a game names.
"""

from __future__ import annotations

import sys
import unicodedata
from itertools import groupby
from pathlib import Path

TABLE = Path(__file__).parent.parent / "engine" / "folkmoot" / "core" / "characters.txt"
INVISIBLE = ("Cf", "Cc", "Cs", "Co", "Zl", "Zp")
UNSEEN = ("Z", "C", "P", "M")
SMALL_CAPITAL = "LATIN LETTER SMALL CAPITAL "
HANGUL = range(0xAC00, 0xD7A4)  # taken apart by counting, not by the table


def parts(text: str) -> str:
    """Return a text in its compatible parts."""
    return unicodedata.normalize("NFKD", text)


def ranges(codes: list[int]) -> str:
    """Return numbers as hexadecimal ranges, `41-5a 61`."""
    spans = [[code for _, code in run] for _, run in groupby(enumerate(codes), lambda pair: pair[1] - pair[0])]
    return " ".join(f"{run[0]:x}-{run[-1]:x}" if len(run) > 1 else f"{run[0]:x}" for run in spans)


def small_capital(character: str) -> str:
    """Return the letter that a small capital shows, else the character itself."""
    name = unicodedata.name(character, "")
    return name[-1] if name.startswith(SMALL_CAPITAL) and name[-2] == " " else character


def lines() -> list[str]:
    """Return the table: its version, ranges of what is not seen, and what characters fold to where they change."""
    every = range(sys.maxunicode + 1)
    category = [unicodedata.category(chr(code)) for code in every]
    invisible = [code for code in every if category[code] in INVISIBLE]
    unseen = [code for code in every if category[code][0] in UNSEEN and chr(code) != "|"]
    known = [chr(code) for code in every if code not in HANGUL and category[code] not in ("Cn", "Cs", "Co")]
    stable = [one for one in known if parts(one) == one]
    return [
        f"unicode {unicodedata.unidata_version}",
        f"invisible {ranges(invisible)}",
        f"unseen {ranges(unseen)}",
        *_changes("parts", {one: parts(one) for one in known}),
        *_changes("capital", {one: small_capital(one) for one in stable}),
        *_changes("folded", {one: parts(one.casefold()) for one in stable}),
    ]


def _changes(kind: str, become: dict[str, str]) -> list[str]:
    """Return a heading with the number of characters that change, and a line for each."""
    found = [f"{ord(one):x} {' '.join(f'{ord(c):x}' for c in to)}" for one, to in become.items() if one != to]
    return [f"{kind} {len(found)}", *found]


if __name__ == "__main__":
    TABLE.write_text("\n".join(lines()) + "\n", "utf-8")
