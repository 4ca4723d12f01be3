"""Offices that a ruleset leaves to the first player, where other people play than its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from folkmoot.files.fast_reader import load_yaml
from tests.cli.conftest import Moot


@pytest.mark.parametrize(
    ("words", "said", "holders"),
    [
        ((), "ann holds the offices of administrator and dealer to begin with; `--office dealer=…`", ("ann", "ann")),
        (("-o", "dealer=bob"), "ann holds the office of administrator to begin with", ("ann", "bob")),
        (("-o", "dealer=bob", "-o", "administrator=cid"), "", ("cid", "bob")),
    ],
)
def test_the_first_player_named_holds_what_nobody_else_does(
    moot: Moot, tmp_path: Path, words: tuple[str, ...], said: str, holders: tuple[str, str]
) -> None:
    done = moot("new", "parliament", "-r", "a-nomic", "-p", "ann", "-p", "bob", "-p", "cid", *words)
    assert done.code == 0, done.err
    assert said in " ".join(done.out.split())
    assert said or "to begin with" not in done.out
    offices = load_yaml((tmp_path / "state/parliament/things/office.yaml").read_text("utf-8"), "office.yaml")
    assert (offices["administrator"]["holder"], offices["dealer"]["holder"]) == holders
