"""Acts that a trial can do of itself: what the law offers, and values for what it needs."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice, product
from typing import Any

from folkmoot.core.keys import GAME
from folkmoot.core.records import Arguments
from folkmoot.core.rule_blocks import ActionSpec, ArgumentSpec
from folkmoot.kernel.play import Play
from folkmoot.kernel.proposing_action import argument_for_changes
from folkmoot.kernel.shown_proposals import find_proposal
from folkmoot.kernel.things import things

MOST_VALUES = 4  # of one argument that are tried
MOST_WAYS = 8  # to fill all that an action needs
MOST_WITH_ARGUMENTS = 40


def taking_in(play: Play) -> list[str]:
    """Return the actions that take in rule-changes."""
    return [do for do, (_uid, declared) in play.law.declared("actions").items() if argument_for_changes(declared)]


def ways_to_act(play: Play) -> list[tuple[str, Arguments]]:
    """Return what can be tried beside proposing, with arguments: the fewer they need, the earlier."""
    others = [do for do, (_uid, declared) in play.law.declared("actions").items() if not _needs_changes(declared)]
    found = [(do, arguments) for do in others for arguments in arguments_of(play, do)]
    return sorted(found, key=lambda way: len(way[1]))[: len(others) + MOST_WITH_ARGUMENTS]


def _needs_changes(declared: ActionSpec) -> bool:
    """Whether an action cannot be done without rule-changes: one that may bring some, such as a last form, can."""
    arguments = (declared.get("arguments") or {}).values()
    return any(spec.get("type") == "changes" and not spec.get("optional") for spec in arguments)


def arguments_of(
    play: Play, do: str, guess: Callable[[Play, ArgumentSpec], list[Any]] | None = None
) -> list[Arguments]:
    """Return ways to fill what an action needs, beside changes and their title; none where nothing is known to try.

    `guess` gives values of what the law itself names none for.
    """
    declared = play.law.declared("actions")[do][1].get("arguments") or {}
    needed = {
        name: (_values(play, spec) or (guess(play, spec) if guess else []))[:MOST_VALUES]
        for name, spec in declared.items()
        if not spec.get("optional") and "default" not in spec and name != "title" and spec.get("type") != "changes"
    }
    filled = islice(product(*needed.values()), MOST_WAYS)
    return [dict(zip(needed, values, strict=True)) for values in filled]


def _values(play: Play, spec: ArgumentSpec) -> list[Any]:
    """Return values to try for an argument: those that are declared, or that there are."""
    kind = spec.get("type")
    if kind == "choice":
        return list(spec.get("of") or ())
    if kind == "player":
        return list(things(play, "player"))
    if kind == "proposal":
        return [find_proposal(play, each)["number"] for each in play.documents[GAME]["open"]]
    return [True, False] if kind == "boolean" else [max(1, spec.get("minimum", 1))] if kind == "integer" else []
