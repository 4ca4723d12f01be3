"""The world of the local forge, where nothing goes wrong: what the others are compared with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pygit2

from folkmoot.core.clone_files import write_whole
from folkmoot.forges.cache.forge_cache import ForgeCache
from folkmoot.forges.cache.refs import FORGE, LETTERS, pull_ref
from folkmoot.forges.local.forge import LocalForge
from folkmoot.forges.local.letters import Letter, writer_of
from folkmoot.forges.port import PullState, RemarkKind
from folkmoot.game.keeper import keeper_file
from folkmoot.game.secret_store import SEALING
from folkmoot.journal.git_objects import make_commit, write_tree
from folkmoot.journal.tree import GameTree
from tests.forges.endtoend.world import GAME, World


class LocalWorld(World):
    """Every deed is noticed at once, as a forge that keeps stamps of its own would.

    A keeper's key lies in git's own folder of the clone in which the keeper runs the referee, and nowhere else.
    """

    kind = "local"
    machine: Path | None = None

    def __init__(self, folder: Path, law: Mapping[str, Any], players: tuple[str, ...], **more: Any) -> None:
        super().__init__(folder, law, players, **more)
        if self.kept:
            self.machine = folder / "keeper.git"
            pygit2.init_repository(str(self.machine), bare=True, initial_head="main").config["gc.auto"] = 0
            file = keeper_file(GameTree(pygit2.Repository(str(self.machine)), None, GAME))
            write_whole(file, f"{self.secrets.pop(SEALING)}\n".encode(), 0o600)

    def forge(self, clone: Path | None = None) -> LocalForge:
        forge = LocalForge(clone or self.hub, str(self.hub) if clone else None)
        forge.settle = 120
        return forge

    @contextmanager
    def deed(self) -> Iterator[None]:
        with super().deed():
            yield
        self.forge().look(self.now)

    def _settle(self) -> None:
        while self.run(self.forge(self.machine)).more:
            pass

    def shown(self, word: str) -> PullState:
        seen = ForgeCache(self.repo, str(self.repo.references[FORGE].target), {})
        record = seen.pull(self.pulls[word])
        assert record is not None
        return record.state

    def ours(self, word: str) -> list[str]:
        seen = ForgeCache(self.repo, str(self.repo.references[FORGE].target), {})
        said = seen.said(self.pulls[word])
        return [said] if said else []

    def _open(self, person: str, title: str, commit: str) -> int:
        number = 1
        while pull_ref(number) in self.repo.references:
            number += 1
        self.repo.references.create(pull_ref(number), commit)
        return number

    def _push(self, person: str, number: int, commit: str) -> None:
        self.repo.references.create(pull_ref(number), commit, force=True)

    def _send(self, person: str, letter: Letter) -> str:
        who = pygit2.Signature(person, f"{person}@x.org", self.now, 0)
        ref = LETTERS + writer_of(f"{person}@x.org")
        tree = write_tree(self.repo, None, {"letter.yaml": letter.as_file().encode()})
        known = self.repo.references.get(ref)
        made = make_commit(self.repo, tree, [str(known.target)] if known else [], f"{letter.kind}\n", who, who)
        self.repo.references.create(ref, made, force=True)
        return made

    def _say(self, person: str, number: int, body: str) -> str:
        return self._send(person, Letter(pull=number, kind="comment", body=body))

    def _review(self, person: str, number: int, kind: RemarkKind, body: str, commit: str) -> str:
        return self._send(person, Letter(pull=number, kind=kind, head=commit, body=body))

    def _edit(self, person: str, number: int, remark: str, body: str) -> None:
        self._send(person, Letter(pull=number, kind="edit", of=remark, body=body))

    def _delete(self, person: str, number: int, remark: str) -> None:
        self._send(person, Letter(pull=number, kind="delete", of=remark))

    def _dismiss(self, person: str, number: int, remark: str) -> None:
        self._send(person, Letter(pull=number, kind="dismiss", of=remark))

    def _close(self, person: str, number: int) -> None:
        self._send(person, Letter(pull=number, kind="close"))

    def _reopen(self, person: str, number: int) -> None:
        self._send(person, Letter(pull=number, kind="reopen"))
