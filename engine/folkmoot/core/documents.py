"""What stands in the documents of a game, field by field: the law, proposals, people, time and the game itself.

As in `folkmoot.core.records`, all of it is plain maps when the program runs, and times are in Unix seconds (UTC).

Annotations are evaluated here (no `from __future__ import annotations`): as texts, each costs a compilation at start.
"""

from collections.abc import Mapping
from typing import Any, NotRequired, TypedDict

from folkmoot.core.records import (
    Account,
    Application,
    Arguments,
    Declarations,
    Follows,
    ListSpec,
    OmittedChange,
    PastEpoch,
    PlayedAt,
    Registers,
    SigningKey,
    Stay,
    Via,
    Win,
    Written,
)
from folkmoot.core.rule_blocks import ActionSpec, Edge, SettingSpec, TimerSpec

Document = Mapping[str, Any]
"""What one derived file holds, where nobody asks which file it is; each has its own type below."""

# -- the law


class RuleParts(TypedDict, total=False):
    """The parts of a rule that a change can give it; `source` is a person's own text of the file.

    With `once` it is an order: adoption carries it out, and it never becomes law.
    """

    title: str
    labels: dict[str, str]
    text: str
    about: str
    defines: Declarations
    actions: dict[str, ActionSpec]
    timers: dict[str, TimerSpec]
    settings: dict[str, SettingSpec]
    precedence: dict[str, list[str]]
    sealed: dict[str, str]
    script: str
    examples: list[Written]
    source: str
    once: bool


class RuleDocument(RuleParts):
    """A rule in force, `rules/UID.yaml`: its number (`rule`), its uid, its title and the parts that are not empty."""

    rule: str
    uid: str


class Revision(RuleParts, total=False):
    """A rule as it was before (`until` a time), or the mark that it was repealed, which has no parts but `because`.

    Of one from before the game, `change` is of what kind it was, `dated` when it was as far as that is known, `note`
    what else is; `unknown` says that nobody knows what it said.
    """

    rule: str
    uid: str
    revision: int
    at: int
    seq: int
    cause: str | None
    applies_from: int
    until: int
    repealed: bool
    because: str
    called: str
    change: str
    dated: str
    note: str
    unknown: bool


class Ruling(TypedDict):
    """A judgement on a rule that was taken over from before the game: its `name`, who gave it when, what it says."""

    name: str
    at: int
    dated: NotRequired[str]
    by: NotRequired[str]
    text: NotRequired[str]


class HistoryDocument(TypedDict):
    """`history/UID.yaml`: what a rule was, oldest first, and the rulings on it from before the game."""

    revisions: list[Revision]
    rulings: NotRequired[list[Ruling]]


class KeptFailure(TypedDict):
    """A failure of a rule's script as it is kept with the law: first in entry `seq`, `times` in all, `last` when.

    `code` says of one that is none of the script's that it was left out of an act.
    """

    hook: str
    error: str
    seq: int
    revision: int
    code: NotRequired[str]
    times: NotRequired[int]
    last: NotRequired[int]


OF_A_REVISION = ("revision", "at", "seq", "cause", "applies_from", "called", "change", "dated", "note")
"""What is known of the revision of a rule in force, which stands with the law."""


class RuleMeta(TypedDict):
    """What is known of a rule that is or was: `cause` is what made it so (a proposal's id, a rule's uid).

    `at` and `seq` are of its last change, which governs what was submitted under number `applies_from` or later;
    `suspended` says why its script sleeps, and `asleep_since` which entry; `called` how the law names the revision;
    `change`, `dated` and `note` are of one that was taken over (`Revision`).
    """

    number: str
    revision: int
    amendments: int
    at: int
    enacted_at: int
    seq: int
    cause: str | None
    applies_from: int
    in_force: bool
    former_numbers: list[str]
    suspended: str | None
    asleep_since: NotRequired[int]
    called: NotRequired[str]
    change: NotRequired[str]
    dated: NotRequired[str]
    note: NotRequired[str]
    failures: NotRequired[list[KeptFailure]]


class LawDocument(TypedDict):
    """`law.yaml`: how often the law has changed, and what is known of each rule by uid."""

    version: int
    rules: dict[str, RuleMeta]


# -- proposals


class Change(TypedDict):
    """A rule-change as it is kept: of which rule (None: a new one), with which new parts, or `to` which status.

    `revision` is that of the rule on which the change was made.
    """

    kind: str
    rule: str | None
    revision: NotRequired[int]
    parts: NotRequired[RuleParts]
    to: NotRequired[str]


class Request(TypedDict):
    """A request that travels with a proposal."""

    name: str
    args: Arguments


class Ballot(TypedDict):
    """One vote; `deemed` where a rule cast it, and `why` it does not count where it does not.

    `sealed` is the number of the sealed value that is opened at the count; until then the choice is empty.
    """

    choice: str
    reason: str
    at: int
    weight: int
    counts: bool
    why: str
    deemed: bool
    sealed: NotRequired[int]


class Verdict(TypedDict):
    """What the law said of a closed vote, and by which rule."""

    yes: bool
    why: str
    rule: str | None


class ProposalName(TypedDict):
    """By what a proposal or motion is called: its id, its kind, and its number as soon as it has one."""

    id: str
    kind: str
    number: int | str | None


class TakenOver(TypedDict):
    """What is known of a vote from before the game: what it was on, and by part how it is dated that is not exact."""

    dated: dict[str, str]
    text: str


class Proposal(ProposalName):
    """A proposal or motion; `frozen` is the digest of its fixed text, `seq` the entry that took it in.

    With `waits` its outcome is known and its changes are not law yet. `displayed` says that its ballots are displayed
    before the count, `sealed` that they are sealed until then. `came` is how it had come, oldest first, where the game
    has left that forge since.
    """

    author: str | None
    title: str
    state: str
    changes: list[Change]
    requests: list[Request]
    submitted_at: int
    opened_at: int | None
    closed_at: int | None
    resolved_at: int | None
    electorate: list[str] | None
    ballots: dict[str, Ballot]
    frozen: str | None
    outcome: str | None
    why: str
    verdict: Verdict | None
    via: Via
    seq: int
    registers: Registers
    waits: NotRequired[bool]
    displayed: NotRequired[bool]
    sealed: NotRequired[bool]
    omitted: NotRequired[list[OmittedChange]]
    came: NotRequired[list[Via]]
    taken_over: NotRequired[TakenOver]


class NumberGiven(TypedDict):
    """Which proposal (its id) has a number that it got only when it was known by its id already."""

    of: str


# -- what is sealed


class SealedValue(TypedDict):
    """A sealed value: who reads it, what commits to it, and which entry holds its boxes, as the `place` there.

    Readers are ids of players, and offices as `office/NAME`. `by` is the player who sealed it, `opened` what it was;
    `held` the entry in which it was sealed anew to the keeper. `own` names `act` and `argument` to which it is bound
    where its author alone can open it; `ballot` says on which proposal it is a ballot, which only the count opens.
    `draws` are the numbers of the sealed draws on which it rests.
    """

    readers: list[str]
    commitment: str
    seq: int
    place: int
    by: NotRequired[str | None]
    held: NotRequired[int]
    draws: NotRequired[list[int]]
    own: NotRequired[dict[str, str]]
    ballot: NotRequired[str]
    opened: NotRequired[Any]


# -- people


class AskedKey(TypedDict):
    """A key that somebody asked to have from now on, and when."""

    key: str
    since: int


class ReaderKey(AskedKey):
    """The key to which what a player may read is sealed; one that is to replace it waits (`asked`)."""

    asked: NotRequired[AskedKey]


class RosterEntry(TypedDict):
    """Who somebody is; what else they gave when they joined stands beside these fields.

    `dated` says `since` and `until` of somebody who had left before the game;
    `handles` are their accounts by forge, `mentions` of what a forge may notify them, `asked` when they asked for it.
    """

    name: str
    since: int
    until: int | None
    surname: NotRequired[str]
    email: NotRequired[str]
    handles: NotRequired[dict[str, Account]]
    keys: NotRequired[list[SigningKey]]
    sealing: NotRequired[ReaderKey]
    mentions: NotRequired[str]
    asked: NotRequired[int]
    earlier: NotRequired[list[Stay]]
    dated: NotRequired[dict[str, str]]


Roster = dict[str, RosterEntry]


# -- time


class Timer(TypedDict):
    """A running timer; one that a rule declares with `every` has its `spec`, one that repeats otherwise a `period`."""

    name: str
    due: int
    edge: Edge
    rule: str | None
    payload: Arguments
    period: NotRequired[int]
    spec: NotRequired[TimerSpec]


HeldAct = TypedDict(
    "HeldAct",
    {
        "do": str,
        "by": str | None,
        "as": str | None,
        "with": Arguments,
        "at": int,
        "via": NotRequired[Via],
        "label": str,
        "why": NotRequired[str],
        "rule": str | None,
        "version": NotRequired[str],
    },
)
"""An act that waits until its label is released, or the rule that holds it is not the `version` that it was."""


# -- the game


class KeeperKey(TypedDict):
    """A key of the keeper, by its number: to `key` players seal, `seeds` commits to the seeds of sealed draws.

    The first seed is for the draw that follows draw number `after`.
    """

    number: int
    key: str
    seeds: str
    since: int
    after: int


class Epochs(TypedDict):
    """The number of the last chance epoch, what commits to its secret (None: it is closed), and those before it."""

    epoch: int
    commitment: str | None
    opened: NotRequired[list[PastEpoch]]
    lost: NotRequired[list[PastEpoch]]


class Claim(TypedDict):
    """That a player asks to become an administrator: they may from `due` to `until`; `against` are who object."""

    by: str
    at: int
    due: int
    until: int
    against: list[str]


class Succession(TypedDict, total=False):
    """The claim that runs, and until when those whom the players refused may not ask again."""

    claim: Claim | None
    refused: dict[str, int]


class GameDocument(PlayedAt):
    """`game.yaml`: settings, offices of the engine, what is open, and how far things are counted."""

    title: str
    ruleset: str
    zone: str
    follows: NotRequired[Follows]
    administrators: list[str]
    moving: NotRequired[list[str]]
    joining: str
    language: NotRequired[str]
    maintainers: NotRequired[list[str] | None]
    reminders: NotRequired[int]
    limits: NotRequired[dict[str, int]]
    first_revision: NotRequired[int]
    lists: NotRequired[dict[str, ListSpec]]
    engine: dict[str, str]
    settings: dict[str, str]
    paused: int | None
    over: Win | None
    open: list[str]
    chance: Epochs
    sealing: NotRequired[list[KeeperKey]]
    counters: dict[str, int]
    founded_at: int
    won: NotRequired[list[Win]]
    crowned: NotRequired[list[str]]
    succession: NotRequired[Succession]
    applications: NotRequired[dict[str, Application]]


class FactsDocument(TypedDict, total=False):
    """What is recorded of one place of a forge: entries by fact, facts over which the engine failed, proposals."""

    facts: dict[str, int]
    faults: list[str]
    proposals: list[str]
