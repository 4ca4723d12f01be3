"""A pin names the engine and all that it runs with by version and hash, and nothing else."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import shutil
import zipfile
from pathlib import Path
from typing import Any

import pytest

from folkmoot.core.problems import ProblemError
from folkmoot.forges import engine_pin
from folkmoot.forges.engine_pin import LARGEST, faults, pin, pinned_engine, read_lock
from folkmoot.forges.workflows import LOCK, WHEELS
from tests.support.meeting import git
from tests.support.moot import Moot
from tests.workflows.wheels import wheel

ROOT = Path(__file__).parents[2]
HASH = "a" * 64
OTHER = "b" * 64
NEEDED = f"""\
# comment
click==8.2.1 \\
    --hash=sha256:{HASH} \\
    --hash=sha256:{OTHER}
Colorama==0.4.6 ; sys_platform == 'win32' \\
    --hash=sha256:{HASH}
pip==26.0 \\
    --hash=sha256:{HASH}
"""


@pytest.fixture(autouse=True)
def _in_a_repository(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet")


def test_a_wheel_is_pinned_with_what_it_carries_and_the_newest_takes_the_place_of_the_last(tmp_path: Path) -> None:
    given = wheel(tmp_path / "built", lock=NEEDED)
    done = pin(tmp_path, str(given))
    text = (tmp_path / LOCK).read_text()
    packages = {package.name: package for package in read_lock(text)}
    assert list(packages) == ["folkmoot", "click", "colorama"], "pip is for sources only"
    digest = hashlib.sha256(given.read_bytes()).hexdigest()
    assert packages["folkmoot"].hashes == (digest,) == (done.digest,)
    assert packages["click"].hashes == (HASH, OTHER)
    assert "colorama==0.4.6 ; sys_platform == 'win32'" in text.lower()
    assert not any(word in text for word in ("://", "--index", str(tmp_path)))
    assert (tmp_path / WHEELS / given.name).read_bytes() == given.read_bytes()
    assert done.changed == (LOCK, f"{WHEELS}/{given.name}")
    assert pin(tmp_path, str(given)).changed == ()
    new = wheel(tmp_path / "built", "0.10.0")
    done = pin(tmp_path, str(new))
    assert done.version == "0.10.0"
    assert [path.name for path in (tmp_path / WHEELS).iterdir()] == [new.name]
    assert f"{WHEELS}/{given.name}" in done.changed


def test_what_is_no_wheel_of_the_engine_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    broken, empty = tmp_path / "folkmoot-1.0-py3-none-any.whl", tmp_path / "empty-1.0-py3-none-any.whl"
    broken.write_bytes(b"not a zip")
    with zipfile.ZipFile(empty, "w"):
        pass
    (tmp_path / "nothing").mkdir()
    foreign = wheel(tmp_path / "foreign", name="evil")
    hostile = wheel(tmp_path / "hostile", lock="evil @ https://evil.example/evil.whl\n")
    for source in (broken, empty, tmp_path / "nothing", foreign, hostile, tmp_path / "missing.whl", "../x", "--help"):
        with pytest.raises(ProblemError) as refused:
            pin(tmp_path, str(source))
        assert {problem.code for problem in refused.value.problems} == {"E-PIN"}, source
    assert not (tmp_path / "ci").exists()


@pytest.mark.threat("T-24")
@pytest.mark.parametrize(
    "line",
    [
        "click==8.2.1", f"click>=8 --hash=sha256:{HASH}", f"click==8.2.1 --hash=md5:{HASH[:32]}",
        f"click==8.2.1 --hash=sha256:{HASH} --index-url=https://evil.example", "--index-url https://evil.example",
        "--extra-index-url=https://evil.example", "-r other.txt", "-e .", "--find-links=https://evil.example",
        f"click @ https://evil.example/click.whl --hash=sha256:{HASH}", f"./click.whl --hash=sha256:{HASH}",
        f"click==8.2.1 ; python_version > '3' and https://evil.example#x --hash=sha256:{HASH}", "click==8.2.1 \\",
    ],
)  # fmt: skip
def test_whatever_is_not_a_package_by_version_and_hash_is_refused_at_its_line(line: str) -> None:
    good = f"folkmoot==1.0 \\\n    --hash=sha256:{HASH}\n"
    with pytest.raises(ProblemError, match="E-PIN") as refused:
        read_lock(f"# first\n{good}{line}\n")
    assert str(refused.value.problems[0].position) == f"{LOCK}:4"


def test_a_package_twice_and_a_pin_without_the_engine_are_refused() -> None:
    one = f"click==8.2.1 \\\n    --hash=sha256:{HASH}\n"
    with pytest.raises(ProblemError, match="line 1 already"):
        read_lock(one + one.replace("click", "Click"))
    assert len(read_lock(one + one.replace("8.2.1", "8.1.0 ; python_version < '3.12'"))) == 2
    with pytest.raises(ProblemError, match="itself is not pinned"):
        pinned_engine(one)
    ours = ROOT / "requirements.lock"
    assert len(read_lock(ours.read_text())) > 20
    assert ours.stat().st_size * 100 < LARGEST, "a wheel can carry it"


def from_index(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let pip know no index but a folder."""
    for name, value in (("NO_INDEX", "1"), ("CONFIG_FILE", "/dev/null"), ("FIND_LINKS", str(folder))):
        monkeypatch.setenv(f"PIP_{name}", value)


def test_the_command_pins(moot: Moot, tmp_path: Path) -> None:
    given = wheel(tmp_path / "built", lock=NEEDED)
    said = moot("init", "--pin", str(given))
    assert "Pinned the engine 0.9.0 and 2 packages" in said.out
    assert "Next: `moot init` brings the jobs in step with it; then commit" in said.out
    assert "nothing changed" in moot("init", "--pin", str(given)).out
    assert faults(tmp_path) == []
    lock = tmp_path / LOCK
    with pytest.raises(ProblemError, match="this is no pinned package: --index-url"):
        read_lock(lock.read_text() + "--index-url https://evil.example\n")


def test_a_version_is_asked_of_the_index_that_pip_knows(
    moot: Moot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel(tmp_path / "index", "0.9.0", lock=NEEDED)
    wheel(tmp_path / "index", "0.9.1", lock=NEEDED)
    from_index(tmp_path / "index", monkeypatch)
    said = moot("init", "--pin", "0.9.0", "--json").record
    assert (said["engine"], said["changed"]) == ("0.9.0", [LOCK])
    assert said["source"] == "version 0.9.0 of the package index"
    assert not (tmp_path / WHEELS).exists() or not list((tmp_path / WHEELS).iterdir())
    assert moot("init", "--pin", "").code == 2
    gone = moot("init", "--pin", "7.7.7")
    assert gone.code == 5
    assert "pip could not fetch folkmoot==7.7.7" in gone.err
    shutil.rmtree(".git")
    assert "is no git repository" in moot("init", "--pin", "0.9.1").err


# -- without being told where


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder in which an installer unpacked a wheel of the engine, and added what installers add."""
    folder = tmp_path / "installed"
    with zipfile.ZipFile(wheel(tmp_path / "built", lock=NEEDED)) as archive:
        archive.extractall(folder)
    info = folder / "folkmoot-0.9.0.dist-info"
    (info / "INSTALLER").write_text("uv")
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "folkmoot_stand_in.pyc").write_bytes(b"compiled")
    with (info / "RECORD").open("a") as record:
        record.write("folkmoot-0.9.0.dist-info/INSTALLER,,\n__pycache__/folkmoot_stand_in.pyc,,\n../../bin/moot,,\n")
    found = importlib.metadata.PathDistribution(info)
    monkeypatch.setattr(engine_pin, "scaffold", lambda: folder / "folkmoot" / "scaffold")
    monkeypatch.setattr(engine_pin, "distribution", lambda _name: found)
    monkeypatch.setattr(engine_pin, "__version__", "0.9.0")
    return folder


def say_from(installed: Path, **told: Any) -> None:
    (installed / "folkmoot-0.9.0.dist-info" / "direct_url.json").write_text(json.dumps(told))


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ({"url": "https://bob:pw@git.example/moot", "vcs_info": {"vcs": "git", "commit_id": "ab12" * 10}},
         "installed from https://git.example/moot."),
        ({"url": "file:///nowhere/folkmoot-0.9.0-py3-none-any.whl", "archive_info": {}}, "file:///nowhere/folkmoot"),
        ({"url": "file:///nowhere", "dir_info": {}}, "its own files, installed from file:///nowhere."),
    ],
)  # fmt: skip
def test_what_came_from_elsewhere_is_pinned_out_of_its_own_files(
    installed: Path, moot: Moot, tmp_path: Path, told: dict[str, Any], words: str
) -> None:
    say_from(installed, **told)
    said = moot("init", "--pin")
    assert words in said.out
    assert "pw" not in said.out
    kept = tmp_path / WHEELS / "folkmoot-0.9.0-py3-none-any.whl"
    with zipfile.ZipFile(kept) as ours, zipfile.ZipFile(tmp_path / "built" / kept.name) as theirs:
        assert sorted(ours.namelist()) == sorted(theirs.namelist())
        assert [name for name in theirs.namelist() if ours.read(name) != theirs.read(name)] in (
            [], ["folkmoot-0.9.0.dist-info/RECORD"])  # fmt: skip
    assert "nothing changed" in moot("init", "--pin").out, "the same files make the same wheel"


def test_what_came_from_an_index_is_pinned_in_this_version(
    installed: Path, moot: Moot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel(tmp_path / "built", "0.9.1")
    from_index(tmp_path / "built", monkeypatch)
    said = moot("init", "--pin", "--json").record
    assert (said["engine"], said["changed"]) == ("0.9.0", [LOCK]), "not the newest: the one that runs"
