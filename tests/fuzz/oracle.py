"""What must hold of every story: nothing ends a run, nobody is ignored, and the record is sound."""

from __future__ import annotations

import logging
import re
import shutil
import signal
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from logging.handlers import BufferingHandler
from pathlib import Path
from types import FrameType
from typing import Any

import pygit2

from folkmoot.forges.cache.refs import LETTERS
from folkmoot.forges.local.letters import is_letters
from folkmoot.game.session import Session
from folkmoot.game.verify import verify
from folkmoot.journal.tree import GameTree
from folkmoot.referee.commands import commands_in
from folkmoot.sandbox.client import Sandbox
from folkmoot.site.game_views import view_of
from tests.fuzz.inputs import Pull, Raw, Say, Story, Wait
from tests.fuzz.tables import GAMES, SECRET, TABLES, LocalTable, epoch_secrets, with_secret
from tests.support.site_game import write_pages

SECONDS = 60
"""How much time of the processor a story may take."""
MOST_RUNS = 12
ORDINARY = "An ordinary word"
UNFETCHED = "what is said here is kept"
"""What the referee says where it cannot read the content of a pull request."""


class FoundError(AssertionError):
    """Raised for what must not be: `kind` groups findings of one cause."""

    def __init__(self, kind: str, detail: str = "") -> None:
        super().__init__(f"{kind}: {detail}" if detail else kind)
        self.kind = kind


class LateError(BaseException):
    """Raised in the middle of whatever takes too long; nothing may catch it."""


@contextmanager
def bounded(seconds: int) -> Iterator[None]:
    """End what takes too much time of the processor, or waits for too long."""

    def end(_number: int, frame: FrameType | None) -> None:
        raise LateError(f"{frame.f_code.co_filename}:{frame.f_lineno}" if frame else "")

    timers = {signal.SIGPROF: (signal.ITIMER_PROF, seconds), signal.SIGALRM: (signal.ITIMER_REAL, 10 * seconds)}
    before = {number: signal.signal(number, end) for number in timers}
    for timer, most in timers.values():
        signal.setitimer(timer, most)
    try:
        yield
    finally:
        for number, (timer, _) in timers.items():
            signal.setitimer(timer, 0)
            signal.signal(number, before[number])


@contextmanager
def without_faults() -> Iterator[None]:
    """Raise a finding for what the engine's boundaries catch, once all is over: it ended no run, and is a fault all the same."""
    faults, log = BufferingHandler(10_000), logging.getLogger("folkmoot")
    faults.setLevel(logging.ERROR)
    log.addHandler(faults)
    try:
        yield
    finally:
        log.removeHandler(faults)
    found = [record.getMessage() for record in faults.buffer]
    if found:
        raise FoundError(re.sub(r":\d+|[0-9a-f]{8,}|\d+", "", found[0])[:160], "\n".join(found[:5]))


def tell(story: Story) -> None:
    """Tell a story at a fresh table and look at what came of it; raises what it finds."""
    folder = Path(tempfile.mkdtemp(prefix="folkmoot-story-"))
    try:
        with bounded(SECONDS), with_secret(), without_faults():
            _Telling(TABLES[story.table](folder)).tell(story)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class _Telling:
    """A story as it is told at a table."""

    def __init__(self, table: LocalTable) -> None:
        self.table = table
        self.sent: list[tuple[Any, str | int]] = []
        self.count = 0
        self.elsewhere: set[int] = set()

    def tell(self, story: Story) -> None:
        for inputs in story.runs:
            for each in inputs:
                self._send(each)
            self._run()
        self._look(pages=story.pages)

    def _send(self, each: Any) -> None:
        table = self.table
        if isinstance(each, Wait):
            table.now += each.seconds
        elif isinstance(each, Say):
            self.sent.append((each, table.says(each)))
        elif isinstance(each, Raw):
            self._raw(each)
        elif isinstance(each, Pull):
            self._pull(each)

    def _raw(self, each: Raw) -> None:
        with suppress(ValueError, pygit2.GitError):  # git itself will have none of it
            self.sent.append((each, self.table.sends(each)))

    def _pull(self, each: Pull) -> None:
        try:
            number = self.table.opens(each)
        except (ValueError, pygit2.GitError):
            return
        self.sent.append((each, number))
        if not self.table.touches_game(each):
            self.elsewhere.add(number)  # it touches no game, and is none of the referee's business
        if each.voted:
            vote = Say("ann", number - self.table.dragon + 1, "/vote for")
            self.sent.append((vote, self.table.says(vote)))

    # -- runs

    def _run(self) -> None:
        """Let dee say something ordinary in each game, and the referee run until there is nothing more to do."""
        self.count += 1
        ordinary = {
            game: self.table.says(Say("dee", 0, f"/game {game}\n/do state text='{ORDINARY} {self.count}'"))
            for game in GAMES
        }
        for number in range(MOST_RUNS):
            report = self.table.run(0 if number else 300)
            if stopped := [f"{game.game}: {game.stopped[0]}" for game in report.games if game.stopped]:
                raise FoundError("a game was stopped", stopped[0])
            if not report.more:
                break
        else:
            raise FoundError("never done", f"{MOST_RUNS} runs were not enough")
        again = self.table.run(0)  # where nothing has happened nothing is recorded, and nothing said
        if again.entries or again.answers:
            raise FoundError("not settled", f"a second run made {again.entries} entries and {again.answers} answers")
        for game, name in ordinary.items():
            self._was_ordinary(game, name)
        self._everybody_was_told()
        self.sent.clear()

    def _was_ordinary(self, game: str, name: str) -> None:
        found = [e for e in self.table.journal(game) if str((e.get("via") or {}).get("fact")).startswith(name)]
        if len(found) > 1:
            raise FoundError("recorded twice", f"{game}: an ordinary word")
        said = self.table.answer(0)
        if not found and "dee" not in said:
            raise FoundError("an ordinary word was lost", f"{game}: {said[:500]}")
        if game == "fen" and (not found or "code" in found[0]):
            raise FoundError("another game was disturbed", str(found))

    # -- answers

    def _everybody_was_told(self) -> None:
        facts = Counter(_fact(entry) for game in GAMES for entry in self.table.journal(game))
        doubled = [fact for fact, times in facts.items() if fact[-1] and times > 1]
        if doubled:
            raise FoundError("recorded twice", str(doubled))
        recorded = {str(fact[-1]) for fact in facts}
        for each, name in self.sent:
            told = {Say: self._said, Raw: self._raw_told, Pull: self._pulled}[type(each)]
            if not told(each, name, recorded):
                raise FoundError(f"nobody answered a {type(each).__name__}", f"{each!r} ({name})"[:2_000])

    def _said(self, each: Say, name: Any, recorded: set[str]) -> bool:
        place = self.table.place(each.where)
        asked = [f"{name}/{command.line}" for command in commands_in(each.body) if command.name != "game"]
        asked += [name] if each.kind != "comment" else []
        open_ = [fact for fact in asked if fact not in recorded]
        answer = self.table.answer(place)
        return not open_ or self._names(answer, each.person) or UNFETCHED in answer or self._noted(name)

    def _noted(self, name: str) -> bool:
        return self.table.kind == "local" and self.table.is_told(name)

    def _pulled(self, each: Pull, number: Any, recorded: set[str]) -> bool:
        head = self.table.head(number) if self.table.kind == "local" else ""
        return number in self.elsewhere or bool(self.table.answer(number).strip()) or self._noted(head)

    def _raw_told(self, each: Raw, name: Any, recorded: set[str]) -> bool:
        in_chain = each.chain == "own" or is_letters(LETTERS + each.chain)
        return not in_chain or self.table.arrived(name) or self.table.is_told(name)

    @staticmethod
    def _names(text: str, person: str) -> bool:
        word = re.split(r"\W", person)[0]
        return word.lower() in text.lower()

    # -- at the end

    def _look(self, *, pages: bool) -> None:
        table = self.table
        repo = pygit2.Repository(str(table.bare))
        for game in GAMES:
            look_at(GameTree(repo, table.tip(), game), table.folder, pages=pages and game == "moor")
        answers = [table.answer(number) for number in (0, table.dragon)]
        nothing_leaked(repo, answers, [GameTree(repo, table.tip(), game) for game in GAMES])


def _fact(entry: dict[str, Any]) -> tuple[Any, ...]:
    via = entry.get("via") or {}
    return via.get("forge"), via.get("pull"), via.get("issue"), via.get("fact")


# -- the record


def replayed(entries: Any) -> dict[str, Any]:
    """Replay a journal in a process of its own."""
    with Sandbox() as judge:
        judge.replay(entries)
        return dict(judge.documents())


def look_at(record: GameTree, folder: Path, *, pages: bool) -> None:
    """Prove a record, open it again, and make its pages where they are wanted."""
    report = verify(record, replayed)
    if not report.sound:
        raise FoundError("a record is damaged", "; ".join(str(problem) for problem in report.problems[:3]))
    with Session.on(record) as session:
        if not session.actions():
            raise FoundError("a game has no actions left")
        if not pages:
            return
        view = view_of(session)
    site = folder / f"site-{record.name}"
    site.mkdir()
    write_pages([view], site)
    shutil.rmtree(site)


def nothing_leaked(repo: pygit2.Repository, said: list[str], records: list[GameTree]) -> None:
    """Look for the keeper's secrets in every object and answer; that of an epoch is public once it was closed."""
    hidden = [SECRET]
    for record in records:
        chance = (record.load().get("game") or {}).get("chance") or {}
        hidden += [epoch_secrets()[record.name]] if chance.get("commitment") and chance.get("epoch") == 1 else []
    words = [word for secret in hidden for word in (secret.encode(), bytes.fromhex(secret))]
    for oid in repo:
        _, data = repo.read(oid)
        if any(word in data for word in words):
            raise FoundError("a secret leaked", str(oid))
    if any(secret in text for secret in hidden for text in said):
        raise FoundError("a secret leaked", "in an answer")
