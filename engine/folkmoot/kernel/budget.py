"""Counted limits of what scripts may do, per handler and per event; deterministic on every machine."""

from __future__ import annotations

from msgspec import Struct, field

from folkmoot.kernel.errors import Fault, Overrun

NESTED_EVENTS = 24
PER_EVENT = {
    "host calls": 200_000,
    "handler calls": 5_000,
    "idle calls": 20_000,  # those that asked nothing of the engine and answered nothing
    "effects": 10_000,
    "draws": 5_000,
    "ticks": 4_000,
    "reasons": 1_000,
    "failures": 1_000,
    "output": 4_000_000,  # characters of effects in the record
}
PEOPLE = 1_000
"""For each so many players an event has its budget once more, because what is done for everybody is done so often."""
MOST_PASSAGES = 15_000
"""How many passages of laws and their changes an event puts together; what is more is a conflict of whole parts."""
MOST_AT_ONCE = 2
"""Of the budget of an event, the part (a half) within which acts that waited are judged; others follow in the next."""
SMALLEST_SHARE = 12  # a twelfth of an event's budget is more than a rule should take
PER_HANDLER = {"host calls": 50_000, "ticks": 2_000, "effects": 5_000, "output": 1_000_000}
MOST_FORESEEN = 2.0
"""Times what an event may take, after which no more is tried of what hangs on dice, or of what may come later."""
FRESH_EVENT, FRESH = dict.fromkeys(PER_EVENT, 0), dict.fromkeys(PER_HANDLER, 0)


class Meter(Struct):
    """How much work was done in this process, by what takes most time: the same on every machine."""

    calls: int = 0
    ticks: int = 0

    def work(self) -> float:
        """Return how much was done, in times what an event of a usual game may take."""
        return self.calls / PER_EVENT["host calls"] + self.ticks / PER_EVENT["ticks"]


METER = Meter()


def times_usual(people: int) -> int:
    """Return how many times the usual a game of so many players may take of what rules are limited in."""
    return 1 + people // PEOPLE


def budget_for(people: int) -> Budget:
    """Return the fresh budget of an event in a game of so many players."""
    return Budget(times_usual(people))


class Budget(Struct):
    """What is left for an event and for the handler that is running; `times` as much as usual in a large game."""

    times: int = 1
    spent: dict[str, int] = field(default_factory=FRESH_EVENT.copy)
    handler: dict[str, int] = field(default_factory=FRESH.copy)
    nested: int = 0
    passages: int = 0

    def spend(self, what: str, amount: int = 1) -> None:
        """Count something; raises Overrun for the event, Fault for the handler."""
        spent, handler, times = self.spent, self.handler, self.times
        spent[what] = total = spent[what] + amount
        if what == "host calls":
            METER.calls += amount
        if total > PER_EVENT[what] * times:
            raise Overrun(what)
        if what in handler:
            handler[what] = own = handler[what] + amount
            if own > PER_HANDLER[what] * times:
                raise Fault(f"the budget of this rule's script is spent: too many {what}", "E-BUDGET")

    @property
    def share(self) -> float:
        """Return how much of what an event may take is spent, from 0 to 1: of that of which most is."""
        return max(spent / (PER_EVENT[what] * self.times) for what, spent in self.spent.items())

    def puts_together(self, passages: int) -> bool:
        """Count passages that are to be put together; False, and uncounted, where the event has not so many left."""
        if self.passages + passages > MOST_PASSAGES * self.times:
            return False
        self.passages += passages
        return True

    def count_call(self, before: dict[str, int], *, idle: bool) -> None:
        """Count a call of a hook, which is idle where it answered and asked nothing; raises Overrun."""
        spent = self.spent
        if idle and spent["host calls"] == before["host calls"]:
            spent["handler calls"] -= 1
            spent["idle calls"] += 1
            if spent["idle calls"] > PER_EVENT["idle calls"] * self.times:
                raise Overrun("idle calls")
        elif spent["handler calls"] > PER_EVENT["handler calls"] * self.times:
            raise Overrun("handler calls")

    def tick(self) -> bool:
        """Count one tick of the interpreter; True when the script must stop."""
        METER.ticks += 1
        self.spent["ticks"] += 1
        self.handler["ticks"] += 1
        times = self.times
        return self.spent["ticks"] > PER_EVENT["ticks"] * times or self.handler["ticks"] > PER_HANDLER["ticks"] * times

    def is_half_spent(self) -> bool:
        """Whether so much of the event's budget is spent that whatever can wait should wait for the next."""
        return any(self.spent[what] * MOST_AT_ONCE > limit * self.times for what, limit in PER_EVENT.items())

    def is_share(self, what: str, before: dict[str, int]) -> bool:
        """Whether what was spent since `before` is so much that whoever spent it is to blame for the overrun."""
        return (self.spent[what] - before[what]) * SMALLEST_SHARE >= PER_EVENT[what] * self.times
