"""What does not run in an event: rules that died in it, hooks left out of it, and in the worst case every script.

All of it comes from outside and stands in the record (`deaths` and `left_out` of an entry), so that a replay needs
neither a clock nor the rules that killed the sandbox.
"""

from __future__ import annotations

from msgspec import Struct, field

from folkmoot.core.events import EVERY, Event
from folkmoot.kernel.act_declarations import BEYOND_RULES

LISTENER = "on_"
LOAD = "load"
"""As hook of what was left out: the script itself, which was not loaded."""


class Silenced(Struct):
    """Who is not heard in an event.

    `dead` are uids of rules, `left_out` pairs of uid and hook; `silent` means that no script runs at all. `lenient`
    is an act of administrators, which goes through whatever its listeners do, and `ticking` the clock's. `makers` names
    for a rule that a listener made or woke in this event who did so, which then answers for it, and for those that load
    from it; `pardoned` are rules that somebody changed or woke rightfully meanwhile.
    """

    dead: dict[str, str] = field(default_factory=dict)
    left_out: dict[tuple[str, str], str] = field(default_factory=dict)
    silent: bool = False
    lenient: bool = False
    ticking: bool = False
    makers: dict[str, str] = field(default_factory=dict)
    pardoned: set[str] = field(default_factory=set)

    @property
    def anybody(self) -> bool:
        """Whether anybody is silenced."""
        return self.silent or bool(self.dead) or bool(self.left_out)

    @classmethod
    def of(cls, event: Event) -> Silenced:
        """Return who is not heard in an event, by what is recorded of it."""
        out = {(each["rule"], each["hook"]): each["why"] for each in event.left_out}
        return cls(
            dead={death["rule"]: f"the sandbox died in {death['hook']}: {death['how']}" for death in event.deaths},
            left_out=out,
            silent=(EVERY, EVERY) in out,
            lenient=is_lenient(event),
            ticking=event.is_tick,
        )

    def lacks(self, uid: str, hook: str) -> bool:
        """Whether a hook of a rule does not run in this event."""
        return self.silent or uid in self.dead or self.why_left_out(uid, hook) is not None

    def why_left_out(self, uid: str, hook: str) -> str | None:
        """Return why a hook was left out of this event, alone or with its whole script; None where it was not."""
        return self.left_out.get((uid, hook), self.left_out.get((uid, LOAD)))

    def missing(self) -> list[tuple[str, str, str]]:
        """Return (uid, hook, why) of all who had to be heard before this act and were not.

        A listener can be left out of an act. Without an opinion, an answer or who carries it out, an act is refused
        that mends none of them, but for those of administrators and of the clock, which take it as no opinion.
        """
        if self.lenient or self.ticking:
            return []
        return [(uid, hook, why) for (uid, hook), why in self.left_out.items() if uid and is_needed(hook)]

    def maker_of(self, uid: str) -> str:
        """Return which rule answers for what a rule does: itself, or the listener that made or woke it."""
        return self.makers.get(uid, uid)


def is_needed(hook: str) -> bool:
    """Whether a hook has to be heard before an act: whatever is no listener."""
    return not hook.startswith((LISTENER, EVERY))


def is_lenient(event: Event) -> bool:
    """Whether an event is an act in whose way no rule stands, as those of administrators."""
    return not event.is_tick and event.do in BEYOND_RULES
