"""An engine that is installed from a wheel, far from its repository: it can lay out, write and build a site."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest

from folkmoot.forges.workflows import workflow_files

ROOT = Path(__file__).parents[2]
PARTS = (
    "engine",
    "site_src",
    "ci",
    "pyproject.toml",
    "setup.py",
    "MANIFEST.in",
    "README.md",
    "LICENSE",
    "mkdocs.yml",
    "requirements.lock",
)
BUILD = "from setuptools import build_meta; print(build_meta.build_wheel('dist'))"
NOT_SOURCES = shutil.ignore_patterns("__pycache__", "*.pyc")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the package as a wheel installs it."""
    if int(version("setuptools").partition(".")[0]) < 77:
        pytest.skip("the locked environment has setuptools 77, this one an older one")
    source, target = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("installed")
    for part in PARTS:
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, source / part, ignore=NOT_SOURCES)
        else:
            shutil.copyfile(ROOT / part, source / part)
    (source / "site_src" / "some-game").mkdir()
    for name in (".gitignore", "index.md"):
        (source / "site_src" / "some-game" / name).write_text("*\n", "utf-8")
    run = subprocess.run([sys.executable, "-c", BUILD], cwd=source, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    shutil.copytree(source / "dist", target.parent / "wheel", dirs_exist_ok=True)
    with zipfile.ZipFile(next((source / "dist").glob("*.whl"))) as wheel:
        wheel.extractall(target)
    return target


def moot(installed: Path, folder: Path, *arguments: str) -> str:
    command = [sys.executable, "-c", "from folkmoot.cli.main import main; main()", *arguments]
    environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(installed), "PYTHONSAFEPATH": "1"}
    run = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


def test_a_wheel_lays_out_and_builds_a_site(installed: Path, tmp_path: Path) -> None:
    moot(installed, tmp_path, "new", "table", "-p", "ann", "-p", "bob")
    said = moot(installed, tmp_path, "pages", "--build")
    assert "Laid out the site's configuration and theme." in said
    built = (tmp_path / "site" / "table" / "index.html").read_text("utf-8")
    assert "Content-Security-Policy" in built, "the theme's overrides are in use"
    for name in ("assets/folkmoot.css", "guides/players.html", "reference/codes.html", "404.html"):
        assert (tmp_path / "site" / name).exists(), name


def test_a_wheel_carries_what_is_written_by_hand_and_no_game(installed: Path) -> None:
    carried = installed / "folkmoot" / "scaffold" / "site_src"
    assert (carried / "assets" / "folkmoot.css").read_bytes() == (
        ROOT / "site_src" / "assets" / "folkmoot.css"
    ).read_bytes()
    assert not (carried / "some-game").exists()
    assert not (carried / "index.md").exists()


def test_a_wheel_carries_the_templates_of_workflows_and_pins_itself(installed: Path, tmp_path: Path) -> None:
    words = "from folkmoot.forges.workflows import write_workflows as w; from pathlib import Path; print(*w(Path(), 'github'))"
    environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(installed), "PYTHONSAFEPATH": "1"}
    subprocess.run([sys.executable, "-c", words], cwd=tmp_path, env=environment, check=True)
    for name, text in workflow_files("github").items():
        assert (tmp_path / name).read_text("utf-8") == text
    wheel = next((installed.parent / "wheel").glob("*.whl"))
    assert "Pinned the engine" in moot(installed, tmp_path, "pin", str(wheel))
    assert (tmp_path / "ci" / "wheels" / wheel.name).exists()
