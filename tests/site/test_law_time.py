"""The law over time: every change of the law has its row, and every former wording its place."""

from __future__ import annotations

import re

from msgspec.structs import replace

from folkmoot.site import law_time as law_over_time
from folkmoot.site.law_time import law_time, moments
from folkmoot.site.pagination import Parts
from folkmoot.wording.game_view import GameView
from folkmoot.wording.page_links import Here
from tests.site.game import game, render_game


def test_every_revision_of_every_rule_stands_at_its_moment() -> None:
    view = game()
    told = [(uid, after) for moment in moments(view) for uid, _, after in moment.changes]
    kept = [(uid, each) for uid in view.law for each in view.revisions(uid)]
    assert len(told) == len(kept) > 15
    assert all(each in told for each in kept)
    assert [moment.seq for moment in moments(view)] == sorted({int(each["seq"]) for _, each in kept})


def test_a_row_says_what_became_of_each_rule() -> None:
    text = render_game(game())["law-time/index.md"]
    for words in ("renumbered from 304 (", "rule 203</a> repealed", "rule 310</a> enacted", "law/304.html#revision-2"):
        assert words in text, words
    assert re.search(r"\d+ rules enacted: <a [^>]*>101</a>, <a [^>]*>\d", text)


def test_very_many_changes_at_once_are_counted_by_kind_and_folded() -> None:
    rules = [(str(n), {}, {"rule": str(n), "title": f"T{n}"}) for n in range(9)]
    later = [("1", {"rule": "1", "title": "x"}, {"rule": "1", "revision": 2}), ("2", {"rule": "2"}, {"rule": "902", "revision": 2}),
             ("3", {"rule": "3"}, {"repealed": True}), ("4", {"repealed": True}, {"rule": "4"})]  # fmt: skip
    here = Here(game(), "law-time/index.md")
    (told,) = law_over_time._told(here, [*rules, *later])
    assert "<summary>10 rules enacted, 1 changes of rules, 1 rules renumbered, 1 rules repealed</summary>" in told
    assert "rule 902</a> renumbered from 2 (" in told
    assert told.count("<a ") == 10 + 2 + 2 + 1
    apart = law_over_time._told(here, [*rules[:4], *later[:1]])
    assert apart[0].startswith("4 rules enacted: <a "), "a few are said at once"


def test_a_long_past_has_several_pages_the_newest_first(monkeypatch) -> None:
    """Pages of earlier changes never change their place; from each, links lead to the one before and after."""
    monkeypatch.setattr(law_over_time, "PARTS", Parts(3))
    view = game()
    pages = [sheet.make(view) for sheet in law_time(view)]
    assert len(pages) == len(moments(view)) // 3 > 2
    assert [page.path for page in pages[:2]] == ["law-time/index.md", "law-time/0001.md"]
    texts = ["".join(part for section in page.sections for part in section.parts) for page in pages]
    newest, oldest = (f"#{moments(view)[at].seq}</a>" for at in (-1, 0))
    assert newest in texts[0]
    assert oldest in texts[1]
    links = [re.findall(r'href="(index|[0-9]+)\.html"', text) for text in texts]
    assert links[0] == [f"{len(pages) - 1:04}"] * 2
    assert links[1] == ["0002"] * 2
    assert links[-1] == ["index", f"{len(pages) - 2:04}"] * 2


def test_every_former_wording_can_be_read_whole() -> None:
    view, files = game(), render_game(game())
    for uid in view.law:
        former = view.wordings(uid)[:-1]
        assert files[f"law/{uid}.md"].count("The whole text of revision") == len(former)


def test_a_game_without_law_has_a_page_too() -> None:
    empty = GameView(slug="new", documents={"game": {"title": "New"}})
    assert [page.path for page in law_time(replace(empty))] == ["law-time/index.md"]
