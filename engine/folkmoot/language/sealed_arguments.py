"""Which functions of the engine take what is sealed, and where: to keep it, to pass it on, to open it."""

from __future__ import annotations

from typing import Any

from folkmoot.core.values import sealed_number

TAKES = {
    "get": 3,
    "get_all": 3,
    "get_in": 4,
    "put": 3,
    "put_all": 2,
    "put_in": 4,
    "append": 3,
    "create": 3,
    "submit": 7,
    "sealed": 2,
    "is_open": 1,
    "reveal": 1,
    "declassify": 1,
    "disclose": 1,
    "draw_sealed": 2,
    "emit": 2,
    "emit_under": 3,
    "later": 2,
    "ask": 2,
    "ask_all": 2,
    "try_act": 3,
    "start_timer": 5,
    "announce": 2,
}
"""The place of the argument of each that may hold something sealed; all other arguments are looked at."""


def instead_of(asked: list[Any]) -> list[Any]:
    """Return what a script asks of the engine (name and arguments), or a refusal where it looks at what is sealed.

    >>> instead_of(["put", "ann", "hand", [{"$sealed": 1}]])[0], instead_of(["transfer", {"$sealed": 1}, "ann"])
    ('put', ['refuse_sealed', 'transfer'])
    """
    name = asked[0]
    looked_at = (each for place, each in enumerate(asked) if place != TAKES.get(name))
    return ["refuse_sealed", name] if any(map(holds, looked_at)) else asked


def holds(value: Any) -> bool:
    """Whether a value of a script, as it crosses the border, holds something sealed.

    >>> holds({"a": [1, {"$sealed": 2}]}), holds(["$sealed"])
    (True, False)
    """
    if isinstance(value, dict):
        return sealed_number(value) is not None or any(map(holds, value.values()))
    return isinstance(value, list) and any(map(holds, value))
