"""Every scenario comes to the same entries, to the byte, where each call runs its script on all that it is given.

FOLKMOOT_FUZZ=1 tries all scenarios, else a few of each ruleset are.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from folkmoot.core.events import Event, Outcome
from folkmoot.files.reader import read_scenario
from folkmoot.game import rulesets
from folkmoot.game.ruleset_folders import codes_for
from folkmoot.kernel.replay import entry_of
from folkmoot.kernel.step import Kernel
from folkmoot.scenarios.claims import in_engine_codes
from folkmoot.scenarios.scenario import run_scenario
from tests.kernel.table import without_shortcuts
from tests.scenarios.conftest import with_lists

FOLDERS = sorted(each for each in Path(__file__).parent.iterdir() if any(each.glob("*.yaml")))
EACH = 1 if os.environ.get("FOLKMOOT_FUZZ") else 40


def chosen() -> Iterator[Any]:
    """Yield scenario files, each with its name."""
    for folder in FOLDERS:
        for path in sorted(folder.glob("*.yaml"))[::EACH]:
            yield pytest.param(path, id=f"{folder.name}/{path.stem}")


def entries(path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return what is recorded as a scenario is played, and all documents at the end."""
    found: list[str] = []
    kernels: list[Kernel] = []
    apply = Kernel.apply

    def recorded(kernel: Kernel, event: Event, *more: Any, **named: Any) -> Outcome:
        outcome = apply(kernel, event, *more, **named)
        found.append(json.dumps(entry_of(event, outcome), default=str))
        kernels[:] = [kernel]
        return outcome

    scenario = read_scenario(path.read_text(encoding="utf-8"), str(path))
    known = in_engine_codes(scenario, codes_for(scenario.get("law") or scenario["ruleset"], path))
    with monkeypatch.context() as patch:
        patch.setattr(Kernel, "apply", recorded)
        run_scenario(known, rulesets.founding, with_lists)
    return [*found, json.dumps([kernel.documents.everything() for kernel in kernels])]


@pytest.mark.parametrize("path", list(chosen()))
def test_a_scenario_is_recorded_alike_without_shortcuts(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    quick = entries(path, monkeypatch)
    with without_shortcuts():
        assert entries(path, monkeypatch) == quick
    assert len(quick) > 1
