"""`moot referee` on a forge with an API: by the address of the remote, with a token that no other process or forge gets."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pygit2
import pytest

from folkmoot.cli import forges
from folkmoot.cli.saying import send
from folkmoot.cli.tokens import take_token
from folkmoot.core.problems import ProblemError
from folkmoot.forges.gitea import GiteaForge
from folkmoot.forges.github import GitHubForge
from folkmoot.forges.local.forge import LocalForge
from folkmoot.forges.local.letters import Letter
from folkmoot.game.secret_store import TOKENS
from folkmoot.player.answers import changed_by_hand
from folkmoot.player.remote_view import RemoteView
from tests.forges.gitea.gitea_meeting import GiteaMeeting
from tests.forges.github.emulator import TOKEN
from tests.forges.github.github_meeting import GitHubMeeting
from tests.support.meeting import GAME, git, identity


@pytest.fixture(autouse=True)
def no_job(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*TOKENS, "GITHUB_SERVER_URL", "GITHUB_API_URL"):
        monkeypatch.delenv(name, raising=False)


def cloned(meeting: Any) -> Path:
    """Return somebody's clone of a game."""
    git(meeting.folder, "clone", "--quiet", str(meeting.bare), "clone")
    return Path(meeting.folder / "clone")


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("https://host.example/ann/game.git", ("https://host.example", "ann/game")),
        ("https://user:pw@host.example/ann/game", ("https://host.example", "ann/game")),
        ("git@host.example:ann/game.git", ("https://host.example", "ann/game")),
        ("ssh://git@host.example/ann/my.game.git/", ("https://host.example", "ann/my.game")),
        ("http://127.0.0.1:8080/ann/game.git", ("http://127.0.0.1:8080", "ann/game")),
        ("https://host.example:30/git/deep/ann/my.game/", ("https://host.example:30/git/deep", "ann/my.game")),
        ("ssh://git@host.example/below/ann/game", None),
        ("/srv/games/hub.git", None),
        ("https://host.example/ann", None),
        ("file:///srv/ann/game", None),
        ("", None),
    ],
)
def test_where_a_repository_lies(address: str, place: tuple[str, str] | None) -> None:
    assert forges.web_place(address) == place


def test_where_a_game_says_that_it_lies_counts_only_on_the_host_of_the_remote() -> None:
    ssh, home = "ssh://git@host.example:2222/ann/game", "https://host.example:8443/git/ann/game"
    assert forges.web_place(ssh) == ("https://host.example", "ann/game")
    assert forges.web_place(ssh, home) == ("https://host.example:8443/git", "ann/game")
    assert forges.web_place(ssh, home.replace("host.", "evil.")) == ("https://host.example", "ann/game")
    assert forges.web_place("https://host.example/ann/game", home) == ("https://host.example", "ann/game")


@pytest.mark.parametrize(
    ("names", "server", "found"),
    [
        (["FOLKMOOT_TOKEN_CODEBERG_ORG", "FOLKMOOT_TOKEN"], "", "FOLKMOOT_TOKEN_CODEBERG_ORG"),
        (["FOLKMOOT_TOKEN", "FORGEJO_TOKEN", "GITEA_TOKEN", "FOLKMOOT_TOKEN_EXAMPLE_ORG"], "", ""),
        (["FOLKMOOT_TOKEN", "GITHUB_TOKEN"], "https://codeberg.org", "FOLKMOOT_TOKEN"),
        (["GITHUB_TOKEN"], "https://codeberg.org/", "GITHUB_TOKEN"),
        (["GITHUB_TOKEN"], "https://github.com", ""),
        (["GITHUB_TOKEN", "GH_TOKEN"], "", ""),
        ([], "", ""),
    ],
)
def test_no_forge_gets_the_token_of_another(
    monkeypatch: pytest.MonkeyPatch, names: list[str], server: str, found: str
) -> None:
    for name in names:
        monkeypatch.setenv(name, name)
    monkeypatch.setenv("GITHUB_SERVER_URL", server)
    assert take_token("gitea", "https://codeberg.org") == found
    assert not any(name in os.environ for name in (*TOKENS, *names))


@pytest.mark.parametrize(
    ("make", "remote", "variable", "kind"),
    [
        (GitHubMeeting, "https://github.com/moot/game.git", "GITHUB_TOKEN", GitHubForge),
        (GiteaMeeting, "https://host.example/git/moot/game.git", "FOLKMOOT_TOKEN_HOST_EXAMPLE___GIT", GiteaForge),
    ],
)
def test_the_games_say_which_forge_it_is(
    make: Callable[[Path], Any], remote: str, variable: str, kind: type[Any], tmp_path: Path, monkeypatch: Any
) -> None:
    meeting = make(tmp_path)
    work = pygit2.Repository(str(cloned(meeting)))
    with pytest.raises(ProblemError, match="the remote is not there"):
        forges.forge_of(work, meeting.remote)
    with pytest.raises(ProblemError, match="no token is given"):
        forges.forge_of(work, remote)
    monkeypatch.setenv(variable, TOKEN)
    monkeypatch.setenv("MOOT_THREAD", "7")
    forge: Any = forges.forge_of(work, remote)
    assert isinstance(forge, kind)
    assert (forge.reading.place, forge.reading.thread) == ("repos/moot/game", 7)
    assert variable not in os.environ
    assert isinstance(forges.forge_of(meeting.repo, meeting.remote), LocalForge)  # which holds no game yet


def test_a_vote_that_nobody_would_read_is_not_sent(tmp_path: Path) -> None:
    meeting = GitHubMeeting(tmp_path)
    player = RemoteView(cloned(meeting), meeting.remote).look()
    with pytest.raises(ProblemError, match="played on GitHub"):
        send(player, Letter(pull=0, kind="comment", body="/do state text=hello"))
    assert "refs/moot/letters" not in git(meeting.bare, "for-each-ref")


def test_a_clone_tells_what_was_changed_by_hand_on_a_forge(tmp_path: Path) -> None:
    """What a referee proved last stands in a ref there, and not in what it saw."""
    meeting = GitHubMeeting(tmp_path)
    meeting.propose("ann", "A dragon")
    meeting.referee()
    clone = cloned(meeting)
    identity(clone, "ann")
    view = RemoteView(clone, meeting.remote).look()
    assert changed_by_hand(view, GAME) == []
    git(clone, "rm", "--quiet", f"state/{GAME}/roster.yaml")
    git(clone, "commit", "--quiet", "--message", "By hand")
    git(clone, "push", "--quiet", "origin", "HEAD:main")
    assert "roster.yaml" in str([str(problem.position) for problem in changed_by_hand(view.look(), GAME)])
