"""What stands in the journal of a game, field by field; what stands in its documents is in `folkmoot.core.documents`.

All of it is plain maps when the program runs, as the files hold them; these types say which fields there are. A field
that is always there is required. Times are in Unix seconds (UTC) but for `at` of an entry and of `head.yaml`, which are
stamps. Maps whose keys nobody knows beforehand have names of their own.

Annotations are evaluated here (no `from __future__ import annotations`): as texts, each costs a compilation at start.
"""

from typing import Any, NotRequired, TypedDict

# -- open maps

Arguments = dict[str, Any]
"""Arguments of an act, a request, an event or a reason, by the names that its declaration gives them."""
Registers = dict[str, Any]
"""Values by the names of the registers that rules declare."""
ProposedChange = dict[str, Any]
"""A change as people write it: `{amend: "203", text: …}`; kept as a `Change`."""
ScriptRecord = dict[str, Any]
"""What a script is shown of something (see `folkmoot.kernel.script_records`); `$` marks what becomes a struct."""
Written = dict[str, Any]
"""What people wrote in a file (a scenario, its steps and claims, a ruleset), read and held against its form."""
Shown = dict[str, Any]
"""What a program or a page is shown of something: made for it, and kept nowhere."""
Declarations = dict[str, Any]
"""What rules declare by name, of kinds that differ by block (see `folkmoot.core.rule_blocks`)."""
Founding = dict[str, Any]
"""What a game is founded with: the whole initial law, people and settings, as the arguments of its first entry."""

# -- where an act came from


class Account(TypedDict):
    """Somebody as a forge knows them: by an id that stays, shown under a name that may change."""

    id: str
    login: str


_As = TypedDict("_As", {"as": NotRequired[str | None]})


class Review(_As):
    """What a rule made of a review or push: an act, or `why` it can be none; refused, where there is a `code`."""

    rule: NotRequired[str]
    code: NotRequired[str]
    do: NotRequired[str]
    args: NotRequired[Arguments]
    why: NotRequired[str]


class Taken(_As):
    """By which act the law takes a pull request in, or `why` by none; `rule` is the uid of the rule that says so."""

    do: NotRequired[str]
    args: NotRequired[Arguments]
    rule: NotRequired[str]
    why: NotRequired[str]


class SeenEntry(TypedDict):
    """The last entry that somebody had seen: its number, and the digest by which the chain names it.

    It is `unsigned` where nothing but the word of whoever keeps the host says that it was theirs to see.
    """

    seq: int
    digest: str
    unsigned: NotRequired[bool]


class Via(TypedDict, total=False):
    """By which fact of a forge an act came, and when that arrived; empty for what is typed where the game is kept.

    It stood in pull request `pull` (0: the game's own thread) or `issue`, when the content was that of commit `head`,
    with this `digest`, since `revised`. `person` is who sent it where no player is known by them yet. `stay` counts the
    forges of this kind on which the game was before. `seen` is the last entry that a letter names, or that the
    commit stands on which was pushed or reviewed; a comment on a website shows no more than that it came.
    """

    forge: str
    stay: int
    pull: int
    issue: int
    fact: str
    arrived: int
    head: str
    digest: str
    revised: int
    review: Review
    person: Account
    seen: SeenEntry


class Stay(TypedDict):
    """A time that somebody played, before they came back."""

    since: int
    until: int | None


class SigningKey(Stay):
    """A public key with which somebody signs what they send in that time."""

    key: str


class ForgeHome(TypedDict):
    """By which forge acts come, where the game lies there, and on how many of its kind it was before (`stay`)."""

    kind: str
    home: NotRequired[str]
    stay: NotRequired[int]


class LeftForge(ForgeHome):
    """A forge that a game was played on until a time, when it went to another."""

    until: int


class PlayedAt(TypedDict, total=False):
    """By which forge the acts of a game come, and which it has left: part of a game's document, and read by itself."""

    forge: str | ForgeHome | None
    left: list[LeftForge]


class Application(TypedDict):
    """Who asked to come in: an account of a forge, since when, and in which pull request or issue."""

    forge: str
    account: Account
    at: int
    pull: NotRequired[int]
    issue: NotRequired[int]


class Duty(TypedDict):
    """What a player owes, by when (None: no deadline); `cause` is whose act led to it.

    `do` are the actions of which one is owed, `of` what it is to be about: the id of a proposal, a text or a number.
    `overdue` says that its deadline has passed, and that the law was told.
    """

    player: str
    what: str
    by: int | None
    rule: str | None
    since: NotRequired[int]
    cause: NotRequired[str | None]
    do: NotRequired[list[str]]
    of: NotRequired[str | int]
    overdue: NotRequired[bool]


class PastEpoch(TypedDict):
    """A chance epoch that is over: its secret, or why that is lost."""

    epoch: int
    commitment: str | None
    secret: NotRequired[str]
    why: NotRequired[str]


class Win(TypedDict):
    """Who has won, why, and by which rule."""

    winner: list[str]
    why: str
    rule: str | None
    at: int


class Follows(TypedDict):
    """Of which game another is the next season (from 2), begun after the entry with this number and digest."""

    game: str
    seq: int
    digest: str
    season: int


# -- what came of it


class DrawSpec(TypedDict, total=False):
    """What is drawn, one of these: an integer from one to another, an order of so many, so many chances in so many."""

    integer: list[int]
    permutation: int
    chance: list[int]


class SealedFor(TypedDict, total=False):
    """For which argument of which act a player sealed something, about what (see `folkmoot.sealing.commitments`)."""

    game: str
    author: str
    act: str
    argument: str
    target: str
    target_digest: str
    keeper: int
    nonce: str


class Draw(TypedDict):
    """One draw of chance: its label, what was drawn (`{integer: [1, 6]}`), the result, and where it came from."""

    label: str
    spec: DrawSpec
    result: Any
    source: str


class SealedRecord(TypedDict, total=False):
    """What was asked of sealed contents in an event: one of `made`, `took`, `refused`, `seed`, `opened` and `told`.

    `made` and `took` are the numbers of sealed values that a rule made, which rests on sealed `draws`, or a player
    sent; `refused` is the code of one that was refused; `seed` the number of a sealed draw; `opened` that of a value
    that was opened, with its salt (hex), and with the context in which a player sealed it. `told` commits to what the
    author of a refused act, and nobody else, is told of it.
    """

    made: int
    draws: list[int]
    took: int
    commitment: str
    refused: str
    seed: int
    spec: DrawSpec
    label: str
    opened: int
    value: Any
    salt: str
    context: SealedFor
    told: str


class Confided(TypedDict):
    """A content that somebody may read from now on: players by their ids, and where `keeper` the keeper of the game.

    Its commitment is bound to `context` where a player sealed it, else to its entry and the place there (`place`);
    `error` is why a sealed function gave nothing, "" where it did not fail.
    """

    number: int
    value: Any
    salt: str
    error: str | None
    context: SealedFor | None
    place: list[int | str]
    to: list[str]
    keeper: bool


class Reason(TypedDict):
    """Why something was decided so: a code, the rule that it rests on, and arguments of its sentence."""

    code: str
    rule: NotRequired[str]
    args: NotRequired[Arguments]


class Failure(TypedDict):
    """That a hook of a rule failed, died (`how`) or was left out (`why`); `place` is where, in a person's file."""

    rule: str
    hook: str
    error: str
    code: NotRequired[str]
    line: NotRequired[int]
    column: NotRequired[int]
    how: NotRequired[str]
    why: NotRequired[str]
    place: NotRequired[str]


class Death(TypedDict):
    """That the sandbox ended in a hook of a rule, and how."""

    rule: str
    hook: str
    how: str


class LeftOut(TypedDict):
    """That a hook of a rule was not heard, and why (see `folkmoot.core.events.Event`)."""

    rule: str
    hook: str
    why: str


_EffectWords = TypedDict("_EffectWords", {"from": NotRequired[Any], "as": NotRequired[str]})


class Effect(_EffectWords):
    """One thing that came of an event: its kind (`effect`), `of` what, `from` and `to` which value, by which `rule`.

    Each kind has some of the other fields (`was` is a timer or duty as it stood before); an announcement, whatever
    fields the rule gives it.
    """

    effect: str
    of: NotRequired[str]
    to: NotRequired[Any]
    name: NotRequired[str]
    rule: NotRequired[str]
    why: NotRequired[str]
    kind: NotRequired[str]
    by: NotRequired[Any]
    title: NotRequired[str]
    text: NotRequired[str]
    number: NotRequired[str]
    # of an award
    asked: NotRequired[int]
    applied: NotRequired[int]
    credit: NotRequired[Any]
    cause: NotRequired[str]
    # of a ballot, an opened vote, a win
    voter: NotRequired[str]
    choice: NotRequired[str]
    counts: NotRequired[bool]
    deemed: NotRequired[bool]
    electorate: NotRequired[list[str]]
    displayed: NotRequired[bool]
    sealed: NotRequired[Any]
    players: NotRequired[list[str]]
    ends: NotRequired[bool]
    # of things, timers, duties, held acts, events of rules
    values: NotRequired[Registers]
    count: NotRequired[int]
    due: NotRequired[int]
    what: NotRequired[str]
    key: NotRequired[str]
    was: NotRequired[Any]
    label: NotRequired[str]
    with_: NotRequired[Arguments]
    # of acts of administrators
    path: NotRequired[str]
    digest: NotRequired[str]
    state: NotRequired[str]
    forge: NotRequired[str]
    commitment: NotRequired[str]
    secret: NotRequired[str]
    lost: NotRequired[bool]


class OmittedChange(TypedDict):
    """Which change of an adopted proposal (its place from 0) was left out, and why."""

    change: int
    code: str
    why: str


class KeptAct(TypedDict):
    """What an act changed, so that rules may take it back: by which entry, and the places of what they took back."""

    seq: int
    effects: list[Effect]
    taken: list[int]


_EntryWords = TypedDict("_EntryWords", {"as": NotRequired[str], "with": NotRequired[Arguments]})


class Entry(_EntryWords):
    """An entry of the journal: what was asked (`do`, `with`, `by`, `as`, `via`), then what came of it."""

    seq: int
    prev: str
    at: str
    by: NotRequired[str]
    via: NotRequired[Via]
    do: str
    code: NotRequired[str]
    draws: NotRequired[list[Draw]]
    sealed: NotRequired[list[SealedRecord]]
    boxes: NotRequired[dict[str, list[str]]]
    effects: NotRequired[list[Effect]]
    reasons: NotRequired[list[Reason]]
    failures: NotRequired[list[Failure]]
    deaths: NotRequired[list[Death]]
    left_out: NotRequired[list[LeftOut]]
    redacted: NotRequired[dict[str, str]]


class ListSpec(TypedDict):
    """A word list of a game as its founding names it: the SHA-256 of its file, and how many words it holds."""

    digest: str
    words: int


class HeadDocument(TypedDict):
    """`head.yaml`: number, digest and stamp of the last entry."""

    seq: int
    digest: str
    at: str
