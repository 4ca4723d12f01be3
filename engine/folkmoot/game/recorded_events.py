"""Events as the record takes them: whether it can hold one, and the digest of one that is about to be judged."""

from __future__ import annotations

from folkmoot.core.digest import event_digest
from folkmoot.core.events import Event, Outcome
from folkmoot.core.problems import fail
from folkmoot.core.records import Arguments
from folkmoot.core.values import flaw_of_event


def digest_of(event: Event) -> str:
    """Return the digest of an event as it would stand in the record, were it accepted."""
    from folkmoot.kernel.replay import entry_of

    return event_digest(entry_of(event, Outcome(accepted=True)))


def check_event(event: Arguments) -> None:
    """Raise E-ARGS, in one sentence, for what no record can hold (see `folkmoot.core.values.flaw_of_event`)."""
    flaw = flaw_of_event(event)
    if flaw:
        raise fail("E-ARGS", f"this cannot be recorded: {flaw}", None, "make it shorter or flatter, in whole numbers")
