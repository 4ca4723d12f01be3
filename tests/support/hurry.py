"""A table whose  is forked, and hurries."""

from __future__ import annotations

import subprocess
from pathlib import Path

FORKED = """
import sys
sys.argv[1:] = sys.argv[4:]
from folkmoot.cli.table_referee import run
run()
"""


def shell(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command, and return how it ended."""
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)


def hurry(table: Path, shim: Path) -> None:
    """Let the hook of a table start a program that has loaded everything already, instead of Python."""
    hook = table / "hooks" / "post-receive"
    lines = hook.read_text("utf-8").splitlines()
    hook.write_text("\n".join(f"python={shim}" if line.startswith("python=") else line for line in lines), "utf-8")
