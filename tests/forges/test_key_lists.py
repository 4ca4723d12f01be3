"""A player imports a key from an account of the game's forge: shown with fingerprints, named by a comment of their own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from folkmoot.cli.main import main
from folkmoot.sealing.keys import read_identity, read_recipient
from tests.forges.gitea.emulator import TOKEN
from tests.forges.gitea.gitea_meeting import GiteaMeeting
from tests.forges.gitea.over_http import serving_gitea
from tests.forges.github.emulator import TOKEN as GITHUB_TOKEN
from tests.forges.github.github_meeting import GitHubMeeting
from tests.forges.github.over_http import serving_github
from tests.sealing.make_vectors import ecdsa_public, ssh_key
from tests.support.meeting import git


@contextmanager
def served(kind: str, folder: Path) -> Iterator[tuple[Any, Any, str]]:
    """Yield a meeting on a forge, its server, and where that lies: of Gitea below a folder of its host."""
    if kind == "gitea":
        gitea = GiteaMeeting(folder)
        with serving_gitea(folder, gitea.gitea, f"x-access-token:{TOKEN}") as server:
            yield gitea, server, server.home
        return
    github = GitHubMeeting(folder)
    with serving_github(folder, github.github, f"x-access-token:{GITHUB_TOKEN}") as server:
        yield github, server, server.address


@pytest.mark.parametrize("kind", ["github", "gitea"])
def test_a_key_of_an_account_is_imported_from_the_games_own_forge(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    own = read_identity(ssh_key("ssh-ed25519"))
    shown = [ecdsa_public(), own.recipient.text]
    with served(kind, tmp_path) as (meeting, server, home):
        server.key_lists["bob"] = "\n".join(shown) + "\n"
        meeting.say("ann", 0, f"/do use_forge forge={kind} home={home}/moot/game")
        meeting.referee()
        assert meeting.document("game")["forge"]["home"] == f"{home}/moot/game"
        git(tmp_path, "clone", "--quiet", str(meeting.bare), str(tmp_path / "bobs"))
        monkeypatch.chdir(tmp_path / "bobs")
        monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
        with pytest.raises(SystemExit):
            main(["key", "--sealing", "--from-forge", "bob", "--number", "1"])
        said = capsys.readouterr()
        assert server.asked == [("/bob.keys", [])], "nobody's token is sent"
        assert f"{home}/bob.keys has now:" in said.out
        assert "– an ECDSA key cannot open" in said.out
        assert f"1. {own.recipient.fingerprint}" in said.out
        (line,) = re.findall(r"(?s)`(/do use_sealing_key .*?)`", said.err)
        meeting.say("bob", 0, " ".join(line.split()))
        meeting.referee()
        named = meeting.document("roster")["bob"]["sealing"]["key"]
        assert read_recipient(named) == own.recipient
        server.key_lists["bob"] = shown[0]
        meeting.say("ann", 0, "I was here.")
        meeting.referee()
        assert len(server.asked) == 1, "nothing is fetched again"
