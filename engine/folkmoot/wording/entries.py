"""What entries of a journal say: of refusals, of resolved proposals and of duties."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct, field

from folkmoot.core.records import Effect, Entry

SETTLED_IN_A_PART = 200
"""Over how many entries a part of the duties reaches that were struck out."""


class Duties(Struct):
    """What duties are called by their keys, and what was done when one was struck out, by entry and key, in parts."""

    owed: dict[str, str] = field(default_factory=dict)
    settled: dict[int, dict[tuple[int, str], str]] = field(default_factory=dict)

    def settled_as(self, seq: int, key: str) -> str:
        """Return what was done when a duty was struck out in an entry; its key where nobody knows."""
        return self.settled.get(seq // SETTLED_IN_A_PART, {}).get((seq, key), key)

    def after(self, entries: Iterable[Entry]) -> Duties:
        """Return what there is after later entries, and leave this as it is."""
        told = [*effects_in(entries, "owe", "settle")]
        if not told:
            return self
        later = Duties(dict(self.owed))
        later.take(told)
        parts = {number: {**self.settled.get(number, {}), **part} for number, part in later.settled.items()}
        return Duties(later.owed, {**self.settled, **parts})

    def go_on(self, entries: Iterable[Entry]) -> None:
        """Take what later entries say."""
        self.take(effects_in(entries, "owe", "settle"))

    def take(self, told: Iterable[tuple[Entry, Effect]]) -> None:
        """Take later effects by which something is owed or struck out, each with its entry."""
        for entry, effect in told:
            if effect.get("effect") == "owe":
                what, key = str(effect.get("what")), effect.get("key")
                for player in effect.get("players") or ():
                    self.owed[f"{key}/{player}" if key else f"{player}:{what}"] = what
                self.owed[str(key)] = what
            else:
                key = str(effect.get("of"))
                seq = int(entry.get("seq") or 0)
                self.settled.setdefault(seq // SETTLED_IN_A_PART, {})[seq, key] = self.owed.get(key, key)


def was_refused(entry: Entry) -> bool:
    """Whether an act was refused: it has a code, and is not held back."""
    return bool(entry.get("by")) and entry.get("code", "HELD") != "HELD"


def effects_in(entries: Iterable[Entry], *kinds: str) -> Iterator[tuple[Entry, Effect]]:
    """Yield every effect of these kinds (of all without any) in entries, with its entry."""
    for entry in entries:
        for effect in entry.get("effects") or ():
            if not kinds or effect.get("effect") in kinds:
                yield entry, effect


def resolved_in(entries: Iterable[Entry]) -> dict[str, Entry]:
    """Return the entry that resolved a proposal, by the proposal's id."""
    return {str(effect.get("of")): entry for entry, effect in effects_in(entries, "resolve")}
