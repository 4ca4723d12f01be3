"""What is sent to a game on a forge on the web is tried before on the clone's law, in the same words as anywhere."""

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


def test_what_is_meant_to_be_said_there_is_tried_first(
    tmp_path: Path, moot: Moot, monkeypatch: pytest.MonkeyPatch
) -> None:
    forge = Seats(tmp_path / "github", "github", moot, monkeypatch)
    refused = forge("bob", "act", "finalise")
    assert refused.code == 3
    assert "--anyway" in refused.err
    assert "comment there" not in refused.err
    for words in (("act", "finalise", "--anyway"), ("act", "state", "Hear me.")):
        said = forge("bob", *words)
        assert said.code != 0
        assert "comment there" in said.err, "only the forge takes it"
    assert "As the game stands here" in said.out


def test_who_somebody_is_there(tmp_path: Path, moot: Moot, monkeypatch: pytest.MonkeyPatch) -> None:
    forge = Seats(tmp_path / "github", "github", moot, monkeypatch)
    words = ("act", "state", "Hear me.", "--dry-run")
    clone = forge.folder / "zoe"
    unknown = forge("zoe", *words)
    assert "git config moot.player ID" in unknown.err
    assert unknown.code == 0
    assert "`git config moot.player PLAYER`" in forge("zoe", "status").out
    git(clone, "config", "moot.player", "bbo")
    assert "moot.player names bbo" in forge("zoe", *words).err
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
