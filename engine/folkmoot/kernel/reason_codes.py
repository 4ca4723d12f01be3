"""Every code of reasons, refusals and problems with its meaning.

The record keeps codes and arguments; sentences are made of them when they are shown (`folkmoot.wording.reasons`), the
same on every surface.
"""

from __future__ import annotations

from pathlib import Path

from folkmoot.files.fast_reader import load_own

GROUPS: dict[str, dict[str, str]] = load_own(Path(__file__).with_suffix(".yaml"))
"""The meanings by code: notes in the record, refusals, what goes wrong around a game, and in the reading of a file."""
CODES = {code: meaning for group in GROUPS.values() for code, meaning in group.items()}
"""Every code of the engine with its meaning; the law of a game may add its own E- codes."""
