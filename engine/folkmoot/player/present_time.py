"""What time it is for what a person sends or looks at."""

from __future__ import annotations

import time


def present() -> int:
    """Return the time (Unix seconds) at which what is sent now would arrive."""
    return int(time.time())
