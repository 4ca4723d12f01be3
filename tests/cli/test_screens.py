"""What people read on a terminal of 80 columns: no line is wider, and each time is said alike, as `2026-01-05 12:00 UTC`."""

from __future__ import annotations

import re

import pytest

from folkmoot.cli.terminal import fitted, wide
from folkmoot.core.calendar import read_moment, write_moment
from tests.support.gathering import Gathering
from tests.support.meeting import git
from tests.support.terminal import LOOKED_AT, WIDTH, evening

__all__ = ["evening"]


COMMAND = re.compile(r"\s*(?:git|moot|cd) ")


def too_wide(text: str, width: int = WIDTH) -> list[str]:
    """Return the lines that could have gone on below themselves, or are none that somebody copies."""
    lines = text.replace("\r", "").split("\n")
    return [line for line in lines if wide(line) > width and not COMMAND.match(line) and fitted(line, width) != line]


MONTHS = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
OTHER = re.compile(
    r"\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?Z?"  # a stamp, as programs read it
    rf"|\b\d{{1,2}} (?:{MONTHS})[a-z]* \d{{4}}|\b(?:{MONTHS})[a-z]* \d{{1,2}}, \d{{4}}"  # a day by its name
    r"|\d{4}-\d\d-\d\d \d\d:\d\d(?!(?::\d\d)?(?: UTC| {2}))"  # a minute without its zone, but where a cell goes on below
    r"|(?<![\d:T-])1[67]\d{8}(?!\d)"  # seconds since 1970
)
MORE = """
explain entry 1 | explain proposal 301 | explain ballot 301 ann | explain setting mode | explain proposal/301 posted_at
log -n 99 | preview 1 --said | tick --until 2001-01-01T00:00:00Z
"""
KEPT = re.compile(r'[\s-]*"?(?:at|until|due|again|cursor)"?: \d+,?')
TYPED = ("stamp (", "as in 2026-01-05T12:00:00Z", "…T")
"""What says how a time may be typed."""


def others(text: str) -> list[str]:
    """Return the lines in which a time is said otherwise, but for those of records that only programs read."""
    said = [line for line in text.splitlines() if not KEPT.fullmatch(line)]
    return [line for line in said if OTHER.search(line) and not any(word in line for word in TYPED)]


def test_no_screen_is_too_wide_or_says_a_time_otherwise(evening: Gathering, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(evening.clone("bob"))
    found = {}
    for words in (
        each.split() for line in f"{LOOKED_AT}|{MORE}".splitlines() for each in line.split("|") if each.strip()
    ):
        said = evening._moot(*words)
        assert "Traceback" not in said.err
        assert not said.out.startswith("\n"), words
        if wrong := [*too_wide(said.out), *too_wide(said.err), *others(said.out), *others(said.err)]:
            found[" ".join(words)] = wrong
    assert found == {}


def test_no_comment_says_a_time_otherwise(evening: Gathering) -> None:
    evening.moot("ann", "vote", "1", "for")
    evening.referee()
    names = git(evening.bare, "ls-tree", "-r", "--name-only", "refs/moot/forge").splitlines()
    said = [name for name in names if name.startswith(("said/", "answers/")) or name.endswith(".md")]
    text = "\n".join(git(evening.bare, "show", f"refs/moot/forge:{name}") for name in said)
    assert "# " in text or "**" in text, "there are comments"
    assert others(text) == []
    for at in (0, 1_767_614_400, 1_767_614_459):
        assert read_moment(write_moment(at, exactly=True), 0) == at, "a time is taken as it is said"
