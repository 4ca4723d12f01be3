"""Tokens come from the environment, or from the program with which somebody is logged in at this very host."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from folkmoot.cli.repositories import proof_for
from folkmoot.cli.tokens import take_token, take_variables, token_for
from folkmoot.forges.web.credentials import git_variables
from folkmoot.game.secret_store import TOKENS
from tests.support.moot import Moot

LOOKALIKES = (
    *("https://github.com.evil.example", "https://github.com@evil.example", "https://github.com:443@evil.example"),
    *("https://github.com.", "https://github.com:444", "http://github.com", "https://gіthub.com"),
    *("https://github。com", "https://github.com\\.evil.example", "https://github.com%2eevil.example"),
    *("https://github.com#.evil.example", "https://github.com?.evil.example", "https://evil.example//github.com"),
    *("https://evil.example/https://github.com", "https://github.com/x/..", "https://github.com/./x", "https://"),
    *("https://github.com ", " https://github.com", "https://github.com\n", "https:/github.com", "//github.com"),
    *("github.com", "ftp://github.com", "https://git_hub.com", "https://-github.com", "https://github.com:"),
    *("https://github.com:99999999", "https://[::1]:1", "http://127.0.0.2", "http://127.0.0.1.evil.example"),
    *("http://localhost.evil.example", "https://github.com.3000", "https://GITHUB.COM.", ""),
)


SECRET = "gho_secret_of_the_login"


@pytest.fixture
def programs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return the folder of programs: a `gh` that is logged in at github.com."""
    for name in (*TOKENS, "GITHUB_SERVER_URL"):
        monkeypatch.delenv(name, raising=False)
    folder = tmp_path / "programs"
    folder.mkdir()
    gh = folder / "gh"
    gh.write_text(
        f'#!/bin/sh\necho "$@ [$GH_TOKEN$GH_ENTERPRISE_TOKEN]" >>{folder}/asked\n'
        f'[ "$*" = "auth token --hostname github.com" ] && echo {SECRET} || {{ echo no login >&2; exit 4; }}\n'
    )
    gh.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    return folder


def test_a_login_serves_its_own_host_alone(programs: Path) -> None:
    for kind, found, homes in (
        ("github", SECRET, ("https://github.com",)),
        ("github", "", ("https://ghe.example", "http://github.com", "", "https://github.com:444")),
        ("github", "", ("https://github.com/below",)),
        ("gitea", "", ("https://github.com",)),
        ("local", "", ("https://github.com",)),
    ):
        assert [home for home in homes if take_token(kind, home) != found] == [], kind


def test_a_variable_goes_before_a_login_and_no_other_program_is_given_it(
    programs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for around in ("\n", " ", "\r\n", "\t"):  # which are no part of it
        monkeypatch.setenv("GH_TOKEN", f" of-the-variable{around}")
        assert proof_for("https://github.com/a/b") == git_variables("https://github.com/", "of-the-variable")
        assert take_token("github", "https://github.com") == "of-the-variable"
    assert not (programs / "asked").exists()
    for name in ("GITEA_TOKEN", "FOLKMOOT_TOKEN_CODEBERG_ORG", "GH_ENTERPRISE_TOKEN"):
        monkeypatch.setenv(name, "of-another-forge")
    assert take_token("github", "https://github.com") == SECRET
    assert (programs / "asked").read_text() == "auth token --hostname github.com []\n"


def test_doctor_takes_the_login_and_never_tells_it(programs: Path, moot: Moot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", float)  # before each of its tries
    monkeypatch.setenv("GITHUB_API_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("GITHUB_SERVER_URL", "https://github.com")
    moot("new", "club", "-r", "suber", "-p", "ann")
    moot("init", "--forge", "github", "--home", "https://github.com/ann/club")
    said = moot("doctor", "--remote", "https://github.com/ann/club")
    assert "without a token" not in said.out
    assert "access: not looked at" in said.out
    assert SECRET not in said.out + said.err
    kept = [path for path in Path().rglob("*") if path.is_file() and SECRET.encode() in path.read_bytes()]
    assert {path.name for path in kept} <= {"gh"}


# -- which token goes where


def rows() -> list[tuple[str, str, str]]:
    """Return the rows of the table in the reference: what is set, where the token goes, where not."""
    page = (Path(__file__).parents[2] / "site_src" / "reference" / "forges.md").read_text("utf-8")
    table = page.partition("| In the environment |")[2].partition("\n\n")[0].splitlines()[2:]
    return [tuple(cell.strip() for cell in row.strip("|").split("|")) for row in table]  # type: ignore[misc]


@pytest.mark.threat("T-03")
@pytest.mark.parametrize(("given", "goes", "stays"), rows())
def test_the_table_of_the_reference_says_where_a_token_goes(given: str, goes: str, stays: str) -> None:
    for environment in re.findall("`([^`]+)`", given):
        variables = dict(pair.split("=", 1) for pair in environment.split())
        there, elsewhere = (re.findall("`([^`]+)`", cell) for cell in (goes, stays))
        assert there or goes == "nowhere"
        assert [server for server in there if not token_for(server, variables)] == []
        assert [server for server in elsewhere if token_for(server, variables)] == []
        with pytest.MonkeyPatch.context() as patch:
            for name in (*TOKENS, "GITHUB_SERVER_URL"):
                patch.delenv(name, raising=False)
            for name, value in variables.items():
                patch.setenv(name, value)
            assert all(proof_for(f"{server}/ann/game.git") for server in there)
            assert not any(proof_for(f"{server}/ann/game.git") for server in elsewhere), "nor by git"
            assert take_variables().items() >= variables.items()
            assert not any(value == "t" for value in os.environ.values()), "no program gets it"


@pytest.mark.threat("T-03")
def test_no_address_that_looks_like_a_server_gets_its_token() -> None:
    """Every token of every variable is for github.com, or for this machine at port 3000."""
    variables = {
        **dict.fromkeys(("GITHUB_TOKEN", "GH_TOKEN", "FOLKMOOT_TOKEN_GITHUB_COM"), "t"),
        **dict.fromkeys(("FOLKMOOT_TOKEN", "FOLKMOOT_OLD_TOKEN", "FOLKMOOT_TOKEN_", "FOLKMOOT_TOKEN_GIT_HUB_COM"), "t"),
        "FOLKMOOT_TOKEN_HTTP_127_0_0_1_3000": "t",
    }
    for job in ("", "https://github.com", "http://github.com", "http://127.0.0.1:3000"):
        given = {**variables, "GITHUB_SERVER_URL": job}
        assert [server for server in LOOKALIKES if token_for(server, given)] == []
