"""The fast reader for files that only the engine writes (yaml-rs behind the guard).

Where the text holds anything that libraries read differently, or the fast one refuses it, the exact reader of
`folkmoot.files.nodes` decides and words the problem.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from folkmoot.core.problems import Position, fail
from folkmoot.core.values import DEEPEST_FILE
from folkmoot.files.scalars import WIDEST_READ

if TYPE_CHECKING:
    from pathlib import Path

LARGEST_EXACT = 1_000_000  # characters that are read exactly, which takes some seconds
_SCRIPT = "\nscript: |\n"
_BLOCK = re.compile(r"  [^\s][^\n]*\n(?:(?:  [^\n]*)?\n)*", re.ASCII)  # a literal block up to the end of its file
NOT_SIMPLE: Any = object()  # stands for the data of a text that libraries may read differently


def load_yaml(text: str, file: str) -> Any:
    """Return the plain data of a file that the engine wrote.

    Args:
        text: the file's text.
        file: its name, for messages.

    Raises:
        ProblemError: with the same problems as the strict reader's.
    """
    from folkmoot.files.yaml_guard import MAXIMUM_ENGINE_SIZE, check_text

    check_text(text, file, MAXIMUM_ENGINE_SIZE)
    value = load_simple(text)
    if value is not NOT_SIMPLE:
        return value
    if len(text) > LARGEST_EXACT:
        message = f"the file is not as the engine writes it, and has more than {LARGEST_EXACT:,} characters"
        raise fail("E-SIZE", message, Position(file), "so it was not read further")
    return _exactly(text, file)


def load_own(path: Path) -> Any:
    """Return the plain data of a file that the engine itself brings: no guard need stand before it.

    A test reads each of these files exactly too, and finds the same.
    """
    import yaml_rs

    return yaml_rs.loads(path.read_text("utf-8"), parse_datetime=False)


def load_simple(text: str) -> Any:
    """Return the plain data of a text that the guard has let pass, NOT_SIMPLE where only the exact reader may tell."""
    from folkmoot.files.yaml_guard import looks_simple

    return _loaded(text) if looks_simple(text) else _script_apart(text)


def _loaded(text: str) -> Any:
    import yaml_rs  # which is not needed where all files are known

    try:
        value = yaml_rs.loads(text, parse_datetime=False)
    except (yaml_rs.YAMLDecodeError, ValueError):  # of a number of more digits than Python reads
        return NOT_SIMPLE
    return value if _is_plain(value, 0) else NOT_SIMPLE


def _script_apart(text: str) -> Any:
    """Return the data of a file that ends with a rule's script in a literal block; NOT_SIMPLE where it is none.

    No library looks into such a block. What stands before it must be simple, and whole without it, so that no bracket
    or quotation mark can have begun there that ends in the script.
    """
    from folkmoot.files.yaml_guard import looks_simple

    head, _, block = text.partition(_SCRIPT)
    if not _BLOCK.fullmatch(block) or not looks_simple(head + "\n"):
        return NOT_SIMPLE
    data = _loaded(head + "\n")
    if type(data) is not dict or "script" in data:
        return NOT_SIMPLE
    lines = (line[2:] for line in block.split("\n"))
    return {**data, "script": "\n".join(lines).rstrip("\n") + "\n"}


def _exactly(text: str, file: str) -> Any:
    from folkmoot.files.nodes import compose
    from folkmoot.files.yaml_guard import MAXIMUM_ENGINE_SIZE

    return compose(text, file, MAXIMUM_ENGINE_SIZE).plain()


def _is_plain(value: Any, depth: int) -> bool:
    """Return whether nothing but what our files hold came out of the library, and not too deep."""
    kind = type(value)
    if kind is dict:
        return depth < DEEPEST_FILE and all(
            type(key) is str and (type(item) in _SCALARS or _is_plain(item, depth + 1)) for key, item in value.items()
        )
    if kind is list:
        return depth < DEEPEST_FILE and all(type(item) in _SCALARS or _is_plain(item, depth + 1) for item in value)
    return kind in _SCALARS or (kind is int and value.bit_length() <= WIDEST_READ)


_SCALARS = frozenset({str, bool, type(None)})
