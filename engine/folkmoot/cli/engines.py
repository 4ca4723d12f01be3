"""Engines that a verifier names by their `moot`: each runs as a program of its own, on a copy of the game."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Any

from folkmoot.core.engines import Versions
from folkmoot.core.problems import Problem, fail
from folkmoot.game.verify import THERE, Part
from folkmoot.journal import GameRecord
from folkmoot.journal.git_library import pygit2

LARGEST = 50_000_000  # bytes that an engine may print
_CLEAN = {"PATH": os.defpath, "LANG": "C.UTF-8"}
_KEPT = ("LD_LIBRARY_PATH",)  # without which a Python whose libraries lie in a place of their own does not start


class _NotRun(Exception):
    """An engine could not be run, or did not end, and why."""


class NamedEngines:
    """The engines that a verifier named; each proves the parts whose entries name its version.

    They are trusted for what they say. They get a copy of the game, the time that is given, and of the environment
    nothing.
    """

    def __init__(self, programs: Sequence[Path], seconds: float) -> None:
        """Ask each program which version it is; raises E-ENGINE. Each run may take so many seconds."""
        self._seconds = seconds
        self._engines: dict[str, Path] = {}
        for program in map(Path.absolute, programs):
            try:
                code, said = _run(program, ["--version"], min(seconds, 60))
            except _NotRun as error:
                raise fail("E-ENGINE", f"{program} does not say which version it is: {error}") from None
            words, hint = said.decode("utf-8", "replace").split(), "name the `moot` of an engine"
            if code or not words:
                raise fail("E-ENGINE", f"{program} does not say which version it is", None, hint)
            self._engines[words[-1]] = program
        self.failures: list[Problem] = []
        """What kept an engine from proving what it was named for."""

    def knows(self, engine: Versions) -> bool:
        """Say whether one of them is the engine that recorded a part."""
        return str(engine.get("folkmoot")) in self._engines

    def prove(self, part: Part, end: GameRecord) -> list[Problem]:
        """Have the engine that recorded a part replay it; notes in the part how it was proved, or why not.

        Returns what it found wrong.
        """
        program = self._engines[str(part.engine.get("folkmoot"))]
        try:
            with TemporaryDirectory(prefix="moot-verify-") as folder:
                repo, target = pygit2.init_repository(folder), Path(folder, "state", "game")
                if part.start is not None:  # its history has what the part began with
                    _copy(part.start, target)
                    _commit(repo)
                    shutil.rmtree(target)
                _copy(end, target)
                _commit(repo)
                return self._judged(part, program, Path(folder))
        except _NotRun as error:
            part.why = f"engine {program} proved nothing: {error}"
            hint = "see what it needs, or give it more time with `--engine-seconds`"
            self.failures.append(Problem("E-ENGINE", f"{part.shown}: {part.why}", None, hint))
            return []

    def _judged(self, part: Part, program: Path, folder: Path) -> list[Problem]:
        said: Any = None
        code, output = _run(program, ["-C", str(folder), "verify", "--json"], self._seconds)
        with suppress(ValueError):
            said = json.loads(output)
        if not isinstance(said, dict):
            raise _NotRun(f"it ended with code {code} and said nothing that can be read")
        if said.get("sound") is not True or code:
            part.why = f"engine {program} says that it is damaged"
            return [_quoted(part, program, problem) for problem in said.get("problems") or [{}]]
        wanted = ([part.first, part.last], "replayed here")
        parts = found if isinstance(found := said.get("parts"), list) else []
        if not any(isinstance(each, dict) and (each.get("entries"), each.get("proved")) == wanted for each in parts):
            raise _NotRun("it did not replay these entries, by what it says")
        part.proved, part.why = THERE, f"by {program}, which is trusted for it"
        return []


def _quoted(part: Part, program: Path, problem: Any) -> Problem:
    told = problem if isinstance(problem, dict) else {}
    where = f"{told['file']}: " if isinstance(told.get("file"), str) else ""
    message = f"{where}{str(told.get('message') or 'it does not say what is wrong')[:400]}"
    return Problem("E-REPLAY", f"{part.shown}: engine {program} finds: {message}")


# -- the copy of the game


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


def _run(program: Path, words: Sequence[str], seconds: float) -> tuple[int, bytes]:
    """Run an engine's command with nothing of the environment, and end it with all its children when time is up."""
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    with TemporaryDirectory(prefix="moot-home-") as home, TemporaryFile() as output:
        try:
            process = subprocess.Popen(
                [program, *words],
                cwd=home,
                env={**_CLEAN, "HOME": home, **kept},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError as error:
            raise _NotRun(error.strerror or str(error)) from None
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
