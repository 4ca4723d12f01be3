"""A referee that ends at any moment, beside one that nothing disturbs."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pygit2
import pytest
from msgspec import Struct, field

from folkmoot.core.fault_points import fault_hook
from folkmoot.forges.local.forge import LocalForge
from folkmoot.referee.run import Referee
from tests.support.meeting import PLAYERS, START, rule
from tests.support.quick import QuickMeeting

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
