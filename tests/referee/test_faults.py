"""A referee that dies anywhere, two at once, a remote that moves under them, a network that is cut: always the same play.

FOLKMOOT_FUZZ=1 tries more schedules, FOLKMOOT_SCHEDULES=2000 so many; each has a number, by which FOLKMOOT_SCHEDULE tries it alone, or
some of them: 7, 100-199. FOLKMOOT_NETWORKS=100 tries so many networks.
"""

from __future__ import annotations

import gc
import os
import random
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pygit2
import pytest

from folkmoot.core.fault_points import DECLARED, FORGE, fault_hook
from folkmoot.core.problems import ProblemError
from folkmoot.forges.error_isolation import Stage
from folkmoot.forges.git_transport import Git
from folkmoot.forges.local.forge import LocalForge
from folkmoot.forges.port import Answer
from folkmoot.journal.git_objects import make_commit, write_tree
from folkmoot.referee.report import Report
from folkmoot.referee.run import Referee
from tests.conftest import FUZZ
from tests.forges.cutting import Relay, relayed
from tests.forges.smart_http import serving
from tests.support.fault_places import some_of
from tests.support.faults import Copy, End, copied, end_of, scene, undisturbed
from tests.support.quick import MAIN
from tests.support.town import Town, TownForge

__all__ = ["copied", "scene", "undisturbed"]

SCHEDULES = int(os.environ.get("FOLKMOOT_SCHEDULES", "30" if FUZZ else "2"))
ONE = os.environ.get("FOLKMOOT_SCHEDULE")


class Killed(BaseException):
    """What stands for the end of a process: nothing catches it."""


def test_every_point_of_the_forge_is_passed(copied: Callable[[], Copy]) -> None:
    copy, points = copied(), []
    with fault_hook(points.append):
        copy.run(remote=True)
    assert set(points) - {f"stage-{stage}" for stage in Stage} == set(FORGE)
    assert not set(DECLARED) & set(points)  # those of folders on the disk: a referee has none


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
        copy = copied()
        with fault_hook(Deaths({place})), suppress(Killed):
            copy.run(remote=remote)
        copy.finish()
        assert end_of(copy) == undisturbed[1], (place, points[place])


class Deaths:
    """Kills whoever passes the points of these numbers."""

    def __init__(self, places: set[int]) -> None:
        self.places = places
        self.passed = 0

    def __call__(self, _point: str) -> None:
        self.passed += 1
        if self.passed - 1 in self.places:
            raise Killed


class Meddler:
    """At some of the points that a referee passes, others do something; now and then it dies there instead."""

    def __init__(self, chance: random.Random, copy: Copy) -> None:
        self.chance, self.copy = chance, copy
        self.busy = False
        self.left = chance.randint(1, 4)

    def __call__(self, _point: str) -> None:
        if self.busy or not self.left or self.chance.random() > 0.12:
            return
        self.busy, self.left = True, self.left - 1
        try:
            self.chance.choice([self.die, self.another, self.another, self.write, self.merge, self.later])()
        finally:
            self.busy = False

    def die(self) -> None:
        raise Killed

    def another(self) -> None:
        """Another referee runs, and may die too."""
        places = {self.chance.randrange(40)} if self.chance.random() < 0.5 else set()
        with fault_hook(Deaths(places)), suppress(Killed, ProblemError):
            self.copy.run("second", remote=self.chance.random() < 0.1)

    def write(self) -> None:
        """Somebody who is no player says something: it moves refs, and is nothing of the game's."""
        repo = pygit2.Repository(str(self.copy.hub))
        who = pygit2.Signature("Eve", "eve@x.org", self.copy.now, 0)
        tree = write_tree(repo, None, {"letter.yaml": b'pull: 2\nkind: comment\nbody: "Hm."\n'})
        ref = f"refs/moot/letters/eve-{self.chance.randrange(3)}"
        known = repo.references.get(ref)
        parents = [str(known.target)] if known else []
        made = make_commit(repo, tree, parents, f"{self.chance.random()}\n", who, who)
        repo.references.create(ref, made, force=True)

    def merge(self) -> None:
        """A maintainer changes something on the branch that is no game's."""
        repo = pygit2.Repository(str(self.copy.hub))
        who = pygit2.Signature("Root", "root@x.org", self.copy.now, 0)
        tip = str(repo.references[MAIN].target)
        tree = write_tree(repo, repo[tip].peel(pygit2.Tree).id, {"readme.md": f"{self.chance.random()}\n".encode()})
        repo.references.create(MAIN, make_commit(repo, tree, [tip], "By the way\n", who, who), force=True)

    def later(self) -> None:
        self.copy.now += self.chance.randrange(100)


def numbers() -> list[int]:
    """Return the schedules to be tried."""
    first, _, last = (ONE or f"0-{SCHEDULES - 1}").partition("-")
    return list(range(int(first), int(last or first) + 1))


def test_any_schedule_comes_to_the_same(copied: Callable[[], Copy], undisturbed: tuple[list[str], End]) -> None:
    """Referees die, overtake each other, and are interrupted by people; then one is left to finish."""
    died = lost = 0
    for number in numbers():
        chance = random.Random(number)
        copy = copied()
        for _ in range(chance.randint(1, 3)):
            try:
                with fault_hook(Meddler(chance, copy)):
                    copy.run(chance.choice(["first", "second"]), remote=chance.random() < 0.1)
            except Killed:
                died += 1
        lost += copy.lost
        copy.finish()
        found = end_of(copy)
        assert found == undisturbed[1], f"schedule {number}: FOLKMOOT_SCHEDULE={number}"
        if number % 20 == 0:
            gc.collect()  # laws are held in circles, and weigh more than Python knows
    assert ONE or len(numbers()) < 12 or (died and lost)
    print(f"\n{len(numbers())} schedules: {died} deaths, {lost} races lost")


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


def test_whoever_lost_the_answer_to_a_push_still_won(tmp_path: Path) -> None:
    """What was pushed, and of which no word came back, is found to be one's own."""
    town = Town(tmp_path)
    town.propose("ann", "A dragon")
    forge = TownForge(town.bare, town.board)
    move, lost = forge.refs.move, []

    def losing(moves: object) -> bool:
        done = move(moves)  # type: ignore[arg-type]
        if any("heads/" in each.ref for each in moves) and not lost:  # type: ignore[attr-defined]
            lost.append(done)
            return False
        return done

    forge.refs.move = losing  # type: ignore[assignment,method-assign]
    with Referee(forge, town.repo, lambda: town.now) as referee:
        report = referee.run()
    assert lost == [True]
    assert report.answers > 0


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
