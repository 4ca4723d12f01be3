"""Events, what came of them, and journal entries."""

from __future__ import annotations

from msgspec import Struct, field

from folkmoot.core.records import Arguments, Confided, Death, Draw, Effect, Failure, LeftOut, Reason, SealedRecord, Via

FOUNDING_DIGEST = "0" * 64
EVERY = "*"
"""As rule and hook of what was left out of an event: no script ran in it."""


class Event(Struct, frozen=True, kw_only=True):
    """What is to be judged: who did what, when, by which way.

    `at` is in Unix seconds (UTC); `by` is a player's id or None for the clock and the founding; `as_` an office;
    `via` names the forge, pull request, head, content digest and comment the act came by; `deaths` the rules in which
    the sandbox died when it tried the event before (`rule`, `hook`, `how`); `left_out` who is not heard in it, because
    that took too long (`rule`, `hook`, `why`): a listener, an opinion, with EVERY every script, or with no rule named
    the act itself, which then cannot be judged.
    """

    seq: int
    at: int
    do: str
    with_: Arguments = field(default_factory=dict)
    by: str | None = None
    as_: str | None = None
    via: Via = field(default_factory=Via)
    prev: str = FOUNDING_DIGEST
    deaths: tuple[Death, ...] = ()
    left_out: tuple[LeftOut, ...] = ()

    def given(self) -> Arguments:
        """Return what came from outside, by the names that it has in an entry."""
        return {"by": self.by, "as": self.as_, "do": self.do, "with": self.with_, "via": self.via}

    @property
    def is_tick(self) -> bool:
        """Whether a timer fires; an action of players may be called tick, too."""
        return self.do == "tick" and self.by is None

    @property
    def is_clock(self) -> bool:
        """Whether the clock is carried forward over timers that fired and left no trace (`with: {ticks: how many}`)."""
        return self.do == "clock" and self.by is None


class Outcome(Struct, kw_only=True):
    """What came of one event: the entry's second half and the documents it changed."""

    accepted: bool
    code: str = ""
    effects: list[Effect] = field(default_factory=list)
    reasons: list[Reason] = field(default_factory=list)
    draws: list[Draw] = field(default_factory=list)
    sealed: list[SealedRecord] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    confided: list[Confided] = field(default_factory=list)
    changed: set[str] = field(default_factory=set)
