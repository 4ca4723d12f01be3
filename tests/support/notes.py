"""A game of sealed notes, and records of it that somebody mangled."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.support.keeper import KEY, Cards
from tests.support.table import VOTING, rule

LAW = rule(
    "1",
    """
    def same(x):
        return x

    def do_glance(a):
        drawn = pick_sealed(["heartsease", "heartsease"])
        put("ann", "note", drawn)
        reveal(drawn)
        if a.args.deeply:
            reveal(sealed("same", drawn))
        return refuse("E-NO", "it is taken back")

    def do_try(a):
        for n in range(a.args.times):
            try_act("glance", a.by, {"deeply": a.args.deeply})
        if a.args.draws:
            put("ann", "note", pick_sealed(["foxglove"]))
            put("ann", "copy", sealed("same", get("ann", "note")))

    def do_show(a):
        reveal([get("ann", "copy"), get("ann", "note")])

    def do_pair(a):
        put(a.by, "note", a.args.one)
        put(a.by, "copy", a.args.other)
    """,
    sealed={"same": "What it is given"},
    defines={
        "player": {
            "note": {"type": "any", "sealed": "owner", "optional": True},
            "copy": {"type": "any", "sealed": "owner", "optional": True},
        }
    },
    actions={
        "glance": {"arguments": {"deeply": {"type": "boolean"}}},
        "try": {
            "arguments": {"times": {"type": "integer"}, "deeply": {"type": "boolean"}, "draws": {"type": "boolean"}}
        },
        "show": {},
        "pair": {"arguments": {name: {"type": "any", "sealed": "owner"} for name in ("one", "other")}},
    },
)


class Notes(Cards):
    """A game of sealed notes."""

    law, others = LAW, [VOTING]

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.keep_key(KEY)
        assert self.open_sealing().accepted

    def wrong(self) -> dict[str, list[str]]:
        """Return what is wrong with the record, proved with and without the keeper's key."""
        with_key = [problem.message for problem in self.problems()]
        self.keep_key()
        without = [problem.message for problem in self.problems()]
        self.keep_key(KEY)
        return {name: found for name, found in (("with the key", with_key), ("without", without)) if found}


def mangled(value: Any) -> Iterator[Any]:
    """Yield a value with each of its parts left out, or of another form."""
    yield from (None, 7, "z" * 64, "é", "", [], {}, [value], {"opened": value})
    if isinstance(value, dict):
        for name in value:
            yield {key: item for key, item in value.items() if key != name}
            yield from ({**value, name: other} for other in mangled(value[name]) if other != value[name])
    if isinstance(value, list):
        yield [*value, *value]
        for place, item in enumerate(value):
            yield [*value[:place], *value[place + 1 :]]
            yield from ([*value[:place], other, *value[place + 1 :]] for other in mangled(item) if other != item)
