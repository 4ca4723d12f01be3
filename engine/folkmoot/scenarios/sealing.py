"""Sealed values in scenarios: a keeper in memory, who seals what players hand over in clear and sees everything."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

from folkmoot.core.ballot_display import named_on
from folkmoot.core.events import FOUNDING_DIGEST, Event
from folkmoot.core.keys import GAME
from folkmoot.core.proposal_numbers import find_by_name
from folkmoot.core.records import Arguments
from folkmoot.core.rule_blocks import ActionSpec
from folkmoot.core.sealed_data import AUTHOR, is_sealed, read_box
from folkmoot.kernel import sealed_data
from folkmoot.kernel.act_declarations import OPEN_SEALED, VOTE
from folkmoot.kernel.chance import Chance, Source
from folkmoot.kernel.step import Kernel
from folkmoot.scenarios.dice import Unseen

if TYPE_CHECKING:
    from folkmoot.kernel.sealed_data.vaults import Content, Unopened, Vault, Wanted
    from folkmoot.sealing.commitments import Context

KEY = sha256(b"folkmoot scenario").digest()


class Keeper:
    """Knows what is sealed in one game that is played in memory."""

    def __init__(self) -> None:
        """Know of nothing yet."""
        self._contents: dict[int, Content] = {}
        self._sent: dict[str, Content] = {}
        self._details: dict[str, str] = {}
        self._author = ""
        self._source: Source | None = None

    def attend(self, kernel: Kernel) -> None:
        """Let claims about a game see what is sealed in it."""
        kernel.play.contents, kernel.play.details = self._contents.get, self._details

    # -- before an event

    def seal(self, kernel: Kernel, do: str, given: Arguments, seq: int, by: str | None = None) -> Arguments:
        """Return the arguments of an act with those sealed that its action declares so."""
        if do == OPEN_SEALED:
            return self._opening(kernel, given, by)
        if do == VOTE:
            return self._ballot(kernel, given, seq)
        actions: dict[str, tuple[str, ActionSpec]] = (
            kernel.play.law.declared("actions") if kernel.documents.keys("law") else {}
        )
        specs = actions[do][1].get("arguments") or {} if do in actions else {}
        sealed = {name: specs[name].get("sealed") for name in given if name in specs and is_sealed(specs[name])}
        return {
            **given,
            **{
                name: self._sealed(f"{seq} {name}", given[name], (str(by), do, name) if declared == AUTHOR else None)
                for name, declared in sealed.items()
            },
        }

    def _opening(self, kernel: Kernel, given: Arguments, by: str | None) -> Arguments:
        """Return the arguments that open what somebody sealed to themselves: the oldest, if none is named."""
        closed = sealed_data.values.closed_values(kernel.play)
        known = {number: each["commitment"] for number, each in closed if "own" in each and each.get("by") == by}
        number = given.get("number", next(iter(known), 0))
        content = self._sent.get(known.get(number, ""))
        if content is None or content.context is None:
            return {"number": number, "salt": "", "nonce": "", **given}
        context = content.context
        return {"number": number, "value": content.value, "salt": content.salt, "nonce": context["nonce"], **given}

    def _ballot(self, kernel: Kernel, given: Arguments, seq: int) -> Arguments:
        """Return the arguments of a vote, sealed where the ballots on what it is on are."""
        game = kernel.documents.get(GAME)
        on = named_on(given) or next(iter(game["open"] if game is not None else ()), "")
        proposal = find_by_name(kernel.documents.get, on) if on else None
        if proposal is None or not proposal.get("sealed") or given.get("clear"):
            return {name: value for name, value in given.items() if name != "clear"}
        content = {name: str(given[name]) for name in ("choice", "reason") if given.get(name)}
        rest = {name: value for name, value in given.items() if name not in ("choice", "reason")}
        return {**rest, "choice": self._sealed(f"{seq} choice", content)}

    def _sealed(self, place: str, value: Any, own: tuple[str, str, str] | None = None) -> Any:
        """Return a value in a box; where it is somebody's `own`, bound to who seals it, for which act and argument."""
        from folkmoot.sealing.commitments import EntryContext, commitment, flat, own_context

        if read_box(value) is not None:
            return value
        key = KEY + place.encode()
        context: Context | None = own_context(FOUNDING_DIGEST, *own, sha256(key).hexdigest()[:32]) if own else None
        salt = sha256(key).digest()
        made = commitment(context or EntryContext(FOUNDING_DIGEST, 0, place), value, salt)
        self._sent[made] = sealed_data.vaults.Content(value, salt.hex(), context=flat(context) if context else None)
        return {"commitment": made, "box": ""}

    # -- during an event

    def vault(self, event: Event, chance: Chance) -> Vault:
        """Return the vault of an event, whose sealed draws come from the dice where these are laid ready for them."""
        from folkmoot.sealing.commitments import EntryContext

        self._source = Unseen(chance.source, f"{event.seq} sealed")
        self._author = str(event.by)
        key = sha256(KEY + str(event.seq).encode()).digest()
        return sealed_data.vaults.KeptVault(EntryContext(FOUNDING_DIGEST, event.seq, "0"), key, self)

    def contents(self, number: int) -> Content | None:
        """Return what a sealed value holds, by its number."""
        return self._contents.get(number)

    def source(self, draw: int) -> Source:
        """Return the source of a sealed draw."""
        del draw
        assert self._source is not None
        return self._source

    def unseal(self, box: Arguments, wanted: Wanted) -> Content | Unopened:
        """Return what a player sealed."""
        del wanted
        found = self._sent.get(str(box["commitment"]))
        return found or sealed_data.vaults.Unopened("E-BOX", "this is no box of this scenario")

    def learn(self, vault: Vault | None) -> None:
        """Know from now on what was sealed in an event."""
        if vault is None:
            return
        took = [each for each in vault.records if each.get("commitment") in self._sent]
        self._contents |= {each["took"]: self._sent[each["commitment"]] for each in took if "took" in each}
        self._contents |= vault.made
        if vault.detail is not None:
            self._details[self._author] = str(vault.detail.value).rstrip()
