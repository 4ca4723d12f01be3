"""Clones of games on forges on the web: what is sent is tried before, who somebody is there, and numbers of issues."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.forges.gitea.emulator import GENERATIONS
from tests.forges.gitea.gitea_meeting import GiteaMeeting
from tests.forges.github.github_meeting import GitHubMeeting
from tests.forges.web_meeting import TwinMeeting, WebMeeting
from tests.support.gathering import TEA
from tests.support.meeting import git, identity
from tests.support.moot import Moot, Said

Kind = Callable[[Path], TwinMeeting]
FORGES: dict[str, Kind] = {
    "local": TwinMeeting,
    "github": GitHubMeeting,
    "gitea": lambda folder: GiteaMeeting(folder, generation=next(iter(GENERATIONS.values()))),
}
TRIED = (
    ("bob", "act", "state", "Hear me.", "--dry-run"),
    ("bob", "act", "finalise"),
    ("bob", "act", "transfer", "to=ann", "amount=3", "--dry-run"),
    ("bob", "propose", "--rule", "tea.yaml"),
    ("bob", "propose", "--repeal", "206", "--dry-run"),
    ("bob", "vote", "1", "for", "--dry-run"),
    ("ann", "vote", "1", "for", "--dry-run"),
    ("ann", "act", "finalise", "--on", "1", "--dry-run"),
    ("ann", "comment", "/finalise", "--dry-run"),
    ("cid", "comment", "--on", "1", "/vote for", "--dry-run"),
    ("ann", "join", "--dry-run"),
    ("eve", "join", "eve", "--name", "Eve Ernst", "--dry-run"),
)


class Seats:
    """A meeting at which `moot` is run in clones."""

    def __init__(self, folder: Path, kind: str, moot: Moot, patch: pytest.MonkeyPatch) -> None:
        folder.mkdir()
        self.folder, self.meeting, self.moot, self.patch = folder, FORGES[kind](folder), moot, patch
        (folder / "tea.yaml").write_text(TEA, "utf-8")
        assert self.meeting.propose("ann", "A dragon") == 1 or kind != "local"
        self.pull = str(1 if kind == "local" else max(self.web.web.pulls))
        self.meeting.referee()

    @property
    def web(self) -> WebMeeting:
        assert isinstance(self.meeting, WebMeeting)
        return self.meeting

    def __call__(self, person: str, *words: str) -> Said:
        """Run `moot` at somebody's seat, with pull request 1 by its number here."""
        clone = self.folder / person
        if not clone.exists():
            git(self.folder, "clone", "--quiet", str(self.meeting.bare), str(clone))
            identity(clone, person)
        self.patch.chdir(self.folder)
        self.patch.setattr("folkmoot.player.present_time.present", lambda: self.meeting.now)
        return self.moot("-C", str(clone), *(self.pull if word == "1" else word for word in words))


def told(said: Said) -> list[str]:
    """Return what a command says of what would come of something."""
    kept = ("The referee would", "As the game stands", "It will wait", "  hint", "Nothing was sent")
    return [line for line in (said.out + said.err).splitlines() if line.startswith(kept)]


@pytest.mark.parametrize("kind", ["github", "gitea"])
@pytest.mark.sampled(2)
def test_the_same_is_foreseen_as_on_plain_git(
    tmp_path: Path, moot: Moot, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    table, forge = (Seats(tmp_path / name, name, moot, monkeypatch) for name in ("local", kind))
    before = git(forge.meeting.bare, "for-each-ref")
    for person, *words in TRIED:
        wanted, found = table(person, *words), forge(person, *words)
        there = [line.replace("request 1", f"request {forge.pull}").replace("local", kind) for line in told(wanted)]
        assert told(found) == there, (words, wanted, found)
        assert told(found) or "you are ann in" in found.err, (words, found)
        assert found.code == wanted.code, (words, wanted, found)
    assert git(forge.meeting.bare, "for-each-ref") == before


def test_who_somebody_is_there(tmp_path: Path, moot: Moot, monkeypatch: pytest.MonkeyPatch) -> None:
    forge = Seats(tmp_path / "github", "github", moot, monkeypatch)
    words = ("act", "state", "Hear me.", "--dry-run")
    clone = forge.folder / "zoe"
    unknown = forge("zoe", *words)
    assert "git config moot.player ID" in unknown.err
    assert unknown.code == 0
    assert "`git config moot.player PLAYER`" in forge("zoe", "status").out
    git(clone, "config", "moot.player", "bbo")
    assert "which account on GitHub is yours" in forge("zoe", *words).err
    assert "you are bbo, whom the game does not know on GitHub" in forge("zoe", "status").out
    git(clone, "config", "moot.player", "bob")
    named = forge("zoe", *words)
    assert "As the game stands here" in named.out
    assert '"player": "bob"' in forge("zoe", "status", "--json").out
    git(clone, "config", "--unset", "moot.player")
    git(clone, "config", "user.email", "7001+bob@users.noreply.github.com")
    assert forge("zoe", *words).out == named.out
    git(clone, "config", "user.email", "9+zoe@users.noreply.github.com")
    assert "would refuse it" in forge("zoe", *words).err


# -- numbers of issues


FORM = "### Which action?\n\nstate\n\n### What it needs\n\ntext: hello\n"


class Clone:
    """Bob's clone of a game with an open pull request and an open issue."""

    def __init__(self, folder: Path, moot: Moot, meeting: WebMeeting) -> None:
        self._moot, self.meeting, self.path = moot, meeting, folder / "bob"
        self.pull = meeting.propose("ann", "A dragon")
        self.issue = meeting.web.open_issue("bob", "Something", ("game",), FORM)
        meeting.referee()
        git(folder, "clone", "--quiet", str(meeting.bare), str(self.path))
        identity(self.path, "bob")

    def moot(self, *words: str) -> Said:
        return self._moot("-C", str(self.path), *words)


@pytest.fixture(params=[GiteaMeeting, GitHubMeeting], ids=["gitea", "github"])
def clone(tmp_path: Path, moot: Moot, request: pytest.FixtureRequest) -> Clone:
    return Clone(tmp_path, moot, request.param(tmp_path))


@pytest.mark.sampled(2)
def test_a_number_that_is_no_pull_request_is_told_as_what_it_is(clone: Clone) -> None:
    said = clone.moot("status", "--json")
    assert said.code == 0, said.err
    assert [pull["number"] for pull in said.record["pulls"]] == [clone.pull]
    for words in (
        "try",
        "try --said",
        "withdraw",
        "comment hi --on",
        "act state text=hi --on",
        "propose --new --update",
    ):
        for number, meant in (
            (clone.issue, f"{clone.issue} is an issue (Something), no pull request"),
            (99, "there is no pull request 99"),
        ):
            said = clone.moot(*words.split(), str(number))
            err = " ".join(said.err.split())
            assert said.code == 1, (words, said.err)
            assert "E-NO-SUCH" in err
            assert meant in err
            assert f"open: {clone.pull} (A dragon)" in err
