"""Where a table keeps what its referee said; apart, because every push looks here and shall load nothing else."""

from __future__ import annotations

from pathlib import Path

LOG = Path("moot", "referee.log")
"""Where the referee of a table writes what it said, inside the table."""
