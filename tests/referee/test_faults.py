"""A referee that dies anywhere, two at once, and a remote that moves under them: always the same play, nothing twice.

FOLKMOOT_FUZZ=1 tries more schedules, FOLKMOOT_SCHEDULES=2000 so many; each has a number, by which FOLKMOOT_SCHEDULE tries it alone, or
some of them: 7, 100-199.
"""

from __future__ import annotations

import gc
import os
import random
from collections.abc import Callable
from contextlib import suppress

import pygit2
import pytest

from folkmoot.core.fault_points import DECLARED, FORGE, fault_hook
from folkmoot.core.problems import ProblemError
from folkmoot.forges.error_isolation import Stage
from folkmoot.journal.git_objects import make_commit, write_tree
from tests.conftest import FUZZ
from tests.support.fault_places import some_of
from tests.support.faults import Copy, End, copied, end_of, scene, undisturbed
from tests.support.quick import MAIN

__all__ = ["copied", "scene", "undisturbed"]

SCHEDULES = int(os.environ.get("FOLKMOOT_SCHEDULES", "30" if FUZZ else "12"))
ONE = os.environ.get("FOLKMOOT_SCHEDULE")


class Killed(BaseException):
    """What stands for the end of a process: nothing catches it."""


def test_the_scene_has_something_of_everything(undisturbed: tuple[list[str], End]) -> None:
    _, end = undisturbed
    outcome = [line.split(" ", 1)[1] for line in end.journal[3:]]
    assert sorted(outcome) == sorted([
        "state bob ", "give bob E-FUNDS", "state cid ", "give dee E-FUNDS",
        "vote ann ", "vote bob ", "vote cid ", "vote dee ", "vote cid ", "vote dee ",
    ])  # fmt: skip
    said = dict(end.said)
    assert "E-FUNDS" in said[0]
    assert "adopted" in said[1]
    assert "no player" in said[5]
    assert "cannot be taken" in said[6]
    assert [number for number, _ in end.states] == [2, 5, 6]


def test_every_point_of_the_forge_is_passed(copied: Callable[[], Copy]) -> None:
    copy, points = copied(), []
    with fault_hook(points.append):
        copy.run(remote=True)
    assert set(points) - {f"stage-{stage}" for stage in Stage} == set(FORGE)
    assert not set(DECLARED) & set(points)  # those of folders on the disk: a referee has none


@pytest.mark.threat("T-32")
@pytest.mark.parametrize("remote", [False, True])
def test_killed_at_every_point_and_run_again(
    copied: Callable[[], Copy], undisturbed: tuple[list[str], End], remote: bool
) -> None:
    points: list[str] = []
    with fault_hook(points.append):
        copied().run(remote=remote)
    for place in some_of(points, 1):
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
    for place in some_of(points, 1):
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
