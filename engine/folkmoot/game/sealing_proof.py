"""What a record proves of what was sealed: openings against commitments, and what can be computed anew from them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, TypedDict

from msgspec import Struct, field

from folkmoot.core.documents import KeeperKey
from folkmoot.core.keys import GAME
from folkmoot.core.problems import Position, Problem, ProblemError
from folkmoot.core.records import Entry, SealedFor, SealedRecord
from folkmoot.game.keeper import Keeper, seed_key
from folkmoot.journal import GameRecord
from folkmoot.journal.layout import entry_name
from folkmoot.kernel.act_declarations import OPEN_SEALED
from folkmoot.kernel.redaction import redacted_openings
from folkmoot.kernel.sealed_data.vaults import sealed_records
from folkmoot.sealing.commitments import AnyContext, Context, EntryContext, draw_bytes, opens, verify_seed

HEX = re.compile(r"(?:[0-9a-f]{2})*", re.ASCII)


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


class OpenedContent(TypedDict):
    """What was sealed and is open."""

    value: Any
    salt: str
    error: str | None
    context: SealedFor | None
    commitment: str


class SealedPast(Struct):
    """What a journal records of what was sealed in it; `wrong` are the problems, `openings` how many are right.

    `closed` counts what was not opened, `unproved` the sealed draws whose seed was not; `redacted` are the numbers of
    what was opened and is replaced by its digest since.
    """

    record: GameRecord
    openings: int = 0
    wrong: list[Problem] = field(default_factory=list)
    made: dict[int, _Made] = field(default_factory=dict)
    opened: dict[int, OpenedContent] = field(default_factory=dict)
    redacted: set[int] = field(default_factory=set)
    seeds: dict[int, str] = field(default_factory=dict)
    draws: int = 0
    named: list[int] = field(default_factory=list)
    _game: str = ""
    _keeper: Keeper | None = None

    @classmethod
    def of(cls, record: GameRecord) -> SealedPast:
        """Return what is sealed in the past of a game."""
        past = cls(record)
        past._game = record.founding
        past._keeper = Keeper(record, record.archive)
        for entry in record.entries(having=["do:"]):
            try:
                past._read(entry)
            except (ProblemError, AttributeError, KeyError, TypeError, ValueError):
                past._blame(entry, "E-REPLAY", "what it records of what is sealed has another form than it must")
        past._leave_out_undone(int((record.kept(GAME).get("counters") or {}).get("sealed", 0)))
        return past

    @property
    def closed(self) -> int:
        """How many sealed values nobody has opened."""
        return len(self.made) - len(self.opened)

    @property
    def unproved(self) -> int:
        """How many sealed draws cannot be checked by everybody yet."""
        return self.draws - len(self.seeds)

    def _read(self, entry: Entry) -> None:
        if entry["do"] == "open_seed" and not entry.get("code"):
            self._read_seed(entry)
        elif entry["do"] == "open_sealing" and not entry.get("code"):
            self.named.append(entry["seq"])
        records = sealed_records(entry)
        if not records:
            return
        made: dict[int, _Made] = {}
        opened: dict[int, OpenedContent] = {}
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
            self._keep(made, opened)
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

    def _keep(self, made: dict[int, _Made], opened: dict[int, OpenedContent]) -> None:
        """Keep what stands after an entry; what an entry before undid has left its number to another value."""
        for number in made:
            self.opened.pop(number, None)
        self.made |= made
        self.opened |= opened

    def _leave_out_undone(self, last: int) -> None:
        """Forget what was undone in the entry that made it, and whose number nothing has had since."""
        self.made = {number: made for number, made in self.made.items() if number <= last}
        self.opened = {number: found for number, found in self.opened.items() if number <= last}

    def _shown(self, entry: Entry, place: int, each: SealedRecord, made: _Made | None) -> OpenedContent:
        """Return what an entry opens, held against the commitment unless it was redacted since."""
        if place in redacted_openings(entry):
            self.redacted.add(each["opened"])
        else:
            self._check(entry, made, each)
        return {
            "value": each["value"],
            "salt": each["salt"],
            "error": None,
            "context": each.get("context"),
            "commitment": made.commitment if made else "",
        }

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
            found = self.opened.get(given) if given not in self.redacted else None
            return found if found is not None or self._keeper is None else self._keeper.content(given)
        if asked == "past draw":
            return self._draw(given)
        return self._of_refused(asked, given)

    def _of_refused(self, asked: str, given: Mapping[str, Any]) -> Any:
        """Return what the keeper's key gives for a refused entry: what a player sent, what commits to a text.

        None where the key of that time is not here. Of what a player sent it says, too, whether that key alone gives
        this: a box that it does not open could have been opened by another one that was there.
        """
        number = sum(1 for seq in self.named if seq < given["seq"])
        key = next((key for key in self.record.kept(GAME).get("sealing") or () if key["number"] == number), None)
        if self._keeper is None or key is None or not self._keeper.has(key):
            return None
        if asked == "told":
            return self._keeper.told(given, key)
        found = self._keeper.unsealed(given["box"], given["wanted"], given, key, alone=True)
        if sure := found.get("code") != "E-READER":
            return {"found": found, "sure": sure}
        return {"found": self._keeper.unsealed(given["box"], given["wanted"], given, key), "sure": sure}

    def _draw(self, given: Mapping[str, Any]) -> str | None:
        seed = self.seeds.get(given["draw"])
        if seed is not None:
            return draw_bytes(bytes.fromhex(seed), given["prev"], given["digest"]).hex()
        return self._keeper.past_draw(given["draw"], given["prev"], given["digest"]) if self._keeper else None

    def facts(self) -> Iterable[tuple[str, int, str]]:
        """Yield the name, the number and the sentence of what was proved, and of what waits."""
        yield "openings", self.openings, "{} opened [value is the one|values are those] that [was|were] committed to"
        if self.redacted:
            yield (
                "redacted",
                len(self.redacted),
                "{} opened [value is|values are] redacted, so that nobody can check [it|them] any more",
            )
        if self.seeds:
            yield (
                "opened_seeds",
                len(self.seeds),
                "{} sealed [draw is what its opened seed gives|draws are what their opened seeds give]",
            )
        if self.closed:
            yield (
                "sealed",
                self.closed,
                "{} sealed [value was|values were] not opened, so that nobody else can check [it|them] yet",
            )
        if self.unproved:
            yield "sealed_seeds", self.unproved, "{} sealed [draw waits for its seed|draws wait for their seeds]"
