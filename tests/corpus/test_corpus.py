"""The same bytes on every Python: what this one writes is what is committed, and so does another one where there is any."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from shutil import which

import pytest

from tests.corpus import make

NEEDED = ("msgspec", "starlark-pyo3", "ruamel.yaml", "yaml-rs", "tzdata", "pygit2", "gitpython", "cryptography")
IMPORTS = "import msgspec, starlark, ruamel.yaml, yaml_rs, pygit2, sys; print(sys.version_info[:2] >= (3, 11))"


@pytest.mark.threat("T-44")
def test_this_python_writes_the_bytes_of_the_corpus() -> None:
    assert make.differences() == []


def test_the_corpus_is_small() -> None:
    assert sum(path.stat().st_size for path in make.HERE.glob("*.yaml")) < 100_000


def others() -> Iterator[Path]:
    """Yield the interpreters of other versions of Python on this machine, oldest first."""
    own = f"{sys.version_info[0]}.{sys.version_info[1]}"
    kept = sorted((Path.home() / ".pyenv" / "versions").glob("3.1[1-9]*/bin/python"))
    yield from (path for path in kept if not path.parent.parent.name.startswith(f"{own}."))
    for minor in range(11, 20):
        found = which(f"python3.{minor}")
        if found and f"3.{minor}" != own:
            yield Path(found)


def commands(python: Path) -> Iterator[list[str]]:
    """Yield how an interpreter may be run with what the engine needs: as it is, or with what uv has at hand."""
    yield [str(python), "-B"]
    uv = which("uv") or which("uv", path=str(Path(sys.executable).parent))
    if uv:
        packages = [part for name in NEEDED for part in ("--with", f"{name}=={version(name)}")]
        yield [uv, "run", "--quiet", "--offline", "--no-project", "--python", str(python), *packages, "python", "-B"]


def runs(command: list[str], *rest: str) -> subprocess.CompletedProcess[str] | None:
    try:
        return subprocess.run([*command, *rest], capture_output=True, text=True, timeout=180, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None


def usable() -> list[list[str]]:
    """Return how other Pythons can be run that have all that the engine needs, the first way for each."""
    found = []
    for python in others():
        ways = (
            way for way in commands(python) if (tried := runs(way, "-c", IMPORTS)) and tried.stdout.strip() == "True"
        )
        found += [way for way in [next(ways, None)] if way]
    return found


def test_another_python_writes_the_same_bytes() -> None:
    ways = usable()
    if not ways:
        pytest.skip("no other Python from 3.11 on has what the engine needs")
    for way in ways:
        done = runs(way, str(make.HERE / "make.py"))
        assert done is not None
        assert (done.returncode, "the same bytes" in done.stdout) == (0, True), done.stdout + done.stderr
