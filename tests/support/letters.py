"""Letters that players sign, and letters that carry what is sealed."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from folkmoot.forges.local.letters import Letter
from folkmoot.forges.local.players_repository import Author, PlayersRepository
from folkmoot.game.session import Session
from folkmoot.player.hand import hand_of, own_keys, seal_ballot
from folkmoot.player.sealing import seal_arguments
from tests.support.keeper import GAME as CARD_GAME
from tests.support.keeper import SECRET
from tests.support.meeting import git
from tests.support.quick import QuickMeeting
from tests.support.table import VOTING


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


LAW = {"title": "Cards", "zone": "UTC", "rules": [CARD_GAME, VOTING, SECRET]}


class Sealed(QuickMeeting):
    """A meeting whose keeper has a key, and whose players have theirs."""

    def session(self) -> Any:
        return Session.on(self.game())

    def seal(self, person: str, do: str, **args: Any) -> str:
        """Return the line of an act with its arguments sealed."""
        with self.session() as session:
            words = seal_arguments(session, person, do, args)
        return " ".join(["/do", do, *(f"{name}={word}" for name, word in words.items())])

    def ballot(self, person: str, number: int, choice: str, reason: str = "") -> str:
        with self.session() as session:
            return f"/vote {seal_ballot(session, person, session.proposal(f'proposal/{number}'), choice, reason)}"

    def hand(self, person: str) -> Any:
        with self.session() as session:
            hand = hand_of(session, person, own_keys())
            return hand.shown(session.document("things/player")[person]["hand"])

    def every_byte(self) -> bytes:
        """Return every byte that stands in the repository, objects unpacked."""
        return b"".join(self.repo.get(oid).read_raw() for oid in self.repo)
