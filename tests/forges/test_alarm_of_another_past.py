"""Honest play, whatever else becomes of a table and its clones, raises no alarm; what was seen and is gone always does."""

from __future__ import annotations

from pathlib import Path

import pytest

from folkmoot.core.problems import ProblemError
from folkmoot.forges.cache.refs import Refs
from folkmoot.forges.local.forge import LocalForge
from folkmoot.forges.local.letters import Letter
from tests.support.meeting import git
from tests.support.quick import FORGE, MAIN, QuickMeeting

KINDS = ((), ("--depth=1",), ("--mirror",), ("--single-branch",))


class Table:
    """A table and clones of it."""

    def __init__(self, folder: Path) -> None:
        self.meeting = QuickMeeting(folder)
        self.folder, self.clones, self.words = folder, list[Path](), 0

    @property
    def tips(self) -> tuple[str, str]:
        return self.meeting.tip(), self.meeting.tip(FORGE)

    def put(self, main: str, forge: str) -> None:
        self.meeting.put(MAIN, main)
        self.meeting.put(FORGE, forge)

    def clone(self, *words: str) -> Path:
        place = self.folder / f"clone-{len(self.clones)}"
        git(self.folder, "clone", "--quiet", *words, self.meeting.bare.as_uri(), str(place))
        self.clones.append(place)
        return place

    def look(self, place: Path) -> str:
        refs = Refs(place, self.meeting.bare.as_uri())
        standing = refs.read()
        try:
            refs.fetch(standing, [name for name in (standing.branch, FORGE) if name in standing.refs])
        except ProblemError as error:
            return str(error)
        return ""

    def alarms(self) -> list[Path]:
        return [place for place in self.clones if "E-PAST" in self.look(place)]

    def play(self) -> None:
        self.words += 1
        before = self.meeting.game().head.seq
        self.meeting.send("ann", Letter(pull=0, kind="comment", body=f"/do state {self.words}"))
        self.meeting.forge = LocalForge(self.meeting.bare)
        self.meeting.referee(60)
        assert self.meeting.game().head.seq > before

    # -- what is honest, and looks odd

    def prune(self) -> None:
        """Let the table be tidied up: letters that were answered go, objects are packed, and git's own logs go."""
        for name in [each for each in self.meeting.repo.references if each.startswith("refs/moot/letters")]:
            self.meeting.put(name, "")
        git(self.meeting.bare, "gc", "--quiet", "--prune=now")

    def tidy(self) -> None:
        for place in self.clones:
            git(place, "fetch", "--quiet", "--prune")
            git(place, "gc", "--quiet")

    def rename(self) -> None:
        """Give the branch another name, and another one still."""
        git(self.meeting.bare, "branch", "aside", "main")
        git(self.meeting.bare, "symbolic-ref", "HEAD", "refs/heads/aside")
        assert self.alarms() == []
        git(self.meeting.bare, "symbolic-ref", "HEAD", MAIN)
        git(self.meeting.bare, "branch", "-D", "aside")


@pytest.mark.threat("T-130")
def test_honest_play_raises_no_alarm_and_whoever_saw_what_is_taken_back_is_told(tmp_path: Path) -> None:
    table, pasts = Table(tmp_path), list[tuple[str, str]]()
    for words in KINDS:
        table.clone(*words)
    for step in (table.play, table.prune, table.play, table.tidy, table.rename):
        step()
        assert table.alarms() == [], step
        pasts.append(table.tips)
    now, old, seq = table.tips, pasts[1], table.meeting.game().head.seq
    for past in ((old[0], now[1]), (now[0], old[1]), old):
        table.put(*past)
        assert table.alarms() == table.clones, past
    while table.meeting.game().head.seq <= seq:  # the past is written anew, and goes on
        table.play()
    assert table.alarms() == table.clones
    table.put(*now)
    assert table.alarms() == [], "the past that was seen first is the right one"


@pytest.mark.threat("T-130")
def test_what_a_mirror_saw_is_neither_pruned_nor_given_by_its_remote(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.play()
    place, old = table.clone("--mirror"), table.tips
    table.play()
    assert table.look(place) == ""
    for tip in table.tips:
        table.meeting.put(f"refs/folkmoot/other/{tip}", tip)
    for _ in range(2):
        git(place, "fetch", "--quiet", "--prune")
        table.put(*old)
        assert "E-PAST" in table.look(place)
