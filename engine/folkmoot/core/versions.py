"""Which engine this is."""

from __future__ import annotations

import platform
from functools import cache

from folkmoot import __version__
from folkmoot.core import characters
from folkmoot.core.engines import Versions, is_newer, shown_engine


def versions() -> dict[str, str]:
    """Return the versions that decide how a game is judged, which its journal records."""
    return {"folkmoot": __version__, **_tables(), "python": platform.python_version()}


def cannot_replay(engine: Versions) -> str:
    """Return in a sentence that another engine recorded something."""
    return f"engine {shown_engine(engine)} recorded it, and this is {shown_engine(versions())}"


def other_engine(engine: Versions) -> str:
    """Return what to do where a game is judged by another engine."""
    if is_newer(engine, versions()):
        return f"use engine {engine.get('folkmoot')}, or a newer one: `moot init --pin` pins it for the jobs"
    return "an administrator has this engine take the game over: `moot act engine --by ADMINISTRATOR`"


@cache
def _tables() -> dict[str, str]:
    from importlib.metadata import version  # it loads the library of e-mail

    return {"starlark": version("starlark-pyo3"), "unicode": characters.version()}
