"""The other files that people write: actions, settings of a new game, scenarios and rulesets.

Field names are the keys of the file (without a trailing underscore). A field marked `Rest` takes every other key: the
registers of a statement carry the names that the rules of the game give them. Where several records stand side by
side in a union, the first of their fields that is there says which one is meant.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal

from folkmoot.files.formats import Format, Rest
from folkmoot.files.rule_file import Identifier, Line, Plain, RuleNumber, Title

Stamp = Annotated[str, Format("stamp")]
Moment = Annotated[str, Format("moment")]
Zone = Annotated[str, Format("zone")]
Fraction = Annotated[str | int, Format("fraction")]
ErrorCode = Annotated[str, Format("error-code")]
Count = Annotated[int, Format("count")]
Proposal = str | int
Word = str | bool | int  # a word of a vote or the value of a switch; `true` and `12` are taken as they look
Registers = Annotated[dict[str, Plain], Rest()]
Switches = dict[Identifier, Word]


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A player as set-up data: an id, a name, and whatever attributes the rules ask for."""

    id: Identifier
    name: Line = ""
    surname: Line = ""
    email: Line = ""
    registers: Registers = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionFile:
    """One act: `do` with `args`, or a vote; `with` are the requests that travel with it, `as` the office acted in."""

    do: Identifier = ""
    args: dict[Identifier, Plain] = field(default_factory=dict)
    as_: Identifier = ""
    by: Identifier = ""
    with_: list[dict[Identifier, Plain]] = field(default_factory=list)
    vote: Word = ""
    proposal: Proposal = ""
    motion: Proposal = ""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsFile:
    """What a new game begins with where it differs from its ruleset."""

    title: Line = ""
    ruleset: Identifier = ""
    zone: Zone = "UTC"
    starts: Stamp = ""
    administrators: list[Identifier] = field(default_factory=list)
    maintainers: list[Line] = field(default_factory=list)
    reminders: Count | None = None
    limits: dict[Identifier, int] = field(default_factory=dict)
    players: list[Identifier | Person] = field(default_factory=list)
    offices: dict[Identifier, Identifier] = field(default_factory=dict)
    settings: Switches = field(default_factory=dict)


# -- statements: what is given before play, and how a ruleset opens


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerGiven:
    """Registers of a player."""

    player: Identifier
    registers: Registers = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class GameGiven:
    """Registers of the game."""

    game: Literal[True]
    registers: Registers = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class OfficeGiven:
    """Who holds an office."""

    office: Identifier
    holder: Identifier | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleGiven:
    """Registers of a rule."""

    rule: RuleNumber
    registers: Registers = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ThingGiven:
    """Registers of a thing, by its id."""

    thing: str
    registers: Registers = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class KindGiven:
    """Some new things of a kind: one for each place of `at`, else `count`."""

    kind: Identifier
    id: Identifier = ""
    count: Count = 1
    registers: Registers = field(default_factory=dict)


Statement = PlayerGiven | GameGiven | OfficeGiven | RuleGiven | KindGiven | ThingGiven


# -- expectations


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerClaim:
    """A line of a player's ledger."""

    ledger: str
    register: Identifier = ""
    rule: RuleNumber = ""
    asked: int | None = None
    applied: int | None = None
    times: Count | None = None
    registers: Registers = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class WinnerClaim:
    """Who has won: a player, several, or nobody (null)."""

    winner: Identifier | list[Identifier] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EventClaim:
    """An event happened, with this payload, this many times."""

    event: Identifier
    times: Count | None = None
    registers: Registers = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class TimerClaim:
    """A timer runs or not, and when it is due."""

    timer: Identifier
    due: Stamp = ""
    running: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CallClaim:
    """What a question or library function answers."""

    call: Line
    args: list[Plain] = field(default_factory=list)
    gives: Plain


@dataclass(frozen=True, slots=True, kw_only=True)
class DutyClaim:
    """What a player owes, or that it is nothing (`none: true`)."""

    owes: Identifier
    what: Line = ""
    key: Line = ""
    by: Stamp = ""
    none: bool = False
    registers: Registers = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class PageClaim:
    """A rule shows a page that contains a text."""

    page: Identifier
    contains: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusalClaim:
    """An act was refused with a code, this many times."""

    refusal: ErrorCode
    times: Count | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FailureClaim:
    """A hook of a rule failed."""

    failure: RuleNumber
    hook: Identifier = ""
    code: ErrorCode = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReasonClaim:
    """A reason was given, resting on a rule."""

    reason: Line
    rule: RuleNumber = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OfficeClaim:
    """Who holds an office."""

    office: Identifier
    holder: Identifier | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ThingClaim:
    """A thing exists or not, with these registers."""

    thing: str
    exists: bool | None = None
    registers: Registers = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class KindClaim:
    """There are things of a kind with these registers, this many."""

    kind: Identifier
    count: Count | None = None
    registers: Registers = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalClaim:
    """State, votes and registers of a proposal."""

    proposal: Proposal
    state: Line = ""
    votes: dict[Identifier, Word] = field(default_factory=dict)
    registers: Registers = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class MotionClaim:
    """State, votes and registers of a motion."""

    motion: Proposal
    state: Line = ""
    votes: dict[Identifier, Word] = field(default_factory=dict)
    registers: Registers = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsClaim:
    """The values of switches."""

    settings: Switches


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleClaim:
    """A rule is in force or not; its parts, labels and registers."""

    rule: RuleNumber
    in_force: bool | None = None
    title: str = ""
    text: str = ""
    text_contains: str = ""
    script: str = ""
    revision: Count | None = None
    labels: dict[Identifier, Line | None] = field(default_factory=dict)
    registers: Registers = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerClaim:
    """A player plays or not, with these registers."""

    player: Identifier
    present: bool | None = None
    registers: Registers = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class GameClaim:
    """Registers of the game."""

    game: Literal[True]
    registers: Registers = field(default_factory=dict)


Claim = (
    LedgerClaim
    | WinnerClaim
    | EventClaim
    | TimerClaim
    | CallClaim
    | DutyClaim
    | PageClaim
    | RefusalClaim
    | FailureClaim
    | ReasonClaim
    | OfficeClaim
    | ThingClaim
    | KindClaim
    | ProposalClaim
    | MotionClaim
    | SettingsClaim
    | RuleClaim
    | PlayerClaim
    | GameClaim
)


# -- steps


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectStep:
    """Claims between two steps."""

    expect: list[Claim]


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedMoment:
    """A named moment of the game: the timer of that name."""

    to: Identifier


@dataclass(frozen=True, slots=True, kw_only=True)
class TickStep:
    """Time passes."""

    tick: Moment | NamedMoment


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteStep:
    """Somebody votes, or several do."""

    vote: Word
    by: Identifier | list[Identifier]
    as_: Identifier = ""
    proposal: Proposal = ""
    motion: Proposal = ""
    reason: str = ""
    at: Moment = ""
    refused: ErrorCode = ""
    at_stage: Literal["", "submission", "judgement"] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActStep:
    """Somebody acts, or several do."""

    do: Identifier
    by: Identifier | list[Identifier]
    as_: Identifier = ""
    args: dict[Identifier, Plain] = field(default_factory=dict)
    with_: list[dict[Identifier, Plain]] = field(default_factory=list)
    at: Moment = ""
    refused: ErrorCode = ""
    at_stage: Literal["", "submission", "judgement"] = ""


Step = ExpectStep | TickStep | VoteStep | ActStep


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """The result of the next draw, which carries this label."""

    label: Line
    gives: Plain


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioFile:
    """A scenario: what is given, steps, expectations; dice, or exact chances.

    `dice` absent (None) means seeded freely; an empty list means that nothing may be drawn.
    """

    scenario: Title
    ruleset: Identifier = ""
    law: Line = ""
    settings: Switches = field(default_factory=dict)
    starts: Stamp = ""
    players: list[Identifier | Person] = field(default_factory=list)
    given: list[Statement] = field(default_factory=list)
    dice: list[int | bool | str | Draw | list[Plain]] | None = None
    chance: Annotated[list[Claim], Format("chance")] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    expect: list[Claim] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesetFile:
    """An opening position: what a game starts with beside the rule files that lie next to it."""

    ruleset: Identifier
    title: Title
    summary: str = ""
    extends: Identifier = ""
    zone: Zone = "UTC"
    settings: Switches = field(default_factory=dict)
    administrators: list[Identifier] = field(default_factory=list)
    people: list[Person] = field(default_factory=list)
    offices: dict[Identifier, Identifier] = field(default_factory=dict)
    given: list[Statement] = field(default_factory=list)
    opening: list[Statement] = field(default_factory=list)
