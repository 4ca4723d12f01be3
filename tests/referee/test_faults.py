"""A referee that dies anywhere, two at once, a network that is cut at any byte: always the same play, nothing twice.

FOLKMOOT_FUZZ=1 tries every point, FOLKMOOT_NETWORKS=100 so many networks.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path

import pygit2
import pytest
from msgspec import Struct, field

from folkmoot.core.fault_points import fault_hook
from folkmoot.core.problems import ProblemError
from folkmoot.forges.git_transport import Git
from folkmoot.forges.local.forge import LocalForge
from folkmoot.forges.port import Answer
from folkmoot.referee.report import Report
from folkmoot.referee.run import Referee
from tests.conftest import FUZZ
from tests.forges.cutting import Relay, relayed
from tests.forges.smart_http import serving
from tests.support.faults import some_of
from tests.support.meeting import PLAYERS, START, rule
from tests.support.quick import QuickMeeting
from tests.support.town import Town, TownForge

LATER = START + 120
MEMORY = "/dev/shm"
MARK = re.compile(r"\A<!-- folkmoot \w+ -->\n")


class Scene(QuickMeeting):
    """A meeting with something of everything that waits for a referee; copied for every schedule."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.propose("ann", "A dragon")
        self.propose("bob", "A bog", x=rule("A bog"))
        self.referee()
        self.now = START + 60
        for voter in PLAYERS:
            self.say(voter, 1, "/vote for")
        self.approve("cid", 2)
        self.say("dee", 2, "", "request_changes")
        self.say("bob", 0, "/do state text=hello\n/give to=ann amount=5")
        self.open("cid", {"inbox/x.yaml": b"do: state\nargs: {text: by file}\n"}, "A statement")
        self.open("dee", {"inbox/x.yaml": b"do: give\nargs: {to: ann, amount: 5}\n"}, "A present")
        self.propose("eve", "A stranger's", y=rule("Eve"))
        self.open("dee", {"game.yaml": b"title: Mine\n"}, "Mixed")
        self.forge.look(self.now)  # the stamps are given; what is to be judged does not depend on who looks when


class Copy(Struct):
    """A schedule's own copy: the hub, and how each referee reaches it."""

    folder: Path
    now: int = LATER
    lost: int = 0
    clones: dict[str, Path] = field(default_factory=dict)

    @property
    def hub(self) -> Path:
        return self.folder / "hub.git"

    def forge(self, who: str, *, remote: bool) -> LocalForge:
        """Return somebody's forge: the hub itself, or a clone that fetches from it and pushes to it."""
        if not remote:
            return LocalForge(self.hub)
        clone = self.folder / f"{who}.git"
        if not clone.exists():
            pygit2.init_repository(str(clone), bare=True, initial_head="main")
        return LocalForge(clone, str(self.hub))

    def run(self, who: str = "first", *, remote: bool = False) -> int:
        """Let a referee run once, in a process of its own as far as it can tell; return how many entries it made."""
        forge = self.forge(who, remote=remote)
        with Referee(forge, forge.refs.repo, lambda: self.now) as referee:
            report = referee.run()
        self.lost += report.lost
        return report.entries

    def finish(self) -> None:
        """Let a new referee bring everything to its end; it must come to rest in its fourth run at the latest."""
        self.now = LATER
        for _ in range(4):
            before = refs(self.hub)
            if self.run("last") == 0 and refs(self.hub) == before:
                return  # nothing but the refs and the time, which stands still, decides what another run does
        pytest.fail("the referee does not come to rest")


def refs(hub: Path) -> dict[str, str]:
    """Return what the refs of a repository are."""
    repo = pygit2.Repository(str(hub))
    return {name: str(repo.references[name].target) for name in repo.references}


class End(Struct, frozen=True):
    """What a schedule comes to: the files of the branch, what is said and how the pull requests stand."""

    tree: str
    said: tuple[tuple[int, str], ...]
    states: tuple[tuple[int, str], ...]
    journal: tuple[str, ...]


def end_of(copy: Copy) -> End:
    meeting = QuickMeeting.__new__(QuickMeeting)
    meeting.repo = pygit2.Repository(str(copy.hub))
    game = meeting.game()
    assert meeting.sound()
    facts = Counter((entry.get("via") or {}).get("fact") for entry in game.entries())
    assert [fact for fact, times in facts.items() if fact and times > 1] == []
    seen = LocalForge(copy.hub).look(copy.now)
    states = {pull.number: pull.state for pull in seen.pulls}
    said = [(number, MARK.sub("", meeting.said(number))) for number in range(8)]  # who chatters changes the mark
    journal = tuple(f"{e['seq']} {e['do']} {e.get('by')} {e.get('code', '')}" for e in game.entries())
    return End(str(game.tree_id), tuple(said), tuple(states.items()), journal)


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the hub as every schedule finds it."""
    return Scene(tmp_path_factory.mktemp("scene")).bare


@pytest.fixture
def copied(scene: Path) -> Iterator[Callable[[], Copy]]:
    """Return what makes copies of the scene, in memory where the system can do that; each makes the one before go."""
    with tempfile.TemporaryDirectory(dir=MEMORY if os.access(MEMORY, os.W_OK) else None) as place:

        def copy() -> Copy:
            folder = Path(place) / "copy"
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(scene, folder / "hub.git", ignore=shutil.ignore_patterns("objects", "hooks"))
            shutil.copytree(scene / "objects", folder / "hub.git" / "objects")
            return Copy(folder)

        yield copy


@pytest.fixture
def undisturbed(copied: Callable[[], Copy]) -> tuple[list[str], End]:
    """Return the points that a run passes, and what it comes to."""
    copy, points = copied(), []
    with fault_hook(points.append):
        assert copy.run() > 0
    copy.finish()
    return points, end_of(copy)


class Killed(BaseException):
    """What stands for the end of a process: nothing catches it."""


def spread(points: list[str], each: int) -> list[int]:
    """Return places of points, one of each n-th kind; all of them with FOLKMOOT_FUZZ=1."""
    return some_of(points, 1)[:: 1 if FUZZ else each]


@pytest.mark.threat("T-32")
@pytest.mark.parametrize("remote", [False, True])
def test_killed_at_every_point_and_run_again(
    copied: Callable[[], Copy], undisturbed: tuple[list[str], End], remote: bool
) -> None:
    points: list[str] = []
    with fault_hook(points.append):
        copied().run(remote=remote)
    for place in spread(points, 7 if remote else 4):
        copy, passed = copied(), count()

        def die(_point: str, passed: Iterator[int] = passed, place: int = place) -> None:
            if next(passed) == place:
                raise Killed

        with fault_hook(die), suppress(Killed):
            copy.run(remote=remote)
        copy.finish()
        assert end_of(copy) == undisturbed[1], (place, points[place])


@pytest.mark.threat("T-32")
def test_two_referees_take_turns_at_every_point(copied: Callable[[], Copy], undisturbed: tuple[list[str], End]) -> None:
    """One runs whole while the other stands at a point; so it is at each of them."""
    points = undisturbed[0]
    for place in spread(points, 6):
        copy = copied()
        passed: list[str] = []

        def hook(point: str, copy: Copy = copy, passed: list[str] = passed, place: int = place) -> None:
            passed.append(point)
            if len(passed) == place + 1:
                copy.run("second")

        with fault_hook(hook):
            copy.run("first")
        copy.finish()
        assert end_of(copy) == undisturbed[1], (place, points[place])


# -- who answers


class Second:
    """Runs another referee, of a process of its own, when the first passes a point."""

    def __init__(self, town: Town, point: str) -> None:
        self.town, self.point, self.report = town, point, Report()
        self.sent: list[Answer] = []
        self.run_once = False

    def __call__(self, point: str) -> None:
        if point == self.point and not self.run_once:
            self.run_once = True
            before = len(self.town.board.sent)
            with Referee(TownForge(self.town.bare, self.town.board), self.town.repo, lambda: self.town.now) as referee:
                self.report = referee.run()
            self.sent = self.town.board.sent[before:]


@pytest.mark.threat("T-62")
@pytest.mark.parametrize("point", ["before-write", "half-written", "written", "before-push"])
def test_the_loser_converges_silently(point: str, tmp_path: Path) -> None:
    town = Town(tmp_path)
    pull = town.propose("ann", "A dragon")
    town.say("bob", 0, "/do state text=once")
    second = Second(town, point)
    with fault_hook(second):
        first = town.referee(60)
    assert second.run_once
    answers = sum(1 for answer in town.board.sent if answer.pull == pull)
    assert answers == 1
    assert (first.answers > 0) + (second.report.answers > 0) == 1
    assert first.after == second.report.after or first.lost
    stated = [entry for entry in town.journal() if entry["do"] == "state"]
    assert len(stated) == 1
    called = [tuple(people) for people in town.board.called(pull, "vote")]
    assert len(called) == len(set(called)) == 1
    refs = {name: town.tip(name) for name in town.repo.references}
    assert town.referee(60).answers == 0
    assert {name: town.tip(name) for name in town.repo.references} == refs


# -- on a bad network

SEEDS = range(int(os.environ.get("FOLKMOOT_NETWORKS", "1")))


class Pair:
    """Two referees of one table, each with a clone of its own, behind one relay."""

    def __init__(self, copy: Copy, relay: Relay, chance: random.Random) -> None:
        self.copy, self.relay, self.chance = copy, relay, chance
        self.busy = False
        self.failed: list[str] = []
        self.done = 0

    def run(self, who: str) -> None:
        """Let one run, and note how it failed if it did."""
        clone = self.copy.folder / f"{who}.git"
        if not clone.exists():
            pygit2.init_repository(str(clone), bare=True, initial_head="main")
        forge = LocalForge(clone, f"{self.relay.address}/hub.git")
        try:
            with Referee(forge, forge.refs.repo, lambda: self.copy.now) as referee:
                referee.run()
            self.done += 1
        except ProblemError as error:
            self.failed += [problem.code for problem in error.problems]

    def __call__(self, point: str) -> None:
        """Let the other run whole while the first stands at some points."""
        if not self.busy and not point.startswith("stage-") and self.chance.random() < 0.12:
            self.busy = True
            self.run("second")
            self.busy = False


@pytest.mark.threat("T-63")
def test_no_act_is_lost_or_doubled(copied: Callable[[], Copy], undisturbed: tuple[list[str], End]) -> None:
    cuts = done = 0
    for seed in SEEDS:
        copy = copied()
        with serving(copy.folder) as server, relayed(server.server_address[1], seed, 35) as relay:
            pair = Pair(copy, relay, random.Random(seed))
            with fault_hook(pair):
                for who in ("first", "second", "first"):
                    pair.run(who)
            assert set(pair.failed) <= {"E-FORGE", "E-MOVED"}, (seed, pair.failed)
            cuts, done = cuts + relay.cuts, done + pair.done
        copy.finish()
        assert end_of(copy) == undisturbed[1], seed
    assert cuts, "the network did fail"
    assert done, "and did not always"


def test_a_table_whose_answer_was_cut_in_its_head_is_not_empty(copied: Callable[[], Copy]) -> None:
    """Git takes an answer without its type for one of an old server, and its missing body for: no refs."""
    copy, seen = copied(), set[int]()
    with serving(copy.folder) as server, relayed(server.server_address[1], 0, 0) as relay:
        git = Git(copy.hub)
        for size in range(0, 330, 55):
            relay.at = {relay.connections + 1: size}
            with suppress(ProblemError):
                seen.add(len(git.listing(f"{relay.address}/hub.git").refs))
    assert len(seen) == 1, seen
    assert min(seen) > 5
