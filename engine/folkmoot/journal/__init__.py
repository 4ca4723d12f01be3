"""A game's record on disk or in git: its journal, the files derived from it, and its commits."""

from folkmoot.journal.entries import entry_bytes, entry_digest
from folkmoot.journal.folder import GameFolder
from folkmoot.journal.record import GameRecord, Head

__all__ = ["GameFolder", "GameRecord", "Head", "entry_bytes", "entry_digest"]
