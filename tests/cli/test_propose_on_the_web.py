"""In a clone of a game on a forge on the web a branch is pushed, and where it becomes a pull request is told."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from folkmoot.forges.web.credentials import variable_of
from folkmoot.player.dry_run import FORGES
from tests.forges.forks import Forks, serving_forks
from tests.forges.gitea.gitea_meeting import GiteaMeeting
from tests.forges.gitea.over_http import serving_gitea
from tests.forges.github.github_meeting import GitHubMeeting
from tests.forges.github.over_http import serving_github
from tests.forges.web_meeting import WebMeeting
from tests.support.gathering import TEA
from tests.support.meeting import git, identity
from tests.support.moot import Moot, Said

pytestmark = pytest.mark.sampled(2)  # on one of the forges
MEETINGS = {"gitea": GiteaMeeting, "github": GitHubMeeting}


class Web:
    """A game on a forge on the web, and bob's clone of it."""

    def __init__(self, folder: Path, kind: str, moot: Moot, forks: Forks, meeting: WebMeeting) -> None:
        self.kind, self.forks, self.meeting, self._moot = kind, forks, meeting, moot
        self.home = f"{forks.address}/moot/game"
        self.clone = folder / "bob"
        self.tea = folder / "tea.yaml"
        self.tea.write_text(TEA)
        git(folder, "clone", "--quiet", f"{self.home}.git", str(self.clone))
        identity(self.clone, "bob")

    def moot(self, *words: str, code: int = 0) -> Said:
        anyway = ["--anyway"] if words[0] == "propose" else []  # it is not bob's turn
        joins = words[0] == "join"
        if joins:
            identity(self.clone, "zed")
        said = self._moot("-C", str(self.clone), *words, *anyway)
        if joins:
            identity(self.clone, "bob")
        assert said.code == code, (words, said.out, said.err)
        return said

    def with_fork(self) -> Path:
        """Let bob fork the game, and name his fork."""
        folder = self.forks.fork("bob")
        self.forks.writers.add("bob")
        git(self.clone, "remote", "add", "fork", f"{self.forks.address}/bob/game.git")
        return folder

    def refs(self) -> str:
        return git(self.meeting.bare, "for-each-ref", "--format=%(refname)")


@pytest.fixture(params=sorted(MEETINGS))
def web(tmp_path: Path, moot: Moot, request: pytest.FixtureRequest) -> Iterator[Web]:
    meeting = MEETINGS[request.param](tmp_path)
    with serving_forks(tmp_path, meeting.bare) as forks:
        yield Web(tmp_path, request.param, moot, forks, meeting)


def test_a_branch_of_the_fork_is_pushed_and_the_address_told(web: Web) -> None:
    said = web.moot("propose", "--rule", str(web.tea), code=5)
    assert "git remote add fork" in said.err.replace("\n", " ")
    before = web.refs()
    fork = web.with_fork()
    expand = "?expand=1" if web.kind == "github" else ""
    acts = (("propose", "--rule", str(web.tea)), ("join", "zed"))
    for words in acts:
        said = web.moot(*words, "--json").record
        assert (said["pull"], said["remote"]) == (None, "fork")
        assert said["address"] == f"{web.home}/compare/main...bob:{said['branch']}{expand}"
        assert git(fork, "rev-parse", f"refs/heads/{said['branch']}") == said["head"]
    assert web.refs() == before, "nothing was pushed to the game's own repository"
    assert "refs/pull" not in git(fork, "for-each-ref")
    git(web.clone, "remote", "set-url", "origin", f"{web.forks.address}/bob/game.git")
    git(web.clone, "remote", "set-url", "fork", f"{web.home}.git")
    said = web.moot("propose", "--rule", str(web.tea), "--remote", "fork", "--json").record
    assert said["remote"] == "origin", "a fork that is origin leads to the game that it was made of"
    assert f"{web.home}/compare/main...bob:" in said["address"]


@pytest.mark.parametrize("kind", sorted(MEETINGS))
def test_with_a_token_the_forge_opens_it_at_once(
    kind: str, tmp_path: Path, moot: Moot, monkeypatch: pytest.MonkeyPatch
) -> None:
    meeting = MEETINGS[kind](tmp_path)
    (tmp_path / "moot").mkdir()
    (tmp_path / "moot" / "game.git").symlink_to(meeting.bare)
    git(meeting.bare, "config", "http.receivepack", "true")
    tea, clone = tmp_path / "tea.yaml", tmp_path / "bob"
    tea.write_text(TEA)
    serving = serving_github if kind == "github" else serving_gitea
    with serving(tmp_path, meeting.web, "") as at:
        home = at.address if kind == "github" else at.home
        git(tmp_path, "clone", "--quiet", f"{home}/moot/game.git", str(clone))
        identity(clone, "bob")
        meeting.web.robot = "bob"  # whose token it is
        monkeypatch.setenv(variable_of(home), meeting.token)
        words = ("-C", str(clone), "propose", "--rule", str(tea), "--message", "For all.", "--anyway", "--title")
        said = moot(*words, "Tea", "--json")
        assert said.code == 0, said.err
        number, pull = said.record["pull"], meeting.web.pulls[said.record["pull"]]
        assert (said.record["address"], pull["title"], pull["body"]) == ("", "Tea", "For all.")
        assert pull["ref"] == said.record["branch"]
        again = moot(*words, "More tea")  # the same at the same second would be the same commit
        assert f"Opened pull request {number + 1} with the branch" in again.out, again.out + again.err
        monkeypatch.setenv(variable_of(home), "of-yesterday")
        refused = moot(*words, "Still more tea")
        assert refused.code == 0, refused.err
        shown = " ".join(refused.out.split())
        assert "It may be no pull request yet (" in shown
        assert f"{home}/moot/game/compare/main..." in shown.replace(" ", "")
        assert "of-yesterday" not in refused.out + refused.err


def test_who_may_write_pushes_to_the_game_itself(web: Web) -> None:
    web.forks.writers.add("moot")
    said = web.moot("propose", "--rule", str(web.tea))
    branch = re.search(r"Pushed the branch (\S+) to origin", said.out)
    assert branch, said.out
    assert f"{web.home}/compare/main...{branch[1]}" in said.out
    assert "Opened" not in said.out
    assert f"refs/heads/{branch[1]}" in web.refs()
    assert "refs/pull" not in web.refs()
    web.tea.write_text(TEA.replace("everybody", "nobody"))
    again = web.moot("propose", "--rule", str(web.tea), "--json").record
    assert again["branch"] == f"{branch[1]}-2", "what is there is not overwritten"


def test_the_checked_out_branch_keeps_its_name(web: Web) -> None:
    fork = web.with_fork()
    git(web.clone, "switch", "--quiet", "--create", "tea")
    rules = next(web.clone.glob("state/*/rules"))
    (rules / "tea.yaml").write_text(TEA)
    git(web.clone, "add", ".")
    git(web.clone, "commit", "--quiet", "--message", "Tea")
    said = web.moot("propose", "--title", "Tea & cake", "--json").record
    assert said["branch"] == "tea"
    assert said["address"].endswith("title=Tea%20%26%20cake")
    assert git(fork, "rev-parse", "tea") == git(web.clone, "rev-parse", "tea")
    assert web.moot("propose", "--json").record["branch"] == "tea", "a second time is no other branch"


def test_an_update_moves_the_branch_of_the_pull_request(web: Web) -> None:
    fork = web.with_fork()
    made = web.moot("propose", "--rule", str(web.tea), "--json").record
    number = web.meeting.web.open_pull("bob", "Tea", "", web.meeting.fetched_from(fork, made["head"]))
    web.meeting.referee()
    web.tea.write_text(TEA.replace("everybody", "nobody"))
    done = web.moot("propose", "--update", str(number), "--rule", str(web.tea), "--json").record
    assert (done["pull"], done["branch"], done["remote"]) == (number, made["branch"], "fork")
    assert git(fork, "rev-parse", made["branch"]) == done["head"] != made["head"]
    assert git(web.meeting.bare, "rev-parse", f"refs/pull/{number}/head") == made["head"], "the forge moves that"


def test_no_command_pushes_what_no_referee_reads(web: Web) -> None:
    number = web.meeting.propose("ann", "A dragon")
    web.meeting.referee()
    before = web.refs()
    web.forks.writers |= {"moot", "bob"}
    key = web.clone / "key.pub"
    key.write_text("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ2kyVrLBBlUHbdVz6hN2QlKq1Zf2NLr0PN6PqPPG2sC\n")
    for words, hint in (
        (("vote", str(number), "for"), "approve it there"),
        (("vote", str(number), "abstain"), "`/vote abstain`"),
        (("comment", "hello", "--on", str(number)), "`hello`"),
        (("act", "state", "text=hello"), "`/do state text=hello`"),
        (("key", "add", str(key)), "/do add_key"),
        (("withdraw", str(number)), "close it there"),
    ):
        said = web.moot(*words, code=1)
        err = " ".join(said.err.split())
        assert hint in err, (words, err)
        assert "not yours" not in err
    web.moot("status")
    web.moot("try", str(number))
    web.moot("try", str(number), "--said")
    assert web.refs() == before


def test_status_says_how_things_are_done_there_and_calls_nobody_a_stranger(web: Web) -> None:
    number = web.meeting.propose("ann", "A dragon")
    web.meeting.referee()
    web.meeting.say("ann", number, "/finalise")
    web.meeting.referee()
    said = web.moot("status")
    assert "You are bob" in said.out, "his address is known to the game"
    assert "comment `/vote for` on" in said.out
    assert "moot vote" not in said.out
    git(web.clone, "config", "user.email", "zed@x.org")
    said = web.moot("status")
    assert "no player here" not in said.out
    assert f"accounts on {FORGES[web.kind]}" in said.out
