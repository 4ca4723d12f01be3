"""Chance as an input: every draw is asked of a source, recorded, and can be checked afterwards; pure.

A draw is HMAC-SHA256 over a label and a counter under the event's subkey, which itself is HMAC-SHA256 over the digest
of the journal so far and of the event under the secret of the epoch. The hash of the secret is published when the epoch
opens, the secret when it closes: until then nobody else can foresee a draw, and afterwards everybody can check it.
"""

from __future__ import annotations

import hmac
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Any, Literal, cast, get_args

from msgspec import Struct

from folkmoot.core.digest import event_digest
from folkmoot.core.problems import Problem, ProblemError, fail
from folkmoot.core.records import Draw, DrawSpec, Entry
from folkmoot.core.values import in_a_row, lowered, told

Kind = Literal["integer", "permutation", "chance"]

SPACE = 1 << 256
MOST_ITEMS = 100_000

Below = Callable[[int], int]  # a uniform integer from 0 to n - 1


class Specification(Struct, frozen=True):
    """What is drawn: an integer from `low` to `high`, a permutation of `high` positions, or `low` chances in `high`."""

    kind: Kind
    low: int
    high: int

    def __post_init__(self) -> None:
        """Refuse what cannot be drawn."""
        allowed = {
            "integer": self.low <= self.high and self.high - self.low < SPACE,
            "permutation": self.low == 0 <= self.high <= MOST_ITEMS,
            "chance": 0 <= self.low <= self.high and 0 < self.high <= SPACE,
        }
        if not allowed[self.kind]:
            raise fail("E-ARGS", f"there is no draw of {self}")

    def __str__(self) -> str:
        """Return the draw in words."""
        if self.kind == "permutation":
            return f"an order of {self.high}"
        words = {"integer": "a number from {} to {}", "chance": "{} chances in {}"}[self.kind]
        return words.format(self.low, self.high)

    def record(self) -> DrawSpec:
        """Return the form that an entry keeps, as in `{integer: [1, 6]}`."""
        if self.kind == "permutation":
            return {"permutation": self.high}
        return {"integer": [self.low, self.high]} if self.kind == "integer" else {"chance": [self.low, self.high]}

    def sample(self, below: Below) -> Any:
        """Return a result, every one as likely as its share, from uniform integers."""
        if self.kind == "integer":
            return self.low + below(self.high - self.low + 1)
        if self.kind == "chance":
            return below(self.high) < self.low
        order = list(range(self.high))
        for i in range(self.high - 1, 0, -1):
            j = below(i + 1)
            order[i], order[j] = order[j], order[i]
        return order

    def admits(self, result: Any) -> bool:
        """Say whether `result` is one that this draw can give."""
        if self.kind == "chance":
            return (result is True and self.low > 0) or (result is False and self.low < self.high)
        if self.kind == "integer":
            return type(result) is int and self.low <= result <= self.high
        whole = isinstance(result, list) and all(type(item) is int for item in result)
        return whole and sorted(result) == list(range(self.high))


def read_specification(record: DrawSpec) -> Specification:
    """Return the specification that `record` (of a journal entry) keeps; raises E-DRAW for what is none."""
    try:
        items: list[tuple[str, Any]] = [*record.items()]
        ((kind, value),) = items
        low, high = (0, value) if kind == "permutation" else value
        if kind in get_args(Kind) and type(low) is type(high) is int:
            return Specification(cast(Kind, kind), low, high)
    except (ValueError, TypeError, AttributeError, ProblemError):
        pass
    raise fail("E-DRAW", f"{str(record)[:80]} specifies no draw")


class Source(ABC):
    """Where the results of draws come from; `name` stands beside each in the record."""

    name = ""

    @abstractmethod
    def draw(self, specification: Specification, label: str) -> Any:
        """Return the result of the next draw."""

    def choose(self, items: Sequence[Any], label: str) -> Any:
        """Return the position of the next item drawn of `items`, the words that stand for them."""
        return self.draw(Specification("integer", 0, len(items) - 1), label)

    def has(self, specification: Specification, label: str) -> bool:
        """Whether the next result is one of such a draw; what lays nothing ready has one of any."""
        del specification, label
        return True

    def finish(self) -> None:  # noqa: B027 (most sources lay nothing ready)
        """Raise a problem if results that were laid ready are left."""


class Derived(Source):
    """Draws from a key: the subkey of an event, or what everybody can compute where the dice are open."""

    def __init__(self, key: bytes, name: str) -> None:
        """Take the `key` (any bytes) and the `name` of the source."""
        self.name = name
        self._key = key
        self._counter = 0

    def draw(self, specification: Specification, label: str) -> Any:
        """Return the result that the key, the label and the number of the draw determine."""
        return specification.sample(lambda n: self._below(n, label))

    def _below(self, n: int, label: str) -> int:
        while True:
            message = f"{self._counter}\n{label}".encode()
            self._counter += 1
            value = unbiased(hmac.digest(self._key, message, "sha256"), n)
            if value is not None:
                return value


def unbiased(digest: bytes, n: int) -> int | None:
    """Return the integer from 0 to n - 1 that a digest stands for, None where taking it would favour small ones."""
    value, space = int.from_bytes(digest), 1 << (8 * len(digest))
    return value % n if value < space - space % n else None


class Scripted(Source):
    """Results laid ready by a scenario: numbers, orders, yes or no, items, each alone or as `{label, gives}`.

    A label stands for every draw whose own label has its words: `tackle` for "tackle by bob".
    """

    name = "script"

    def __init__(self, dice: Sequence[Any]) -> None:
        """Take the results of the next draws in order."""
        self._dice = list(dice)
        self._next = 0

    def draw(self, specification: Specification, label: str) -> Any:
        """Return the next result; raises E-DICE where none is left, or where it fits neither draw nor label."""
        return self._give(specification, label, ())

    def choose(self, items: Sequence[Any], label: str) -> Any:
        """Return the position that the next result names, by itself or by the item (the first of equal ones)."""
        return self._give(Specification("integer", 0, len(items) - 1), label, items)

    def has(self, specification: Specification, label: str) -> bool:
        """Whether the next result is laid ready for such a draw: one that it can give, under no other label."""
        given = self._dice[self._next] if self._next < len(self._dice) else {"label": ""}
        if not isinstance(given, Mapping):
            return specification.admits(given)
        return _bears(label, given.get("label")) and specification.admits(given.get("gives"))

    def _give(self, specification: Specification, label: str, items: Sequence[Any]) -> Any:
        where = f"draw {self._next + 1} ('{label}': {specification})"
        if self._next >= len(self._dice):
            raise fail("E-DICE", f"{where} has no result: the dice give only {len(self._dice)}")
        given = self._dice[self._next]
        self._next += 1
        named = isinstance(given, Mapping)
        if named and not _bears(label, given.get("label")):
            raise fail("E-DICE", f"{where} is not the one that the dice give here, '{given['label']}'")
        result = given.get("gives") if named else given
        if any(result == item and type(result) is type(item) for item in items):
            return list(items).index(result)
        if not specification.admits(result):
            choices = f"; it is one of {in_a_row(map(str, items))}" if any(items) else ""
            raise fail("E-DICE", f"{where} cannot give {told(result)}{choices}")
        return result

    def finish(self) -> None:
        """Raise E-DICE if dice are left."""
        left = len(self._dice) - self._next
        if left:
            raise fail("E-DICE", f"{left} of the {len(self._dice)} results of the dice were not drawn")


def _bears(label: str, named: Any) -> bool:
    return named in (None, label) or f" {lowered(str(named))} " in f" {lowered(label)} "


class Recorded(Source):
    """The draws of a journal entry, taken as inputs by a replay; each keeps the source that it had."""

    def __init__(self, draws: Sequence[Draw]) -> None:
        """Take the `draws` of an entry."""
        self._draws = draws
        self._next = 0

    def draw(self, specification: Specification, label: str) -> Any:
        """Return the recorded result; raises E-REPLAY where the record has another draw here, or none."""
        place = f"draw {self._next + 1}"
        if self._next >= len(self._draws):
            raise fail("E-REPLAY", f"{place}, {specification} for '{label}', is not in the record")
        recorded = self._draws[self._next]
        self._next += 1
        asked = {"label": label, "spec": specification.record()}
        kept = {"label": recorded.get("label", ""), "spec": recorded.get("spec")}
        if asked != kept:
            raise fail("E-REPLAY", f"{place} was {kept} in the record and is {asked} in the replay")
        if not specification.admits(recorded.get("result")):
            raise fail("E-REPLAY", f"{place}, {specification}, cannot have given {told(recorded.get('result'))}")
        self.name = recorded.get("source", "")
        return recorded["result"]

    def finish(self) -> None:
        """Raise E-REPLAY if the record has draws that the replay did not make."""
        left = len(self._draws) - self._next
        if left:
            raise fail("E-REPLAY", f"{left} of the {len(self._draws)} recorded draws were not made")


class Sealed(Source):
    """The dice of a committed epoch where the secret is not at hand: nothing can be drawn."""

    def draw(self, specification: Specification, label: str) -> Any:
        """Raise E-SECRET."""
        hint = "give the file with the secret of the chance epoch"
        raise fail("E-SECRET", f"{specification} for '{label}' needs the secret of this game's dice", None, hint)


class Chance:
    """What the kernel asks for every draw of one event; `records` keeps label, spec, result and source of each."""

    def __init__(self, source: Source) -> None:
        """Draw from `source`."""
        self.source = source
        self.records: list[Draw] = []

    def integer(self, low: int, high: int, label: str = "") -> int:
        """Return a number from `low` to `high`, both included; raises E-ARGS for an empty range."""
        return int(self._draw(Specification("integer", low, high), label))

    def position(self, items: Sequence[Any], label: str = "") -> int:
        """Return the position of one of `items`, given by the words that stand for them, each as likely."""
        specification = Specification("integer", 0, len(items) - 1)
        return int(self._keep(specification, label, self.source.choose(items, label)))

    def permutation(self, n: int, label: str = "") -> list[int]:
        """Return the positions 0 to n - 1 in a drawn order; raises E-ARGS above 100,000."""
        return list(self._draw(Specification("permutation", 0, n), label))

    def happens(self, numerator: int, denominator: int, label: str = "") -> bool:
        """Say yes with `numerator` chances in `denominator`; raises E-ARGS where that is no probability."""
        return bool(self._draw(Specification("chance", numerator, denominator), label))

    def _draw(self, specification: Specification, label: str) -> Any:
        return self._keep(specification, label, self.source.draw(specification, label))

    def _keep(self, specification: Specification, label: str, result: Any) -> Any:
        spec, source = specification.record(), self.source.name
        self.records.append({"label": label, "spec": spec, "result": result, "source": source})
        return result


def subkey(secret: bytes, prev: str, digest: str) -> bytes:
    """Return the key of one event's draws, by the digests (hex) of the journal so far and of the event."""
    return hmac.digest(secret, f"folkmoot draws 1\n{prev}\n{digest}".encode(), "sha256")


def commitment(secret: bytes) -> str:
    """Return what is published when an epoch opens: the SHA-256 of its secret, in hex."""
    return sha256(secret).hexdigest()


def epoch_name(epoch: int) -> str:
    """Return the source that draws of an epoch carry in the record."""
    return f"epoch {epoch}"


def secret_chance(key: bytes, epoch: int = 1) -> Chance:
    """Return the chance of one event under its `subkey`, in the epoch with this number."""
    return Chance(Derived(key, epoch_name(epoch)))


def open_chance(prev: str, digest: str) -> Chance:
    """Return chance without a secret: everybody who knows the journal and the event can foresee it, and it says so."""
    return Chance(Derived(subkey(b"", prev, digest), "open"))


def recorded_chance(draws: Sequence[Draw]) -> Chance:
    """Return chance that replays the `draws` of an entry."""
    return Chance(Recorded(draws))


def check_draws(secret: bytes, entry: Entry, source: str = "open") -> list[Problem]:
    """Prove the draws of one entry that name this source; without a secret (`b""`) those of open dice."""
    recorded = entry.get("draws") or ()
    if all(draw.get("source") != source for draw in recorded):
        return []
    prev = str(entry["prev"])
    derived = Derived(subkey(secret, prev, event_digest(entry)), source)
    problems: list[Problem] = []
    for number, draw in enumerate(recorded, 1):
        if draw.get("source") != source:
            continue
        label, result = draw.get("label", ""), draw.get("result")
        try:
            expected = derived.draw(read_specification(draw.get("spec") or {}), label)
        except ProblemError as error:
            problems += error.problems
            continue
        if expected != result or type(expected) is not type(result):
            name = f"draw {number} of entry {entry['seq']} ('{label}')"
            problems.append(Problem("E-DRAW", f"{name} is {told(result)}, but its source gives {told(expected)}"))
    return problems
