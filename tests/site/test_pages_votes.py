"""The page of a proposal and the lists of votes: what stands on them, and what does not yet."""

from __future__ import annotations

import re
from typing import Any

import pytest
from msgspec.structs import replace

from folkmoot.site.page_model import made
from folkmoot.site.pages.proposal import PARTS, ProposalPage, Votes, proposal_page, proposal_sheets, vote_lists
from folkmoot.site.polls import CHOOSING, COUNTED, choices, score
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import Html, strip
from tests.support.outline import Outline
from tests.support.site_game import game

OPEN = "proposal/311"


def view(name: str = OPEN, **given: Any) -> GameView:
    """Return the game with other fields of a proposal."""
    seen = game()
    seen.proposals[name].update(given)  # type: ignore[typeddict-item]
    return seen


def page(name: str = OPEN, **given: Any) -> ProposalPage:
    return proposal_page(name, view(name, **given))


def lists(seen: GameView) -> list[Votes]:
    return [sheet.make(seen) for sheet in vote_lists(seen) if sheet.path.startswith("proposals")]  # type: ignore[misc]


def text(seen: GameView, name: str = OPEN) -> str:
    path = f"proposals/{name.partition('/')[2]}.md"
    return str(made(seen, seen.index(proposal_sheets)[path]).body)


def said(words: object) -> str:
    return strip(words if isinstance(words, Html) else str(words))


# -- an open vote


def test_an_open_vote_says_who_wants_what_until_when_and_what_is_missing() -> None:
    shown = page()
    assert said(shown.lead) == "Ann Abel wants to make a new rule."
    assert said(shown.badge.words) == "open until Sun 15 Feb, 19:00"
    assert [(each.count, each.words) for each in shown.choices] == [(2, "voted"), (4, "not yet")]
    assert [each.side for each in shown.voters] == ["v"] * 2 + ["w"] * 4
    assert (text(game()).count(">has voted<"), text(game()).count(">has not voted<")) == (2, 4)
    assert [said(each) for each in shown.needed] == ["What is needed stands in rule 302."]


def test_ballots_that_are_not_displayed_are_neither_counted_nor_quoted() -> None:
    seen = view()
    seen.answers.update({f"{COUNTED}{OPEN}": "0 for, 2 against", f"{CHOOSING}{OPEN}": ["for", "against"]})  # type: ignore[attr-defined]
    shown = text(seen)
    assert "SECRET-REASON" not in shown
    assert "against" not in shown.partition("<main")[2]
    assert not any("against" in said(row) for row in lists(seen)[0].open)


def test_ballots_that_the_law_displays_are_shown_with_what_the_law_would_say_now() -> None:
    seen = view(displayed=True)
    seen.answers.update({f"{COUNTED}{OPEN}": "0 for, 2 against; 3 are needed", f"{CHOOSING}{OPEN}": ["for", "against"]})  # type: ignore[attr-defined]
    shown = proposal_page(OPEN, seen)
    assert [(each.count, each.words, each.side) for each in shown.choices] == [
        (0, "for", "y"), (2, "against", "n"), (4, "not yet", "w")]  # fmt: skip
    assert said(shown.needed[0]) == "Counted now: “0 for, 2 against; 3 are needed”"
    assert [each.reason for each in shown.voters if each.reason] == ["SECRET-REASON"] * 2


@pytest.mark.parametrize(
    ("forge", "via", "button", "line"),
    [
        ({"kind": "github", "home": "https://forge.example/a/b"}, {"forge": "github", "pull": 7}, "Vote on pull request 7", "/vote for"),
        ({"kind": "github", "home": "https://forge.example/a/b"}, None, "Vote by a form", "/vote for proposal=311"),
        ("local", None, "", "moot vote --proposal 311 for"),
        (None, None, "", ""),
    ],
)  # fmt: skip
def test_the_ways_to_vote_are_those_of_the_game(forge: Any, via: Any, button: str, line: str) -> None:
    seen = view(via=via)
    seen.documents["game"]["forge"] = forge  # type: ignore[index]
    ways = proposal_page(OPEN, seen).ways
    assert ways is not None
    assert (ways.button.words if ways.button else "", ways.line) == (button, line)
    assert said(ways.tell) == ("" if forge else "Tell Ann Abel how you vote: they keep the record.")


def test_nobody_is_told_how_to_vote_where_nobody_can() -> None:
    assert page("proposal/312").ways is None
    assert page("proposal/301").ways is None
    over = view()
    over.documents["game"]["over"] = {"winner": ["ann"], "at": 1}  # type: ignore[index]
    assert proposal_page(OPEN, over).ways is None


# -- a decided one


def test_a_decided_vote_says_how_it_ended_and_why() -> None:
    shown = page("proposal/302")
    assert said(shown.lead) == "Bob Baker wanted to amend rule 304, Three quarters. Adopted 5 to 1."
    assert [said(each) for each in shown.needed] == ["“5 of 6 voted for it” (rule 302)"]
    assert [(each.applied, each.balance) for each in shown.gains] == [(9, 9)]
    assert [said(what) for _when, what, _minor in shown.steps] == ["proposed by Bob Baker #15", "the vote opened", "the vote closed", "adopted #21"]  # fmt: skip
    assert re.findall(r"<summary>([^<]*)</summary><div", text(view(), "proposal/302")) == [
        "The new text without marks", "The old text", "What changes in its script"]  # fmt: skip


def test_those_with_reasons_come_first() -> None:
    reasons = [bool(each.reason) for each in page("proposal/302").voters]
    assert reasons == sorted(reasons, reverse=True)
    assert True in reasons


def test_a_decided_one_leads_to_what_was_proposed_later_on_the_same_rules() -> None:
    assert [[said(part) for part in each] for each in page("proposal/301").later] == [
        ["proposal 302", "rule 302", "adopted"]
    ]
    assert page().later == ()


def test_what_was_left_out_is_told_with_its_reason() -> None:
    omitted = [{"change": 0, "code": "E-STALE", "why": "rule 7 was changed"}]
    shown = page("proposal/301", omitted=omitted)
    assert "A part of it was left out." in text(view("proposal/301", omitted=omitted), "proposal/301")
    assert [[said(each) for each in change.omitted] for change in shown.changes] == [["“rule 7 was changed”"], []]
    assert "Nothing of it became law." in text(view("proposal/302", omitted=omitted), "proposal/302")


def test_a_vote_from_before_the_game_says_so_and_tells_no_times_that_nobody_knows() -> None:
    past = {"dated": {"submitted": "in spring", "decided": "unknown"}, "text": "Tea is served."}
    shown = page("proposal/302", taken_over=past)
    assert shown.past
    assert [said(words) for _title, words in shown.texts] == ["Tea is served."]
    assert shown.changes == ()
    assert said(shown.badge.words) == "adopted"
    assert said(shown.steps[0][0]) == "in spring"


def test_choices_of_other_games_stand_on_the_bar_as_they_are() -> None:
    ballots = {who: {"choice": word, "reason": "", "at": 1, "weight": 2, "counts": True, "why": "", "deemed": False}
               for who, word in (("ann", "endorse cid"), ("bob", "NO"), ("cid", "endorse cid"))}  # fmt: skip
    seen = view("proposal/302", ballots=ballots, electorate=["ann", "bob", "cid", "dee"])
    found = choices(seen, seen.proposals["proposal/302"])
    assert [(each.count, each.words, each.side, each.width) for each in found] == [
        (2, "NO", "n", 29), (4, "endorse cid", "o", 57), (1, "did not vote", "w", 14)]  # fmt: skip
    assert score(seen, seen.proposals["proposal/302"]) == "2 NO, 4 endorse cid"


# -- drawn


def test_many_voters_are_folded_and_long_names_and_titles_are_cut() -> None:
    voters = [f"v{n}" for n in range(200)]
    seen = view(electorate=voters, ballots={}, title="\U0001f98a")
    seen.documents["roster"].update(
        {who: {"name": f"{who} " + "Long" * 15, "since": 1, "until": None} for who in voters}
    )  # type: ignore[attr-defined]
    shown = proposal_page(OPEN, seen)
    assert "180 more" in text(seen)
    assert shown.title == "Proposal 311: \U0001f98a"
    assert len(text(seen)) < 60_000


@pytest.mark.parametrize("name", [OPEN, "proposal/301", "proposal/302", "proposal/310", "proposal/312"])
def test_a_page_has_one_title_headings_in_order_and_each_id_once(name: str) -> None:
    drawn = Outline()
    drawn.feed(text(view(), name))
    assert drawn.levels.count(1) == 1
    assert all(after - before <= 1 for before, after in zip(drawn.levels, drawn.levels[1:], strict=False))
    assert len(drawn.ids) == len(set(drawn.ids))
    assert "style=" not in text(view(), name)


def test_what_players_write_is_no_markup() -> None:
    mean = "<img src=x onerror=alert(1)>{{ page }}"
    seen = view("proposal/302", title=mean)
    for ballot in seen.proposals["proposal/302"]["ballots"].values():
        ballot.update(reason=mean, choice=mean)
    assert "<img" not in text(seen, "proposal/302")


# -- lists


def test_a_list_tells_what_is_open_then_what_was_decided_the_newest_first() -> None:
    listed = lists(game())[0]
    assert said(listed.lead) == "12 proposals: 8 adopted, 2 defeated, 2 not decided yet."
    assert [row.number for row in listed.open] == ["312", "311"]
    assert [row.number for row in listed.decided] == [str(n) for n in range(310, 300, -1)]
    row = listed.decided[-2]
    assert [said(each) for each in (*row.changes, row.author.name if row.author else "", row.day)] == [
        "amends rule 304", "Bob Baker", "Wed 7 Jan"]  # fmt: skip
    assert said(listed.decided[-2].badge.words) == "adopted 5–1"
    assert [len(row.reasons) for row in listed.decided] == [2] * 10
    assert [said(each) for each in listed.counted] == ["rule 302, Sixty per cent"]


def test_many_are_listed_on_pages_that_stay() -> None:
    seen = game()
    known = seen.proposals["proposal/301"]
    more = {f"proposals/900/{n}": {**known, "id": f"proposal/{n}", "number": n} for n in range(900, 1100)}
    grown = replace(seen, documents={**seen.documents, **more})
    pages = lists(grown)
    assert [len(each.decided) for each in pages[1:]] == [PARTS.size] * 3
    assert [said(each.words) for each in pages[0].earlier] == ["Proposals 101 – 150", "Proposals 51 – 100", "Proposals 1 – 50"]  # fmt: skip
    assert sum(len(each.decided) for each in pages) == 212


def test_a_game_without_any_vote_says_so() -> None:
    empty = GameView(slug="new", documents={"game": {"title": "New"}})
    (listed,) = lists(empty)
    assert said(listed.lead) == "No proposal has been made yet."
    assert re.search(r"<h1>Votes</h1>", str(made(empty, next(vote_lists(empty))).body))
