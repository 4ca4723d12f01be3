"""Every shipped workflow passes the linters, and what they are told to ignore has its reason beside it."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from folkmoot.files.fast_reader import load_yaml
from folkmoot.forges.workflows import BEGIN, FOLDERS, beginning, workflow_files
from folkmoot.ops.doctor.repository_files import write_stale
from tests.support.injection import NAIVE
from tests.workflows.tools import run

ROOT = Path(__file__).parents[2]
IGNORED = re.compile(r"# zizmor: ignore\[(?P<audits>[a-z, -]+)\](?P<reason>.*)$", re.MULTILINE)
EXCUSED = {
    "github": {
        *((f"{name}.yml", "dangerous-triggers") for name in ("referee", "check", "wake")),
        *((f"{name}.yml", "concurrency-limits") for name in ("clock", "publish")),
    },
    "gitea": {
        *(("referee.yml", audit) for audit in ("dangerous-triggers", "secrets-outside-env", "concurrency-limits")),
        ("publish.yml", "concurrency-limits"),
    },
}
DIGEST = re.compile(r"actions/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$")


def shipped(kind: str, *, own: bool) -> dict[str, str]:
    """Return every workflow of a repository; one made from a template has another that begins a game."""
    begin = f"{FOLDERS[kind]}/{BEGIN}"
    return workflow_files(kind, own=own) | ({} if own else {begin: beginning(kind)[begin]})


@pytest.fixture(params=["own", "game"])
def repository(request: pytest.FixtureRequest, tools: None, tmp_path: Path) -> Path:
    """Return a repository with nothing but its workflows, of either variant."""
    for kind in FOLDERS:
        write_stale(tmp_path, workflow_files(kind, own=request.param == "own"))
        for name, text in shipped(kind, own=request.param == "own").items():
            (tmp_path / name).write_text(text, "utf-8")
    shutil.copyfile(ROOT / ".github" / "actionlint.yaml", tmp_path / ".github" / "actionlint.yaml")
    (tmp_path / ".git").mkdir()
    return tmp_path


def files(repository: Path) -> list[str]:
    found = [str(path) for folder in FOLDERS.values() for path in sorted((repository / folder).glob("*.yml"))]
    assert len(found) == 10
    return found


@pytest.mark.threat("T-04")
def test_zizmor_finds_nothing_in_the_person_of_an_auditor(repository: Path) -> None:
    done = run("zizmor", ["--offline", "--persona", "auditor", "--no-progress", *files(repository)], repository)
    assert done.returncode == 0, done.stdout
    assert "No findings to report" in done.stdout


def test_zizmor_would_find_something(repository: Path) -> None:
    (repository / "naive.yml").write_text(NAIVE, "utf-8")
    done = run("zizmor", ["--offline", "--persona", "auditor", "--no-progress", "naive.yml"], repository)
    assert done.returncode != 0
    assert "template-injection" in done.stdout


def test_actionlint_finds_nothing(repository: Path) -> None:
    done = run("actionlint", ["-shellcheck=", "-pyflakes=", *files(repository)], repository)
    assert done.returncode == 0, done.stdout
    (repository / "naive.yml").write_text(NAIVE, "utf-8")
    assert "potentially untrusted" in run("actionlint", ["naive.yml"], repository).stdout


def test_the_form_of_every_workflow_is_right(repository: Path) -> None:
    other = repository / FOLDERS["gitea"] / "referee.yml"  # an event of its own, which GitHub does not have
    other.write_text(re.sub(r"  pull_request_comment:.*\n.*\n", "", other.read_text("utf-8")), "utf-8")
    done = run("check-jsonschema", ["--builtin-schema", "vendor.github-workflows", *files(repository)], repository)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("own", [True, False])
def test_a_comment_starts_the_referee_by_each_name_that_a_forge_has_for_it(own: bool) -> None:
    """Gitea up to 1.22 and Forgejo 1.21 start no `issue_comment` workflow where somebody comments on a pull request."""
    begun = {kind: load_yaml(shipped(kind, own=own)[f"{FOLDERS[kind]}/referee.yml"], kind)["on"] for kind in FOLDERS}
    assert begun["gitea"]["pull_request_comment"] == begun["gitea"]["issue_comment"]
    assert begun["gitea"]["issue_comment"] == begun["github"]["issue_comment"]


@pytest.mark.parametrize("kind", FOLDERS)
@pytest.mark.parametrize("own", [True, False])
def test_what_is_ignored_is_known_and_has_a_reason(kind: str, own: bool) -> None:
    found = {
        (Path(name).name, audit)
        for name, text in shipped(kind, own=own).items()
        for ignored in IGNORED.finditer(text)
        for audit in ignored["audits"].split(", ")
        if len(ignored["reason"].split()) >= 4 or pytest.fail(f"{name}: no reason for {audit}")
    }
    assert found == EXCUSED[kind] | (set() if own else {(BEGIN, "secrets-outside-env")})


@pytest.mark.threat("T-04")
@pytest.mark.parametrize("kind", FOLDERS)
@pytest.mark.parametrize("own", [True, False])
def test_actions_are_named_by_digest_and_nothing_comes_into_a_shell_by_expression(kind: str, own: bool) -> None:
    for name, text in shipped(kind, own=own).items():
        for uses in re.findall(r"^ +(?:- )?uses: (.*)$", text, re.MULTILINE):
            assert DIGEST.fullmatch(uses), f"{name}: {uses}"
            major = int(re.sub(r".*# v(\d+).*", r"\1", uses))
            assert "/checkout@" not in uses or major >= 7, "which refuses by itself to take the head of a fork"
        for image in re.findall(r"image: (.*)$", text, re.MULTILINE):
            assert re.search(r":3\.12\.\d+-\w+@sha256:[0-9a-f]{64}$", image), name
        for script in re.findall(r"^( +)run: (?:\|\n((?:\1  .*\n|\n)+)|(.*)\n)", text, re.MULTILINE):
            assert "${{" not in "".join(script), f"{name}: an expression in a shell's words"
        assert all(words in text for words in ("\npermissions: {}\n", "timeout-minutes:")), name
        assert ("concurrency:\n" in text) == ("concurrency-limits]" not in text), name
        assert text.count("timeout-minutes:") == text.count("runs-on:") == text.count("    permissions:"), name
        assert text.count("actions/checkout@") == text.count("persist-credentials: false"), name


@pytest.mark.threat("T-04")
@pytest.mark.parametrize("own", [True, False])
def test_what_any_pull_request_starts_holds_nothing_and_takes_nothing_of_it(own: bool) -> None:
    started = {name: text for name, text in shipped("github", own=own).items() if "\n  pull_request_target:" in text}
    assert {Path(name).name for name in started} == {"check.yml", "wake.yml"}
    for name, text in started.items():
        assert not re.search(r": write|secrets\.| cache:|head\.(ref|sha)|head_ref|upload-artifact|\.ci/run", text), name
        assert re.findall(r"^ +ref: (.*)$", text, re.MULTILINE) in ([], ["${{ github.base_ref }}"]), name


@pytest.mark.threat("T-121")
def test_no_queue_that_a_pull_request_could_hold_keeps_the_clock_waiting() -> None:
    jobs = {Path(name).name: text for name, text in shipped("github", own=False).items()}
    assert "concurrency:" not in jobs["clock.yml"] + jobs["publish.yml"]
    assert 'moot" referee' in jobs["clock.yml"], "it waits for no other workflow to begin, either"
    gitea = {Path(name).name: text for name, text in shipped("gitea", own=False).items()}["referee.yml"]
    assert 'if [ "$EVENT" = schedule ]; then echo "queue=$(od -An -N16 -tx1 /dev/urandom' in gitea
    assert gitea.index("concurrency:") > gitea.index("needs: look"), "what has no token takes nobody's place"


@pytest.mark.threat("T-04")
def test_no_cache_and_no_shell_stands_beside_the_secrets() -> None:
    for kind in FOLDERS:
        for name, text in shipped(kind, own=False).items():
            assert not re.search(r"^ +cache", text, re.MULTILINE), name
            assert text.count('moot" referee') == text.count('exec "$RUNNER_TEMP/engine/bin/moot" referee'), name


@pytest.mark.threat("T-04")
def test_only_the_referee_and_who_deploys_may_write() -> None:
    writers = {
        (name, line.split("#")[0].strip())
        for name, text in workflow_files("github").items()
        for line in text.splitlines()
        if re.match(r" +[a-z-]+: write", line)
    }
    publish = ".github/workflows/publish.yml"
    rights = ("contents", "pull-requests", "issues", "statuses", "actions")
    wanted = {(f".github/workflows/{name}.yml", f"{right}: write") for name in ("referee", "clock") for right in rights}
    assert writers == wanted | {(publish, f"{right}: write") for right in ("pages", "id-token", "contents")}


@pytest.mark.threat("T-04")
@pytest.mark.parametrize("name", ["referee.yml", "clock.yml"])
def test_the_job_that_reads_what_players_said_starts_and_stops_no_workflow(name: str) -> None:
    jobs = load_yaml(workflow_files("github")[f".github/workflows/{name}"], name)["jobs"]
    assert jobs["referee"]["permissions"]["actions"] == "read"
    assert jobs["after"]["permissions"] == {"actions": "write", "issues": "write"}
    assert not any("uses" in step or "moot" in step["run"].split() for step in jobs["after"]["steps"])
    assert set(jobs["referee"]["outputs"]) == {"moved", "awake"}
