"""What the doctor finds on GitHub, each check exactly what is broken for it, and what is put right there by the API."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pygit2
import pytest

from folkmoot.core.problems import ProblemError
from folkmoot.forges.web.client import Client, Pacing, RefusedError
from folkmoot.forges.workflows import workflow_files
from folkmoot.game.secret_store import read_masters
from folkmoot.ops.doctor.examination import examine_there, steps
from folkmoot.ops.doctor.findings import Finding, gravest
from folkmoot.ops.doctor.forge import Asking
from folkmoot.ops.doctor.github import sealed
from folkmoot.ops.doctor.place import Game, Place
from tests.forges.github.emulator import API, TOKEN, stamp
from tests.forges.github.judge import filled
from tests.forges.github.settings import SettledGitHub

NOW = 1_767_614_400


@pytest.fixture
def github(tmp_path: Path) -> SettledGitHub:
    repo = pygit2.init_repository(str(tmp_path / "hub.git"), bare=True, initial_head="main")
    tree = repo.TreeBuilder().write()
    who = pygit2.Signature("Ann", "ann@example.org", NOW, 0)
    first = repo.create_commit("refs/heads/main", who, who, "Found", tree, [])
    repo.create_commit("refs/heads/main", who, who, "Play", tree, [first])
    github = SettledGitHub(tmp_path / "hub.git", NOW)
    github.open_issue("moot", "The game", ("game",))
    return github


def game(**settings: Any) -> Game:
    roster = {"ann": {"until": None, "handles": {"github": {"id": "1001", "login": "annabel"}}}}
    given = {"forge": {"kind": "github", "home": "https://github.com/moot/game"}, "administrators": ["ann"]}
    return Game("dragons", {**given, **settings}, roster)


def place(*games: Game) -> Place:
    known = games or (game(),)
    return Place(
        root=Path(), repo=None, games=known, host="https://github.com", repository="moot/game", branch="main", kind="github"
    )  # fmt: skip


def asking(github: SettledGitHub, *games: Game, token: str = TOKEN, now: int = NOW) -> Asking:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    pacing = Pacing(lambda _: None)
    return Asking(Client(API, headers, transport=github.transport(), pacing=pacing), place(*games), now)


def found(github: SettledGitHub, *games: Game, now: int | None = None) -> list[Finding]:
    return list(examine_there(asking(github, *games, now=now or github.now), token=True))


def wrong(findings: list[Finding]) -> dict[str, str]:
    return {finding.code: finding.state for finding in findings if finding.state != "ok"}


REVIEWS = {
    "dismiss_stale_reviews_on_push": False, "require_code_owner_review": False, "require_last_push_approval": False,
    "required_approving_review_count": 1, "required_review_thread_resolution": False,
}  # fmt: skip


DAY = 86_400
Break = Callable[[SettledGitHub], Any]


def test_nothing_is_found_where_all_is_well(github: SettledGitHub) -> None:
    findings = found(github)
    assert wrong(findings) == {}
    assert gravest(findings) == "ok"
    assert len(findings) == len({finding.code for finding in findings}) >= 18
    assert not any(finding.mend for finding in findings)
    assert all(request.method == "GET" for request in github.requests)


def repository(**fields: Any) -> Break:
    return lambda github: github.repository.update(fields)


def runs(name: str, conclusion: str | None, **more: Any) -> Break:
    return lambda github: github.break_run(name, conclusion, **more)


def environment(**fields: Any) -> Break:
    def broken(github: SettledGitHub) -> None:
        assert github.environment is not None
        github.environment |= fields

    return broken


def workflow(name: str, state: str) -> Break:
    return lambda github: github.workflows.update({f".github/workflows/{name}": state})


def rule(kind: str, **fields: Any) -> Break:
    return lambda github: github.branch_rules.append({"type": kind, **fields})


def other_branch(github: SettledGitHub) -> None:
    assert github.environment is not None
    github.environment["branches"] = ["trunk"]
    github.repository["default_branch"] = "trunk"
    github.repo.references.create("refs/heads/trunk", github.repo.references["refs/heads/main"].target)


def approved(**fields: Any) -> Break:
    """Return what lets the environment of the referee wait for somebody."""
    return environment(protection_rules=[{"id": 1, "node_id": "x", **fields}])


BROKEN: dict[str, tuple[str, str, Break]] = {
    "the default branch is another": ("branch", "error", other_branch),
    "issues are off": ("issues", "error", repository(has_issues=False)),
    "there is no label": ("label", "error", lambda g: g.labels.clear()),
    "there is no thread": ("thread", "warning", lambda g: g.issues.clear()),
    "the thread is closed": ("thread", "error", lambda g: g.issues[1].update(state="closed")),
    "the thread is locked": ("thread", "error", lambda g: g.lock(1)),
    "a form is no thread": ("thread", "warning", lambda g: g.issues[1].update(body="### Action\n\nroll")),
    "what a robot opened is no thread": ("thread", "warning", lambda g: g.issues[1].update(user="helper[bot]")),
    "actions are off": ("actions", "error", lambda g: g.permissions.update(enabled=False)),
    "only local actions": ("actions-allowed", "error", lambda g: g.permissions.update(allowed_actions="local_only")),
    "other chosen actions": ("actions-allowed", "error", lambda g: (
        g.permissions.update(allowed_actions="selected"), g.selected.update(github_owned_allowed=False))),
    "jobs write": ("job-rights", "warning", lambda g: g.job_rights.update(default_workflow_permissions="write")),
    "jobs approve": ("job-rights", "warning", lambda g: g.job_rights.update(can_approve_pull_request_reviews=True)),
    "a workflow is missing": ("workflow-missing", "error", lambda g: g.workflows.pop(".github/workflows/wake.yml")),
    "a workflow was deleted": ("workflow-missing", "error", workflow("wake.yml", "deleted")),
    "sixty days without a commit": ("workflow-disabled", "error", workflow("clock.yml", "disabled_inactivity")),
    "the referee is switched off": ("workflow-disabled", "error", workflow("referee.yml", "disabled_manually")),
    "workflows of a fork": ("workflow-disabled", "error", workflow("check.yml", "disabled_fork")),
    "some strangers do not wait": ("approval", "warning", lambda g: setattr(g, "approval", "first_time_contributors")),
    "a workflow of a pull request runs": ("foreign-runs", "warning", lambda g: g.running.append(
        {"event": "pull_request", "path": ".github/workflows/m.yml", "html_url": "https://github.com/run/2"})),
    "the referee failed": ("referee-run", "error", runs("referee.yml", "failure")),
    "the referee timed out": ("referee-run", "error", runs("referee.yml", "timed_out")),
    "the referee waits": ("referee-run", "error", runs("referee.yml", None, status="queued", age=3 * 3600)),
    "the referee is old": ("referee-run", "warning", runs("referee.yml", "success", age=3 * DAY)),
    "the referee never ran": ("referee-run", "warning", lambda g: g.workflow_runs.pop("referee.yml")),
    "publishing failed": ("publish-run", "warning", runs("publish.yml", "failure")),
    "pages are off": ("pages", "warning", lambda g: setattr(g, "pages_from", None)),
    "pages come from a branch": ("pages", "error", lambda g: setattr(g, "pages_from", "legacy")),
    "no environment": ("environment", "error", lambda g: setattr(g, "environment", None)),
    "an environment of all": ("environment", "error", environment(custom=None)),
    "an environment of others": ("environment", "error", environment(branches=["release"])),
    "an environment of more": ("environment", "warning", environment(branches=["main", "*"])),
    "an environment to approve": ("environment", "error", approved(type="required_reviewers")),
    "an environment that waits": ("environment", "error", approved(type="wait_timer", wait_timer=30)),
    "a secret of all workflows": ("secret", "warning", lambda g: g.secrets.add("FOLKMOOT_CHANCE")),
    "pull requests are required": ("rules", "error", rule("pull_request", parameters=REVIEWS)),
    "signatures are required": ("rules", "error", rule("required_signatures")),
    "no merge commits": ("rules", "error", rule("required_linear_history")),
    "nobody may push": ("rules", "error", rule("update")),
    "the old protection": ("rules", "error", lambda g: setattr(
        g, "protection", {"lock_branch": {"enabled": True}, "allow_deletions": {"enabled": False}})),
    "reviews by the old protection": ("rules", "error", lambda g: setattr(
        g, "protection", {"required_pull_request_reviews": filled("protected-branch-pull-request-review")})),
    "the branch may be rewritten": ("unprotected", "warning", lambda g: g.branch_rules.clear()),
    "players can write": ("writers", "warning", lambda g: g.collaborators.append("bob")),
    "the repository is not there": ("access", "error", lambda g: setattr(g, "there", False)),
    "the repository is archived": ("access", "error", repository(archived=True)),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_each_check_finds_what_is_broken_for_it_and_nothing_else(github: SettledGitHub, name: str) -> None:
    code, state, spoil = BROKEN[name]
    spoil(github)
    findings = found(github)
    assert wrong(findings) == {code: state}
    (finding,) = [each for each in findings if each.state != "ok"]
    assert finding.mend
    assert all(request.method == "GET" for request in github.requests)


def test_sealed_data_and_dice_need_their_secrets(github: SettledGitHub) -> None:
    sealed_game = game(sealing=[{"number": 1, "key": "age1", "seeds": "ab" * 32, "since": 0, "after": 0}])
    opened = game(chance={"epoch": 1, "commitment": "ab" * 32})
    assert wrong(found(github, sealed_game)) == {"sealing": "error"}
    assert wrong(found(github)) == wrong(found(github, opened)) == {}
    github.secret_store["FOLKMOOT_SEALING"] = "sealed"
    assert wrong(found(github, sealed_game)) == {}
    github.secrets.add("FOLKMOOT_SEALING")
    assert wrong(found(github, sealed_game)) == {"sealing": "warning"}
    github.secret_store.clear()
    assert wrong(found(github, opened)) == {"secret": "error"}
    assert wrong(found(github)) == {}


def test_a_sleeping_game_needs_no_clock_and_no_referee(github: SettledGitHub) -> None:
    github.workflows[".github/workflows/clock.yml"] = "disabled_inactivity"
    github.break_run("referee.yml", "success", age=90 * DAY)
    assert wrong(found(github, game(paused=NOW))) == {}
    assert wrong(found(github)) == {"workflow-disabled": "error", "referee-run": "warning"}
    github.workflows[".github/workflows/clock.yml"] = "disabled_manually"  # by the referee itself
    assert wrong(found(github, game(over=True))) == {}
    assert wrong(found(github)) == {}
    assert list(steps(asking(github))) == []


def test_cancelled_runs_say_nothing(github: SettledGitHub) -> None:
    cancelled = {"created_at": stamp(NOW), "status": "completed", "conclusion": "cancelled"}
    github.workflow_runs["referee.yml"].append(cancelled)
    assert wrong(found(github)) == {}


def test_rules_that_an_app_may_bypass_are_pointed_out_only(github: SettledGitHub) -> None:
    actor = {"actor_id": 5, "actor_type": "Integration", "bypass_mode": "always"}
    github.rulesets[10] = filled("repository-ruleset", id=10, name="x", enforcement="active", bypass_actors=[actor])
    github.branch_rules.append({"type": "update", "ruleset_id": 10})
    assert wrong(found(github)) == {"rules": "error"}
    github.secret_store["FOLKMOOT_TOKEN"] = "sealed"
    assert wrong(found(github)) == {}
    github.branch_rules[-1] = {"type": "update"}
    assert wrong(found(github)) == {"rules": "warning"}


def test_the_token_is_looked_at(github: SettledGitHub) -> None:
    assert wrong(list(examine_there(asking(github, token=""), token=False))) == {"token": "warning"}
    assert wrong(list(examine_there(asking(github, token="wrong"), token=True)))["token"] == "error"
    assert len(github.requests) < 5


def test_what_a_token_may_not_see_is_said_and_taken_for_nothing(github: SettledGitHub) -> None:
    github.rights = {**github.rights, "admin": False}
    github.environment, github.pages_from = None, None
    (unseen,) = [finding for finding in found(github) if finding.state != "ok"]
    assert (unseen.code, unseen.state) == ("unseen", "unknown")
    assert "the environment of the referee" in unseen.sentence


@pytest.mark.parametrize("path", ["/actions", "/environments", "/pages", "/rules", "/collaborators", "/labels"])
def test_what_is_hidden_is_unknown_and_nothing_else_is_lost(github: SettledGitHub, path: str) -> None:
    before = {finding.code for finding in found(github)}
    github.hidden = {path}
    findings = found(github)
    assert set(wrong(findings).values()) <= {"unknown", "warning"}
    assert "unseen" in wrong(findings)
    assert len(before - {finding.code for finding in findings}) <= 11


def test_a_forge_that_fails_half_way_spoils_no_other_check(github: SettledGitHub) -> None:
    import httpx

    def broken(request: httpx.Request, _answer: Any) -> httpx.Response | None:
        if request.url.path.endswith("/pages"):
            return httpx.Response(500, json={})
        if request.url.path.endswith("/actions/workflows"):
            return httpx.Response(200, json={"unexpected": True})
        return None

    github.faults.append(broken)
    findings = found(github)
    assert set(wrong(findings).values()) == {"unknown"}
    assert len([finding for finding in findings if finding.state == "ok"]) >= 15
    assert gravest(findings) == "unknown"


def test_a_forge_that_fails_is_not_taken_for_one_that_does_not_know_the_repository(github: SettledGitHub) -> None:
    github.faults.append(lambda request, go_on: httpx.Response(502))
    told = {each.code: each for each in found(github) if each.state != "ok"}
    assert (told["access"].state, told["access"].sentence) == ("unknown", "not looked at: the forge answers 502")
    assert "does not know" not in str(told)


# -- what is put right


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


def test_what_may_not_be_seen_or_is_refused_is_left_alone(empty: SettledGitHub) -> None:
    empty.hidden = {"/actions", "/environments", "/pages", "/rules", "/labels", "/issues"}
    assert list(steps(asking(empty))) == []
    empty.hidden = set()
    empty.faults.append(
        lambda request, _: httpx.Response(403, json={"message": "no"}) if request.method != "GET" else None
    )
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
