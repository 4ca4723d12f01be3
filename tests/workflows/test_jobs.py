"""The real workflows do their work: they referee, publish, let the clock run and rest, and stop where they must."""

from __future__ import annotations

import json
import subprocess

import pygit2
import pytest

from folkmoot.forges.engine_pin import pin
from tests.conftest import FUZZ
from tests.support.meeting import git, rule
from tests.workflows.bench import CHANCE, TOKEN, Bench
from tests.workflows.wheels import wheel

DISPATCH = "POST /api/repos/ann/game/actions/workflows/publish.yml/dispatches"
CLOCK = "/api/repos/ann/game/actions/workflows/clock.yml"
WOKEN = {"action": "completed", "workflow_run": {"name": "wake"}}


def woken(bench: Bench) -> dict[str, object]:
    return {**WOKEN, "repository": bench.repository()}


def act_of(bench: Bench, words: str) -> None:
    """Let ann do something by a letter, the local forge's comment."""
    bench.meeting.say("ann", 0, f"/do {words}")


def test_the_referee_records_publishes_and_lets_the_clock_run(bench: Bench) -> None:
    bench.api.clock = "disabled_manually"
    bench.meeting.propose("ann", "There is a dragon")
    before = git(bench.meeting.bare, "rev-parse", "main")
    ran = bench.act("workflow_run", "referee.yml", woken(bench))
    assert ran.code == 0, ran.out
    assert git(bench.meeting.bare, "rev-parse", "main") != before
    assert ran.of("checkout") == [["ref=main", "sparse=/ci/", "keep=false"]]
    assert ran.of("python") == [["version=3.12", "cache="]]
    assert ran.of("moot")[0][:3] == ["referee", "--clone", "https://github.com/ann/game"]
    assert bench.api.asked == [DISPATCH, f"GET {CLOCK}", f"PUT {CLOCK}/enable"]
    assert bench.api.bodies[0] == '{"ref": "main"}'
    assert "### Referee" in ran.out
    assert "Something is under way." in ran.out
    assert "***" not in ran.out
    assert TOKEN not in ran.out
    assert CHANCE not in ran.out


@pytest.mark.threat("T-35")
def test_a_run_that_finds_nothing_publishes_nothing(bench: Bench) -> None:
    bench.meeting.propose("ann", "There is a dragon")
    bench.meeting.referee(60)
    bench.meeting.referee(60)
    ran = bench.act("workflow_run", "referee.yml", woken(bench))
    assert bench.api.asked == [DISPATCH, f"GET {CLOCK}"], "nobody has published that yet"
    git(bench.meeting.bare, "update-ref", "refs/moot/published", "main")
    ran = bench.act("schedule", "clock.yml", {"repository": bench.repository()})
    assert ran.code == 0, ran.out
    assert bench.api.asked[2:] == [f"GET {CLOCK}"]


@pytest.mark.skipif(not FUZZ, reason="of the long proofs, which FOLKMOOT_FUZZ=1 tries")
@pytest.mark.threat("T-35")
def test_the_clock_is_switched_off_while_the_only_game_is_paused(bench: Bench) -> None:
    act_of(bench, "pause")
    ran = bench.act("workflow_run", "referee.yml", woken(bench))
    assert ran.code == 0, ran.out
    assert bench.api.asked[-2:] == [f"GET {CLOCK}", f"PUT {CLOCK}/disable"]
    assert "No game is awake" in ran.out
    bench.act("workflow_run", "referee.yml", woken(bench))
    assert bench.api.asked[-1] == f"GET {CLOCK}", "it is off already"
    bench.meeting.propose("ann", "There is a dragon")
    act_of(bench, "resume")
    bench.act("issue_comment", "referee.yml", bench.comment("/do resume"))
    assert bench.api.asked[-1] == f"PUT {CLOCK}/enable"


def test_no_job_referees_in_a_fork(bench: Bench) -> None:
    event = {**WOKEN, "repository": {**bench.repository(), "fork": True}}
    for name, workflow in (("workflow_run", "referee.yml"), ("push", "publish.yml"), ("schedule", "clock.yml")):
        ran = bench.act(name, workflow, event)
        assert not ran.log, workflow
        assert "Run Main" not in ran.out, workflow


@pytest.mark.parametrize("workflow", ["check.yml", "referee.yml"])
@pytest.mark.parametrize("forge", ["github", "gitea"])
def test_without_a_pin_a_job_stops_and_says_what_to_do(bench: Bench, workflow: str, forge: str) -> None:
    git(bench.clone, "rm", "--quiet", "-r", "ci")
    (bench.clone / "ci").mkdir()
    (bench.clone / "ci" / "other").write_text("something\n")
    bench.push("Lose the pin")
    number = bench.meeting.propose("bob")
    event = bench.pull_request(number) if workflow == "check.yml" else bench.comment("hello")
    name = {"github": "pull_request_target", "gitea": "pull_request"}[forge]
    ran = bench.act(name if workflow == "check.yml" else "issue_comment", workflow, event, kind=forge)
    assert ran.code != 0
    assert "moot init --pin" in ran.out
    assert ran.of("moot") == []


@pytest.mark.threat("T-24")
def test_a_wheel_that_is_not_the_pinned_one_is_never_run(bench: Bench) -> None:
    kept = next((bench.clone / "ci" / "wheels").glob("*.whl"))
    wheel(kept.parent, lock="# another\n")
    bench.push("Put another wheel in the place of the pinned one")
    ran = bench.act("issue_comment", "referee.yml", bench.comment("hello"))
    assert ran.code != 0
    assert "DO NOT MATCH THE HASHES" in ran.out
    assert ran.of("moot") == []


@pytest.mark.threat("T-24")
def test_the_pin_of_a_pull_request_counts_from_its_merge_only(bench: Bench) -> None:
    pin(bench.clone, str(wheel(bench.folder / "newer", "9.9.9")))
    git(bench.clone, "add", "ci")
    git(bench.clone, "commit", "--quiet", "--message", "Upgrade the engine")
    git(bench.clone, "push", "--quiet", "origin", "HEAD:refs/pull/1/head")
    ran = bench.act("pull_request_target", "check.yml", bench.pull_request(1))
    assert ran.code == 0, ran.out
    assert "This changes nothing of any game." in ran.out
    assert ran.of("checkout") == [["ref=main", "sparse=/ci/", "keep=false"]]


@pytest.mark.threat("T-04")
@pytest.mark.parametrize(
    ("event", "workflow"), [("pull_request_review", "wake.yml"), ("pull_request_target", "wake.yml")]
)
def test_what_wakes_the_referee_holds_nothing_and_does_nothing(bench: Bench, event: str, workflow: str) -> None:
    number = bench.meeting.propose("bob")
    given = bench.pull_request(number) | {"review": {"body": "$(touch pwned)", "state": "approved"}}
    ran = bench.act(event, workflow, given)
    assert ran.code == 0, ran.out
    assert ran.log == []
    assert bench.api.asked == []
    text = (bench.clone / ".github" / "workflows" / workflow).read_text()
    assert text.count("permissions: {}") == 2
    assert "uses:" not in text
    assert "secrets" not in text


def test_publish_builds_the_site_of_main_and_deploys_it(bench: Bench) -> None:
    ran = bench.act("workflow_dispatch", "publish.yml", {"repository": bench.repository()})
    assert ran.code == 0, ran.out
    assert ran.of("checkout") == [["ref=main", "sparse=", "keep=false"]]
    assert ["site/index.html"] in ran.of("site")
    assert any("moor/index.html" in path for (path,) in ran.of("site"))
    assert ran.log[-1] == ["deployed"]
    tip = git(bench.meeting.bare, "rev-parse", "main")
    assert bench.api.asked == ["PATCH /api/repos/ann/game/git/refs/moot/published"]
    assert bench.api.bodies == [f'{{"sha": "{tip}", "force": true}}']


# -- Forgejo and Gitea


@pytest.mark.skipif(not FUZZ, reason="of the long proofs, which FOLKMOOT_FUZZ=1 tries")
def test_on_forgejo_a_sleeping_game_costs_one_question(bench: Bench) -> None:
    act_of(bench, "pause")
    event = {"schedule": "*/10 * * * *", "repository": bench.repository()}
    ran = bench.act("schedule", "referee.yml", event, kind="gitea")
    assert ran.code == 0, ran.out
    assert ran.of("moot")
    assert DISPATCH in bench.api.asked
    assert "refs/moot/asleep" in git(bench.meeting.bare, "for-each-ref")
    ran = bench.act("schedule", "referee.yml", event, kind="gitea")
    assert ran.code == 0, ran.out
    assert ran.log == [], "nothing was installed, nothing was run"
    assert "No game is awake, and nothing was pushed." in ran.out
    bench.meeting.propose("bob")
    ran = bench.act("schedule", "referee.yml", event, kind="gitea")
    assert ran.of("moot"), "a push is seen"
    ran = bench.act("issue_comment", "referee.yml", bench.comment("/do resume"), kind="gitea")
    assert ran.of("moot"), "a comment is always looked at"


def test_on_forgejo_what_arrives_after_the_look_is_looked_at_by_the_next_run(bench: Bench) -> None:
    act_of(bench, "pause")
    event = {"schedule": "*/10 * * * *", "repository": bench.repository()}
    late = bench.meeting.change("bob", {bench.game_file("rules/tea.yaml"): rule("Tea")}, "Tea")
    hook = bench.meeting.bare / "hooks" / "post-receive"  # bob pushes while the referee does, after it has looked
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ngit update-ref refs/pull/1/head {late}\n")
    hook.chmod(0o755)
    alternates = bench.meeting.bare / "objects" / "info" / "alternates"
    alternates.write_text(f"{bench.meeting.seat('bob').refs.repo.path}objects\n")
    ran = bench.act("schedule", "referee.yml", event, kind="gitea")
    assert ran.code == 0, ran.out
    assert "refs/moot/asleep" in git(bench.meeting.bare, "for-each-ref")
    hook.unlink()
    ran = bench.act("schedule", "referee.yml", event, kind="gitea")
    assert ran.of("moot"), "it is not taken for something that was there"


@pytest.mark.parametrize("forge", ["github", "gitea"])
def test_a_referee_that_fails_tells_administrators_once(bench: Bench, forge: str) -> None:
    git(bench.clone, "rm", "--quiet", "-r", "ci")
    (bench.clone / "ci").mkdir()
    (bench.clone / "ci" / "other").write_text("something\n")
    bench.push("Lose the pin")
    ran = bench.act("issue_comment", "referee.yml", bench.comment("hello"), kind=forge)
    assert ran.code != 0
    assert bench.api.asked[-1] == "POST /api/repos/ann/game/issues"
    told = json.loads(bench.api.bodies[-1])
    assert told["title"] == "The referee failed"
    assert told["body"].startswith("<!-- folkmoot:failed -->\n@ann "), "which wakes no referee"
    bench.api.said = '"number": 7, "body": "folkmoot:failed", "login": "bot"'
    before = len(bench.api.asked)
    bench.act("issue_comment", "referee.yml", bench.comment("hello"), kind=forge)
    assert not any(each.startswith("POST") for each in bench.api.asked[before:]), "once a day"


def test_on_forgejo_a_run_without_secrets_ends_at_once_and_says_so(bench: Bench) -> None:
    ran = bench.act("issue_comment", "referee.yml", bench.comment("/do resume"), kind="gitea", bot="")
    assert ran.code == 0, ran.out
    assert ran.log == []
    assert "given no FOLKMOOT_TOKEN" in ran.out


def test_on_github_the_jobs_own_token_is_enough(bench: Bench) -> None:
    bench.meeting.propose("ann", "There is a dragon")
    ran = bench.act("workflow_run", "referee.yml", woken(bench), bot="")
    assert ran.code == 0, ran.out
    assert DISPATCH in bench.api.asked


def test_on_forgejo_publish_pushes_the_site_to_its_branch(bench: Bench) -> None:
    ran = bench.act("push", "publish.yml", {"ref": "refs/heads/main", "repository": bench.repository()}, kind="gitea")
    assert ran.code == 0, ran.out
    files = git(bench.meeting.bare, "ls-tree", "-r", "--name-only", "pages").splitlines()
    assert "index.html" in files
    assert not any(name.startswith("state/") for name in files)
    shown = subprocess.run(
        ["git", "-C", str(bench.meeting.bare), "log", "--oneline", "pages"], capture_output=True, check=True
    )
    assert len(shown.stdout.splitlines()) == 1
    assert git(bench.meeting.bare, "rev-parse", "refs/moot/published") == git(bench.meeting.bare, "rev-parse", "main")


def test_on_forgejo_publish_makes_only_what_is_new_and_mends_what_is_no_site(bench: Bench) -> None:
    """The list of digests lies in what was pushed; a branch that somebody spoilt is made from nothing."""
    event = {"ref": "refs/heads/main", "repository": bench.repository()}
    assert bench.act("push", "publish.yml", event, kind="gitea").code == 0
    first = git(bench.meeting.bare, "rev-parse", "pages^{tree}")
    again = bench.act("push", "publish.yml", event, kind="gitea")
    assert " 0 written, 0 removed," in again.out, again.out
    assert git(bench.meeting.bare, "rev-parse", "pages^{tree}") == first
    repo = pygit2.Repository(str(bench.meeting.bare))
    tree = repo.TreeBuilder()
    tree.insert("index.html", repo.create_blob(b"/etc/passwd"), pygit2.enums.FileMode.LINK)
    who = pygit2.Signature("x", "x@x.example")
    spoilt = repo.create_commit(None, who, who, "x", tree.write(), [])
    repo.references.create("refs/heads/pages", spoilt, force=True)
    mended = bench.act("push", "publish.yml", event, kind="gitea")
    assert mended.code == 0, mended.out
    assert git(bench.meeting.bare, "rev-parse", "pages^{tree}") == first
