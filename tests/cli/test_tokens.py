"""Tokens come from the environment, or from the program with which somebody is logged in at this very host."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from folkmoot.cli.repositories import token_for
from folkmoot.cli.tokens import take_token, take_tokens
from folkmoot.core.problems import ProblemError
from folkmoot.forges.web.credentials import git_variables
from folkmoot.game.process_hardening import TOKENS
from tests.cli.conftest import Moot

SECRET = "gho_secret_of_the_login"
LOGINS = """\
logins:
- name: berg
  url: https://codeberg.org/
  token: token-of-codeberg
  default: false
- {name: empty, url: "https://empty.example", token: ""}
preferences: {editor: false}
"""


@pytest.fixture
def programs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return the folder of programs: a `gh` that is logged in at github.com, and settings of `tea`."""
    for name in (*TOKENS, "GITHUB_SERVER_URL"):
        monkeypatch.delenv(name, raising=False)
    folder = tmp_path / "programs"
    (tmp_path / "settings" / "tea").mkdir(parents=True)
    folder.mkdir()
    gh = folder / "gh"
    gh.write_text(
        f'#!/bin/sh\necho "$@ [$GH_TOKEN]" >>{folder}/asked\n'
        f'[ "$*" = "auth token --hostname github.com" ] && echo {SECRET} || {{ echo no login >&2; exit 4; }}\n'
    )
    gh.chmod(0o755)
    (tmp_path / "settings" / "tea" / "config.yml").write_text(LOGINS)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    return folder


@pytest.mark.parametrize(
    ("kind", "home", "found"),
    [
        ("github", "https://github.com", SECRET),
        ("github", "https://ghe.example", ""),
        ("github", "http://github.com", ""),
        ("github", "", ""),
        ("gitea", "https://codeberg.org", "token-of-codeberg"),
        ("gitea", "https://codeberg.org.evil.example", ""),
        ("gitea", "https://empty.example", ""),
        ("local", "https://github.com", ""),
    ],
)
def test_a_login_serves_its_own_host_alone(programs: Path, kind: str, home: str, found: str) -> None:
    assert take_token(kind, home) == found


def test_a_variable_goes_before_a_login_and_no_other_program_is_given_it(
    programs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GH_TOKEN", "of-the-variable")
    assert take_token("github", "https://github.com") == "of-the-variable"
    assert not (programs / "asked").exists()
    monkeypatch.setenv("GITEA_TOKEN", "of-another-forge")
    assert take_token("github", "https://github.com") == SECRET
    assert (programs / "asked").read_text() == "auth token --hostname github.com []\n"


def test_settings_of_tea_that_cannot_be_read_are_no_login(programs: Path, tmp_path: Path) -> None:
    file = tmp_path / "settings" / "tea" / "config.yml"
    for text in (b"\xff\xfe", b"logins: [", b"logins: 3\n", b"- a\n", b"logins: [3]\n"):
        file.write_bytes(text)
        assert take_token("gitea", "https://codeberg.org") == ""


def test_doctor_takes_the_login_and_never_tells_it(programs: Path, moot: Moot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_API_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("GITHUB_SERVER_URL", "https://github.com")
    moot("new", "club", "-p", "ann", "--forge", "github", "--home", "https://github.com/ann/club")
    said = moot("doctor", "--remote", "https://github.com/ann/club")
    assert "without a token" not in said.out
    assert "access: not looked at" in said.out
    assert SECRET not in said.out + said.err
    kept = [path for path in Path().rglob("*") if path.is_file() and SECRET.encode() in path.read_bytes()]
    assert {path.name for path in kept} <= {"gh"}


@pytest.mark.parametrize("around", ["\n", " ", "\r\n", "\t"])
def test_blanks_and_line_breaks_around_a_token_are_no_part_of_it(
    programs: Path, monkeypatch: pytest.MonkeyPatch, around: str
) -> None:
    monkeypatch.setenv("FOLKMOOT_TOKEN", f" token{around}")
    assert take_token("github", "https://github.com") == "token"
    monkeypatch.setenv("FOLKMOOT_TOKEN", f"new{around}")
    monkeypatch.setenv("FOLKMOOT_OLD_TOKEN", f"{around}old")
    assert take_tokens(("gitea", "https://a.example"), ("github", "https://b.example")) == ("new", "old")
    monkeypatch.setenv("GITHUB_SERVER_URL", "https://github.com")
    monkeypatch.setenv("GITHUB_TOKEN", f"token{around}")
    assert token_for("https://github.com/a/b") == git_variables("https://github.com/", "token")


@pytest.mark.parametrize("wrong", ["ghp_Geheim…", "ghp_Ge heim", "ghp_Ge\nheim", "ghp_Ge\x7fheim", "ghp_Gehéim"])
def test_a_token_with_signs_that_none_has_is_told_by_its_variable_and_not_shown(
    programs: Path, monkeypatch: pytest.MonkeyPatch, moot: Moot, wrong: str
) -> None:
    monkeypatch.setenv("GITHUB_SERVER_URL", "https://github.com")
    calls: list[tuple[str, Callable[[], object]]] = [
        ("FOLKMOOT_TOKEN", lambda: take_token("github", "https://github.com")),
        ("FORGEJO_TOKEN", lambda: take_token("gitea", "https://codeberg.org")),
        ("FOLKMOOT_OLD_TOKEN", lambda: take_tokens(("gitea", "https://codeberg.org"), ("github", "https://x.example"))),
        ("GH_TOKEN", lambda: token_for("https://github.com/a/b")),
    ]
    for variable, call in calls:
        monkeypatch.setenv(variable, wrong)
        with pytest.raises(ProblemError) as refused:
            call()
        said = str(refused.value)
        assert f"the token in {variable} holds signs that no token has" in said
        assert "copy it once more" in said
        assert "eim" not in said
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("GITEA_TOKEN", wrong)
    assert take_token("github", "https://github.com") == SECRET, "what is not asked for does no harm"
