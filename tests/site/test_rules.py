"""The law as a whole and each rule: an index, its full text, links between rules, readings, what bears on it, and its files."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

import pytest
from msgspec.structs import replace

from folkmoot.site.data_files import law_files
from folkmoot.site.page_model import drawn_page
from folkmoot.site.pages import rules
from folkmoot.site.pages.rule import awaited, rule_page
from folkmoot.site.pages.rules import Rules, several_rules
from folkmoot.site.pages.rulings import rulings
from folkmoot.site.revisions import citing, linked, numbers_in
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import strip, visible
from folkmoot.wording.page_links import Here
from folkmoot.wording.prose import prose
from tests.support.site_game import game


@pytest.fixture(scope="module")
def view() -> GameView:
    return game()


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let three rules be no short list."""
    monkeypatch.setattr(rules, "FEW", 3)


def index(view: GameView) -> Rules:
    page = next(rules.whole_law(view)).make(view)
    assert isinstance(page, Rules)
    return page


def shown(view: GameView, uid: str) -> str:
    return drawn_page(view, rule_page(uid, view)).body


def with_documents(view: GameView, **documents: Any) -> GameView:
    return replace(view, documents={**view.documents, **documents})


def test_the_index_names_every_rule_and_says_when_and_by_whom_it_was_made(view: GameView) -> None:
    listed = {each.number: each for each in index(view).sections[0].rules}
    assert sorted(listed) == sorted(view.number(uid) for uid in view.ranked)
    assert listed["206"].author == view.name(str(view.proposals[str(view.law["206"]["cause"])]["author"]))
    assert listed["302"].former == "was rule 304"
    assert len([each for each in listed.values() if each.new]) == 3, "only the last changes are marked"
    assert "asleep" in {each.wrong for each in listed.values()}
    assert [section.title for section in index(view).sections] == ["", "No longer in force"], "a few stand in one list"
    assert [each.number for each in index(view).sections[-1].rules] == ["203", "208"]


@pytest.mark.usefixtures("few")
def test_what_players_made_stands_before_what_the_game_began_with(view: GameView) -> None:
    first, *others, _gone = index(replace(view)).sections
    assert (first.anchor, first.title) == ("made", "Made by the players")
    numbers = [each.number for each in first.rules]
    assert numbers == sorted(numbers, reverse=True)
    assert {"310", "302", "206"} <= {*numbers} - {"110"}
    assert {each.title for each in others} <= {"From the start", "Mutable from the start", "Immutable from the start"}


@pytest.mark.usefixtures("few")
def test_sections_are_headed_by_the_titles_that_the_law_gives_them(view: GameView) -> None:
    known = {key: {**rule, "labels": {"section": "3" if n % 2 else "manners"}, "cause": "founding"}
             for n, (key, rule) in enumerate(view.documents.items()) if key.startswith("rules/")}  # fmt: skip
    known |= {key: {} for key in view.documents if key.startswith("history/")}
    known["law"] = {
        **view.documents["law"],
        "rules": {uid: {**meta, "cause": "founding"} for uid, meta in view.law.items()},
    }
    games, titles = view.documents["things/game"], {"3": "Tea & *cake*", "manners": "At table"}
    titled = {"things/game": {**games, "game": {**games["game"], "section_titles": titles}}}
    for more, headings in (
        ({}, {"Section 3", "Manners"}), (titled, {"Section 3: Tea & *cake*", "Manners: At table"}),
    ):  # fmt: skip
        sections = index(with_documents(view, **known, **more)).sections
        assert {each.title for each in sections} - {"No longer in force"} == headings


@pytest.mark.usefixtures("few")
def test_a_long_law_has_several_pages_and_its_contents_lead_to_each_section(
    view: GameView, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rules, "PART", 4)
    seen = replace(view)
    sheets = [*rules.whole_law(seen)]
    listed = [sheet.make(seen) for sheet in sheets if re.match(r"law/index|law-list/", sheet.path)]
    everything = len(view.ranked) + len(view.repealed)
    assert len(listed) == -(-everything // 4) > 2
    assert sum(len(section.rules) for page in listed for section in page.sections) == everything
    assert sum(count for _link, count in listed[0].contents) == everything
    assert [bool(page.before) for page in listed] == [False] + [True] * (len(listed) - 1)
    assert listed[-1].sections[-1].title == "No longer in force", "what is repealed comes last"
    assert listed[1].title == "Rules 5 to 8"
    texts = [sheet.make(seen) for sheet in sheets if sheet.path.startswith("law-text/")]
    assert len(texts) == -(-len(view.ranked) // 4)
    assert [each.anchor.removeprefix("rule-") for page in texts for each in page.rules] == list(view.order)
    assert (texts[0].before, bool(texts[0].after), bool(texts[-1].before), texts[-1].after) == (None, True, True, None)


def test_rules_that_name_one_another_are_linked_both_ways(view: GameView) -> None:
    assert [*numbers_in("Rule 1, rules 2-3 and rule\n4; ruler 5, rule x, Rule 6.1.")] == ["1", "2-3", "4", "6.1"]
    text = "By rules 101, 202 and 9999, and `rule 110`, but not 304; Rule\n202 twice."
    changed = with_documents(view, **{"rules/206": {**view.documents["rules/206"], "text": text}})
    told = linked(Here(changed, "law/206.md"), prose(text), "206")
    assert re.findall(r'href="([^"]+)"', told) == ["101.html", "202.html", "202.html"]
    assert re.sub("<[^>]+>", "", unescape(told)).strip() == text.replace("`", "")
    cited = citing(changed)
    assert ["206" in cited.get(uid, []) for uid in ("101", "202", "304")] == [True, True, False]
    assert "206 " in dict(rule_page("101", changed).related)["Named by"]
    by = {strip(rule).partition(" ")[0]: strip(names) for rule, names in index(changed).cited}
    assert by.keys() == {changed.number(uid) for uid in cited}
    assert "206 " in by["101"]


def test_of_many_rules_the_first_are_named_and_the_others_counted(view: GameView) -> None:
    here = Here(view, "law/x.md")
    assert strip(several_rules(here, ["101", "102"])).count("102") == 1
    many = strip(several_rules(here, [str(number) for number in range(1_000, 3_000)]))
    assert many.endswith("1011, and 1,988 more")


# -- files

HARD = 'One.\r\n    rank: null\n   "rank": null\u2028\u202e two\n\n'


def test_the_law_can_be_had_as_text_and_as_data(view: GameView) -> None:
    files = law_files(view)
    assert {view.number(uid) for uid in view.ranked} == {*re.findall(r"^Rule (\S+): ", files["law.txt"], re.MULTILINE)}
    data = json.loads(files["law.json"])
    assert [rule["id"] for rule in data["rules"]] == list(view.ranked)
    assert {rule["id"] for rule in data["repealed"]} == set(view.repealed)
    assert max(len(rule["revisions"]) for rule in data["rules"]) > 1


@pytest.mark.parametrize("uids", [(), ("202",), ("202", "206")])
def test_files_of_the_law_hold_whatever_rules_say(view: GameView, uids: tuple[str, ...]) -> None:
    hard = {f"rules/{uid}": {**view.documents[f"rules/{uid}"], "text": HARD, "title": HARD, "labels": {"rank": None}}
            for uid in uids}  # fmt: skip
    law = {**view.documents["law"], "rules": dict(view.law if uids else {})}
    files = law_files(with_documents(view, **hard, law=law))
    data = json.loads(files["law.json"])
    assert files["law.json"] == json.dumps(data, ensure_ascii=False, indent=1) + "\n"
    assert [rule["rank"] for rule in data["rules"]] == [*range(1, len(data["rules"]) + 1)]
    assert bool(data["rules"]) == bool(uids)
    assert {rule["id"] for rule in data["rules"] if rule["text"] == HARD} == set(uids)
    assert files["law.txt"] == visible(files["law.txt"].rstrip()) + "\n"


# -- what bears on a rule


def test_a_rule_says_what_would_change_it_also_what_is_adopted_without_effect_yet(view: GameView) -> None:
    waiting = [name for name, each in view.proposals.items() if not each.get("outcome")]
    assert waiting
    assert {name for names in view.index(awaited).values() for name in names} == set(waiting)
    assert ["A change is on its way." in shown(view, uid) for uid in ("312", "101")] == [True, False]
    name, found = next((n, each) for n, each in view.proposals.items() if each.get("outcome") == "adopted")
    key = next(key for key, each in view.documents.items() if each is found)
    waits = with_documents(view, **{key: {**found, "waits": True}}).index(awaited)
    assert name in {each for names in waits.values() for each in names}


def test_a_rule_says_which_of_its_answers_nobody_hears() -> None:
    view = replace(game(), answers={**game().answers, "overruled:206": [["adopted", "304"]]})
    assert "In part not followed." in shown(view, "206")
    assert [strip(each) for each in rule_page("206", view).overruled] == [
        "This rule and rule 302 both say whether a proposal is adopted; rule 302 goes before it, and always answers."
    ]
    assert rule_page("304", view).overruled == ()


# -- how clauses are read


def test_each_clause_says_how_it_is_read_in_what_other_ways_and_who_ruled_so(view: GameView) -> None:
    titles = {each.title: each for each in rulings(view).readings}
    assert [*titles] == sorted(titles)
    rounding = titles["Rounding"]
    assert rounding.word == "even"
    assert rounding.word not in {word for word, _meaning, _usual in rounding.others} != set()
    (ruling,) = rounding.rulings
    assert "Halves go to the even neighbour." in strip(ruling)
    assert "#e" in ruling
