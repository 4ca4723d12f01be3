"""The page of a proposal and the lists of votes: what stands on them, what does not yet, and every part of what is proposed."""

from __future__ import annotations

import re
from typing import Any

import pytest
from msgspec.structs import replace

from folkmoot.core.rule_blocks import RULE_PARTS
from folkmoot.site.pages.proposal import PARTS, ProposalPage, Votes, proposal_page, vote_lists
from folkmoot.site.polls import CHOOSING, COUNTED, choices, score
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import Html, strip
from tests.support.site_game import SECRET, game
from tests.support.site_game import proposal_text as text

OPEN = "proposal/311"
HOME = "https://forge.example/a/b"


def view(name: str = OPEN, **given: Any) -> GameView:
    """Return the game with other fields of a proposal."""
    seen = game()
    seen.proposals[name].update(given)  # type: ignore[typeddict-item]
    return seen


def page(name: str = OPEN, **given: Any) -> ProposalPage:
    return proposal_page(name, view(name, **given))


def lists(seen: GameView) -> list[Votes]:
    return [sheet.make(seen) for sheet in vote_lists(seen) if sheet.path.startswith("proposals")]  # type: ignore[misc]


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
    assert said(shown.steps[-1][1]) == "the vote ends"


@pytest.mark.parametrize("displayed", [False, True])
def test_only_ballots_that_the_law_displays_are_shown_with_what_the_law_would_say_now(displayed: bool) -> None:
    seen = view(displayed=displayed)
    seen.answers.update({f"{COUNTED}{OPEN}": "0 for, 2 against; 3 are needed", f"{CHOOSING}{OPEN}": ["for", "against"]})  # type: ignore[attr-defined]
    shown, drawn = proposal_page(OPEN, seen), text(seen)
    assert (SECRET in drawn, "against" in drawn.partition("<main")[2]) == (displayed, displayed)
    assert any("against" in said(row) for row in lists(seen)[0].open) == displayed
    assert bool(score(seen, seen.proposals[OPEN])) == displayed
    if displayed:
        assert [(each.count, each.words, each.side) for each in shown.choices] == [
            (0, "for", "y"), (2, "against", "n"), (4, "not yet", "w")]  # fmt: skip
        assert said(shown.needed[0]) == "Counted now: “0 for, 2 against; 3 are needed”"
        assert [each.reason for each in shown.voters if each.reason] == [SECRET] * 2


@pytest.mark.parametrize(
    ("forge", "via", "button", "line"),
    [
        ({"kind": "github", "home": HOME}, {"forge": "github", "pull": 7}, "Vote on pull request 7", "/vote for"),
        ({"kind": "github", "home": HOME}, None, "Vote by a form", "/vote for proposal=311"),
        ("local", None, "", "moot vote --proposal 311 for"),
        (None, None, "", ""),
    ],
)
def test_the_ways_to_vote_are_those_of_the_game(forge: Any, via: Any, button: str, line: str) -> None:
    seen = view(via=via)
    seen.documents["game"]["forge"] = forge  # type: ignore[index]
    ways = proposal_page(OPEN, seen).ways
    assert ways is not None
    assert (ways.button.words if ways.button else "", ways.line) == (button, line)
    assert said(ways.tell) == ("" if forge else "Tell Ann Abel how you vote: they keep the record.")


def test_nobody_is_told_how_to_vote_where_nobody_can() -> None:
    over = view()
    over.documents["game"]["over"] = {"winner": ["ann"], "at": 1}  # type: ignore[index]
    assert [page("proposal/312").ways, page("proposal/301").ways, proposal_page(OPEN, over).ways] == [None] * 3


# -- a decided one


def test_a_decided_vote_says_how_it_ended_and_why_those_with_reasons_first() -> None:
    shown = page("proposal/302")
    assert said(shown.lead) == "Bob Baker wanted to amend rule 304, Three quarters. Adopted 5 to 1."
    assert [said(each) for each in shown.needed] == ["“5 of 6 voted for it” (rule 302)"]
    assert [(each.applied, each.balance) for each in shown.gains] == [(9, 9)]
    steps = ["proposed by Bob Baker #15", "the vote opened", "the vote closed", "adopted #21"]
    assert [said(what) for _when, what, _minor in shown.steps] == steps
    assert re.findall(r"<summary>([^<]*)</summary><div", text(view(), "proposal/302")) == [
        "The new text without marks", "The old text", "What changes in its script"]  # fmt: skip
    reasons = [bool(each.reason) for each in shown.voters]
    assert reasons == sorted(reasons, reverse=True) != [False] * 6
    later = [[said(part) for part in each] for each in page("proposal/301").later]
    assert (later, page().later) == ([["proposal 302", "rule 302", "adopted"]], ())


def test_what_was_left_out_is_told_with_its_reason() -> None:
    omitted = [{"change": 0, "code": "E-STALE", "why": "rule 7 was changed"}]
    shown = page("proposal/301", omitted=omitted)
    assert "A part of it was left out." in text(view("proposal/301", omitted=omitted), "proposal/301")
    assert [[said(each) for each in change.omitted] for change in shown.changes] == [["“rule 7 was changed”"], []]
    assert "Nothing of it became law." in text(view("proposal/302", omitted=omitted), "proposal/302")


def test_a_vote_from_before_the_game_says_so_and_tells_no_times_that_nobody_knows() -> None:
    past = {"dated": {"submitted": "in spring", "decided": "unknown"}, "text": "Tea is served."}
    shown = page("proposal/302", taken_over=past)
    assert (shown.past, shown.changes) == (True, ())
    assert [said(words) for _title, words in shown.texts] == ["Tea is served."]
    assert (said(shown.badge.words), said(shown.steps[0][0])) == ("adopted", "in spring")


def test_choices_of_other_games_stand_on_the_bar_as_they_are() -> None:
    ballots = {who: {"choice": word, "reason": "", "at": 1, "weight": 2, "counts": True, "why": "", "deemed": False}
               for who, word in (("ann", "endorse cid"), ("bob", "NO"), ("cid", "endorse cid"))}  # fmt: skip
    seen = view("proposal/302", ballots=ballots, electorate=["ann", "bob", "cid", "dee"])
    found = choices(seen, seen.proposals["proposal/302"])
    assert [(each.count, each.words, each.side, each.width) for each in found] == [
        (2, "NO", "n", 29), (4, "endorse cid", "o", 57), (1, "did not vote", "w", 14)]  # fmt: skip
    assert score(seen, seen.proposals["proposal/302"]) == "2 NO, 4 endorse cid"


def test_many_voters_are_folded_and_long_names_are_cut_and_what_players_write_is_no_markup() -> None:
    voters = [f"v{n}" for n in range(200)]
    seen = view(electorate=voters, ballots={}, title="\U0001f98a")
    people = {who: {"name": f"{who} " + "Long" * 15, "since": 1, "until": None} for who in voters}
    seen.documents["roster"].update(people)  # type: ignore[attr-defined]
    assert proposal_page(OPEN, seen).title == "Proposal 311: \U0001f98a"
    assert "180 more" in text(seen)
    assert len(text(seen)) < 60_000
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
    assert [said(each) for each in (*row.changes, row.author.name if row.author else "", row.day, row.badge.words)] == [
        "amends rule 304", "Bob Baker", "Wed 7 Jan", "adopted 5–1"]  # fmt: skip
    assert [len(row.reasons) for row in listed.decided] == [2] * 10
    assert [said(each) for each in listed.counted] == ["rule 302, Sixty per cent"]
    (none,) = lists(GameView(slug="new", documents={"game": {"title": "New"}}))
    assert said(none.lead) == "No proposal has been made yet."


def test_many_are_listed_on_pages_that_stay() -> None:
    seen = game()
    known = seen.proposals["proposal/301"]
    more = {f"proposals/900/{n}": {**known, "id": f"proposal/{n}", "number": n} for n in range(900, 1100)}
    pages = lists(replace(seen, documents={**seen.documents, **more}))
    assert [len(each.decided) for each in pages[1:]] == [PARTS.size] * 3
    earlier = ["Proposals 101 – 150", "Proposals 51 – 100", "Proposals 1 – 50"]
    assert [said(each.words) for each in pages[0].earlier] == earlier
    assert sum(len(each.decided) for each in pages) == 212


# -- every part of what is proposed

NEW: dict[str, Any] = {
    "title": "Tea", "labels": {"status": "mutable"}, "text": "There is tea.", "script": "def on_steep(e):\n    pass\n",
    "defines": {"game": {"steeped": {"type": "integer", "initial": 7}}},
    "actions": {"brew": {"summary": "Brew it", "arguments": {"leaves": {"type": "integer"}}}},
    "timers": {"steep": {"every": "week", "weekday": "friday"}},
    "settings": {"milk": {"question": "Is there milk?", "default": "never"}},
    "sealed": {"leaves_left": "Whether any are left"}, "precedence": {"over": ["207"]}, "about": "petition",
    "examples": [{"name": "a cup is poured", "then": []}],
}  # fmt: skip
WORDS = {"title": "Tea", "labels": "mutable", "text": "There is tea", "script": "on_steep", "defines": "steeped",
         "actions": "leaves", "timers": "friday", "settings": "milk", "precedence": "207",
         "sealed": "leaves_left", "about": "petition", "examples": "a cup is poured"}  # fmt: skip
OLD = {"rule": "301", "uid": "301", "title": "Old", "text": "Nothing.", "labels": {"status": "immutable"}}


def proposing(known: dict[str, Any], /, **change: Any) -> GameView:
    """Return a game of one rule, and a proposal to change it."""
    proposal = {"id": "proposal/302", "kind": "proposal", "number": 302, "title": "P", "state": "open", "author": "ann",
                "ballots": {}, "electorate": [], "changes": [change]}  # fmt: skip
    law = {"rules": {"301": {"number": "301", "in_force": True, "revision": 1}}}
    return GameView(slug="g", documents={"proposals/302": proposal, "law": law, "rules/301": known})


@pytest.mark.parametrize("change", [{"kind": "enact", "parts": NEW}, {"kind": "amend", "rule": "301", "parts": NEW}])
def test_every_part_is_shown(change: dict[str, Any]) -> None:
    assert set(WORDS) == set(RULE_PARTS)
    shown = text(proposing(OLD, **change), "proposal/302")
    assert [part for part, words in WORDS.items() if words not in shown] == []


def test_what_is_taken_away_is_shown_and_what_stays_is_not_shown_as_changed() -> None:
    old = {**OLD, "timers": {"steep": {"every": "week"}}}
    shown = text(proposing(old, kind="amend", rule="301", parts={"timers": {}}), "proposal/302")
    assert "every: week" in shown
    assert "stayed as it was" not in shown
    amended = proposing({**OLD, **NEW}, kind="amend", rule="301", parts={"text": "Else."})
    assert "Timers" not in text(amended, "proposal/302")
