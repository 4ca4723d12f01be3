"""Content that git cannot fetch in time: its author is told, and votes on what was there before go on."""

from __future__ import annotations

import pytest

from tests.forges.slow_git import SlowGit
from tests.support.meeting import PLAYERS, rule
from tests.support.round_table import RoundTable


@pytest.mark.threat("T-27")
def test_whoever_pushes_what_nobody_can_fetch_hinders_no_vote(
    table: RoundTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    voted, never = table.propose("ann", "A dragon"), 0
    table.referee()
    git = SlowGit(monkeypatch, f"refs/pull/{voted}/head")
    table.github.push(voted, table.change("ann", {"state/dragons/rules/large.yaml": rule("A whale")}))
    never = table.propose("eve <eve@x.org>", "A whale")
    git.stuck.add(f"refs/pull/{never}/head")
    git.before(table.forge)
    for voter in PLAYERS[1:]:
        table.say(voter, voted, "/vote for")
        table.referee()
    assert git.waited == {f"refs/pull/{n}/head": git.waited.total() // 2 for n in (voted, never)}
    assert "could not be fetched: to fetch it takes longer than 120 seconds" in table.said(voted)
    assert "could not be fetched: to fetch it takes longer than 120 seconds" in table.said(never)
    table.say("ann", voted, "/vote for")
    table.referee(60)
    assert table.proposal(301)["outcome"] == "adopted"
    assert table.document("rules/301")["title"] == "A dragon"
    assert table.sound()
    git.stuck.clear()
    table.referee(90_000)
    assert "could not be fetched" not in table.said(never)
