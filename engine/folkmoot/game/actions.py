"""The actions of a game as somebody may take them: who may, what they take, which rule offers them, and how now."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator, Mapping
from typing import Any, Literal, cast

from msgspec import Struct
from msgspec.structs import replace

from folkmoot.core.keys import GAME, ROSTER
from folkmoot.core.records import Reason
from folkmoot.core.rule_blocks import ActionSpec, ArgumentSpec
from folkmoot.game.session import Session
from folkmoot.game.status import undecided
from folkmoot.kernel.act_declarations import (
    ADMINISTRATIVE,
    BEYOND_RULES,
    KERNEL_DECLARATIONS,
    VOTE,
    doers,
    joining_action,
    vote_declaration,
)
from folkmoot.kernel.arguments import is_needed
from folkmoot.wording import sentences
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import shortened, unmarked
from folkmoot.wording.page_links import Here, titled

_GIVEN = re.compile(r"(?:\bas|:) ([{\[].*[}\]])", re.IGNORECASE | re.ASCII)
"""A list or map that the summary of an argument gives as an example."""
_TYPED = re.compile(r"\bas `([^`]+)`", re.ASCII)
"""A text that the summary of an argument gives as an example, which stands in that of the action."""
Group = Literal["now", "proposal", "not", "players", "administrators"]
"""Whether an action would be taken in: now, as far as that does not hang on its arguments; with a proposal; not now.

For whom nobody is named, what players may do stands under `players`.
"""
MOST_TOPICS = 16
"""There are so many topics at most; where there would be more, rules with one action share the last of them."""
LONGEST_TOPIC = 60  # characters
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
    """An action: its declaration, the number of its rule ("" for none), its topic, its group, and why not now."""

    name: str
    declared: ActionSpec
    rule: str = ""
    topic: str = ""
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


def action_of(session: Session, name: str) -> Action:
    """Return an action that the game has."""
    view = GameView(slug=session.record.name, documents=session.documents)
    uid, declared = offered_in(view).get(name) or ("", session.actions()[name])
    return Action(name=name, declared=declared, rule=view.number(uid) if uid else "")


def actions_for(session: Session, player: str | None, at: int) -> Iterator[Action]:
    """Yield the actions of a game by topic as they are for a player (None: nobody is named), what may be done first."""
    view = GameView(slug=session.record.name, documents=session.documents)
    offered = offered_in(view)
    declared = {**session.actions(), **{name: about for name, (_, about) in offered.items()}}
    topics = {name: topic for topic, names in topics_of(view, offered).items() for name in names}
    order = list(dict.fromkeys(topics.values()))
    judge = _Judge(session, view, player, max(at, session.at))
    found = list[Action]()
    for name, about in declared.items():
        uid, _ = offered.get(name, ("", about))
        action = Action(name=name, declared=about, rule=view.number(uid) if uid else "")
        group, why = judge.group(action)
        topic = ADMINISTRATORS if group == "administrators" else topics.get(name, ALWAYS)
        found.append(replace(action, topic=topic, group=group, why=why))
    yield from sorted(found, key=lambda action: order.index(action.topic) if action.topic in order else len(order))


class _Judge:
    """Says in which group an action is for a player at a time, and why."""

    def __init__(self, session: Session, view: GameView, player: str | None, at: int) -> None:
        self.session, self.player, self.at = session, player, at
        self.here = Here(view, "index.md")
        self.votes = any(each["state"] == "open" for each in undecided(session))
        self.offices = session.offices()
        self.joining = joining_action(session.actions())
        self.plays = player is not None and player in session.kept(ROSTER) and not session.kept(ROSTER)[player]["until"]

    def group(self, action: Action) -> tuple[Group, str]:
        """Return the group of an action, and why it is in it."""
        declared, do = action.declared, action.name
        if do in ADMINISTRATIVE and not action.rule:
            return "administrators", ""
        if self.player is None:
            return ("now" if "anyone" in doers(declared) else "players"), ""
        if do == VOTE and not action.rule and not self.votes:
            return "not", "no vote is open"
        if declared.get("travels") == "with_proposal":
            return "proposal", ""
        if do == self.joining and self.plays:
            return "not", f"{self.player} plays already"
        found = self.session.sandbox.stands_in_way(do, self.player, self.at)
        if found is None or found["code"] == "E-SEALED":
            return "now", ""
        if found["code"] == "HELD":
            return "now", f"it waits to be released: {found['why']}"
        if found["code"] == "E-NOT-OFFICE" and (office := declared.get("as")):
            return "not", f"for the office of {office}, which {self.offices.get(office) or 'nobody'} holds"
        reason = {"code": found["code"], "rule": found["rule"], "args": {"why": found["why"]} if found["why"] else {}}
        return "not", unmarked(sentences.refusal(self.here, cast(Reason, reason)))


# -- by what one wants to achieve

Offered = Mapping[str, tuple[str, ActionSpec]]
"""The actions of a game by name, each with the rule (its uid) that declares it, "" for one that every game has."""
ALWAYS, REST, PROPOSING, OFFICES = "In every game", "By other rules", "Propose and vote", "Elections and offices"
ADMINISTRATORS = "For administrators"
TOPICS = (ALWAYS, REST, PROPOSING, OFFICES, ADMINISTRATORS)
"""The engine's own; all others are words of the law."""


def offered_in(view: GameView) -> dict[str, tuple[str, ActionSpec]]:
    """Return the actions of the rules, then those that every game has, in whose place no rule puts its own."""
    ruled = {name: (uid, cast(ActionSpec, about)) for name, (uid, about) in view.declared("actions").items()}
    always = {name: about for name, about in KERNEL_DECLARATIONS.items() if name not in (*BEYOND_RULES, *ruled)}
    if VOTE in always:
        always[VOTE] = vote_declaration(view.votable)
    return {**ruled, **{name: ("", about) for name, about in always.items()}}


def topics_of(view: GameView, offered: Offered) -> dict[str, list[str]]:
    """Return the names of actions by topic: what one proposes and votes on first, what every game has last."""
    first = next((_topic_of(view, *each) for each in offered.values() if proposes(each[1])), PROPOSING)
    found: dict[str, list[str]] = {first: []}
    for name, known in offered.items():
        found.setdefault(first if name == VOTE else _topic_of(view, *known), []).append(name)
    if len(found) > MOST_TOPICS:
        single = [title for title, names in found.items() if len(names) == 1 and title != ALWAYS]
        found[REST] = [found.pop(title)[0] for title in single]
    return {title: names for title, names in {**found, ALWAYS: found.pop(ALWAYS, [])}.items() if names}


def proposes(about: ActionSpec) -> bool:
    """Say whether an action proposes a change of the rules."""
    changes = any((spec or {}).get("type") == "changes" for spec in (about.get("arguments") or {}).values())
    return changes or about.get("travels") == "with_proposal"


def _topic_of(view: GameView, uid: str, about: ActionSpec) -> str:
    """Return what an action is for: as it says itself, as its rule is labelled, by its arguments, else by its rule."""
    if not uid:
        return ALWAYS
    rule, arguments = view.rule(uid), about.get("arguments") or {}
    category = (rule.get("labels") or {}).get("category")
    named = about.get("topic") or (titled(category) if isinstance(category, str) else "")
    if not named and (proposes(about) or any((spec or {}).get("type") == "proposal" for spec in arguments.values())):
        return PROPOSING
    if not named and (about.get("as") or "office" in arguments):
        return OFFICES
    return shortened(str(named or rule.get("title") or "untitled"), LONGEST_TOPIC)


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
    >>> spec = {"keep": {"type": "list", "summary": "The rules that stay, as [16, 17]"}}
    >>> print(example(Action(name="begin", declared={"arguments": spec}), {}))
    moot act begin keep='[16, 17]'
    >>> spec = {"zone": {"type": "integer"}, "word": {"type": "string", "optional": True, "summary": "Any, as `lent`"}}
    >>> print(example(Action(name="play", declared={"arguments": spec}), {}))
    moot act play zone=1 word=lent
    """
    arguments = [(name, spec or {}) for name, spec in action.arguments.items()]
    typed = {name for name, spec in arguments if _TYPED.search(str(spec.get("summary") or ""))}
    needed = [(name, spec) for name, spec in arguments if name in typed or is_needed(spec)]
    shown = needed or arguments[:1]
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
    given = (_GIVEN if spec.get("type") in ("list", "map") else _TYPED).search(str(spec.get("summary") or ""))
    return given[1] if given else SAMPLES.get(str(spec.get("type") or "text"), "…")
