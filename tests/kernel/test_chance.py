"""Draws: exact, without bias, replayable, checkable once the secret is known; and scenarios that claim chances."""

from __future__ import annotations

import hmac
import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from folkmoot.core.digest import event_digest, is_marker, marker, value_digest
from folkmoot.core.problems import Problem, ProblemError
from folkmoot.kernel.chance import (
    Chance,
    Scripted,
    check_draws,
    epoch_name,
    open_chance,
    read_specification,
    recorded_chance,
    secret_chance,
    subkey,
    unbiased,
)
from folkmoot.scenarios.dice import LONGEST, LOOK_EVERY, enumerate_outcomes
from folkmoot.scenarios.scenario import Failed, run_scenario
from tests.conftest import examples
from tests.support.table import rule


def scripted_chance(dice: list[Any]) -> Chance:
    return Chance(Scripted(dice))


SECRET = b"a secret that nobody else knows"
EVENT = {
    "seq": 7, "prev": "ab" * 32, "at": 1_767_614_400, "by": "ann", "do": "roll", "with": {"why": "to move"},
}  # fmt: skip


def entry_of(event: dict[str, Any], chance: Chance) -> dict[str, Any]:
    return event | {"draws": chance.records}


def chance_of(event: dict[str, Any], epoch: int = 1) -> Chance:
    return secret_chance(subkey(SECRET, event["prev"], event_digest(event)), epoch)


def test_a_draw_is_the_published_formula() -> None:
    """Anybody can compute a roll by hand from the opened secret: two HMACs and a remainder."""
    key = hmac.digest(SECRET, f"folkmoot draws 1\n{EVENT['prev']}\n{event_digest(EVENT)}".encode(), "sha256")
    first = int.from_bytes(hmac.digest(key, b"0\nattack", "sha256"))
    second = int.from_bytes(hmac.digest(key, b"1\ndefence", "sha256"))
    chance = chance_of(EVENT)
    assert chance.integer(1, 6, "attack") == 1 + first % 6
    assert chance.integer(10, 109, "defence") == 10 + second % 100
    assert chance.records == [
        {"label": "attack", "spec": {"integer": [1, 6]}, "result": 1 + first % 6, "source": "epoch 1"},
        {"label": "defence", "spec": {"integer": [10, 109]}, "result": 10 + second % 100, "source": "epoch 1"},
    ]


@pytest.mark.parametrize("n", [1, 2, 3, 6, 7, 100, 255, 256])
def test_no_remainder_is_favoured(n: int) -> None:
    """Over all digests of one byte every result comes equally often, and a digest is rejected only for that."""
    results = Counter(unbiased(bytes([value]), n) for value in range(256))
    rejected = results.pop(None, 0)
    assert rejected == 256 % n
    assert set(results.values()) == {256 // n}
    assert sorted(results) == list(range(n))


def test_same_inputs_same_draws_and_other_inputs_others() -> None:
    def rolls(chance: Chance) -> tuple[int, ...]:
        return tuple(chance.integer(1, 1_000_000, "x") for _ in range(4))

    base = rolls(chance_of(EVENT))
    assert rolls(chance_of(EVENT)) == base
    assert len(set(base)) == 4
    for change in ({"seq": 8}, {"prev": "cd" * 32}, {"at": 0}, {"by": "bob"}, {"do": "x"}, {"with": {}}, {"as": "a"}):
        assert rolls(chance_of(EVENT | change)) != base


def test_open_dice_need_no_secret_and_say_so() -> None:
    chance = open_chance(EVENT["prev"], event_digest(EVENT))
    chance.permutation(5, "deal")
    assert chance.records[0]["source"] == "open"
    entry = entry_of(EVENT, chance)
    assert check_draws(b"", entry) == []
    entry["draws"][0]["result"] = entry["draws"][0]["result"][::-1]
    assert [p.code for p in check_draws(b"", entry)] == ["E-DRAW"]


def test_scripted_dice_name_what_is_drawn_or_its_place_and_stand_for_words_of_a_label() -> None:
    chance = scripted_chance(
        [4, {"label": "tackle", "gives": False}, {"gives": [1, 0]}, {"label": "Deal", "gives": True}]
    )
    assert chance.integer(1, 6, "x") == 4
    assert chance.happens(1, 2, "tackle") is False
    assert chance.permutation(2, "deal") == [1, 0]
    assert chance.happens(1, 2, "deal of bob") is True
    chance.source.finish()
    assert [record["source"] for record in chance.records] == ["script"] * 4
    chance = scripted_chance(["bob", 0, {"label": "kick-off", "gives": "ann"}])
    assert [chance.position(["ann", "bob"], "kick-off") for _ in range(3)] == [1, 0, 0]
    assert (chance.records[0]["spec"], chance.records[0]["result"]) == ({"integer": [0, 1]}, 1)
    numbers = scripted_chance([3, 0])  # where numbers are drawn from, theirs goes first
    assert [numbers.position([2, 3, 5, 7], "section") for _ in range(2)] == [1, 0]
    named, numbered = open_chance("p", "d"), open_chance("p", "d")
    assert [named.position("abcdef", "x") for _ in range(9)] == [numbered.integer(0, 5, "x") for _ in range(9)]


def integer(chance: Chance) -> Any:
    return chance.integer(1, 6, "attack")


@pytest.mark.parametrize(
    ("dice", "draw", "part"),
    [
        ([], integer, "gives? only 0"),
        ([7], integer, "cannot give 7"),
        ([0], integer, "cannot give 0"),
        (["4"], integer, "cannot give '4'"),
        ([True], integer, "cannot give True"),
        ([4.0], integer, "cannot give 4.0"),
        ([{"label": "tackle", "gives": 4}], integer, "'tackle'"),
        ([{"label": "tack", "gives": 4}], lambda c: c.integer(1, 6, "tackle by bob"), "'tack'"),
        ([{"label": "attack"}], integer, "cannot give None"),
        ([4, 2], lambda c: (integer(c), c.source.finish()), "1 of the 2"),
        (["cid"], lambda c: c.position(["ann", "bob"], "kick-off"), "cannot give 'cid'; it is one of ann, bob"),
        *(
            ([order], lambda c: c.permutation(3, "deal"), "E-DICE")
            for order in ([0, 1], [0, 1, 1], [1, 2, 3], [True, 0, 2], "012", [0, 1, 2, 3])
        ),
        *(
            ([gives], lambda c, odds=odds: c.happens(*odds), "E-DICE")
            for odds, gives in (((0, 2), True), ((2, 2), False), ((1, 2), 1), ((1, 2), 0))
        ),
    ],
)
def test_wrong_dice_are_refused(dice: list[Any], draw: Callable[[Chance], Any], part: str) -> None:
    with pytest.raises(ProblemError, match=part):
        draw(scripted_chance(dice))


IMPOSSIBLE: dict[str, list[tuple[int, ...]]] = {
    "integer": [(2, 1), (0, 1 << 256)], "permutation": [(-1,), (100_001,)], "happens": [(2, 1), (-1, 1), (0, 0)],
}  # fmt: skip


def test_impossible_draws_are_refused_and_certain_ones_certain() -> None:
    chance = chance_of(EVENT)
    for draw, of in ((draw, of) for draw, each in IMPOSSIBLE.items() for of in each):
        with pytest.raises(ProblemError, match="E-ARGS"):
            getattr(chance, draw)(*of)
    assert chance.records == []
    assert {(chance.happens(3, 3), chance.happens(0, 3)) for _ in range(20)} == {(True, False)}


# -- replay


def play(chance: Chance) -> list[Any]:
    return [chance.integer(1, 6, "a"), chance.permutation(4, "b"), chance.happens(2, 3, "c")]


@settings(max_examples=examples(40))
@given(st.binary())
def test_replay_gives_the_same(key: bytes) -> None:
    first = secret_chance(key)
    results = play(first)
    assert sorted(results[1]) == [0, 1, 2, 3]
    again = recorded_chance(first.records)
    assert play(again) == results
    assert again.records == first.records
    again.source.finish()


def test_replay_names_the_difference() -> None:
    chance = chance_of(EVENT)
    play(chance)
    for records, draw, told in (
        (chance.records, lambda c: c.integer(1, 8, "a"), "E-REPLAY: draw 1 was"),
        (chance.records, lambda c: c.integer(1, 6, "other"), "E-REPLAY: draw 1 was"),
        ([], lambda c: c.integer(1, 6, "a"), "is not in the record"),
        (chance.records, lambda c: c.source.finish(), "3 of the 3 recorded draws were not made"),
        ([chance.records[0] | {"result": 7}], lambda c: c.integer(1, 6, "a"), "cannot have given 7"),
    ):
        with pytest.raises(ProblemError, match=told):
            draw(recorded_chance(records))


# -- epochs


def epoch_entries() -> list[dict[str, Any]]:
    entries = []
    for seq in range(1, 6):
        event = EVENT | {"seq": seq, "prev": value_digest(seq)}
        chance = chance_of(event, epoch=2)
        if seq != 3:
            play(chance)
        entries.append(entry_of(event, chance))
    return entries


def check_epoch(secret: bytes, entries: list[dict[str, Any]], epoch: int = 2) -> list[Problem]:
    return [problem for entry in entries for problem in check_draws(secret, entry, epoch_name(epoch))]


@pytest.mark.threat("T-23")
def test_an_opened_epoch_proves_every_draw_another_secret_none_and_other_epochs_are_passed_over() -> None:
    assert check_epoch(SECRET, epoch_entries()) == check_epoch(b"another", epoch_entries(), 1) == []
    assert len(check_epoch(b"another", epoch_entries())) > 4


@pytest.mark.parametrize("number", [0, 1, 2])
def test_a_changed_result_is_named(number: int) -> None:
    entries = epoch_entries()
    draw = entries[3]["draws"][number]
    others: list[Any] = [[1, 2], [[0, 1, 2, 3], [3, 2, 1, 0]], [True, False]][number]
    draw["result"] = next(other for other in others if other != draw["result"])
    problems = check_epoch(SECRET, entries)
    assert [p.message.split(" (")[0] for p in problems] == [f"draw {number + 1} of entry 4"]


def test_a_changed_event_changes_its_draws_and_a_redacted_one_does_not() -> None:
    entries = epoch_entries()
    for entry in entries:
        entry["with"] = {"why": marker(entry["with"]["why"])}
    assert check_epoch(SECRET, entries) == []
    entries[0]["with"] = {"why": "another"}
    assert check_epoch(SECRET, entries)


@pytest.mark.parametrize(
    "record", [{}, {"integer": [1]}, {"integer": [6, 1]}, {"dice": [1, 6]}, {"integer": [1, 6], "x": 1}, {"integer": 6},
               {"permutation": "5"}, {"chance": [True, 2]}]
)  # fmt: skip
def test_broken_specifications(record: dict[str, Any]) -> None:
    with pytest.raises(ProblemError, match="E-DRAW"):
        read_specification(record)
    event = EVENT | {"draws": [{"label": "x", "spec": record, "result": 1, "source": "open"}]}
    assert [p.code for p in check_draws(b"", event)] == ["E-DRAW"]


# -- digests


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=10,
)


@settings(max_examples=examples(100))
@given(VALUES, VALUES, st.text())
def test_digests_tell_values_apart_whatever_the_order_of_keys(a: Any, b: Any, text: str) -> None:
    assert (value_digest(a) == value_digest(b)) == (json.dumps(a, sort_keys=True) == json.dumps(b, sort_keys=True))
    assert value_digest({"a": a, "b": 1}) == value_digest({"b": 1, "a": a})
    assert value_digest({"a": [marker(text)]}) == value_digest({"a": [text]})
    assert is_marker(marker(text))


def test_event_digest_takes_events_and_entries_and_no_float() -> None:
    entry = EVENT | {"at": "2026-01-05T12:00:00Z", "via": {}, "as": None, "effects": [{"effect": "put"}], "draws": []}
    assert event_digest(entry) == event_digest(EVENT)
    with pytest.raises(TypeError):
        value_digest([1.5])


# -- chances that scenarios claim


def rerolled(sides: int, again: set[int], most: int = 100_000) -> Callable[[Chance], int]:
    return lambda chance: next((thrown for _ in range(most) if (thrown := chance.integer(1, sides)) not in again), 0)


@pytest.mark.parametrize(
    ("run", "most"),
    [
        (rerolled(6, {6}), 6 * LONGEST),
        (rerolled(6, {2, 5}), 6 * LONGEST),
        (lambda c: sum(c.integer(1, 6) for _ in range(20)), LOOK_EVERY),
        (lambda c: c.permutation(52)[0], 1),
        (lambda c: c.integer(1, 10**9), 1),
    ],
)
def test_what_cannot_be_listed_is_refused_early(run: Callable[[Chance], Any], most: int) -> None:
    runs: list[Chance] = []
    with pytest.raises(ProblemError, match=r"E-BUDGET.*`dice:`"):
        enumerate_outcomes(lambda chance: (runs.append(chance), run(chance))[1])
    assert len(runs) <= most


def test_a_chance_that_a_scenario_claims_wrongly_is_told() -> None:
    throwing = "def do_throw(a):\n    put('game', 'thrown', roll(3))\n"
    law = rule("1", throwing, defines={"game": {"thrown": {"type": "integer"}}}, actions={"throw": {}})
    scenario = {"scenario": "one in three", "ruleset": "x", "players": ["ann"], "steps": [{"by": "ann", "do": "throw"}]}
    claims = [{"game": True, "thrown": 1, "probability": "1/4"}]
    with pytest.raises(Failed, match="is 1/3, not 1/4"):
        run_scenario({**scenario, "chance": claims}, lambda _name: {"rules": [law], "players": []})
