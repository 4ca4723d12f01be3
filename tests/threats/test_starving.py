"""Very many of everything on a forge of the web, and what cannot be fetched: the honest are answered in the same run."""

from __future__ import annotations

import httpx
import pytest

from tests.support.meeting import GAME, rule
from tests.support.round_table import RoundTable

RULES = f"state/{GAME}/rules"


@pytest.mark.threat("T-26", "T-30")
def test_a_flood_on_github_is_read_in_parts(table: RoundTable) -> None:
    """A token of a job has a thousand requests an hour: a run that needed more would never come to its end."""
    head = table.change("eve", {f"{RULES}/x.yaml": rule("Eve")})
    for number in range(60):
        table.pull(head, "eve")
        table.github.open_issue("eve", f"Hello {number}", ("game",))
    mine = table.open("bob", {"rules/dragon.yaml": rule("A dragon")})
    asked: list[str] = []

    def limit(request: httpx.Request, _answer: object) -> httpx.Response | None:
        asked.append(request.method)
        late = len(asked) > 400
        return httpx.Response(429, headers={"Retry-After": "3600"}) if late else None

    table.github.faults = [limit]
    table.referee()
    assert table.proposal(301)["via"]["pull"] == mine
    assert "is **open**" in table.said(mine)
    assert len(asked) <= 400
    told: set[int] = set()
    for _ in range(10):  # a run tries changes for some seconds: how many that are, the machine says
        asked.clear()
        table.referee()
        assert len(asked) <= 400
        told = {number for number in table.github.pulls if table.said(number)}
        if len(told) == len(table.github.pulls):
            break
    assert told == set(table.github.pulls)
