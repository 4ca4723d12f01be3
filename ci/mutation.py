"""Plants small faults in the engine, one at a time, and says which of them the tests catch.

    python ci/mutation.py map tests/kernel tests/journal   run these tests once, and note which lines each reaches
    python ci/mutation.py run --count 500 --seed 1         plant faults chosen by a seed, run the tests that reach them

Both work on the clone that they lie in and write into `.mutation/`; a clone of one's own is best, since faults are
written into its files. It needs Python 3.12 or later, whose `sys.monitoring` tells cheaply which lines are reached.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
ENGINE = ROOT / "engine" / "folkmoot"
FOLDER = ROOT / ".mutation"
PACKAGES = ("kernel", "language", "journal", "referee", "forges")
SECONDS = 20.0
"""How long the tests of one fault may take together, by what they took when mapped; the quickest come first."""
TESTS = 80
TIMEOUT = 90
"""After how many seconds a fault counts as caught, because the tests did not end."""

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult, ast.BitOr: ast.BitAnd,
}  # fmt: skip


class Fault(NamedTuple):
    """One change of one line: the file from the engine's folder, its line, what is changed, and the whole new text."""

    path: str
    line: int
    what: str
    text: str


# -- faults


def changes(node: ast.AST) -> Iterator[tuple[str, Callable[[Any], ast.AST]]]:  # noqa: C901  one table of what can be done
    """Yield what may be done to a node: in words, and as a function of a copy of it."""
    match node:
        case ast.Compare(ops=[op]) if type(op) in COMPARISONS:
            other = COMPARISONS[type(op)]
            yield f"{type(op).__name__} -> {other.__name__}", lambda n: ast.Compare(n.left, [other()], n.comparators)
        case ast.BoolOp(op=op, values=[_, *_]):
            turned = ast.Or if isinstance(op, ast.And) else ast.And
            yield f"{type(op).__name__} -> {turned.__name__}", lambda n: ast.BoolOp(turned(), n.values)
        case ast.UnaryOp(op=ast.Not()):
            yield "not dropped", lambda n: n.operand
        case ast.BinOp(op=op) if type(op) in OPERATORS and not isinstance(node.left, ast.JoinedStr | ast.Constant):
            swapped = OPERATORS[type(op)]
            yield f"{type(op).__name__} -> {swapped.__name__}", lambda n: ast.BinOp(n.left, swapped(), n.right)
        case ast.Constant(value=bool(value)):
            yield f"{value} -> {not value}", lambda _: ast.Constant(not value)
        case ast.Constant(value=int(number)):
            yield f"{number} -> {number + 1}", lambda _: ast.Constant(number + 1)
        case ast.If() | ast.While():
            yield "condition turned", lambda n: type(n)(ast.UnaryOp(ast.Not(), n.test), n.body, n.orelse)
        case ast.IfExp():
            yield "condition turned", lambda n: ast.IfExp(ast.UnaryOp(ast.Not(), n.test), n.body, n.orelse)
        case ast.Return(value=ast.expr()) if not isinstance(node.value, ast.Constant):
            yield "returns None", lambda _: ast.Return(ast.Constant(None))
        case ast.Expr(value=ast.Call()) | ast.AugAssign() | ast.Delete() | ast.Raise():
            yield f"{type(node).__name__} dropped", lambda _: ast.Pass()
        case ast.Continue():
            yield "continue -> break", lambda _: ast.Break()


def _judged(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes in which a fault would be one: no annotations, decorators, or what only type checkers read."""
    for _, value in ast.iter_fields(tree):
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or isinstance(child, ast.Assert):
                continue
            if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
                continue
            if isinstance(tree, ast.FunctionDef | ast.ClassDef | ast.AnnAssign | ast.arg) and child in {
                *getattr(tree, "decorator_list", []), getattr(tree, "annotation", None), getattr(tree, "returns", None),
            }:  # fmt: skip
                continue
            yield child
            yield from _judged(child)


def faults_of(path: Path) -> Iterator[tuple[int, str, ast.AST, Callable[[Any], ast.AST]]]:
    """Yield each fault that may be planted in a file: line, words, node and change."""
    for node in _judged(ast.parse(path.read_text())):
        for what, change in changes(node):
            yield node.lineno, what, node, change  # type: ignore[attr-defined]


def planted(source: str, node: Any, change: Callable[[Any], ast.AST]) -> str:
    """Return a source in which one node is changed and every line stays where it was (but for those of the node)."""
    new = ast.fix_missing_locations(ast.copy_location(change(deepcopy(node)), node))
    lines = source.encode().splitlines(keepends=True)
    start = sum(map(len, lines[: node.lineno - 1])) + node.col_offset
    end = sum(map(len, lines[: node.end_lineno - 1])) + node.end_col_offset
    text = ast.unparse(new)
    text = text.replace("\n", "\n" + " " * node.col_offset) if isinstance(node, ast.stmt) else f"({text})"
    whole = source.encode()
    return (whole[:start] + text.encode() + whole[end:]).decode()


def choose(count: int, seed: int, packages: tuple[str, ...]) -> list[Fault]:
    """Return as many faults as asked for, chosen by a seed among all that may be planted."""
    every = [
        (str(path.relative_to(ENGINE)), line, what, node, change)
        for package in packages
        for path in sorted((ENGINE / package).rglob("*.py"))
        for line, what, node, change in faults_of(path)
    ]
    chosen = random.Random(seed).sample(every, min(count, len(every)))  # noqa: S311
    print(f"{len(chosen)} of {len(every)} faults that could be planted", flush=True)
    return [
        Fault(path, line, what, planted((ENGINE / path).read_text(), node, change))
        for path, line, what, node, change in chosen
    ]


# -- which tests reach a line


class Map:
    """A plugin of pytest that writes which lines of the engine each test reaches, and how long it takes."""

    def __init__(self) -> None:
        self.reached: dict[str, set[int]] = defaultdict(set)
        self.tests: list[tuple[str, float]] = []
        self.started = 0.0
        monitoring = sys.monitoring  # type: ignore[attr-defined]
        monitoring.use_tool_id(4, "mutation")
        monitoring.register_callback(4, monitoring.events.LINE, self.line)
        monitoring.set_events(4, monitoring.events.LINE)

    def line(self, code: Any, line: int) -> object:
        """Note a line; it is not asked about again before the next test."""
        if code.co_filename.startswith(str(ENGINE)):
            self.reached[f"{code.co_filename[len(str(ENGINE)) + 1 :]}:{line}"].add(len(self.tests))
        return sys.monitoring.DISABLE  # type: ignore[attr-defined]

    def pytest_runtest_setup(self) -> None:
        """Begin a test."""
        self.started = time.process_time()
        sys.monitoring.restart_events()  # type: ignore[attr-defined]

    def pytest_runtest_teardown(self, item: Any) -> None:
        """End a test."""
        self.tests.append((item.nodeid, time.process_time() - self.started))

    def pytest_sessionfinish(self) -> None:
        """Write what this process saw."""
        if self.tests:
            FOLDER.mkdir(exist_ok=True)
            reached = {place: sorted(tests) for place, tests in self.reached.items()}
            text = json.dumps({"tests": self.tests, "reached": reached})
            (FOLDER / f"map-{os.getpid()}.json").write_text(text)


def pytest_configure(config: Any) -> None:
    """Take part in a run of pytest in which this file is named as a plugin."""
    if os.environ.get("MUTATION_MAP"):
        config.pluginmanager.register(Map())


def make_map(paths: list[str]) -> int:
    """Run tests once and note what they reach."""
    for old in FOLDER.glob("map-*.json"):
        old.unlink()
    os.environ.update(MUTATION_MAP="1", PYTHONPATH=str(ROOT / "ci"))
    arguments = ["-m", "pytest", "-q", "-p", "mutation", "-p", "no:randomly", "-n", "2", "--dist", "worksteal", *paths]
    return subprocess.run([sys.executable, *arguments], check=False).returncode


def read_map() -> tuple[dict[str, list[str]], dict[str, float]]:
    """Return the tests that reach each line of the engine, and how many seconds each takes."""
    reached: dict[str, list[str]] = defaultdict(list)
    seconds: dict[str, float] = {}
    for path in FOLDER.glob("map-*.json"):
        part = json.loads(path.read_text())
        seconds.update(part["tests"])
        for place, numbers in part["reached"].items():
            reached[place] += [part["tests"][number][0] for number in numbers if number < len(part["tests"])]
    return reached, seconds


# -- planting


class Failing:
    """A plugin of pytest that writes down which test failed first."""

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Note a failure."""
        if report.failed:
            (FOLDER / "failed").write_text(report.nodeid)


def fails(tests: list[str]) -> str:
    """Run tests on the files as they are and return which one fails, "endless" where they do not end, "" if none."""
    failed = FOLDER / "failed"
    failed.unlink(missing_ok=True)
    child = os.fork()
    if child == 0:
        os.setsid()
        _run(tests)
    deadline = time.monotonic() + TIMEOUT
    while time.monotonic() < deadline:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return (failed.read_text() if failed.exists() else "collection") if status else ""
        time.sleep(0.05)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return "endless"


def _run(tests: list[str]) -> None:
    """Run tests in this process, quietly, and end it."""
    import pytest

    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)
    os.dup2(silent, 2)
    code = 1
    try:
        quiet = ["-q", "-x", "-p", "no:randomly", "-p", "no:cacheprovider", "-n", "0"]
        code = pytest.main([*quiet, *tests], plugins=[Failing()])
    finally:
        os._exit(int(code))


class Tests:
    """The tests by the lines that they reach, without those that fail on the sound engine, too."""

    def __init__(self) -> None:
        self.reached, self.seconds = read_map()
        self.sound: set[str] = set()
        self.broken: set[str] = set()

    def of(self, fault: Fault) -> list[str]:
        """Return the quickest tests that reach a fault."""
        tests, budget = [], SECONDS
        found = set(self.reached[f"{fault.path}:{fault.line}"]) - self.broken
        for test in sorted(found, key=lambda name: (self.seconds[name], name)):
            budget -= self.seconds[test]
            if budget < 0 or len(tests) == TESTS:
                break
            tests.append(test)
        return tests

    def verdict(self, fault: Fault) -> str:
        """Plant a fault and return "unreached", "SURVIVED", or which test catches it."""
        path = ENGINE / fault.path
        sound = path.read_bytes()
        while tests := self.of(fault):
            path.write_text(fault.text)
            try:
                failed = fails(tests)
            finally:
                path.write_bytes(sound)
            if failed in self.sound or failed in ("", "collection", "endless"):
                return failed or "SURVIVED"
            if not fails([failed]):
                self.sound.add(failed)
                return failed
            self.broken.add(failed)
        return "unreached"


def run(faults: list[Fault]) -> int:
    """Plant one fault after the other and say what the tests made of each."""
    import msgspec  # noqa: F401  what every child needs is imported once
    import pygit2  # noqa: F401
    import ruamel.yaml  # noqa: F401

    sys.dont_write_bytecode = True
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    os.chdir(ROOT)
    tests = Tests()
    results: list[dict[str, Any]] = []
    for number, fault in enumerate(faults, 1):
        began, verdict = time.monotonic(), tests.verdict(fault)
        results.append({**fault._asdict(), "text": "", "verdict": verdict})
        took = time.monotonic() - began
        print(f"{number:4} {fault.path}:{fault.line} {fault.what}: {verdict} ({took:.0f} s)", flush=True)
        (FOLDER / "results.json").write_text(json.dumps(results, indent=1))
    for package in (*PACKAGES, ""):
        own = [each for each in results if each["path"].startswith(package)]
        caught = sum(each["verdict"] not in ("SURVIVED", "unreached") for each in own)
        if own:
            print(f"{package or 'all':10} {caught} of {len(own)} caught: {100 * caught / len(own):.1f} %")
    print(f"{len(tests.broken)} tests fail on the sound engine, too, and were left out: {sorted(tests.broken)[:10]}")
    return 0


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    mapping = commands.add_parser("map", help="run tests and note which lines they reach")
    mapping.add_argument("tests", nargs=argparse.REMAINDER, help="as pytest takes them, with its options")
    running = commands.add_parser("run", help="plant faults")
    running.add_argument("--count", type=int, default=500)
    running.add_argument("--seed", type=int, default=1)
    running.add_argument("--package", action="append", choices=PACKAGES, help="only faults in this one")
    running.add_argument("--part", default="1/1", help="which part of the faults, as 2/3: for several clones at once")
    given = parser.parse_args()
    if given.command == "map":
        return make_map(given.tests)
    part, parts = map(int, given.part.split("/"))
    faults = choose(given.count, given.seed, tuple(given.package or PACKAGES))
    return run(faults[part - 1 :: parts])


if __name__ == "__main__":
    raise SystemExit(main())
