"""The workflow that releases a version: safe by the linters, and it releases no other version than its tag says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from folkmoot.files.fast_reader import load_yaml
from tests.support.meeting import git
from tests.workflows.tools import run

ROOT = Path(__file__).parents[2]
FILE = ROOT / ".github" / "workflows" / "release.yml"
TEXT = FILE.read_text("utf-8")
JOBS: dict[str, Any] = load_yaml(TEXT, FILE.name)["jobs"]


def test_the_linters_find_nothing(tools: None) -> None:
    for words in (
        ["zizmor", "--offline", "--persona", "auditor", "--no-progress"],
        ["actionlint", "-shellcheck=", "-pyflakes="],
        ["check-jsonschema", "--builtin-schema", "vendor.github-workflows"],
    ):
        done = run(words[0], [*words[1:], str(FILE)], ROOT)
        assert done.returncode == 0, done.stdout


def test_actions_are_named_by_digest_and_no_secret_is_kept() -> None:
    found = re.findall(r"uses: (.*)$", TEXT, re.MULTILINE)
    assert len(found) >= 6
    for uses in found:
        assert re.fullmatch(r"[a-z]+/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", uses), uses
    assert "secrets." not in TEXT
    assert TEXT.count("zizmor: ignore") == TEXT.count("zizmor: ignore[concurrency-limits]") == 1
    for script in re.findall(r"^( +)run: (?:\|\n((?:\1  .*\n|\n)+)|(.*)\n)", TEXT, re.MULTILINE):
        assert "${{" not in "".join(script)


def test_only_a_tag_publishes_and_what_publishes_builds_nothing() -> None:
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
