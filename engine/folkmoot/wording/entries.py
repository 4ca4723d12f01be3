"""What entries of a journal say: of refusals, of resolved proposals and of duties."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from folkmoot.core.records import Effect, Entry


def duties_settled(entries: Iterable[Entry]) -> dict[tuple[int, str], str]:
    """Return what was done where a duty was struck out, by the entry's number and the duty's key."""
    owed, settled = dict[str, str](), dict[tuple[int, str], str]()
    for entry, effect in effects_in(entries, "owe", "settle"):
        if effect.get("effect") == "owe":
            what, key = str(effect.get("what")), effect.get("key")
            for player in effect.get("players") or ():
                owed[f"{key}/{player}" if key else f"{player}:{what}"] = what
            owed[str(key)] = what
        else:
            key = str(effect.get("of"))
            settled[int(entry.get("seq") or 0), key] = owed.get(key, key)
    return settled


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
