"""What a second table of four players found: two honest, two as hostile as they could be."""

from __future__ import annotations

from pathlib import Path

import pytest

from folkmoot.forges.cache.refs import LARGEST_STEP, next_pull, pull_ref
from folkmoot.forges.port import Person
from folkmoot.referee.commands import LONGEST_LINE, MOST_COMMANDS, unread_in
from folkmoot.referee.comment_building import as_voted
from folkmoot.referee.content import GameContent
from folkmoot.referee.people import whose
from tests.support.meeting import GAME, rule
from tests.support.quick import MAIN, QuickMeeting


@pytest.fixture
def town(tmp_path: Path) -> QuickMeeting:
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
    assert whose(Person(id="eve@x.org", handle=handle), roster, "local") == f"{handle} (eve@x.org)"
    assert whose(Person(id="ann@x.org", handle=handle), roster, "local") == "ann"
    assert whose(Person(id="eve@x.org", handle="Eve"), roster, "local") == "Eve"


def test_what_is_shown_is_what_is_voted_on() -> None:
    """A pull request's files said one thing and the final form, given by an act, another; the redline was of the files."""
    brought = GameContent(
        game="g",
        changes=({"enact": {"title": "Toploop", "text": "x", "script": "y"}},),
        acts=(),
        files=("a.yaml",),
        stale=(),
        digest="",
    )
    same = {
        "outcome": None,
        "changes": [{"kind": "enact", "rule": None, "parts": {"title": "Toploop", "text": "x", "script": "y"}}],
    }
    other = {"outcome": None, "changes": [{"kind": "amend", "rule": "203", "parts": {"text": "All power to cid."}}]}
    assert as_voted(brought, same) == brought
    assert as_voted(brought, None) == brought
    assert as_voted(brought, {**other, "outcome": "adopted"}) == brought
    (shown,) = as_voted(brought, other).changes
    assert (shown["amend"], shown["text"]) == ("203", "All power to cid.")


def test_what_is_said_while_a_game_stands_still_is_taken_in_afterwards(town: QuickMeeting) -> None:
    town.open("ann", {"rules/x.yaml": rule("X")})
    town.referee()
    before = town.tip()
    forged = town.change("cid", {f"state/{GAME}/things/player.yaml": b"ann: {score: 512}\n"})
    town.put(MAIN, forged)
    town.referee()
    town.say("bob", 0, "/state I was here before the repair")
    town.referee()
    town.put(MAIN, before)
    town.referee()
    town.referee()
    assert "I was here before the repair" in str(town.journal())
