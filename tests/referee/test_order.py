"""Pull requests that arrive in one second are taken in the order of their numbers, whatever their commits are called."""

from __future__ import annotations

from pathlib import Path

from tests.support.quick import QuickMeeting


def test_the_order_of_one_second(tmp_path: Path) -> None:
    quick = QuickMeeting(tmp_path)
    numbers = [quick.propose(who, f"Of {who} {turn}") for turn in range(4) for who in ("ann", "bob")]
    quick.referee()
    proposed = [entry["via"]["pull"] for entry in quick.journal() if entry["do"] == "propose"]
    assert proposed == sorted(proposed) == numbers
