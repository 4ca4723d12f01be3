"""What a record proves of what was sealed: openings against commitments, and what can be computed anew from them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from folkmoot.core.documents import KeeperKey
from folkmoot.core.keys import GAME
from folkmoot.core.problems import Position, Problem, ProblemError
from folkmoot.core.records import Entry, SealedRecord
from folkmoot.game.keeper import Keeper, seed_key
from folkmoot.journal import GameRecord
from folkmoot.journal.layout import entry_name
from folkmoot.kernel.act_declarations import OPEN_SEALED
from folkmoot.kernel.redaction import redacted_openings
from folkmoot.kernel.sealed_data.vaults import Content, sealed_records
from folkmoot.sealing.commitments import AnyContext, Context, EntryContext, draw_bytes, opens, verify_seed

HEX = re.compile(r"(?:[0-9a-f]{2})*", re.ASCII)


FACTS = {
    "redacted": "{} opened [value is|values are] redacted, so that nobody can check [it|them] any more",
    "opened_seeds": "{} sealed [draw is what its opened seed gives|draws are what their opened seeds give]",
    "sealed": "{} sealed [value was|values were] not opened, so that nobody else can check [it|them] yet",
    "sealed_seeds": "{} sealed [draw waits for its seed|draws wait for their seeds]",
}


class _Made(Struct):
    """A sealed value as it was recorded: in which entry, at which place, what commits to it, who sent it.

    `keys` is how many keys the keeper had named by then.
    """

    seq: int
    place: int
    commitment: str
    by: str | None = None
    do: str = ""
    keys: int = 0


class SealedPast:
    """What a journal records of what was sealed in it; `wrong` are the problems, `openings` how many are right."""

    def __init__(self, record: GameRecord) -> None:
        """Begin with an empty journal, and with what the keeper's keys that are here open at hand."""
        self.record, self._game, self._keeper = record, record.founding, Keeper(record, record.archive)
        self.openings = self.draws = 0
        self.wrong: list[Problem] = []
        self.made: dict[int, _Made] = {}
        self.opened: dict[int, Content] = {}
        self.redacted: set[int] = set()  # numbers of what was opened and is replaced by its digest since
        self.seeds: dict[int, str] = {}
        self.named: list[int] = []  # entries in which the keeper named a key

    @classmethod
    def of(cls, record: GameRecord) -> SealedPast:
        """Return what is sealed in the past of a game, but for what was undone and has left its number to nothing."""
        past = cls(record)
        for entry in record.entries(having=["do:"]):
            try:
                past._read(entry)
            except (ProblemError, AttributeError, KeyError, TypeError, ValueError):
                past._blame(entry, "E-REPLAY", "what it records of what is sealed has another form than it must")
        last = int((record.kept(GAME).get("counters") or {}).get("sealed", 0))
        past.made = {number: made for number, made in past.made.items() if number <= last}
        past.opened = {number: found for number, found in past.opened.items() if number <= last}
        return past

    def _read(self, entry: Entry) -> None:
        if entry["do"] == "open_seed" and not entry.get("code"):
            self._read_seed(entry)
        elif entry["do"] == "open_sealing" and not entry.get("code"):
            self.named.append(entry["seq"])
        records = sealed_records(entry)
        if not records:
            return
        made: dict[int, _Made] = {}
        opened: dict[int, Content] = {}
        for place, each in enumerate(records):
            number = each.get("made", each.get("took"))
            if number is not None:  # one that was undone in this entry stood for something else before
                by = entry.get("by") if "took" in each else None
                made[number] = _Made(entry["seq"], place, each["commitment"], by, entry["do"], len(self.named))
                opened.pop(number, None)
                self.redacted.discard(number)
            elif "opened" in each:
                known = made.get(each["opened"]) or self.made.get(each["opened"])
                opened[each["opened"]] = self._shown(entry, place, each, known)
        if not entry.get("code") or entry["code"] == "HELD":
            for number in made:  # what an entry before undid has left its number to another value
                self.opened.pop(number, None)
            self.made |= made
            self.opened |= opened
            self.draws += sum(1 for each in records if "seed" in each)

    def _read_seed(self, entry: Entry) -> None:
        given = entry.get("with") or {}
        key: KeeperKey | None = seed_key(self.record.kept(GAME), int(given["draw"]))
        seed, proof = str(given["seed"]), [str(step) for step in given["proof"]]
        n = int(given["draw"]) - (key["after"] if key else 0) - 1
        if key is not None and verify_seed(key["seeds"], self._game, n, bytes.fromhex(seed), proof):
            self.seeds[int(given["draw"])] = seed
        else:
            self._blame(entry, "E-SEED", "the seed that it opens is none of those that the keeper committed to")

    def _shown(self, entry: Entry, place: int, each: SealedRecord, made: _Made | None) -> Content:
        """Return what an entry opens, held against the commitment unless it was redacted since."""
        if place in redacted_openings(entry):
            self.redacted.add(each["opened"])
        else:
            self._check(entry, made, each)
        return Content(each["value"], each["salt"], None, each.get("context"), made.commitment if made else "")

    def _check(self, entry: Entry, made: _Made | None, each: SealedRecord) -> None:
        """Hold an opening against the commitment; of what a player sealed it says the context."""
        given = entry.get("with") or {}
        own = entry["do"] == OPEN_SEALED and given.get("number") == each["opened"]
        context = self._context(made, each, own) if made else None
        salt = bytes.fromhex(each["salt"]) if HEX.fullmatch(each["salt"]) else b""
        if made is None or context is None or not opens(made.commitment, context, each["value"], salt):
            self._blame(entry, "E-COMMITMENT", f"what it opens as {each['opened']} is not what was committed to")
        else:
            self.openings += 1

    def _context(self, made: _Made, each: SealedRecord, own: bool) -> AnyContext | None:
        """Return the place for which something was sealed, None where it was meant for another.

        What is its author's `own` was sealed to no key of the keeper.
        """
        try:
            if made.by is None:
                return EntryContext(self._game, made.seq, str(made.place))
            context = Context(**(each.get("context") or {}))
        except (ProblemError, TypeError):
            return None
        meant = (self._game, made.by, made.do, 0 if own else made.keys)
        return context if (context.game, context.author, context.act, context.keeper) == meant else None

    def _blame(self, entry: Entry, code: str, message: str) -> None:
        place = Position(self.record.shown(entry_name(entry["seq"])))
        self.wrong.append(Problem(code, f"entry {entry['seq']}: {message}", place))

    # -- for a replay

    def answer(self, asked: str, given: Any) -> Any:
        """Return what a replay asks: a `content` that was opened or the keeper has, the source of a `past draw`."""
        if asked == "content":
            if given in self.opened and given not in self.redacted:
                return self.opened[given]._asdict()
            return self._keeper.content(given)
        if asked != "past draw":
            return self._of_refused(asked, given)
        seed, prev, digest = self.seeds.get(given["draw"]), given["prev"], given["digest"]
        if seed is not None:
            return draw_bytes(bytes.fromhex(seed), prev, digest).hex()
        return self._keeper.past_draw(given["draw"], prev, digest)

    def _of_refused(self, asked: str, given: Mapping[str, Any]) -> Any:
        """Return what the keeper's key gives for a refused entry: what a player sent, what commits to a text.

        None where the key of that time is not here. Of what a player sent it says, too, whether that key alone gives
        this: a box that it does not open could have been opened by another one that was there.
        """
        number = sum(1 for seq in self.named if seq < given["seq"])
        key = next((key for key in self.record.kept(GAME).get("sealing") or () if key["number"] == number), None)
        if key is None or not self._keeper.has(key):
            return None
        if asked == "told":
            return self._keeper.told(given, key)
        found = self._keeper.unsealed(given["box"], given["wanted"], given, key, alone=True)
        if sure := found.get("code") != "E-READER":
            return {"found": found, "sure": sure}
        return {"found": self._keeper.unsealed(given["box"], given["wanted"], given, key), "sure": sure}

    def facts(self) -> Iterator[tuple[str, int, str]]:
        """Yield the name, the number and the sentence of what was proved, and of what waits."""
        yield "openings", self.openings, "{} opened [value is the one|values are those] that [was|were] committed to"
        counts = {
            "redacted": len(self.redacted),
            "opened_seeds": len(self.seeds),
            "sealed": len(self.made) - len(self.opened),
            "sealed_seeds": self.draws - len(self.seeds),
        }
        yield from ((name, count, FACTS[name]) for name, count in counts.items() if count)
