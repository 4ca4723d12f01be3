"""What a second table of four players found: two honest, two as hostile as they could be."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.forge.observed.refs import LARGEST_STEP, next_pull, pull_ref
from engine.forge.port import Person
from engine.referee.commands import LONGEST_LINE, MOST_COMMANDS, unread_in
from engine.referee.people import whose
from tests.referee.meeting import rule
from tests.referee.quick import QuickMeeting, judge_here


@pytest.fixture
def town(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> QuickMeeting:
    judge_here(monkeypatch)
    return QuickMeeting(tmp_path)


def test_a_number_far_beyond_keeps_nobody_from_opening_pull_requests(town: QuickMeeting) -> None:
    """One push of refs/pull/999999999/head made every later pull request one that no referee took in."""
    first = town.open("ann", {"rules/x.yaml": rule("X")})
    far = str(town.repo.references[pull_ref(first)].target)
    town.put(pull_ref(999_999_999), far)
    town.referee()
    assert "pull requests are numbered one after the other" in str([note.why for note in town.forge.ignored()])
    assert next_pull(first, [first, 999_999_999]) == first + 1
    assert town.said(first), "the others are answered"


def test_numbers_on_their_way_are_counted() -> None:
    assert next_pull(3, [4, 5, 6]) == 7
    assert next_pull(3, [3 + LARGEST_STEP]) == 4 + LARGEST_STEP
    assert next_pull(3, [4 + LARGEST_STEP]) == 4


@pytest.mark.parametrize("body", ["/vote for\n" * (MOST_COMMANDS + 1), f"/state {'x' * LONGEST_LINE}"])
def test_commands_that_are_not_read_are_named(town: QuickMeeting, body: str) -> None:
    pull = town.open("ann", {"rules/x.yaml": rule("X")})
    town.referee()
    town.say("bob", pull, body)
    town.referee()
    assert unread_in(body)
    assert unread_in(body).split(";")[0] in town.said(pull)


@pytest.mark.parametrize("handle", ["Ann", "\u0430nn", "ANN", "Ann Abel"])
def test_a_stranger_who_is_called_like_a_player_is_not_shown_as_them(handle: str) -> None:
    roster = {"ann": {"name": "Ann", "surname": "Abel", "handles": {"local": {"id": "ann@x.org"}}}}
    assert whose(Person(id="eve@x.org", handle=handle), roster, "local") == f"{handle} (eve@x.org, no player)"
    assert whose(Person(id="ann@x.org", handle=handle), roster, "local") == "ann"
    assert whose(Person(id="eve@x.org", handle="Eve"), roster, "local") == "Eve"
