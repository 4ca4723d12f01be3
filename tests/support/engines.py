"""Games that an older engine played."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from tests.support.meeting import git

ROOT = Path(__file__).parents[2]
FOUND = ("new", "t", "-r", "suber", "-p", "ann,surname=Abel", "-p", "bob,surname=Bond", "--at", "2026-01-05T12:00:00Z")
MEANING = 'text=action["args"]["text"])\n    play.emit'
OLD, NEW = "0.1.9", "9.0.0"


def engine_at(folder: Path, version: str, meaning: str = "", main: str = "") -> Path:
    """Write an engine of a version, committed: with another meaning of the act `state`, or another program."""
    shutil.copytree(ROOT / "engine", folder / "engine")  # with what is compiled, which only git leaves behind
    (folder / ".gitignore").write_text("__pycache__/\n")
    shutil.copy(ROOT / "pyproject.toml", folder)
    (folder / "engine" / "folkmoot" / "__init__.py").write_text(f'"""An engine."""\n\n__version__ = "{version}"\n')
    acts = folder / "engine" / "folkmoot" / "kernel" / "kernel_acts.py"
    text = acts.read_text()
    assert MEANING in text
    acts.write_text(text.replace(MEANING, MEANING.replace("]),", f"]{meaning}),").replace('"])', f'"]{meaning})')))
    if main:
        (folder / "engine" / "folkmoot" / "cli" / "main.py").write_text(main)
    git(folder, "init", "--quiet", "-b", "main")
    commit(folder, f"Engine {version}")
    return folder


def program_of(engine: Path, python: str = sys.executable) -> Path:
    """Write the `moot` of an engine, run by a Python; return its path."""
    path = engine / "engine" / "moot"  # beside which Python looks for modules first
    path.write_text(f"#!{python} -s\nfrom folkmoot.cli.main import main\n\nmain()\n")
    path.chmod(0o755)
    return path


def commit(folder: Path, message: str) -> str:
    git(folder, "add", "-A")
    git(folder, "-c", "user.name=A", "-c", "user.email=a@x.example", "commit", "--quiet", "-m", message)
    return str(git(folder, "rev-parse", "HEAD")).strip()
