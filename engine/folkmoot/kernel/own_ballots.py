"""What the scripts that a proposal brings see of its ballots while it is being made law, or tried: what outsiders see.

So no proposal can do one thing or another by who voted how on it, and no trial of it tells how anybody voted. What it
brings sees the ballots on everything else, and once it is law its own, as all rules do.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from folkmoot.core.documents import Proposal
from folkmoot.core.records import ScriptRecord
from folkmoot.kernel.event_state import EventState
from folkmoot.kernel.script_records import PROPOSAL


@contextmanager
def veil(play: EventState, proposal: Proposal) -> Iterator[None]:
    """Keep a proposal's ballots from what it brings, but those that the law displays while votes run."""
    outer = play.veiled
    if not proposal.get("displayed"):
        play.veiled = proposal["id"]
    try:
        yield
    finally:
        play.veiled = outer


def is_own(play: EventState, uid: str) -> bool:
    """Whether a rule is as it is by the proposal whose ballots are veiled, or an order of it runs in its name."""
    if uid == play.veiled:
        return True
    meta = play.law.metas().get(uid)
    return meta is not None and meta["cause"] == play.veiled


def as_outside(play: EventState, value: Any) -> Any:
    """Return what a script is shown, without the ballots on the proposal that is veiled."""
    if isinstance(value, list):
        return [as_outside(play, item) for item in value]
    if not isinstance(value, dict):
        return value
    shown: ScriptRecord = {key: as_outside(play, item) if key != "ballots" else item for key, item in value.items()}
    if shown.get("$") == PROPOSAL and shown.get("id") == play.veiled:
        shown["ballots"] = []
    return shown
