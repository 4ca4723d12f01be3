"""What all tests share: browser tests that are counted, and may be required."""

from __future__ import annotations

import os
import shutil
import sys
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from folkmoot.kernel.step import PYTHON_CALLS
from folkmoot.sandbox.worker_process import WorkerProcess, start_worker
from tests.forking import Forking
from tests.warm_workers import ADDRESS, nursery, use

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
QUICK = ("core/", "files/", "game/", "kernel/", "language/", "player/", "site/", "test_check.py")
"""Where the tests lie that play in memory, without processes, servers and browsers: `pytest -m quick` runs these."""
SLOW = {
    "core/test_values.py",
    "files/test_malformed.py",
    "files/test_rewrite.py",
    "game/test_masters.py",
    "kernel/test_events.py",
    "kernel/test_questions.py",
    "language/test_scan.py",
    "site/test_forge_links.py",
    "files/test_canonical.py",
    "files/test_reader.py",
    "kernel/test_budgets.py",
    "kernel/test_properties.py",
    "site/test_pages.py",
    "site/test_publish.py",
}
"""Modules there that take seconds, and so are not quick."""
REAL = ("sandbox/", "benchmarks/", "threats/", "findings/test_sandbox_", "test_shield.py", "test_setup.py")
"""Where the tests lie whose sandboxes start as they do outside of tests; all others are forked (see `warm_workers`)."""
_nurseries = ExitStack()


def is_quick(path: Path) -> bool:
    """Say whether a test module is quick."""
    name = path.relative_to(TESTS).as_posix()
    return name.startswith(QUICK) and name not in SLOW


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not even import the other modules where only quick tests are wanted."""
    if config.getoption("markexpr") != "quick" or collection_path.suffix != ".py":
        return None
    return None if is_quick(collection_path) or collection_path.name in ("__init__.py", "conftest.py") else True


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Let the sandboxes of a test start in the way that it needs."""
    name = item.path.relative_to(TESTS).as_posix()
    if name.startswith(REAL):
        WorkerProcess.start = staticmethod(start_worker)
    elif not is_quick(item.path):
        if ADDRESS not in os.environ:
            os.environ[ADDRESS] = _nurseries.enter_context(nursery())
        use(os.environ[ADDRESS])
    return (yield)


def pytest_unconfigure() -> None:
    """End the nursery of workers."""
    _nurseries.close()


@pytest.fixture(scope="session")
def forking() -> Iterator[Forking]:
    """Return the server that forks `moot` for tests which start it many times."""
    with Forking() as server:
        yield server


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark quick tests; skip browser tests on a machine without a browser, unless they are required."""
    for item in items:
        if is_quick(item.path):
            item.add_marker("quick")
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
