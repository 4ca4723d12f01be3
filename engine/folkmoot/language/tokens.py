"""The tokens of a script.

A tokenizer of our own rather than Python's, whose tokens change from one version of Python to the next: what is refused
because of them must be the same on every machine. It takes any text and never raises.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

# Whatever stands anywhere is some token, so that nothing is gone over twice; no possessive quantifiers, which Pythons
# before 3.11.5 get wrong.
TOKEN = re.compile(
    r"""[ \t]*(?:\\\n[ \t]*)*(?:
      (?P<newline>\n)
    | (?P<comment>\#[^\n]*)
    | (?P<string>(?:[rRbBfF]{1,2}(?=["']))?(?:
          \"{3}(?:[^\\"]|\\.|"(?!""))*(?:"{3}|\Z)
        | '{3}(?:[^\\']|\\.|'(?!''))*(?:'{3}|\Z)
        | "(?:[^"\\\n]|\\.)*(?:"|(?=\n)|\\?\Z)
        | '(?:[^'\\\n]|\\.)*(?:'|(?=\n)|\\?\Z) ))
    | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
    | (?P<float>[0-9]+(?:\.[0-9]*(?:[eE][+-]?[0-9]+)?|[eE][+-]?[0-9]+)|\.[0-9]+(?:[eE][+-]?[0-9]+)?)
    | (?P<number>0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+|[0-9]+)
    | (?P<end>\Z)
    | (?P<operator><<=?|>>=?|//=?|\*\*|->|\.\.\.|[=!<>+\-*/%&|^]=|[^ \t])
    )""",
    re.VERBOSE | re.DOTALL,
)
KINDS = ["", *sorted(TOKEN.groupindex, key=lambda name: TOKEN.groupindex[name])]  # of tokens, by number of the group
KEYWORD_OPERATORS = frozenset({"and", "or", "not", "in", "if", "else", "lambda", "for"})
OPENING, CLOSING = frozenset("([{"), frozenset(")]}")


class Token(NamedTuple):
    """A piece of script: kind (name, number, float, string, operator, newline), text and place."""

    kind: str
    text: str
    line: int
    column: int


@lru_cache(maxsize=512)
def tokenize(script: str) -> list[Token]:
    """Cut a script into tokens; comments and blanks are left out, line ends inside brackets are not.

    Several readers of one script follow each other and share the list, which none of them may change.
    """
    tokens: list[Token] = []
    add, make, kinds = tokens.append, tuple.__new__, KINDS
    line, line_start, is_continued = 1, 0, "\\\n" in script
    for match in TOKEN.finditer(script):
        group = match.lastindex or 0
        kind, start = kinds[group], match.start(group)
        if is_continued and "\\" in script[match.start() : start]:
            line += script.count("\n", match.start(), start)
            line_start = script.rindex("\n", 0, start) + 1
        text = match[group]
        if kind == "newline":
            add(make(Token, (kind, text, line, start - line_start + 1)))
            line += 1
            line_start = start + 1
        elif kind == "end":  # blanks before it are gone through once, not anew from each of them
            break
        elif kind != "comment":
            add(make(Token, (kind, text, line, start - line_start + 1)))
            if kind == "string" and "\n" in text:
                line += text.count("\n")
                line_start = start + text.rindex("\n") + 1
    return tokens


def first_of_lines(tokens: list[Token]) -> Iterator[Token]:
    """Yield the first token of each line that is not empty."""
    fresh = True
    for token in tokens:
        if fresh and token.kind != "newline":
            yield token
        fresh = token.kind == "newline"


def is_operand(token: Token) -> bool:
    """Return whether a token can end an operand."""
    return token.text in CLOSING or token.kind in ("number", "string") or is_plain_name(token)


def is_plain_name(token: Token) -> bool:
    """Return whether a token is a name and no operator word."""
    return token.kind == "name" and token.text not in KEYWORD_OPERATORS and token.text != "return"


def arguments(tokens: list[Token], place: int) -> list[list[Token]]:
    """Return the parts between the commas of the brackets that open at a place; none where none opens."""
    parts: list[list[Token]] = [[]]
    level = 0
    for token in tokens[place : place + 400]:
        level += (token.text in OPENING) - (token.text in CLOSING)
        if level == 0:
            break
        if level == 1 and token.text == ",":
            parts.append([])
        elif token.kind != "newline" and not (level == 1 and token.text == "(" and parts == [[]]):
            parts[-1].append(token)
    return [part for part in parts if part]


def after_brackets(tokens: Sequence[Token], place: int) -> int:
    """Return the place after the brackets that open at a place."""
    level = 0
    for at in range(place, len(tokens)):
        level += (tokens[at].text in OPENING) - (tokens[at].text in CLOSING)
        if level == 0:
            return at + 1
    return len(tokens)


def unquote(text: str) -> str:
    """Return the content of a simple string literal; escapes stay as they are."""
    return text.lstrip("rRbBfF").strip("\"'") if text[-1:] in ("'", '"') else text
