"""What a referee's run did and what became of what people wrote; and what a push may hold that the forge refuses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from folkmoot.core.calendar import read_stamp
from folkmoot.core.documents import Document
from folkmoot.core.problems import Problem
from folkmoot.core.records import Entry, Reason
from folkmoot.forges.git_transport import PushRefusedError
from folkmoot.forges.port import Heard
from folkmoot.game.session import Done
from folkmoot.sandbox.walls import Wall

State = Literal["recorded", "refused", "waiting", "void", "told"]


FLAWS = "⚠ Scripts and examples:"
"""Above what is wrong with the scripts and examples of a pull request."""
BEWARE = "⚠ **Beware of later:**"
"""Before what may go wrong once a pull request is law."""
HEADS = {"waiting": "Waits", "void": "Has no effect", "refused": "Was refused", "recorded": "Is recorded"}
"""Above notices, by the state of what they are about."""


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
    same = ("person", "fact", "at", "state", "code", "rule", "seq")
    kept = ((each, {name: getattr(each, name) for name in same}) for each in verdicts if each.person)
    return tuple(
        Heard(**fields, game=game, place=place, what=each.what[:200], why=each.why[:1_000]) for each, fields in kept
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


# -- what one push may hold where the forge refuses what is in it: ever less, until the act is found


MOST_A_RUN = 1_000  # entries; the rest is for the next run
MOST_BLAMED = 3  # acts, before the forge has taken any other
NOT_TAKEN = "E-NOT-TAKEN"
WHY = "the forge does not take this: a rule of it refuses what is in it. Say it again in other words"

UNHEARD = "the forge does not take what rules do as this timer fires"

Key = tuple[str, int, str]
"""An act that came by a forge: its game, the number of its pull request or issue (0: the thread), and its id there."""


class PushLimits(Struct):
    """How many `entries` the next push may hold, and whether adopted heads are parents in it (`joins`).

    `refused` acts are recorded as void, `unrecordable` ones not even that; `muted` says by game why no rule is heard as
    some timers fire (by time and key). `taken` says that the forge takes something, without which no act is to blame.
    """

    entries: int = MOST_A_RUN
    joins: bool = True
    refused: set[Key] = field(default_factory=set)
    unrecordable: set[Key] = field(default_factory=set)
    muted: dict[str, dict[tuple[int, str], str]] = field(default_factory=dict)
    taken: bool = False
    error: PushRefusedError | None = None
    _blaming: Iterator[None] | None = None

    def narrow(self, report: Report, error: PushRefusedError) -> Iterator[Problem]:
        """Make the next push smaller than a refused one; yield what that says. Raises the error if nothing can go."""
        self.error = error
        done = [(game.game, act.entry.get("via") or {}, act.entry) for game in report.games for act in game.done]
        acts: dict[Key, Entry] = {}
        for game, via, entry in done:
            if "fact" in via:  # or it came by no forge
                acts[game, via.get("pull") or via.get("issue") or 0, str(via["fact"])] = entry
        heads = ", ".join(f"#{number}" for game in report.games for number in game.joins)
        if self.joins and heads:
            self.joins = False
            yield _refusal(f"the history of {heads}, which is left out", error)
        elif report.entries > 1 and self.entries > 1:
            self.entries = min(self.entries, report.entries) // 2
        elif not acts:
            yield self._mute(report, error)
        elif self._blaming is not None:
            next(self._blaming, None)
        else:
            named = ", ".join(f"entry {entry['seq']} of {key[0]}" for key, entry in acts.items())
            yield _refusal(f"{named} as it would be, so that it is void", error)
            self._blaming = self._blame(list(acts))
            next(self._blaming)

    def _mute(self, report: Report, error: PushRefusedError) -> Problem:
        """Let no rule be heard as the timer fires whose entry is refused; raises the error where that was tried."""
        fired = [(game.game, entry) for game in report.games for entry in game.fired if entry["do"] == "tick"]
        for game, entry in fired:
            place = read_stamp(entry["at"]), str(entry["with"]["timer"])
            if place not in self.muted.setdefault(game, {}):
                self.muted[game][place] = UNHEARD
                return _refusal(f"entry {entry['seq']} of {game} as it would be, so that no rule is heard in it", error)
        raise error

    def _blame(self, acts: list[Key]) -> Iterator[None]:
        """Refuse one act after the other, then all of them, a push each; what is refused even so is not recorded."""
        suspected = [[act] for act in acts] + ([acts] if len(acts) > 1 else [])
        for some in suspected:
            self.refused |= set(some)
            yield
            self.refused -= set(some)
        self.unrecordable |= set(suspected[-1])
        self._blaming = None
        if not self.taken and len(self.unrecordable) >= MOST_BLAMED and self.error is not None:
            raise self.error

    def widen(self, report: Report) -> bool:
        """Note that a push was taken; returns whether this run goes on, with a larger one. Raises what was refused.

        Where the forge takes nothing at all, not even that an act is void, it is not the acts that are to blame.
        """
        went_on = report.after != report.before
        self.taken |= went_on
        if self.unrecordable and not self.taken and self.error is not None and not report.more:
            raise self.error
        self.entries, self.joins = min(2 * self.entries, MOST_A_RUN), True
        self._blaming = None
        return self.error is not None and went_on and any(game.more for game in report.games)


def _refusal(what: str, error: PushRefusedError) -> Problem:
    """Return what administrators are told that the forge refuses, with its reason."""
    problem = error.problems[0]
    return Problem(NOT_TAKEN, f"The forge refuses {what}. {problem.message}", None, problem.hint)
