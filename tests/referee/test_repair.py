"""Games that were changed by hand: the referee says so, leaves that game alone, and it can be put right."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pygit2
import pytest

from engine.cli.main import main
from engine.referee.repair import keep, revert
from tests.referee.meeting import GAME, git, identity, rule
from tests.referee.quick import MAIN, QuickMeeting, quick_judge

__all__ = ["quick_judge"]

OTHER = "marsh"
HERE = f"state/{GAME}"
Files = Mapping[str, bytes | None]
STILL = "The game stands still"


class Hands(QuickMeeting):
    """A meeting of two games in one repository, of which somebody changes the first by hand."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, games=(GAME, OTHER))

    def hand(self, person: str, files: Files, message: str = "By hand") -> str:
        """Push changed files straight to the branch."""
        made = self.change(person, files, message)
        self.put(MAIN, made)
        return made

    def known(self) -> str:
        """Return what a referee knows as the last sound commit."""
        return self.forge.look(self.now).known

    def other(self, person: str, title: str) -> int:
        """Propose something in the second game."""
        return self.pull(self.change(person, {f"state/{OTHER}/rules/x.yaml": rule(title)}, title))


@pytest.fixture
def hands(tmp_path: Path) -> Hands:
    """Return a meeting of which a referee has seen both games, with a proposal that is voted on in the first."""
    hands = Hands(tmp_path)
    assert hands.propose("ann", "A dragon") == 1
    assert hands.referee().entries == 1
    return hands


def edited(hands: Hands, path: str, old: bytes, new: bytes) -> Files:
    """Return a file of the first game with something replaced."""
    data = hands.repo[hands.tip()].peel(pygit2.Tree)[f"{HERE}/{path}"].data  # type: ignore[union-attr]
    assert old in data
    return {f"{HERE}/{path}": data.replace(old, new)}


def a_score(hands: Hands) -> tuple[Files, str]:
    return edited(hands, "things/player.yaml", b"score: 0", b"score: 99"), "things/player.yaml"


def a_rule(hands: Hands) -> tuple[Files, str]:
    return edited(hands, "rules/2.yaml", b'"score", 1)', b'"score", 50)'), "rules/2.yaml"


def a_new_rule(hands: Hands) -> tuple[Files, str]:
    return {f"{HERE}/rules/9.yaml": rule("Bob rules")}, "the file was added, but nothing that was recorded does so"


def an_entry(hands: Hands) -> tuple[Files, str]:
    forged = b'seq: 3\nprev: "00"\nat: 2026-01-05T12:00:00Z\nby: bob\ndo: state\nwith:\n  text: hello\n'
    return {f"{HERE}/journal/000/000003.yaml": forged}, "journal/000/000003.yaml"


def an_old_entry(hands: Hands) -> tuple[Files, str]:
    return edited(hands, "journal/000/000002.yaml", b"by: ann", b"by: bob"), "the entry was changed after it was recorded"


def a_file_less(hands: Hands) -> tuple[Files, str]:
    return {f"{HERE}/roster.yaml": None}, "roster.yaml"


def a_shorter_journal(hands: Hands) -> tuple[Files, str]:
    return {f"{HERE}/journal/000/000002.yaml": None}, "the entry was removed"


def no_game(hands: Hands) -> tuple[Files, str]:
    """Even the file by which a game is found is gone."""
    return {f"{HERE}/head.yaml": None}, "head.yaml"


WAYS: dict[str, Callable[[Hands], tuple[Files, str]]] = {
    way.__name__: way
    for way in (a_score, a_rule, a_new_rule, an_entry, an_old_entry, a_file_less, a_shorter_journal, no_game)
}


@pytest.mark.parametrize("way", WAYS)
def test_what_is_pushed_by_hand_stops_that_game_alone(hands: Hands, way: str) -> None:
    files, why = WAYS[way](hands)
    sound = hands.tip()
    pushed = hands.hand("bob", files)
    assert hands.other("cid", "A bog") == 2
    hands.approve("bob", 1)
    report = hands.referee(60)
    assert [bool(game.stopped) for game in report.games] == [False, True]
    assert STILL in hands.said(1)
    assert why in hands.said(1)
    assert "moot repair" in hands.said(1)
    assert hands.document("proposals/300/301") == {} or not hands.ballots()
    assert hands.game().tree_id == pygit2.Repository(str(hands.bare))[pushed].peel(pygit2.Tree)[HERE].id
    assert hands.game(OTHER).archive("proposals/300/301")["author"] == "cid"  # type: ignore[index]
    assert STILL not in hands.said(2)

    assert hands.forge.publish(hands.tip(), revert(hands.repo, hands.known(), hands.tip(), GAME, hands.now))
    assert hands.game().tree_id == hands.repo[sound].peel(pygit2.Tree)[HERE].id
    assert hands.referee(60).entries == 1
    assert hands.ballots() == {"bob": "for"}
    assert STILL not in hands.said(1)
    assert hands.sound()
    assert hands.sound(OTHER)
