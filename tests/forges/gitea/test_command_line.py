"""`moot referee` on Forgejo and Gitea: by the address of the remote, with a token that no other forge gets."""

from __future__ import annotations

import os
from pathlib import Path

import httpx
import pygit2
import pytest

from folkmoot.cli import forges
from folkmoot.cli.tokens import take_token
from folkmoot.core.problems import ProblemError
from folkmoot.forges.gitea import GiteaForge
from folkmoot.game.secret_store import TOKENS
from tests.forges.gitea.emulator import API, PLACE, TOKEN
from tests.forges.gitea.gitea_meeting import GiteaMeeting
from tests.support.meeting import git


@pytest.fixture(autouse=True)
def no_job(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*TOKENS, "GITHUB_SERVER_URL", "GITHUB_API_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("https://codeberg.org/ann/game.git", ("https://codeberg.org", "ann/game")),
        ("https://user:pw@codeberg.org/ann/game", ("https://codeberg.org", "ann/game")),
        ("https://host.example:3000/git/deep/ann/my.game/", ("https://host.example:3000/git/deep", "ann/my.game")),
        ("http://127.0.0.1:3000/ann/game.git", ("http://127.0.0.1:3000", "ann/game")),
        ("git@codeberg.org:ann/game.git", ("https://codeberg.org", "ann/game")),
        ("ssh://git@codeberg.org:2222/ann/game.git", ("https://codeberg.org", "ann/game")),
        ("ssh://git@host.example/below/ann/game", None),
        ("/srv/games/hub.git", None),
        ("https://codeberg.org/ann", None),
        ("file:///srv/ann/game", None),
        ("", None),
    ],
)
def test_where_a_repository_lies(address: str, place: tuple[str, str] | None) -> None:
    assert forges.gitea_place(address) == place


def test_where_a_game_says_that_it_lies_counts_only_on_the_host_of_the_remote() -> None:
    ssh, home = "ssh://git@host.example:2222/ann/game", "https://host.example:8443/git/ann/game"
    assert forges.gitea_place(ssh, home) == ("https://host.example:8443/git", "ann/game")
    assert forges.gitea_place(ssh, home.replace("host.", "evil.")) == ("https://host.example", "ann/game")
    assert forges.gitea_place("https://host.example/ann/game", home) == ("https://host.example", "ann/game")


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


def test_the_games_say_which_forge_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    meeting = GiteaMeeting(tmp_path)
    git(tmp_path, "clone", "--quiet", str(meeting.bare), str(tmp_path / "work"))
    work = pygit2.Repository(str(tmp_path / "work"))
    with pytest.raises(ProblemError, match="the remote is not there"):
        forges.forge_of(work, meeting.remote)
    with pytest.raises(ProblemError, match="no token is given"):
        forges.forge_of(work, "https://codeberg.org/moot/game.git")
    monkeypatch.setenv("FOLKMOOT_TOKEN_HOST_EXAMPLE___GIT", TOKEN)
    monkeypatch.setenv("MOOT_THREAD", "7")
    forge = forges.forge_of(work, "https://host.example/git/moot/game.git")
    assert isinstance(forge, GiteaForge)
    assert (forge.reading.place, forge.reading.thread) == ("repos/moot/game", 7)
    assert "FOLKMOOT_TOKEN_HOST_EXAMPLE___GIT" not in os.environ


def test_what_a_purged_account_left_open_stops_nobody(tmp_path: Path) -> None:
    """A real server keeps its pull requests, by Ghost, with no repository behind their heads."""
    meeting = GiteaMeeting(tmp_path)
    left = meeting.propose("cid", "A bog")
    meeting.gitea.purge("cid")
    shown = meeting.gitea.handle(
        httpx.Request("GET", f"{API}{PLACE}/pulls/{left}", headers={"Authorization": f"token {TOKEN}"})
    ).json()
    assert (shown["user"]["login"], shown["head"]["repo"]) == ("Ghost", None)
    assert meeting.referee().entries == 0
    meeting.propose("ann", "A dragon")
    assert meeting.referee().entries == 1
