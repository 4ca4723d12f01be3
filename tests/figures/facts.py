"""What the record of a game says in numbers and times, read from its plain entries and documents alone."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from typing import Any

Record = Mapping[str, Any]
Entity = tuple[str, str]
"""A kind (entry, rule, proposal, player, thing, office, game) and what tells one of it from the others."""
NUMBERS = re.compile(r"\d+", re.ASCII)
EARLIEST, LATEST = 100_000_000, 5_000_000_000
"""Which numbers can be times, in Unix seconds."""


def inside(value: Any) -> Iterator[Any]:
    """Yield every plain value in a value, and how many there are in each list and map."""
    if isinstance(value, Mapping):
        yield len(value)
        for key, each in value.items():
            yield from (key, *inside(each))
    elif isinstance(value, list):
        yield len(value)
        for each in value:
            yield from inside(each)
    else:
        yield value


def seconds(value: Any) -> int | None:
    """Return a stamp or a number of Unix seconds as such, None where it is neither."""
    if isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", value, re.ASCII):
        return int(datetime.fromisoformat(value).timestamp())
    if isinstance(value, int) and not isinstance(value, bool) and EARLIEST < value < LATEST:
        return value
    return None


def moment_of(entry: Record) -> int:
    """Return when an entry happened, in Unix seconds."""
    at = seconds(entry["at"])
    assert at is not None, entry
    return at


class Line:
    """A change of what somebody has of a currency, as an entry has it."""

    def __init__(self, entry: Record, effect: Record) -> None:
        """Read it."""
        self.seq, self.at, self.owner, self.currency = entry["seq"], moment_of(entry), effect["of"], effect["name"]
        self.before, self.after = effect.get("from") or 0, effect.get("to") or 0
        applied = effect.get("applied")
        self.change = applied if isinstance(applied, int) else self.after - self.before


class Facts:
    """What is known of a game: of each of its entities, and of the whole."""

    def __init__(self, entries: Sequence[Record], documents: Mapping[str, Record]) -> None:
        """Take the record of a game; nothing of it is changed."""
        self.entries, self.documents = entries, documents
        self.game: Record = documents["game"]
        self.roster: Record = documents.get("roster") or {}
        self.law: Record = documents["law"]["rules"]
        self.present = [player for player, each in self.roster.items() if each.get("until") is None]
        self.in_force = [uid for uid, meta in self.law.items() if meta["in_force"]]
        self.by_seq = {entry["seq"]: entry for entry in entries}
        self.now = moment_of(entries[-1])
        proposals = [each for each in documents.values() if "ballots" in each and "changes" in each]
        self.proposals = {str(each["id"]): each for each in proposals}

    # -- the law

    def revisions(self, uid: str) -> list[Record]:
        """Return every revision of a rule, oldest first."""
        past = [*((self.documents.get(f"history/{uid}") or {}).get("revisions") or ())]
        now, meta = self.documents.get(f"rules/{uid}"), self.law[uid]
        return [*past, {**(now or {}), **meta}] if meta["in_force"] else past

    def rules_by_number(self) -> dict[str, str]:
        """Return uids by every number that a rule has or had, present ones first."""
        found = {str(n): uid for uid, meta in self.law.items() for n in meta.get("former_numbers") or ()}
        found |= {str(each.get("rule")): uid for uid in self.law for each in self.revisions(uid) if each.get("rule")}
        found |= {str(meta["number"]): uid for uid, meta in self.law.items() if not meta["in_force"]}
        return found | {str(self.law[uid]["number"]): uid for uid in self.in_force}

    def declared(self, *block: str) -> dict[str, Record]:
        """Return what rules in force declare in a block, by name."""
        found: dict[str, Record] = {}
        for uid in self.in_force:
            part: Any = self.documents.get(f"rules/{uid}") or {}
            for name in block:
                part = (part or {}).get(name) or {}
            found |= {name: about or {} for name, about in part.items() if name not in found}
        return found

    # -- currencies

    @cached_property
    def turns_begun(self) -> list[int]:
        """The entries in which a turn began."""
        return [entry["seq"] for entry in self.entries
                if any(each.get("effect") == "put" and (each.get("of"), each.get("name")) == ("game", "mover") and each.get("to")
                       for each in entry.get("effects") or ())]  # fmt: skip

    @cached_property
    def turns(self) -> set[int]:
        """The numbers of turns: those that rules count, else how many times it was somebody's."""
        puts = [(each.get("name"), each.get("to")) for entry in self.entries for each in entry.get("effects") or ()
                if each.get("effect") == "put" and each.get("of") == "game"]  # fmt: skip
        counted = {to for name, to in puts if name == "turn_no"}
        return counted or {*range(1, 1 + sum(name == "mover" for name, _to in puts))}

    @cached_property
    def currencies(self) -> dict[str, str]:
        """Every currency of players by what it is called on pages: by its summary of a word or two, else its name."""
        found = {}
        for name, about in self.declared("defines", "currencies").items():
            words = str(about.get("summary") or "").split()
            found[" ".join(words) if 0 < len(words) < 3 else name.replace("_", " ").replace("-", " ").capitalize()] = (
                name
            )
        return found

    @cached_property
    def ledger(self) -> list[Line]:
        """Every change of a currency."""
        known = set(self.declared("defines", "currencies"))
        return [
            Line(entry, effect)
            for entry in self.entries
            for effect in entry.get("effects") or ()
            if effect.get("effect") == "award"
            or (effect.get("name") in known and all(isinstance(effect.get(end), int) for end in ("from", "to")))
        ]

    def balance(self, owner: str, currency: str) -> int:
        """Return how much of a currency a player, or the game, has now."""
        kind = "game" if owner == "game" else "player"
        return (self.documents.get(f"things/{kind}") or {}).get(owner, {}).get(currency) or 0

    def balance_at(self, player: str, currency: str, at: int) -> int | None:
        """Return how much of a currency a player had at a moment, by what was recorded until then; None before any."""
        mine = [line for line in self.ledger if (line.owner, line.currency) == (player, currency)]
        place = bisect_right([line.at for line in mine], at)
        if place:
            return mine[place - 1].after
        return mine[0].before if mine else None

    # -- what is said of an entity

    def of(self, entity: Entity) -> list[Any]:
        """Return the parts of the record that are about an entity."""
        kind, name = entity
        if kind == "entry":
            return [self.by_seq.get(int(name))]
        if kind == "rule":
            return [self.law.get(name), self.revisions(name), self._things(name)] if name in self.law else []
        if kind == "proposal":
            entries = [entry for entry in self.entries if self._names(entry, name)]
            return [self.proposals.get(name), self.proposals.get(name, {}).get("registers"), entries]
        if kind == "player":
            mine = [entry for entry in self.entries if entry.get("by") == name or self._names(entry, name)]
            return [self.roster.get(name), self._things(name), *self._duties(name), mine]
        whole = ("things/game", "things/timer", "things/office", "things/held")
        return [self.game, *(self.documents.get(key) for key in whole), *self._duties(None)]

    @staticmethod
    def _names(entry: Record, name: str) -> bool:
        return any(name in (effect.get("of"), effect.get("player"), effect.get("voter")) or name in (effect.get("players") or ())
                   for effect in entry.get("effects") or ())  # fmt: skip

    def _things(self, name: str) -> list[Any]:
        """Return the registers of something, and of what belongs to it."""
        found = []
        for key, document in self.documents.items():
            if key.startswith("things/") and key not in ("things/duty", "things/timer", "things/held"):
                found += [each for id_, each in document.items()
                          if name in (id_, (each or {}).get("owner"), (each or {}).get("holder"))]  # fmt: skip
        return found

    def _duties(self, player: str | None) -> list[Any]:
        duties = (self.documents.get("things/duty") or {}).values()
        return [duty for duty in duties if player in (None, duty["player"])]

    def times_of(self, entity: Entity) -> set[int]:
        """Return the times that the record has of an entity, in Unix seconds."""
        if entity not in self._times:
            values = (seconds(value) for part in self.of(entity) for value in inside(part))
            self._times[entity] = {value for value in values if value is not None}
        return self._times[entity]

    @cached_property
    def _times(self) -> dict[Entity, set[int]]:
        return {}
