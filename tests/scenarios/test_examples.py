"""An example of a rule holds or fails by that rule, not by other rules' dice or by play."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from folkmoot.game.session import Session
from folkmoot.kernel.step import Kernel
from folkmoot.scenarios.check_files import rule_problems
from tests.support.gathering import Gathering
from tests.support.table import START, VOTING, rule

DICE = {"defines": {"player": {"thrown": {"type": "integer"}, "luck": {"type": "integer"}}}}
THROW = {"actions": {"throw": {"summary": "Throw a die"}}}
OTHER = rule("5", "def on_thrown(e):\n    put(e.player, 'luck', roll(6, 'luck'))\n")
EAGER = rule("4", "def forbid_throw(a):\n    return None\ndef on_acted(e):\n    roll(6, 'wind')\n")
SCRIPT = """
    def do_throw(a):
        emit("thrown", player = a.by)
        put(a.by, "thrown", roll(6) + roll(6))
"""
STEP = {"by": "ann", "do": "throw"}


def throwing(*examples: dict[str, Any]) -> dict[str, Any]:
    return {**rule("7", SCRIPT, **THROW, **DICE), "uid": "7", "examples": list(examples)}


def law(*rules: dict[str, Any], **parts: Any) -> dict[str, Any]:
    return {"title": "Toy", "rules": [VOTING, *rules], "players": [{"id": "ann"}, {"id": "bob"}], **parts}


def wrong(checked: dict[str, Any], given: dict[str, Any]) -> list[str]:
    found = rule_problems(checked, given, "title: Rule 7\n", "7.yaml", Kernel())
    return [f"{problem.message}; {problem.hint}" for problem in found if problem.code == "E-EXAMPLE"]


SEVEN = {"steps": [STEP], "dice": [3, 4], "expect": [{"player": "ann", "thrown": 7}]}


@pytest.mark.parametrize("others", [(), (OTHER,), (OTHER, EAGER)])
def test_no_other_rule_takes_the_dice_of_an_example(others: tuple[dict[str, Any], ...]) -> None:
    assert wrong(throwing(SEVEN), law(*others)) == []


def test_too_few_and_too_many_dice_of_ones_own_are_told() -> None:
    (few,) = wrong(throwing({**SEVEN, "dice": [3]}), law(OTHER))
    assert "draw 2 ('do_throw': a number from 1 to 6) has no result" in few
    (many,) = wrong(throwing({**SEVEN, "dice": [3, 4, 5]}), law(OTHER))
    assert "1 of the 3 results of the dice were not drawn" in many


def test_a_result_may_name_the_rule_that_draws() -> None:
    both = {**SEVEN, "dice": [3, {"rule": "5", "gives": 6}, 4]}
    both["expect"] = [{"player": "ann", "thrown": 7, "luck": 6}]
    assert wrong(throwing(both), law(OTHER)) == []
    (left,) = wrong(throwing(both), law(rule("5", "def on_thrown(e):\n    pass\n")))
    assert "1 of the 1 results of the dice were not drawn" in left or "luck" in left


def test_without_dice_what_one_rule_draws_changes_nothing_of_anothers() -> None:
    free = {"steps": [STEP], "expect": [{"player": "ann", "thrown": 0}]}
    (alone,), (beside,) = wrong(throwing(free), law()), wrong(throwing(free), law(OTHER, EAGER))
    assert alone == beside


def test_an_example_says_who_is_missing_in_it() -> None:
    (found,) = wrong(throwing({"steps": [{**STEP, "by": "eve"}]}), law())
    assert found.endswith(
        "eve is not in it: an example is played by those who were there at the founding (ann, bob), "
        "or by whom it names: `players: [eve]`"
    )
    assert wrong(throwing({"players": ["eve"], "steps": [{**STEP, "by": "eve"}], "dice": [1, 1]}), law()) == []


def test_what_the_rules_do_not_know_any_more_is_left_out_of_the_opening() -> None:
    given = law(
        rule("8", defines={"game": {"tide": {"type": "integer"}}, "offices": {"reeve": {}}}),
        opening=[{"game": True, "moon": 3}, {"game": True, "tide": 4}, {"kind": "boat", "id": "ark"}],
        offices={"clerk": "ann", "reeve": "bob"},
        settings={"gone": "yes"},
        players=[{"id": "ann", "surname": "Abel"}, {"id": "bob"}],
    )
    known = {"steps": [], "expect": [{"game": True, "tide": 4}, {"office": "reeve", "holder": "bob"}]}
    assert wrong(throwing(known), given) == []


GAME = {
    "title": "Toy",
    "players": [{"id": "ann"}, {"id": "bob"}],
    "administrators": ["root"],
    "opening": [{"player": "ann", "hats": 2}],
    "settings": {"wind": "high"},
    "rules": [
        VOTING,
        rule("8", "def do_buy(a):\n    add(a.by, 'hats', 1)\n", actions={"buy": {"summary": "Buy a hat"}},
             defines={"player": {"hats": {"type": "integer"}}},
             settings={"wind": {"name": "wind", "question": "How is it?", "default": "low",
                                "alternatives": {"low": "Low.", "high": "High."}}}),
    ],
}  # fmt: skip


@pytest.fixture
def played(tmp_path: Any) -> Iterator[Session]:
    folder = tmp_path / "state" / "toy"
    assert Session.found(folder, GAME, START).accepted
    with Session.open(folder, writing=True) as session:
        yield session


def test_play_changes_nothing_of_the_position_of_examples(played: Session) -> None:
    before = played.law()
    assert (before["players"], before["settings"]) == (GAME["players"], {"wind": "high"})
    for at, (do, by, given) in enumerate([("buy", "ann", {}), ("join", "cid", {"name": "cid"})], START + 60):
        assert played.act(by, do, given, at=at).accepted, do
    assert played.players() == ["ann", "bob", "cid"]
    assert played.law() == before
    example = {"steps": [], "expect": [{"player": "ann", "hats": 2}, {"settings": {"wind": "high"}}]}
    assert wrong(throwing(example), before) == []


FAILING = """title: Hats
labels: {status: mutable}
text: |
  There are hats.
examples:
  - scenario: a hat
    expect:
      - {player: ann, score: 3}
"""


def test_author_and_voters_are_told_of_failing_examples(gathering: Gathering) -> None:
    file = gathering.file("hats.yaml", FAILING)
    unsent = gathering.moot("ann", "propose", "--rule", file, code=1)
    assert "a hat: expected" in unsent.err
    assert "Nothing was sent" in unsent.err
    gathering.moot("ann", "propose", "--rule", file, "--anyway")
    gathering.referee()
    assert "a hat: expected" in gathering.moot("bob", "try", "1", code=1).out
    assert "a hat: expected" in gathering.moot("bob", "try", "1", "--said").out


def test_a_ruleset_in_a_folder_gives_its_people_to_examples(gathering: Gathering) -> None:
    folder = gathering.folder / "hats"
    (folder / "rules").mkdir(parents=True)
    (folder / "ruleset.yaml").write_text(
        "ruleset: hats\ntitle: Hats\nsummary: Of hats.\npeople:\n  - {id: zoe, surname: Zink}\n"
        "given:\n  - {player: zoe, score: 3}\n"
    )
    defines = "defines:\n  currencies:\n    score: {}\n"
    text = 'rule: "1"\n' + FAILING.replace("ann", "zoe").replace("labels: {status: mutable}\n", "") + defines
    (folder / "rules" / "1.yaml").write_text(text)
    assert "all is well" in gathering.moot("ann", "check", str(folder / "rules" / "1.yaml")).out
