"""The end of a season: who won and by what, the moments that are chosen from the record, figures and rules."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace

from folkmoot.site.cards import svg_of
from folkmoot.site.page_model import made
from folkmoot.site.pages.now import cards, front_of, now_page
from folkmoot.site.pages.story import Story, season_cards, story_pages
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import strip
from tests.support.site_game import view
from tests.support.table import VOTING, Table, rule

DAY = 86_400
PLAYING = rule("2", """
    def do_work(a):
        award(a.by, "points", a.args.hours, "work")
        if get(a.by, "points") >= 10:
            win(a.by, "ten points", play_on = {})
            for player in things("player"):
                award(player, "points", -get(player, "points"))
""", actions={"work": {"arguments": {"hours": {"type": "integer"}}}},
    defines={"currencies": {"points": {"initial": 0}}})  # fmt: skip
TEA = {"enact": {"title": "Tea", "text": "Tea is at four."}}
MILK = {"enact": {"title": "Milk", "text": "It comes last."}}
CAKE = {"enact": {"title": "Cake", "text": "There is cake."}}


def played(*, goes_on: bool = False) -> Table:
    """Return a game that ann won, after a tie, a change of the leader, a vote against one and a defeat."""
    playing = {**PLAYING, "script": PLAYING["script"].format(goes_on)}
    table = Table(VOTING, playing)
    voted = [(TEA, ("for",) * 3), (MILK, ("for", "for", "against")), (CAKE, ("against", "against", "for"))]
    for number, (change, votes) in enumerate(voted, 901):
        table.pass_time(DAY)
        table.ok("ann", "propose", title=change["enact"]["title"], changes=[change])
        for voter, choice in zip(("ann", "bob", "cid"), votes, strict=True):
            reason = f"{voter} says no" if choice == "against" else ""
            table.ok(voter, "vote", proposal=number, choice=choice, reason=reason)
    for worker, hours in (("bob", 3), ("ann", 3), ("ann", 1), ("bob", 2), ("ann", 7)):
        table.pass_time(DAY)
        table.ok(worker, "work", hours=hours)
    return table


def stories(seen: GameView) -> list[Story]:
    return [sheet.make(seen) for sheet in story_pages(seen)]  # type: ignore[misc]


def test_a_game_that_was_won_is_told_in_moments() -> None:
    (story,) = stories(view(played(), "tea"))
    assert (story.title, strip(story.how), story.over) == ("ann won.", "Eleven points: “ten points” (rule 2).", True)
    assert [(scene.title, strip(scene.words)) for scene in story.scenes] == [
        ("Three players, two rules", "ann, bob and cid begin."),
        ("Tea", "The first new rule, by proposal 901 of ann, 3 to 0."),
        ("cid against the rest", "cid alone votes against proposal 902; it is adopted, 2 to 1."),
        ("Cake: defeated", "Proposal 903 of ann, 1 to 2."),
        ("Three points at once", "bob gets three points: “work” (rule 2)."),
        ("Two share the lead", "ann and bob have three points each."),
        ("bob takes the lead", "bob has five points; before, ann led."),
        ("ann wins", "Eleven points: “ten points” (rule 2)."),
    ]
    assert story.standing is not None
    assert [(each.who.name, each.amount) for each in story.standing.racers] == [("ann", 11), ("bob", 5), ("cid", 0)]
    figures = {name: strip(said) for name, said in story.figures}
    assert figures == {
        "It took": "8 days",
        "Proposals decided": "3",
        "Adopted": "2",
        "Defeated": "1",
        "Rules": "2, then 4",
        "Most often on the side that prevailed": "ann and bob",
    }
    assert [(each.title, each.begins) for each in story.rules] == [
        ("Tea", "Tea is at four."), ("Milk", "It comes last.")]  # fmt: skip


def test_the_page_is_drawn_and_led_to() -> None:
    seen = view(played(), "tea")
    (sheet,) = story_pages(seen)
    page = made(seen, sheet)
    assert "cid says no</bdi></q>" in page.body
    assert 'href="season-1.html" aria-current' in page.body
    assert 'href="journal/season-1.html">How it went' in str(now_page(seen).status.by)


def test_a_season_ends_with_each_win_where_play_goes_on() -> None:
    table = played(goes_on=True)
    table.ok("bob", "work", hours=12)
    first, second = stories(view(table, "tea"))
    assert (first.title, second.title, first.over, second.over) == ("ann won.", "bob won.", False, False)
    assert [scene.title for scene in second.scenes] == ["Season 2 begins", "bob wins"]
    assert second.standing is not None
    assert [each.amount for each in second.standing.racers] == [12, 0, 0]
    assert [link.words for link in second.seasons] == ["Season 1"]
    assert [name for name, _said in second.figures] == ["Rules"]


def test_of_more_kinds_than_ten_those_that_come_first_are_told() -> None:
    table = played()
    (story,) = stories(view(table, "tea"))
    assert len(story.scenes) < 10
    assert [(scene.title, strip(scene.day)) for scene in story.scenes[:2]] == [
        ("Three players, two rules", "Mon 5 Jan"), ("Tea", "Tue 6 Jan")]  # fmt: skip
    assert story.summary == "ann won. ann 11, bob 5, cid 0. The story in moments."


CROWN = rule("2", """
    def do_crown(a):
        win(things("player"), "everybody wears it")
""", actions={"crown": {}})  # fmt: skip


def test_without_points_it_is_told_by_votes_and_laws_and_all_may_win() -> None:
    table = Table(VOTING, CROWN, rule("3", text="A law of old."))
    voted = [(TEA, "yyn", 1), ({"repeal": "3"}, "yyy", 2), (MILK, "nny", 30), ({"amend": "901", "text": "At five."}, "yny", 1),
             ({"amend": "901", "text": "At six."}, "yyy", 1)]  # fmt: skip
    for number, (change, votes, hours) in enumerate(voted, 901):
        table.ok("ann", "propose", title=f"T{number}", changes=[change])
        table.pass_time(hours * 3600)
        for voter, choice in zip(("ann", "bob", "cid"), votes, strict=True):
            table.ok(voter, "vote", proposal=number, choice={"y": "for", "n": "against"}[choice])
    table.ok("bob", "crown")
    seen = view(table, "tea")
    (story,) = stories(seen)
    assert story.title == "All three players won together."
    assert story.standing is None
    assert [scene.title for scene in story.scenes] == [
        "Three players, three rules", "Tea", "Rule 3", "T903: defeated", "bob against the rest", "Tea", "ann, bob and cid win"]  # fmt: skip
    said = [strip(scene.words) for scene in story.scenes]
    assert said[2] == "Repealed, by proposal 902 of ann, 3 to 0."
    assert {name: strip(said) for name, said in story.awards} == {
        "Lawmaker": "ann: 4 proposals adopted", "Dissenter": "bob: 2 votes against", "Longest pen": "ann: 4 words of law"}  # fmt: skip
    assert (story.left, story.next) == (3, "moot new tea-2 --from tea")


def test_a_name_that_is_markup_stays_a_name_and_a_season_names_the_one_before() -> None:
    table = Table(VOTING, CROWN)
    name = "<img src=x onerror=alert(1)>" + "W" * 60
    table.ok("ann", "crown")
    seen = view(table, "tea")
    roster = {**seen.documents["roster"], "ann": {**seen.documents["roster"]["ann"], "name": name}}
    follows = {"game": "tea-1", "seq": 9, "digest": "0" * 64, "season": 2}
    game = {**seen.documents["game"], "follows": follows}
    seen = replace(seen, documents={**seen.documents, "roster": roster, "game": game})
    (sheet,) = story_pages(seen)
    body = made(seen, sheet).body
    assert "<img" not in body
    assert '<a href="../../tea-1/index.html"><bdi>season 2, after tea-1</bdi></a>' in body
    hall = cards([front_of(seen)]).partition("Hall of fame</h2>")[2]
    assert "&lt;img src=x onerror=alert(1)&gt;" in hall
    assert '<span class="soft">season 2</span>' in hall
    assert 'href="tea/journal/season-1.html"' in hall


def test_a_picture_to_share_fetches_nothing_and_has_room_for_any_name() -> None:
    seen = view(played(), "tea")
    names = {"ann": "<svg onload=alert(1)>" + "W" * 60, "bob": "\u202e" + "王" * 40, "cid": "c"}
    roster = {who: {**seen.documents["roster"][who], "name": name} for who, name in names.items()}
    for shown in (seen, replace(seen, documents={**seen.documents, "roster": roster})):
        ((path, data),) = season_cards(shown).items()
        drawing = svg_of(data)
        assert path == "journal/season-1.png"
        card = ET.fromstring(drawing)
        assert {each.tag.partition("}")[2] for each in card.iter()} == {"svg", "rect", "text"}
        assert "http" not in drawing.replace('xmlns="http://www.w3.org/2000/svg"', "")
        bars = [int(each.get("width") or 0) for each in card.iter() if each.get("x") == "480"]
        assert bars[1::2] == [560, 252, 0]
        title = next(each for each in card.iter() if "Literata" in str(each.get("font-family")))
        assert len(str(title.text)) * int(title.get("font-size") or 0) <= 1060 / 0.56
    (sheet,) = story_pages(seen)
    assert 'href="season-1.png" download' in made(seen, sheet).body


def test_a_hall_of_fame_is_there_once_somebody_has_won() -> None:
    table = played(goes_on=True)
    table.ok("bob", "work", hours=12)
    hall = cards([front_of(view(table, "tea"))]).partition("Hall of fame</h2>")[2]
    assert 0 < hall.index("win 2") < hall.index("win 1")
    assert "Hall of fame" not in cards([front_of(view(Table(VOTING, CROWN), "tea"))])


@pytest.mark.parametrize("acts", [[], [("ann", 9)]])
def test_without_a_win_there_is_no_story(acts: list[Any]) -> None:
    table = Table(VOTING, {**PLAYING, "script": PLAYING["script"].format(True)})
    for worker, hours in acts:
        table.ok(worker, "work", hours=hours)
    seen = view(table, "tea")
    assert stories(seen) == []
    assert "How it went" not in str(now_page(seen).status.by)
