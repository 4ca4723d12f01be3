"""What the doctor finds on Gitea and Forgejo, what is put right there by the API, and a token that has expired."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pygit2
import pytest
from msgspec.structs import replace

from folkmoot.cli.main import main
from folkmoot.core.problems import ProblemError
from folkmoot.forges.web.client import Client, Pacing
from folkmoot.game.secret_store import TOKENS
from folkmoot.ops.doctor.examination import examine_there, steps
from folkmoot.ops.doctor.findings import Finding, gravest
from folkmoot.ops.doctor.forge import Asking
from folkmoot.ops.doctor.place import Game, Place
from folkmoot.ops.doctor.repository_files import wanted_workflows
from tests.forges.gitea.emulator import API, FORGEJO, FORGEJO_1_21, GITEA, GITEA_1_15, GITEA_1_22, TOKEN, Generation
from tests.forges.gitea.gitea_meeting import GiteaMeeting
from tests.forges.gitea.over_http import serving_gitea
from tests.forges.gitea.settings import SettledGitea
from tests.support.meeting import git

NOW = 1_767_614_400


def served(folder: Path, generation: Generation = GITEA, *, bare: bool = False) -> SettledGitea:
    repo = pygit2.init_repository(str(folder / "hub.git"), bare=True, initial_head="main")
    who = pygit2.Signature("Ann", "ann@example.org", NOW, 0)
    repo.create_commit("refs/heads/main", who, who, "Found", repo.TreeBuilder().write(), [])
    made = (SettledGitea.bare if bare else SettledGitea)(folder / "hub.git", NOW, generation)
    if not bare:
        made.open_issue("annabel", "The game", ("game",))
    return made


@pytest.fixture
def gitea(tmp_path: Path) -> SettledGitea:
    return served(tmp_path)


def game(**settings: Any) -> Game:
    roster = {"ann": {"until": None, "handles": {"gitea": {"id": "7", "login": "annabel"}}}}
    given = {"forge": {"kind": "gitea", "home": "https://forge.example/git/moot/game"}, "administrators": ["ann"]}
    return Game("dragons", {**given, **settings}, roster)


def place(*games: Game) -> Place:
    return Place(
        root=Path("nowhere"), repo=None, games=games or (game(),), host="https://forge.example/git", repository="moot/game",
        branch="main", kind="gitea",
    )  # fmt: skip


def asking(gitea: SettledGitea, here: Place | None = None) -> Asking:
    headers = {"Authorization": f"token {TOKEN}"}
    client = Client(API, headers, transport=gitea.transport(), pacing=Pacing(lambda _: None))
    return Asking(client, here or place(), gitea.now)


def found(gitea: SettledGitea, *games: Game) -> list[Finding]:
    return list(examine_there(asking(gitea, place(*games)), token=True))


def wrong(findings: list[Finding]) -> dict[str, str]:
    return {finding.code: finding.state for finding in findings if finding.state != "ok"}


Break = Callable[[SettledGitea], Any]


def repository(**fields: Any) -> Break:
    return lambda gitea: gitea.repository.update(fields)


def protection(**fields: Any) -> Break:
    return lambda gitea: gitea.protections[0].update(fields)


BROKEN: dict[str, tuple[str, str, Break]] = {
    "an old version": ("version", "warning", lambda g: setattr(g, "version", "1.20.4")),
    "a version before jobs had few rights": ("job-rights", "warning", lambda g: setattr(g, "version", "1.25.4")),
    "another default branch": ("branch", "error", lambda g: (
        g.repository.update(default_branch="trunk"), g.protections[0].update(rule_name="trunk"))),
    "no issues": ("issues", "error", repository(has_issues=False)),
    "no label": ("label", "error", lambda g: g.labels.__setitem__(0, "other")),
    "no pull requests": ("merging", "error", repository(has_pull_requests=False)),
    "no manual merges": ("merging", "error", lambda g: g.settings.update(allow_manual_merge=False)),
    "manual merges unseen": ("merging", "error", lambda g: g.settings.update(autodetect_manual_merge=False)),
    "no jobs": ("actions", "error", repository(has_actions=False)),
    "the referee failed": ("referee-run", "error", lambda g: g.tasks[0].update(status="failure")),
    "the referee never ran": ("referee-run", "warning", lambda g: g.tasks.clear()),
    "the referee has no token": ("job-token", "error", lambda g: g.secrets.pop("FOLKMOOT_TOKEN")),
    "no protection": ("unprotected", "warning", lambda g: g.protections.clear()),
    "nobody may push": ("rules", "error", protection(enable_push=False)),
    "chosen ones may push, and nobody is": ("rules", "error", protection(enable_push_whitelist=True)),
    "only signed commits": ("rules", "error", protection(require_signed_commits=True)),
    "files are protected": ("rules", "error", protection(protected_file_patterns="state/**")),
    "players can write": ("writers", "warning", lambda g: g.collaborators.extend(["bob", "referee"])),
    "archived": ("access", "error", repository(archived=True)),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_each_check_finds_what_is_broken_for_it_and_nothing_else(gitea: SettledGitea, name: str) -> None:
    code, state, spoil = BROKEN[name]
    spoil(gitea)
    findings = found(gitea)
    assert wrong(findings) == {code: state}
    assert all(finding.mend for finding in findings if finding.state != "ok")


def test_gitea_looks_for_workflows_in_a_folder_of_its_own(gitea: SettledGitea, tmp_path: Path) -> None:
    (tmp_path / ".forgejo" / "workflows").mkdir(parents=True)
    assert all(name.startswith(".forgejo/workflows/") for name in wanted_workflows(tmp_path, "gitea"))
    here = replace(place(), root=tmp_path)
    told = list(examine_there(asking(gitea, here), token=True))
    assert wrong(told) == {"files": "error"}
    (tmp_path / ".gitea").mkdir()
    (tmp_path / ".forgejo" / "workflows").rename(tmp_path / ".gitea" / "workflows")
    assert wrong(list(examine_there(asking(gitea, here), token=True))) == {}
    assert all(name.startswith(".gitea/workflows/") for name in wanted_workflows(tmp_path, "gitea"))


def test_sealed_data_and_dice_need_their_secrets(gitea: SettledGitea) -> None:
    sealed = game(sealing=[{"number": 1, "key": "age1", "seeds": "ab" * 32, "since": 0, "after": 0}])
    assert wrong(found(gitea, sealed)) == {"sealing": "error"}
    assert wrong(found(gitea)) == {}
    gitea.secrets["FOLKMOOT_SEALING"] = "1:AGE"
    assert wrong(found(gitea, sealed)) == {}
    gitea.secrets.pop("FOLKMOOT_CHANCE")
    assert wrong(found(gitea)) == {}
    assert wrong(found(gitea, game(chance={"epoch": 1, "commitment": "ab" * 32}))) == {"secret": "error"}


def test_who_may_write_is_pointed_out_but_whoever_is_named_and_the_referee(gitea: SettledGitea) -> None:
    gitea.collaborators.append("the-referee")
    assert wrong(found(gitea)) == {}
    gitea.collaborators.append("bob")
    assert wrong(found(gitea)) == {"writers": "warning"}
    gitea.collaborators.remove("the-referee")
    gitea.secrets.pop("FOLKMOOT_TOKEN")
    assert wrong(found(gitea))["writers"] == "warning", "without a token nobody is the referee"


@pytest.mark.parametrize("path", ["/actions", "/branch_protections", "/collaborators", "/labels"])
def test_what_is_hidden_is_unknown(gitea: SettledGitea, path: str) -> None:
    gitea.hidden = {path}
    assert wrong(found(gitea)) == {"unseen": "unknown"}


# -- every server


ALL = {
    "gitea": GITEA,
    "gitea-1.22": GITEA_1_22,
    "gitea-1.15": GITEA_1_15,
    "forgejo": FORGEJO,
    "forgejo-1.21": FORGEJO_1_21,
}


@pytest.mark.parametrize("name", sorted(ALL))
def test_the_doctor_ends_with_0_on_every_server(tmp_path: Path, name: str) -> None:
    server = served(tmp_path, ALL[name])
    server.collaborators.append("the-referee")  # as the guide demands
    findings = found(server)
    assert gravest(findings) in ("ok", "warning"), wrong(findings)
    assert len(findings) == len({finding.code for finding in findings}) >= 11
    assert all(request.method == "GET" for request in server.requests)
    old = {"gitea-1.15": {"version", "actions"}, "gitea-1.22": {"job-rights"}, "forgejo-1.21": {"version"}}
    assert wrong(findings).keys() <= old.get(name, set())
    told = {finding.code: finding.sentence for finding in findings}
    assert told["version"].startswith("Forgejo" if name.startswith("forgejo") else "Gitea")
    assert ALL[name].tells or "does not tell whether it notices merges" in told["merging"]


@pytest.mark.parametrize("name", sorted(ALL))
def test_what_was_done_is_not_done_again(tmp_path: Path, name: str) -> None:
    server = served(tmp_path, ALL[name], bare=True)
    here = replace(place(), repo=pygit2.init_repository(str(tmp_path / "clone")))
    done = []
    for code, step in steps(asking(server, here)):
        step.do()
        done.append(code)
    assert "merging" in done
    assert all(server.settings.values())
    assert ("actions" in done) == (ALL[name].jobs is not False), "a server without Actions is not asked to have them"
    assert [code for code, _ in steps(asking(server, here))] == []
    other = replace(here, repo=pygit2.init_repository(str(tmp_path / "other")))
    assert {code for code, _ in steps(asking(server, other))} <= {"merging"}, "which nobody can see"


def test_a_server_that_keeps_actions_off_is_not_said_to_have_them(tmp_path: Path) -> None:
    server = served(tmp_path, GITEA, bare=True)
    real = server._change_repository

    def refuse(query: dict[str, str], body: dict[str, object]) -> object:
        return real(query, {name: value for name, value in body.items() if name != "has_actions"})

    server._change_repository = refuse  # type: ignore[method-assign, assignment]
    (step,) = [step for code, step in steps(asking(server)) if code == "actions"]
    with pytest.raises(ProblemError, match="this server has them switched off"):
        step.do()


# -- a token that expired or was taken back


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
