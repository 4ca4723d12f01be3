"""Real forges, 4: `moot status` crashed once an issue was open, and so did every command given a wrong number."""

from __future__ import annotations

from pathlib import Path

import pygit2
import pytest
from msgspec.structs import replace

from folkmoot.forges.cache.forge_cache import ForgeCache
from folkmoot.forges.cache.refs import FORGE
from tests.forges.gitea.gitea_meeting import GiteaMeeting
from tests.forges.github.github_meeting import GitHubMeeting
from tests.forges.web_meeting import WebMeeting
from tests.support.meeting import git, identity
from tests.support.moot import Moot, Said

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


def test_status_lists_the_pull_requests_alone(clone: Clone) -> None:
    said = clone.moot("status", "--json")
    assert said.code == 0, said.err
    assert [pull["number"] for pull in said.record["pulls"]] == [clone.pull]
    assert clone.moot("status", "--offline").code == 0


@pytest.mark.parametrize(
    "words",
    [("try",), ("try", "--said"), ("withdraw",), ("vote", "for"), ("comment", "hi", "--on"),
     ("act", "state", "text=hi", "--on"), ("propose", "--new", "--update")],
    ids=lambda words: words[0],
)  # fmt: skip
@pytest.mark.parametrize("which", ["issue", "nothing"])
@pytest.mark.sampled(3)
def test_every_command_says_what_a_wrong_number_is(clone: Clone, words: tuple[str, ...], which: str) -> None:
    number = str(clone.issue if which == "issue" else 99)
    given = (words[0], number, *words[1:]) if words[0] == "vote" else (*words, number)
    said = clone.moot(*given)
    err = " ".join(said.err.split())
    assert said.code == 1, (given, said.err)
    assert "E-NO-SUCH" in err
    meant = f"{number} is an issue (Something), no pull request" if which == "issue" else "there is no pull request 99"
    assert meant in err
    assert f"open: {clone.pull} (A dragon)" in err


def test_what_could_not_be_fetched_yet_is_no_crash(clone: Clone) -> None:
    repo = pygit2.Repository(str(clone.meeting.bare))
    seen = ForgeCache(repo, str(repo.references[FORGE].target))
    place = seen.pull(clone.pull)
    assert place is not None
    assert place.pull is not None
    seen.keep_pull(50, replace(place, pull=replace(place.pull, number=50, title="Huge", pushes=())))
    repo.references.create(FORGE, seen.write("Observe", seen.at), force=True)
    for words in (("status",), ("status", "--offline")):
        said = clone.moot(*words)
        assert said.code == 0, said.err
        assert "Huge" not in said.out
    assert "content of pull request 50 is not here yet" in " ".join(clone.moot("try", "50").err.split())
