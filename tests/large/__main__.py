"""Make a repository with a large game: `python -m tests.large FOLDER PAGES [SEED]`."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.large.game import repository

if __name__ == "__main__":
    print(repository(Path(sys.argv[1]), int(sys.argv[2]), *map(int, sys.argv[3:4])))
