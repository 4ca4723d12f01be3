"""A refused act judged anew with the keeper's key: what its author was told in secret is computed again; pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from folkmoot.core.problems import fail
from folkmoot.core.records import Arguments, SealedRecord
from folkmoot.kernel.chance import Source
from folkmoot.kernel.recorded_vault import RecordedVault
from folkmoot.kernel.vault import Accepted, Computation, Content, Contents, Unopened, Unreadable, Wanted, usable


class Retelling(NamedTuple):
    """What the keeper's key of that time gives for an entry; None where it is not here.

    `unseal` gives what a player sent, or why it cannot be had, and whether the key of that time alone gives this;
    `commitment` is that to a text for the author.
    """

    unseal: Callable[[Arguments, Wanted], tuple[Content | Unopened, bool] | None]
    commitment: Callable[[str], str | None]


class RetoldVault(RecordedVault):
    """The record of a refused act, held against what the keeper's key gives."""

    def __init__(
        self,
        records: Sequence[SealedRecord],
        contents: Contents,
        seeds: Callable[[int], Source | None],
        retelling: Retelling,
    ) -> None:
        """Take the records of an entry; what cannot be computed here, with keys that are gone, is not compared."""
        super().__init__(records, contents, seeds)
        self._retelling, self._whole = retelling, True

    def _at_hand(self, number: int) -> Content | None:
        found, commitment = self.made.get(number), self._stands.get(number)
        return found if found is not None and found.commitment == commitment else super()._at_hand(number)

    def keep(self, number: int, compute: Computation) -> str:
        """Return the recorded commitment, and have what it commits to at hand where that can be computed."""
        commitment = super().keep(number, lambda: self._computed(number, compute))
        if number not in self.made or self.made[number].commitment != commitment:
            try:
                self._computed(number, compute)
            except Unreadable:
                self._whole = False
        return commitment

    def _computed(self, number: int, compute: Computation) -> Content:
        self.made[number] = compute()._replace(commitment=self._stands[number])
        return self.made[number]

    def accept(self, number: int, box: Arguments, wanted: Wanted, accepted: Accepted) -> str:
        """Take what a player sealed as it was taken then, or refuse it as then, and see that this was right."""
        unsealed, sure = self._retelling.unseal(box, wanted) or (None, False)
        found = unsealed if unsealed is None else usable(unsealed, accepted)
        recorded = str(self._awaited.get("refused", ""))
        if isinstance(found, Unopened):
            self.note_refused(wanted.argument, found.why)
        code = found.code if isinstance(found, Unopened) else ""
        if found is None or (code != recorded and not sure and "E-READER" in (code, recorded)):
            # other keys of the keeper, older or later ones, are here than were then
            self._whole = False
        elif code != recorded:
            judged = f"had to be {_judged(code)}, and was {_judged(recorded)}"
            raise fail("E-REPLAY", f"what is sealed as {wanted.argument} {judged}")
        commitment = super().accept(number, box, wanted, accepted)
        if isinstance(found, Content):
            self.made[number] = found
        return commitment

    def tell(self, text: str) -> None:
        """Compare what commits to what the author was told with what was to be told."""
        recorded = self._awaited.get("told")
        super().tell(text)
        expected = self._retelling.commitment(text) if self._whole and recorded is not None else None
        if expected is not None and expected != recorded:
            raise fail("E-REPLAY", "what its author was told in secret is not what it was refused for")


def _judged(code: str) -> str:
    return f"refused as {code}" if code else "taken"
