"""Every shipped workflow passes the linters, holds no more than it needs, and is in step with the templates."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from folkmoot.core.problems import ProblemError
from folkmoot.files.fast_reader import load_yaml
from folkmoot.forges.workflows import BEGIN, FOLDERS, beginning, workflow_files
from folkmoot.ops.doctor.repository_files import stale_files, write_stale
from tests.support.meeting import git
from tests.workflows.tools import NAIVE, run

ROOT = Path(__file__).parents[2]
RELEASE = ROOT / ".github" / "workflows" / "release.yml"
JOBS: dict[str, Any] = load_yaml(RELEASE.read_text("utf-8"), RELEASE.name)["jobs"]
IGNORED = re.compile(r"# zizmor: ignore\[(?P<audits>[a-z, -]+)\](?P<reason>.*)$", re.MULTILINE)
SCRIPT = re.compile(r"^( +)run: (?:\|\n((?:\1  .*\n|\n)+)|(.*)\n)", re.MULTILINE)
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
VARIANTS = [(kind, own) for kind in FOLDERS for own in (True, False)]


def shipped(kind: str, *, own: bool) -> dict[str, str]:
    """Return every workflow of a repository; one made from a template has another that begins a game."""
    begin = f"{FOLDERS[kind]}/{BEGIN}"
    return workflow_files(kind, own=own) | ({} if own else {begin: beginning(kind)[begin]})


@pytest.fixture(params=["own", "game"])
def repository(request: pytest.FixtureRequest, tools: None, tmp_path: Path) -> Path:
    """Return a repository with nothing but its workflows, of either variant."""
    for kind in FOLDERS:
        write_stale(tmp_path, shipped(kind, own=request.param == "own"))
    shutil.copyfile(ROOT / ".github" / "actionlint.yaml", tmp_path / ".github" / "actionlint.yaml")
    shutil.copyfile(RELEASE, tmp_path / ".github" / "workflows" / RELEASE.name)
    (tmp_path / ".git").mkdir()
    return tmp_path


@pytest.mark.threat("T-04")
def test_the_linters_find_nothing_but_in_what_is_naive(repository: Path) -> None:
    """Zizmor in the person of an auditor."""
    files = [str(path) for folder in FOLDERS.values() for path in sorted((repository / folder).glob("*.yml"))]
    assert len(files) == 11
    audit = ["--offline", "--persona", "auditor", "--no-progress"]
    done = run("zizmor", [*audit, *files], repository)
    assert done.returncode == 0, done.stdout
    assert "No findings to report" in done.stdout
    done = run("actionlint", ["-shellcheck=", "-pyflakes=", *files], repository)
    assert done.returncode == 0, done.stdout
    other = repository / FOLDERS["gitea"] / "referee.yml"  # an event of its own, which GitHub does not have
    other.write_text(re.sub(r"  pull_request_comment:.*\n.*\n", "", other.read_text("utf-8")), "utf-8")
    done = run("check-jsonschema", ["--builtin-schema", "vendor.github-workflows", *files], repository)
    assert done.returncode == 0, done.stdout
    (repository / "naive.yml").write_text(NAIVE, "utf-8")
    assert "template-injection" in run("zizmor", [*audit, "naive.yml"], repository).stdout
    assert "potentially untrusted" in run("actionlint", ["naive.yml"], repository).stdout


@pytest.mark.parametrize(("kind", "own"), VARIANTS)
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
@pytest.mark.parametrize(("kind", "own"), VARIANTS)
def test_actions_are_named_by_digest_and_nothing_comes_into_a_shell_by_expression(kind: str, own: bool) -> None:
    for name, text in [*shipped(kind, own=own).items(), (RELEASE.name, RELEASE.read_text("utf-8"))]:
        for uses in re.findall(r"^ +(?:- )?uses: (.*)$", text, re.MULTILINE):
            version = re.fullmatch(r"[a-z]+/[a-z-]+@[0-9a-f]{40} # v(\d+)\.\d+\.\d+", uses)
            assert version, f"{name}: {uses}"
            assert "/checkout@" not in uses or int(version[1]) >= 7, (
                "which refuses by itself to take the head of a fork"
            )
        for image in re.findall(r"image: (.*)$", text, re.MULTILINE):
            assert re.search(r":3\.12\.\d+-\w+@sha256:[0-9a-f]{64}$", image), name
        for script in SCRIPT.findall(text):
            assert "${{" not in "".join(script), f"{name}: an expression in a shell's words"
        assert text.count("actions/checkout@") == text.count("persist-credentials: false"), name
        if name != RELEASE.name:
            assert all(words in text for words in ("\npermissions: {}\n", "timeout-minutes:")), name
            assert ("concurrency:\n" in text) == ("concurrency-limits]" not in text), name
            assert text.count("timeout-minutes:") == text.count("runs-on:") == text.count("    permissions:"), name


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
def test_no_cache_and_no_shell_stands_beside_the_secrets_and_only_the_referee_and_who_deploys_may_write() -> None:
    for kind in FOLDERS:
        for name, text in shipped(kind, own=False).items():
            assert not re.search(r"^ +cache", text, re.MULTILINE), name
            assert text.count('moot" referee') == text.count('exec "$RUNNER_TEMP/engine/bin/moot" referee'), name
    files = {Path(name).name: text for name, text in workflow_files("github").items()}
    writers = {
        (name, right)
        for name, text in files.items()
        for right in re.findall(r"^ +([a-z-]+): write", text, re.MULTILINE)
    }
    rights = ("contents", "pull-requests", "issues", "statuses", "actions")
    wanted = {(f"{name}.yml", right) for name in ("referee", "clock") for right in rights}
    assert writers == wanted | {("publish.yml", right) for right in ("pages", "id-token", "contents")}
    for name in ("referee.yml", "clock.yml"):  # what reads what players said starts and stops no workflow
        jobs = load_yaml(files[name], name)["jobs"]
        assert jobs["referee"]["permissions"]["actions"] == "read"
        assert jobs["after"]["permissions"] == {"actions": "write", "issues": "write"}
        assert not any("uses" in step or "moot" in step["run"].split() for step in jobs["after"]["steps"])
        assert set(jobs["referee"]["outputs"]) == {"moved", "awake"}


@pytest.mark.parametrize("kind", FOLDERS)
def test_a_run_of_ones_own_takes_nobodys_place_in_the_queue_and_comments_start_runs_by_each_name(kind: str) -> None:
    """Gitea up to 1.22 and Forgejo 1.21 start no `issue_comment` workflow where somebody comments on a pull request."""
    workflows = {of: load_yaml(shipped(of, own=False)[f"{FOLDERS[of]}/referee.yml"], of) for of in FOLDERS}
    begun = {of: workflow["on"] for of, workflow in workflows.items()}
    assert begun["gitea"]["pull_request_comment"] == begun["gitea"]["issue_comment"] == begun["github"]["issue_comment"]
    workflow = workflows[kind]
    first, *later = workflow["jobs"].values()
    own = re.search(r"== 'yes'\) && !\((.*)\) \}\}", first["if"])
    assert own
    if "concurrency" in workflow:
        group = re.search(r"^\$\{\{ \((.*)\) && format\('own-", workflow["concurrency"]["group"])
        assert group
        assert group[1] == own[1], "what does nothing must not wait where the next takes its place"
        return
    assert "concurrency" not in first, "what ends there takes nobody's place"
    assert [job["needs"] for job in later if "concurrency" in job] == ["look"]
    assert all(job["if"] == "${{ needs.look.outputs.go == 'true' }}" for job in later if "concurrency" in job)


# -- templates


def test_this_repository_uses_the_templates() -> None:
    done = subprocess.run([sys.executable, "ci/workflows.py", "--check"], cwd=ROOT, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    for kind, folder in FOLDERS.items():
        there = {f"{folder}/{path.name}" for path in (ROOT / folder).iterdir()}
        alone = {f"{folder}/{RELEASE.name}"} if kind == "github" else set()  # no game has that
        assert there == set(workflow_files(kind, own=True)) | alone


@pytest.mark.parametrize("kind", FOLDERS)
def test_they_are_written_where_somebody_changed_them_and_the_variants_differ_in_the_engine(
    tmp_path: Path, kind: str
) -> None:
    game, own = workflow_files(kind), workflow_files(kind, own=True)
    assert sorted(stale_files(tmp_path, game)) == sorted(write_stale(tmp_path, game)) == sorted(game)
    assert write_stale(tmp_path, game) == []
    changed = tmp_path / next(iter(game))
    changed.write_bytes(changed.read_bytes().replace(b"\n", b"\r\n"))
    assert stale_files(tmp_path, game) == write_stale(tmp_path, game) == [next(iter(game))]
    assert own.keys() - game.keys() == {f"{FOLDERS[kind]}/tests.yml"}
    assert not any("#: " in text or not re.search(r"[^\n]\n\Z", text) for text in (*game.values(), *own.values()))
    check, tests = f"{FOLDERS[kind]}/check.yml", f"{FOLDERS[kind]}/tests.yml"
    assert ["ci/engine.lock" in text for text in (game[check], own[check])] == [True, False]
    assert ["bash .ci/run" in text for text in (own[tests], own[check], game[check])] == [True, False, False]
    with pytest.raises(ProblemError, match="E-ARGS"):
        workflow_files("local")


# -- the workflow that releases a version


def test_only_a_tag_publishes_and_what_publishes_builds_nothing() -> None:
    text = RELEASE.read_text("utf-8")
    assert "secrets." not in text
    assert text.count("zizmor: ignore") == text.count("zizmor: ignore[concurrency-limits]") == 1
    assert set(JOBS) == {"tested", "build", "attest", "publish"}
    assert JOBS["build"]["permissions"] == {"contents": "read"}
    assert JOBS["attest"]["needs"] == ["tested", "build"]
    for name in ("tested", "attest", "publish"):
        assert JOBS[name]["if"] == "${{ github.ref_type == 'tag' }}"
        assert not any("checkout" in step.get("uses", "") for step in JOBS[name]["steps"])
    assert JOBS["publish"]["permissions"] == {"id-token": "write"}
    assert JOBS["publish"]["needs"] == ["build", "attest"]


@pytest.mark.parametrize(
    ("tag", "inside", "branch", "said"),
    [
        ("v1.2.3", "1.2.3", "main", ""),
        ("v1.2.4", "1.2.3", "main", "The tag is v1.2.4, and pyproject.toml says 1.2.3."),
        ("v1.2.3", "1.2.2", "main", "engine/folkmoot/__init__.py says another version"),
        ("v1.2.3", "1.2.3", "aside", "The tag is not on the branch main."),
    ],
)
def test_a_tag_that_is_not_the_version_of_the_main_branch_releases_nothing(
    tmp_path: Path, tag: str, inside: str, branch: str, said: str
) -> None:
    (tmp_path / "tools" / "bin").mkdir(parents=True)
    (tmp_path / "tools" / "bin" / "python").symlink_to(sys.executable)
    work = tmp_path / "work"
    (work / "engine" / "folkmoot").mkdir(parents=True)
    (work / "pyproject.toml").write_text('[project]\nversion = "1.2.3"\n')
    (work / "engine" / "folkmoot" / "__init__.py").write_text(f'__version__ = "{inside}"\n')
    git(tmp_path, "init", "--quiet", "--initial-branch=main", str(work))
    git(work, "add", "--all")
    mine = ("-c", "user.name=x", "-c", "user.email=x@y.z", "commit", "--quiet", "--allow-empty", "--message", "x")
    git(work, *mine)
    git(work, "update-ref", "refs/remotes/origin/main", "HEAD")
    if branch != "main":
        git(work, *mine)
    script = next(step["run"] for step in JOBS["build"]["steps"] if step["name"].startswith("Compare"))
    variables = {"PATH": "/usr/bin:/bin", "RUNNER_TEMP": str(tmp_path), "TAG": tag, "BRANCH": "main"}
    words = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
    done = subprocess.run(words, cwd=work, env=variables, capture_output=True, text=True, check=False)
    assert (done.returncode != 0) == bool(said), done.stderr
    assert said in done.stdout
