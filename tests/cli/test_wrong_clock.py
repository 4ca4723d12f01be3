"""A machine whose clock is a year ahead, as its commands meet it, and the way back as its commands bring it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.meeting import git, identity
from tests.support.moot import Moot

YEAR = 365 * 86_400


@pytest.fixture
def shift(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Return what sets this machine's clock so many seconds ahead of the right time."""
    real = time.time
    return lambda seconds: monkeypatch.setattr(time, "time", lambda: real() + seconds)


@pytest.mark.parametrize("forge", ["", "local"])
def test_a_clock_a_year_ahead_is_refused_told_and_taken_back(
    moot: Moot, tmp_path: Path, shift: Callable[[int], None], forge: str
) -> None:
    git(tmp_path, "init", "--quiet", "--initial-branch=main")
    identity(tmp_path, "ann")
    given = ("--forge", "local", "--administrator", "ann") if forge else ()
    people = ("-p", "ann,email=ann@x.org", "-p", "bob,email=bob@x.org")
    assert moot("new", "moor", "--ruleset", "suber", *people, *given).code == 0
    mine = () if forge else ("--by", "ann")
    for words in (("referee",),) if forge else (("act", "state", "one", *mine), ("referee",)):
        shift(YEAR)
        refused = moot(*words)
        assert (refused.code, "E-CLOCK" in refused.err, "--trust-clock" in refused.err) == (1, True, True), words
    assert "entry 1 of" in moot("status").out
    if forge:
        shift(0)
        assert moot("act", "state", "one").code == 0
        shift(YEAR)
    first = ("referee",) if forge else ("act", "state", "one", *mine)
    assert moot(*first, "--trust-clock").code == 0
    assert moot(*first).code == 0, "a machine that was used a moment ago is believed"
    shift(0)
    back = "moot verify --repair clock" if forge else "moot act set_clock"
    assert back in moot("status").err
    assert moot("status", "--json").record["clock_ahead"] > YEAR - 100
    assert back in moot(*first).err
    assert "record-time" in moot("doctor").out
    way = ("verify", "--repair", "clock", "--why", "It ran ahead.") if forge else ("act", "set_clock", "why=x")
    assert moot(*way, "--by", "ann").code == 0
    assert moot("status", "--json").record["clock_ahead"] == 0
    assert moot("log").code == 0
    shift(5)
    assert moot("act", "state", "after", *mine).code == 0
    if forge:
        assert moot("referee").code == 0
    assert "after" in moot("log", "--new").out, "what was dated in the future is no reason to hide what comes after it"
    numbers = [each["entry"] for each in moot("log", "--json").record["log"] if each["type"] == "entry"]
    assert numbers == sorted(numbers)
    assert len(numbers) > 2, "entries come in the order of their numbers"
    assert moot("verify").code == 0


@pytest.mark.threat("T-131")
@pytest.mark.parametrize("forge", ["", "local"])
def test_where_a_fresh_clone_alone_supports_a_clock_that_is_told_once(
    moot: Moot, tmp_path: Path, shift: Callable[[int], None], forge: str
) -> None:
    git(tmp_path, "init", "--quiet", "--initial-branch=main")
    identity(tmp_path, "ann")
    given = ("--forge", "local", "--administrator", "ann") if forge else ()
    assert moot("new", "moor", "--ruleset", "suber", "-p", "ann,email=ann@x.org", "-p", "bob", *given).code == 0
    shift(YEAR)
    for each in (tmp_path / ".git").iterdir():  # as if it had been made by this clock
        os.utime(each, (time.time(), time.time()))
    said = [moot("referee"), moot("referee")]
    assert [each.code for each in said] == [0, 0]
    assert ["no entry or commit here is later than" in each.err for each in said] == [True, False]
