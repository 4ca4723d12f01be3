"""The end of a season: who won and by what, the moments that are chosen from the record, figures and rules."""

from __future__ import annotations

from xml.etree import ElementTree as ET

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
CROWN = rule("2", 'def do_crown(a):\n    win(things("player"), "everybody wears it")\n', actions={"crown": {}})
TEA = {"enact": {"title": "Tea", "text": "Tea is at four."}}
MILK = {"enact": {"title": "Milk", "text": "It comes last."}}
CAKE = {"enact": {"title": "Cake", "text": "There is cake."}}
VOTES = {"y": "for", "n": "against"}


def played(*, goes_on: bool = False) -> Table:
    """Return a game that ann won, after a tie, a change of the leader, a vote against one and a defeat."""
    table = Table(VOTING, {**PLAYING, "script": PLAYING["script"].format(goes_on)})
    for number, (change, votes) in enumerate([(TEA, "yyy"), (MILK, "yyn"), (CAKE, "nny")], 901):
        table.pass_time(DAY)
        table.ok("ann", "propose", title=change["enact"]["title"], changes=[change])
        for voter, choice in zip(("ann", "bob", "cid"), votes, strict=True):
            table.ok(
                voter, "vote", proposal=number, choice=VOTES[choice], reason="" if choice == "y" else f"{voter} says no"
            )
    for worker, hours in (("bob", 3), ("ann", 3), ("ann", 1), ("bob", 2), ("ann", 7)):
        table.pass_time(DAY)
        table.ok(worker, "work", hours=hours)
    return table


def stories(seen: GameView) -> list[Story]:
    return [sheet.make(seen) for sheet in story_pages(seen)]  # type: ignore[misc]


def test_a_game_that_was_won_is_told_in_moments() -> None:
    seen = view(played(), "tea")
    (story,) = stories(seen)
    assert (story.title, strip(story.how), story.over) == ("ann won.", "Eleven points: “ten points” (rule 2).", True)
    assert story.summary == "ann won. ann 11, bob 5, cid 0. The story in moments."
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
    assert {name: strip(said) for name, said in story.figures} == {
        "It took": "8 days", "Proposals decided": "3", "Adopted": "2", "Defeated": "1", "Rules": "2, then 4",
        "Most often on the side that prevailed": "ann and bob",
    }  # fmt: skip
    assert [(each.link.words, each.begins) for each in story.rules] == [
        ("Tea", "Tea is at four."), ("Milk", "It comes last.")]  # fmt: skip
    page = str(made(seen, next(story_pages(seen))).body)
    for words in ("cid says no</bdi></q>", 'href="season-1.html" aria-current', 'href="season-1.png" download'):
        assert words in page
    assert 'href="journal/season-1.html">How it went' in str(now_page(seen).status.by)


def test_a_season_ends_with_each_win_where_play_goes_on() -> None:
    table = played(goes_on=True)
    table.ok("bob", "work", hours=12)
    seen = view(table, "tea")
    first, second = stories(seen)
    assert (first.title, second.title, first.over, second.over) == ("ann won.", "bob won.", False, False)
    assert [scene.title for scene in second.scenes] == ["Season 2 begins", "bob wins"]
    assert second.standing is not None
    assert [each.amount for each in second.standing.racers] == [12, 0, 0]
    assert [link.words for link in second.seasons] == ["Season 1"]
    assert [name for name, _said in second.figures] == ["Rules"]
    hall = cards([front_of(seen)]).partition("Hall of fame</h2>")[2]
    assert 0 < hall.index("win 2") < hall.index("win 1")


def test_without_points_it_is_told_by_votes_and_laws_and_all_may_win() -> None:
    table = Table(VOTING, CROWN, rule("3", text="A law of old."))
    voted = [(TEA, "yyn"), ({"repeal": "3"}, "yyy"), (MILK, "nny"), ({"amend": "901", "text": "At five."}, "yny"),
             ({"amend": "901", "text": "At six."}, "yyy")]  # fmt: skip
    for number, (change, votes) in enumerate(voted, 901):
        table.ok("ann", "propose", title=f"T{number}", changes=[change])
        for voter, choice in zip(("ann", "bob", "cid"), votes, strict=True):
            table.ok(voter, "vote", proposal=number, choice=VOTES[choice])
    assert stories(view(table, "tea")) == [], "without a win there is no story"
    assert "How it went" not in str(now_page(view(table, "tea")).status.by)
    table.ok("bob", "crown")
    (story,) = stories(view(table, "tea"))
    assert (story.title, story.standing) == ("ann, bob and cid won.", None)
    assert [scene.title for scene in story.scenes] == [
        "Three players, three rules", "Tea", "T903: defeated", "bob against the rest", "Tea", "ann, bob and cid win"]  # fmt: skip
    assert strip(story.scenes[4].words) == "The last change of the law, by proposal 905 of ann, 3 to 0."
    assert (story.left, story.next) == (3, "moot new tea-2 --from tea")


def test_the_last_change_is_told_as_that_or_not_at_all() -> None:
    table = Table(VOTING, CROWN, rule("3", text="A law of old."))
    for number, (change, votes) in enumerate([(TEA, "yyy"), ({"repeal": "3"}, "yyy"), (MILK, "yyn")], 901):
        table.ok("ann", "propose", title=f"T{number}", changes=[change])
        for voter, choice in zip(("ann", "bob", "cid"), votes, strict=True):
            table.ok(voter, "vote", proposal=number, choice=VOTES[choice])
    table.ok("bob", "crown")
    (story,) = stories(view(table, "tea"))
    assert "cid against the rest" in [scene.title for scene in story.scenes], "which is the last change already"
    assert [scene for scene in story.scenes if "last change" in strip(scene.words)] == []


def test_a_name_that_is_markup_stays_a_name_and_a_season_names_the_one_before() -> None:
    table = Table(VOTING, CROWN)
    assert "Hall of fame" not in cards([front_of(view(table, "tea"))])
    table.ok("ann", "crown")
    seen = view(table, "tea")
    name = "<img src=x onerror=alert(1)>" + "W" * 60
    roster = {**seen.documents["roster"], "ann": {**seen.documents["roster"]["ann"], "name": name}}
    game = {**seen.documents["game"], "follows": {"game": "tea-1", "seq": 9, "digest": "0" * 64, "season": 2}}
    seen = replace(seen, documents={**seen.documents, "roster": roster, "game": game})
    body = str(made(seen, next(story_pages(seen))).body)
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
        assert [int(each.get("width") or 0) for each in card.iter() if each.get("x") == "480"][1::2] == [560, 252, 0]
        title = next(each for each in card.iter() if "Literata" in str(each.get("font-family")))
        assert len(str(title.text)) * int(title.get("font-size") or 0) <= 1060 / 0.56
