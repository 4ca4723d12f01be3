"""A table at which letters carry what is sealed."""

from __future__ import annotations

from typing import Any

from folkmoot.game.session import Session
from folkmoot.player.hand import hand_of, own_keys, seal_ballot
from folkmoot.player.sealing import seal_arguments
from tests.support.quick import QuickMeeting
from tests.support.sealed_law import GAME as CARD_GAME
from tests.support.sealed_law import SECRET
from tests.support.table import VOTING

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
