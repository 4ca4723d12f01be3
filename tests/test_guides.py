"""The guides are true: every file in them is written and every command run, in order, in an empty folder.

What people do on the pages of a forge stands in a comment, `<!-- forge: … -->`, beside the sentence that says so.
`moot` is forked from a process that has imported it; FOLKMOOT_FUZZ=1 starts it every time.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from tests.conftest import FUZZ
from tests.forges.github.guide import on_github
from tests.support.forking import HOOK, MOOT, Forking, Shims, started

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "site_src"
GUIDES = [
    page
    for page in [ROOT / "README.md", *sorted(SOURCES.rglob("*.md"))]
    if "\n``` console\n" in page.read_text("utf-8")
]
"""The pages in which commands stand; those of others are no commands of `moot`, or are generated."""
DEED = re.compile(r"^<!-- forge: (.+) -->$", re.MULTILINE)
BLOCK = re.compile(r"^``` (\w+)(?: title=\"([^\"]+)\")?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Command(Struct, frozen=True):
    """A command of a guide, the lines it must print in this order, and where it stands."""

    words: str
    lines: list[str]
    line: int


def commands(text: str, first_line: int) -> Iterator[Command]:
    """Yield the commands of a console block; a line `…` stands for any lines, `…` inside one for any words."""
    found: list[Command] = []
    for number, line in enumerate(text.splitlines(), first_line):
        if line.startswith("$ "):
            found.append(Command(line[2:], [], number))
        elif found[-1].words.endswith("\\"):
            found[-1] = Command(f"{found[-1].words}\n{line}", [], found[-1].line)
        else:
            found[-1].lines.append(line)
    yield from found


def missing(wanted: list[str], printed: list[str]) -> str:
    """Return the first wanted line that is not printed after those before it, or nothing."""
    left = iter(printed)
    for line in wanted:
        if line.strip() == "…":
            continue
        pattern = re.compile(".*".join(re.escape(part) for part in line.strip().split("…")))
        if not any(pattern.match(other.strip()) for other in left):
            return line
    return ""


def run(command: Command, folder: Path, variables: Mapping[str, str]) -> str:
    """Run a command in a folder, with `moot` on the path; return what it prints."""
    path = f"{folder.parent / 'bin'}{os.pathsep}{os.environ['PATH']}"
    own = {"GIT_CONFIG_GLOBAL": "/dev/null", "XDG_CONFIG_HOME": str(folder.parent / "settings")}
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT), **own, **variables}
    done = subprocess.run(
        ["bash", "-c", command.words],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    said = done.stdout
    expected = any("Refused" in line or "problem." in line or "[E-" in line for line in command.lines)
    assert (done.returncode != 0) == expected, (
        f"line {command.line}: `{command.words}` ended {done.returncode}:\n{said}"
    )
    return said


class Surroundings:
    """What the commands of a guide run in: a folder, and `moot` on the path."""

    def __init__(self, folder: Path, shims: Shims) -> None:
        (folder / "work").mkdir()
        (folder / "bin").mkdir()
        python = shims(folder / "bin" / "python", HOOK)  # which a table's hook starts
        shims(folder / "bin" / "moot", f"import sys\nsys.executable = {str(python)!r}\n{MOOT}")

    def before(self, words: str) -> Mapping[str, str]:
        """Return the variables that a command gets."""
        return {}

    def happen(self, words: str) -> None:
        """Let something happen on a forge: there is none."""
        raise AssertionError(words)


@contextmanager
def at_home(folder: Path, shims: Shims) -> Iterator[Surroundings]:
    """Provide what most guides need: nothing."""
    yield Surroundings(folder, shims)


SURROUNDINGS: dict[str, Callable[[Path, Shims], Any]] = {"github": on_github}


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.stem)
def test_a_guide_can_be_followed_from_its_first_line_to_its_last(guide: Path, tmp_path: Path, forking: Forking) -> None:
    text = guide.read_text("utf-8")
    ran = 0
    parts = sorted([*BLOCK.finditer(text), *DEED.finditer(text)], key=lambda part: part.start())
    shims = started if FUZZ else forking.shim
    with SURROUNDINGS.get(guide.stem, at_home)(tmp_path, shims) as around:
        folder = tmp_path / "work"
        for part in parts:
            if part.re is DEED:
                around.happen(part[1])
                continue
            kind, title, content = part.groups()
            if title:
                (folder / title).write_text(content, "utf-8")
            if kind == "console":
                for command in commands(content, text[: part.start(3)].count("\n") + 1):
                    printed = run(command, folder, around.before(command.words))
                    absent = missing(command.lines, printed.splitlines())
                    assert not absent, (
                        f"line {command.line}: `{command.words}` does not print {absent!r} but\n{printed}"
                    )
                    ran += 1
    assert ran >= 4


def test_every_block_of_the_guides_is_one_that_is_run() -> None:
    for guide in GUIDES:
        text = guide.read_text("utf-8")
        assert text.count("\n``` ") == len(BLOCK.findall(text)), guide
        kinds = {(kind, bool(title)) for kind, title, _ in BLOCK.findall(text)}
        assert kinds <= {("console", False), ("yaml", True)}, guide
