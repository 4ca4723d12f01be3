"""The real workflows do their work, stop where they must, and nothing that anybody writes is injected into them."""

from __future__ import annotations

import hashlib
import json
import shutil
from typing import Any

import pygit2
import pytest

from folkmoot.forges.engine_pin import pin
from folkmoot.forges.web.comments import call_written, written
from folkmoot.forges.workflows import FOLDERS, workflow_files
from folkmoot.ops.doctor.repository_files import write_stale
from folkmoot.referee.hand_edits import REPAIRER
from folkmoot.referee.recorder import COMMITTER
from tests.support.meeting import git, rule
from tests.support.sites import lay_small_site
from tests.workflows.bench import CHANCE, TOKEN, Bench, Event, Ran
from tests.workflows.tools import NAIVE
from tests.workflows.wheels import wheel

DISPATCH = "POST /api/repos/ann/game/actions/workflows/publish.yml/dispatches"
CLOCK = "/api/repos/ann/game/actions/workflows/clock.yml"
TAKEN = [["ref=main", "sparse=/ci/", "keep=false"]]
PAYLOADS = {
    "substitution": "x$(touch${IFS}PWNED)",
    "backticks": "x`touch${IFS}PWNED`",
    "quotes": 'x"; touch PWNED; echo "',
    "line": 'x"\ntouch PWNED\necho "',
}
SAFE_ALONE = {"expression": "x${{ github.token }}", "command": "::set-output name=moved::true", "dashes": "--help"}


def woken(bench: Bench) -> Event:
    return {"action": "completed", "workflow_run": {"name": "wake"}, "repository": bench.repository()}


def keeps_secrets(ran: Ran) -> None:
    for secret in ("***", TOKEN, CHANCE):
        assert secret not in ran.out


def test_the_referee_records_publishes_and_lets_the_clock_run(bench: Bench) -> None:
    """By the job's own token; a run that finds nothing publishes nothing."""
    bench.moot = None
    bench.api.clock = "disabled_manually"
    bench.meeting.propose("ann", "There is a dragon")
    before = git(bench.meeting.bare, "rev-parse", "main")
    ran = bench.act("workflow_run", "referee.yml", woken(bench), bot="")
    assert ran.code == 0, ran.out
    assert git(bench.meeting.bare, "rev-parse", "main") != before
    assert ran.of("checkout") == TAKEN
    assert ran.of("python") == [["version=3.12", "cache="]]
    assert ran.of("moot")[0][:3] == ["referee", "--clone", "https://github.com/ann/game"]
    assert bench.api.asked == [DISPATCH, f"GET {CLOCK}", f"PUT {CLOCK}/enable"]
    assert bench.api.bodies[0] == '{"ref": "main"}'
    assert "### Referee" in ran.out
    assert "Something is under way." in ran.out
    keeps_secrets(ran)


@pytest.mark.threat("T-35")
def test_a_run_that_finds_nothing_publishes_nothing(bench: Bench) -> None:
    bench.meeting.propose("ann", "There is a dragon")
    for _ in range(2):
        bench.meeting.referee(60)
    git(bench.meeting.bare, "update-ref", "refs/moot/published", "main")
    ran = bench.act("schedule", "clock.yml", {"repository": bench.repository()})
    assert ran.code == 0, ran.out
    assert bench.api.asked == [f"GET {CLOCK}"]


@pytest.mark.long
@pytest.mark.threat("T-35")
def test_the_clock_is_switched_off_while_the_only_game_is_paused(bench: Bench) -> None:
    bench.meeting.say("ann", 0, "/do pause")
    ran = bench.act("workflow_run", "referee.yml", woken(bench))
    assert ran.code == 0, ran.out
    assert bench.api.asked[-2:] == [f"GET {CLOCK}", f"PUT {CLOCK}/disable"]
    assert "No game is awake" in ran.out
    bench.act("workflow_run", "referee.yml", woken(bench))
    assert bench.api.asked[-1] == f"GET {CLOCK}", "it is off already"
    bench.meeting.propose("ann", "There is a dragon")
    bench.meeting.say("ann", 0, "/do resume")
    bench.act("issue_comment", "referee.yml", bench.comment("/do resume"))
    assert bench.api.asked[-1] == f"PUT {CLOCK}/enable"


def test_no_job_referees_in_a_fork(bench: Bench) -> None:
    fork = {**bench.repository(), "fork": True}
    for name, workflow in (("workflow_run", "referee.yml"), ("push", "publish.yml"), ("schedule", "clock.yml")):
        ran = bench.act(name, workflow, {**woken(bench), "repository": fork})
        assert not ran.log, workflow
        assert "Run Main" not in ran.out, workflow


def pushed(bench: Bench, name: str) -> Event:
    head = {"id": "0" * 40, "message": "x", "committer": {"name": name, "email": "x@example.org"}}
    return {"ref": "refs/heads/main", "head_commit": head, "sender": {"login": "ann"}, "repository": bench.repository()}


@pytest.mark.parametrize("kind", FOLDERS)
@pytest.mark.sampled(2)
def test_what_the_referee_wrote_or_pushed_wakes_nobody(bench: Bench, kind: str) -> None:
    """With an account's token the referee woke itself by half of its own comments and pushes."""
    for event, payload in (
        ("issue_comment", bench.comment(written("Adopted."))),
        ("issue_comment", bench.comment(call_written("vote-301", ["bob"], "Vote, please."))),
        ("push", pushed(bench, COMMITTER.partition(" <")[0])),
    ):
        ran = bench.act(event, "referee.yml", payload, kind=kind)
        assert (ran.code, ran.log, "Run Main" in ran.out) == (0, [], False), (event, ran.out)


@pytest.mark.long
@pytest.mark.threat("T-65")
@pytest.mark.parametrize("kind", FOLDERS)
def test_what_people_do_wakes_it_still(bench: Bench, kind: str) -> None:
    bench.meeting.propose("ann", "There is a dragon")
    issue = {"number": 4, "title": "x", "body": "", "user": {"id": 7, "login": "zed"}}
    events: tuple[tuple[str, Event], ...] = (
        ("push", pushed(bench, REPAIRER.partition(" <")[0])),
        ("push", {"ref": "refs/heads/main", "head_commit": None, "repository": bench.repository()}),
        ("issues", {"action": "closed", "issue": issue, "sender": {"login": "zed"}, "repository": bench.repository()}),
        ("issue_comment", bench.comment("> " + written("Adopted.") + "\n/do resume")),
    )
    for event, payload in events if kind == "github" else events[2:]:
        ran = bench.act(event, "referee.yml", payload, kind=kind)
        assert ran.code == 0, ran.out
        assert ran.of("moot"), event


@pytest.mark.threat("T-04")
@pytest.mark.parametrize("event", ["pull_request_review", "pull_request_target"])
@pytest.mark.sampled(2)
def test_what_wakes_the_referee_holds_nothing_and_does_nothing(bench: Bench, event: str) -> None:
    number = bench.meeting.propose("bob")
    ran = bench.act(
        event, "wake.yml", bench.pull_request(number) | {"review": {"body": "$(touch pwned)", "state": "x"}}
    )
    assert (ran.code, ran.log, bench.api.asked) == (0, [], []), ran.out
    text = (bench.clone / ".github" / "workflows" / "wake.yml").read_text()
    assert text.count("permissions: {}") == 2
    assert not any(words in text for words in ("uses:", "secrets"))


# -- the pin


def lose_the_pin(bench: Bench) -> None:
    git(bench.clone, "rm", "--quiet", "-r", "ci")
    (bench.clone / "ci").mkdir()
    (bench.clone / "ci" / "other").write_text("something\n")
    bench.push("Lose the pin")


@pytest.mark.parametrize("forge", FOLDERS)
def test_without_a_pin_a_job_stops_says_what_to_do_and_tells_administrators_once(bench: Bench, forge: str) -> None:
    lose_the_pin(bench)
    ran = bench.act("issue_comment", "referee.yml", bench.comment("hello"), kind=forge)
    assert (ran.code != 0, "moot init --pin" in ran.out, ran.of("moot")) == (True, True, [])
    assert bench.api.asked[-1] == "POST /api/repos/ann/game/issues"
    told = json.loads(bench.api.bodies[-1])
    assert told["title"] == "The referee failed"
    assert told["body"].startswith("<!-- folkmoot:failed -->\n@ann "), "which wakes no referee"
    bench.api.said = '"number": 7, "body": "folkmoot:failed", "login": "bot"'
    before = len(bench.api.asked)
    bench.act("issue_comment", "referee.yml", bench.comment("hello"), kind=forge)
    assert not any(each.startswith("POST") for each in bench.api.asked[before:]), "once a day"
    name = {"github": "pull_request_target", "gitea": "pull_request"}[forge]
    ran = bench.act(name, "check.yml", bench.pull_request(bench.meeting.propose("bob")), kind=forge)
    assert (ran.code != 0, "moot init --pin" in ran.out, ran.of("moot")) == (True, True, [])


@pytest.mark.threat("T-24")
def test_a_wheel_that_is_not_the_pinned_one_is_never_run(bench: Bench) -> None:
    bench.moot = None
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
    assert ran.of("checkout") == TAKEN


# -- the site


def lay_site(bench: Bench) -> None:
    """Bring a site of few guides, which is soon built."""
    lay_small_site(bench.clone)
    git(bench.clone, "add", "mkdocs.yml", "site_src")
    bench.push("Lay out a site")


def test_publish_builds_the_site_of_main_and_deploys_it(bench: Bench) -> None:
    lay_site(bench)
    ran = bench.act("workflow_dispatch", "publish.yml", {"repository": bench.repository()})
    assert ran.code == 0, ran.out
    assert ran.of("checkout") == [["ref=main", "sparse=", "keep=false"]]
    assert ["site/index.html"] in ran.of("site")
    assert any("moor/index.html" in path for (path,) in ran.of("site"))
    assert ran.log[-1] == ["deployed"]
    tip = git(bench.meeting.bare, "rev-parse", "main")
    assert bench.api.asked == ["PATCH /api/repos/ann/game/git/refs/moot/published"]
    assert bench.api.bodies == [f'{{"sha": "{tip}", "force": true}}']


def test_on_forgejo_publish_pushes_the_site_makes_only_what_is_new_and_mends_what_is_no_site(bench: Bench) -> None:
    """The list of digests lies in what was pushed; a branch that somebody spoilt is made from nothing."""
    lay_site(bench)
    event = {"ref": "refs/heads/main", "repository": bench.repository()}
    bare = bench.meeting.bare
    ran = bench.act("push", "publish.yml", event, kind="gitea")
    assert ran.code == 0, ran.out
    files = git(bare, "ls-tree", "-r", "--name-only", "pages").splitlines()
    assert "index.html" in files
    assert not any(name.startswith("state/") for name in files)
    assert git(bare, "rev-list", "--count", "pages") == "1"
    assert git(bare, "rev-parse", "refs/moot/published") == git(bare, "rev-parse", "main")
    first = git(bare, "rev-parse", "pages^{tree}")
    again = bench.act("push", "publish.yml", event, kind="gitea")
    assert " 0 written, 0 removed," in again.out, again.out
    assert git(bare, "rev-parse", "pages^{tree}") == first
    repo = pygit2.Repository(str(bare))
    tree = repo.TreeBuilder()
    tree.insert("index.html", repo.create_blob(b"/etc/passwd"), pygit2.enums.FileMode.LINK)
    who = pygit2.Signature("x", "x@x.example")
    spoilt = repo.create_commit(None, who, who, "x", tree.write(), [])
    repo.references.create("refs/heads/pages", spoilt, force=True)
    assert bench.act("push", "publish.yml", event, kind="gitea").code == 0
    assert git(bare, "rev-parse", "pages^{tree}") == first


# -- Forgejo and Gitea


def test_on_forgejo_a_sleeping_game_costs_one_question_and_what_arrives_after_the_look_is_seen(bench: Bench) -> None:
    bench.meeting.say("ann", 0, "/do pause")
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
    ran = bench.act("schedule", "referee.yml", event, kind="gitea")
    assert (ran.code, ran.log) == (0, []), "nothing was installed, nothing was run"
    assert "No game is awake, and nothing was pushed." in ran.out
    bench.minute = 9
    assert bench.act("schedule", "referee.yml", event, kind="gitea").of("moot"), "once an hour it looks all the same"
    ran = bench.act("issue_comment", "referee.yml", bench.comment("/do resume"), kind="gitea", bot="")
    assert (ran.code, ran.log, "given no FOLKMOOT_TOKEN" in ran.out) == (0, [], True), "a run without secrets"


# -- what strangers write


def hostile(bench: Bench, text: str) -> Event:
    """Return a payload as every text of a pull request that its author may choose."""
    bad = text.replace("PWNED", str(bench.pwned))
    return {"title": bad, "body": bad, "user": {"id": 7, "login": bad}, "labels": [{"name": bad}]}


def hostile_pull(bench: Bench, text: str) -> tuple[int, Event]:
    """Open a pull request whose files have hostile names too, and which brings a pin and jobs of its own."""
    bad = text.replace("PWNED", str(bench.pwned))
    name = bad.replace("/", "\N{FRACTION SLASH}").replace("\n", " ")
    run = f"import pathlib; pathlib.Path({str(bench.pwned)!r}).touch()\n"
    files = {
        bench.game_file("rules/dragon.yaml"): rule(bad.replace("\n", " ").replace('"', "'").replace(": ", " ")),
        bench.game_file(f"rules/{name}.yaml"): rule("Another"),
        "ci/engine.lock": f"evil @ file://{bench.folder}/evil\n".encode(),
        "sitecustomize.py": run.encode(),
        "engine/__init__.py": run.encode(),
        ".gitattributes": b"* filter=evil\n",
        ".github/workflows/check.yml": b"on: pull_request\n",
    }
    seat = bench.meeting.seat("bob")
    return seat.open_pull(bench.meeting.change("bob", files, bad)), hostile(bench, text)


@pytest.mark.parametrize("kind", PAYLOADS)
@pytest.mark.sampled(4)
def test_a_naive_workflow_is_injected_by_each_of_the_payloads(bench: Bench, kind: str) -> None:
    number = bench.meeting.propose("bob")
    bench.write("naive.yml", NAIVE)
    bench.act("pull_request", "naive.yml", bench.pull_request(number, **hostile(bench, PAYLOADS[kind])))
    assert bench.pwned.exists(), "the payload must work, or it proves nothing"


@pytest.mark.threat("T-04")
@pytest.mark.parametrize(
    ("kind", "forge"), [*((kind, "github") for kind in (*PAYLOADS, *SAFE_ALONE)), ("quotes", "gitea")]
)
@pytest.mark.sampled(8)
def test_check_runs_nothing_of_a_hostile_pull_request(bench: Bench, kind: str, forge: str) -> None:
    number, bad = hostile_pull(bench, {**PAYLOADS, **SAFE_ALONE}[kind])
    head = {"ref": str(bad["title"]), "sha": bench.meeting.head(number)}
    event = "pull_request_target" if forge == "github" else "pull_request"
    ran = bench.act(event, "check.yml", bench.pull_request(number, head=head, **bad), kind=forge)
    assert not bench.pwned.exists()
    assert [words[0] for words in ran.of("moot")] == ["try"], ran.out
    assert "Failure - Main" in ran.out, "files outside of the rules are refused"
    assert all(words in ran.out for words in ("Summary", "`engine`: this is no part of a game")), ran.out
    assert ran.of("checkout") == (TAKEN if forge == "github" else [])
    keeps_secrets(ran)


@pytest.mark.threat("T-04")
@pytest.mark.parametrize(
    ("event", "kind", "forge"),
    [
        ("issue_comment", "substitution", "github"),
        ("workflow_run", "line", "github"),
        ("issue_comment", "quotes", "gitea"),
    ],
)
@pytest.mark.sampled(3)
def test_the_referee_is_not_injected_by_what_woke_it_and_never_takes_a_head(
    bench: Bench, event: str, kind: str, forge: str
) -> None:
    number, bad = hostile_pull(bench, PAYLOADS[kind])
    run = {"name": "wake", "head_branch": bad["title"], "display_title": bad["title"],
           "head_commit": {"message": bad["body"], "id": bench.meeting.head(number)}}  # fmt: skip
    given = (
        bench.comment(str(bad["body"]), **bad) if event == "issue_comment" else {**woken(bench), "workflow_run": run}
    )
    ran = bench.act(event, "referee.yml", given, kind=forge)
    assert ran.code == 0, ran.out
    assert not bench.pwned.exists()
    assert "`engine`: this is no part of a game" in bench.meeting.said(number), "it was answered all the same"
    assert ran.of("checkout") == (TAKEN if forge == "github" else [])
    keeps_secrets(ran)


# -- this repository's own variant, whose jobs run the engine that lies on the branch

BACKEND = """\
import shutil

def build_editable(folder, settings=None, metadata=None):
    shutil.copy(WHEEL, folder)
    return WHEEL.rpartition("/")[2]
"""


def own(bench: Bench) -> None:
    """Make the repository one like the engine's own: with its jobs, its lock, and sources that are installed in place."""
    bench.moot = None
    stand_in = next((bench.clone / "ci" / "wheels").glob("*.whl"))
    kept = bench.folder / stand_in.name
    shutil.copyfile(stand_in, kept)
    files = {
        "requirements.lock": f"folkmoot==0.9.0 --hash=sha256:{hashlib.sha256(kept.read_bytes()).hexdigest()}\n",
        "pyproject.toml": '[build-system]\nrequires = []\nbuild-backend = "stand_in"\nbackend-path = ["."]\n',
        "stand_in.py": f"WHEEL = {str(kept)!r}\n{BACKEND}",
    }
    for name, text in files.items():
        (bench.clone / name).write_text(text, "utf-8")
    for kind in FOLDERS:
        write_stale(bench.clone, workflow_files(kind, own=True))
    git(bench.clone, "add", *files)
    bench.push("Become the engine's own repository")


@pytest.mark.parametrize(
    ("event", "workflow", "forge"),
    [
        ("pull_request_target", "check.yml", "github"), ("issue_comment", "referee.yml", "github"),
        ("pull_request", "check.yml", "gitea"), ("issue_comment", "referee.yml", "gitea"),
    ],
)  # fmt: skip
@pytest.mark.sampled(4)
def test_the_engines_own_jobs_run_the_engine_of_the_branch(bench: Bench, event: str, workflow: str, forge: str) -> None:
    own(bench)
    number, bad = hostile_pull(bench, PAYLOADS["quotes"])
    is_check = workflow == "check.yml"
    given: Any = bench.pull_request(number, **bad) if is_check else bench.comment(str(bad["body"]), **bad)
    job = "preview" if is_check else ""
    ran = bench.act(event, workflow, given, kind=forge, job=job, find_links=str(bench.folder))
    assert not bench.pwned.exists()
    assert len(ran.of("moot")) == 1, ran.out
    assert "`engine`: this is no part of a game" in (ran.out if is_check else bench.meeting.said(number))
    assert ran.of("checkout") == ([["ref=main", "sparse=", "keep=false"]] if forge == "github" else [])


def test_the_job_that_runs_what_a_pull_request_brings_holds_nothing(bench: Bench) -> None:
    own(bench)
    script = f'set -u\nenv >"{bench.folder}/seen"\ngit config --list >>"{bench.folder}/seen"\necho all is well\n'
    (bench.clone / ".ci").mkdir()  # act checks out its own folder where a job names no commit
    (bench.clone / ".ci" / "run").write_text(script)
    ran = bench.act("pull_request", "tests.yml", bench.pull_request(bench.meeting.propose("bob")))
    assert ran.code == 0, ran.out
    assert "all is well" in ran.out
    seen = (bench.folder / "seen").read_text()
    assert not any(secret in seen for secret in (TOKEN, CHANCE))
