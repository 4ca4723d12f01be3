"""The programs that run and judge workflows, and whether they are here."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

NAIVE = """\
name: naive
on: [pull_request]
jobs:
  greet:
    runs-on: ubuntu-latest
    steps:
      - shell: bash
        run: |
          echo "${{ github.event.pull_request.title }}"
          echo "${{ github.event.pull_request.head.ref }}"
          echo "${{ github.event.pull_request.body }}"
"""


NAMES = ("act", "actionlint", "check-jsonschema", "zizmor")
REQUIRED = os.environ.get("FOLKMOOT_REQUIRE_WORKFLOW_TOOLS") == "1"


def tool(name: str) -> str | None:
    """Return where a program is: beside this Python, or on the path."""
    return shutil.which(name, path=str(Path(sys.executable).parent)) or shutil.which(name)


def missing() -> list[str]:
    """Return the programs that are not here."""
    return [name for name in NAMES if tool(name) is None]


def run(
    name: str, words: Sequence[str], folder: Path, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run one of the programs in a folder."""
    program = tool(name)
    assert program is not None, f"{name} is not installed"
    return subprocess.run(
        [program, *words], cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=300,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
