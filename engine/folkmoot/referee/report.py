"""What a referee's run did, what became of what people wrote, and why it did nothing where it did nothing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from folkmoot.core.documents import Document
from folkmoot.core.problems import Problem
from folkmoot.core.records import Entry, Reason
from folkmoot.forges.port import Heard
from folkmoot.game.session import Done
from folkmoot.sandbox.walls import Wall

State = Literal["recorded", "refused", "waiting", "void", "told"]


class Verdict(Struct, frozen=True, kw_only=True):
    """What became of a fact: `what` was asked, and why it was refused, waits or does not count.

    Where somebody only asked (`told`), `lines` are the answer. `seq` is the entry that records it, `rule` the one that
    says so (its uid; its number where a comment tells of it), `own` says that it is the present content of its place.
    `person` is the author's id on the forge, `at` when it arrived (Unix seconds).
    """

    who: str
    what: str
    state: State
    code: str = ""
    why: str = ""
    rule: str = ""
    seq: int | None = None
    lines: tuple[str, ...] = ()
    own: bool = False
    fact: str = ""
    person: str = ""
    at: int = 0


def heard_of(game: str, place: str, verdicts: Iterable[Verdict]) -> tuple[Heard, ...]:
    """Return what became of what was written in a place (`pull 7`, `issue 3`, `thread`) of a game, as it is kept."""
    return tuple(
        Heard(
            person=verdict.person,
            fact=verdict.fact,
            game=game,
            place=place,
            at=verdict.at,
            what=verdict.what[:200],
            state=verdict.state,
            code=verdict.code,
            why=verdict.why[:1_000],
            rule=verdict.rule,
            seq=verdict.seq,
        )
        for verdict in verdicts
        if verdict.person
    )


def reason_of(code: str, reasons: Iterable[Reason]) -> tuple[str, str]:
    """Return the words of the reason that refused an act, and the uid of its rule; "" where there is none."""
    reason = next((each for each in reasons if each["code"] == code), None)
    if reason is None:
        return "", ""
    return str((reason.get("args") or {}).get("why") or ""), str(reason.get("rule") or "")


class GameReport(Struct):
    """What a run did in one game: the acts, how many entries were recorded, and why nothing was done, if so.

    `fired` are the entries that came of timers alone. `awake` says that time alone may bring something about in it, or
    that something open may need looking at; `waits` why it stands still although nothing is wrong with it: the secret
    of its dice is not at hand; `joins` are the pull requests whose heads came in as parents. `gone` is the sentence
    that says where a game is played that has left this forge. `ahead` is by how many seconds the record's time lies
    beyond this machine's (0: not noticeably), `clock` the sentence that says so.
    """

    game: str
    done: list[Done] = field(default_factory=list)
    fired: list[Entry] = field(default_factory=list)
    entries: int = 0
    more: bool = False
    awake: bool = False
    stopped: tuple[Problem, ...] = ()
    waits: tuple[Problem, ...] = ()
    joins: tuple[int, ...] = ()
    gone: str = ""
    ahead: int = 0
    clock: str = ""
    documents: dict[str, Document] = field(default_factory=dict)

    def add(self, later: GameReport) -> GameReport:
        """Return what a later push of the same run did, too."""
        return replace(
            later,
            done=[*self.done, *later.done],
            fired=[*self.fired, *later.fired],
            entries=self.entries + later.entries,
            documents=later.documents or self.documents,
        )


class Report(Struct):
    """What a run did: the branch before and after it (hex), each game, and how many answers were written.

    `walls` are those of the sandbox in which it judged; `left` answers are written by the next runs; `unsettled` is
    when the last of those facts counts that were too young for this run (Unix seconds), 0 for none. `refusals` are what
    the forge said of pushes that it refused for what was in them, `published` the commit of which the site was
    published last (hex, "" where nobody noted that).
    """

    before: str = ""
    after: str = ""
    games: list[GameReport] = field(default_factory=list)
    walls: list[Wall] = field(default_factory=list)
    answers: int = 0
    lost: int = 0
    left: int = 0
    unsettled: int = 0
    refusals: tuple[Problem, ...] = ()
    published: str = ""

    def add(self, later: Report) -> None:
        """Take in what a later push of the same run did."""
        known = {game.game: game for game in self.games}
        self.games = [known[game.game].add(game) if game.game in known else game for game in later.games]
        self.before, self.after = self.before or later.before, later.after
        self.left, self.unsettled, self.published = later.left, later.unsettled, later.published

    @property
    def joins(self) -> list[int]:
        """Return the pull requests whose heads came in as parents."""
        return [number for game in self.games for number in game.joins]

    @property
    def awake(self) -> bool:
        """Say whether it is worth looking again although nobody does anything."""
        return bool(self.unsettled) or self.more or any(game.awake for game in self.games)

    @property
    def entries(self) -> int:
        """Return how many entries were recorded in all games."""
        return sum(game.entries for game in self.games)

    @property
    def more(self) -> bool:
        """Say whether there is more to do, because one run records only so much."""
        return bool(self.left) or any(game.more for game in self.games)
