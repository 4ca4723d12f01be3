"""What you can do: actions by topic, what comes first, and how each is written."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from folkmoot.core.problems import ProblemError
from folkmoot.files.reader import read_rule
from folkmoot.game.actions import MOST_TOPICS
from folkmoot.site.page_model import drawn_page
from folkmoot.site.pages.act import Act, act_page
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import strip
from tests.support.site_game import game, view
from tests.support.table import Table, rule


def table(*rules: dict[str, Any]) -> GameView:
    return view(Table(*rules), "g")


def topics(page: Act) -> dict[str, list[str]]:
    return {strip(title): [each.anchor.removeprefix("act-") for each in actions] for title, actions in page.topics}


def test_an_action_stands_under_its_own_topic_else_its_rules_label_else_what_it_takes() -> None:
    own = {"dig": {"topic": "The garden"}, "sow": {}}
    suggest = {"suggest": {"arguments": {"it": {"type": "changes"}}}}
    found = topics(act_page(table(
        rule("1", actions=own, title="Seeds"), rule("2", actions={"pay": {}}, labels={"category": "money_matters"}),
        rule("3", actions={"judge": {"as": "judge"}}), rule("4", actions=suggest),
    )))  # fmt: skip
    assert found.pop("In every game")
    assert found == {"Propose and vote": ["suggest", "vote"], "The garden": ["dig"], "Seeds": ["sow"],
                     "Money matters": ["pay"], "Elections and offices": ["judge"]}  # fmt: skip
    assert next(iter(found)) == "Propose and vote"
    with pytest.raises(ProblemError, match=r"x\.yaml:5.*topic"):
        read_rule("title: T\ntext: T.\nactions:\n  dig:\n    topic: [a]\n", "x.yaml")


def test_of_very_many_topics_those_of_one_action_share_one() -> None:
    rules = [rule(str(n), actions={f"act{n}": {}}, title=f"Rule number {n}") for n in range(1, 41)]
    found = topics(act_page(table(*rules)))
    assert len(found) <= MOST_TOPICS
    assert len(found["By other rules"]) >= 40


def test_what_players_must_do_comes_first_then_what_is_done_often() -> None:
    (vote, why), (propose, _why), third = act_page(game()).first
    assert (vote.anchor, propose.anchor) == ("act-vote", "act-propose")
    assert "must “vote on proposal 311” by" in strip(why)
    assert third[0].anchor not in ("act-vote", "act-propose")


def test_where_one_person_keeps_the_record_one_tells_them() -> None:
    now = game()
    kept = {**now.document("game"), "forge": None, "administrators": ["ann"]}
    now = replace(now, documents={**now.documents, "game": kept})
    said = strip(drawn_page(now, act_page(now)).body)
    assert "Tell Ann Abel what you want to do: they keep the record, and write the line below each thing." in said


def test_what_rules_say_of_their_actions_is_no_markup() -> None:
    evil = "<script>alert(1)</script>"
    arguments = {"x": {"summary": evil, "type": "choice", "of": [evil]}}
    now = table(rule("1", actions={"dig": {"summary": evil, "topic": evil, "as": evil, "arguments": arguments}}))
    assert "<script" not in drawn_page(now, act_page(now)).body
