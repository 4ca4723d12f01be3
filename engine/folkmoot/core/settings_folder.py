"""Where programs keep the settings of whoever runs them."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def settings_folder() -> Path:
    """Return where programs keep their settings on this system."""
    usual = "Library/Application Support" if sys.platform == "darwin" else ".config"
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / usual)
