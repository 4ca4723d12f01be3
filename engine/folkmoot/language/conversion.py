"""How plain data crosses into the interpreter and back: a quicker way for what is only text, numbers and truth values.

The binding imports the module `json` at every crossing and passes each value through its `loads` and `dumps`. Records
cross as one piece of text already, so all that these two mostly do is to quote a string and to unquote it.
"""

from __future__ import annotations

import json
import sys
from types import ModuleType
from typing import Any

import msgspec

DECODE = msgspec.json.Decoder().decode
QUOTE = json.encoder.encode_basestring_ascii
WORDS = {None: "null", True: "true", False: "false"}


def loads(text: Any, **how: Any) -> Any:
    """Return what `json.loads` returns, sooner; what it reads beyond JSON is left to it."""
    if not how:
        try:
            return DECODE(text)
        except (TypeError, ValueError, msgspec.DecodeError):
            pass
    return json.loads(text, **how)


def dumps(value: Any, **how: Any) -> str:
    """Return what `json.dumps` returns, sooner where the value is text, a whole number, a truth value or nothing."""
    kind = type(value)
    if kind is str and not how:
        return str(QUOTE(value))
    if value is None or kind is bool:
        return WORDS[value]
    return int.__repr__(value) if kind is int else json.dumps(value, **how)


def shorten() -> None:
    """Give whoever imports `json` from now on in this process the quicker functions; all others keep the module."""
    quick = ModuleType("json")
    quick.__dict__.update(vars(json), loads=loads, dumps=dumps)
    sys.modules["json"] = quick
