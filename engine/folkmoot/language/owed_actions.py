"""Which actions a script says are owed, as far as that can be read: `do` of owe() and owe_all()."""

from __future__ import annotations

from collections.abc import Iterator

from folkmoot.language.declarations import prelude
from folkmoot.language.functions import Call, Reading
from folkmoot.language.tokens import Token, unquote

OWING = ("owe", "owe_all")


def owed_actions(reading: Reading) -> Iterator[tuple[str, Token]]:
    """Yield each action that a duty names in plain words, with its place."""
    for call in reading.calls:
        if call.name in OWING:
            yield from _named_by(call)


def _named_by(call: Call) -> Iterator[tuple[str, Token]]:
    place = prelude()[call.name].names.index("do")
    for number, argument in enumerate(call.arguments):
        named = len(argument) > 1 and argument[1].text == "="
        value = argument[2:] if named else argument
        meant = argument[0].text == "do" if named else number == place
        if meant and all(token.kind == "string" or token.text in "[]," for token in value):
            yield from ((unquote(token.text), token) for token in value if token.kind == "string")
