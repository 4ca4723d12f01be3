"""The one guard before any YAML library: size, characters, depth, and what our files never hold.

Anchors, aliases, tags, directives, merge keys and second documents are refused, because libraries differ in what they
make of them and some of them crash. `check_text` is the part that looks at the raw characters and is cheap enough for
a hundred thousand files; `looks_simple` says whether a library may be trusted with the rest.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import islice

from folkmoot.core.problems import Position, Problem, ProblemError
from folkmoot.core.values import DEEPEST_FILE, LARGEST_FILE, LONGEST_STRING
from folkmoot.files.canonical import PLAIN

MAXIMUM_SIZE = 200_000  # characters of a file that people write
MAXIMUM_ENGINE_SIZE = LARGEST_FILE  # characters of a file that only the engine writes
LONGEST_LINE = 12 * LONGEST_STRING  # characters: the longest string in a list of it, each written as an escape

_NEAR = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufdd0-\ufdef\ufeff\ufff9-\ufffb\ufffe\uffff\ud800-\udfff"
_FAR = "".join(f"{chr(plane * 0x10000 + 0xFFFE)}{chr(plane * 0x10000 + 0xFFFF)}" for plane in range(1, 17))
_FORBIDDEN = re.compile(f"[{_NEAR}\r\U0001fffe-\U0010ffff](?<=[{_NEAR}{_FAR}]|\r(?!\n))")


def _letters_and(marks: str) -> str:
    """Return a class of letters, digits, underscores, whatever lies beyond ASCII, and some marks.

    It names what is not in it: classes that go up to the last character take long to compile.
    """
    others = (chr(code) for code in range(0xA1) if not re.match(r"\w", chr(code), re.ASCII) and chr(code) not in marks)
    return f"[^{''.join(map(re.escape, others))}]"


_STRING = r"""(?:"(?:[^"\\\n]|\\[^\n])*"|'(?:[^'\n]|'')*')"""
_WORD, _KEY, _START = _letters_and("./()';@-"), _letters_and(" ./()-"), _letters_and("/~+.$(")
_ITEM = rf"[A-Za-z]{_WORD}*(?: {_WORD}+)*|-?[0-9]+|{_STRING}"
_LIST = r"\[(?:i(?:, i)*)?\]"
_INNER = rf"(?:i|{_LIST}|\{{(?:i: (?:i|{_LIST})(?:, i: (?:i|{_LIST}))*)?\}})"
_FLOW = rf"\{{i: {_INNER}(?:, i: {_INNER})*\}}|\[{_INNER}(?:, {_INNER})*\]"
"""Lists and maps in one line, in which each item (`_ITEM`) is an `i`."""
_LINE = (
    r"(?!---|\.\.\.)(?P<indent> *(?:- )*)"
    rf"(?:(?P<key>[A-Za-z0-9_]{_KEY}*|{PLAIN}|{_STRING}):(?: |$))?"
    rf"(?:(?P<block>[|>])(?P<said>[0-9]?)[+-]?|{_STRING}|\[\]|\{{\}}|(?P<flow>[\[{{].*)|#[^\n]*|"
    rf"(?P<plain>-?{_START}[^\n:#]*(?:(?::(?=\S)|(?<! )#)[^\n:#]*)*))?"
)
_LIKE_A_NUMBER = re.compile(r"[-+.:_0-9A-Fa-fxoXO \t]*", re.ASCII)  # whatever else holds more is one to nobody
_READ_DIFFERENTLY = re.compile(r"[0-9]_|(?<![^\W_])_+\.?[0-9]|\b0[bB][01]|[-+]0[xo]", re.ASCII)


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Return what a simple line matches, an item, and what holds items: compiled by who reads files."""
    return re.compile(_LINE, re.ASCII), re.compile(_ITEM, re.ASCII), re.compile(_FLOW)


def position_at(text: str, file: str, offset: int) -> Position:
    """Return the place of the character at `offset` (from 0) of `text`."""
    line = text.count("\n", 0, offset) + 1
    column = offset - (text.rfind("\n", 0, offset) + 1) + 1
    return Position(file, line, column)


def name_character(character: str) -> str:
    """Return how a character is named in messages, e.g. `U+0007`."""
    return f"U+{ord(character):04X}"


def check_text(text: str, file: str, maximum: int = MAXIMUM_SIZE) -> None:
    """Refuse a text that is too large or holds characters that no file of a game may hold.

    Raises:
        ProblemError: E-SIZE or E-CHARACTER, the latter for each such character of the first twenty.
    """
    if len(text) > maximum:
        place = Position(file, 1, 1)
        message = f"the file has {len(text):,} characters; at most {maximum:,} are read"
        raise ProblemError(Problem("E-SIZE", message, place, "split it, or shorten its text"))
    if len(text) > LONGEST_LINE and (longest := max(map(len, text.split("\n")))) > LONGEST_LINE:
        message = f"a line of the file has {longest:,} characters; at most {LONGEST_LINE:,} are read"
        raise ProblemError(Problem("E-SIZE", message, Position(file), "shorten it"))
    if _FORBIDDEN.search(text):
        raise ProblemError(*(_character_problem(text, file, hit) for hit in islice(_FORBIDDEN.finditer(text), 20)))


def _character_problem(text: str, file: str, hit: re.Match[str]) -> Problem:
    name = name_character(hit.group())
    hint = "save the file as UTF-8 without a byte-order mark" if name == "U+FEFF" else "delete it"
    place = position_at(text, file, hit.start())
    return Problem("E-CHARACTER", f"the character {name} may not stand in a file", place, hint, {"character": name})


def looks_simple(text: str) -> bool:
    """Return whether nothing in `text` can be what the guard refuses, nor nest so deeply that a library crashes."""
    lines = text.split("\n")
    if lines[-1]:
        return False
    place = 0
    while place < len(lines):
        line = lines[place]
        found = _known_line(line) if len(line) <= OFTEN else _simple_line(line)
        place += 1
        if not found:
            return False
        if found is not True:
            first, place = place, _end_of_block(lines, place, found)
            if place == first:
                return False
    return True


def _simple_line(line: str) -> re.Match[str] | bool:
    """Return whether a line is simple by itself; what it says where a literal block begins behind it."""
    simple, item, flow = _patterns()
    if (found := simple.fullmatch(line)) is None:
        return False
    indent, block, listed, plain = found.group("indent", "block", "flow", "plain")
    if len(indent) > DEEPEST_FILE * 2 or (plain and _may_be_a_number(plain)):
        return False
    if listed and not flow.fullmatch(item.sub("i", listed)):
        return False
    return found if block else True


OFTEN = 80
"""Up to how many characters a line is remembered: the files of a game are mostly lines that others have, too."""
_known_line = lru_cache(maxsize=10_000)(_simple_line)


def _may_be_a_number(text: str) -> bool:
    """Return whether some reader may take an unquoted text for a number: not because a box holds `+0x` by chance."""
    return bool(_READ_DIFFERENTLY.search(text) and _LIKE_A_NUMBER.fullmatch(text))


def _end_of_block(lines: list[str], start: int, head: re.Match[str]) -> int:
    """Return the place of the first line after a literal block that begins at `start`; `start` itself if in doubt."""
    outer = len(head["indent"]) - (0 if head["key"] else 2)
    first = next((line for line in lines[start:] if line), "")
    inner = outer + int(head["said"]) if head["said"] else len(first) - len(first.lstrip(" "))
    if inner <= max(outer, 0) or not first.startswith(" " * inner):
        return start
    margin = " " * inner
    end = next((n for n in range(start, len(lines)) if lines[n] and not lines[n].startswith(margin)), len(lines))
    return end if any(line.strip(" ") for line in lines[start:end]) else start  # of blanks alone libraries differ
