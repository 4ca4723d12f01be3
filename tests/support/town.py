"""A meeting on a forge that notifies people: the local one, with checks and calls as a real forge would keep them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from folkmoot.core.fault_points import fault_point
from folkmoot.forges.local.forge import LocalForge
from folkmoot.forges.port import Answer, Call, Check, Snapshot
from folkmoot.game.session import Session
from folkmoot.journal.tree import GameTree
from folkmoot.referee.report import Report
from folkmoot.referee.run import Referee
from tests.support.meeting import GAME, PLAYERS
from tests.support.quick import MAIN, SMALL, QuickMeeting

NAME = "town"


class Board(Struct):
    """What the forge shows beside comments, and what it says of pull requests and people."""

    calls: list[tuple[int, Call]] = field(default_factory=list)
    checks: dict[str, Check] = field(default_factory=dict)
    sent: list[Answer] = field(default_factory=list)
    drafts: set[int] = field(default_factory=set)
    labels: dict[int, tuple[str, ...]] = field(default_factory=dict)
    robots: set[str] = field(default_factory=set)

    def called(self, pull: int, kind: str = "") -> list[list[str]]:
        """Return whom each call on a pull request named, oldest first."""
        return [[person.partition("@")[0] for person in call.people] for call in self.words(pull, kind)]

    def words(self, pull: int, kind: str = "") -> list[Call]:
        return [call for number, call in self.calls if number == pull and call.key.startswith(kind)]


class TownForge(LocalForge):
    """The local forge under another name, on which words reach people."""

    name = NAME
    notifies = True

    def __init__(self, path: Path | str, board: Board) -> None:
        super().__init__(path)
        self.board = board

    def look(self, now: int, *, persist: bool = True) -> Snapshot:
        snapshot, board = super().look(now, persist=persist), self.board

        def known(made: Any, **more: Any) -> Any:
            return replace(made, author=replace(made.author, robot=made.author.id in board.robots), **more)

        pulls = tuple(known(pull, draft=pull.number in board.drafts) for pull in snapshot.pulls)
        remarks = {number: tuple(map(known, said)) for number, said in snapshot.remarks.items()}
        return replace(snapshot, pulls=pulls, remarks=remarks)

    def answer(self, answers: Sequence[Answer]) -> None:
        for answer in answers:
            self.board.sent.append(answer)
            if answer.check is not None:
                self.board.checks[answer.check.commit] = answer.check
                fault_point("checked")
            known = {call.key for number, call in self.board.calls if number == answer.pull}
            for call in answer.calls:
                if call.key not in known:
                    self.board.calls.append((answer.pull, call))
                    fault_point("called")
        super().answer(answers)


class Town(QuickMeeting):
    """A meeting in town; everybody in the game is known there by an account."""

    def __init__(
        self, folder: Path, *, law: Mapping[str, Any] | None = None, games: tuple[str, ...] = (GAME,), **more: Any
    ) -> None:
        accounts = tuple(f"{player}@x.org" for player in PLAYERS)
        super().__init__(folder, law={**(law or SMALL), "forge": NAME, **more}, games=games, accounts=accounts)
        self.board = Board()
        self.forge = TownForge(self.bare, self.board)

    def order(self, do: str, game: str = GAME, by: str = "ann", **args: Any) -> None:
        """Let an administrator do something beside the forge, and the referee know of it."""
        record = GameTree(self.repo, self.tip(), game)
        with Session.on(record) as session:
            done = session.act(by, do, args, at=max(self.now, session.at))
            assert done.accepted, done.entry
            tip = record.commit(f"{do}\n", "Root <root@x.org>", session.at, committer="Root <root@x.org>")
        self.repo.references.create(MAIN, tip, force=True)

    def referee(self, seconds: int = 0, **_: Any) -> Report:
        self.now += seconds
        with Referee(TownForge(self.bare, self.board), self.repo, lambda: self.now) as referee:
            return referee.run()

    def check(self, pull: int) -> tuple[str, str]:
        """Return state and words of the check on the head of a pull request."""
        found = self.board.checks.get(self.head(pull))
        return (found.state, found.summary) if found else ("", "")
