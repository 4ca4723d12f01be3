"""What you can do: actions by topic, what comes first, and how each is written."""

from __future__ import annotations

import re
from typing import Any

import pytest
from msgspec.structs import replace

from folkmoot.core.problems import ProblemError
from folkmoot.files.reader import read_rule
from folkmoot.game.actions import MOST_TOPICS
from folkmoot.game.rulesets import founding
from folkmoot.site.page_model import drawn_page
from folkmoot.site.pages.act import Act, act_page
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import strip
from tests.support.site_game import game, view
from tests.support.table import Table, rule
from tests.untrusted.sinks import hostile


def table(*rules: dict[str, Any], **more: Any) -> GameView:
    return view(Table(*rules, **more), "g")


def topics(page: Act) -> dict[str, list[str]]:
    return {strip(title): [each.anchor.removeprefix("act-") for each in actions] for title, actions in page.topics}


def test_an_action_stands_under_its_own_topic_else_its_rules_label_else_what_it_takes() -> None:
    own = {"dig": {"topic": "The garden"}, "sow": {}}
    found = topics(act_page(table(
        rule("1", actions=own, title="Seeds"), rule("2", actions={"pay": {}}, labels={"category": "money_matters"}),
        rule("3", actions={"judge": {"as": "judge"}}), rule("4", actions={"suggest": {"arguments": {"it": {"type": "changes"}}}}),
    )))  # fmt: skip
    assert found["The garden"] == ["dig"]
    assert found["Seeds"] == ["sow"]
    assert found["Money matters"] == ["pay"]
    assert found["Elections and offices"] == ["judge"]
    assert next(iter(found)) == "Propose and vote"
    assert found["Propose and vote"] == ["suggest", "vote"]
    assert [*found][-1] == "In every game"


def test_a_topic_is_a_text() -> None:
    with pytest.raises(ProblemError) as raised:
        read_rule("title: T\ntext: T.\nactions:\n  dig:\n    topic: [a]\n", "x.yaml")
    assert "x.yaml:5" in str(raised.value)
    assert "topic" in str(raised.value)
    told = read_rule("title: T\ntext: T.\nactions:\n  dig:\n    topic: The garden\n", "x.yaml")
    assert told["actions"]["dig"]["topic"] == "The garden"


def test_of_very_many_topics_those_of_one_action_share_one() -> None:
    rules = [rule(str(n), actions={f"act{n}": {}}, title=f"Rule number {n}") for n in range(1, 41)]
    found = topics(act_page(table(*rules)))
    assert len(found) <= MOST_TOPICS
    assert len(found["By other rules"]) >= 40


def test_what_players_must_do_comes_first_then_what_is_done_often() -> None:
    page = act_page(game())
    (vote, why), (propose, _why), _third = page.first
    assert vote.anchor == "act-vote"
    assert "must “vote on proposal 311” by" in strip(why)
    assert propose.anchor == "act-propose"
    assert len({each.anchor for each, _why in page.first}) == 3


def test_every_action_of_a_game_stands_there_once_with_an_anchor() -> None:
    for now in (game(), hostile(every=3)):
        page = act_page(now)
        anchors = [each.anchor for _title, actions in page.topics for each in actions]
        assert len(anchors) == len(set(anchors))
        ids = re.findall(r' id="([^"]*)"', drawn_page(now, page).body)
        assert len(ids) == len(set(ids))
        assert set(anchors) <= set(ids)


def test_a_large_game_has_a_page_of_sixty_kilobytes_on_a_forge_too() -> None:
    law = founding("a-nomic")["rules"]
    documents: dict[str, Any] = {
        "law": {"rules": {each["rule"]: {"number": each["rule"], "in_force": True} for each in law}},
        "game": {"title": "A", "forge": {"kind": "github", "home": "https://forge.example/ann/g"}, "open": []},
        **{f"rules/{each['rule']}": each for each in law},
    }
    now = GameView(slug="a", documents=documents)
    page = act_page(now)
    assert sum(len(actions) for _title, actions in page.topics) > 120
    assert len(drawn_page(now, page).body.encode()) < 60_000


def test_where_one_person_keeps_the_record_one_tells_them() -> None:
    now = game()
    kept = {**now.document("game"), "forge": None, "administrators": ["ann"]}
    now = replace(now, documents={**now.documents, "game": kept})
    said = strip(drawn_page(now, act_page(now)).body)
    assert "Tell Ann Abel what you want to do: they keep the record, and write the line below each thing." in said


def test_what_rules_say_of_their_actions_is_no_markup() -> None:
    evil = "<script>alert(1)</script>"
    about = {
        "summary": evil,
        "topic": evil,
        "as": evil,
        "arguments": {"x": {"summary": evil, "type": "choice", "of": [evil]}},
    }
    now = table(rule("1", actions={"dig": about}))
    drawn = drawn_page(now, act_page(now)).body
    assert "<script" not in drawn
    assert drawn.count("<h1") == 1


def test_a_game_without_rules_has_the_actions_of_every_game() -> None:
    assert [*topics(act_page(GameView(slug="new", documents={"game": {"title": "New"}})))] == [
        "Propose and vote",
        "In every game",
    ]
