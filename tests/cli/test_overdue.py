"""At a table a deadline passes only when a referee runs: until then `moot status` says so, and what brings it."""

from __future__ import annotations

from tests.support.seats import Sit

DAY = 86_400


def test_status_says_that_a_time_has_passed_and_what_brings_a_referee(seats: Sit) -> None:
    table = seats()
    (table.folder / "tea.yaml").write_text("title: Tea\ntext: |\n  There is tea.\n")
    table.moot("ann", "propose", "--rule", str(table.folder / "tea.yaml"))
    table.referee()
    assert "Due since" not in table.status("bob")
    assert table.moot("bob", "status", "--json").record["overdue"] is None
    table.now += 8 * DAY
    said = " ".join(table.status("bob").split())
    assert "Due since 2026-01-12 12:00 UTC: " in said
    assert "It comes when a referee runs, which `moot referee` brings about" in said
    table.referee()
    assert "Due since" not in table.status("bob"), "what repeats and leaves no trace is not told"
