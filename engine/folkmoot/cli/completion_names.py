"""Names of pages and actions, read from the clone's own files without asking the law or anybody else."""

from __future__ import annotations

import re
from pathlib import Path

from folkmoot.cli.games import game_folder
from folkmoot.cli.terminal import Terminal
from folkmoot.core.clone_files import read_whole

_PAGE = re.compile(rb"^\s*def show_(\w+)\(", re.MULTILINE)
_ACTION = re.compile(rb"^\s*def do_(\w+)\(", re.MULTILINE)
_NUMBER = re.compile(rb"^rule: [\"']?([^\s\"']+)", re.MULTILINE)


def pages_known(terminal: Terminal, game: str | None) -> dict[str, str]:
    """Return the pages that the rule files of the clone show, by name, with what shows each. Raises E-NO-GAME."""
    found: dict[str, str] = {}
    for path in _rule_files(terminal, game):
        data = read_whole(path) or b""
        number = _NUMBER.search(data)
        by = f"shown by rule {number[1].decode() if number else path.stem}"
        found |= {name.decode(): by for name in _PAGE.findall(data)}
    return dict(sorted(found.items()))


def actions_known(terminal: Terminal, game: str | None) -> set[str]:
    """Return the actions that the rule files of the clone carry out. Raises E-NO-GAME."""
    return {name.decode() for path in _rule_files(terminal, game) for name in _ACTION.findall(read_whole(path) or b"")}


def _rule_files(terminal: Terminal, game: str | None) -> list[Path]:
    return sorted((game_folder(terminal, game) / "rules").glob("*.yaml"))
