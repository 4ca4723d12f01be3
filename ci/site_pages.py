"""Puts the games' pages into what MkDocs builds or serves; nothing of value is here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from folkmoot.site.publish import Games


def on_config(config: Any) -> Any:
    """Let the pages of every game of the repository be made with the site, but where `moot` itself makes it."""
    if "folkmoot" not in config.plugins:
        config.plugins["folkmoot"] = Games(Path(config.config_file_path).parent)
        config = config.plugins["folkmoot"].on_config(config)
    return config
