"""The seed of a sealed draw is opened once everything that rests on it is open or gone, or where an administrator insists."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from folkmoot.core.problems import ProblemError
from folkmoot.game.epoch_secrets import with_secrets
from folkmoot.game.keeper import opened_seed
from folkmoot.game.session import Done, Session
from folkmoot.kernel.sealed_data.vaults import KeptVault, RecordedVault, Vault
from tests.support.notes import Notes
from tests.support.table import START, rule

LAW = rule(
    "1",
    """
    def pair(a, b):
        return [a, b]

    def first(hand):
        return hand[0]

    def do_deal(a):
        deck = shuffle_sealed(["fox", "elk", "owl", "bat"])
        put("ann", "hand", sealed("pair", deck[0], deck[1]))
        put("bob", "hand", deck[2])

    def do_pick(a):
        put("cid", "hand", pick_sealed(["red", "blue"]))

    def do_take(a):
        put("game", "pile", [{"of": a.by, "card": sealed("first", get(a.by, "hand"))}])

    def do_wait(a):
        after(3600, "due", key = "due", what = get(a.by, "hand"))
        put(a.by, "hand", None)

    def on_due(e):
        put("game", "due", reveal(e.what))

    def do_drop(a):
        put(a.by, "hand", None)

    def do_show(a):
        reveal(get(a.by, "hand"))

    def do_empty(a):
        put("game", "pile", [])

    def do_mix(a):
        mixed = shuffle_sealed([get(a.by, "hand"), pick_sealed(["ace", "king"])])
        put(a.by, "hand", pick_sealed([[mixed[0], "joker"]]))

    def do_stash(a):
        put(proposal(901), "pile", get(a.by, "hand"))
        put(a.by, "hand", None)

    def do_shut(a):
        create("chest", "oak", pile = get(a.by, "hand"))
        put(a.by, "hand", None)

    def do_tuck(a):
        put(rule("1"), "pile", get(a.by, "hand"))
        put(a.by, "hand", None)

    def do_show_stash(a):
        reveal(get(proposal(901), "pile"))
    """,
    sealed={"pair": "Two cards", "first": "The first of two"},
    defines={
        "player": {"hand": {"type": "any", "sealed": "owner", "optional": True}},
        "proposal": {"pile": {"type": "any", "sealed": "nobody", "optional": True}},
        "rule": {"pile": {"type": "any", "sealed": "nobody", "optional": True}},
        "kinds": {"chest": {"registers": {"pile": {"type": "any", "sealed": "nobody", "optional": True}}}},
        "game": {"pile": {"type": "list"}, "due": {"type": "any", "optional": True}},
    },
    timers={"due": {"summary": "Something is due"}},
    actions={name: {} for name in "deal pick take wait drop show empty mix stash show_stash shut tuck".split()},
)


class Table(Notes):
    """A game of cards that are dealt, taken, held back and shown."""

    law = LAW

    def open(self, draw: int = 1, at: int = START, **more: Any) -> Done:
        """Let an administrator open the seed of a draw, as the referee and `moot act` do."""
        with Session.open(self.path, writing=True) as session:
            given = {"draw": draw, **more}
            asked = (session.record, session.document("game"), "ann", "open_seed", given)
            return session.act("ann", "open_seed", given, at=at, confided=with_secrets(*asked)[1])

    def why(self, done: Done) -> str:
        return str(done.entry["reasons"][0]["args"]["why"])


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    game = Table(tmp_path)
    assert game.act("ann", "deal").accepted
    yield game
    assert game.wrong() == {}


@pytest.mark.threat("T-84")
def test_what_a_draw_dealt_keeps_its_seed_closed(table: Table) -> None:
    """Also what was computed of it, where it lies now; the refused act holds nothing of the seed."""
    seed = opened_seed(table.record, table.record.archive("game"), 1)["seed"]
    done = table.open()
    assert (done.code, done.entry["with"]) == ("E-SEALED", {"draw": 1})
    assert table.why(done) == (
        "sealed draw 1 dealt what is still closed (hand of ann, hand of bob); `insist=true` has everybody see it all the same"
    )
    assert table.act("ann", "take").accepted
    assert table.act("ann", "show").accepted
    assert table.act("bob", "drop").accepted
    assert "(pile of game)" in table.why(table.open())
    assert seed.encode() not in table.bytes()
    assert table.act("ann", "empty").accepted
    assert table.open().accepted
    assert table.report().counts["opened_seeds"] == 1


@pytest.mark.threat("T-84")
def test_another_draw_keeps_no_seed_closed(table: Table) -> None:
    assert table.act("ann", "pick").accepted
    for player in ("ann", "bob"):
        assert table.act(player, "show").accepted
    assert table.open(1).accepted
    assert "(hand of cid)" in table.why(table.open(2))


@pytest.mark.threat("T-84")
def test_what_is_drawn_of_sealed_values_rests_on_their_draws_too(table: Table) -> None:
    assert table.act("ann", "show").accepted
    assert table.act("bob", "mix").accepted
    assert [table.open(draw).code for draw in (1, 2, 3, 4)] == ["E-SEALED"] * 4
    assert table.act("bob", "drop").accepted
    assert [table.open(draw).code for draw in (1, 2, 3, 4)] == [""] * 4


@pytest.mark.threat("T-84")
@pytest.mark.parametrize(
    ("act", "place"),
    [("stash", "pile of proposal/901"), ("shut", "pile of oak"), ("tuck", "pile of "), ("wait", "")],
)
def test_what_is_kept_elsewhere_keeps_the_seed_closed_until_it_is_shown_or_somebody_insists(
    table: Table, act: str, place: str
) -> None:
    assert table.act("ann", "propose", title="A stash", changes=[]).accepted
    assert table.act("ann", "show").accepted
    assert table.act("bob", act).accepted
    assert f"({place}" in table.why(table.open())
    if act == "stash":
        assert table.act("ann", "show_stash").accepted
        assert table.open().accepted
    elif act == "wait":
        assert table.open(at=START + 7_200).accepted  # the timer has opened it
    else:
        done = table.open(insist=True)
        assert (done.accepted, done.entry["with"]["insist"], len(done.entry["with"]["seed"])) == (True, True, 64)


def test_nobody_else_opens_a_seed(table: Table) -> None:
    with Session.open(table.path) as session:
        asked = (session.record, session.document("game"), "bob", "open_seed", {"draw": 1, "insist": True})
        assert with_secrets(*asked)[1] == {}
    assert table.act("bob", "open_seed", draw=1, insist=True).code == "E-NOT-ADMINISTRATOR"


@pytest.mark.threat("T-84")
def test_the_seed_of_what_an_older_engine_dealt_is_kept_unless_somebody_insists(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It recorded nothing of what rests on a draw; its journal verifies, and so does what comes after it."""
    with monkeypatch.context() as patch:
        patch.setattr(KeptVault, "rest", Vault.rest)
        patch.setattr(Vault, "rest", lambda _vault, _draws: [])
        patch.setattr(KeptVault, "rest", lambda _vault, _draws: [])
        assert table.act("ann", "deal").accepted
    assert not any("draws" in each for each in table.record.entry(table.record.head.seq)["sealed"])
    assert table.wrong() == {}
    with pytest.raises(ProblemError, match="an older engine drew sealed draw 2, and did not record"):
        table.open(2)
    assert table.open(2, insist=True).accepted


def test_a_record_that_says_otherwise_is_found(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    vault = RecordedVault({"seq": 1})
    vault.records.append({"made": 1, "commitment": "0" * 64, "draws": [1]})
    assert vault.rest([1]) == [1]
    with pytest.raises(ProblemError, match="rests on the sealed draws"):
        vault.rest([2])
    vault.records[-1].pop("draws")
    assert vault.rest([1]) == []
