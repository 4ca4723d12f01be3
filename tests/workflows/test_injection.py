"""Hostile titles, branch names, bodies and file names run through the real workflows, and inject nothing."""

from __future__ import annotations

import hashlib
import shutil
from typing import Any

import pytest

from folkmoot.forges.workflows import FOLDERS, workflow_files
from folkmoot.ops.doctor.repository_files import write_stale
from tests.conftest import FUZZ
from tests.support.injection import NAIVE
from tests.support.meeting import git, rule
from tests.workflows.bench import CHANCE, TOKEN, Bench

PAYLOADS = {
    "substitution": "x$(touch${IFS}PWNED)",
    "backticks": "x`touch${IFS}PWNED`",
    "quotes": 'x"; touch PWNED; echo "',
    "line": 'x"\ntouch PWNED\necho "',
}
SAFE_ALONE = {"expression": "x${{ github.token }}", "command": "::set-output name=moved::true", "dashes": "--help"}


def hostile(bench: Bench, text: str) -> dict[str, Any]:
    """Return a payload as every text of a pull request that its author may choose."""
    bad = text.replace("PWNED", str(bench.pwned))
    return {"title": bad, "body": bad, "user": {"id": 7, "login": bad}, "labels": [{"name": bad}]}


def hostile_pull(bench: Bench, text: str) -> tuple[int, dict[str, Any]]:
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
@pytest.mark.sampled(3)
def test_a_naive_workflow_is_injected_by_each_of_the_payloads(bench: Bench, kind: str) -> None:
    number = bench.meeting.propose("bob")
    bench.write("naive.yml", NAIVE)
    bad = hostile(bench, PAYLOADS[kind])
    bench.act("pull_request", "naive.yml", bench.pull_request(number, **bad))
    assert bench.pwned.exists(), "the payload must work, or it proves nothing"


@pytest.mark.threat("T-04")
@pytest.mark.parametrize(
    ("kind", "forge"),
    [
        *((kind, "github") for kind in ((*PAYLOADS, *SAFE_ALONE) if FUZZ else ("line", *SAFE_ALONE))),
        ("quotes", "gitea"),
    ],
)
@pytest.mark.sampled(3)
def test_check_runs_nothing_of_a_hostile_pull_request(bench: Bench, kind: str, forge: str) -> None:
    number, bad = hostile_pull(bench, {**PAYLOADS, **SAFE_ALONE}[kind])
    head = {"ref": str(bad["title"]), "sha": bench.meeting.head(number)}
    event = "pull_request_target" if forge == "github" else "pull_request"
    ran = bench.act(event, "check.yml", bench.pull_request(number, head=head, **bad), kind=forge)
    assert not bench.pwned.exists()
    assert [words[0] for words in ran.of("moot")] == ["try"], ran.out
    assert "Failure - Main" in ran.out, "files outside of the rules are refused"
    assert all(words in ran.out for words in ("Summary", "engine/__init__.py")), ran.out
    if forge == "github":
        assert ran.of("checkout") == [["ref=main", "sparse=/ci/", "keep=false"]]
    assert "***" not in ran.out
    assert TOKEN not in ran.out


def test_check_shows_what_a_good_pull_request_does(bench: Bench) -> None:
    number = bench.meeting.propose("bob", "There is a dragon")
    ran = bench.act("pull_request_target", "check.yml", bench.pull_request(number, title="There is a dragon"))
    assert ran.code == 0, ran.out
    assert "Job succeeded" in ran.out
    assert "There is a dragon" in ran.out


@pytest.mark.threat("T-04")
@pytest.mark.parametrize(
    ("kind", "forge"), [*((kind, "github") for kind in (PAYLOADS if FUZZ else ("substitution",))), ("quotes", "gitea")]
)
def test_the_referee_is_not_injected_by_a_comment_and_never_takes_a_head(bench: Bench, kind: str, forge: str) -> None:
    number, bad = hostile_pull(bench, PAYLOADS[kind])
    event = bench.comment(str(bad["body"]), **bad)
    ran = bench.act("issue_comment", "referee.yml", event, kind=forge)
    assert ran.code == 0, ran.out
    assert not bench.pwned.exists()
    said = bench.meeting.said(number)
    assert "engine/__init__.py" in said, "it was answered all the same"
    if forge == "github":
        assert ran.of("checkout") == [["ref=main", "sparse=/ci/", "keep=false"]]
    assert "***" not in ran.out
    assert TOKEN not in ran.out
    assert CHANCE not in ran.out


@pytest.mark.threat("T-04")
@pytest.mark.parametrize("kind", ["substitution", "line"] if FUZZ else ["line"])
def test_the_referee_is_not_injected_by_the_run_that_woke_it(bench: Bench, kind: str) -> None:
    _, bad = hostile_pull(bench, PAYLOADS[kind])
    run = {"name": "wake", "head_branch": bad["title"], "display_title": bad["title"]}
    run["head_commit"] = {"message": bad["body"], "id": bench.meeting.head(1)}
    event = {"action": "completed", "workflow_run": run, "repository": bench.repository()}
    ran = bench.act("workflow_run", "referee.yml", event)
    assert ran.code == 0, ran.out
    assert not bench.pwned.exists()
    assert ran.of("checkout") == [["ref=main", "sparse=/ci/", "keep=false"]]


# -- this repository's own variant, whose jobs run the engine that lies on the branch

BACKEND = """\
import shutil


def build_editable(folder, settings=None, metadata=None):
    shutil.copy(WHEEL, folder)
    return WHEEL.rpartition("/")[2]
"""


def own(bench: Bench) -> None:
    """Make the repository one like the engine's own: with its jobs, its lock, and sources that are installed in place."""
    stand_in = next((bench.clone / "ci" / "wheels").glob("*.whl"))
    kept = bench.folder / stand_in.name
    shutil.copyfile(stand_in, kept)
    lock = f"folkmoot==0.9.0 --hash=sha256:{hashlib.sha256(kept.read_bytes()).hexdigest()}\n"
    files = {
        "requirements.lock": lock,
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
        ("pull_request_target", "check.yml", "github"),
        ("issue_comment", "referee.yml", "github"),
        ("pull_request", "check.yml", "gitea"),
        ("issue_comment", "referee.yml", "gitea"),
    ],
)
@pytest.mark.sampled(2)
def test_the_engines_own_jobs_run_the_engine_of_the_branch(bench: Bench, event: str, workflow: str, forge: str) -> None:
    own(bench)
    number, bad = hostile_pull(bench, PAYLOADS["quotes"])
    given = (
        bench.pull_request(number, **bad)
        if event.startswith("pull_request")
        else bench.comment(str(bad["body"]), **bad)
    )
    job = "preview" if workflow == "check.yml" else ""
    ran = bench.act(event, workflow, given, kind=forge, job=job, find_links=str(bench.folder))
    assert not bench.pwned.exists()
    assert len(ran.of("moot")) == 1, ran.out
    assert "engine/__init__.py" in (ran.out if job else bench.meeting.said(number))
    if forge == "github":
        assert ran.of("checkout") == [["ref=main", "sparse=", "keep=false"]]


def test_the_job_that_runs_what_a_pull_request_brings_holds_nothing(bench: Bench) -> None:
    own(bench)
    script = f'set -u\nenv >"{bench.folder}/seen"\ngit config --list >>"{bench.folder}/seen"\necho all is well\n'
    (bench.clone / ".ci").mkdir()  # act checks out its own folder where a job names no commit
    (bench.clone / ".ci" / "run").write_text(script)
    number = bench.meeting.propose("bob")
    ran = bench.act("pull_request", "tests.yml", bench.pull_request(number))
    assert ran.code == 0, ran.out
    assert "all is well" in ran.out
    seen = (bench.folder / "seen").read_text()
    assert TOKEN not in seen
    assert CHANCE not in seen
