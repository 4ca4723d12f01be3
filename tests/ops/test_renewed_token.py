"""Real forges, 9, and succession: a token that expired or was taken back is named, and a new one goes on."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from folkmoot.cli.main import main
from folkmoot.game.secret_store import TOKENS
from folkmoot.ops.doctor.examination import examine_there
from tests.forges.gitea.emulator import TOKEN
from tests.forges.gitea.gitea_meeting import GiteaMeeting
from tests.forges.gitea.over_http import serving_gitea
from tests.support.gitea_settings import asking, served
from tests.support.meeting import git


@pytest.mark.threat("T-66")
@pytest.mark.parametrize("how", ["git and the API", "the API alone"])
def test_a_run_with_an_old_token_says_so_in_one_sentence_and_one_with_a_new_one_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], how: str
) -> None:
    meeting = GiteaMeeting(tmp_path)
    (tmp_path / "moot").mkdir()
    (tmp_path / "moot" / "game.git").symlink_to(meeting.bare)
    meeting.propose("ann", "A dragon")
    meeting.gitea.now = int(time.time())
    before = git(meeting.bare, "for-each-ref")
    git(tmp_path, "clone", "--quiet", str(meeting.bare), str(tmp_path / "runner"))
    monkeypatch.chdir(tmp_path / "runner")
    for name in TOKENS:
        monkeypatch.delenv(name, raising=False)
    login = f"x-access-token:{TOKEN}" if how == "git and the API" else ""
    with serving_gitea(tmp_path, meeting.gitea, login) as server:
        for token, code in (("taken-back", "5"), (TOKEN, "0")):
            monkeypatch.setenv("FOLKMOOT_TOKEN", token)
            monkeypatch.setenv("GITHUB_SERVER_URL", server.home)
            with pytest.raises(SystemExit, match=code):
                main(["referee", "--remote", f"{server.home}/moot/game.git"])
            said = " ".join("".join(capsys.readouterr()).split())
            if code == "5":
                assert "the forge does not accept the token" in said
                assert "make a new one for the referee's account" in said
                assert "FOLKMOOT_TOKEN" in said
                assert "could not read Username" not in said
                assert "taken-back" not in said
                assert git(meeting.bare, "for-each-ref") == before, "nothing is half done"
    assert meeting.document("proposals/300/301")["title"] == "A dragon"


def test_the_doctor_says_it_too(tmp_path: Path) -> None:
    server = served(tmp_path)
    asked = asking(server)
    asked.client._headers["Authorization"] = "token taken-back"
    found = {each.code: each for each in examine_there(asked, token=True)}
    assert found["token"].state == "error"
    assert "does not accept the token" in found["token"].sentence
    assert "may have expired" in str(found["token"].mend)
