"""An engine that is installed from a wheel, far from its repository: it can lay out, write and build a site."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from email.parser import BytesParser
from importlib.metadata import version
from pathlib import Path

import pytest

from ci import pictures
from folkmoot import __version__
from folkmoot.forges.engine_pin import BUILT_FROM
from folkmoot.forges.workflows import workflow_files
from tests.workflows.tools import REQUIRED, run, tool

ROOT = Path(__file__).parents[2]
HOME = "https://forge.example/ann/folkmoot"
BUILD = "from setuptools import build_meta as b; print(b.build_wheel('dist'), b.build_sdist('dist'))"
WRITTEN = """
from pathlib import Path
from folkmoot.forges.workflows import workflow_files
from folkmoot.ops.doctor.repository_files import write_stale
write_stale(Path(), workflow_files("github"))
"""
LAID = "from pathlib import Path; from folkmoot.site.preparation import lay_site; assert lay_site(Path())"
NOT_SOURCES = shutil.ignore_patterns("__pycache__", "*.pyc")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the package as a wheel installs it, built once for all processes of a run of the tests."""
    if int(version("setuptools").partition(".")[0]) < 77:
        pytest.skip("the locked environment has setuptools 77, this one an older one")
    run_of_tests = tmp_path_factory.getbasetemp()
    folder = (run_of_tests.parent if "PYTEST_XDIST_WORKER" in os.environ else run_of_tests) / "package"
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "installed").exists():
            _build(folder)
    return folder / "installed"


def _build(folder: Path) -> None:
    source = folder / "source"
    for part in BUILT_FROM:
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, source / part, ignore=NOT_SOURCES)
        else:
            source.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / part, source / part)
    (source / "site_src" / "some-game").mkdir()
    for name in (".gitignore", "index.md"):
        (source / "site_src" / "some-game" / name).write_text("*\n", "utf-8")
    at_home = {**os.environ, "FOLKMOOT_HOME": HOME}
    done = subprocess.run(
        [sys.executable, "-c", BUILD], cwd=source, env=at_home, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    shutil.copytree(source / "dist", folder / "wheel")
    with zipfile.ZipFile(next((source / "dist").glob("*.whl"))) as wheel:
        wheel.extractall(folder / "unpacked")
    (folder / "unpacked").rename(folder / "installed")


def moot(installed: Path, folder: Path, *arguments: str) -> str:
    command = [sys.executable, "-c", "from folkmoot.cli.main import main; main()", *arguments]
    environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(installed), "PYTHONSAFEPATH": "1"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_wheel_lays_out_a_site(installed: Path, tmp_path: Path) -> None:
    environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(installed), "PYTHONSAFEPATH": "1"}
    subprocess.run([sys.executable, "-c", LAID], cwd=tmp_path, env=environment, check=True)
    for name in ("mkdocs.yml", "ci", "site_src/assets/folkmoot.css", "site_src/guides/play.md"):
        assert (tmp_path / name).exists(), name


@pytest.mark.long
def test_a_wheel_lays_out_and_builds_a_site(installed: Path, tmp_path: Path) -> None:
    moot(installed, tmp_path, "new", "table", "-r", "suber", "-p", "ann", "-p", "bob")
    said = moot(installed, tmp_path, "serve", "--build")
    assert "Laid out the site's configuration and theme: mkdocs.yml, ci/ and site_src/." in said
    built = (tmp_path / "site" / "table" / "index.html").read_text("utf-8")
    assert "Content-Security-Policy" in built, "the theme's overrides are in use"
    for name in ("assets/folkmoot.css", "guides/play.html", "reference/codes.html", "404.html"):
        assert (tmp_path / "site" / name).exists(), name


def test_a_wheel_carries_what_is_written_by_hand_and_no_game_and_pins_itself(installed: Path, tmp_path: Path) -> None:
    carried = installed / "folkmoot" / "scaffold" / "site_src"
    css = (ROOT / "site_src" / "assets" / "folkmoot.css").read_bytes()
    assert (carried / "assets" / "folkmoot.css").read_bytes() == css
    assert not (carried / "some-game").exists()
    assert not (carried / "index.md").exists()
    environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(installed), "PYTHONSAFEPATH": "1"}
    subprocess.run([sys.executable, "-c", WRITTEN], cwd=tmp_path, env=environment, check=True)
    for name, text in workflow_files("github").items():
        assert (tmp_path / name).read_text("utf-8") == text
    wheel = next((installed.parent / "wheel").glob("*.whl"))
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    assert "Pinned the engine" in moot(installed, tmp_path, "init", "--pin", str(wheel))
    assert (tmp_path / "ci" / "wheels" / wheel.name).exists()
    with tarfile.open(next((installed.parent / "wheel").glob("*.tar.gz"))) as sources:
        inside = {name.partition("/")[2] for name in sources.getnames()}
    wanted = {"README.md", "LICENSE", "setup.py", "requirements.lock", "ci/workflows/template/github/begin.yml"}
    assert wanted | {"site_src/getting.md", "engine/folkmoot/cli/main.py"} <= inside, "the sources build the same wheel"
    assert not any(name.startswith("site_src/some-game") for name in inside)


# -- as a package index and those who install from it see it


def test_an_index_finds_nothing_wrong(installed: Path) -> None:
    built = sorted(str(path) for path in (installed.parent / "wheel").iterdir())
    assert [name.rpartition(".")[2] for name in built] == ["whl", "gz"]
    if tool("twine") is None and not REQUIRED:
        pytest.skip("needs twine")
    done = run("twine", ["check", "--strict", *built], installed)
    assert done.returncode == 0, done.stdout
    assert done.stdout.count("PASSED") == 2


def test_an_index_shows_pictures_and_no_link_that_leads_nowhere(installed: Path) -> None:
    told = next(installed.glob("*.dist-info/METADATA")).read_bytes()
    text = str(BytesParser().parsebytes(told).get_payload())
    assert f"]({HOME}/raw/v{__version__}/site_src/assets/pictures/board.png)" in text
    assert f"]({HOME}/blob/v{__version__}/site_src/guides/play.md)" in text
    for target in re.findall(r"\]\(([^)]*)\)", text):
        assert target.startswith("https://"), target
    assert pictures.stale() == [], "run `python ci/pictures.py`, which needs Chromium"
