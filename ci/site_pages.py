"""Writes the games' pages before MkDocs builds or serves the site; nothing of value lives here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from engine.site import write_site


def on_pre_build(config: Any) -> None:
    """Write the pages of every game of the repository, only where bytes change."""
    write_site(Path(config["config_file_path"]).parent)
