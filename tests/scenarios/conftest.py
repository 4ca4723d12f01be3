"""Collects scenario files below this folder as tests: each sixth, but all where FOLKMOOT_FUZZ=1 or where one is named.

Scenarios of one ruleset with the same people and settings share one founding, which is kept and come back to; where
that draws, those that lay dice ready found their own.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

from folkmoot.core.events import Event
from folkmoot.files.reader import read_scenario
from folkmoot.game import rulesets
from folkmoot.game.rulesets import fetch_list
from folkmoot.kernel.chance import Chance, open_chance
from folkmoot.kernel.step import Kernel
from folkmoot.scenarios import scenario
from folkmoot.scenarios.scenario import Failed, Run, begin, run_scenario
from folkmoot.scenarios.sealing import Keeper
from tests.conftest import FUZZ

EACH = 1 if FUZZ else 6
ALL_OF_SMALL = 70  # files: so many are tried all


class ScenarioFile(pytest.File):
    """A file that holds one scenario."""

    def collect(self) -> Iterator[pytest.Item]:
        """Yield the scenario."""
        yield ScenarioItem.from_parent(self, name=self.path.stem)


class ScenarioItem(pytest.Item):
    """One scenario; it fails with the step or expectation that does not hold."""

    def runtest(self) -> None:
        """Run the scenario."""
        written = read_scenario(self.path.read_text(encoding="utf-8"), str(self.path))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(scenario, "begin", partial(begun, has_dice=bool({"dice", "chance"} & written.keys())))
            run_scenario(written, rulesets.founding, with_lists)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException]) -> str:
        """Return the sentence alone where the scenario says what is wrong."""
        if isinstance(excinfo.value, Failed):
            return f"{self.path}: {excinfo.value}"
        return str(super().repr_failure(excinfo))

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return where the scenario stands."""
        return self.path, 0, f"scenario {self.name}"


def with_lists(kernel: Kernel) -> None:
    """Let the rules that a kernel judges by look words up in the lists of their ruleset."""
    kernel.documents.fetch_list = fetch_list


# -- one founding for many


@lru_cache(maxsize=32)
def founded(law: str, start: int) -> tuple[Run, Any, bytes] | None:
    """Found a game, and return it with what came of it and its documents; None where that sealed anything."""
    seed = f"1 found {start}"  # as the engine draws without dice
    run, outcome = begin(json.loads(law), start, lambda _event: open_chance("scenario", seed), with_lists)
    own = outcome.sealed or not outcome.accepted or outcome.failures
    return None if own else (run, outcome, run.kernel.documents.snapshot())


def begun(
    law: Any, start: int, chance: Callable[[Event], Chance], attend: Any, *files: Any, has_dice: bool
) -> tuple[Run, Any]:
    """Begin a game as the engine does, with the kernel of one that began alike, if there was any."""
    known = founded(json.dumps(law, default=str), start)
    if known is None or (has_dice and known[1].draws):
        return begin(law, start, chance, attend, *files)
    (run, outcome, documents) = known
    kernel = run.kernel
    kernel.come_back(documents)
    attend(kernel)
    again = Run(kernel, start, chance, entries=[run.entries[0]], files=files[0] if files else {}, keeper=Keeper())
    kernel.play.debugged = again.debug.append
    again.keeper.attend(kernel)
    return again, outcome


# -- which are tried


def is_tried(path: Path, named: list[str]) -> bool:
    """Whether a scenario is run: it is asked for by name, or one of few of its ruleset, or one in so many."""
    few = len([*path.parent.glob("*.yaml")]) <= ALL_OF_SMALL
    return few or any(path.name in each for each in named) or crc32(path.stem.encode()) % EACH == 0


def pytest_collect_file(parent: pytest.Collector, file_path: Path) -> ScenarioFile | None:
    """Collect YAML files."""
    if file_path.suffix != ".yaml" or not is_tried(file_path, parent.config.args):
        return None
    return ScenarioFile.from_parent(parent, path=file_path)
