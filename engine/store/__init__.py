"""A game's folder on disk: its journal, the files derived from it, and its commits."""

from engine.store.entries import entry_bytes, entry_digest
from engine.store.folder import GameFolder, Head
from engine.store.verify import Report, verify

__all__ = ["GameFolder", "Head", "Report", "entry_bytes", "entry_digest", "verify"]
