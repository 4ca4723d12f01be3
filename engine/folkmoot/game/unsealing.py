"""Opening what a player sealed for an act, and saying why it cannot be taken: in full to its author, in secret."""

from __future__ import annotations

from collections.abc import Iterable

from folkmoot.core.problems import ProblemError
from folkmoot.core.records import Arguments
from folkmoot.sealing.boxes import Opening, open_box
from folkmoot.sealing.commitments import require_commitment
from folkmoot.sealing.contexts import AnyContext, Context, differences, named_differences, require_context
from folkmoot.sealing.errors import COMMITMENT, CONTEXT, READER
from folkmoot.sealing.keys import Identity

OTHERS = ("kind", "game", "author")
"""Parts of a context by which it is somebody else's: of what they sealed nothing is told."""
SHOWN = 40  # characters of a part of a context


class NotTaken(Exception):
    """What a player sealed is not taken: its code, and why, for its author alone."""

    def __init__(self, code: str, why: str) -> None:
        """Keep code and sentence."""
        super().__init__(code)
        self.code, self.why = code, why


def unseal(box: Arguments, expected: Context, key: str, identities: Iterable[Identity]) -> Opening:
    """Return what is in a box (with the `commitment` to it) that is sealed for a place; raises NotTaken.

    The nonce of `expected` is any; `key` is the public key of the keeper to which it had to be sealed.
    """
    try:
        found = open_box(box["box"], identities)
    except ProblemError as error:
        code = error.problems[0].code
        raise NotTaken(code, _unopened(code, error, expected, key)) from None
    try:
        require_context(found.context, expected)
        require_commitment(box["commitment"], found.context, found.value, found.salt)
    except ProblemError as error:
        code = error.problems[0].code
        said = _elsewhere(found.context, expected) if code == CONTEXT else _uncommitted(box, found)
        raise NotTaken(code, said if code in (CONTEXT, COMMITMENT) else error.problems[0].message) from None
    return found


def _unopened(code: str, error: ProblemError, expected: Context, key: str) -> str:
    if code != READER:
        return error.problems[0].message
    return f"the box does not open; it has to be sealed to key {expected.keeper} of the keeper, {key}"


def _elsewhere(found: AnyContext, expected: Context) -> str:
    """Return where a box belongs, and where it was found; of what is not its sender's only that."""
    differing = differences(found, expected)
    others = [name for name in differing if name in OTHERS]
    if others or not isinstance(found, Context):
        return f"this was sealed for another place ({named_differences(others)}), and what is in it is not yours to see"
    told = (f"{named_differences([name])} ({_part(found, name)}, not {_part(expected, name)})" for name in differing)
    return f"this was sealed for {', '.join(told)}"


def _part(context: Context, name: str) -> str:
    text = str(getattr(context, name)) or "nothing"
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


def _uncommitted(box: Arguments, found: Opening) -> str:
    return f"the commitment beside the box is {box['commitment']}, and that to what is in it {found.commitment}"
