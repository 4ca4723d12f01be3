"""`moot referee` on GitHub: by the addresses of the remote, with a token that no other process sees."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pygit2
import pytest

from folkmoot.cli import forges
from folkmoot.cli.main import main
from folkmoot.cli.posting import send
from folkmoot.core.problems import ProblemError
from folkmoot.forges.github import GitHubForge
from folkmoot.forges.local.forge import LocalForge
from folkmoot.forges.local.letters import Letter
from folkmoot.game.secret_store import TOKENS
from folkmoot.journal.tree import GameTree
from folkmoot.player.answers import changed_by_hand
from folkmoot.player.remote_view import RemoteView
from tests.forges.github.emulator import TOKEN
from tests.forges.github.github_meeting import GitHubMeeting
from tests.forges.github.over_http import serving_github
from tests.support.meeting import GAME, git


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("https://github.com/ann/game.git", ("https://github.com", "ann/game")),
        ("https://user:pw@github.com/ann/game", ("https://github.com", "ann/game")),
        ("git@github.com:ann/game.git", ("https://github.com", "ann/game")),
        ("ssh://git@ghe.example/ann/my.game.git/", ("https://ghe.example", "ann/my.game")),
        ("http://127.0.0.1:8080/ann/game.git", ("http://127.0.0.1:8080", "ann/game")),
        ("/srv/games/hub.git", None),
        ("https://github.com/ann", None),
        ("https://github.com/ann/game/more", None),
        ("file:///srv/ann/game", None),
    ],
)
def test_where_a_repository_lies(address: str, place: tuple[str, str] | None) -> None:
    assert forges.github_place(address) == place


def test_the_games_say_which_forge_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    meeting = GitHubMeeting(tmp_path)
    git(tmp_path, "clone", "--quiet", str(meeting.bare), str(tmp_path / "work"))
    work = pygit2.Repository(str(tmp_path / "work"))
    for name in TOKENS:
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(ProblemError, match="the remote is not there"):
        forges.forge_of(work, meeting.remote)
    with pytest.raises(ProblemError, match="no token is given"):
        forges.forge_of(work, "https://github.com/moot/game.git")
    monkeypatch.setenv("GITHUB_TOKEN", TOKEN)
    assert isinstance(forges.forge_of(work, "https://github.com/moot/game.git"), GitHubForge)
    assert "GITHUB_TOKEN" not in os.environ
    assert isinstance(forges.forge_of(meeting.repo, meeting.remote), LocalForge)  # which holds no game yet


def test_a_vote_that_nobody_would_read_is_not_sent(tmp_path: Path) -> None:
    meeting = GitHubMeeting(tmp_path)
    git(tmp_path, "clone", "--quiet", str(meeting.bare), str(tmp_path / "clone"))
    player = RemoteView(tmp_path / "clone", meeting.remote).look()
    with pytest.raises(ProblemError, match="played on GitHub"):
        send(player, Letter(pull=0, kind="comment", body="/do state text=hello"))
    assert "refs/moot/letters" not in git(meeting.bare, "for-each-ref")


def test_a_clone_tells_what_was_changed_by_hand_on_a_forge(tmp_path: Path) -> None:
    """What a referee proved last stands in a ref there, and not in what it saw."""
    meeting = GitHubMeeting(tmp_path)
    meeting.propose("ann", "A dragon")
    meeting.referee()
    git(tmp_path, "clone", "--quiet", str(meeting.bare), str(tmp_path / "clone"))
    view = RemoteView(tmp_path / "clone", meeting.remote).look()
    assert changed_by_hand(view, GAME) == []
    git(tmp_path / "clone", "rm", "--quiet", f"state/{GAME}/roster.yaml")
    git(tmp_path / "clone", "commit", "--quiet", "--message", "By hand")
    git(tmp_path / "clone", "push", "--quiet", "origin", "HEAD:main")
    assert "roster.yaml" in str([str(problem.position) for problem in changed_by_hand(view.look(), GAME)])


@pytest.mark.process
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into other processes by /proc")
def test_the_command_referees_on_github(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    meeting = GitHubMeeting(tmp_path)
    (tmp_path / "moot").mkdir()
    (tmp_path / "moot" / "game.git").symlink_to(meeting.bare)
    pull = meeting.propose("ann", "A dragon")
    meeting.github.now = int(time.time())
    seen: list[str] = []

    def spy(*_: object) -> None:
        for process in Path("/proc").glob("[0-9]*"):
            try:
                told = (process / "environ").read_bytes() + (process / "cmdline").read_bytes()
                parent = (process / "stat").read_text().rpartition(")")[2].split()[1]
            except OSError:
                continue
            if parent == str(os.getpid()):
                seen.append(told.decode(errors="replace"))

    with serving_github(tmp_path, meeting.github, f"x-access-token:{TOKEN}") as server:
        remote = f"{server.address}/moot/game.git"
        folder = tmp_path / "runner"
        git(tmp_path, "clone", "--quiet", str(meeting.bare), str(folder))
        monkeypatch.chdir(folder)
        monkeypatch.setenv("FOLKMOOT_TOKEN", TOKEN)
        monkeypatch.setenv("GITHUB_SERVER_URL", server.address)
        monkeypatch.setenv("GITHUB_API_URL", f"{server.address}/api/v3")
        monkeypatch.setattr(GameTree, "commit", _spied(GameTree.commit, spy))
        with pytest.raises(SystemExit, match="0"):
            main(["referee", "--remote", remote])
    assert "1 entry recorded" in capsys.readouterr().out
    assert meeting.document("proposals/300/301")["via"]["pull"] == pull
    assert "A dragon" in meeting.said(pull)
    assert seen  # the judge
    assert not any(TOKEN in told for told in seen)
    assert GAME in git(meeting.bare, "ls-tree", "-r", "--name-only", "main")


def _spied(method, spy):  # type: ignore[no-untyped-def]
    def spied(*arguments, **named):  # type: ignore[no-untyped-def]
        spy()
        return method(*arguments, **named)

    return spied
