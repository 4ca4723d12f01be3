"""The set-up: two commands in the README, locks without addresses, pip found where there seems to be none."""

from __future__ import annotations

import hashlib
import importlib.util
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parent.parent
LOCKS = ["requirements.lock", "requirements-dev.lock"]


@pytest.fixture
def setup_script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("folkmoot_setup", ROOT / "ci" / "setup.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def locked(name: str) -> dict[str, set[str]]:
    text = (ROOT / name).read_text("utf-8")
    entries = re.findall(r"^([\w.-]+==[^\s\\]+).*((?:\n    .*)+)", text, re.MULTILINE)
    return {package: set(re.findall(r"sha256:([0-9a-f]{64})", hashes)) for package, hashes in entries}


def test_the_readme_names_two_commands_of_one_line_each() -> None:
    blocks = re.findall(r"```sh\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
    assert blocks == ["python3 ci/setup.py demo\n", "python3 ci/setup.py test\n"]


@pytest.mark.parametrize("name", LOCKS)
def test_every_locked_package_has_hashes_and_the_lock_names_no_address(name: str) -> None:
    text = (ROOT / name).read_text("utf-8")
    packages = locked(name)
    assert len(packages) == len(re.findall(r"^[\w.-]+==", text, re.MULTILINE)) > 20
    assert all(packages.values())
    assert not re.search(r"://|index-url|find-links|@ file", text)


def test_the_locks_agree_and_cover_what_the_project_asks_for() -> None:
    runtime, development = map(locked, LOCKS)
    assert runtime.items() <= development.items()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    groups = project["dependency-groups"]
    wanted = project["project"]["dependencies"] + groups["build"]
    for names, packages in [(wanted, runtime), (groups["dev"], development)]:
        pinned = {package.split("==")[0] for package in packages}
        assert {re.split(r"[<>=!~; ]", name)[0].replace(".", "-") for name in names} <= pinned


def test_stopping_the_setup_stops_what_it_runs() -> None:
    job = "import time; print('up', flush=True); time.sleep(600)"
    code = f"import sys, setup; sys.exit(setup.run_job([sys.executable, '-c', {job!r}]))"
    with subprocess.Popen([sys.executable, "-c", code], cwd=ROOT / "ci", stdout=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stdout.readline() == b"up\n"
        process.terminate()
        assert process.stdout.read() == b"", "whoever could write there has ended"


def test_pip_is_fetched_from_a_configured_index_and_its_hash_is_checked(
    setup_script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel = tmp_path / "pip-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("pip/__init__.py", "")
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    (tmp_path / "pip").write_text(f'<a href="{wheel.as_uri()}#sha256={digest}">pip</a>', "utf-8")
    monkeypatch.setenv("PIP_INDEX_URL", "https://example.org/mirror")
    pages = {
        "https://example.org/mirror/pip/": (tmp_path / "pip").read_bytes(),
        wheel.as_uri(): wheel.read_bytes(),
    }
    monkeypatch.setattr(setup_script, "fetch", pages.__getitem__)
    installed: list[bytes] = []
    monkeypatch.setattr(setup_script, "install_fetched", lambda _link, content: installed.append(content) or True)
    for known, expected in [(digest, True), ("0" * 64, False)]:
        lock = tmp_path / "lock"
        lock.write_text(f"pip==1.0 \\\n    --hash=sha256:{known}\n", "utf-8")
        monkeypatch.setattr(setup_script, "LOCK", str(lock))
        monkeypatch.setattr(setup_script, "configured_indexes", lambda: ["https://example.org/mirror"])
        assert setup_script.pip_by_index() is expected
    assert installed == [wheel.read_bytes()]


def test_the_configured_indexes_are_those_of_pip(
    setup_script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "pip.conf"
    config.write_text(
        "[global]\nindex-url = https://a.example/mirror\nextra-index-url =\n  https://b.example/x\n", "utf-8"
    )
    monkeypatch.setenv("PIP_CONFIG_FILE", str(config))
    monkeypatch.setenv("UV_INDEX", "mirror=https://c.example/mirror")
    found = setup_script.configured_indexes()
    assert {"https://a.example/mirror", "https://b.example/x", "https://c.example/mirror"} <= set(found)
