"""Collects every scenario file below this folder as a test of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from folkmoot.files.reader import read_scenario
from folkmoot.game import rulesets
from folkmoot.game.rulesets import fetch_list
from folkmoot.kernel.step import Kernel
from folkmoot.scenarios.scenario import Failed, run_scenario


class ScenarioFile(pytest.File):
    """A file that holds one scenario."""

    def collect(self) -> Iterator[pytest.Item]:
        """Yield the scenario."""
        yield ScenarioItem.from_parent(self, name=self.path.stem)


class ScenarioItem(pytest.Item):
    """One scenario; it fails with the step or expectation that does not hold."""

    def runtest(self) -> None:
        """Run the scenario."""
        scenario = read_scenario(self.path.read_text(encoding="utf-8"), str(self.path))
        run_scenario(scenario, rulesets.founding, with_lists)

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


def pytest_collect_file(parent: pytest.Collector, file_path: Path) -> ScenarioFile | None:
    """Collect YAML files."""
    return ScenarioFile.from_parent(parent, path=file_path) if file_path.suffix == ".yaml" else None
