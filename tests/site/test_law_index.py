"""The law as a whole: an index, its full text, addresses by number, links between rules, and files of it."""

from __future__ import annotations

import json
import re
from html import unescape

import pytest
from msgspec.structs import replace

from folkmoot.site import law_index
from folkmoot.site.citations import citing, linked
from folkmoot.site.law_files import law_files, law_pieces
from folkmoot.wording.game_view import GameView
from folkmoot.wording.incremental_view import go_on
from folkmoot.wording.invisible import visible
from folkmoot.wording.page_links import Here
from folkmoot.wording.prose import prose
from tests.site.game import game, render_game


@pytest.fixture(scope="module")
def view() -> GameView:
    return game()


@pytest.fixture(scope="module")
def pages(view: GameView) -> dict[str, str]:
    return render_game(view)


def with_text(view: GameView, uid: str, text: str) -> GameView:
    key = f"rules/{uid}"
    return replace(view, documents={**view.documents, key: {**view.documents[key], "text": text}})


def test_the_index_names_every_rule_by_number_with_when_and_by_what_it_changed(
    pages: dict[str, str], view: GameView
) -> None:
    rows = re.findall(r"<tr><td[^>]*><a[^>]*>([^<]*)</a></td>.*?</tr>", pages["law/index.md"].partition("repealed")[0])
    assert sorted(rows) == sorted(view.number(uid) for uid in view.ranked)
    (row,) = re.findall(r"<tr><td[^>]*><a[^>]*>206</a>.*?</tr>", pages["law/index.md"])
    assert "proposals/308.html" in row
    assert "<time" in row


def test_sections_are_headed_by_the_titles_that_the_law_gives_them(view: GameView) -> None:
    first, second, *_ = view.ranked
    labelled = {
        f"rules/{uid}": {**view.documents[f"rules/{uid}"], "labels": {"section": section}}
        for uid, section in ((first, "3"), (second, "manners"))
    }
    games = view.documents["things/game"]
    titled = {**games, "game": {**games["game"], "section_titles": {"3": "Tea & *cake*", "manners": "At table"}}}
    for documents, headings in (
        (labelled, ["Section 3", "manners"]),
        ({**labelled, "things/game": titled}, ["Section 3: Tea & *cake*", "manners: At table"]),
    ):
        changed = replace(view, documents={**view.documents, **documents})
        page = next(law_index.whole_law(changed)).make(changed)
        assert [each.heading for each in page.sections if each.heading][:2] == headings


def test_a_long_law_is_read_in_parts(view: GameView, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(law_index, "PART", 4)
    found = render_game(replace(view))
    parts = sorted(path for path in found if path.startswith("law-text/"))
    assert len(parts) == -(-len(view.ranked) // 4)
    together = [uid for path in parts for uid in re.findall(r"\{ #rule-(\S+) \}", found[path])]
    assert together == list(view.order)
    assert "later rules" in found[parts[0]]
    assert "earlier rules" not in found[parts[0]]
    assert "earlier rules" in found[parts[-1]]


def test_an_address_by_number_leads_to_who_bears_it_and_who_bore_it(pages: dict[str, str], view: GameView) -> None:
    moved = {view.number(uid): uid for uid in view.ranked if view.number(uid) != uid}
    assert moved, "the game has a rule that was given another number"
    for number, uid in moved.items():
        if number not in view.law:
            assert f"{uid}.html" in pages[f"law/{number}.md"]
    for number, uids in law_index.bearers(view).items():
        if number not in view.law:
            assert all(f'href="{uid}.html"' in pages[f"law/{number}.md"] for uid in uids)


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
    assert "Cited by</dt>" in render_game(changed)["law/101.md"]


def test_a_rule_says_its_text_first_then_its_past_then_its_script(pages: dict[str, str]) -> None:
    page = pages["law/206.md"]
    places = [page.index(part) for part in ("fm-beside", "{ #history }", "{ #script }")]
    assert places == sorted(places)
    assert re.search(r"<details[^>]*><summary>\d+ lines? that carry this rule out</summary>", page)


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
def test_files_of_the_law_are_those_of_its_parts_written_at_once(view: GameView, uids: tuple[str, ...]) -> None:
    """Each rule is written by itself, whatever stands in it, and the whole is what one writer would have made."""
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


def test_what_files_say_of_a_rule_is_found_again_while_it_stays(view: GameView) -> None:
    """A rule that changes is said anew, the others are what they were."""
    before = law_files(view)
    known = view.index(law_pieces)
    changed = with_text(view, "202", "Something else.")
    assert go_on(changed, view) == {"rules/202"}
    now = changed.index(law_pieces)
    assert {uid for uid in known if now[uid] is not known[uid]} == {"202"}
    assert law_files(changed) == law_files(with_text(view, "202", "Something else.")) != before
