"""The forge that is plain git: pull requests, letters and what was seen of them are refs of one repository."""

from folkmoot.forges.cache.forge_cache import Note
from folkmoot.forges.local.forge import LocalForge
from folkmoot.forges.local.messages import Letter
from folkmoot.forges.local.players_repository import Author, PlayersRepository

__all__ = ["Author", "Letter", "LocalForge", "Note", "PlayersRepository"]
