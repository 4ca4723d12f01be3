"""The rule file as people write it: a rule of the game as text, script and typed blocks.

A value that stands for "nothing said" is the empty one (`""`, `{}`), so that the canonical writer leaves it out.
Field names are the keys of the file; `JSON Schema` and the reader are made from these types.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from folkmoot.files.formats import Format

Identifier = Annotated[str, Format("identifier")]
Selector = Annotated[str, Format("selector")]
RuleNumber = Annotated[str, Format("number")]
Line = Annotated[str, Format("line")]
Title = Annotated[str, Format("title")]
Script = Annotated[str, Format("script")]
TimeOfDay = Annotated[str, Format("time-of-day")]
DayOfMonth = Annotated[int, Format("day-of-month")]
Plain = Any  # null, boolean, integer, string, list or map with string keys

RegisterType = Literal[
    "integer", "boolean", "string", "text", "choice", "player", "rule", "thing", "list", "map", "time", "square"
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
    "any",
]
Edge = Literal["start", "deadline"]
Period = Literal["hour", "day", "week", "month"]
Weekday = Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Register:
    """A named, typed value that belongs to an owner (the game, a player, a rule, a thing).

    A `derived` one is not kept: whoever reads it asks the question of its name, with the owner (of the game: nothing).
    """

    type: RegisterType
    initial: Plain = None
    of: list[Line] = field(default_factory=list)
    minimum: int | None = None
    maximum: int | None = None
    optional: bool = False
    derived: bool = False
    summary: Line = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of thing; `votable` things are motions with a life of their own."""

    summary: Line = ""
    votable: bool = False
    registers: dict[Identifier, Register] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Currency:
    """An integer register of its owners whose every change is a line of the ledger."""

    owners: Identifier = "player"
    initial: int = 0
    minimum: int | None = None
    maximum: int | None = None
    summary: Line = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Office:
    """A post that one player at a time holds."""

    fill: Literal["by_rule", "appointed"] = "appointed"
    summary: Line = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """A further outcome of proposals, beside those that the engine knows; an `effective` one makes changes law."""

    effective: bool = False
    summary: Line = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Defines:
    """What a rule brings into being while it is in force."""

    game: dict[Identifier, Register] = field(default_factory=dict)
    player: dict[Identifier, Register] = field(default_factory=dict)
    rule: dict[Identifier, Register] = field(default_factory=dict)
    proposal: dict[Identifier, Register] = field(default_factory=dict)
    kinds: dict[Identifier, Kind] = field(default_factory=dict)
    currencies: dict[Identifier, Currency] = field(default_factory=dict)
    offices: dict[Identifier, Office] = field(default_factory=dict)
    outcomes: dict[Identifier, Ending] = field(default_factory=dict)
    boards: dict[Identifier, dict[str, Plain]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """One argument of an action."""

    type: ArgumentType
    of: list[Line] = field(default_factory=list)
    kind: Identifier = ""
    minimum: int | None = None
    maximum: int | None = None
    optional: bool = False
    default: Plain = None
    summary: Line = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """What players may do under a rule.

    `as_` (key `as`) names the office one acts in; `who` is `player` or `anyone`; `travels` marks a request that goes
    with a proposal; `despite` lists the holds it is not stopped by.
    """

    summary: Line = ""
    who: Literal["player", "anyone"] = "player"
    as_: Identifier = ""
    arguments: dict[Identifier, Argument] = field(default_factory=dict)
    travels: Literal["", "with_proposal"] = ""
    despite: list[Identifier] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Timer:
    """A named timer; with `every` it runs by itself from enactment on, else rules start it."""

    every: Period | None = None
    weekday: Weekday | None = None
    day: DayOfMonth | None = None
    time: TimeOfDay = "00:00"
    edge: Edge = "deadline"
    summary: Line = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """A switch: a reading of an ambiguous clause that the game's judges flip by a recorded ruling."""

    question: Title
    default: Line
    name: Identifier = ""
    alternatives: dict[Line, Line] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Precedence:
    """What a rule expressly says of its rank: uids, numbers or labels (`status=mutable`)."""

    over: list[Selector] = field(default_factory=list)
    defers_to: list[Selector] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleFile:
    """A rule as its file says it; `rule` (the number) and `uid` are the engine's."""

    title: Title
    rule: RuleNumber = ""
    uid: RuleNumber = ""
    labels: dict[Identifier, Line] = field(default_factory=dict)
    text: str = ""
    defines: Defines = field(default_factory=Defines)
    actions: dict[Identifier, Action] = field(default_factory=dict)
    timers: dict[Identifier, Timer] = field(default_factory=dict)
    settings: dict[Identifier, Setting] = field(default_factory=dict)
    precedence: Precedence = field(default_factory=Precedence)
    script: Script = ""
    examples: list[Annotated[dict[str, Plain], Format("scenario")]] = field(default_factory=list)
