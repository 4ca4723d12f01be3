"""Sealed values in scenarios: a keeper in memory, who seals what players hand over in clear and sees everything."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from folkmoot.core.ballot_display import voted_on
from folkmoot.core.events import FOUNDING_DIGEST, Event
from folkmoot.core.keys import GAME
from folkmoot.core.proposal_numbers import find_by_name
from folkmoot.core.records import Arguments
from folkmoot.core.rule_blocks import ActionSpec
from folkmoot.core.sealed_text import read_box
from folkmoot.kernel.chance import Chance
from folkmoot.kernel.declared import VOTE
from folkmoot.kernel.sealed_values import is_sealed
from folkmoot.kernel.step import Kernel
from folkmoot.kernel.vault import Content, KeptVault, Wanted
from folkmoot.sealing.commitments import commitment
from folkmoot.sealing.contexts import EntryContext

KEY = sha256(b"folkmoot scenario").digest()


def _only_open(kernel: Kernel) -> str:
    game = kernel.documents.get(GAME)
    return next(iter(game["open"]), "") if game is not None else ""


class Keeper:
    """Knows what is sealed in one game that is played in memory."""

    def __init__(self) -> None:
        """Know of nothing yet."""
        self._contents: dict[int, Content] = {}
        self._sent: dict[str, Content] = {}

    def attend(self, kernel: Kernel) -> None:
        """Let claims about a game see what is sealed in it."""
        kernel.play.contents = self._contents.get

    def seal(self, kernel: Kernel, do: str, given: Arguments, seq: int) -> Arguments:
        """Return the arguments of an act with those sealed that its action declares so."""
        declared: dict[str, tuple[str, ActionSpec]] = (
            kernel.play.law.declared("actions") if kernel.documents.keys("law") else {}
        )
        if do == VOTE:
            return self._ballot(kernel, given, seq)
        specs = declared[do][1].get("arguments") or {} if do in declared else {}
        return {
            name: self._sealed(f"{seq} {name}", value) if name in specs and is_sealed(specs[name]) else value
            for name, value in given.items()
        }

    def _ballot(self, kernel: Kernel, given: Arguments, seq: int) -> Arguments:
        """Return the arguments of a vote, sealed where the ballots on what it is on are."""
        on = voted_on({"do": VOTE, "with": given}) or _only_open(kernel)
        proposal = find_by_name(kernel.documents.get, on) if on else None
        if proposal is None or not proposal.get("sealed") or given.get("clear"):
            return {name: value for name, value in given.items() if name != "clear"}
        content = {name: str(given[name]) for name in ("choice", "reason") if given.get(name)}
        rest = {name: value for name, value in given.items() if name not in ("choice", "reason")}
        return {**rest, "choice": self._sealed(f"{seq} choice", content)}

    def _sealed(self, place: str, value: Any) -> Any:
        if read_box(value) is not None:
            return value
        salt = sha256(KEY + place.encode()).digest()
        made = commitment(EntryContext(FOUNDING_DIGEST, 0, place), value, salt)
        self._sent[made] = Content(value, salt.hex())
        return {"commitment": made, "box": ""}

    def vault(self, event: Event, chance: Chance) -> KeptVault:
        """Return the vault of an event, whose sealed draws come from the same dice as all others."""
        context = EntryContext(FOUNDING_DIGEST, event.seq, "0")
        source = chance.unrecorded()
        key = sha256(KEY + str(event.seq).encode()).digest()
        return KeptVault(context, key, self._contents.get, lambda _seed: source, self._unsealed)

    def _unsealed(self, box: Arguments, _wanted: Wanted) -> Content | str:
        return self._sent.get(str(box["commitment"]), "E-BOX")

    def learn(self, vault: KeptVault) -> None:
        """Know from now on what was sealed in an event."""
        self._contents |= vault.made
