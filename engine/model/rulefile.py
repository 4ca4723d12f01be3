"""The rule file as people write it: a rule of the game as text, script and typed blocks.

A value that stands for "nothing said" is the empty one (`""`, `{}`), so that the canonical writer leaves it out.
Field names are the keys of the file; `JSON Schema` and the reader are made from these types.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

Plain = Any  # null, boolean, integer, string, list or map with string keys

RegisterType = Literal[
    "integer", "boolean", "string", "text", "choice", "player", "rule", "thing", "list", "map", "time"
]
ArgumentType = Literal[
    "integer",
    "boolean",
    "string",
    "text",
    "choice",
    "player",
    "rule",
    "proposal",
    "thing",
    "list",
    "map",
    "changes",
    "settings",
    "time",
    "office",
]
Edge = Literal["start", "deadline"]
Period = Literal["hour", "day", "week", "month"]
Weekday = Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Register:
    """A named, typed value that belongs to an owner (the game, a player, a rule, a thing)."""

    type: RegisterType
    initial: Plain = None
    of: list[str] = field(default_factory=list)
    minimum: int | None = None
    maximum: int | None = None
    optional: bool = False
    summary: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of thing; `votable` things are motions with a life of their own."""

    summary: str = ""
    votable: bool = False
    registers: dict[str, Register] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Currency:
    """An integer register of its owners whose every change is a line of the ledger."""

    owners: str = "player"
    initial: int = 0
    minimum: int | None = None
    maximum: int | None = None
    summary: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Office:
    """A post that one player at a time holds."""

    fill: Literal["by_rule", "appointed"] = "appointed"
    summary: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Defines:
    """What a rule brings into being while it is in force."""

    game: dict[str, Register] = field(default_factory=dict)
    player: dict[str, Register] = field(default_factory=dict)
    rule: dict[str, Register] = field(default_factory=dict)
    proposal: dict[str, Register] = field(default_factory=dict)
    kinds: dict[str, Kind] = field(default_factory=dict)
    currencies: dict[str, Currency] = field(default_factory=dict)
    offices: dict[str, Office] = field(default_factory=dict)
    boards: dict[str, dict[str, Plain]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """One argument of an action."""

    type: ArgumentType
    of: list[str] = field(default_factory=list)
    kind: str = ""
    minimum: int | None = None
    maximum: int | None = None
    optional: bool = False
    default: Plain = None
    summary: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """What players may do under a rule.

    `as_` (key `as`) names the office one acts in; `who` is `player` or `anyone`; `travels` marks a request that goes
    with a proposal; `despite` lists the holds it is not stopped by.
    """

    summary: str = ""
    who: Literal["player", "anyone"] = "player"
    as_: str = ""
    arguments: dict[str, Argument] = field(default_factory=dict)
    travels: Literal["", "with_proposal"] = ""
    despite: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Timer:
    """A named timer; with `every` it runs by itself from enactment on, else rules start it."""

    every: Period | None = None
    weekday: Weekday | None = None
    day: int | None = None
    time: str = "00:00"
    edge: Edge = "deadline"
    summary: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """A switch: a reading of an ambiguous clause that the game's judges flip by a recorded ruling."""

    question: str
    default: str
    name: str = ""
    alternatives: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Precedence:
    """What a rule expressly says of its rank: uids, numbers or labels (`status=mutable`)."""

    over: list[str] = field(default_factory=list)
    defers_to: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleFile:
    """A rule as its file says it; `rule` (the number) and `uid` are the engine's."""

    title: str
    rule: str = ""
    uid: str = ""
    labels: dict[str, str] = field(default_factory=dict)
    text: str = ""
    defines: Defines = field(default_factory=Defines)
    actions: dict[str, Action] = field(default_factory=dict)
    timers: dict[str, Timer] = field(default_factory=dict)
    settings: dict[str, Setting] = field(default_factory=dict)
    precedence: Precedence = field(default_factory=Precedence)
    script: str = ""
    examples: list[dict[str, Plain]] = field(default_factory=list)
