"""Nobody is shown another past: a clone holds what its remote says now against what it saw, and keeps the proof."""

from __future__ import annotations

from pathlib import Path

import pygit2
import pytest

from folkmoot.forges.local.forge import LocalForge
from folkmoot.journal.layout import entry_name
from tests.support.gathering import Gathering
from tests.support.meeting import GAME, Meeting, git, identity
from tests.support.moot import Moot, Said
from tests.support.sites import lay_small_site

LOOKS = (
    ("status",), ("status", "--json"), ("log",), ("show",), ("verify",), ("act", "state", "x"), ("act", "--list"),
    ("comment", "hi"), ("status", "--wait", "--timeout", "60"), ("serve", "--build", "--trust"), ("explain", "ann"), ("verify", "--repair",), ("referee",),
)  # fmt: skip
FORGE = "refs/moot/forge"


def tip(place: Path, ref: str = "refs/heads/main") -> str:
    return git(place, "rev-parse", ref).strip()


def rewind(place: Path, main: str = "", forge: str = "") -> None:
    """Put refs of a table back, as whoever keeps the host can."""
    for ref, commit in (("refs/heads/main", main), (FORGE, forge)):
        if commit:
            git(place, "update-ref", ref, commit)


def said(meeting: Gathering, body: str) -> None:
    """Let ann say something to the game that is recorded."""
    Meeting.say(meeting, "ann", 0, f"/do state {body}")
    assert meeting.referee(60).entries


def fresh_referee(meeting: Gathering) -> None:
    """Let another referee go on, who has seen nothing."""
    meeting.referee_folder = meeting._clone(f"referee-at-{tip(meeting.bare)}")
    meeting.repo = pygit2.Repository(str(meeting.referee_folder))
    meeting.forge = LocalForge(meeting.referee_folder, meeting.remote)


@pytest.fixture
def meeting(gathering: Gathering) -> Gathering:
    """Return a gathering whose referee has recorded one act, and whose ann has looked."""
    fresh_referee(gathering)
    said(gathering, "one")
    gathering.moot("ann", "status")
    return gathering


class TestRewound:
    @pytest.mark.threat("T-130")
    @pytest.mark.parametrize("what", ["branch", "forge", "both"])
    def test_what_was_seen_and_is_gone_is_told_by_every_look_and_kept(self, meeting: Gathering, what: str) -> None:
        old = tip(meeting.bare), tip(meeting.bare, FORGE)
        said(meeting, "two")
        meeting.moot("ann", "status")
        lay_small_site(meeting.clone("ann"))
        seen = tip(meeting.bare), tip(meeting.bare, FORGE)
        rewind(meeting.bare, old[0] if what != "forge" else "", old[1] if what != "branch" else "")
        for words in LOOKS if what == "branch" else LOOKS[::4]:
            told = meeting.moot("ann", *words, code=4)
            if what == "branch" and words in (("verify", "--repair"), ("referee",)):
                assert "entry was removed" in told.err + told.out, "what a referee had proved it finds lost by itself"
                continue
            assert "E-PAST" in told.err + told.out, words
            assert "--accept-past" in told.err + told.out
            if what != "forge" and words not in (("verify", "--repair"), ("referee",)):
                assert "entry 3, 'state' by ann of " in told.err + told.out
        if what == "both":
            assert "entry 3 of " in meeting.moot("ann", "status", "--offline").out, "what was seen is here"
        clone = meeting.clone("ann")
        git(clone, "-c", "gc.reflogExpire=now", "gc", "--prune=now", "--quiet")
        git(clone, "fetch", "--prune", "--quiet")
        assert all(git(clone, "cat-file", "-t", commit) == "commit" for commit in (*seen, *old))

    @pytest.mark.threat("T-130")
    def test_to_have_been_told_of_one_loss_hides_no_other(self, meeting: Gathering) -> None:
        old = tip(meeting.bare), tip(meeting.bare, FORGE)
        said(meeting, "two")
        git(meeting.clone("ann"), "pull", "--quiet")  # what git pulled in between was seen too
        meeting.moot("ann", "status")
        new = tip(meeting.bare), tip(meeting.bare, FORGE)
        for main, forge in ((new[0], old[1]), (old[0], new[1]), (new[0], old[1]), old):
            rewind(meeting.bare, main, forge)
            git(meeting.clone("ann"), "fetch", "--quiet")  # git itself takes it without a word
            assert "E-PAST" in meeting.moot("ann", "status", code=4).err

    @pytest.mark.threat("T-130")
    def test_a_past_written_anew_with_as_many_entries_or_more_is_told(self, meeting: Gathering) -> None:
        old = tip(meeting.bare), tip(meeting.bare, FORGE)
        said(meeting, "two")
        meeting.moot("ann", "status")
        rewind(meeting.bare, *old)
        fresh_referee(meeting)
        for words in ("not two", "three", "four"):
            said(meeting, words)
        told = meeting.moot("ann", "status", code=4).err
        assert "entry 3, 'state' by ann of " in told
        assert "is another one there, 'state' by ann of" in told

    def test_the_other_past_is_taken_by_one_command_and_not_for_ever(self, meeting: Gathering) -> None:
        old = tip(meeting.bare), tip(meeting.bare, FORGE)
        said(meeting, "two")
        meeting.moot("ann", "status")
        new = tip(meeting.bare), tip(meeting.bare, FORGE)
        rewind(meeting.bare, *old)
        assert "entry 3" in meeting.moot("ann", "verify", "--accept-past").out
        meeting.moot("ann", "verify")
        rewind(meeting.bare, *new)
        meeting.moot("ann", "status")
        rewind(meeting.bare, *old)
        meeting.moot("ann", "status", code=4)

    def test_what_somebody_put_there_by_hand_and_repair_took_back_is_no_loss(self, meeting: Gathering) -> None:
        name = f"state/{GAME}/{entry_name(3)}"
        made = Meeting.change(meeting, "bob", {name: b"seq: 3\n"}, "By hand")
        git(meeting.seat("bob").refs.git.path, "push", "--quiet", str(meeting.bare), f"{made}:refs/heads/main")
        assert "E-PAST" not in meeting.moot("ann", "status", code=4).err
        meeting.moot("ann", "verify", "--repair", "revert")
        meeting.moot("ann", "status")


@pytest.fixture
def keeper(moot: Moot, tmp_path: Path) -> Keeper:
    """Return a game that one person keeps, with a bare repository and a second clone."""
    return Keeper(moot, tmp_path)


class Keeper:
    """A game kept by one person, whose clone `mine` pushes to a host; `other` is a clone of somebody who looks."""

    def __init__(self, moot: Moot, folder: Path) -> None:
        self.moot, self.folder = moot, folder
        self.host, self.mine, self.other = folder / "host.git", folder / "mine", folder / "other"
        git(folder, "init", "--quiet", "--bare", "--initial-branch=main", str(self.host))
        git(folder, "clone", "--quiet", str(self.host), str(self.mine))
        identity(self.mine, "ann")
        players = [word for player in ("ann,surname=Abel", "bob,surname=Bond") for word in ("-p", player)]
        assert self.run(self.mine, "new", "table", "-r", "suber", *players, "--at", "2026-01-05T12:00:00Z").code == 0
        self.push()
        git(folder, "clone", "--quiet", str(self.host), str(self.other))
        identity(self.other, "bob")

    def run(self, place: Path, *words: str) -> Said:
        return self.moot("-C", str(place), *words)

    def act(self, word: str, place: Path | None = None) -> None:
        done = self.run(place or self.mine, "act", "state", word, "--by", "ann")
        assert done.code == 0, done.err

    def push(self, place: Path | None = None) -> None:
        git(place or self.mine, "push", "--quiet", "origin", "HEAD:main")


class TestKeptByOne:
    @pytest.mark.threat("T-130")
    @pytest.mark.parametrize("looked", [True, False])
    def test_the_host_that_takes_something_back_is_told(self, keeper: Keeper, looked: bool) -> None:
        old = tip(keeper.host)
        keeper.act("one")
        keeper.push()
        git(keeper.other, "pull", "--quiet")
        if looked:
            lay_small_site(keeper.other)
            assert keeper.run(keeper.other, "status").code == 0
        git(keeper.host, "update-ref", "refs/heads/main", old)
        for words in (
            ("status",),
            ("log",),
            ("show",),
            ("verify",),
            ("check",),
            *((("serve", "--build", "--trust"),) * looked),
        ):
            told = keeper.run(keeper.other, *words)
            assert (told.code, "E-PAST" in told.err) == (4, True), (words, told)
        assert "entry 2, 'state' by ann" in told.err
        for word in ("another", "and more"):
            git(keeper.mine, "reset", "--quiet", "--hard", old if word == "another" else "HEAD")
            keeper.act(word)
        git(keeper.mine, "push", "--quiet", "--force", "origin", "HEAD:main")
        assert keeper.run(keeper.other, "status").code == 4, "written anew"
        git(keeper.other, "fetch", "--quiet")
        git(keeper.other, "reset", "--quiet", "--hard", "origin/main")
        told = keeper.run(keeper.other, "status")
        assert (told.code, "is another one there" in told.err) == (4, True)

    def test_honest_play_by_two_clones_raises_no_alarm(self, keeper: Keeper) -> None:
        old = tip(keeper.host)
        for number in range(4):
            place, there = (keeper.mine, keeper.other) if number % 2 == 0 else (keeper.other, keeper.mine)
            git(place, "pull", "--quiet")
            keeper.act(f"word {number}", place)
            assert keeper.run(place, "status").code == 0, "what is not pushed yet is nobody's loss"
            keeper.push(place)
            assert keeper.run(there, "status").code == 0, "newer play elsewhere is no other past"
        git(keeper.other, "pull", "--quiet")
        for words in ((old,), ("-b", "old"), ("main",)):
            git(keeper.other, "checkout", "--quiet", *words)
            assert keeper.run(keeper.other, "status").code == 0, "what is checked out is somebody's own choice"
        git(keeper.mine, "pull", "--quiet")
        redacted = keeper.run(keeper.mine, "act", "redact", "--by", "ann", "seq=2", "path=with.text")
        keeper.push()
        assert (redacted.code, keeper.run(keeper.other, "verify").code) == (0, 0), redacted.err
        git(keeper.other, "pull", "--quiet")
        assert keeper.run(keeper.other, "verify").code == 0
