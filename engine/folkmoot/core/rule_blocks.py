"""What a rule declares in the blocks of its file: registers, actions and their arguments, timers, settings.

As in `folkmoot.core.records`, all of it is plain maps when the program runs.
"""

from typing import Any, Literal, NotRequired, TypedDict

RULE_PARTS = (
    "title",
    "labels",
    "text",
    "about",
    "defines",
    "actions",
    "timers",
    "settings",
    "precedence",
    "sealed",
    "script",
    "examples",
)
"""The parts of a rule that a change can set, in the order in which records show them."""

Edge = Literal["start", "deadline"]


class RegisterSpec(TypedDict, total=False):
    """A register as a rule declares it, or a currency (whose type is left out in the file, and `owners` named).

    One that is `bookkeeping` is not told where people look first.
    """

    type: str
    initial: Any
    of: list[str]
    minimum: int | None
    maximum: int | None
    optional: bool
    derived: bool
    bookkeeping: bool
    sealed: str | list[str]
    summary: str
    owners: str | list[str]
    currency: bool


class ArgumentSpec(TypedDict, total=False):
    """One argument of an action."""

    type: str
    of: list[str]
    kind: str
    minimum: int
    maximum: int
    optional: bool
    default: Any
    sealed: str | list[str]
    summary: str


_Office = TypedDict("_Office", {"as": str}, total=False)


class ActionSpec(_Office, total=False):
    """An action: who may do it (`who`, `as` which office), with which arguments, `despite` which holds.

    `who` is player, anyone, the name of a kind of things, or a list of such words.
    It `takes` pull requests where they name no other action, the closing of one's own, or that somebody asks to join.
    The journal says that it was done in the words of `told` (see `core.told_patterns`).
    """

    summary: str
    told: str
    topic: str
    who: str | list[str]
    arguments: dict[str, ArgumentSpec]
    travels: str
    takes: str
    despite: list[str]


class TimerSpec(TypedDict, total=False):
    """A named timer; with `every` it runs by itself from enactment on, else rules start it."""

    every: str
    starting: str
    weekday: str
    day: int
    time: str
    edge: Edge
    summary: str


class KindSpec(TypedDict, total=False):
    """A kind of things: its registers, the kind that it is `like`, and whether it is `votable`."""

    registers: dict[str, RegisterSpec]
    like: str
    votable: bool
    summary: str


class OutcomeSpec(TypedDict, total=False):
    """An outcome of votes beside the engine's own: whether it changes law."""

    effective: bool
    summary: str


class SettingSpec(TypedDict):
    """A switch: a question about an ambiguous clause, its answers by word, and the one that holds from the start."""

    question: str
    default: str
    name: NotRequired[str]
    alternatives: NotRequired[dict[str, str]]
