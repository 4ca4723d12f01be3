"""The pages of history and chance: turns or days, the newest first; a sentence each; what is recorded below a fold."""

from __future__ import annotations

import re
from typing import Any, cast

import pytest

from folkmoot.site.pages.history import Entries, Event, History, Section, history_pages, worth_telling
from folkmoot.site.pen import bit
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import Html, strip
from folkmoot.wording.page_links import Here
from folkmoot.wording.sentences import act, effect
from tests.support.site_game import SECRET, game, rendered


def _pages(seen: GameView) -> tuple[History, list[Entries]]:
    first, *others = [sheet.make(seen) for sheet in history_pages(seen)]
    assert isinstance(first, History)
    return first, [each for each in others if isinstance(each, Entries)]


def _sections(*entries: dict[str, Any], **documents: Any) -> list[Section]:
    _first, pages = _pages(GameView(slug="x", documents=documents, entries=list(entries)))
    return [*pages[0].sections]


def _seqs(section: Section) -> list[int]:
    return [each.seq for event in section.events for each in (event.ballots or (event,))]


@pytest.fixture(scope="module")
def page() -> Entries:
    return _pages(game())[1][0]


def test_history_goes_turn_by_turn_the_newest_first_each_entry_once_and_in_its_turn(page: Entries) -> None:
    titles = [section.title for section in page.sections]
    assert titles[-1] == "The beginning"
    numbers = [int(title.removeprefix("Turn ")) for title in titles[:-1]]
    assert numbers == sorted(numbers, reverse=True)
    assert all(section.who for section in page.sections[:-1])
    seqs = [entry["seq"] for entry in game().entries]
    assert [seq for section in reversed(page.sections) for seq in _seqs(section)] == seqs
    anchors = re.findall(r'<li id="e(\d+)"', rendered()["journal/0001.md"])
    assert sorted(map(int, anchors)) == seqs
    first, _pages_of_entries = _pages(game())
    assert first.count == f"{len(seqs)} entries in 13 turns, newest first"
    assert not any(event.record for section in first.sections for event in section.events), "told without the record"
    assert all(event.record or event.ballots for section in page.sections for event in section.events)
    assert first.turns[0][1].to.startswith("0001.html#turn-")


def test_ballots_that_follow_one_another_are_one_event_and_what_is_hidden_says_neither_choice_nor_reason(
    page: Entries,
) -> None:
    events = {strip(event.words): event for section in page.sections for event in section.events}
    assert "Votes on proposal 302: 5 for, 1 against" in events
    first = events["Votes on proposal 301: 6 for"]
    assert (first.icon, first.tone) == ("§", "good")
    assert any("adopted" in strip(line) for line in first.effects)
    hidden = events["2 ballots on proposal 311, not displayed before the count"].ballots
    assert not any(each.quote or each.speaker for each in hidden)
    assert SECRET not in rendered()["journal/0001.md"] + rendered()["journal/index.md"]
    (said,) = (event for section in page.sections for event in section.events if "protest" in event.quote)
    assert (said.speaker is not None, said.filter) == (True, "l-say")


def test_a_day_begins_in_the_zone_of_the_game_and_has_an_anchor_of_its_own_where_it_comes_again() -> None:
    late = {"seq": 1, "at": "2026-01-05T23:30:00Z"}
    assert "2026-01-05" in _sections(late)[0].day
    found = _sections(late, {"seq": 2, "at": "2026-01-06T10:00:00Z"}, game={"zone": "Europe/Warsaw"})
    assert [(strip(each.day), _seqs(each)) for each in found] == [("Tue 6 Jan", [1, 2])]
    found = _sections({"seq": 1, "at": 10**18}, {"seq": 2}, {"seq": 3, "at": "soon"}, {"seq": 4, "at": 0})
    assert [seq for each in reversed(found) for seq in _seqs(each)] == [1, 2, 3, 4], "times that no calendar has"
    found = _sections(*({"seq": n, "at": at} for n, at in enumerate((0, 90_000, 0), 1)))
    assert [each.id for each in reversed(found)] == ["from-1", "from-2", "from-3"]


def test_the_record_says_once_by_which_rule_and_who_all_owe_something() -> None:
    owed = [{"effect": "owe", "of": who, "what": "vote", "rule": "101"} for who in ("ann", "bob")]
    paid = [{"effect": "award", "of": who, "name": "score", "applied": 1, "rule": "101"} for who in "abcdef"]
    gone = {"effect": "cancel", "of": "bell", "rule": "102"}
    (section,) = _sections({"seq": 1, "do": "tick", "at": 0, "effects": [*owed, *paid, gone]})
    (event,) = section.events
    assert event.record is not None
    assert [(strip(rule), [strip(line) for line in lines]) for rule, lines in event.record.effects] == [
        ("rule 101", ["ann, bob owe: “vote”"]),
        ("rule 102", ["Timer “bell” stopped"]),
    ], "what stands above the record is not said again"
    assert [strip(line) for line in event.effects] == ["a +1, b +1, c +1, d +1, e +1, f +1 score by rule 101"]


def test_what_brought_nothing_and_came_again_stands_once_with_its_entries() -> None:
    def event(seq: int, *effects: str) -> Event:
        none, told = Html(""), tuple(map(Html, effects))
        return Event(seq, "", "→", "", None, Html("Bell"), none, refused=False, entry=Html(f"#{seq}"), effects=told)

    shown = bit("events", [(Html("Mon"), (event(4), event(3), event(2, "+1"), event(1, "+1")))])
    assert re.findall(r"(?:#\d ?)+", shown) == ["#4 #3", "#2", "#1"]


def test_rules_that_changed_alike_stand_in_one_line() -> None:
    amended = [{"effect": "amend", "of": str(n)} for n in range(101, 115)]
    (section,) = _sections({"seq": 1, "do": "tick", "at": 0, "effects": [*amended, {"effect": "enact", "of": "301"}]})
    amendments, enacted, more = map(strip, section.events[0].effects)
    assert amendments.startswith("Amended rule 101, rule 102, ")
    assert amendments.endswith(", rule 112")
    assert (enacted, more) == ("Enacted rule 301", "and 2 more")


def test_a_ballot_is_recorded_beside_its_sentence_only_where_more_became_of_it() -> None:
    cast = {"effect": "ballot", "of": "proposal/1", "voter": "ann", "choice": "for", "counts": True}
    for more, count in (({}, 0), ({"deemed": True}, 1), ({"counts": False}, 1), ({"voter": "bob"}, 1)):
        entry = {"seq": 1, "do": "vote", "by": "ann", "at": 0, "with": {"choice": "for"}}
        (section,) = _sections({**entry, "effects": [{**cast, **more}]})
        assert section.events[0].record is not None
        assert len(section.events[0].record.effects) == count, more


def test_what_the_clock_did_stands_there_in_the_words_of_rules_and_only_if_anything_came_of_it() -> None:
    documents: dict[str, Any] = {
        "game": {},
        "law": {"version": 1, "rules": {"1": {"number": "1", "in_force": True}}},
        "rules/1": {"title": "Bells", "timers": {"bell-rings": {"summary": "The bell rings."}},
                    "defines": {"game": {"count": {"type": "integer", "bookkeeping": True}}}},
        "roster": {"ann": {"since": 0}},
        "things/player": {"ann": {}},
    }  # fmt: skip
    quiet: list[Any] = [
        {"effect": "timer", "of": "bell/2", "due": 9, "rule": "1"},
        {"effect": "put", "of": "game", "name": "count", "from": 0, "to": 1, "rule": "1"},
    ]
    turn = {"effect": "put", "of": "game", "name": "mover", "from": None, "to": "ann", "rule": "1"}
    ticks: list[Any] = [
        {"seq": 1, "do": "tick", "at": 0, "with": {"timer": "bell/1"}, "effects": quiet},
        {"seq": 2, "do": "tick", "at": 0, "with": {"timer": "bell/2"}, "effects": [*quiet, turn]},
        {"seq": 3, "do": "tick", "at": 0, "with": {"timer": "gong"}, "effects": [turn]},
    ]
    seen = GameView(slug="x", documents=documents, entries=ticks)
    here = Here(seen, "journal/index.md")
    assert [entry["seq"] for entry in worth_telling(seen)] == [3, 2]
    assert [strip(act(here, entry)) for entry in ticks[1:]] == ["Rule 1: “The bell rings”", "A deadline passed: “gong”"]
    assert strip(effect(here, ticks[2], cast(Any, turn))) == "It is ann’s turn by rule 1"


def test_a_draw_stands_there_only_if_it_says_something_by_itself() -> None:
    drawn = [
        {"label": "die", "spec": {"integer": [1, 6]}, "result": 4},
        {"label": "", "spec": {"integer": [1, 6]}, "result": 4},
        {"label": "the Judge", "spec": {"integer": [0, 2]}, "result": 1},
        {"label": "ranking", "spec": {"permutation": 3}, "result": [2, 0, 1]},
        {"label": "tackle", "spec": {"chance": [1, 4]}, "result": True},
    ]
    (section,) = _sections({"seq": 1, "do": "go", "by": "ann", "at": 0, "draws": drawn})
    assert [strip(line) for line in section.events[0].effects] == ["die: 4", "tackle: yes"]
