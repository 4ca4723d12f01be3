"""Very many of everything on a forge of the web, and what cannot be fetched: the honest are answered in the same run."""

from __future__ import annotations

import httpx
import pytest

from tests.forges.slow_git import SlowGit
from tests.support.meeting import GAME, PLAYERS, rule
from tests.support.round_table import RoundTable

RULES = f"state/{GAME}/rules"


@pytest.mark.threat("T-26")
def test_nobody_delays_the_votes_on_their_own_proposal(table: RoundTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ann touches all of Ann's pull requests, so that a look does not come to the votes of the others."""
    monkeypatch.setattr("folkmoot.forges.web.reading.MOST_AT_ONCE", 10)
    head = table.change("ann", {"notes.md": b"Noise\n"})
    noise = [table.pull(head, "ann") for _ in range(20)]
    pull = table.propose("ann", "A dragon")
    for _ in range(8):
        table.referee()
    assert table.proposal(301)["via"]["pull"] == pull
    for voter in PLAYERS[1:]:
        table.say(voter, pull, "/vote against")
    for number in noise:
        table.say("ann", number, "Look at me!")
    table.referee()
    assert table.ballots() == dict.fromkeys(PLAYERS[1:], "against")


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
