"""A repository in which the players of the demonstration meet by pull requests, and a referee that looks at it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from folkmoot.core.problems import fail
from folkmoot.files.rewrite import render_rule
from folkmoot.forges.local.forge import LocalForge
from folkmoot.forges.local.letters import Kind, Letter
from folkmoot.forges.local.players_repository import Author, PlayersRepository
from folkmoot.game.session import Session
from folkmoot.journal.git_library import pygit2
from folkmoot.journal.git_objects import Content, make_commit, signature, write_tree
from folkmoot.journal.repositories import open_repository
from folkmoot.journal.tree import GameTree
from folkmoot.referee.run import Referee

MINUTE = 60
BRANCH = "refs/heads/main"


def address(player: str) -> str:
    """Return the e-mail address of a player of the demonstration."""
    return f"{player.lower()}@mail.example"


class Gathering:
    """A repository with a game whose players meet in it; `now` is what its clock shows (Unix seconds)."""

    def __init__(self, root: Path, game: str, now: int) -> None:
        self.game = game
        self.now = now
        self.repo = open_repository(root)
        self.repository = PlayersRepository(root)
        self.referee = Referee(LocalForge(root), self.repo, lambda: self.now)

    def close(self) -> None:
        """End the referee's sandbox."""
        self.referee.close()

    def record(self) -> GameTree:
        """Return the game as it stands on the branch."""
        return GameTree(self.repo, str(self.repo.references[BRANCH].target), self.game)

    def session(self) -> closing[Session]:
        """Return the game, to be looked at; its sandbox starts only where the law is asked."""
        record = self.record()
        return closing(Session(record, record.load(), record.head))

    def propose(self, player: str, title: str, changes: Iterable[Mapping[str, Any]]) -> int:
        """Open a player's pull request and return its number."""
        record = self.record()
        tree = self.repo[record.commit_id].peel(pygit2.Tree).id
        files = {f"{record.path}/{name}": data for change in changes for name, data in _file_of(record, change)}
        who = signature(self.repo, "AUTHOR", f"{player} <{address(player)}>", self.now)
        made = make_commit(self.repo, write_tree(self.repo, tree, files), [record.commit_id], f"{title}\n", who, who)
        return self.repository.open_pull(made)

    def say(self, player: str, pull: int, body: str, kind: Kind = "comment") -> None:
        """Comment on a pull request (0: the game's thread), or review it as it stands."""
        head = str(self.repo.references[f"refs/pull/{pull}/head"].target) if kind != "comment" else ""
        self.repository.send(
            Letter(pull=pull, kind=kind, body=body, head=head), Author(player, address(player)), at=self.now
        )

    def look(self) -> None:
        """Let a minute pass and the referee run; raises E-REFUSED where the rules refuse what players did."""
        self.now += MINUTE
        for game in self.referee.run().games:
            for done in game.done:
                if not done.accepted:
                    raise fail("E-REFUSED", f"{done.entry['by']} was refused {done.entry['do']}: {done.code}")
            if game.stopped:
                raise fail("E-REFUSED", f"the referee distrusts the game: {game.stopped[0].message}")


def _file_of(record: GameTree, change: Mapping[str, Any]) -> Iterator[tuple[str, Content]]:
    """Yield the file of a rule (inside the game's folder) as a change leaves it: new, changed, or None for repealed."""
    if "enact" in change:
        name = re.sub(r"[^a-z0-9]+", "-", change["enact"]["title"].lower()).strip("-")
        yield f"rules/{name}.yaml", render_rule(dict(change["enact"])).encode()
        return
    kind = next(kind for kind in ("amend", "repeal", "transmute") if kind in change)
    uid = str(change[kind])
    rule: dict[str, Any] = dict(record.archive(f"rules/{uid}") or {})
    rule.pop("source", None)
    if kind == "transmute":
        rule["labels"] = {**rule.get("labels", {}), "status": change["to"]}
    parts = {name: value for name, value in change.items() if name != kind} if kind == "amend" else {}
    yield f"rules/{uid}.yaml", None if kind == "repeal" else render_rule(rule | parts).encode()
