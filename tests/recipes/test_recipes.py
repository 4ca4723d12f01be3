"""Each recipe of the cookbook, fitted to a game: without a hint, its examples hold, and it is proposed and played."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from folkmoot.core.documents import RuleDocument
from folkmoot.core.problems import ProblemError
from folkmoot.core.records import Founding
from folkmoot.files.reader import read_rule
from folkmoot.game import recipes, rulesets
from folkmoot.kernel.step import Kernel
from folkmoot.scenarios.check_files import rule_problems, shared_registers
from folkmoot.scenarios.scenario import Run, run_scenario

Steps = list[dict[str, Any]]
GAMES = ("suber", "lanterns")
EACH = pytest.mark.parametrize("game", GAMES)
FIRST = {"suber": 301, "lanterns": 1}  # the number of the first proposal
PEOPLE = ["ann", "bob", "cid"]


def points(game: str) -> str:
    """Return what points are called in a game."""
    return {"suber": "score", "lanterns": "lanterns"}[game]


@cache
def fitted(name: str, game: str) -> tuple[str, RuleDocument]:
    """Return a recipe as it fits a game, as text and as a rule."""
    text = recipes.fitted(recipes.recipe(name).rule, rulesets.founding(game)["rules"])
    return text, read_rule(text, f"{name}.yaml")


def adopted(name: str, game: str, number: int = 0, *, votes: Steps | None = None) -> Steps:
    """Return the steps by which ann proposes a recipe and all vote for it, or as is said."""
    rule = fitted(name, game)[1]
    made = {part: rule[part] for part in rule if part != "examples"}
    return proposed({"enact": made}, game, number, votes=votes)


def proposed(change: dict[str, Any], game: str, number: int = 0, by: str = "ann", votes: Steps | None = None) -> Steps:
    """Return the steps by which somebody proposes a change and all vote for it, or as is said."""
    number = number or FIRST[game]
    ends_debate: Steps = [{"by": by, "do": "finalise"}] if game == "suber" else []
    voting = [{"by": PEOPLE, "vote": "for"}] if votes is None else votes
    return [
        {"by": by, "do": "propose", "args": {"title": "A change", "changes": [change]}},
        *ends_debate,
        *({**step, "proposal": number} if "vote" in step else step for step in voting),
    ]


def with_preparation(given: Steps) -> Any:
    """Return how games are founded, with a rule more by which ann prepares what an example is given."""
    lines = []
    for statement in given:
        owner = statement.get("player", "game")
        lines += [
            f"    put({owner!r}, {register!r}, {value!r})"
            for register, value in statement.items()
            if register not in ("player", "game")
        ]
    rule: Any = {
        "rule": "999",
        "title": "Preparation",
        "text": "",
        "labels": {"status": "mutable"},
        "actions": {"prepare": {"summary": "Prepare"}},
        "script": "\n".join(["def do_prepare(a):", *lines, "    return None", ""]),
    }

    def founding(name: str) -> Founding:
        law = rulesets.founding(name)
        return {**law, "rules": [*law["rules"], rule]}

    return founding


def play(game: str, steps: Steps, given: Steps = [], **scenario: Any) -> Run:  # noqa: B006 (nobody changes it)
    """Play in a game of three in which it is ann's turn."""
    told = {"ruleset": game, "players": PEOPLE, "steps": steps, **scenario}
    run = run_scenario(told, with_preparation(given))
    assert run is not None
    return run


@EACH
@pytest.mark.parametrize("name", recipes.names())
def test_a_recipe_is_checked_without_a_hint_and_its_examples_hold(name: str, game: str) -> None:
    text, rule = fitted(name, game)
    problems = rule_problems(rule, rulesets.founding(game), text, f"{name}.yaml", Kernel())
    assert [str(problem) for problem in problems] == []


@EACH
@pytest.mark.parametrize("name", recipes.names())
def test_a_recipe_is_adopted_and_played(name: str, game: str) -> None:
    for example in fitted(name, game)[1].get("examples") or [{}]:
        steps = [*adopted(name, game), {"by": "ann", "do": "prepare"}, *example.get("steps", [])]
        told = {part: example[part] for part in ("dice", "expect") if part in example}
        play(game, steps, example.get("given", []), **told)


# -- what takes a proposal to be seen

FOR: Steps = [{"by": PEOPLE, "vote": "for"}]
TEA = {"enact": {"title": "Tea", "text": "There is tea."}}


def turn_over(game: str) -> Steps:
    """Return what ends ann's turn once her proposal is decided."""
    return [{"by": "ann", "do": "throw_die"}] if game == "suber" else []


def tea(game: str, votes: Steps = FOR) -> Steps:
    """Return the steps by which bob, whose turn is next, proposes something as the second proposal."""
    return proposed(TEA, game, FIRST[game] + 1, "bob", votes)


def paid(run: Run, why: str) -> list[tuple[str, int]]:
    """Return who was paid or fined for a reason, and how much."""
    return [
        (str(effect["of"]), int(effect["applied"]))
        for entry in run.entries
        for effect in entry["effects"]
        if effect["effect"] == "award" and effect.get("why") == why
    ]


@EACH
def test_the_crown_pays_its_wearer_for_what_others_have_adopted(game: str) -> None:
    steps = [*adopted("auction", game), {"by": "ann", "do": "prepare"}, *turn_over(game), *tea(game)]
    assert paid(play(game, steps, [{"game": True, "crowned": "cid"}]), "the crown") == [("cid", 2)]
    assert paid(play(game, steps, [{"game": True, "crowned": "bob"}]), "the crown") == []


@EACH
def test_a_guild_gains_by_what_its_members_have_adopted(game: str) -> None:
    reds: Steps = [{"by": ["bob", "cid"], "do": "join_guild", "args": {"name": "reds"}}]
    run = play(game, [*adopted("guilds", game), *reds, *turn_over(game), *tea(game)])
    assert paid(run, "the guild reds") == [("cid", 2)]


@EACH
def test_medals_are_given_once(game: str) -> None:
    reason = {"reason": "because " * 20}
    against: Steps = [{"by": "cid", "vote": "against", **reason}, {"by": ["ann", "bob"], "vote": "for"}]
    run = play(game, [*adopted("achievements", game), *turn_over(game), *tea(game, against)])
    medals = {name: paid(run, name) for name in ("Lawmaker", "Orator", "Rebel")}
    law = [("ann", 2)] if game == "suber" else [("ann", 2), ("bob", 2)]  # there all have to be for it
    assert medals == {"Lawmaker": law, "Orator": [("cid", 2)], "Rebel": [("cid", 2)] if game == "lanterns" else []}


@EACH
def test_inflation_raises_what_is_paid(game: str) -> None:
    steps = [*adopted("inflation", game), {"by": "ann", "do": "prepare"}, *turn_over(game), *tea(game)]
    run = play(game, steps, [{"game": True, "adopted": 8}])
    found = [effect for entry in run.entries for effect in entry["effects"] if effect["effect"] == "award"]
    higher = [effect["applied"] - effect["asked"] for effect in found if effect["asked"] > 0]
    assert 2 in higher
    assert set(higher) <= {0, 2}


@EACH
def test_a_quorum_lets_fall_what_too_few_voted_on(game: str) -> None:
    votes: Steps = FOR if game == "suber" else [{"by": "ann", "vote": "for"}, {"tick": "+1h"}]  # there all have to vote
    outcome = "adopted" if game == "suber" else "defeated"
    steps = [*adopted("quorum", game), *turn_over(game), *tea(game, votes)]
    play(game, steps, expect=[{"proposal": FIRST[game] + 1, "state": outcome}])


@EACH
def test_whoever_votes_too_late_pays(game: str) -> None:
    rule = fitted("deadline", game)[1]
    early = {**rule, "script": rule["script"].replace("DAY", "5 * MINUTE")}
    votes: Steps = [{"by": "ann", "vote": "for"}, {"tick": "+6m"}, {"by": ["bob", "cid"], "vote": "for"}]
    first = proposed({"enact": {part: early[part] for part in early if part != "examples"}}, game)
    run = play(game, [*first, *turn_over(game), *tea(game, votes)])
    assert paid(run, "too late to vote") == [("bob", -2), ("cid", -2)]


@EACH
def test_brevity_refuses_a_long_text(game: str) -> None:
    long: Steps = [{"title": "A change", "changes": [{"enact": {"title": "Tea", "text": "tea " * 101}}]}]
    refused: Steps = [{"by": "bob", "do": "propose", "args": args, "refused": "E-ARGS"} for args in long]
    play(game, [*adopted("brevity", game), *turn_over(game), *refused, *tea(game)])


LEAVE = {"suber": "forfeit", "lanterns": "leave"}
BIDS: Steps = [
    {"by": by, "do": "bid_secretly", "args": {"amount": n}} for by, n in (("ann", 1), ("bob", 2), ("cid", 3))
]
OPENED: Steps = [{"by": by, "do": "open_sealed"} for by in ("ann", "bob")]


@EACH
@pytest.mark.parametrize("bids", [2, 3], ids=["before bidding", "having bid"])
def test_the_ruby_is_sold_although_somebody_leaves(game: str, bids: int) -> None:
    given: Steps = [{"player": player, points(game): 3} for player in PEOPLE]
    gone: Steps = [{"by": "cid", "do": LEAVE[game]}]
    steps = [*adopted("secret-bid", game), {"by": "ann", "do": "prepare"}, *BIDS[:bids], *gone, *OPENED]
    play(game, steps, given, expect=[{"player": "bob", points(game): "+4"}])


@EACH
def test_the_ruby_is_sold_among_those_who_have_bid(game: str) -> None:
    given: Steps = [{"player": player, points(game): 3} for player in PEOPLE]
    late: Steps = [{"by": "zed", "do": "join"}]
    too_late: Steps = [{"by": "zed", "do": "bid_secretly", "args": {"amount": 0}, "refused": "E-ORDER"}]
    opened: Steps = [*OPENED, {"by": "cid", "do": "open_sealed"}]
    steps = [*adopted("secret-bid", game), {"by": "ann", "do": "prepare"}, *BIDS, *late, *too_late, *opened]
    play(game, steps, given, expect=[{"player": "cid", points(game): "+3"}])


@EACH
def test_the_bid_of_whoever_leaves_is_void(game: str) -> None:
    given: Steps = [{"player": player, points(game): 5} for player in PEOPLE]
    bids: Steps = [
        {"by": "ann", "do": "prepare"},
        {"by": "cid", "do": "bid_for_crown", "args": {"amount": 3}},
        {"by": "cid", "do": LEAVE[game]},
        {"by": "bob", "do": "bid_for_crown", "args": {"amount": 1}},
        {"tick": {"to": "hammer"}},
    ]
    expect: Steps = [{"game": True, "crowned": "bob"}]
    play(game, [*adopted("auction", game), *bids], given, expect=expect)
    alone = [*adopted("auction", game), *bids[:3], {"tick": "+25h"}]
    play(game, alone, given, expect=[{"game": True, "crowned": None, "highest_bid": 0}])


# -- finding and fitting them


def test_a_recipe_has_a_purpose_and_what_to_change() -> None:
    for name in recipes.names():
        found = recipes.recipe(name)
        assert found.summary.endswith(".")
        assert found.changes
        assert found.rule.startswith("title:")


def test_a_name_that_there_is_not_names_the_nearest() -> None:
    with pytest.raises(ProblemError) as error:
        recipes.recipe("markt")
    assert error.value.problems[0].hint.startswith("did you mean market? There are achievements, ")


def test_a_recipe_is_fitted_to_the_currency_of_players() -> None:
    law: Any = [{"defines": {"currencies": {"pot": {"owners": "game"}, "acorns": {"owners": ["player", "barn"]}}}}]
    text = "# two points\nscript: award(p, 'score', 2) on_changed_score scores\n"
    assert recipes.fitted(text, law) == "# two acorns\nscript: award(p, 'acorns', 2) on_changed_acorns scores\n"
    assert recipes.fitted(text, []) == text


def test_recipes_stand_beside_each_other() -> None:
    rules = {Path(f"{name}.yaml"): fitted(name, "suber") for name in recipes.names()}
    assert shared_registers({file: (rule, text) for file, (text, rule) in rules.items()}) == []
    for block in ("actions", "timers"):
        names = [name for _text, rule in rules.values() for name in rule.get(block) or ()]
        assert len(set(names)) == len(names)


def test_a_rule_that_looks_like_a_recipe_is_told_its_name_and_one_made_of_it_is_not() -> None:
    assert recipes.like({"title": "Market day", "text": "Sell at your stall."}) == "market"
    assert recipes.like({"title": "Stalls", "actions": {"sell": {}, "buy": {}}}) == "market"
    assert recipes.like({"title": "Stalls", "actions": {"sell": {}}}) == ""
    assert recipes.like({"title": "Comfort", "text": "The time of the vote."}) == ""
    for name in recipes.names():
        assert recipes.like(fitted(name, "suber")[1]) == "", name
