"""What is said as if to a game where no game is meant gets one sentence: which games there are, how one is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from folkmoot.forges.cache.forge_cache import ForgeCache
from folkmoot.forges.local.forge import LocalForge
from folkmoot.forges.port import Person, Remark
from folkmoot.referee.outbox import MOST_NAMED, astray_of, comment_on_strays, which_game
from tests.support.issues import WithIssues
from tests.support.quick import FORGE, QuickMeeting

WHICH = "say in the games' own thread to which game, by a line such as /game fen; played are fen, moor"


@pytest.fixture
def two(tmp_path: Path) -> QuickMeeting:
    return QuickMeeting(tmp_path, games=("fen", "moor"))


def kept(table: QuickMeeting, person: str) -> list[tuple[str, str, str]]:
    """Return what is kept for somebody: where, what, and why."""
    found = ForgeCache(table.repo, table.tip(FORGE)).answers(f"{person}@x.org")
    return [(each.place, each.what, each.why) for each in found]


def plain(text: str) -> str:
    return text.replace("\\", "")


def test_on_a_pull_request_of_no_game(two: QuickMeeting) -> None:
    """Open, of other files; then closed, and said anew; each person once, however much they say."""
    pull = two.pull(two.change("cid", {"engine/x.py": b"x"}))
    two.say("ann", pull, "Nice.")
    two.say("bob", pull, "/vote for\n/state x")
    two.say("bob", pull, "/vote against")
    two.say("eve", pull, "/help")
    two.referee(60)
    said = plain(two.said(pull))
    assert WHICH in said
    assert "from bob (`/vote and 2 more`), Eve (`/help`): this pull request is of no game" in said
    assert "ann (`" not in said
    assert "This changes no game" in said
    assert kept(two, "bob") == [(f"pull {pull}", "/vote and 2 more", f"this pull request is of no game; {WHICH}")]
    assert two.referee(0).answers == 0
    two.say("cid", pull, "", "close")
    two.referee(60)
    two.say("dee", pull, "/propose")
    two.referee(60)
    assert "dee (`/propose`)" in two.said(pull)
    assert two.said(pull).count("What is said here to a game") == 1
    assert two.referee(0).answers == 0
    assert len(two.journal("fen")) == len(two.journal("moor")) == 1


def test_on_one_that_cannot_be_read_or_is_closed_at_once(two: QuickMeeting) -> None:
    broken = two.pull(two.change("cid", {"state/fen/rules/x.yaml": b"title: [\n"}))
    closed = two.pull(two.change("cid", {"engine/x.py": b"x"}))
    for pull in (broken, closed):
        two.referee(0)
        two.say("bob", pull, "/vote for")
    two.say("cid", closed, "", "close")
    two.referee(60)
    assert "bob (`/vote`): nothing here is judged while its files cannot be taken" in two.said(broken)
    assert "What is wrong with it" in two.said(broken)
    assert "bob (`/vote`)" in two.said(closed)


def test_in_the_thread(two: QuickMeeting) -> None:
    for body in ("/vote for", "/state x", "/game bog\n/state y"):
        two.say("bob", 0, body)
    two.say("ann", 0, "Good morning.")
    two.referee(60)
    said = plain(two.said(0))
    assert f"bob, /state and 2 more: {WHICH}" in said
    assert said.count("bob") == 1
    assert "ann, " not in said
    assert kept(two, "bob") == [("thread", "/state and 2 more", WHICH)]


def test_below_what_a_robot_opened(two: QuickMeeting) -> None:
    """A robot's issue was passed over with all that people said below it."""
    forge = two.forge = WithIssues(LocalForge(two.bare))  # type: ignore[assignment]
    silent = forge.open("bot", "/vote for", two.now, robot=True)  # type: ignore[attr-defined]
    talked = forge.open("bot", "Weekly report", two.now, robot=True)  # type: ignore[attr-defined]
    forge.comment("bob", talked, "/vote for", two.now)  # type: ignore[attr-defined]
    two.referee(60, forge=forge)
    assert "Which game?" in forge.kept[talked].said  # type: ignore[attr-defined]
    assert not forge.kept[silent].said  # type: ignore[attr-defined]


def test_it_is_bounded() -> None:
    crowd = [
        Remark(
            id=f"{n}", pull=1, kind="comment", author=Person(id=f"{n % 50}", handle=f"p{n % 50}"), at=n, body="/x\n" * 9
        )
        for n in range(500)
    ]
    found = astray_of(crowd, which_game([f"game{n}" for n in range(40)]))
    assert len(found) == 50
    text = comment_on_strays(found)
    assert f"and {50 - MOST_NAMED} more people" in text
    assert "and 30 more" in text
    assert len(text) < 2_000
    robots = [Remark(id="r", pull=1, kind="comment", author=Person(id="r", handle="r", robot=True), at=1, body="/x")]
    assert comment_on_strays(astray_of(robots, "why")) == ""
