"""Settings that are put right by GitHub's API: from an empty repository to one in which the doctor finds nothing."""

from __future__ import annotations

from pathlib import Path

import httpx
import pygit2
import pytest

from folkmoot.core.problems import ProblemError
from folkmoot.forges.web.client import RefusedError
from folkmoot.forges.workflows import workflow_files
from folkmoot.game.secret_store import read_masters
from folkmoot.ops.doctor.examination import steps
from folkmoot.ops.doctor.forge import Asking
from folkmoot.ops.doctor.github import sealed
from tests.forges.github.emulator import stamp
from tests.forges.github.settings import SettledGitHub
from tests.support.github_settings import NOW, asking, found, game, wrong


@pytest.fixture
def empty(tmp_path: Path) -> SettledGitHub:
    repo = pygit2.init_repository(str(tmp_path / "hub.git"), bare=True, initial_head="main")
    who = pygit2.Signature("Ann", "ann@example.org", NOW, 0)
    repo.create_commit("refs/heads/main", who, who, "Found", repo.TreeBuilder().write(), [])
    return SettledGitHub.bare(tmp_path / "hub.git", NOW)


def settle(github: SettledGitHub) -> list[str]:
    done = []
    for code, step in steps(asking(github)):
        step.do()
        done.append(code)
    return done


def test_all_steps_leave_nothing_for_the_doctor_and_none_is_found_again(empty: SettledGitHub) -> None:
    empty.repository["has_issues"] = False
    empty.permissions["enabled"] = False
    done = settle(empty)
    assert set(done) >= {
        "issues", "label", "thread", "actions", "job-rights", "environment", "secret", "pages", "unprotected",
    }  # fmt: skip
    assert settle(empty) == []
    empty.workflows = dict.fromkeys(workflow_files("github"), "active")  # as they come with the push
    empty.workflow_runs = {
        "referee.yml": [{"created_at": stamp(empty.now), "status": "completed", "conclusion": "success"}]
    }
    assert wrong(found(empty)) == {}


def test_the_secret_that_is_stored_is_one_and_nobody_else_has_seen_it(empty: SettledGitHub) -> None:
    settle(empty)
    made = empty.opened("FOLKMOOT_CHANCE")
    assert len(read_masters(made)) == 1
    assert not any(made in request.content.decode() for request in empty.requests)
    stored = dict(empty.secret_store)
    settle(empty)
    assert empty.secret_store == stored


def test_no_secret_is_made_where_an_epoch_is_open(empty: SettledGitHub) -> None:
    opened = game(chance={"epoch": 1, "commitment": "ab" * 32})
    codes = [code for code, _ in steps(asking(empty, opened))]
    assert "environment" in codes
    assert "secret" not in codes


def test_workflows_are_switched_on_again_the_clock_only_while_a_game_is_awake(empty: SettledGitHub) -> None:
    settle(empty)
    empty.workflows = dict.fromkeys(workflow_files("github"), "disabled_inactivity")
    asleep = [step.what for _, step in steps(asking(empty, game(paused=NOW)))]
    assert len(asleep) == len(empty.workflows) - 1
    assert not any("clock" in what for what in asleep)
    assert set(settle(empty)) == {"workflow-disabled"}
    assert set(empty.workflows.values()) == {"active"}


def test_what_may_not_be_seen_is_left_alone(empty: SettledGitHub) -> None:
    empty.hidden = {"/actions", "/environments", "/pages", "/rules", "/labels", "/issues"}
    assert list(steps(asking(empty))) == []


def test_a_refused_step_says_so_and_changes_nothing(empty: SettledGitHub) -> None:
    def refuse(request: httpx.Request, _answer: object) -> httpx.Response | None:
        return httpx.Response(403, json={"message": "no"}) if request.method != "GET" else None

    empty.faults.append(refuse)
    (label,) = [step for code, step in steps(asking(empty)) if code == "label"]
    with pytest.raises(RefusedError):
        label.do()
    assert not empty.labels


@pytest.mark.parametrize("key", ["", "AAAA", "not base64!", "é"])
def test_nothing_is_sealed_to_what_is_no_key(key: str) -> None:
    with pytest.raises(ProblemError, match="no key"):
        sealed("secret", key)


@pytest.mark.threat("T-02")
def test_the_token_and_the_secret_stand_in_no_problem(empty: SettledGitHub) -> None:
    def lose(request: httpx.Request, answer: object) -> httpx.Response | None:
        if request.method == "PUT" and "/secrets/" in request.url.path:
            raise httpx.ReadTimeout("late", request=request)
        return None

    asked: Asking = asking(empty)
    for code, step in steps(asked):
        if code == "secret":
            empty.faults.append(lose)
            with pytest.raises(ProblemError) as failed:
                step.do()
            assert "token-of-the-referee" not in str(failed.value)
            assert "encrypted" not in str(failed.value)
            break
        step.do()
    else:
        pytest.fail("no secret was to be stored")
