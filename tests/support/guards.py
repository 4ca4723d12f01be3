"""Guards that fail."""

from __future__ import annotations

from typing import Any

PLAIN = {"enact": {"title": "New"}}
GO: dict[str, Any] = {"actions": {"go": {}}}
GOING = "def do_go(a):\n    announce('went')\n"
