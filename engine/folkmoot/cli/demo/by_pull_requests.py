"""The demonstration by pull requests: six players push to one repository, and a referee looks after each stage."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

import pygit2

from folkmoot.cli.demo.script import Turn, address, turn_of, turns
from folkmoot.core.problems import fail
from folkmoot.files.rewrite import render_rule
from folkmoot.forges.local.forge import LocalForge
from folkmoot.forges.local.messages import Kind, Letter
from folkmoot.forges.local.players_repository import Author, PlayersRepository
from folkmoot.game.session import Session
from folkmoot.journal.git_objects import Content, make_commit, signature, write_tree
from folkmoot.journal.repositories import open_repository
from folkmoot.journal.tree import GameTree
from folkmoot.player.voting import REVIEWS
from folkmoot.referee.run import Referee

MINUTE = 60
BRANCH = "refs/heads/main"


class Gathering:
    """A repository with a game whose players meet in it; `now` is what its clock shows (Unix seconds)."""

    def __init__(self, root: Path, game: str, now: int) -> None:
        self.game = game
        self.now = now
        self.repo = open_repository(root)
        self.forge = LocalForge(root)
        self.repository = PlayersRepository(root)
        self.referee = Referee(self.forge, self.repo, lambda: self.now)

    def close(self) -> None:
        """End the referee's sandbox."""
        self.referee.close()

    def record(self) -> GameTree:
        """Return the game as it stands on the branch."""
        return GameTree(self.repo, str(self.repo.references[BRANCH].target), self.game)

    def session(self) -> Session:
        """Return the game, to be looked at; its sandbox starts only where the law is asked."""
        record = self.record()
        return Session(record, record.load(), record.head)

    def mover(self) -> str:
        """Return whose turn it is."""
        with closing(self.session()) as session:
            return str(session.ask("mover"))

    def propose(self, player: str, title: str, changes: Iterable[Mapping[str, Any]]) -> int:
        """Open a player's pull request and return its number."""
        record = self.record()
        tree = self.repo[record.commit_id].peel(pygit2.Tree).id
        files = {f"{record.path}/{name}": data for change in changes for name, data in file_of(record, change)}
        who = signature(self.repo, "AUTHOR", f"{player} <{address(player)}>", self.now)
        made = make_commit(self.repo, write_tree(self.repo, tree, files), [record.commit_id], f"{title}\n", who, who)
        return self.repository.open_pull(made)

    def say(self, player: str, pull: int, body: str, kind: Kind = "comment", head: str = "", mail: str = "") -> None:
        """Comment on a pull request (0: the game's thread), or review it."""
        letter = Letter(pull=pull, kind=kind, body=body, head=head)
        self.repository.send(letter, Author(player, mail or address(player)), at=self.now)

    def look(self) -> None:
        """Let a minute pass and the referee run; raises E-REFUSED where the rules refuse what players did."""
        self.now += MINUTE
        for game in self.referee.run().games:
            for done in game.done:
                if not done.accepted:
                    entry = done.entry
                    raise fail("E-REFUSED", f"{entry['by']} was refused {entry['do']}: {done.code}")
            if game.stopped:
                raise fail("E-REFUSED", f"the referee distrusts the game: {game.stopped[0].message}")


def file_of(record: GameTree, change: Mapping[str, Any]) -> Iterator[tuple[str, Content]]:
    """Yield the file of a rule (inside the game's folder) as a change leaves it: new, changed, or None for repealed."""
    if "enact" in change:
        yield f"rules/{slug(change['enact']['title'])}.yaml", render_rule(dict(change["enact"])).encode()
        return
    kind = next(kind for kind in ("amend", "repeal", "transmute") if kind in change)
    uid = str(change[kind])
    rule: dict[str, Any] = dict(record.archive(f"rules/{uid}") or {})
    rule.pop("source", None)
    if kind == "transmute":
        rule["labels"] = {**rule.get("labels", {}), "status": change["to"]}
    parts = {name: value for name, value in change.items() if name != kind} if kind == "amend" else {}
    yield f"rules/{uid}.yaml", None if kind == "repeal" else render_rule(rule | parts).encode()


def slug(title: str) -> str:
    """Return a title as the name of a file.

    >>> slug("Who counts? The Scribe!")
    'who-counts-the-scribe'
    """
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-") or "rule"


def play(gathering: Gathering, after_stage: Callable[[], None] = lambda: None) -> Iterator[Turn]:
    """Play the thirteen proposals by pull requests; yields each turn when it is over."""
    for turn in turns():
        gathering.now = max(gathering.now, turn["start"])
        pull = 0
        for stage in stages(turn):
            for act in stage:
                pull = do(gathering, act, pull)
            gathering.look()
            after_stage()
        yield turn_of(gathering.session(), turn)


def number_of_stages() -> int:
    """Return how often the referee looks in the whole game."""
    return sum(len(stages(turn)) for turn in turns())


def stages(turn: Mapping[str, Any]) -> list[list[dict[str, Any]]]:
    """Return the acts of a turn in groups that the referee may see at once: alike ones of different people."""
    return [list(alike) for _, alike in groupby(turn["acts"], itemgetter("do"))]


def do(gathering: Gathering, act: Mapping[str, Any], pull: int) -> int:
    """Do what an act of the script says by a pull request, a review or a comment; return the pull request's number."""
    by, name, with_ = act["by"], act["do"], act.get("with") or {}
    if name == "propose":
        return gathering.propose(by, with_["title"], with_["changes"])
    if name == "vote":
        head = str(gathering.repo.references[f"refs/pull/{pull}/head"].target)
        gathering.say(by, pull, with_.get("reason", ""), REVIEWS[with_["choice"]], head)
        return pull
    office = [f"as={act['as']}"] if "as" in act else []
    words = [f"/do {name}", *office, *(f"{key}={value}" for key, value in with_.items())]
    gathering.say(by, pull if name in ("finalise", "open_vote") else 0, " ".join(words))
    return pull
