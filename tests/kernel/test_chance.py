"""Draws: exact, without bias, replayable, checkable once the secret is known."""

from __future__ import annotations

import hmac
import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
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


@given(st.integers(0, 30))
def test_permutations_are_permutations(n: int) -> None:
    assert sorted(chance_of(EVENT).permutation(n, "deal")) == list(range(n))


def test_impossible_draws_are_refused() -> None:
    chance = chance_of(EVENT)
    for draw in (
        lambda: chance.integer(2, 1),
        lambda: chance.integer(0, 1 << 256),
        lambda: chance.permutation(-1),
        lambda: chance.permutation(100_001),
        lambda: chance.happens(2, 1),
        lambda: chance.happens(-1, 1),
        lambda: chance.happens(0, 0),
    ):
        with pytest.raises(ProblemError, match="E-ARGS"):
            draw()
    assert chance.records == []


def test_certainty_and_impossibility() -> None:
    chance = chance_of(EVENT)
    assert all(chance.happens(3, 3) for _ in range(20))
    assert not any(chance.happens(0, 3) for _ in range(20))


# -- dice of scenarios


def test_scripted_dice() -> None:
    chance = scripted_chance([4, {"label": "tackle", "gives": False}, {"gives": [1, 0]}, True])
    assert chance.integer(1, 6, "x") == 4
    assert chance.happens(1, 2, "tackle") is False
    assert chance.permutation(2, "deal") == [1, 0]
    assert chance.happens(1, 2, "any") is True
    chance.source.finish()
    assert [record["source"] for record in chance.records] == ["script"] * 4


def test_dice_name_what_is_drawn_or_its_place() -> None:
    chance = scripted_chance(["bob", 0, {"label": "kick-off", "gives": "ann"}])
    assert [chance.position(["ann", "bob"], "kick-off") for _ in range(3)] == [1, 0, 0]
    assert chance.records[0]["spec"] == {"integer": [0, 1]}
    assert chance.records[0]["result"] == 1
    numbers = scripted_chance([3, 0])  # where numbers are drawn from, theirs goes first
    assert [numbers.position([2, 3, 5, 7], "section") for _ in range(2)] == [1, 0]


def test_dice_that_name_nothing_drawn_say_what_there_is() -> None:
    with pytest.raises(ProblemError, match="cannot give 'cid'; it is one of ann, bob"):
        scripted_chance(["cid"]).position(["ann", "bob"], "kick-off")


def test_whatever_source_positions_are_drawn_as_numbers_are() -> None:
    named, numbered = open_chance("p", "d"), open_chance("p", "d")
    assert [named.position("abcdef", "x") for _ in range(9)] == [numbered.integer(0, 5, "x") for _ in range(9)]


def test_a_label_stands_for_every_draw_that_has_its_words() -> None:
    chance = scripted_chance([{"label": "Tackle", "gives": True}, {"label": "by bob", "gives": False}])
    assert [chance.happens(1, 4, "tackle by bob") for _ in range(2)] == [True, False]
    with pytest.raises(ProblemError, match="'tack'"):
        scripted_chance([{"label": "tack", "gives": True}]).happens(1, 4, "tackle by bob")


@pytest.mark.parametrize(
    ("dice", "part"),
    [
        ([], "gives? only 0"),
        ([7], "cannot give 7"),
        ([0], "cannot give 0"),
        (["4"], "cannot give '4'"),
        ([True], "cannot give True"),
        ([4.0], "cannot give 4.0"),
        ([{"label": "tackle", "gives": 4}], "'tackle'"),
        ([{"label": "attack"}], "cannot give None"),
    ],
)
def test_wrong_dice_are_refused(dice: list[Any], part: str) -> None:
    with pytest.raises(ProblemError, match=part) as caught:
        scripted_chance(dice).integer(1, 6, "attack")
    assert caught.value.problems[0].code == "E-DICE"


@pytest.mark.parametrize("given_", [[0, 1], [0, 1, 1], [1, 2, 3], [True, 0, 2], "012", [0, 1, 2, 3]])
def test_wrong_orders_are_refused(given_: Any) -> None:
    with pytest.raises(ProblemError, match="E-DICE"):
        scripted_chance([given_]).permutation(3, "deal")


@pytest.mark.parametrize(("odds", "given_"), [((0, 2), True), ((2, 2), False), ((1, 2), 1), ((1, 2), 0)])
def test_wrong_chances_are_refused(odds: tuple[int, int], given_: Any) -> None:
    with pytest.raises(ProblemError, match="E-DICE"):
        scripted_chance([given_]).happens(*odds)


def test_dice_left_over_are_a_problem() -> None:
    chance = scripted_chance([1, 2])
    chance.integer(1, 6)
    with pytest.raises(ProblemError, match="1 of the 2"):
        chance.source.finish()


# -- replay


def play(chance: Chance) -> list[Any]:
    return [chance.integer(1, 6, "a"), chance.permutation(4, "b"), chance.happens(2, 3, "c")]


@given(st.binary())
def test_replay_gives_the_same(key: bytes) -> None:
    first = secret_chance(key)
    results = play(first)
    again = recorded_chance(first.records)
    assert play(again) == results
    assert again.records == first.records
    again.source.finish()


def test_replay_names_the_difference() -> None:
    records = chance_of(EVENT)
    play(records)
    with pytest.raises(ProblemError, match="E-REPLAY: draw 1 was"):
        recorded_chance(records.records).integer(1, 8, "a")
    with pytest.raises(ProblemError, match="E-REPLAY: draw 1 was"):
        recorded_chance(records.records).integer(1, 6, "other")
    with pytest.raises(ProblemError, match="is not in the record"):
        recorded_chance([]).integer(1, 6, "a")
    with pytest.raises(ProblemError, match="3 of the 3 recorded draws were not made"):
        recorded_chance(records.records).source.finish()
    broken = [records.records[0] | {"result": 7}]
    with pytest.raises(ProblemError, match="cannot have given 7"):
        recorded_chance(broken).integer(1, 6, "a")


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
def test_an_opened_epoch_proves_every_draw() -> None:
    assert check_epoch(SECRET, epoch_entries()) == []


@pytest.mark.threat("T-23")
def test_another_secret_is_noticed() -> None:
    assert len(check_epoch(b"another", epoch_entries())) > 4


@pytest.mark.parametrize("number", [0, 1, 2])
def test_a_changed_result_is_named(number: int) -> None:
    entries = epoch_entries()
    draw = entries[3]["draws"][number]
    others: list[Any] = [[1, 2], [[0, 1, 2, 3], [3, 2, 1, 0]], [True, False]][number]
    draw["result"] = next(other for other in others if other != draw["result"])
    problems = check_epoch(SECRET, entries)
    assert [p.message.split(" (")[0] for p in problems] == [f"draw {number + 1} of entry 4"]


def test_a_changed_event_changes_its_draws() -> None:
    entries = epoch_entries()
    entries[0]["with"] = {"why": "another"}
    assert check_epoch(SECRET, entries)


def test_a_redacted_event_keeps_its_draws() -> None:
    entries = epoch_entries()
    for entry in entries:
        entry["with"] = {"why": marker(entry["with"]["why"])}
    assert check_epoch(SECRET, entries) == []


def test_other_epochs_are_passed_over() -> None:
    assert check_epoch(b"another", epoch_entries(), 1) == []


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

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=10,
)


@given(values, values)
def test_digests_tell_values_apart(a: Any, b: Any) -> None:
    assert (value_digest(a) == value_digest(b)) == (json.dumps(a, sort_keys=True) == json.dumps(b, sort_keys=True))


@given(values)
def test_the_order_of_keys_does_not_matter(value: Any) -> None:
    assert value_digest({"a": value, "b": 1}) == value_digest({"b": 1, "a": value})


@given(st.text())
def test_a_marker_has_the_digest_of_its_text(text: str) -> None:
    assert value_digest({"a": [marker(text)]}) == value_digest({"a": [text]})
    assert is_marker(marker(text))
    assert marker(text) != text


def test_event_digest_takes_events_and_entries() -> None:
    entry = EVENT | {"at": "2026-01-05T12:00:00Z", "via": {}, "as": None, "effects": [{"effect": "put"}], "draws": []}
    assert event_digest(entry) == event_digest(EVENT)


def test_floats_have_no_digest() -> None:
    with pytest.raises(TypeError):
        value_digest([1.5])
