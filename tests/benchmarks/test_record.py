"""What the record costs in a long game beside a short one: opening, one act, a commit, and the proof of them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

import pygit2
import pytest
from git import Repo

from folkmoot.core.digest import bytes_digest
from folkmoot.game.rulesets import founding
from folkmoot.game.session import Session
from folkmoot.game.verify import validate_advance, verify
from folkmoot.journal import GameFolder, Head, entry_bytes
from folkmoot.journal.git_objects import write_tree
from folkmoot.journal.layout import entry_name
from folkmoot.journal.record import head_bytes
from folkmoot.journal.tree import GameTree
from folkmoot.kernel.replay import replay
from folkmoot.kernel.step import Kernel
from tests.benchmarks.measure import by_turns, figure

SIZES = SMALL, LARGE = (300, 3_000)
START = 1_767_614_400
ME = "Ann Abel <ann@example.org>"
LAW = {**founding("suber"), "title": "Long", "players": [{"id": name} for name in ("ann", "bob", "cid")],
       "settings": {"mode": "mail"}, "administrators": ["ann"]}  # fmt: skip
NUMBERS = count()  # so that every entry is a new file


def said(number: int, at: int) -> dict[str, Any]:
    """Return the entry of a statement, which changes no document."""
    text = f"Statement {number}"
    effect = {"effect": "state", "of": "ann", "text": text}
    return {"at": at, "by": "ann", "do": "state", "with": {"text": text}, "effects": [effect]}


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[GameFolder]:
    """Return two games in folders whose players talk until their journals are so long."""
    root = tmp_path_factory.mktemp("games")
    made = []
    with Repo.init(root):
        for size in SIZES:
            Session.found(root / str(size), LAW, START)
            made.append(GameFolder(root / str(size), durable=False))
            made[-1].append([said(n, START + n) for n in range(1, size)], {})
    return made


@pytest.fixture(scope="module")
def trees(tmp_path_factory: pytest.TempPathFactory) -> list[GameTree]:
    """Return two games at commits, their journals made at once of filling that nothing measured may read."""
    made = []
    for size in SIZES:
        repo = pygit2.init_repository(tmp_path_factory.mktemp("tree"), bare=True)
        tree = GameTree(repo, "", "long")
        assert Session.found(tree, LAW, START).accepted
        root = repo[tree.commit("Found", ME, START)].peel(pygit2.Tree).id
        last = entry_bytes({"seq": size, "prev": "0" * 64, **said(size, START + size)})
        journal: dict[str, Any] = dict.fromkeys(map(entry_name, range(2, size)), repo.create_blob(b"filling\n"))
        journal |= {entry_name(size): last, "head.yaml": head_bytes(Head(size, bytes_digest(last), START + size))}
        grown = write_tree(repo, root, {f"state/long/{name}": content for name, content in journal.items()})
        who = pygit2.Signature("Ann", "ann@example.org", START, 0)
        made.append(GameTree(repo, str(repo.create_commit(None, who, who, "Grow", grown, [])), "long"))
    return made


def compared(name: str, runs: int, work: Callable[[Any], object], short: Any, long: Any, **more: Any) -> None:
    """Hold what a work costs on the long game beside the short one."""
    less, most = by_turns(runs, lambda: work(short), lambda: work(long), **more)
    figure(f"{name}, {LARGE:,} entries beside {SMALL}", most, less)


def test_a_folder(folders: list[GameFolder]) -> None:
    def say(folder: GameFolder) -> None:
        folder.append([said(0, (folder.head.at or 0) + 1)], {"game": folder.archive("game")})

    def whole(folder: GameFolder) -> None:
        with Session.open(folder.path, writing=True) as session:
            act(session)

    def act(session: Session) -> None:
        session.act("ann", "state", {"text": "hello"}, at=session.at + 1)

    compared("open a folder", 10, GameFolder.load, *folders)
    compared("append an entry", 20, say, *folders)
    compared("open, act, close", 3, whole, *folders)
    with Session.open(folders[0].path) as short, Session.open(folders[1].path) as long:
        for folder, session in zip(folders, (short, long), strict=True):
            session.record = folder  # which does not wait for the disk
        judges = [session.sandbox._child.pid for session in (short, long) if session.sandbox._child]
        compared("act in a running session", 20, act, short, long, children=tuple(judges))


def test_a_commit(trees: list[GameTree]) -> None:
    def fresh(tree: GameTree) -> GameTree:
        return GameTree(tree.repo, tree.commit_id, tree.name)

    def say_and_commit(tree: GameTree) -> str:
        found = fresh(tree)
        found.append([said(next(NUMBERS), (found.head.at or 0) + 1)], {"game": found.archive("game")})
        return found.commit("Play", ME, START, committer=ME)

    def prove(tree: GameTree) -> None:
        assert validate_advance(fresh(tree), GameTree(tree.repo, tips[tree.head.seq], tree.name)) == []

    compared("open a commit", 10, lambda tree: fresh(tree).load(), *trees)
    compared("append and commit", 20, say_and_commit, *trees)
    tips = {}
    for tree in trees:
        with Session.on(played := fresh(tree)) as session:
            assert session.act("ann", "state", {"text": "Hello"}, at=session.at + 1).accepted
        tips[tree.head.seq] = played.commit("Play", ME, START)
    compared("prove an entry", 3, prove, *trees)


def test_the_proof_of_all_that_is_recorded(folders: list[GameFolder]) -> None:
    def prove(folder: GameFolder) -> None:
        report = verify(folder, lambda entries: replay(entries, Kernel()).documents.everything())
        assert report.sound, report.problems[:3]

    compared("verify", 1, prove, *folders)
