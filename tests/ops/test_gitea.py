"""What the doctor finds on Gitea and Forgejo, and what is put right there by the API."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pygit2
import pytest
from msgspec.structs import replace

from folkmoot.game.secret_store import read_masters
from folkmoot.ops.doctor.examination import examine_there, steps
from folkmoot.ops.doctor.place import Game
from folkmoot.ops.doctor.repository_files import wanted_workflows
from tests.forges.gitea.emulator import FORGEJO, GITEA_1_22
from tests.forges.gitea.settings import SettledGitea
from tests.support.gitea_settings import NOW, asking, found, game, gitea, place, served, wrong

__all__ = ["gitea"]

Break = Callable[[SettledGitea], Any]


def test_nothing_is_found_where_all_is_well(gitea: SettledGitea) -> None:
    findings = found(gitea)
    assert wrong(findings) == {}
    assert len(findings) == len({finding.code for finding in findings}) >= 13
    assert all(request.method == "GET" for request in gitea.requests)


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
    "others are named, and the referee is not": ("rules", "warning", lambda g: (
        g.collaborators.append("referee"),
        protection(enable_push_whitelist=True, push_whitelist_usernames=["annabel"])(g))),
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
    assert wrong(told) == {"workflows": "error"}
    (tmp_path / ".gitea").mkdir()
    (tmp_path / ".forgejo" / "workflows").rename(tmp_path / ".gitea" / "workflows")
    assert wrong(list(examine_there(asking(gitea, here), token=True))) == {}
    assert all(name.startswith(".gitea/workflows/") for name in wanted_workflows(tmp_path, "gitea"))


@pytest.mark.parametrize("team", [[], ["keepers"]])
def test_who_is_named_may_push(gitea: SettledGitea, team: list[str]) -> None:
    named = [] if team else ["Referee"]
    gitea.collaborators.append("referee")
    gitea.protections[0] |= {"enable_push_whitelist": True, "push_whitelist_usernames": [*named, "annabel"]}
    gitea.protections[0] |= {"push_whitelist_teams": team}
    assert wrong(found(gitea)) == {}


def test_a_secret_is_made_once_where_a_server_stores_secrets_and_lists_none(tmp_path: Path) -> None:
    """Gitea 1.22 answers `GET actions/secrets` by 404 and `PUT` by 201."""
    repo = pygit2.init_repository(str(tmp_path / "hub.git"), bare=True, initial_head="main")
    server = SettledGitea.bare(tmp_path / "hub.git", NOW, GITEA_1_22)
    here = replace(place(), repo=repo)

    def stored() -> str:
        for _, step in steps(asking(server, here)):
            if "secret" in step.what:
                step.do()
        return str(server.secrets.get("FOLKMOOT_CHANCE"))

    made = stored()
    assert len(made) > 30
    assert stored() == made, "what dice are thrown by stays"
    again = replace(here, repo=pygit2.init_repository(str(tmp_path / "other.git"), bare=True))
    opened = Game("moor", {"forge": {"kind": "gitea"}, "chance": {"commitment": "x"}}, {})  # type: ignore[typeddict-item]
    assert not [step for _, step in steps(asking(server, replace(again, games=(opened,)))) if "secret" in step.what]


def test_sealed_data_needs_the_keys_of_its_keeper(gitea: SettledGitea) -> None:
    sealed = game(sealing=[{"number": 1, "key": "age1", "seeds": "ab" * 32, "since": 0, "after": 0}])
    assert wrong(found(gitea, sealed)) == {"sealing": "error"}
    assert wrong(found(gitea)) == {}
    gitea.secrets["FOLKMOOT_SEALING"] = "1:AGE"
    assert wrong(found(gitea, sealed)) == {}


def test_dice_that_need_a_secret_which_is_not_there(gitea: SettledGitea) -> None:
    gitea.secrets.pop("FOLKMOOT_CHANCE")
    assert wrong(found(gitea)) == {}
    assert wrong(found(gitea, game(chance={"epoch": 1, "commitment": "ab" * 32}))) == {"secret": "error"}


def test_more_than_a_page_of_labels_is_read(gitea: SettledGitea) -> None:
    gitea.labels = [f"label {number}" for number in range(120)] + ["game"]
    assert "label" not in wrong(found(gitea))


def test_a_forge_that_does_not_tell_its_settings(tmp_path: Path) -> None:
    forgejo = served(tmp_path, FORGEJO)
    findings = found(forgejo)
    assert wrong(findings) == {}
    assert "does not tell whether it notices merges" in next(f.sentence for f in findings if f.code == "merging")


@pytest.mark.parametrize("path", ["/actions", "/branch_protections", "/collaborators", "/labels"])
def test_what_is_hidden_is_unknown(gitea: SettledGitea, path: str) -> None:
    gitea.hidden = {path}
    assert wrong(found(gitea)) == {"unseen": "unknown"}


def test_all_steps_leave_nothing_for_the_doctor_and_none_is_found_again(tmp_path: Path) -> None:
    gitea = served(tmp_path, bare=True)
    done = []
    for code, step in steps(asking(gitea)):
        step.do()
        done.append(code)
    assert set(done) == {"merging", "actions", "label", "thread", "secret", "unprotected"}
    assert list(steps(asking(gitea))) == []
    assert read_masters(gitea.secrets["FOLKMOOT_CHANCE"])
    assert wrong(found(gitea)) == {"referee-run": "warning", "job-token": "error"}


@pytest.mark.parametrize("status", [500, 502, 503])
def test_a_forge_that_fails_is_not_taken_for_one_that_does_not_know_the_repository(
    gitea: SettledGitea, status: int
) -> None:
    gitea.faults.append(lambda request, go_on: httpx.Response(status))
    told = {each.code: each for each in found(gitea) if each.state != "ok"}
    assert told["access"].state == "unknown"
    assert told["access"].sentence == f"not looked at: the forge answers {status}"
    assert "does not know" not in str(told)
