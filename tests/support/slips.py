"""Mistakes of typing as tables: what is typed, the exit code, and words of the sentence that answers it."""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.gathering import Gathering
from tests.support.moot import Said

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
    """Let ann open the vote on tea."""
    tea(gathering)
    gathering.moot("ann", "act", "finalise")
    gathering.referee()


def withdrawn(gathering: Gathering) -> None:
    """Let ann open the vote on tea, and withdraw the pull request."""
    voted_on(gathering)
    gathering.moot("ann", "withdraw", "1")
    gathering.referee()
