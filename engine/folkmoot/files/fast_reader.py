"""The fast reader for files that only the engine writes (yaml-rs behind the guard).

Where the text holds anything that libraries read differently, or the fast one refuses it, the exact reader of
`folkmoot.files.nodes` decides and words the problem.
"""

from __future__ import annotations

import re
from typing import Any

import yaml_rs

from folkmoot.core.values import DEEPEST_FILE
from folkmoot.files.yaml_guard import MAXIMUM_ENGINE_SIZE, check_text, looks_simple

_MAY_BE_WIDE = re.compile(r"(?<![0-9a-fA-F])[0-9a-fA-F]{1001}")  # a number that may be too wide, in hexadecimal too
NOT_SIMPLE: Any = object()  # stands for the data of a text that libraries may read differently


def load_yaml(text: str, file: str) -> Any:
    """Return the plain data of a file that the engine wrote.

    Args:
        text: the file's text.
        file: its name, for messages.

    Raises:
        ProblemError: with the same problems as the strict reader's.
    """
    check_text(text, file, MAXIMUM_ENGINE_SIZE)
    value = load_simple(text)
    return _exactly(text, file) if value is NOT_SIMPLE else value


def load_simple(text: str) -> Any:
    """Return the plain data of a text that the guard has let pass, NOT_SIMPLE where only the exact reader may tell."""
    if _MAY_BE_WIDE.search(text) or not looks_simple(text):
        return NOT_SIMPLE
    try:
        value = yaml_rs.loads(text, parse_datetime=False)
    except yaml_rs.YAMLDecodeError:
        return NOT_SIMPLE
    return value if _is_plain(value, 0) else NOT_SIMPLE


def _exactly(text: str, file: str) -> Any:
    from folkmoot.files.nodes import compose

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
    return kind in _SCALARS


_SCALARS = frozenset({str, int, bool, type(None)})
