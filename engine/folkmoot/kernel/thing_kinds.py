"""Of which kind a thing is, and which rules hear of it: one that says `about: KIND` hears of none of other kinds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from folkmoot.core.declared_kinds import PROPOSAL, lineage
from folkmoot.core.records import Arguments
from folkmoot.kernel.act_declarations import VOTE
from folkmoot.kernel.event_state import EventState

KERNEL_KINDS = {"game", "rule", "office", "timer", "duty", "held"}


def kind_of(play: EventState, thing: Any) -> str | None:
    """Return the kind of the player or thing with this id."""
    if isinstance(thing, str):
        found = play.documents.all()
        if thing in found.get("things/player", ()):
            return "player"  # asked about most of all
        for key in play.documents.thing_keys:
            if thing in found.get(key, ()) and key[7:] not in KERNEL_KINDS:
                return key[7:]
    return None


def is_about(play: EventState, kind: str, arguments: list[Any]) -> bool:
    """Whether what a hook is given names something of a kind, or of one like it, or nothing that has a kind."""
    play.budget.spend("host calls")  # for it looks at the game, as one of those does
    declared = {name: spec for name, (_uid, spec) in play.law.declared("defines.kinds", play.view).items()}
    named = [each for argument in arguments for each in _kinds(play, argument) if each in declared or each == PROPOSAL]
    return not named or any(kind in (each, *lineage(declared, each)) for each in named)


def _kinds(play: EventState, argument: Any) -> Iterator[str | None]:
    """Yield the kinds that an argument of a hook names: of a proposal or thing itself, of an event, or of an act."""
    if isinstance(argument, str):
        yield argument.partition("/")[0] if "/" in argument else kind_of(play, argument)
    elif isinstance(argument, dict) and isinstance(argument.get("args"), dict):
        yield from _kinds_of_act(play, argument["name"], argument["args"])
    elif isinstance(argument, dict):
        votes = [each for each in (argument, *argument.values()) if isinstance(each, dict) and "submitted_at" in each]
        yield from (each["kind"] for each in votes)
        yield argument.get("kind") if "thing" in argument else None


def _kinds_of_act(play: EventState, do: str, given: Arguments) -> Iterator[str | None]:
    """Yield the kinds of what an act names, but not where it is free which words it says: nobody evades a guard so."""
    if do == VOTE:
        ref = str(given.get(given["kind"] or PROPOSAL) or given["proposal"])
        yield ref.partition("/")[0] if "/" in ref else given["kind"]
    action = play.law.declared("actions", play.view).get(do)
    for name, spec in ((action[1].get("arguments") or {}) if action else {}).items():
        if spec.get("type") == "thing":
            yield kind_of(play, given.get(name))
