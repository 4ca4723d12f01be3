"""Every scenario comes to the same entries, to the byte, where each call runs its script.

FOLKMOOT_FUZZ=1 tries all scenarios, else a few of each ruleset are. A shortcut that is broken on purpose is found.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from folkmoot.core.events import Event, Outcome
from folkmoot.files.reader import read_scenario
from folkmoot.game import rulesets
from folkmoot.kernel import play
from folkmoot.kernel.replay import entry_of
from folkmoot.kernel.step import Kernel
from folkmoot.language import binding, shortcuts
from folkmoot.language.shortcuts import KnownRuns
from folkmoot.language.tree import scan
from folkmoot.scenarios.scenario import Failed, run_scenario
from tests.conftest import FUZZ
from tests.scenarios.conftest import with_lists
from tests.support.table import without_shortcuts

FOLDERS = sorted(each for each in Path(__file__).parent.iterdir() if any(each.glob("*.yaml")))
EACH = 1 if FUZZ else 120


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
    with monkeypatch.context() as patch:
        patch.setattr(Kernel, "apply", recorded)
        run_scenario(scenario, rulesets.founding, with_lists)
    return [*found, json.dumps([kernel.documents.everything() for kernel in kernels])]


@pytest.mark.parametrize("path", list(chosen()))
def test_a_scenario_is_recorded_alike_without_shortcuts(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    quick = entries(path, monkeypatch)
    with without_shortcuts():
        assert entries(path, monkeypatch) == quick
    assert len(quick) > 1


def whatever_is_handed_over(patch: pytest.MonkeyPatch) -> None:
    """Take two calls of a function for one, whatever their arguments are."""
    answer = KnownRuns.answer
    patch.setattr(KnownRuns, "answer", lambda self, key, *more: answer(self, (key[0], key[1], ""), *more))


def whatever_the_host_answers(patch: pytest.MonkeyPatch) -> None:
    """Follow what is known of a call to its end, whatever the host answers meanwhile."""
    patch.setattr(shortcuts, "mark_of", lambda _answer: None)


def whatever_is_named(patch: pytest.MonkeyPatch) -> None:
    """Keep from every function what its first parameter stands for."""
    patch.setattr(binding, "unnamed_parameters", lambda script: dict.fromkeys(scan(script).functions, frozenset([0])))


@pytest.mark.parametrize("broken", [whatever_is_handed_over, whatever_the_host_answers, whatever_is_named])
def test_a_shortcut_that_is_broken_is_found(broken: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    path = min(Path(__file__).parent.glob("suber/*.yaml"))
    with monkeypatch.context() as patch, without_shortcuts():
        true = entries(path, patch)
    monkeypatch.setattr(play, "RUNNING", play.Running())  # which knows no calls, and no programs
    with monkeypatch.context() as patch:
        broken(patch)
        try:
            played = entries(path, patch)
        except Failed:  # it comes to something else than the scenario says
            played = []
    assert played != true
