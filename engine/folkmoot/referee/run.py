"""A referee's run: look at the forge, have judged what is not recorded, publish it with one push, and answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache, partial
from typing import TypeVar, cast

from msgspec import Struct

from folkmoot.core.documents import Document, GameDocument, Roster
from folkmoot.core.game_location import gone, left_from
from folkmoot.core.keys import GAME, ROSTER, came_here, facts_key, forge_kind, place_here, proposal_key
from folkmoot.core.problems import Problem, ProblemError, fail
from folkmoot.core.records import LeftForge, PlayedAt
from folkmoot.forges.cache.forge import Forge
from folkmoot.forges.error_isolation import Stage, guarded
from folkmoot.forges.git_transport import PushRefusedError
from folkmoot.forges.port import Answer, Issue, Person, Pull, Remark, Snapshot
from folkmoot.game.session import Session
from folkmoot.journal.git_library import pygit2
from folkmoot.journal.machine_clock import clock_warning
from folkmoot.journal.tree import GameTree, games_at
from folkmoot.kernel.next_timer import first_overdue
from folkmoot.referee.comment import header_of, site_of
from folkmoot.referee.content import Content, read_content, unreadable
from folkmoot.referee.facts import Fact, facts_of, homes, meant, named_game, via_of
from folkmoot.referee.hand_edits import hand_edits
from folkmoot.referee.intake import Intake
from folkmoot.referee.mentions import Caller
from folkmoot.referee.outbox import (
    Outbox,
    answer_game,
    answer_moved,
    answer_moved_thread,
    answer_others,
    answer_stopped,
    answer_thread,
    answer_unread,
)
from folkmoot.referee.people import player_of
from folkmoot.referee.recorder import MOST_ANSWERS, PREFIX, Recorder, heard
from folkmoot.referee.report import GameReport, PushLimits, Report
from folkmoot.sandbox.client import Sandbox

T = TypeVar("T")
_EVER = 1 << 60
PATIENCE = 20  # runs that may lose the race for the branch before one gives up


class _Sitting(Struct):
    """What the games of one run are judged by.

    `places` says which game each pull request and issue belongs to (None: to none), by number; `room` how many entries
    the next game may record.
    """

    games: list[str]
    places: dict[int, str | None]
    outbox: Outbox
    room: int = 0

    @property
    def failed(self) -> dict[int, frozenset[str]]:
        """Return over what the engine failed before, as our comments remember it, by pull request and issue."""
        said = {number: header_of(text).keys for number, text in self.outbox.snapshot.said.items()}
        kept = {number: frozenset(key for key in keys if key.startswith(PREFIX)) for number, keys in said.items()}
        return {number: keys for number, keys in kept.items() if keys}

    def unsettled(self, settle: int) -> int:
        """Return when the last fact counts that is too young (Unix seconds), 0 for none."""
        young = max((fact.at for fact in facts_of(self.outbox.snapshot, _EVER)), default=0)
        return young + settle if young > self.outbox.horizon else 0

    def facts(self, game: str) -> list[Fact]:
        """Return the facts that a game takes."""

        def takes(fact: Fact) -> bool:
            if fact.number:
                return self.places[fact.number] == game
            return fact.remark is None or game in meant(named_game(fact.remark.body), self.games)

        return list(filter(takes, facts_of(self.outbox.snapshot, self.outbox.horizon)))

    def unaddressed(self) -> list[Remark]:
        """Return what was said in the games' own thread to none of them, or to one that is not here."""
        said = [remark for remark in self.outbox.snapshot.remarks.get(0, ()) if remark.at <= self.outbox.horizon]
        return [remark for remark in said if not meant(named_game(remark.body), self.games)]

    def of(self, game: str | None) -> list[Pull | Issue]:
        """Return the pull requests and issues of a game, or of none."""
        found: list[Pull | Issue] = [*self.outbox.snapshot.pulls, *self.outbox.snapshot.issues]
        return [place for place in found if self.places[place.number] == game]


class Referee:
    """Referees the games of one repository on one forge."""

    def __init__(self, forge: Forge, repo: pygit2.Repository, clock: Callable[[], int], home: str = "") -> None:
        """Take a forge, where it fetches to, a clock (Unix seconds), and the address where people open it, if known."""
        self.forge = forge
        self.home = home
        self.repo = repo
        self.clock = clock
        self.report = Report()
        """What the run that goes on, or the last one, has done so far: all that was pushed."""
        self._limits = PushLimits()
        self._sessions: dict[str, Session] = {}
        self._settings: dict[tuple[str, str], GameDocument] = {}
        forge.awaited = self._awaited

    def __enter__(self) -> Referee:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
        self.forge.close()

    def close(self) -> None:
        """End the judges, which otherwise stay with their games from one run to the next."""
        for session in self._sessions.values():
            session.close()
        self._sessions.clear()

    def run(self, *, dry: bool = False) -> Report:
        """Bring the record up to what the forge holds now; `dry` only says what would be recorded.

        Everything is decided before the one push, and nothing is lost where that loses the race: the run starts over.
        Where the forge refuses what is in it, there are several, each with less. Raises E-FORGE where the forge fails,
        E-JUDGE where nothing is to be judged here, E-MOVED where the branch moved away twenty times.
        """
        report = self.report = Report(walls=Sandbox.walls())
        self._limits = limits = PushLimits()
        while report.lost < PATIENCE:
            now = self.clock()
            snapshot = self.forge.look(now, persist=not dry)
            if not snapshot.main:
                raise fail("E-NO-GAME", "there is no commit on the branch that is played on", None, "push the game")
            made = Report(before=snapshot.main, after=snapshot.main, published=snapshot.published)
            answers = self._decide(snapshot, now, made)
            try:
                if not dry and not self._publish(snapshot, made):
                    report.lost += 1
                    continue
            except PushRefusedError as error:
                report.refusals += tuple(limits.narrow(made, error))
                continue
            goes_on = limits.widen(made)
            report.add(made)
            if dry or (made.after != snapshot.main and not self.forge.won):
                return report  # another referee came to the same at the same time, and answers
            self.forge.answer(answers)
            report.answers += len(answers)
            if not goes_on:
                return report
        raise fail("E-MOVED", f"the branch moved away {PATIENCE} times", None, "run the referee again")

    def _awaited(self, main: str) -> set[int]:
        """Return the pull requests that are voted on in a game of the branch at its tip."""
        found: set[int] = set()
        for name in self._games(main)[0]:
            with suppress(ProblemError):  # a game that cannot be read stands still anyway
                found |= voted_on(GameTree(self.repo, main, name), self.forge.name)
        return found

    def _publish(self, snapshot: Snapshot, report: Report) -> bool:
        proved = not any(game.stopped for game in report.games)
        if report.after != snapshot.main:
            return self.forge.publish(snapshot.main, report.after, proved=proved)
        if snapshot.known != snapshot.main and proved:
            return self.forge.acknowledge(snapshot.main)
        return True

    def _decide(self, snapshot: Snapshot, now: int, report: Report) -> list[Answer]:
        """Have every game judged on top of each other, and return what to answer."""
        self._settings.clear()
        played, moved = self._games(snapshot.main)
        known, _ = self._games(snapshot.known)
        games = sorted({*played, *known, *moved})
        proved = dict.fromkeys((snapshot.main, snapshot.known))  # as they stand, and as a referee last proved them
        records = [GameTree(self.repo, at, name) for at in proved if at and at in self.repo for name in games]
        heard_of, waiting = self._crowd(snapshot, games, records)
        sitting = self._sitting(heard_of, games, records, now - self.forge.settle, [n for n in games if n not in moved])
        report.unsettled = sitting.unsettled(self.forge.settle)
        for name in games:
            sitting.room = self._limits.entries - report.entries
            report.games.append(game := GameReport(name))
            game.stopped = hand_edits(self.repo, snapshot.known, snapshot.main, name)
            if game.stopped:
                answer_stopped(sitting.outbox, name, game.stopped, sitting.of(name))
            elif name in moved:
                game.gone = moved[name]
                answer_moved(sitting.outbox, game.gone, sitting.of(name))
            elif name in played:
                report.after = self._judge(sitting, game, report.after)
        answer_others(sitting.outbox, sorted(played), sitting.of(None))
        settled = not any(game.stopped or game.more or game.waits for game in report.games)
        if played or not moved:
            stopped = {game.game: game.stopped for game in report.games if game.stopped}
            answer_thread(sitting.outbox, sitting.unaddressed(), sitting.games, stopped, settled=settled)
        elif settled:
            answer_moved_thread(sitting.outbox, moved.values())
        answer_unread(sitting.outbox)
        sitting.outbox.wanted += waiting
        changed = sitting.outbox.changed()
        report.left = max(0, len(changed) - MOST_ANSWERS)
        return changed[:MOST_ANSWERS]

    def _sitting(
        self, snapshot: Snapshot, games: list[str], records: list[GameTree], horizon: int, here: list[str]
    ) -> _Sitting:
        """Return what the games `here` are judged by: which facts there are, where they belong, and who answers."""

        @cache
        def read(commit: str) -> Content:
            """Return the content of a commit."""
            reading = partial(read_content, self.repo, snapshot.main, commit)
            return guarded(Stage.CONTENT, reading, partial(unreadable, commit))

        places = homes(snapshot, games, partial(self._recorder, records), read)
        site = site_of(self.repo, snapshot.main)
        caller = Caller(self.forge.name, self.forge.notifies)
        outbox = Outbox(caller=caller, snapshot=snapshot, horizon=horizon, read=read, site=site)
        return _Sitting(here, places, outbox)

    def _judge(self, sitting: _Sitting, game: GameReport, commit: str) -> str:
        """Have what belongs to a game judged on top of a commit, and answered; return the commit that it came to."""

        def stop(problem: Problem) -> str:
            game.stopped, game.done, game.fired, game.entries, game.more = (problem,), [], [], 0, False
            answer_stopped(sitting.outbox, game.game, game.stopped, sitting.of(game.game))
            return commit

        try:
            return guarded(Stage.GAME, lambda: self._played(sitting, game, commit), stop)
        except ProblemError as error:
            if error.problems[0].code != "E-SECRET":
                raise
            game.waits, game.awake = error.problems, True  # it stands still, and the others go on
            return commit

    def _played(self, sitting: _Sitting, game: GameReport, commit: str) -> str:
        """Give a game at a commit to its judge, who is kept for the next run only where nothing goes wrong."""
        places, here = sitting.of(game.game), GameTree(self.repo, commit, game.game)
        session = self._sessions.pop(game.game, None)
        record = cast(GameTree, session.record) if session is not None else here
        if session is None or record.touched or record.tree_id != here.tree_id:
            if session is not None:
                session.close()
            record, session = here, Session(here, here.load(), here.head)
        record.go_on(commit)
        session.muted = self._limits.muted.get(game.game, {})
        recorder = Recorder(session, record, self.forge.name, self.forge.author, joins=self._limits.joins)
        try:
            intake = Intake(recorder, sitting.outbox.read, sitting.failed, self._limits, sitting.room)
            intake.play(sitting.facts(game.game), sitting.outbox.horizon)
            game.done, game.entries, game.documents = recorder.done, recorder.entries, recorder.session.documents
            game.fired, game.joins = recorder.fired, recorder.joined
            game.more, game.awake = intake.more or intake.put_off, _awake(game.documents, places)
            commit = record.commit_id
            game.clock = clock_warning(game.game, recorder.session.at, now := self.clock(), met=True)
            game.ahead = recorder.session.at - now if game.clock else 0
            answer_game(sitting.outbox, intake, places)
        except BaseException:
            recorder.session.close()
            raise
        self._sessions[game.game] = recorder.session
        return commit

    def _crowd(self, snapshot: Snapshot, games: list[str], records: list[GameTree]) -> tuple[Snapshot, list[Answer]]:
        """Return what is heard of a snapshot (what games recorded something of, of the rest so much), and who waits."""
        played = (GameTree(self.repo, snapshot.main, name) for name in games)
        rosters: list[Roster] = [_read(partial(record.kept, ROSTER), {}) for record in played]

        def plays(person: Person) -> bool:
            return any(player_of(roster, self.forge.name, person) is not None for roster in rosters)

        return heard(snapshot, partial(self._recorder, records), cache(plays))

    def _games(self, commit: str) -> tuple[list[str], dict[str, str]]:
        """Return the games of a commit whose acts come by this forge, and where those are played now that left it."""
        names = games_at(self.repo, commit) if commit and commit in self.repo else []
        games = {name: self._of(GameTree(self.repo, commit, name)) for name in names}
        moved = {name: gone(name, game, left) for name, game in games.items() if (left := self._left(game))}
        return [name for name in games if name not in moved and forge_kind(games[name]) == self.forge.name], moved

    def _of(self, record: GameTree) -> GameDocument:
        """Return the settings of a game at a commit, none where they cannot be read; each is read once in a run."""
        place = record.commit_id, record.name
        if place not in self._settings:
            self._settings[place] = _read(partial(record.kept, GAME), cast(GameDocument, {}))
        return self._settings[place]

    def _left(self, game: PlayedAt) -> LeftForge | None:
        return left_from(game, self.forge.name, self.home)

    def _recorder(self, records: list[GameTree], place: Pull | Issue) -> str | None:
        """Return the game that recorded something of a place, None where none did."""
        for record in records:
            game = self._of(record)
            left = self._left(game)  # acts came here as long as it had not left
            here = place_here({"forge": left} if left is not None else game)
            key = facts_key({**here, "forge": self.forge.name, **via_of(place), "fact": "any"}) or ""
            if _read(partial(record.archive, key), {"facts": "cannot be read"}):
                return record.name
        return None


def _read(read: Callable[[], T], otherwise: T) -> T:
    """Return what is read of a game, something else where it is damaged."""
    try:
        return read()
    except ProblemError:
        return otherwise


def voted_on(record: GameTree, forge: str) -> set[int]:
    """Return the pull requests of a forge whose proposals in a game are undecided. Raises what reading it raises."""
    game = record.kept(GAME)
    keys = [proposal_key(identifier) for identifier in game.get("open", ())]
    ways = [record.kept(key).get("via") or {} for key in keys]
    return {way["pull"] for way in ways if way.get("forge") == forge and came_here(way, game) and "pull" in way}


def _awake(documents: Mapping[str, Document], places: list[Pull | Issue]) -> bool:
    """Say whether a game goes on by itself: not paused, with a timer, a deadline of a duty or an open pull request."""
    if documents["game"].get("paused") is not None:
        return False
    late = first_overdue(documents.get("things/duty") or {}) is not None
    is_open = any(isinstance(place, Pull) and place.state == "open" for place in places)
    return late or bool(documents.get("things/timer")) or is_open
