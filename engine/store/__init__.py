"""A game's record on disk or in git: its journal, the files derived from it, and its commits."""

from engine.store.entries import entry_bytes, entry_digest
from engine.store.folder import GameFolder
from engine.store.record import GameRecord, Head
from engine.store.verify import Report, verify

__all__ = ["GameFolder", "GameRecord", "Head", "Report", "entry_bytes", "entry_digest", "verify"]
