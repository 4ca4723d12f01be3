"""The dice of scenarios: results laid ready, and for the examples of a rule those of its own draws alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from folkmoot.core.events import Event
from folkmoot.kernel.chance import Chance, Derived, Scripted, Source, Specification, subkey
from folkmoot.kernel.step import Kernel


class Drawing:
    """Which rule draws at present in a game that is shown to it; by a rule's uid or by its number."""

    def __init__(self) -> None:
        """Know of no game yet."""
        self._kernel: Kernel | None = None

    def attend(self, kernel: Kernel) -> None:
        """Look at a game from now on."""
        self._kernel = kernel

    def uid(self) -> str:
        """Return the uid of the rule whose script draws, "" where none does."""
        frames = self._kernel.play.frames if self._kernel is not None else ()
        return frames[-1].uid if frames else ""

    def is_called(self, name: str) -> bool:
        """Whether the rule whose script draws has this number or uid."""
        uid = self.uid()
        meta = self._kernel.play.law.metas().get(uid) if self._kernel is not None else None
        return bool(uid) and name in (uid, str(meta["number"]) if meta is not None else "")


class ScenarioDice(Source):
    """Results laid ready for draws in their order, those that name a `rule` for draws of that one.

    With an owner (the uid of the rule that brings an example) the results that name no rule are for its draws; what
    other rules draw, and no result is laid ready for, is seeded, so that it takes nothing away.
    """

    name = "script"

    def __init__(self, dice: Sequence[Any], drawing: Drawing, owner: str = "") -> None:
        """Take the results of the next draws in order."""
        named: dict[str, list[Any]] = defaultdict(list)
        for result in dice:
            named[str(result.get("rule") or "") if isinstance(result, Mapping) else ""].append(result)
        self._unnamed = Scripted(named.pop("", []))
        self._named = {rule: Scripted(results) for rule, results in named.items()}
        self._drawing, self._owner, self._rest = drawing, owner, Streams(drawing, "dice")

    def draw(self, specification: Specification, label: str) -> Any:
        """Return the next result for the rule that draws; raises E-DICE where it has none, or none that fits."""
        return self._source().draw(specification, label)

    def choose(self, items: Sequence[Any], label: str) -> Any:
        """Return the position that the next result names for the rule that draws."""
        return self._source().choose(items, label)

    def has(self, specification: Specification, label: str) -> bool:
        """Whether the next result for the rule that draws is one of such a draw."""
        return self._source().has(specification, label)

    def finish(self) -> None:
        """Raise E-DICE if dice are left."""
        for source in (self._unnamed, *self._named.values()):
            source.finish()

    def _source(self) -> Source:
        named = next((each for rule, each in self._named.items() if self._drawing.is_called(rule)), None)
        if named is not None:
            return named
        return self._unnamed if not self._owner or self._drawing.uid() == self._owner else self._rest


class Streams(Source):
    """Seeded draws, of each rule from a stream of its own: what one draws changes nothing of what another does."""

    name = "open"

    def __init__(self, drawing: Drawing, seed: str) -> None:
        """Take what the streams begin with."""
        self._drawing, self._seed = drawing, seed
        self._streams: dict[str, Derived] = {}

    def draw(self, specification: Specification, label: str) -> Any:
        """Return the next result for the rule that draws."""
        uid = self._drawing.uid()
        if uid not in self._streams:
            self._streams[uid] = Derived(subkey(b"", "example", f"{self._seed} {uid}"), self.name)
        return self._streams[uid].draw(specification, label)


class Unseen(Source):
    """Sealed draws: the next result of the dice where it is laid ready for such a draw, else seeded.

    Nobody sees what is drawn so, and a scenario that is about other draws need not know of it.
    """

    name = "script"

    def __init__(self, dice: Source, seed: str) -> None:
        """Take the dice of the scenario, and what the seeded draws begin with."""
        self._dice = dice
        self._seeded = Derived(subkey(b"", "example", seed), self.name)

    def draw(self, specification: Specification, label: str) -> Any:
        """Return the result of the next sealed draw."""
        source = self._dice if self._dice.has(specification, label) else self._seeded
        return source.draw(specification, label)


def seeded(drawing: Drawing, event: Event) -> Chance:
    """Return the chance of an event of an example that lays no dice ready."""
    return Chance(Streams(drawing, f"{event.seq} {event.do} {event.at}"))
