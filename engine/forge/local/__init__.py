"""The forge that is plain git: pull requests, letters and what was seen of them are refs of one repository."""

from engine.forge.local.forge import LocalForge
from engine.forge.local.letters import Letter
from engine.forge.local.seat import Author, Seat
from engine.forge.observed.observation import Note

__all__ = ["Author", "Letter", "LocalForge", "Note", "Seat"]
