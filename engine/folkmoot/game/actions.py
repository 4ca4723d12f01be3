"""The actions of a game as somebody may take them: who may, what they take, which rule offers them, and how now."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from folkmoot.core.declared_kinds import declared_in
from folkmoot.core.keys import GAME
from folkmoot.core.rule_blocks import ActionSpec, ArgumentSpec
from folkmoot.core.sealed_data import depends_on_sealed
from folkmoot.game.session import Session
from folkmoot.kernel.act_declarations import (
    ADMINISTRATIVE,
    UNSTOPPABLE,
    VOTE,
    argument_for_changes,
    doers,
    vote_declaration,
)
from folkmoot.wording import sentences
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import unmarked
from folkmoot.wording.page_links import Here

Group = Literal["now", "filled", "office", "travels", "not", "administrators"]
GROUPS: dict[Group, str] = {
    "now": "Now, as it stands",
    "filled": "With arguments, which the rules judge",
    "office": "In an office",
    "travels": "With a proposal, in its pull request",
    "not": "Not now",
    "administrators": "For administrators",
}
SAMPLES = {
    "integer": "1",
    "boolean": "true",
    "proposal": "301",
    "rule": "101",
    "player": "NAME",
    "thing": "NAME",
    "office": "NAME",
    "list": '["a2", "b1"]',
    "map": '{"wood": 2}',
    "settings": '{"SWITCH": "VALUE"}',
    "time": "2026-01-05T12:00:00Z",
    "any": "1",
}


class Action(Struct, frozen=True, kw_only=True):
    """An action: its declaration, the number of the rule that offers it ("" for none), its group, and why not now."""

    name: str
    declared: ActionSpec
    rule: str = ""
    group: Group = "now"
    why: str = ""

    @property
    def summary(self) -> str:
        """Return what it does, in its rule's words."""
        return str(self.declared.get("summary") or "")

    @property
    def arguments(self) -> Mapping[str, ArgumentSpec]:
        """Return what it takes."""
        return self.declared.get("arguments") or {}


def is_needed(spec: ArgumentSpec) -> bool:
    """Say whether an argument must be given."""
    return not spec.get("optional") and spec.get("default") is None


def action_of(session: Session, name: str) -> Action:
    """Return an action that the game has."""
    rule = _offering(session).get(name, "")
    declared = session.actions()[name] if rule or name != VOTE else vote_declaration(session.votable())
    return Action(name=name, declared=declared, rule=rule)


def _offering(session: Session) -> dict[str, str]:
    """Return the number of the rule that offers each action."""
    found = declared_in(((str(rule["rule"]), rule) for rule in session.rules()), "actions")
    return {name: number for name, (number, _) in found.items()}


def actions_for(session: Session, player: str | None, at: int) -> Iterator[Action]:
    """Yield the actions of a game as they are for a player (None: a stranger), each tried that needs no argument."""
    offering, offices = _offering(session), session.offices()
    for name, declared in session.actions().items():
        action = Action(name=name, declared=declared, rule=offering.get(name, ""))
        group, why = _group(session, action, player, offices, at)
        yield replace(action, group=group, why=why)


def _group(
    session: Session, action: Action, player: str | None, offices: Mapping[str, Any], at: int
) -> tuple[Group, str]:
    """Return the group in which an action is for a player, and why."""
    declared, office = action.declared, action.declared.get("as")
    if action.name in ADMINISTRATIVE and not action.rule:
        return "administrators", ""
    if declared.get("travels") == "with_proposal":
        return "travels", ""
    if office:
        return "office", f"{office}: {offices.get(office) or 'nobody'}"
    if player is None:
        return ("filled", "") if "anyone" in doers(declared) else ("not", "for players only")
    if not {"player", "anyone"} & {*doers(declared)}:
        return "not", f"for {', '.join(doers(declared))}"
    given = argument_for_changes(declared) or any(map(is_needed, action.arguments.values()))
    if given or action.name in UNSTOPPABLE:
        return "filled", ""
    return _tried(session, action.name, player, at)


def _tried(session: Session, do: str, player: str, at: int) -> tuple[Group, str]:
    """Return whether an act without arguments would be done now, and why not."""
    outcome = session.would(player, do, {}, at=at)
    if outcome.accepted or outcome.draws:
        return "now", ""
    if depends_on_sealed(outcome.code, outcome.reasons, outcome.sealed):
        return "now", "what comes of it depends on what is sealed"
    if outcome.code == "HELD":
        return "now", "it waits to be released"
    reason = next((each for each in outcome.reasons if each["code"] == outcome.code), None)
    here = Here(GameView(slug=session.record.name, documents=session.documents), "index.md")
    return "not", unmarked(sentences.refusal(here, reason)) if reason else outcome.code


def administrates(session: Session, player: str | None) -> bool:
    """Say whether somebody is an administrator of a game."""
    return player in (session.kept(GAME).get("administrators") or ())


def usage(action: Action) -> str:
    """Return how an action is typed, what may be left out in brackets.

    >>> spec = {"to": {"type": "player"}, "why": {"type": "text", "optional": True}}
    >>> usage(Action(name="pay", declared={"arguments": spec}))
    'moot act pay to=… [why=…]'
    """
    given = action.arguments.items()
    return _typed(action, [f"{name}=…" if is_needed(spec or {}) else f"[{name}=…]" for name, spec in given])


def example(action: Action, known: Mapping[str, list[str]]) -> str:
    """Return an action as it might be typed, with values that there are (`known`, by argument) where that is known.

    >>> spec = {"to": {"type": "player"}, "goods": {"type": "map"}}
    >>> print(example(Action(name="give", declared={"arguments": spec}), {"to": ["bob"]}))
    moot act give to=bob goods='{"wood": 2}'
    """
    needed = [(name, spec or {}) for name, spec in action.arguments.items() if is_needed(spec or {})]
    shown = needed or [(name, spec or {}) for name, spec in action.arguments.items()][:1]
    return _typed(action, [f"{name}={shlex.quote(_sample(spec, known.get(name) or []))}" for name, spec in shown])


def _typed(action: Action, words: list[str]) -> str:
    office = [f"--as {action.declared['as']}"] if action.declared.get("as") else []
    return " ".join(["moot act", action.name, *words, *office])


def _sample(spec: Mapping[str, Any], known: list[str]) -> str:
    default = spec.get("default")
    if known:
        return known[0]
    if default is not None:
        return default if isinstance(default, str) else json.dumps(default)
    if spec.get("minimum") is not None:
        return str(spec["minimum"])
    return SAMPLES.get(str(spec.get("type") or "text"), "…")
