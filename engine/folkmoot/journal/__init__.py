"""A game's record on disk or in git: its journal, the files derived from it, and its commits.

The names below are loaded when they are first used: whoever only runs git needs none of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from folkmoot.journal.folder import GameFolder
    from folkmoot.journal.layout import entry_bytes, entry_digest
    from folkmoot.journal.record import GameRecord, Head

__all__ = ["GameFolder", "GameRecord", "Head", "entry_bytes", "entry_digest"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    from folkmoot.journal import folder, layout, record

    return next(getattr(module, name) for module in (layout, record, folder) if hasattr(module, name))
