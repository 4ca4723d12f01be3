"""A keeper killed anywhere, two at once, and a remote that moves while it is read: always the same, nothing lost."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pygit2
import pytest
from msgspec.structs import replace

from folkmoot.core.fault_points import FORGE, fault_hook
from folkmoot.core.problems import ProblemError
from folkmoot.forges.cache.forge import FIRST
from folkmoot.forges.cache.forge_cache import ForgeCache
from folkmoot.forges.cache.refs import MOST_LATE
from folkmoot.forges.error_isolation import Stage
from folkmoot.forges.git_transport import Git
from folkmoot.forges.local.forge import LocalForge
from folkmoot.forges.local.letters import Letter
from folkmoot.forges.local.players_repository import PlayersRepository
from folkmoot.forges.port import Answer, Snapshot, Unread
from tests.forges.conformance import NOW, START, bodies, pull
from tests.forges.local_table import LocalTable, bare, git
from tests.forges.slow_git import SlowGit
from tests.support.faults import some_of

Hook = Callable[[str], None]


def cut(number: int, how: Callable[[], None]) -> Hook:
    """Return a hook that does `how` once, when the fault point of this number is passed."""
    left = [number]

    def hook(_: str) -> None:
        left[0] -= 1
        if left[0] == -1:
            how()

    return hook


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def child(work: Callable[[], object]) -> int:
    process = os.fork()
    if process == 0:
        try:
            work()
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


class Scene:
    """A hub with people's contributions, a keeper's clone, and a move to publish; copied for every try."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        table = LocalTable(folder, str(bare(folder)), folder / "hub.git")
        number = table.open("ann", "A dragon")
        table.forge.look(NOW - 50)
        table.comment("bob", number, "First.")
        table.review("cid", number, "approve")
        table.comment("bob", 0, "/do state text=hello")
        table.open("bob", "Another")
        self.before, self.after = table.played((table.head(number),))
        self.keeper = Path(table.forge.refs.repo.path)

    def copy(self, name: str) -> tuple[Path, Path]:
        place = self.folder / name
        for source in (self.folder / "hub.git", self.keeper):
            shutil.copytree(source, place / source.name)
        return place / "hub.git", place / self.keeper.name

    def run(self, hub: Path, keeper: Path, now: int = NOW) -> Snapshot:
        """Do what a referee does in one run; return what it sees in the end."""
        forge = LocalForge(keeper, str(hub))
        forge.look(now)
        assert forge.publish(self.before, self.after)
        forge.answer([
            Answer(pull=0, text="", settled=True),
            Answer(pull=1, text="Adopted.", state="merged", commit=self.after, settled=True),
            Answer(pull=2, text="Waiting."),
        ])  # fmt: skip
        return forge.look(now + 1)


def refs(hub: Path) -> str:
    return git(hub, "for-each-ref")


@pytest.fixture(autouse=True, scope="module")
def one_publisher() -> Iterator[None]:
    """Let every referee call itself the same, so that what is left can be compared to the byte."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("folkmoot.forges.cache.forge.token_hex", lambda size: "0" * 2 * size)
        yield


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    return Scene(tmp_path_factory.mktemp("scene"))


@pytest.fixture(scope="module")
def undisturbed(scene: Scene) -> tuple[list[str], str, Snapshot]:
    """Return the fault points that a run passes, and what it leaves."""
    points: list[str] = []
    hub, keeper = scene.copy("undisturbed")
    with fault_hook(points.append):
        seen = scene.run(hub, keeper)
    return points, refs(hub), seen


def test_every_declared_point_is_passed_and_a_run_does_what_it_should(
    undisturbed: tuple[list[str], str, Snapshot],
) -> None:
    stages = {f"stage-{stage}" for stage in Stage}
    assert set(undisturbed[0]) - stages == set(FORGE)
    assert stages.isdisjoint(FORGE)
    seen = undisturbed[2]
    assert [each.number for each in seen.pulls] == [2]
    assert (dict(seen.said), dict(seen.remarks)) == ({2: "Waiting."}, {})


def test_killed_at_every_point_and_run_again_here_or_elsewhere(
    scene: Scene, undisturbed: tuple[list[str], str, Snapshot]
) -> None:
    """The keeper's own repository may be lost with the process: all that counts is in the hub."""
    points, after, seen = undisturbed
    for number in some_of(points, 1):
        point = points[number]
        hub, keeper = scene.copy(f"killed-{number}")
        with fault_hook(cut(number, die)):
            assert child(lambda hub=hub, keeper=keeper: scene.run(hub, keeper)) == -signal.SIGKILL, point
        again = scene.copy(f"other-{number}")[1] if number % 3 == 0 else keeper
        assert scene.run(hub, again) == seen, (number, point)
        assert refs(hub) == after, (number, point)
        git(hub, "fsck", "--strict")


# Several at once


@pytest.fixture
def table(tmp_path: Path) -> LocalTable:
    hub = bare(tmp_path)
    return LocalTable(tmp_path, str(hub), hub)


@pytest.mark.parametrize("alone", [False, True])
def test_keepers_who_look_at_once_agree(tmp_path: Path, alone: bool) -> None:
    hub = bare(tmp_path)
    table = LocalTable(tmp_path, None if alone else str(hub), hub, processes=True)
    table.open("ann", "A dragon")
    for n in range(5):
        table.comment("bob", 1, f"{n}")
    with ThreadPoolExecutor(3) as pool:
        found = list(pool.map(LocalForge.look, [table.another() for _ in range(3)], range(NOW, NOW + 3)))
    assert len({snapshot.remarks[1] for snapshot in found}) == 1
    assert len({snapshot.pulls for snapshot in found}) == 1


def test_opening_the_same_twice_is_opening_once_and_pushing_loses_to_a_push_that_was_not_seen(
    table: LocalTable,
) -> None:
    seat, commit = table.content("ann", "A dragon")
    assert seat.open_pull(commit) == seat.open_pull(commit) == 1
    head, theirs = table.head(1), table.push("ann", 1)
    other, mine = table.content("bob", "Mine")
    assert not other.push_pull(1, mine, head)
    assert table.head(1) == theirs


def test_what_one_person_says_from_two_clones_at_once_is_heard_twice(table: LocalTable) -> None:
    table.open("ann", "A dragon")
    others = [PlayersRepository(table.place(), table.remote)]

    def hook(point: str) -> None:
        if point == "before-push" and others:
            others.pop().send(Letter(pull=1, kind="comment", body="The other."), table.author("bob"), START)

    with fault_hook(hook):
        table.comment("bob", 1, "The one.")
    assert sorted(bodies(table.forge.look(NOW), 1)) == ["The one.", "The other."]


# A remote that moves between reading and writing


def meddlers(table: LocalTable) -> Iterator[Callable[[], object]]:
    """Yield what others may do at the worst moment."""
    other = table.another()
    repo = table.repo
    ref = "refs/moot/letters/bob@x-org"
    yield lambda: table.comment("bob", 1, "Meanwhile.")
    yield lambda: table.push("ann", 1)
    yield lambda: other.look(NOW + 7)
    yield lambda: table.open("bob", "Meanwhile")
    yield lambda: repo.references.create("refs/pull/1/head", table.main(), force=True)
    yield lambda: ref in repo.references and repo.references.delete(ref)
    yield lambda: "refs/pull/1/head" in repo.references and repo.references.delete("refs/pull/1/head")
    yield lambda: other.answer([Answer(pull=1, text="Theirs.")])


@pytest.mark.parametrize("which", range(8))
@pytest.mark.parametrize("point", ["listed", "before-fetch", "fetched", "written", "before-push", "pushed"])
@pytest.mark.sampled(6)
def test_whatever_others_do_in_between(table: LocalTable, point: str, which: int) -> None:
    table.open("ann", "A dragon")
    table.forge.look(NOW - 10)
    table.comment("bob", 1, "Before.")
    meddle = list(meddlers(table))[which]
    done: list[str] = []

    def hook(name: str) -> None:
        if name == point and not done:
            done.append(name)
            meddle()

    with fault_hook(hook):
        table.forge.look(NOW)
    assert done
    seen = table.another().look(NOW + 50)
    assert table.forge.look(NOW + 60) == replace(seen, at=NOW + 60)
    assert pull(seen, 1).title == "A dragon"
    texts = bodies(seen, 1)
    assert len(texts) == len(set(texts))
    gone_before_it_was_seen = which == 5 and point in ("listed", "before-fetch")
    assert "Before." in texts or gone_before_it_was_seen


def losing_answers(
    git: Git, monkeypatch: pytest.MonkeyPatch, then: Callable[[], object] = lambda: None
) -> list[object]:
    """Let git do each push and say that it failed, and somebody do something meanwhile; return the pushes."""
    sent, honest = list[object](), git.push

    def dishonest(*words: Any) -> str:
        sent.append(words)
        honest(*words)
        then()
        return "fatal: the remote end hung up unexpectedly"

    monkeypatch.setattr(git, "push", dishonest)
    return sent


def test_a_push_whose_answer_is_lost_is_not_sent_again(table: LocalTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """Git says that it failed though the remote has it: so asks, and finds that it was done, be it below something else."""
    table.open("ann", "A dragon")
    table.forge.look(NOW)
    before, after = table.played()
    sent = losing_answers(table.forge.refs.git, monkeypatch)
    assert table.forge.publish(before, after)
    table.forge.answer([Answer(pull=1, text="Hello.")])
    assert len(sent) == 2
    other = LocalTable(table.hub, str(table.hub), table.hub)
    sent = losing_answers(table.seat("bob").refs.git, monkeypatch, lambda: other.comment("bob", 1, "After."))
    name = table.comment("bob", 1, "Before.")
    assert len(sent) == 1
    seen = table.another().look(NOW + 5)
    assert bodies(seen, 1) == ["Before.", "After."]
    assert seen.remarks[1][0].id == name


def test_a_lock_that_stays_is_named(table: LocalTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """Git was killed in the middle of a push: its lock must be taken away by a person."""
    monkeypatch.setattr("folkmoot.forges.cache.refs.TRIES", 3)
    table.open("ann", "A dragon")
    table.forge.refs.git = Git(table.forge.refs.git.path)
    lock = table.hub / "refs" / "moot" / "forge.lock"
    lock.parent.mkdir(parents=True)
    lock.touch()
    with pytest.raises(ProblemError, match="E-FORGE: Others keep writing") as caught:
        table.forge.look(NOW)
    assert "delete the lock file" in caught.value.problems[0].hint
    lock.unlink()
    assert len(table.forge.look(NOW).pulls) == 1


def test_what_cannot_be_fetched_keeps_nothing_else_from_being_seen(
    table: LocalTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.open("ann", "A dragon")
    table.forge.look(NOW)
    first = table.head(1)
    table.push("ann", 1)
    table.open("bob", "A monster")
    name = table.comment("cid", 1, "Hm.")
    honest, broken = table.forge.refs.git.fetch, {"refs/pull/1/head", "refs/pull/2/head"}

    def fetch(remote: str, pairs: list[tuple[str, str]]) -> str:
        if broken & {theirs for theirs, _ in pairs}:
            return "fatal: too large"
        return honest(remote, pairs)

    monkeypatch.setattr(table.forge.refs.git, "fetch", fetch)
    for later in (1, 2):
        seen = table.forge.look(NOW + later)
        assert [push.commit for push in pull(seen, 1).pushes] == [first]
        assert [each.id for each in seen.remarks[1]] == [name]
        assert [each.number for each in seen.pulls] == [1]
    unfetched = ForgeCache(table.repo, table.observation()).standing.unfetched
    assert [(ref, each.why) for ref, each in unfetched.items()] == [
        (ref, "git cannot fetch it") for ref in sorted(broken)
    ]
    broken.clear()
    assert [each.number for each in table.forge.look(NOW + 3).pulls] == [1], "it is not tried every time"
    seen = table.forge.look(NOW + 1 + FIRST)
    assert [push.at for push in pull(seen, 1).pushes] == [NOW, NOW + 1 + FIRST]
    assert [each.number for each in seen.pulls] == [1, 2]


@pytest.mark.threat("T-27")
def test_what_takes_too_long_is_tried_ever_more_seldom(table: LocalTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """In whatever job: the times are kept with what was seen. Another head of the same pull request begins anew."""
    table.open("ann", "A dragon")
    table.open("bob", "A monster")
    slow = SlowGit(monkeypatch, "refs/pull/1/head")
    expected, tried = [0, 10, 30, 70, 150, 310, 630, 1270, 2550, 3990, 5430], list[int]()
    for minute in sorted({max(0, at - early) for at in expected for early in (5, 0)}):
        before, forge = slow.waited.total(), table.another() if minute < 100 else table.forge
        slow.before(forge)
        assert [each.number for each in forge.look(NOW + minute * 60).pulls] == [2]
        tried += [minute] if slow.waited.total() > before else []
    assert tried == expected
    slow.before(table.forge)
    table.push("ann", 1)
    again, seen = slow.waited.total(), table.forge.look(NOW + 900_000)
    assert slow.waited.total() == again + 1
    assert seen.unread == {}, "of it nothing is known"
    slow.stuck.clear()
    table.push("ann", 1)
    assert [each.number for each in table.forge.look(NOW + 900_001).pulls] == [1, 2]


@pytest.mark.threat("T-27")
def test_many_that_take_too_long_cost_a_look_a_few_tries(table: LocalTable, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(1, 13):
        table.open("ann" if number < 12 else "bob", f"A dragon {number}")
    slow = SlowGit(monkeypatch, *(f"refs/pull/{number}/head" for number in range(1, 12)))
    numbers: list[int] = []
    for later in range(5):
        slow.times, forge = 0, table.another()
        slow.before(forge)
        numbers = [each.number for each in forge.look(NOW + later).pulls]
        assert slow.times <= 1 + MOST_LATE
    assert numbers == [12]
    assert set(slow.waited) == slow.stuck


def test_newer_content_that_takes_too_long_is_told(table: LocalTable, monkeypatch: pytest.MonkeyPatch) -> None:
    table.open("ann", "A dragon")
    table.forge.look(NOW)
    head = table.push("ann", 1)
    SlowGit(monkeypatch, "refs/pull/1/head").before(table.forge)
    seen = table.forge.look(NOW + 5)
    assert [push.commit for push in pull(seen, 1).pushes] != [head]
    assert seen.unread == {
        1: Unread(commit=head, why="to fetch it takes longer than 120 seconds", again=NOW + 5 + FIRST)
    }


def test_nothing_touches_the_work_tree_or_the_index(tmp_path: Path) -> None:
    hub = bare(tmp_path)
    table = LocalTable(tmp_path, str(hub), hub)
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "--quiet", str(hub), str(clone)], check=True, capture_output=True)
    (clone / "file-1").write_text("work in progress\n")
    before = {
        path: path.stat().st_mtime_ns for path in (clone / ".git" / "index", clone / "file-1", clone / ".git" / "HEAD")
    }
    forge = LocalForge(clone, str(hub))
    table.open("ann", "A dragon")
    table.comment("bob", 1, "Hm.")
    forge.look(NOW)
    main = table.main()
    made = str(
        forge.refs.repo.create_commit(
            None, *[pygit2.Signature("x", "x@x", 1, 0)] * 2, "x", forge.refs.repo[main].tree.id, [main]
        )
    )
    assert forge.publish(main, made)
    assert {path: path.stat().st_mtime_ns for path in before} == before
    assert git(clone, "rev-parse", "HEAD") == main
