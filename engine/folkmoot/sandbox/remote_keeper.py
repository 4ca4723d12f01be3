"""The keeper as the sandbox's process knows them: what is sealed is asked of the parent, which alone has the key."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from folkmoot.core.digest import event_digest
from folkmoot.core.records import Arguments, Entry
from folkmoot.kernel.chance import Derived, Source
from folkmoot.kernel.retold_vault import Retelling
from folkmoot.kernel.vault import Content, Unopened, Wanted

Ask = Callable[[str, Any], Any]


class DistantKeeper:
    """Asks for contents when they are first looked at, and remembers them."""

    def __init__(self, ask: Ask) -> None:
        """Ask by `ask(what, of which)`; what comes back is plain data, None where it cannot be had."""
        self._ask = ask
        self._known: dict[int, Content | None] = {}

    def contents(self, number: int) -> Content | None:
        """Return what a sealed value holds, by its number."""
        if number not in self._known:
            found = self._ask("content", number)
            self._known[number] = Content(**found) if found is not None else None
        return self._known[number]

    def learn(self, made: Mapping[int, Content]) -> None:
        """Remember what was sealed in an event."""
        self._known |= made

    def source(self, draw: int) -> Source:
        """Return the source of a sealed draw, by its number."""
        return Derived(bytes.fromhex(self._ask("draw", draw)), "sealed")

    def past_source(self, draw: int, entry: Entry) -> Source | None:
        """Return the source of a sealed draw that an entry records, None where its seed is not at hand."""
        found = self._ask("past draw", {"draw": draw, "prev": entry["prev"], "digest": event_digest(entry)})
        return Derived(bytes.fromhex(found), "sealed") if found is not None else None

    def unseal(self, box: Arguments, wanted: Wanted) -> Content | Unopened:
        """Return what a player sealed, or why it cannot be had."""
        return _unsealed(self._ask("unseal", {"box": box, "wanted": list(wanted)}))

    def retelling(self, entry: Entry) -> Retelling:
        """Return what the keeper's key of its time gives for a refused entry."""
        of = {"seq": entry["seq"], "by": entry.get("by"), "do": entry["do"]}
        sealed = {**of, "prev": entry["prev"], "digest": event_digest(entry)}

        def unseal(box: Arguments, wanted: Wanted) -> tuple[Content | Unopened, bool] | None:
            found = self._ask("past unseal", {**of, "box": box, "wanted": list(wanted)})
            return None if found is None else (_unsealed(found["found"]), found["sure"])

        def commitment(text: str) -> str | None:
            found: str | None = self._ask("told", {**sealed, "text": text})
            return found

        return Retelling(unseal, commitment)


def _unsealed(found: Mapping[str, Any]) -> Content | Unopened:
    return Unopened(**found) if "code" in found else Content(**found)
