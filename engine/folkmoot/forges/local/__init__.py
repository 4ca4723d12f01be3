"""The forge that is plain git: pull requests, letters and what was seen of them are refs of one repository.

The names below are loaded when they are first used: who reads a letter does not need the forge.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from folkmoot.forges.cache.forge_cache import Note
    from folkmoot.forges.local.forge import LocalForge
    from folkmoot.forges.local.messages import Letter
    from folkmoot.forges.local.players_repository import Author, PlayersRepository

__all__ = ["Author", "Letter", "LocalForge", "Note", "PlayersRepository"]
_HOMES = {
    "Author": "folkmoot.forges.local.players_repository",
    "Letter": "folkmoot.forges.local.messages",
    "LocalForge": "folkmoot.forges.local.forge",
    "Note": "folkmoot.forges.cache.forge_cache",
    "PlayersRepository": "folkmoot.forges.local.players_repository",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return getattr(import_module(_HOMES[name]), name)
