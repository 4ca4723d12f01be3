"""A judge's bench: a game from a few rules, played through the judge's process, its journal kept and replayed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from folkmoot.core.events import FOUNDING_DIGEST, Event
from folkmoot.kernel.next_timer import next_due
from folkmoot.kernel.replay import Entry, entry_of
from folkmoot.sandbox.client import Applied, Sandbox
from folkmoot.sandbox.connection import SECONDS
from tests.support.table import START, rule

Record = dict[str, Any]

GROUND = rule(
    "1",
    """
    def do_work(a):
        add("game", "total", 1)

    def do_pay(a):
        transfer(a.by, a.args.to, "score", a.args.amount)
    """,
    actions={"work": {}, "pay": {"arguments": {"to": {"type": "player"}, "amount": {"type": "integer"}}}},
    defines={
        "game": {"total": {"type": "integer", "initial": 0}, "notes": {"type": "list", "initial": []}},
        "currencies": {"score": {"owners": "player", "initial": 100}},
    },
)
PEOPLE = [{"id": "ann"}, {"id": "bob"}, {"id": "cid"}]


class Pool:
    """Judges to be lent one after the other: each begins with a game of its own, in a process that is there already.

    A process takes a quarter of a second to start, and most tests are about what it does, not about its start.
    """

    def __init__(self) -> None:
        self._free: dict[int, list[Sandbox]] = {}

    @contextmanager
    def lend(
        self, documents: Record | None = None, *, seconds: float = SECONDS, hash_seed: int = 0
    ) -> Iterator[Sandbox]:
        """Lend a judge on documents, none of whose processes knows anything of the games before."""
        free = self._free.setdefault(hash_seed, [])
        judge = free.pop() if free else Sandbox(hash_seed=hash_seed)
        try:
            judge._seconds, judge._documents = seconds, dict(documents or {})
            if judge._child is not None:
                judge._load(judge._child)
            yield judge
        except BaseException:
            judge.close()
            raise
        free.append(judge)

    def close(self) -> None:
        for judge in (judge for free in self._free.values() for judge in free):
            judge.close()
        self._free.clear()


def found(judge: Sandbox, *rules: Record, **more: Any) -> Entry:
    given = {"rules": [GROUND, *rules], "players": PEOPLE, "administrators": ["root"], **more}
    applied = judge.apply(Event(seq=1, at=START, do="found", with_=given))
    assert applied.outcome.accepted, applied.outcome
    return entry(applied)


def act(judge: Sandbox, seq: int, do: str, by: str = "ann", at: int = START, **args: Any) -> Applied:
    return judge.apply(Event(seq=seq, at=at, do=do, by=by, with_=args, prev=FOUNDING_DIGEST))


def entry(applied: Applied) -> Entry:
    """Return the entry of what was judged, as it is read back from a file."""
    found: Entry = json.loads(json.dumps(entry_of(applied.event, applied.outcome)))
    return found


def documents(judge: Sandbox) -> Record:
    return dict(judge.documents())


def striking(script: str, **parts: Any) -> Record:
    return rule("66", script, actions={"strike": {}}, **parts)


def due_of(judge: Sandbox) -> tuple[int, str, str] | None:
    """Return (due, edge, key) of the timer that fires next."""
    kept = judge.current()
    return next_due(kept.get("game"), kept.get("things/timer"))
