"""When the person at a clone last looked by `moot log`: kept beside the clone's own settings, and sent nowhere."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from folkmoot.cli.games import repository_around, root_of
from folkmoot.cli.terminal import Terminal
from folkmoot.core.clone_files import read_whole, write_whole

FILE = "moot-looked.json"


def _file(terminal: Terminal) -> Path | None:
    repo = repository_around(root_of(terminal))
    return Path(repo.path) / FILE if repo is not None else None


def _known(file: Path | None) -> dict[str, Any]:
    """Return what is kept, nothing where it is missing or no longer what was written."""
    with suppress(OSError, ValueError):
        found = json.loads(read_whole(file) or b"{}") if file is not None else {}
        return found if isinstance(found, dict) else {}
    return {}


def last_look(terminal: Terminal, game: str) -> int:
    """Return up to when (Unix seconds) a game was looked at, 0 where it never was."""
    found = _known(_file(terminal)).get(game, 0)
    return found if isinstance(found, int) else 0


def looked_now(terminal: Terminal, game: str, at: int) -> None:
    """Keep up to when a game was looked at; where that cannot be written nothing is lost but the remark in status.

    What a wrong clock dated in the future counts as of now: what comes after it is new all the same.
    """
    file, at = _file(terminal), min(at, int(time.time()))
    known = _known(file)
    if file is None or known.get(game, 0) >= at:
        return
    with suppress(OSError):
        write_whole(file, json.dumps({**known, game: at}).encode())
