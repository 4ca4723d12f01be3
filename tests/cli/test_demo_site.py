"""The site of the demonstration is served from its first pages on, and open pages follow it as it grows."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path
from urllib.request import urlopen

import pytest

from folkmoot.cli.demo.demonstration import Shown
from folkmoot.cli.terminal import Terminal
from tests.support.moot import Moot


def test_the_site_is_served_early_and_open_pages_are_told_of_more(
    table: Moot, capsys: pytest.CaptureFixture[str]
) -> None:
    with ExitStack() as stack:
        shown = Shown(Terminal(json=True), Path(), 0, stack)
        shown.build()
        address = json.loads(capsys.readouterr().out)["address"]

        def read(page: str) -> str:
            with urlopen(f"{address}{page}") as answer:
                return str(answer.read().decode())

        assert "/-/play.js" in read("table/")
        first = json.loads(read("-/changes"))["build"]
        Path("tea.yaml").write_text("title: Tea\ntext: There is tea.\n", "utf-8")
        assert table("act", "propose", "--by", "ann", "title=Tea time", "--rule", "tea.yaml").code == 0
        shown.build()
        assert "Tea time" in read("table/")
        assert json.loads(read(f"-/changes?seen={first}"))["build"] != first
