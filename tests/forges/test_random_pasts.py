"""Honest play, whatever else becomes of a table and its clones, raises no alarm; what was seen and is gone always does."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

from folkmoot.core.problems import ProblemError
from folkmoot.forges.cache.refs import Refs
from folkmoot.forges.local.forge import LocalForge
from folkmoot.forges.local.letters import Letter
from folkmoot.journal.layout import entry_name
from folkmoot.journal.tree import GameTree
from folkmoot.referee.hand_edits import revert
from tests.support.meeting import GAME, PLAYERS, git
from tests.support.quick import FORGE, MAIN, QuickMeeting

KINDS = ((), ("--depth=1",), ("--mirror",), ("--single-branch",))
STEPS, REWINDS = 25, 6


class Table:
    """A table and clones of it, each with what it saw: where the branch and the observation stood."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.chance = random.Random(seed)
        self.meeting = QuickMeeting(folder)
        self.folder, self.clones, self.words = folder, list[Path](), 0
        self.seen: dict[Path, tuple[str, str]] = {}

    @property
    def tips(self) -> tuple[str, str]:
        """Where the branch and the observation stand."""
        return self.meeting.tip(), self.meeting.tip(FORGE)

    def put(self, main: str, forge: str) -> None:
        """Let the table say something else."""
        self.meeting.put(MAIN, main)
        self.meeting.put(FORGE, forge)

    def seq(self, main: str) -> int:
        """Return the last entry of a commit of the branch."""
        return GameTree(self.meeting.repo, main, GAME).head.seq

    def clone(self) -> None:
        """Clone the table, in one of several ways."""
        place = self.folder / f"clone-{len(self.clones)}"
        git(self.folder, "clone", "--quiet", *self.chance.choice(KINDS), self.meeting.bare.as_uri(), str(place))
        self.clones.append(place)

    def look(self, place: Path) -> str:
        """Look at the table from a clone as a command does; returns what is wrong, "" for nothing."""
        refs = Refs(place, self.meeting.bare.as_uri())
        standing = refs.read()
        try:
            refs.fetch(standing, [name for name in (standing.branch, FORGE) if name in standing.refs])
        except ProblemError as error:
            return str(error)
        self.seen[place] = self.tips
        return ""

    def play(self) -> None:
        """Let somebody say something that is recorded."""
        self.words += 1
        self.say(self.chance.choice(PLAYERS), f"/do state {self.words}")

    def say(self, person: str, body: str) -> None:
        """Have something said, and judged by a referee who has seen nothing else."""
        self.meeting.now += 60
        before = self.meeting.game().head.seq
        self.meeting.send(person, Letter(pull=0, kind="comment", body=body))
        self.meeting.forge = LocalForge(self.meeting.bare)
        self.meeting.referee(60)
        assert self.meeting.game().head.seq > before

    def redact(self) -> None:
        """Have the words of a statement taken away by the administrator."""
        stated = {e["seq"] for e in self.meeting.game().entries() if e["do"] == "state" and not e.get("redacted")}
        if stated:
            self.say("ann", f"/do redact seq={self.chance.choice(sorted(stated))} path=with.text why=x")

    def repair(self) -> None:
        """Have somebody push an entry by hand, some look at it, and that taken back."""
        meeting, known = self.meeting, self.meeting.tip()
        name = f"state/{GAME}/{entry_name(meeting.game().head.seq + 1)}"
        wrong = meeting.change("bob", {name: b"seq: 9\n"})
        meeting.put(MAIN, wrong)
        self.look_somewhere()
        meeting.put(MAIN, revert(meeting.repo, known, wrong, GAME, meeting.now))

    def prune(self) -> None:
        """Let the table be tidied up: letters that were answered go, objects are packed, and git's own logs go."""
        for name in [each for each in self.meeting.repo.references if each.startswith("refs/moot/letters")]:
            self.meeting.put(name, "")
        git(self.meeting.bare, "gc", "--quiet", "--prune=now")

    def pull(self) -> None:
        """Let git itself fetch, or tidy up, in a clone."""
        if self.clones:
            words = self.chance.choice((("fetch", "--quiet"), ("fetch", "--quiet", "--prune"), ("gc", "--quiet")))
            git(self.chance.choice(self.clones), *words)

    def rename(self) -> None:
        """Give the branch another name, and another one still."""
        git(self.meeting.bare, "branch", "aside", "main")
        git(self.meeting.bare, "symbolic-ref", "HEAD", "refs/heads/aside")
        self.look_somewhere()
        git(self.meeting.bare, "symbolic-ref", "HEAD", MAIN)
        git(self.meeting.bare, "branch", "-D", "aside")

    def reclone(self) -> None:
        """Delete a clone, and make another in its place."""
        if self.clones:
            place = self.chance.choice(self.clones)
            shutil.rmtree(place)
            git(self.folder, "clone", "--quiet", *self.chance.choice(KINDS), self.meeting.bare.as_uri(), str(place))
            self.seen.pop(place, None)

    def look_somewhere(self) -> None:
        """Let some clones look, which must raise no alarm."""
        for place in self.clones:
            if self.chance.random() < 0.5:
                assert self.look(place) == "", git(place, "config", "--list")

    def honest_step(self) -> None:
        """Do something that is honest, and let some look."""
        steps = (self.play, self.play, self.play, self.redact, self.repair, self.prune, self.pull, self.rename)
        self.chance.choice((*steps, self.clone, self.reclone) if len(self.clones) < 6 else steps)()
        self.look_somewhere()


@pytest.mark.threat("T-130")
@pytest.mark.parametrize("seed", range(3))
def test_honest_play_raises_no_alarm_and_whoever_saw_what_is_taken_back_is_told(seed: int, tmp_path: Path) -> None:
    table = Table(tmp_path, seed)
    meeting, chance, repo = table.meeting, table.chance, table.meeting.repo
    pasts = [table.tips]
    for _ in range(STEPS):
        table.honest_step()
        pasts.append(table.tips)
    now, told = pasts[-1], 0
    for number in range(REWINDS):
        old = chance.choice([each for each in pasts if each[1] and table.seq(each[0]) < table.seq(now[0])])
        what = chance.choice(("branch", "forge", "both"))
        there = old[0] if what != "forge" else now[0], old[1] if what != "branch" else now[1]
        table.put(*there)
        if what == "both" and number % 2:  # the past is written anew, and goes on
            while meeting.game().head.seq <= table.seq(now[0]):
                table.play()
        for place, saw in table.seen.items():
            shorter = what != "forge" and table.seq(saw[0]) > table.seq(there[0])
            if shorter or (saw[1] != there[1] and repo.descendant_of(saw[1], there[1])):
                assert "E-PAST" in table.look(place), (what, number)
                told += 1
        if chance.random() < 0.5:
            table.put(*now)
            table.look_somewhere()
    assert told
    table.put(*now)
    for place in table.clones:
        assert table.look(place) == "", "the past that was seen first is the right one"


@pytest.mark.threat("T-130")
def test_what_a_mirror_saw_is_neither_pruned_nor_given_by_its_remote(tmp_path: Path) -> None:
    table = Table(tmp_path, 0)
    table.play()
    place = table.folder / "mirror.git"
    git(table.folder, "clone", "--quiet", "--mirror", table.meeting.bare.as_uri(), str(place))
    old = table.tips
    table.play()
    assert table.look(place) == ""
    table.meeting.put(f"refs/folkmoot/other/{table.tips[0]}", table.tips[0])
    table.meeting.put(f"refs/folkmoot/other/{table.tips[1]}", table.tips[1])
    for _ in range(2):
        git(place, "fetch", "--quiet", "--prune")
        table.put(*old)
        assert "E-PAST" in table.look(place)
