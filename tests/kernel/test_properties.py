"""What holds for every play: refusals change nothing, replay composes, transfers conserve, undoing restores order."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from folkmoot.kernel.documents import Documents
from folkmoot.kernel.replay import replay
from folkmoot.kernel.step import Kernel
from tests.conftest import examples
from tests.support.table import VOTING, Table, rule

SOME = settings(max_examples=examples(60), suppress_health_check=list(HealthCheck))
LAW = rule(
    "1",
    """
    def do_pay(a):
        transfer(a.by, a.args.to, "score", a.args.amount)
        if a.args.amount == 3:
            require(False, "E-STATUS", "three is unlucky")
        if a.args.amount == 4:
            create("stone")
        if a.args.amount == 5:
            after(60, "bell", amount = roll(6))
        if a.args.amount == 6:
            fail("six")
    def on_bell(e):
        add("game", "rung", e.amount)
    def on_awarded(e):
        if e.award.amount == 7:
            put("game", "rung", 0)
            fail("seven")
    """,
    defines={
        "currencies": {"score": {"initial": 10, "maximum": 25}},
        "game": {"rung": {"type": "integer"}},
        "kinds": {"stone": {}},
    },
    actions={"pay": {"arguments": {"to": {"type": "any"}, "amount": {"type": "any"}}}},
)
PLAYERS = ("ann", "bob", "cid")
CHANGES = [
    {"repeal": "1"},
    {"enact": {"title": "x", "script": "def on_acted(e):\n    fail('x')\n"}},
    {"amend": "1", "text": "y"},
]
STEP = st.one_of(
    st.tuples(
        st.just("pay"),
        st.sampled_from([*PLAYERS, "zed"]),
        st.fixed_dictionaries({"to": st.sampled_from([*PLAYERS, "zed", None, 5]), "amount": st.integers(-3, 12) | st.booleans()}),
    ),
    st.tuples(st.just("tick"), st.none(), st.sampled_from([1, 60, 600])),
    st.tuples(st.just("propose"), st.sampled_from(PLAYERS), st.fixed_dictionaries({"changes": st.lists(st.sampled_from(CHANGES), max_size=2)})),
    st.tuples(
        st.just("vote"), st.sampled_from(PLAYERS),
        st.fixed_dictionaries({"proposal": st.integers(900, 904), "choice": st.sampled_from(["for", "against", "maybe"])}),
    ),
)  # fmt: skip


def total(table: Table) -> int:
    """Return all points in the game."""
    return sum(values.get("score", 0) for values in table.document("things/player").values())


def take(table: Table, step: Any) -> None:
    """Take one step; a refused one must change nothing but the record of failures."""
    do, by, given_ = step
    if do == "tick":
        table.pass_time(given_)
        return
    table.pass_time(0, after_deadlines=False)
    before = table.bytes(without_failures=True)
    outcome = table.judge(do, by, given_)
    assert outcome.accepted or table.bytes(without_failures=True) == before


KEYS = st.sampled_from("abcdef")
EDIT = st.one_of(
    st.tuples(st.just("assign"), KEYS, st.integers()), st.tuples(st.just("remove"), KEYS, st.none()),
    st.tuples(st.just("mark"), st.none(), st.none()), st.tuples(st.just("rollback"), st.none(), st.none()),
)  # fmt: skip


@given(st.dictionaries(KEYS, st.integers()), st.lists(EDIT, max_size=30))
def test_undoing_restores_documents_and_the_order_of_their_keys(start: dict[str, int], edits: list[Any]) -> None:
    documents = Documents({"things/x": dict(start)})
    target = documents["things/x"]
    kept: list[tuple[int, str]] = [(documents.mark(), json.dumps(target))]
    for kind, key, value in edits:
        assert documents.known.setdefault("things/x", json.dumps(target)) == json.dumps(target), (
            "an older one was known"
        )
        if kind == "assign":
            documents.assign("things/x", target, key, value)
        elif kind == "remove" and key in target:
            documents.remove("things/x", target, key)
        elif kind == "mark":
            kept.append((documents.mark(), json.dumps(target)))
        elif kind == "rollback":
            mark, before = kept[-1] if len(kept) == 1 else kept.pop()
            documents.rollback(mark)
            assert json.dumps(target) == before
    documents.rollback(0)
    assert json.dumps(target) == json.dumps(start)


@SOME
@given(st.lists(STEP, min_size=1, max_size=12), st.data())
def test_refusals_change_nothing_transfers_conserve_and_replay_composes(steps: list[Any], data: st.DataObject) -> None:
    table = Table(VOTING, LAW)
    for step in steps:
        take(table, step)
        assert total(table) == 30
    table.replay_all()
    cut = data.draw(st.integers(0, len(table.entries)))
    halfway = replay(table.entries[:cut], Kernel())
    restored = Kernel(json.loads(json.dumps(halfway.documents.everything())))
    ends = [replay(table.entries[start:], kernel) for start, kernel in ((cut, restored), (0, Kernel()))]
    assert json.dumps(ends[0].documents.everything()) == json.dumps(ends[1].documents.everything())
