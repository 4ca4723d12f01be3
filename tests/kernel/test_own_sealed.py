"""What players seal to themselves alone: they commit and open without a keeper, and nobody else can do either."""

from __future__ import annotations

import json
from typing import Any

import pytest

from folkmoot.core.events import FOUNDING_DIGEST, Event
from folkmoot.kernel.replay import replay_entry
from folkmoot.kernel.sealed_data.vaults import without_keeper
from folkmoot.kernel.step import Kernel
from tests.support.table import Table, effects, rule, said

HANDS = rule(
    "1",
    """
    def first(a):
        return a

    def do_choose(a):
        chosen = get("game", "chosen") | {a.by: a.args.hand}
        put("game", "chosen", chosen)
        if len(chosen) == 2:
            for player in chosen:
                owe(player, "open your hand", by = now() + DAY, key = "open/" + player, do = "open_sealed")

    def on_unsealed(e):
        settle("open/" + e.player)
        announce("%s %s %s %s" % (e.player, e.action, e.argument, e.value))
        chosen = get("game", "chosen")
        if is_open(chosen):
            announce("all open: %s" % reveal(chosen))

    def on_duty_overdue(e):
        for duty in e.duties:
            award(duty.player, "score", -1)

    def do_peek(a):
        reveal(get("game", "chosen"))

    def do_look(a):
        put("game", "kept", sealed("first", get("game", "chosen")["ann"]))

    def do_lend(a):
        disclose(get("game", "chosen")["ann"], "cid")
    """,
    sealed={"first": "The same"},
    defines={
        "game": {"chosen": {"type": "map"}, "kept": {"type": "any", "sealed": "nobody"}},
        "currencies": {"score": {}},
    },
    actions={
        "choose": {"arguments": {"hand": {"type": "choice", "of": ["rock", "paper"], "sealed": "author"}}},
        "peek": {},
        "look": {},
        "lend": {},
    },
)


class Alone(Table):
    """A game in which nobody keeps a key."""

    def __init__(self, *rules: Any) -> None:
        super().__init__(*rules)
        self.keeper.vault = lambda _event, _chance: without_keeper(lambda: FOUNDING_DIGEST)  # type: ignore[method-assign]


@pytest.fixture
def table() -> Alone:
    found = Alone(HANDS)
    found.ok("ann", "choose", hand="rock")
    found.ok("bob", "choose", hand="paper")
    return found


def test_what_was_committed_to_is_opened(table: Alone) -> None:
    assert "rock" not in json.dumps(table.entries[1:])
    assert said(table.ok("ann", "open_sealed")) == ["ann choose hand rock"]
    assert said(table.ok("bob", "open_sealed", number=2)) == [
        "bob choose hand paper",
        'all open: {"ann": "rock", "bob": "paper"}',
    ]
    assert table.refused("bob", "open_sealed", number=2, value="paper", salt="", nonce="") == "E-DUP"


WRONG = [{"value": "paper"}, {"salt": "00" * 32}, {"salt": "no digits"}, {"nonce": "00" * 16}, {"nonce": "x"}]


@pytest.mark.parametrize(
    ("given", "code"),
    [*((each, "E-COMMITMENT") for each in WRONG), *(({"number": n}, "E-NO-SUCH") for n in (2, -1, 10**30))],
)
@pytest.mark.threat("T-89")
def test_nothing_else_is_opened(table: Alone, given: dict[str, Any], code: str) -> None:
    before = table.kernel.documents.everything()
    assert table.refused("ann", "open_sealed", **({"number": 1} | given)) == code
    assert table.kernel.documents.everything()["sealed/000"] == before["sealed/000"]


@pytest.mark.threat("T-89")
def test_a_copy_stops_nobody_and_opens_for_nobody() -> None:
    table = Alone(HANDS)
    box = table.keeper.seal(table.kernel, "choose", {"hand": "rock"}, 2, "ann")["hand"]
    table.ok("bob", "choose", hand=box)
    table.ok("ann", "choose", hand=box)
    assert table.refused("ann", "choose", hand=box) == "E-DUP"
    assert table.refused("bob", "open_sealed") == "E-COMMITMENT"
    table.ok("ann", "open_sealed")


@pytest.mark.parametrize("do", ["peek", "look"])
def test_no_rule_looks_into_it(table: Alone, do: str) -> None:
    outcome = table.act("cid", do)
    assert [failure.get("code") for failure in outcome.failures] == ["E-SEALED"]
    assert "is opened by nobody else" in outcome.failures[0]["error"]


def test_who_does_not_open_owes_it_and_a_replay_takes_what_was_opened(table: Alone) -> None:
    table.ok("ann", "open_sealed")
    table.refused("bob", "open_sealed", number=2, value="rock")
    assert effects(table.ok("cid", "lend"), "disclose") == [], "nobody is made a reader"
    table.pass_time(2 * 86_400)
    assert (table.get("ann", "score"), table.get("bob", "score")) == (0, -1)
    anew = Kernel()
    for entry in table.entries:
        replay_entry(entry, anew)
    assert anew.documents.everything() == table.kernel.documents.everything()


def test_what_is_in_clear_or_could_not_be_asked_for_counts_for_nothing() -> None:
    table = Alone(HANDS)
    event = Event(seq=2, at=table.now, do="choose", by="ann", with_={"hand": "rock"}, prev=table.prev())
    assert table.kernel.apply(event).code == "E-SEALED"
    table.kernel.undo()
    table.ok("ann", "choose", hand="canary")
    assert table.refused("ann", "open_sealed") == "E-SEALED-VALUE"
