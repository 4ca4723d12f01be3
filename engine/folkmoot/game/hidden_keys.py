"""The keys of a game's keeper, taken out of the environment; apart, because every command does that and no more."""

from __future__ import annotations

import os

VARIABLE = "FOLKMOOT_SEALING"
_hidden = [""]


def hide_keeper_keys() -> None:
    """Take the keys out of the environment, so that no process that is started from now on gets them."""
    found = os.environ.pop(VARIABLE, "")
    if found.strip():
        _hidden[0] = found


def hidden_keys() -> str:
    """Return the keys as the environment held them, "" where it held none."""
    hide_keeper_keys()
    return _hidden[0]
