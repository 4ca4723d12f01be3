"""Sealed contents as the journal records them, taken by a replay and held against what is at hand; pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set
from functools import cached_property
from typing import Any

from folkmoot.core.canonical_json import canonical_bytes
from folkmoot.core.problems import fail
from folkmoot.core.records import Arguments, Entry, SealedFor, SealedRecord
from folkmoot.core.values import told
from folkmoot.kernel.chance import Source, Specification
from folkmoot.kernel.vault import (
    Accepted,
    Computation,
    Content,
    Contents,
    OwnOpening,
    Unreadable,
    Vault,
    Wanted,
    refused_as,
)

FORMS = {
    "made": int,
    "took": int,
    "commitment": str,
    "refused": str,
    "seed": int,
    "spec": dict,
    "label": str,
    "opened": int,
    "salt": str,
    "context": dict,
    "told": str,
    "draws": list,
}
"""What each part of a record of something sealed is."""
NEEDED = {"made": {"commitment"}, "took": {"commitment"}, "seed": {"spec", "label"}, "opened": {"value", "salt"}}
"""What has to stand beside what."""


def sealed_records(entry: Entry) -> list[SealedRecord]:
    """Return what an entry records of what is sealed; raises E-REPLAY where it has not the form that it must have."""
    found: Any = entry.get("sealed") or []
    if not isinstance(found, list) or not all(map(_is_sound, found)):
        raise fail("E-REPLAY", f"entry {entry['seq']}: what it records of what is sealed has another form than it must")
    return found


def _is_sound(each: Any) -> bool:
    if not isinstance(each, dict):
        return False
    if "told" in each and len(each) > 1:  # it would be taken for what else it says, and the author believe it
        return False
    needed = {name for part, names in NEEDED.items() if part in each for name in names}
    return needed <= each.keys() and all(type(each[name]) is form for name, form in FORMS.items() if name in each)


class RecordedVault(Vault):
    """What an entry of the journal records of sealed contents, taken as inputs by a replay."""

    def __init__(
        self,
        records: Sequence[SealedRecord],
        contents: Contents = lambda _number: None,
        seeds: Callable[[int], Source | None] = lambda _seed: None,
        redacted: Set[int] = frozenset(),
    ) -> None:
        """Take the records of an entry; what is computed from contents and seeds at hand is compared with them.

        `redacted` are the places of those whose value is no longer what was opened.
        """
        super().__init__()
        self._recorded, self._contents, self._seeds, self._redacted = records, contents, seeds, redacted
        self._stands: dict[int, str] = {}

    @property
    def _awaited(self) -> SealedRecord:
        """What the record has next, empty at its end."""
        place = len(self.records)
        return self._recorded[place] if place < len(self._recorded) else {}

    def _next(self, **asked: Any) -> SealedRecord:
        place = len(self.records)
        if place >= len(self._recorded):
            raise fail("E-REPLAY", f"sealed value {place + 1}, {told(asked)}, is not in the record")
        found = self._awaited
        if "refused" in found:
            self.records.append(found)
            raise refused_as(str(found["refused"]))
        kept = {name: found.get(name) for name in asked}
        if kept != asked:
            raise fail(
                "E-REPLAY", f"sealed value {place + 1} was {told(dict(found))} and is {told(asked)} in the replay"
            )
        self.records.append(found)
        return found

    # -- what is at hand

    @cached_property
    def _opened_here(self) -> dict[str, Content]:
        """What this entry makes and opens, by commitment: what is undone in it stands nowhere else."""
        return dict(_opened_in(self._recorded, self._redacted))

    def _at_hand(self, number: int) -> Content | None:
        """Return the content of a number as it stands at this point of the entry, None where it is not at hand.

        Where something is undone within an entry, its number stands for something else afterwards.
        """
        commitment = self._stands.get(number)
        if commitment is None:
            return self._contents(number)
        found = self._opened_here.get(commitment) or self._contents(number)
        return found if found is not None and found.commitment == commitment else None

    # -- what is asked

    def keep(self, number: int, compute: Computation) -> str:
        """Return the recorded commitment; where the content is at hand, compute it anew and compare."""
        commitment = self._stands[number] = self._next(made=number)["commitment"]
        content = self._at_hand(number)
        if content is not None:
            try:
                computed = compute()
            except Unreadable:
                return commitment
            if canonical_bytes(computed.value) != canonical_bytes(content.value):
                raise fail("E-REPLAY", f"what is sealed as {number} is not what the rules compute")
        return commitment

    def rest(self, draws: list[int]) -> list[int]:
        """Return on which sealed draws the value rests that was kept last; engines before this one recorded none."""
        recorded = self.records[-1].get("draws")
        if recorded is not None and recorded != draws:
            raise fail(
                "E-REPLAY", f"what is sealed rests on the sealed draws {draws}, and {told(recorded)} are recorded"
            )
        return draws if recorded is not None else []

    def draw(self, seed: int, specification: Specification, label: str) -> Any:
        """Return the result of a sealed draw whose seed is at hand, None of any other."""
        self._next(seed=seed, spec=specification.record(), label=label)
        source = self._seeds(seed)
        return source.draw(specification, label) if source is not None else None

    def accept(self, number: int, box: Arguments, wanted: Wanted, accepted: Accepted) -> str:
        """Take what a player sealed as it was taken then; where it is at hand, see that it was sealed for this."""
        commitment = self.take(number, box)
        content = self._at_hand(number)
        if content is not None and content.context:
            meant = tuple(content.context.get(name) for name in ("argument", "target", "target_digest"))
            if meant != wanted or accepted(content.value):
                raise fail("E-REPLAY", f"what is sealed as {number} was not sealed for this, and had to be refused")
        return commitment

    def take_key(self) -> None:
        """Refuse the keeper's next key where it was refused."""
        if "refused" in self._awaited:
            self._next(refused="")

    def take(self, number: int, box: Arguments) -> str:
        """Take what its author alone can open as it was taken then."""
        self._stands[number] = self._next(took=number, commitment=str(box["commitment"]))["commitment"]
        return self._stands[number]

    def open_own(self, number: int, opening: OwnOpening, accepted: Accepted) -> Any:
        """Open what its author opened then; that it is what they committed to is proved beside the replay."""
        del accepted
        found = self._next(opened=number, value=opening.value, salt=opening.salt)
        context: SealedFor = found.get("context") or {}
        if {name: context.get(name) for name in opening.bound} != opening.bound:
            raise fail("E-REPLAY", f"what is opened as {number} was not sealed for this")
        return found["value"]

    def look(self, number: int) -> Content:
        """Return a content that is at hand."""
        found = self._at_hand(number)
        if found is None:
            raise Unreadable(number)
        return found

    def open(self, number: int) -> Any:
        """Return what was opened."""
        return self._next(opened=number).get("value")

    def tell(self, text: str) -> None:
        """Take what commits to what the author was told; engines before this one told them nothing."""
        del text
        if "told" in self._awaited:
            self.records.append(self._awaited)

    def finish(self) -> None:
        """Raise E-REPLAY if something is recorded that the replay did not ask."""
        left = len(self._recorded) - len(self.records)
        if left:
            raise fail("E-REPLAY", f"{left} of the {len(self._recorded)} recorded sealed values were not asked for")


def _opened_in(records: Sequence[SealedRecord], redacted: Set[int]) -> Iterator[tuple[str, Content]]:
    """Yield what an entry both seals and opens, with its commitment."""
    made: dict[int, str] = {}
    for place, each in enumerate(records):
        number = each.get("made", each.get("took"))
        if number is not None:
            made[number] = each["commitment"]
        elif each.get("opened") in made and place not in redacted:
            commitment = made[each["opened"]]
            yield commitment, Content(each["value"], each["salt"], None, each.get("context"), commitment)
