"""An engine that is installed from a wheel, far from its repository: it can lay out, write and build a site."""

from __future__ import annotations

import fcntl
import os
import re
import runpy
import shutil
import subprocess
import sys
import tarfile
import zipfile
from email.parser import BytesParser
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from folkmoot import __version__
from folkmoot.forges.engine_pin import BUILT_FROM
from folkmoot.forges.workflows import beginning, workflow_files
from tests.workflows.tools import REQUIRED, run, tool

ROOT = Path(__file__).parents[2]
HOME = "https://forge.example/ann/folkmoot"
BUILD = "from setuptools import build_meta as b; print(b.build_wheel('dist'), b.build_sdist('dist'))"
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


def test_a_wheel_lays_out_and_builds_a_site(installed: Path, tmp_path: Path) -> None:
    moot(installed, tmp_path, "new", "table", "-r", "suber", "-p", "ann", "-p", "bob")
    said = moot(installed, tmp_path, "serve", "--build")
    assert "Laid out the site's configuration and theme: mkdocs.yml, ci/ and site_src/." in said
    built = (tmp_path / "site" / "table" / "index.html").read_text("utf-8")
    assert "Content-Security-Policy" in built, "the theme's overrides are in use"
    for name in ("assets/folkmoot.css", "guides/play.html", "reference/codes.html", "404.html"):
        assert (tmp_path / "site" / name).exists(), name


def test_a_wheel_carries_what_is_written_by_hand_and_no_game(installed: Path) -> None:
    carried = installed / "folkmoot" / "scaffold" / "site_src"
    assert (carried / "assets" / "folkmoot.css").read_bytes() == (
        ROOT / "site_src" / "assets" / "folkmoot.css"
    ).read_bytes()
    assert not (carried / "some-game").exists()
    assert not (carried / "index.md").exists()


def test_a_wheel_carries_the_templates_of_workflows_and_pins_itself(installed: Path, tmp_path: Path) -> None:
    words = "from folkmoot.forges.workflows import workflow_files as w; from folkmoot.ops.doctor.repository_files import write_stale as s; from pathlib import Path; print(*s(Path(), w('github')))"
    environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(installed), "PYTHONSAFEPATH": "1"}
    subprocess.run([sys.executable, "-c", words], cwd=tmp_path, env=environment, check=True)
    for name, text in workflow_files("github").items():
        assert (tmp_path / name).read_text("utf-8") == text
    wheel = next((installed.parent / "wheel").glob("*.whl"))
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    assert "Pinned the engine" in moot(installed, tmp_path, "init", "--pin", str(wheel))
    assert (tmp_path / "ci" / "wheels" / wheel.name).exists()


# -- as a package index and those who install from it see it


def described(installed: Path) -> str:
    """Return what an index shows of the package."""
    told = next(installed.glob("*.dist-info/METADATA")).read_bytes()
    return str(BytesParser().parsebytes(told).get_payload())


def test_an_index_finds_nothing_wrong(installed: Path) -> None:
    built = sorted(str(path) for path in (installed.parent / "wheel").iterdir())
    assert [name.rpartition(".")[2] for name in built] == ["whl", "gz"]
    if tool("twine") is None and not REQUIRED:
        pytest.skip("needs twine")
    done = run("twine", ["check", "--strict", *built], installed)
    assert done.returncode == 0, done.stdout
    assert done.stdout.count("PASSED") == 2


def test_an_index_shows_pictures_and_no_link_that_leads_nowhere(installed: Path) -> None:
    text = described(installed)
    assert f"]({HOME}/raw/v{__version__}/site_src/assets/pictures/board.png)" in text
    assert f"]({HOME}/blob/v{__version__}/site_src/guides/play.md)" in text
    for target in re.findall(r"\]\(([^)]*)\)", text):
        assert target.startswith("https://"), target


def test_without_a_home_there_are_no_links_within_the_repository(monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, Any] = {}
    monkeypatch.chdir(ROOT)
    monkeypatch.delenv("FOLKMOOT_HOME", raising=False)
    for name, each in (
        ("setuptools", "setup"),
        ("setuptools.command", ""),
        ("setuptools.command.build_py", "build_py"),
    ):
        stand_in = ModuleType(name)
        setattr(
            stand_in, each or "nothing", object if each == "build_py" else lambda **settings: given.update(settings)
        )
        monkeypatch.setitem(sys.modules, name, stand_in)
    runpy.run_path("setup.py")
    text = given["long_description"]
    assert "[Write rules]" not in text
    assert "Write rules" in text
    assert "![" not in text
    assert "on that site:" not in text
    assert all(target.startswith("https://") for target in re.findall(r"\]\(([^)]*)\)", text))


def test_the_pictures_of_the_readme_show_what_the_site_shows() -> None:
    from ci import pictures

    named = set(
        re.findall(r"!\[[^\]]+\]\(site_src/assets/pictures/([a-z.]+)\)", (ROOT / "README.md").read_text("utf-8"))
    )
    assert named == {"board.png", pictures.VOTE.name}
    shown = pictures.fragments()
    assert "<svg" in shown["board.png"]
    assert "<del>two</del> <ins>three</ins>" in shown["redline.png"]
    assert pictures.stale() == [], "run `python ci/pictures.py`, which needs Chromium"


def test_the_sources_build_the_same_wheel(installed: Path) -> None:
    with tarfile.open(next((installed.parent / "wheel").glob("*.tar.gz"))) as sources:
        inside = {name.partition("/")[2] for name in sources.getnames()}
    wanted = {"README.md", "LICENSE", "setup.py", "requirements.lock", "ci/workflows/template/github/begin.yml"}
    assert wanted | {"site_src/getting.md", "engine/folkmoot/cli/main.py"} <= inside
    assert not any(name.startswith("site_src/some-game") for name in inside)


def test_it_works_in_a_bare_environment_beside_a_package_called_engine(installed: Path, tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "bare")], check=True)
    place = next((tmp_path / "bare").glob("lib/python3*/site-packages"))
    wheel = next((installed.parent / "wheel").glob("*.whl"))
    words = [
        "uv",
        "pip",
        "install",
        "--quiet",
        "--offline",
        "--no-deps",
        "--python",
        str(tmp_path / "bare"),
        str(wheel),
    ]
    subprocess.run([sys.executable, "-m", *words], check=True, env={**os.environ, "UV_CACHE_DIR": str(tmp_path / "c")})
    (place / "engine").mkdir()
    (place / "engine" / "__init__.py").write_text("raise SystemExit('this is another engine')\n")
    (place / "needed.pth").write_text(f"{Path(pytest.__file__).parent.parent}\n")  # what it runs with

    def say(*arguments: str) -> str:
        command = [str(tmp_path / "bare" / "bin" / "moot"), *arguments]
        plain = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
        done = subprocess.run(command, cwd=tmp_path, env=plain, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    assert say("--version") == f"moot, version {__version__}\n"
    said = say("init", "--template", "t")
    assert f"Wrote a template with the engine {__version__}, from {wheel}." in said, "without being told where"
    assert (tmp_path / "t" / "README.md").read_text("utf-8") == beginning("github")["README.md"]
