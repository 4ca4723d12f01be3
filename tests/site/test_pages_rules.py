"""The law as a whole: an index, its full text, addresses by number, links between rules, and files of it."""

from __future__ import annotations

import json
import re
from html import unescape

import pytest
from msgspec.structs import replace

from folkmoot.site.data_files import law_files
from folkmoot.site.pages import rules
from folkmoot.site.pages.rule import Rule, rule_page
from folkmoot.site.pages.rules import Rules, several_rules
from folkmoot.site.revisions import citing, linked
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import strip, visible
from folkmoot.wording.page_links import Here
from folkmoot.wording.prose import prose
from tests.support.site_game import game, render_game


@pytest.fixture(scope="module")
def view() -> GameView:
    return game()


@pytest.fixture(scope="module")
def pages(view: GameView) -> dict[str, str]:
    return render_game(view)


def with_text(view: GameView, uid: str, text: str) -> GameView:
    key = f"rules/{uid}"
    return replace(view, documents={**view.documents, key: {**view.documents[key], "text": text}})


def index(view: GameView) -> Rules:
    page = next(rules.whole_law(view)).make(view)
    assert isinstance(page, Rules)
    return page


def test_the_index_names_every_rule_and_says_when_and_by_whom_it_was_made(view: GameView) -> None:
    listed = {each.number: each for section in index(view).sections[:-1] for each in section.rules}
    assert sorted(listed) == sorted(view.number(uid) for uid in view.ranked)
    assert listed["206"].author == view.name(str(view.proposals[str(view.law["206"]["cause"])]["author"]))
    assert listed["302"].former == "was rule 304"
    assert not listed["101"].day or view.proposals[str(view.law["101"]["cause"])]
    assert len([each for each in listed.values() if each.new]) == 3, "only the last changes are marked"
    assert "asleep" in {each.wrong for each in listed.values()}


def test_what_players_made_stands_before_what_the_game_began_with(
    view: GameView, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = index(view).sections
    assert [section.title for section in few] == ["", "No longer in force"], "a few rules stand in one list"
    assert [each.number for each in few[-1].rules] == ["203", "208"]
    monkeypatch.setattr(rules, "FEW", 3)
    first, *others, _gone = index(replace(view)).sections
    assert (first.anchor, first.title) == ("made", "Made by the players")
    numbers = [each.number for each in first.rules]
    assert numbers == sorted(numbers, reverse=True)
    assert {"310", "302", "206"} <= {*numbers}
    assert "110" not in numbers
    assert {each.title for each in others} <= {"From the start", "Mutable from the start", "Immutable from the start"}


def test_sections_are_headed_by_the_titles_that_the_law_gives_them(
    view: GameView, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rules, "FEW", 3)
    labelled = {
        key: {**rule, "labels": {"section": "3" if n % 2 else "manners"}, "cause": "founding"}
        for n, (key, rule) in enumerate(view.documents.items()) if key.startswith("rules/")
    }  # fmt: skip
    law = {uid: {**meta, "cause": "founding"} for uid, meta in view.law.items()}
    history = {key: {} for key in view.documents if key.startswith("history/")}
    known = {**view.documents, **labelled, **history, "law": {**view.documents["law"], "rules": law}}
    games = view.documents["things/game"]
    titles = {"3": "Tea & *cake*", "manners": "At table"}
    titled = {**games, "game": {**games["game"], "section_titles": titles}}
    for more, headings in (
        ({}, {"Section 3", "Manners"}),
        ({"things/game": titled}, {"Section 3: Tea & *cake*", "Manners: At table"}),
    ):
        sections = index(replace(view, documents={**known, **more})).sections
        assert {each.title for each in sections} - {"No longer in force"} == headings


def test_a_long_list_has_several_pages_and_its_contents_lead_to_each_section(
    view: GameView, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rules, "PART", 4)
    monkeypatch.setattr(rules, "FEW", 3)
    seen = replace(view)
    sheets = [sheet for sheet in rules.whole_law(seen) if re.match(r"law/index|law-list/", sheet.path)]
    pages = [sheet.make(seen) for sheet in sheets]
    everything = len(view.ranked) + len(view.repealed)
    assert len(pages) == -(-everything // 4) > 2
    assert sum(len(section.rules) for page in pages for section in page.sections) == everything
    assert sum(count for _link, count in pages[0].contents) == everything
    assert [bool(page.before) for page in pages] == [False] + [True] * (len(pages) - 1)
    assert pages[-1].sections[-1].title == "No longer in force", "what is repealed comes last"
    assert pages[1].title == "Rules 5 to 8"


def test_a_long_law_is_read_in_parts(view: GameView, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "PART", 4)
    seen = replace(view)
    pages = [sheet.make(seen) for sheet in rules.whole_law(seen) if sheet.path.startswith("law-text/")]
    assert len(pages) == -(-len(view.ranked) // 4)
    assert [each.anchor.removeprefix("rule-") for page in pages for each in page.rules] == list(view.order)
    assert (pages[0].before, bool(pages[0].after), bool(pages[-1].before), pages[-1].after) == (None, True, True, None)


def test_rules_that_name_one_another_are_linked_both_ways(view: GameView) -> None:
    text = "By rules 101, 202 and 9999, and `rule 110`, but not 304; Rule\n202 twice."
    changed = with_text(view, "206", text)
    shown = linked(Here(changed, "law/206.md"), prose(text), "206")
    assert re.findall(r'href="([^"]+)"', shown) == ["101.html", "202.html", "202.html"]
    assert re.sub("<[^>]+>", "", unescape(shown)).strip() == text.replace("`", "")
    cited = citing(changed)
    assert "206" in cited["101"]
    assert "206" in cited["202"]
    assert "206" not in cited.get("304", [])
    page = rule_page("101", changed)
    assert isinstance(page, Rule)
    assert "206 " in dict(page.related)["Named by"]
    by = {strip(rule).partition(" ")[0]: strip(names) for rule, names in index(changed).cited}
    assert by.keys() == {changed.number(uid) for uid in cited}
    assert "206 " in by["101"]


def test_a_rule_says_its_text_first_then_its_past_then_its_script(pages: dict[str, str]) -> None:
    page = pages["law/206.md"]
    places = [page.index(part) for part in ('class="words big"', 'id="history"', 'class="does"', 'id="cited"')]
    assert places == sorted(places)


def test_the_law_can_be_had_as_text_and_as_data(view: GameView) -> None:
    files = law_files(view)
    for uid in view.ranked:
        assert f"Rule {view.number(uid)}: " in files["law.txt"]
    assert "203" not in re.findall(r"^Rule (\S+):", files["law.txt"], re.MULTILINE)
    data = json.loads(files["law.json"])
    assert [rule["id"] for rule in data["rules"]] == list(view.ranked)
    assert data["rules"][0]["rank"] == 1
    assert data.pop("$schema") == "../assets/schemas/law.json"
    assert {rule["id"] for rule in data["repealed"]} == set(view.repealed)
    assert max(len(rule["revisions"]) for rule in data["rules"]) > 1


HARD = 'One.\r\n    rank: null\n   "rank": null\u2028\u202e two\n\n'


@pytest.mark.parametrize("uids", [(), ("202",), ("202", "206")])
def test_files_of_the_law_hold_whatever_rules_say(view: GameView, uids: tuple[str, ...]) -> None:
    hard = {f"rules/{uid}": {**view.documents[f"rules/{uid}"], "text": HARD, "title": HARD, "labels": {"rank": None}}
            for uid in uids}  # fmt: skip
    law = {**view.documents["law"], "rules": dict(view.law if uids else {})}
    files = law_files(replace(view, documents={**view.documents, **hard, "law": law}))
    data = json.loads(files["law.json"])
    assert files["law.json"] == json.dumps(data, ensure_ascii=False, indent=1) + "\n"
    data.pop("$schema")
    assert [rule["rank"] for rule in data["rules"]] == [*range(1, len(data["rules"]) + 1)]
    assert bool(data["rules"]) == bool(uids)
    assert {rule["id"] for rule in data["rules"] if rule["text"] == HARD} == set(uids)
    assert files["law.txt"] == visible(files["law.txt"].rstrip()) + "\n"


def test_of_many_rules_the_first_are_named_and_the_others_counted(view: GameView) -> None:
    here = Here(view, "law/x.md")
    assert strip(several_rules(here, ["101", "102"])).count("102") == 1
    many = strip(several_rules(here, [str(number) for number in range(1_000, 3_000)]))
    assert many.endswith("1011, and 1,988 more")
