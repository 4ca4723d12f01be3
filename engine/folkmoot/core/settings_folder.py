"""Where programs keep the settings of whoever runs them."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def settings_folder() -> Path:
    """Return where programs keep their settings on this system; a variable that names no whole path says nothing."""
    usual = "Library/Application Support" if sys.platform == "darwin" else ".config"
    named = Path(os.environ.get("XDG_CONFIG_HOME", ""))
    return named if named.is_absolute() else Path.home() / usual
