"""Two players who meet, one of whom the host showed another past: one command names the fork, and whose words saw it."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from folkmoot.game.verify import replayed_anew, verify
from tests.forges.gitea.gitea_meeting import GiteaMeeting
from tests.forges.github.github_meeting import GitHubMeeting
from tests.support.meeting import GAME, Meeting, git, rule
from tests.support.moot import Moot
from tests.support.quick import SMALL

KINDS: dict[str, type[Meeting]] = {"local": Meeting, "gitea": GiteaMeeting, "github": GitHubMeeting}
WITNESS = re.compile(r"(\w+) \(entry (\d+), ([a-z ]+)\)")
BEFORE = (("ann", "propose"), ("bob", "state"))
AFTER = (("cid", "state"), ("dee", "propose"), ("bob", "review"), ("ann", "review"), ("cid", "state"))


class Past:
    """What a host makes of a game; `saw` is what each of it shows to have been seen: who, and up to which entry."""

    def __init__(self, folder: Path, kind: str) -> None:
        folder.mkdir()
        self.meeting, self.local = KINDS[kind](folder, law={**SMALL, "settings": {}}), kind == "local"
        self.bases: dict[int, int] = {}
        self.saw: list[tuple[str, int]] = []

    def copy(self, other: Past) -> None:
        shutil.rmtree(self.meeting.bare)
        shutil.copytree(other.meeting.bare, self.meeting.bare)
        self.meeting.now, self.bases, self.saw = other.meeting.now, {**other.bases}, [*other.saw]

    def play(self, who: str, what: str, word: str) -> None:
        meeting, last = self.meeting, self.meeting.game().head.seq
        seen = last if self.local else 0
        if what == "propose":
            pull = meeting.propose(who, word, **{f"r{word}": rule(word)})
            seen = self.bases[pull] = last
        elif what == "review":
            pull = max(self.bases)
            meeting.approve(who, pull)
            seen = seen or self.bases[pull]
        else:
            meeting.say(who, 0, f"/do state {word}")
        meeting.referee(60)
        assert meeting.game().head.seq > last
        self.saw += [(who, seen)] if seen else []

    def clone(self) -> Path:
        place = self.meeting.folder / "clone"
        git(self.meeting.folder, "clone", "--quiet", str(self.meeting.bare), str(place))
        return place

    def who_saw(self, seq: int) -> set[tuple[str, int]]:
        """Return whose words saw an entry or one after it, and up to which."""
        found = {who: max(last for other, last in self.saw if other == who) for who, _ in self.saw}
        return {(who, last) for who, last in found.items() if last >= seq}


def witnesses(said: str) -> set[tuple[str, int]]:
    """Return who is named, and up to which entry; nobody here has signed anything."""
    found = WITNESS.findall(said)
    assert {proof for *_, proof in found} <= {"by the word of the host"}
    return {(who, int(last)) for who, last, _ in found}


@pytest.mark.threat("T-130")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.sampled(2)
def test_the_first_entry_that_differs_and_all_who_saw_what_follows_are_named(
    kind: str, tmp_path: Path, moot: Moot
) -> None:
    one, other = Past(tmp_path / "one", kind), Past(tmp_path / "other", kind)
    for past in (one, other) if kind != "local" else (one,):
        for who, what in BEFORE:
            past.play(who, what, "Before")
    if kind == "local":  # what an emulator keeps beside git is the same where the same was done
        other.copy(one)
    fork = one.meeting.game().head.seq + 1
    assert one.meeting.game().head == other.meeting.game().head
    for name, past in (("One", one), ("Other", other)):
        for who, what in AFTER if past is one else AFTER[:-1]:
            past.play(who, what, name)
    said = moot("-C", str(one.clone()), "verify", "--against", str(other.clone()))
    assert (said.code, f"{GAME}: entry {fork}, " in said.err) == (4, True), said
    here, there = said.err.partition("what follows it was seen, here by ")[2].split(", there by ")
    assert (witnesses(here), witnesses(there)) == (one.who_saw(fork), other.who_saw(fork))
    assert one.who_saw(fork)
    for past in (one, other):
        report = verify(past.meeting.game(), replayed_anew(past.meeting.game()))
        assert report.sound, "each past for itself is sound, so that nobody else could tell"
        assert any(fact.startswith("by the word of the host alone") for fact in report.facts)
