"""`moot` run in this process, where a test has no fixture for it: what a module or a whole run prepares once."""

from __future__ import annotations

from contextlib import chdir
from pathlib import Path

import pytest
from click.testing import CliRunner

from folkmoot.cli.main import main


def run_moot(folder: Path, words: str) -> str:
    """Run a command in a folder and return what it printed; it must end well."""
    with chdir(folder), CliRunner().isolation() as (out, err, _):
        with pytest.raises(SystemExit) as ended:
            main(words.split())
        assert not ended.value.code, (words, err.getvalue().decode())
        return out.getvalue().decode()
