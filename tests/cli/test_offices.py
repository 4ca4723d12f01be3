"""What offices have is told as what players have: times as times, by whatever name an office is called."""

from __future__ import annotations

from tests.support.moot import Moot

AT = "2026-01-05T12:00:00Z"


def test_a_time_that_an_office_has_is_said_as_a_time(moot: Moot) -> None:
    assert moot("new", "parliament", "-r", "a-nomic", "-p", "ann", "-p", "bob", "--at", AT).code == 0
    logged = moot("log").out
    assert "Term ends at (dealer): none → 20" in logged
    assert " UTC by rule R-04" in logged.partition("Term ends at (dealer)")[2].split("\n")[0]
    for name in ("dealer", "office/dealer"):
        said = moot("explain", name, "term_ends_at").out
        assert "has term_ends_at 20" in said
        assert "nothing ever changed it" not in said
