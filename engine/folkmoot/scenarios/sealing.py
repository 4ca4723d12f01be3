"""Sealed values in scenarios: a keeper in memory, who seals what players hand over in clear and sees everything."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from folkmoot.core.ballot_display import named_on
from folkmoot.core.events import FOUNDING_DIGEST, Event
from folkmoot.core.keys import GAME
from folkmoot.core.proposal_numbers import find_by_name
from folkmoot.core.records import Arguments
from folkmoot.core.rule_blocks import ActionSpec, ArgumentSpec
from folkmoot.core.sealed_data import AUTHOR, is_sealed, read_box
from folkmoot.kernel.act_declarations import OPEN_SEALED, VOTE
from folkmoot.kernel.chance import Chance
from folkmoot.kernel.sealed_values import closed_of
from folkmoot.kernel.step import Kernel
from folkmoot.kernel.vault import Content, KeptVault, Unopened, Vault, Wanted
from folkmoot.scenarios.dice import Unseen
from folkmoot.sealing.commitments import Context, EntryContext, commitment, flat, own_context

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
        self._details: dict[str, str] = {}
        self._author = ""

    def attend(self, kernel: Kernel) -> None:
        """Let claims about a game see what is sealed in it."""
        kernel.play.contents, kernel.play.details = self._contents.get, self._details

    def seal(self, kernel: Kernel, do: str, given: Arguments, seq: int, by: str | None = None) -> Arguments:
        """Return the arguments of an act with those sealed that its action declares so."""
        if do == OPEN_SEALED:
            return self._opening(kernel, given, by)
        declared: dict[str, tuple[str, ActionSpec]] = (
            kernel.play.law.declared("actions") if kernel.documents.keys("law") else {}
        )
        if do == VOTE:
            return self._ballot(kernel, given, seq)
        specs = declared[do][1].get("arguments") or {} if do in declared else {}
        return {
            name: self._argument(specs[name], seq, (str(by), do, name), value)
            if name in specs and is_sealed(specs[name])
            else value
            for name, value in given.items()
        }

    def _argument(self, spec: ArgumentSpec, seq: int, bound: tuple[str, str, str], value: Any) -> Any:
        place = f"{seq} {bound[2]}"
        if spec.get("sealed") != AUTHOR:
            return self._sealed(place, value)
        nonce = sha256(KEY + place.encode()).hexdigest()[:32]
        return self._sealed(place, value, own_context(FOUNDING_DIGEST, *bound, nonce))

    def _opening(self, kernel: Kernel, given: Arguments, by: str | None) -> Arguments:
        """Return the arguments that open what somebody sealed to themselves: the oldest, if none is named."""
        known = dict(closed_of(kernel.play, by))
        number = given.get("number", next(iter(known), 0))
        content = self._sent.get(known.get(number, ""))
        if content is None or content.context is None:
            return {"number": number, "salt": "", "nonce": "", **given}
        context = content.context
        return {"number": number, "value": content.value, "salt": content.salt, "nonce": context["nonce"], **given}

    def _ballot(self, kernel: Kernel, given: Arguments, seq: int) -> Arguments:
        """Return the arguments of a vote, sealed where the ballots on what it is on are."""
        on = named_on(given) or _only_open(kernel)
        proposal = find_by_name(kernel.documents.get, on) if on else None
        if proposal is None or not proposal.get("sealed") or given.get("clear"):
            return {name: value for name, value in given.items() if name != "clear"}
        content = {name: str(given[name]) for name in ("choice", "reason") if given.get(name)}
        rest = {name: value for name, value in given.items() if name not in ("choice", "reason")}
        return {**rest, "choice": self._sealed(f"{seq} choice", content)}

    def _sealed(self, place: str, value: Any, context: Context | None = None) -> Any:
        if read_box(value) is not None:
            return value
        salt = sha256(KEY + place.encode()).digest()
        made = commitment(context or EntryContext(FOUNDING_DIGEST, 0, place), value, salt)
        self._sent[made] = Content(value, salt.hex(), context=flat(context) if context else None)
        return {"commitment": made, "box": ""}

    def vault(self, event: Event, chance: Chance) -> Vault:
        """Return the vault of an event, whose sealed draws come from the dice where these are laid ready for them."""
        context = EntryContext(FOUNDING_DIGEST, event.seq, "0")
        source = Unseen(chance.unrecorded(), f"{event.seq} sealed")
        key = sha256(KEY + str(event.seq).encode()).digest()
        self._author = str(event.by)
        return KeptVault(context, key, self._contents.get, lambda _seed: source, self._unsealed)

    def _unsealed(self, box: Arguments, _wanted: Wanted) -> Content | Unopened:
        return self._sent.get(str(box["commitment"])) or Unopened("E-BOX", "this is no box of this scenario")

    def learn(self, vault: Vault) -> None:
        """Know from now on what was sealed in an event."""
        took = [each for each in vault.records if each.get("commitment") in self._sent]
        self._contents |= {each["took"]: self._sent[each["commitment"]] for each in took if "took" in each}
        self._contents |= vault.made
        if isinstance(vault, KeptVault) and vault.detail is not None:
            self._details[self._author] = str(vault.detail.value).rstrip()
