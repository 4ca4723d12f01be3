"""The clone of whoever plays in the browser follows the game, and keeps what is its own."""

from __future__ import annotations

from folkmoot.cli.play.seat import Seat
from tests.play.conftest import Evening
from tests.support.meeting import GAME, git


def test_the_clone_follows_the_game_unless_its_own_changes_are_in_the_way(evening: Evening) -> None:
    root = evening.clone("bob")
    own = root / "notes.txt"
    own.write_text("mine", "utf-8")
    seat = Seat(root)
    evening.proposal()
    seat.look()
    seat.follow()
    assert seat.entries() == {GAME: 2}
    assert git(root, "status", "--porcelain") == "?? notes.txt"
    head = root / "state" / GAME / "head.yaml"
    head.write_text("mine", "utf-8")
    evening.moot("ann", "vote", "1", "for")
    evening.referee()
    seat.look()
    seat.follow()
    assert "in the way of newer play" in seat.note
    assert head.read_text("utf-8") == "mine"
    git(root, "checkout", "-q", "--", ".")
    git(root, "add", "notes.txt")
    git(root, "commit", "-q", "-m", "Mine")
    seat.look()
    seat.follow()
    assert "commits of its own" in seat.note
    git(root, "reset", "-q", "--hard", "HEAD~1")
    seat.look()
    seat.follow()
    assert (seat.entries(), seat.note) == ({GAME: 3}, "")


def test_what_git_ignores_is_kept_as_well(evening: Evening) -> None:
    root = evening.clone("bob")
    own = root / "state" / GAME / "journal" / "000" / "000002.yaml"
    own.write_text("mine", "utf-8")
    (root / ".git" / "info").mkdir(exist_ok=True)
    (root / ".git" / "info" / "exclude").write_text("000002.yaml\n", "utf-8")
    seat = Seat(root)
    evening.proposal()
    seat.look()
    seat.follow()
    assert "in the way of newer play" in seat.note
    assert own.read_text("utf-8") == "mine"


def test_hooks_and_filters_of_the_clone_are_not_run(evening: Evening) -> None:
    root = evening.clone("bob")
    ran = root / "ran"
    for hook in ("post-checkout", "post-merge", "reference-transaction"):
        path = root / ".git" / "hooks" / hook
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\ntouch {ran}\n", "utf-8")
        path.chmod(0o755)
    git(root, "config", "filter.evil.smudge", f"touch {ran}; cat")
    (root / ".git" / "info").mkdir(exist_ok=True)
    (root / ".git" / "info" / "attributes").write_text("* filter=evil\n", "utf-8")
    seat = Seat(root)
    evening.proposal()
    seat.look()
    seat.follow()
    assert seat.entries() == {GAME: 2}
    assert not ran.exists()
