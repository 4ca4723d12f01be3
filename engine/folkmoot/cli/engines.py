"""Engines that a verifier names: each is run by its own command, in a process of its own, on a copy of the game."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from email.parser import Parser
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Any

from msgspec import Struct

import folkmoot
from folkmoot.cli.options import ENGINE_SECONDS
from folkmoot.core.engines import Versions
from folkmoot.core.problems import Problem, ProblemError, fail
from folkmoot.forges.git_transport import Git
from folkmoot.game.verify import THERE, Part
from folkmoot.journal import GameRecord
from folkmoot.journal.git_library import pygit2

LAYOUTS = ("engine/folkmoot", "folkmoot", "engine")
"""Where an engine's package lies: in its repository, in a wheel, and in either before 0.2."""
LARGEST = 50_000_000  # bytes that an engine may print
_PINNED = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*)\s*==\s*([0-9][A-Za-z0-9.!+_-]*)\s*\Z")
_SOURCE = ("--format=zip", "--output")
_CLEAN = {"PATH": os.defpath, "LANG": "C.UTF-8"}


class _NotRun(Exception):
    """An engine could not be run, or did not end, and why."""


class Named(Struct, frozen=True):
    """An engine as it was named: where its sources lie now, which version it says it is, and what it lacks here."""

    name: str
    folder: Path
    version: str
    lacks: tuple[str, ...]


class NamedEngines:
    """The engines that a verifier named; each proves the parts whose entries name its version.

    They are trusted for what they say. They get a copy of the game, the time that is given, and of the environment
    nothing.
    """

    def __init__(self, engines: Sequence[Named], seconds: float = ENGINE_SECONDS) -> None:
        """Take engines, and for how many seconds each may run."""
        self._engines = {each.version: each for each in engines}
        self._seconds = seconds
        self.failures: list[Problem] = []
        """What kept an engine from proving what it was named for."""
        self.used: set[str] = set()

    @property
    def unused(self) -> list[Named]:
        """Return the engines that recorded no part of the game."""
        return [each for version, each in self._engines.items() if version not in self.used]

    def knows(self, engine: Versions) -> bool:
        """Say whether one of them is the engine that recorded a part."""
        found = str(engine.get("folkmoot")) in self._engines
        self.used |= {str(engine.get("folkmoot"))} if found else set()
        return found

    def prove(self, part: Part, end: GameRecord) -> list[Problem]:
        """Have the engine that recorded a part replay it; notes in the part how it was proved, or why not.

        Returns what it found wrong.
        """
        chosen = self._engines[str(part.engine.get("folkmoot"))]
        try:
            if chosen.lacks:
                raise _NotRun(f"it needs {', '.join(chosen.lacks)}")
            with TemporaryDirectory(prefix="moot-verify-") as folder:
                _lay_out(Path(folder), part, end)
                return self._judged(part, chosen, Path(folder))
        except _NotRun as error:
            part.why = f"engine {chosen.name} proved nothing: {error}"
            hint = "see what it needs, or give it more time with `--engine-seconds`"
            self.failures.append(Problem("E-ENGINE", f"{part.shown}: {part.why}", None, hint))
            return []

    def _judged(self, part: Part, chosen: Named, folder: Path) -> list[Problem]:
        code, output = _run(chosen.folder, ["-C", str(folder), "verify", "--json"], self._seconds)
        said = _read(output)
        if said is None:
            raise _NotRun(f"it ended with code {code} and said nothing that can be read")
        if said.get("sound") is not True or code:
            part.why = f"engine {chosen.name} says that it is damaged"
            return [_quoted(part, chosen, problem) for problem in said.get("problems") or [{}]]
        if not _replayed(said, part):
            raise _NotRun("it did not replay these entries, by what it says")
        part.proved, part.why = THERE, f"by {chosen.name}, which is trusted for it"
        return []


def _quoted(part: Part, chosen: Named, problem: Any) -> Problem:
    told = problem if isinstance(problem, dict) else {}
    where = f"{told['file']}: " if isinstance(told.get("file"), str) else ""
    message = f"{where}{str(told.get('message') or 'it does not say what is wrong')[:400]}"
    return Problem("E-REPLAY", f"{part.shown}: engine {chosen.name} finds: {message}")


def _read(output: bytes) -> dict[str, Any] | None:
    try:
        said = json.loads(output)
    except ValueError:
        return None
    return said if isinstance(said, dict) else None


def _replayed(said: dict[str, Any], part: Part) -> bool:
    """Say whether an engine tells that it replayed a part itself; one that knows no parts replays all, or nothing."""
    if "parts" not in said:
        counts = said.get("counts")
        return isinstance(counts, dict) and counts.get("replayed") == part.last
    parts = said["parts"] if isinstance(said["parts"], list) else []
    wanted = ([part.first, part.last], "replayed here")
    return any(isinstance(each, dict) and (each.get("entries"), each.get("proved")) == wanted for each in parts)


# -- the copy of the game


def _lay_out(folder: Path, part: Part, end: GameRecord) -> None:
    """Write the game as it was at the end of a part, in a repository whose history has what the part began with."""
    repo = pygit2.init_repository(str(folder))
    target = folder / "state" / "game"
    if part.start is not None:
        _copy(part.start, target)
        _commit(repo)
        shutil.rmtree(target)
    _copy(end, target)
    _commit(repo)


def _copy(record: GameRecord, target: Path) -> None:
    for name, kind in record.walk():
        data = record.read(name) if kind == "file" else None
        if data is not None:
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            (target / name).write_bytes(data)


def _commit(repo: pygit2.Repository) -> None:
    repo.index.add_all()
    repo.index.write()
    who = pygit2.Signature("verify", "verify@localhost.invalid", 0, 0)
    above = [] if repo.head_is_unborn else [repo.head.target]
    repo.create_commit("HEAD", who, who, "The game", repo.index.write_tree(), above)


# -- running


def _run(sources: Path, words: Sequence[str], seconds: float) -> tuple[int, bytes]:
    """Run an engine's command with nothing of the environment, and end it with all its children when time is up."""
    with TemporaryDirectory(prefix="moot-home-") as home, TemporaryFile() as output:
        package = _package(sources)
        process = subprocess.Popen(
            [sys.executable, "-s", "-m", f"{package.name}.cli.main", *words],
            cwd=package.parent,
            env={**_CLEAN, "HOME": home, **_loader()},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            code = process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise _NotRun(f"it did not end within {seconds:g} seconds") from None
        finally:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        output.seek(0)
        found = output.read(LARGEST + 1)
        if len(found) > LARGEST:
            raise _NotRun("it printed more than anybody reads")
        return code, found


def _package(sources: Path) -> Path:
    """Return the folder of an engine's package."""
    return next((sources / layout for layout in LAYOUTS if (sources / layout / "cli").is_dir()), sources / LAYOUTS[-1])


def _loader() -> dict[str, str]:
    """Return what this Python itself needs to start, where its libraries lie in a place of their own."""
    return {name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ}


# -- finding


@contextmanager
def named_engines(names: Sequence[str], repository: Path, seconds: float = ENGINE_SECONDS) -> Iterator[NamedEngines]:
    """Lay out the engines that are named by wheels or commits, ask each which version it is, and yield them.

    Raises E-ENGINE for a name that is neither, and for two of one version.
    """
    with ExitStack() as stack:
        found: list[Named] = []
        for name in names:
            folder = Path(stack.enter_context(TemporaryDirectory(prefix="moot-engine-")))
            found.append(_named(name, folder, repository, seconds))
        versions = [each.version for each in found]
        twice = next((version for version in versions if versions.count(version) > 1), None)
        if twice is not None:
            raise fail("E-ENGINE", f"two of the named engines say that they are {twice}", None, "name one of them")
        yield NamedEngines(found, seconds)


def _named(name: str, folder: Path, repository: Path, seconds: float) -> Named:
    needed = _unpack_wheel(Path(name), folder) if name.endswith(".whl") else _export(name, folder, repository)
    lacks = tuple(_missing(needed))
    if lacks:
        return Named(name, folder, _written_version(folder), lacks)
    try:
        code, said = _run(folder, ["--version"], min(seconds, 60))
    except _NotRun as error:
        raise fail("E-ENGINE", f"engine {name} does not say which version it is: {error}") from None
    words = said.decode("utf-8", "replace").split()
    if code or not words:
        raise fail("E-ENGINE", f"engine {name} does not say which version it is", None, "name another")
    return Named(name, folder, words[-1], ())


def _written_version(folder: Path) -> str:
    """Return the version that stands in the sources of an engine that cannot be run."""
    text = (_package(folder) / "__init__.py").read_text("utf-8")
    found = re.search(r'^__version__ = "([^"]+)"', text, re.MULTILINE)
    return found[1] if found else "?"


def _unpack_wheel(wheel: Path, folder: Path) -> list[str]:
    """Unpack a wheel and return what it requires."""
    try:
        shutil.unpack_archive(wheel, folder, "zip")
    except (OSError, shutil.ReadError, zipfile.BadZipFile) as error:
        raise fail("E-ENGINE", f"{wheel} is no wheel that can be read: {error}") from None
    described = next(folder.glob("*.dist-info/METADATA"), None)
    if described is None or not _package(folder).is_dir():
        raise fail("E-ENGINE", f"{wheel} holds no engine", None, "name a wheel of folkmoot")
    return list(Parser().parsestr(described.read_text("utf-8")).get_all("Requires-Dist") or ())


def _export(name: str, folder: Path, repository: Path) -> list[str]:
    """Write the sources of an engine at a commit and return what it requires."""
    git, hint = Git(repository), "say where the engine's sources are with `--engine-repository`"
    try:
        commit = git.ask(["rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}"])
    except ProblemError:
        raise fail("E-ENGINE", f"{repository} has no commit {name}, and it is no wheel", None, hint) from None
    sources = folder / "sources.zip"  # no tar: before 3.11.4 Python unpacks those with what leads out of the folder
    try:
        git.look(["archive", *_SOURCE, str(sources), commit, "--", "engine", "pyproject.toml"])
    except ProblemError:
        raise fail("E-ENGINE", f"commit {name} of {repository} holds no sources of the engine", None, hint) from None
    shutil.unpack_archive(sources, folder, "zip")
    sources.unlink()
    text = (folder / "pyproject.toml").read_text("utf-8")
    return re.findall(r'^\s*"([^"]+==[^"]+)"', text.partition("[dependency-groups]")[0], re.MULTILINE)


def _missing(needed: Sequence[str]) -> Iterator[str]:
    """Yield which packages that are pinned to one version this environment has not, or in another version."""
    for requirement in needed:
        pinned = _PINNED.match(requirement.partition(";")[0].strip())
        if pinned is None or "extra ==" in requirement:
            continue
        try:
            here = installed(pinned[1])
        except PackageNotFoundError:
            here = "not installed"
        if here != pinned[2]:
            yield f"{pinned[1]} {pinned[2]} (here: {here})"


def sources_of_this() -> Path | None:
    """Return the repository of the engine that runs, if it is a checkout."""
    root = Path(folkmoot.__file__).resolve().parents[2]
    return root if (root / ".git").exists() else None
