"""No sequence of inputs makes a record that the same engine cannot open and prove; what is refused leaves no trace."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from folkmoot.core.events import Event
from folkmoot.core.values import flaw_of_event
from folkmoot.game.verify import verify
from folkmoot.journal import GameFolder
from folkmoot.kernel.replay import entry_of, is_silent, replay
from folkmoot.kernel.step import PYTHON_CALLS, Kernel
from tests.support.table import START, rule

sys.setrecursionlimit(PYTHON_CALLS)  # as every kernel does; not in the middle of a property

TEXTS = st.sampled_from(
    ["", "a", "k" * 990, "k" * 1_100, "\u200b", "\U000e0041" * 99, "\ud800", "no", "12:30", "$", "a\n b\n", "\x00", "a\u0301", "²"]
) | st.text(st.characters(codec=None), max_size=12)  # fmt: skip
DEEP = st.integers(1, 60).map(lambda depth: json.loads("[" * depth + "1" + "]" * depth))
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | TEXTS
    | st.sampled_from([1 << 4_096, (1 << 4_096) - 1, 10**4_000])
)
VALUES = st.recursive(
    SCALARS | DEEP, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3), max_leaves=6
)
NAMES = st.sampled_from(["ann", "bob", "zed", "stranger", "z" * 1_100, "", "\ud800"])
ACTS = st.tuples(
    NAMES,
    st.sampled_from(["keep", "keep", "keep", "join", "state", "vote", "nothing", "d" * 1_100, "\ud800"]),
    st.dictionaries(TEXTS, VALUES, max_size=2) | VALUES.map(lambda value: {"v": value, "how": "put"})
    | st.tuples(VALUES, st.sampled_from(["emit", "later", "timer", "announce", "owe", "key", "create", "label", "require", "answer"]))
    .map(lambda pair: {"v": pair[0], "how": pair[1]})
    | VALUES.map(lambda value: {"id": "zed", "attributes": {"x": value}}),
    st.none() | st.fixed_dictionaries({"forge": st.just("local"), "pull": st.just(3), "fact": TEXTS, "arrived": st.just(START)}),
)  # fmt: skip
KEEPER = rule(
    "1",
    """
    def do_join(a):
        create("player", id = a.args.id, **(a.args.attributes or {}))

    def do_keep(a):
        v = a.args.v
        how = a.args.how
        key = v if type(v) == "string" else "k"
        if how == "put":
            put("game", "any", {"v": v})
        elif how == "emit":
            emit("happened", v = v)
        elif how == "later":
            later("happened", v = v)
        elif how == "timer":
            after(60, "ring", key = key, v = v)
        elif how == "announce":
            announce(key, v = v)
        elif how == "owe":
            owe(a.by, key, key = key)
        elif how == "key":
            put("game", "any", {key: {key: v}})
        elif how == "create":
            create("stone", note = v)
        elif how == "label":
            label(me(), status = key)
        elif how == "require":
            require(False, key, key)
        elif how == "answer":
            put("game", "any", {"a": ask("echo", v)})

    def decide_echo(v):
        return [v, v]

    def on_happened(e):
        put("game", "any", {"heard": e.v})

    def on_ring(e):
        announce("rang", v = e.v)
    """,
    defines={"game": {"any": {"type": "map"}}, "kinds": {"stone": {"registers": {"note": {"type": "any"}}}}},
    actions={
        "keep": {"arguments": {"v": {"type": "any", "optional": True}, "how": {"type": "string"}}},
        "join": {
            "who": "anyone",
            "arguments": {"id": {"type": "string"}, "attributes": {"type": "map", "optional": True}},
        },
    },
)


class Kept:
    """A game on disk, judged in this process."""

    def __init__(self, folder: Path) -> None:
        """Found it."""
        self.record = GameFolder(folder, durable=False)
        self.kernel = Kernel()
        law = {
            "rules": [KEEPER],
            "players": [{"id": "ann"}, {"id": "bob"}],
            "administrators": ["root"],
            "title": "T",
            "zone": "UTC",
        }
        self.judge(START, "found", None, law, {})

    def judge(self, at: int, do: str, by: str | None, with_: Any, via: Any) -> None:
        """Judge and record one event, as a session does."""
        head = self.record.head
        event = Event(seq=head.seq + 1, prev=head.digest, at=at, do=do, by=by, with_=with_, via=via or {})
        flaw = flaw_of_event(event.given())
        outcome = self.kernel.apply(event)
        changed = self.kernel.documents.export(outcome.changed)
        if flaw:
            assert (outcome.accepted, outcome.code, changed) == (False, "E-ARGS", {})
            assert outcome.reasons == [{"code": "E-ARGS", "args": {"why": flaw}}]
        elif not (do == "tick" and is_silent(outcome)):
            self.record.append([entry_of(event, outcome)], changed)

    def act(self, at: int, by: str, do: str, with_: Any, via: Any) -> None:
        """Let somebody act after the timers due before."""
        while (due := self.kernel.next_due()) and due[0] < at:
            self.judge(due[0], "tick", None, {"timer": due[2]}, {})
        self.judge(at, do, by, with_, via)


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(acts=st.lists(ACTS, max_size=6))
def test_whatever_comes_the_record_opens_and_is_sound(acts: list[Any], tmp_path: Path) -> None:
    folder = tmp_path / "game"
    shutil.rmtree(folder, ignore_errors=True)
    game = Kept(folder)
    for place, (by, do, with_, via) in enumerate(acts):
        game.act(START + 40 * (place + 1), by, do, with_, via)
    report = verify(game.record, lambda entries: replay(entries, Kernel()).documents.everything())
    assert report.sound, report.problems
    opened = game.record.load()
    assert {key: opened[key] for key in opened if key != "head"}.keys() <= game.kernel.documents.everything().keys()
