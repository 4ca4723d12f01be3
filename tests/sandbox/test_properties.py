"""What holds whatever is played: found by random play through the judge's process."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from folkmoot.core.events import Event
from folkmoot.core.problems import ProblemError
from folkmoot.journal.layout import entry_bytes
from folkmoot.kernel.replay import Entry
from folkmoot.sandbox.client import Sandbox
from tests.support.bench import Pool, Record, act, documents, due_of, entry, found
from tests.support.table import START, rule

LIVELY = rule(
    "2",
    """
    def do_gamble(a):
        side = roll(6)
        for p in shuffle(things("player")):
            award(p, "score", side if p == a.by else -1)
        put("game", "diary", [side, pick(things("player"))])

    def do_plan(a):
        after(a.args.seconds, "bell", by = a.by)

    def on_bell(e):
        award(e.by, "score", 10)

    def do_break(a):
        add("game", "total", 1000)
        emit("noise")
        fail("broken")

    def on_noise(e):
        {}["missing"]

    def do_name(a):
        put("game", "diary", [{a.args.word: [a.args.word], "b": 1, "a": 2}])
    """,
    defines={"game": {"diary": {"type": "list", "optional": True}}},
    actions={
        "gamble": {},
        "plan": {"arguments": {"seconds": {"type": "integer"}}},
        "break": {},
        "name": {"arguments": {"word": {"type": "text"}}},
    },
)
PLAYERS = st.sampled_from(["ann", "bob", "cid", "zed"])
WORDS = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), max_size=12)
ACTS = st.one_of(
    st.tuples(PLAYERS, st.sampled_from(["work", "gamble", "break", "unheard_of"]), st.just({})),
    st.tuples(PLAYERS, st.just("pay"), st.fixed_dictionaries({"to": PLAYERS, "amount": st.integers(-5, 300)})),
    st.tuples(PLAYERS, st.just("plan"), st.fixed_dictionaries({"seconds": st.integers(-1, 5)})),
    st.tuples(PLAYERS, st.just("name"), st.fixed_dictionaries({"word": WORDS})),
)
GAMES = st.lists(ACTS, max_size=12)
FEW = settings(max_examples=8)


def play(judge: Sandbox, game: list[tuple[str, str, Record]]) -> list[Entry]:
    """Play a game a second at a time, with the timers that fall due; return its journal."""
    entries = [found(judge, LIVELY)]
    for number, (by, do, args) in enumerate(game, 1):
        now = START + number
        while (due := due_of(judge)) and due[0] <= now:
            fired = judge.apply(Event(seq=len(entries) + 1, at=due[0], do="tick", with_={"timer": due[2]}))
            entries.append(entry(fired))
        entries.append(entry(act(judge, len(entries) + 1, do, by, now, **args)))
    return entries


def scores(judge: Sandbox) -> int:
    return sum(values["score"] for values in documents(judge)["things/player"].values())


@FEW
@given(game=GAMES)
def test_the_same_play_gives_the_same_journal_in_every_process_and_with_every_hash_seed(
    judges: Pool, game: Any
) -> None:
    journals, states = [], []
    for seed in (0, 1, 4_000_000_000):
        with judges.lend(hash_seed=seed) as judge:
            journals.append([entry_bytes(made) for made in play(judge, game)])
            states.append(documents(judge))
    assert journals[0] == journals[1] == journals[2]
    assert states[0] == states[1] == states[2]


@FEW
@given(game=GAMES, data=st.data())
def test_replay_of_a_whole_is_replay_of_its_parts(judges: Pool, game: Any, data: st.DataObject) -> None:
    with judges.lend() as judge:
        entries = play(judge, game)
        played = documents(judge)
    cut = data.draw(st.integers(0, len(entries)))
    with judges.lend(hash_seed=1) as judge:
        judge.replay(entries[:cut])
        half = documents(judge)
    with judges.lend(half, hash_seed=2) as judge:
        judge.replay(entries[cut:])
        assert documents(judge) == played
    with judges.lend(hash_seed=1) as judge:
        judge.replay(entries)
        assert documents(judge) == played


@FEW
@given(game=GAMES)
def test_a_refused_act_changes_nothing_but_the_record(judges: Pool, game: Any) -> None:
    with judges.lend() as judge:
        entries = play(judge, game)
        for by, do, args in (("zed", "work", {}), ("ann", "pay", {"to": "bob", "amount": 10**9}), ("ann", "break", {})):
            before = documents(judge)
            refused = act(judge, len(entries) + 1, do, by, START + 100, **args)
            assert not refused.outcome.accepted
            assert refused.outcome.effects == []
            after = documents(judge)
            assert {**after, "law": None} == {**before, "law": None}
            assert [meta["suspended"] for meta in after["law"]["rules"].values()] == [None, None]


@FEW
@given(payments=st.lists(st.tuples(PLAYERS, PLAYERS, st.integers(-5, 300)), max_size=15))
def test_transfers_conserve_amounts(judges: Pool, payments: Any) -> None:
    with judges.lend() as judge:
        found(judge)
        for number, (giver, to, amount) in enumerate(payments, 2):
            act(judge, number, "pay", giver, to=to, amount=amount)
            held = documents(judge)["things/player"]
            assert all(values["score"] >= 0 for values in held.values())
        assert scores(judge) == 300


@FEW
@given(game=GAMES, data=st.data())
def test_a_changed_entry_is_found_by_replay(judges: Pool, game: Any, data: st.DataObject) -> None:
    with judges.lend() as judge:
        entries = play(judge, [*game, ("ann", "work", {})])
    place = data.draw(st.sampled_from([n for n, made in enumerate(entries) if made.get("effects")]))
    effect = data.draw(st.integers(0, len(entries[place]["effects"]) - 1))
    entries[place] = {**entries[place], "effects": [dict(made) for made in entries[place]["effects"]]}
    entries[place]["effects"][effect]["forged"] = 1
    with (
        judges.lend(hash_seed=1) as judge,
        pytest.raises(ProblemError, match=f"entry {entries[place]['seq']}: effects"),
    ):
        judge.replay(entries)
