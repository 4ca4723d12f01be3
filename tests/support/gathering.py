"""A gathering: a bare repository with a game, and players whose clones `moot` is run in."""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.meeting import GAME, Meeting, git, identity
from tests.support.moot import Moot, Said
from tests.support.quick import QuickMeeting

TEA = "title: Tea\nlabels: {status: mutable}\ntext: |\n  There is tea for everybody.\n"


class Gathering(QuickMeeting):
    """A meeting whose players sit at clones with a work tree; ann is the mover and the administrator.

    The referee works in the shared repository itself, and what people send without `moot` is put there.
    """

    def __init__(self, folder: Path, moot: Moot, **given: Any) -> None:
        Meeting.__init__(self, folder, **given)
        self._moot = moot

    def _referees_own(self) -> Path:
        return self.bare

    def clone(self, person: str) -> Path:
        path = self.folder / person
        if not path.exists():
            git(self.folder, "clone", "--quiet", self.remote, str(path))
            identity(path, person)
        return path

    def moot(self, person: str, *words: str, code: int = 0) -> Said:
        """Run `moot` in somebody's clone; it must end with a code."""
        clone = str(self.clone(person))
        with pytest.MonkeyPatch.context() as patch:  # what is tried arrives at the table's own time
            patch.setattr("folkmoot.player.present_time.present", lambda: self.now)
            said = self._moot("-C", clone, *words)
        assert said.code == code, (words, said.out, said.err)
        return said

    def file(self, name: str, text: str = TEA) -> str:
        path = self.folder / name
        path.write_text(text, "utf-8")
        return str(path)

    def tea(self, person: str = "ann") -> int:
        """Let somebody propose tea, in their turn or not, and return the number of the pull request."""
        record = self.moot(person, "propose", "--rule", self.file("tea.yaml"), "--json", "--anyway").record
        return int(record["pull"])

    def refs(self) -> str:
        return git(self.bare, "for-each-ref")

    def letters(self, person: str) -> list[str]:
        """Return the letters that somebody sent, newest first, each as its file."""
        ref = f"refs/moot/letters/{person}@x-org"
        names = git(self.bare, "rev-list", ref).split() if ref in self.refs() else []
        return [git(self.bare, "show", f"{name}:letter.yaml") for name in names]

    def rule(self, uid: str) -> str:
        return git(self.bare, "show", f"main:state/{GAME}/rules/{uid}.yaml") + "\n"


def state_of(clone: Path) -> tuple[str, ...]:
    """Return everything of a clone that a person works with: files, index, branches, what is checked out."""
    paths = [path for path in sorted(clone.rglob("*")) if path.is_file() and ".git" not in path.parts]
    index = (clone / ".git" / "index").read_bytes().hex()
    branches = git(clone, "for-each-ref", "refs/heads", "refs/remotes")
    return (*(f"{path}: {path.read_bytes()!r}" for path in paths), index, branches, (clone / ".git/HEAD").read_text())


Slip = tuple[str, int, *tuple[str, ...]]
"""What is typed, as a shell takes it; the exit code; words that are said on it."""


def files(folder: Path) -> dict[str, str]:
    """Return the digest of every file of a folder but those of git's own in clones."""
    found = (path for path in folder.rglob("*") if path.is_file() and ".git" not in path.parts)
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in found}


def not_told(run: Callable[..., Said], slips: tuple[Slip, ...]) -> list[str]:
    """Return the slips that are not answered as they should be, each with what was said on it."""
    wrong = []
    for typed, code, *wanted in slips:
        said = run(*shlex.split(typed))
        missing = [words for words in wanted if words not in said.out + said.err]
        if said.code != code or missing or "Traceback" in said.err:
            wrong.append(f"{typed} → {said.code}, without {missing}:\n{said.out}{said.err}")
    return wrong


def slip(gathering: Gathering, slips: tuple[Slip, ...], person: str = "bob") -> None:
    """Let somebody at a table make all of these mistakes; nothing is sent, and no file is changed or lost."""
    clone = str(gathering.clone(person))
    before = gathering.refs(), files(gathering.folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(gathering.folder)
        patch.setattr("folkmoot.player.present_time.present", lambda: gathering.now)
        wrong = not_told(lambda *words: gathering._moot("-C", clone, *words), slips)
    assert not wrong, "\n\n".join(wrong)
    assert (gathering.refs(), files(gathering.folder)) == before


def tea(gathering: Gathering) -> None:
    """Let ann propose tea, which is taken in."""
    gathering.tea()
    gathering.referee()


def voted_on(gathering: Gathering) -> None:
    tea(gathering)
    gathering.moot("ann", "act", "finalise")
    gathering.referee()


def withdrawn(gathering: Gathering) -> None:
    voted_on(gathering)
    gathering.moot("ann", "withdraw", "1")
    gathering.referee()
