"""What all tests share: browser tests that are counted, and may be required."""

from __future__ import annotations

import gc
import os
import shutil
import sys
from collections import Counter
from collections.abc import Generator, Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zlib import crc32

import pytest
from hypothesis import HealthCheck, settings

from folkmoot.kernel.step import PYTHON_CALLS
from folkmoot.sandbox.connection import Connection
from folkmoot.sandbox.worker_process import WorkerProcess
from tests.support.forking import Forking
from tests.support.judge import DirectJudge
from tests.support.moot import gathering, laid_table, moot, table
from tests.support.seats import seats
from tests.support.table import found

__all__ = ["found", "gathering", "laid_table", "moot", "seats", "table"]

gc.disable()  # thousands of cases are collected, and stay to the end
sys.setrecursionlimit(PYTHON_CALLS)  # as the kernel does, before anybody remembers what it was
REQUIRED = os.environ.get("FOLKMOOT_REQUIRE_BROWSER") == "1"
FUZZ = os.environ.get("FOLKMOOT_FUZZ") == "1"
"""Whether properties are tried on new random cases; otherwise always on the same ones, so that a failure is a change."""
BUSY: dict[str, Any] = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
"""That an example takes long says nothing on a machine that does other things."""
settings.register_profile("folkmoot", derandomize=not FUZZ, database=None, **BUSY)
settings.load_profile("folkmoot")
BROWSER = shutil.which("chromium") and shutil.which("chromedriver")
_browser_tests: Counter[str] = Counter()
TESTS = Path(__file__).parent
QUICK = """
    cli/test_explain.py core/test_calendar.py forges/test_web_telling.py
    game/test_timers_to_come.py journal/test_commit.py journal/test_unstorable_values.py
    kernel/test_acts.py kernel/test_clock.py kernel/test_proposals.py kernel/test_things.py kernel/test_wins.py
    language/test_library.py
    referee/test_content.py scenarios/lanterns sealing/test_boxes.py site/test_sentences.py
""".split()
"""Modules and folders that are a sample of everything: twenty seconds together on two cores, forges among them."""
BY_PLACE = {
    "benchmarks": ("benchmark", "process"),
    "browser": ("browser",),
    "forges": ("forge",),
    "sandbox": ("process",),
    **dict.fromkeys(QUICK, ("quick",)),
}
"""Which marks all tests in a folder or a module have."""
_settings = TemporaryDirectory(prefix="moot-settings-")  # whoever runs tests keeps their own settings as they are
os.environ["XDG_CONFIG_HOME"] = _settings.name


@cache
def marks_of(path: Path) -> list[str]:
    """Return the marks that a test has by where it lies."""
    own = path.relative_to(TESTS) if path.is_relative_to(TESTS) else path
    return [mark for place, marks in BY_PLACE.items() if own.is_relative_to(place) for mark in marks]


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not even import benchmarks where nobody asks for them, nor what is not quick where only that is wanted."""
    wanted = config.getoption("markexpr")
    if wanted == "not benchmark and not long" and not any("benchmarks" in argument for argument in config.args):
        return True if collection_path == TESTS / "benchmarks" else None
    if wanted != "quick" or not collection_path.is_relative_to(TESTS):
        return None
    leads_there = any((TESTS / place).is_relative_to(collection_path) for place in QUICK)
    return None if leads_there or "quick" in marks_of(collection_path) else True


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Let a test be judged in this process, unless it is about the one in which games are judged."""
    Connection.backing = WorkerProcess if item.get_closest_marker("process") else DirectJudge
    return (yield)


def examples(most: int) -> int:
    """Return how many examples of a property are tried: a quarter of them without FOLKMOOT_FUZZ=1."""
    return most if FUZZ else most // 4


def pytest_collection_finish() -> None:
    """Spare the collector what stays to the end."""
    gc.freeze()
    gc.enable()
    gc.set_threshold(10_000, 10, 10)


@pytest.fixture(scope="session")
def forking() -> Iterator[Forking]:
    """Return the server that forks `moot` for tests which start it many times."""
    with Forking() as server:
        yield server


def _left_for_longer(items: list[pytest.Item]) -> set[pytest.Item]:
    """Return the cases that only a long run tries: of what is marked `sampled(n)`, all but each n-th."""
    cases: dict[tuple[Path, str], list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("sampled"):
            cases.setdefault((item.path, getattr(item, "originalname", item.name)), []).append(item)
    left: set[pytest.Item] = set()
    for (_, name), family in cases.items():
        marker = family[0].get_closest_marker("sampled")
        assert marker is not None
        kept = crc32(name.encode()) % min(marker.args[0], len(family))  # not the first of every family
        left.update(item for place, item in enumerate(family) if place % marker.args[0] != kept)
    return left


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark tests by their folders; skip browser tests on a machine without a browser, unless they are required.

    Without FOLKMOOT_FUZZ=1, and where no case is asked for by name, large families of cases are sampled.
    """
    if not FUZZ and not any("::" in argument for argument in config.args):
        left = _left_for_longer(items)
        config.hook.pytest_deselected(items=[item for item in items if item in left])
        items[:] = [item for item in items if item not in left]
    for item in items:
        for mark in marks_of(item.path):
            item.add_marker(mark)
    if BROWSER or REQUIRED:
        return
    skip = pytest.mark.skip(reason="needs chromium and chromedriver")
    for item in items:
        if item.get_closest_marker("browser"):
            item.add_marker(skip)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Let a browser test that skips itself fail where they are required."""
    report = yield
    if item.get_closest_marker("browser") and report.skipped and REQUIRED:
        report.outcome = "failed"
        report.longrepr = "skipped, though FOLKMOOT_REQUIRE_BROWSER=1"
    return report


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Count browser tests, in whichever process they ran."""
    if "browser" in report.keywords:
        if report.skipped:
            _browser_tests["skipped"] += 1
        elif report.when == "call":
            _browser_tests["ran"] += 1


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many browser tests ran, for continuous integration to read."""
    if _browser_tests:
        ran, skipped = _browser_tests["ran"], _browser_tests["skipped"]
        terminalreporter.write_line(f"browser tests: {ran} ran, {skipped} skipped")
