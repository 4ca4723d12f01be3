"""Keys of players and letters signed by them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from folkmoot.forges.local.letters import Letter
from folkmoot.forges.local.players_repository import Author, PlayersRepository
from tests.support.meeting import git
from tests.support.quick import QuickMeeting


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return SSH keys of ann and of eve."""
    folder = tmp_path_factory.mktemp("keys")
    for name in ("ann", "eve", "new"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / name)], check=True)
    return {name: folder / name for name in ("ann", "eve", "new")}


def public(key: Path) -> str:
    return " ".join(key.with_suffix(".pub").read_text().split()[:2])


def signed(quick: QuickMeeting, key: Path, letter: Letter, mail: str = "ann@x.org") -> str:
    """Send a letter that git signs, as a person's git does it."""
    folder = quick.folder / f"seat-{key.name}"
    if not folder.exists():
        git(quick.folder, "init", "--quiet", "--bare", str(folder))
        for name, value in (("gpg.format", "ssh"), ("user.signingkey", str(key)), ("commit.gpgsign", "true")):
            git(folder, "config", name, value)
    return PlayersRepository(folder, str(quick.bare)).send(letter, Author("Ann", mail, signs=True), at=quick.now)


@pytest.fixture
def voting(quick: QuickMeeting) -> QuickMeeting:
    """Return a meeting with a proposal of ann's, pull request 1, that is voted on."""
    assert quick.propose("ann", "A dragon") == 1
    quick.referee()
    return quick


@pytest.fixture
def keyed(voting: QuickMeeting, keys: dict[str, Path]) -> QuickMeeting:
    """Return a meeting in which ann signs what they send."""
    voting.say("ann", 0, f'/do add_key key="{public(keys["ann"])}"')
    voting.referee(60)
    voting.now += 60
    return voting
