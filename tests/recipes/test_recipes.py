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
FIRST = {"suber": 301, "lanterns": 1}  # the number of the first proposal
PEOPLE = ["ann", "bob", "cid"]


@cache
def fitted(name: str, game: str = "suber") -> tuple[str, RuleDocument]:
    """Return a recipe as it fits a game, as text and as a rule."""
    text = recipes.fitted(recipes.recipe(name).rule, rulesets.founding(game)["rules"])
    return text, read_rule(text, f"{name}.yaml")


def proposed(change: dict[str, Any], game: str, number: int, by: str = "ann", votes: Steps | None = None) -> Steps:
    """Return the steps by which somebody proposes a change and all vote for it, or as is said."""
    voting = [{"by": PEOPLE, "vote": "for"}] if votes is None else votes
    return [
        {"by": by, "do": "propose", "args": {"title": "A change", "changes": [change]}},
        *([{"by": by, "do": "finalise"}] if game == "suber" else []),
        *({**step, "proposal": number} if "vote" in step else step for step in voting),
    ]


def adopted(name: str, game: str = "suber", **parts: Any) -> Steps:
    """Return the steps by which ann proposes a recipe and all vote for it, and by which she prepares what is given."""
    rule = {**fitted(name, game)[1], **parts}
    enacted = {"enact": {part: rule[part] for part in rule if part != "examples"}}
    return [*proposed(enacted, game, FIRST[game]), {"by": "ann", "do": "prepare"}]


def play(steps: Steps, given: Steps = [], game: str = "suber", **scenario: Any) -> Run:  # noqa: B006 (nobody changes it)
    """Play in a game of three in which it is ann's turn, with a rule more by which she prepares what is given."""
    lines = ["def do_prepare(a):"]
    for statement in given:
        owner, registers = statement.get("player", "game"), statement.keys() - {"player", "game"}
        lines += [f"    put({owner!r}, {register!r}, {statement[register]!r})" for register in registers]
    rule: Any = {"rule": "999", "title": "Preparation", "text": "", "labels": {"status": "mutable"}}
    rule |= {"actions": {"prepare": {"summary": "Prepare"}}, "script": "\n".join([*lines, "    return None", ""])}

    def founding(name: str) -> Founding:
        law = rulesets.founding(name)
        return {**law, "rules": [*law["rules"], rule]}

    run = run_scenario({"ruleset": game, "players": PEOPLE, "steps": steps, **scenario}, founding)
    assert run is not None
    return run


@pytest.mark.parametrize("game", FIRST)
@pytest.mark.parametrize("name", recipes.names())
def test_a_recipe_is_checked_without_a_hint_and_adopted_and_played(name: str, game: str) -> None:
    text, rule = fitted(name, game)
    problems = rule_problems(rule, rulesets.founding(game), text, f"{name}.yaml", Kernel())
    assert [str(problem) for problem in problems] == []
    for example in rule.get("examples") or [{}]:
        told = {part: example[part] for part in ("dice", "expect") if part in example}
        play([*adopted(name, game), *example.get("steps", [])], example.get("given", []), game, **told)


# -- what takes a proposal to be seen

TEA = {"enact": {"title": "Tea", "text": "There is tea."}}
THROWN: Steps = [{"by": "ann", "do": "throw_die"}]
"""What ends ann's turn once her proposal is decided."""
RICH: Steps = [{"player": player, "score": 5} for player in PEOPLE]


def tea(votes: Steps | None = None) -> Steps:
    """Return the steps by which bob, whose turn is next, proposes something as the second proposal."""
    return [*THROWN, *proposed(TEA, "suber", 302, "bob", votes)]


def awards(run: Run) -> Steps:
    """Return every payment and fine."""
    effects: Any = [effect for entry in run.entries for effect in entry.get("effects") or ()]
    return [effect for effect in effects if effect["effect"] == "award"]


def paid(run: Run, why: str) -> list[tuple[str, int]]:
    """Return who was paid or fined for a reason, and how much."""
    return [(str(each["of"]), int(each["applied"])) for each in awards(run) if each.get("why") == why]


def test_the_crown_pays_its_wearer_for_what_others_have_adopted() -> None:
    for wearer, pays in (("cid", [("cid", 2)]), ("bob", [])):
        run = play([*adopted("auction"), *tea()], [{"game": True, "crowned": wearer}])
        assert paid(run, "the crown") == pays


def test_a_guild_gains_by_what_its_members_have_adopted() -> None:
    reds: Steps = [{"by": ["bob", "cid"], "do": "join_guild", "args": {"name": "reds"}}]
    assert paid(play([*adopted("guilds"), *reds, *tea()]), "the guild reds") == [("cid", 2)]


def test_medals_are_given_once() -> None:
    against: Steps = [
        {"by": "cid", "vote": "against", "reason": "because " * 20},
        {"by": ["ann", "bob"], "vote": "for"},
    ]
    run = play([*adopted("achievements"), *tea(against)])
    medals = {name: paid(run, name) for name in ("Lawmaker", "Orator", "Rebel")}
    assert medals == {"Lawmaker": [("ann", 2)], "Orator": [("cid", 2)], "Rebel": []}


def test_inflation_raises_what_is_paid() -> None:
    run = play([*adopted("inflation"), *tea()], [{"game": True, "adopted": 8}])
    higher = [each["applied"] - each["asked"] for each in awards(run) if each["asked"] > 0]
    assert {2} <= {*higher} <= {0, 2}


def test_a_quorum_lets_fall_what_too_few_voted_on() -> None:
    two: Steps = [{"by": "ann", "vote": "for"}, {"tick": "+1h"}]
    steps = [*adopted("quorum", "lanterns"), *proposed(TEA, "lanterns", 2, "bob", two)]
    play(steps, game="lanterns", expect=[{"proposal": 2, "state": "defeated"}])
    play([*adopted("quorum"), *tea()], expect=[{"proposal": 302, "state": "adopted"}])


def test_whoever_votes_too_late_pays() -> None:
    script = fitted("deadline")[1]["script"].replace("DAY", "5 * MINUTE")
    votes: Steps = [{"by": "ann", "vote": "for"}, {"tick": "+6m"}, {"by": ["bob", "cid"], "vote": "for"}]
    run = play([*adopted("deadline", script=script), *tea(votes)])
    assert paid(run, "too late to vote") == [("bob", -2), ("cid", -2)]


def test_brevity_refuses_a_long_text() -> None:
    args = {"title": "A change", "changes": [{"enact": {"title": "Tea", "text": "tea " * 101}}]}
    refused: Steps = [{"by": "bob", "do": "propose", "args": args, "refused": "E-ARGS"}]
    play([*adopted("brevity"), *THROWN, *refused, *tea()[1:]])


BIDS: Steps = [
    {"by": by, "do": "bid_secretly", "args": {"amount": n}} for by, n in (("ann", 1), ("bob", 2), ("cid", 3))
]
OPENED: Steps = [{"by": by, "do": "open_sealed"} for by in PEOPLE]
GONE: Steps = [{"by": "cid", "do": "forfeit"}]


@pytest.mark.parametrize("bids", [2, 3], ids=["before bidding", "having bid"])
def test_the_ruby_is_sold_although_somebody_leaves(bids: int) -> None:
    play([*adopted("secret-bid"), *BIDS[:bids], *GONE, *OPENED[:2]], RICH, expect=[{"player": "bob", "score": "+4"}])


def test_the_ruby_is_sold_among_those_who_have_bid() -> None:
    late: Steps = [{"by": "zed", "do": "join"}]
    too_late: Steps = [{"by": "zed", "do": "bid_secretly", "args": {"amount": 0}, "refused": "E-ORDER"}]
    play([*adopted("secret-bid"), *BIDS, *late, *too_late, *OPENED], RICH, expect=[{"player": "cid", "score": "+3"}])


def test_the_bid_of_whoever_leaves_is_void() -> None:
    bid: Steps = [{"by": "cid", "do": "bid_for_crown", "args": {"amount": 3}}, *GONE]
    other: Steps = [{"by": "bob", "do": "bid_for_crown", "args": {"amount": 1}}, {"tick": {"to": "hammer"}}]
    play([*adopted("auction"), *bid, *other], RICH, expect=[{"game": True, "crowned": "bob"}])
    play(
        [*adopted("auction"), *bid, {"tick": "+25h"}], RICH, expect=[{"game": True, "crowned": None, "highest_bid": 0}]
    )


# -- finding and fitting them


def test_a_recipe_has_a_purpose_and_what_to_change() -> None:
    for found in map(recipes.recipe, recipes.names()):
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
    rules = {Path(f"{name}.yaml"): fitted(name) for name in recipes.names()}
    assert shared_registers({file: (rule, text) for file, (text, rule) in rules.items()}) == []
    for block in ("actions", "timers"):
        names = [name for _text, rule in rules.values() for name in rule.get(block) or ()]
        assert len(set(names)) == len(names)


def test_a_rule_that_looks_like_a_recipe_is_told_its_name_and_one_made_of_it_is_not() -> None:
    assert recipes.like({"title": "Market day", "text": "Sell at your stall."}) == "market"
    assert recipes.like({"title": "Stalls", "actions": {"sell": {}, "buy": {}}}) == "market"
    assert recipes.like({"title": "Stalls", "actions": {"sell": {}}}) == ""
    assert recipes.like({"title": "Comfort", "text": "The time of the vote."}) == ""
    assert {recipes.like(fitted(name)[1]) for name in recipes.names()} == {""}
