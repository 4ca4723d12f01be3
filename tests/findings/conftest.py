"""What the tests of findings share: `moot` in a folder, a game at a table, players at clones."""

from tests.cli.conftest import gathering, judged, moot, table
from tests.findings.seats import seats

__all__ = ["gathering", "judged", "moot", "seats", "table"]
