"""Very many of everything: the honest are answered in the same run, and what waits is told so."""

from __future__ import annotations

import httpx
import pytest

from folkmoot.referee import recorder as daily_limits
from tests.support.abuse import unchanged
from tests.support.meeting import GAME, PLAYERS, rule
from tests.support.quick import QuickMeeting
from tests.support.round_table import RoundTable
from tests.support.timing import Spent

RULES = f"state/{GAME}/rules"


def flood(quick: QuickMeeting, count: int, accounts: int = 1) -> range:
    """Open pull requests of strangers, with a rule each, as pushes do; nobody counts the numbers before."""
    heads = [
        quick.change(f"eve{number} <eve{number}@x.org>", {f"{RULES}/x{number}.yaml": rule("Eve")})
        for number in range(accounts)
    ]
    for number in range(1, count + 1):
        quick.put(f"refs/pull/{number}/head", heads[number % accounts])
    return range(1, count + 1)


@pytest.mark.threat("T-26")
@pytest.mark.parametrize(("count", "accounts"), [(3_000, 1), (700, 300)])
def test_three_thousand_pull_requests_keep_nobody_waiting(quick: QuickMeeting, count: int, accounts: int) -> None:
    """Bob's comes last of all, and is a proposal with its comment after one run, the first in line."""
    theirs = flood(quick, count, accounts)
    quick.put(f"refs/pull/{count + 1}/head", quick.change("bob", {f"{RULES}/dragon.yaml": rule("A dragon")}))
    with Spent() as spent:
        first = quick.referee(60)
    assert spent.units < 3000
    assert quick.proposal(301)["via"]["pull"] == count + 1
    assert "is **open**" in quick.said(count + 1)
    assert 0 < first.answers <= daily_limits.MOST_ANSWERS
    assert first.left > 0
    quick.referee(60)
    answered = [number for number in theirs if quick.said(number)]
    assert len(answered) > daily_limits.MOST_ANSWERS
    waits = [number for number in answered if "Too many at once" in quick.said(number)]
    heard = [number for number in answered if number not in waits]
    assert 0 < len(heard) <= min(daily_limits.MOST_OF_STRANGERS, accounts * daily_limits.MOST_OF_STRANGER)


@pytest.mark.threat("T-26")
def test_players_come_first(quick: QuickMeeting, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where one run tries so few changes, strangers wait for players, and nobody's second comes before another's first."""
    monkeypatch.setattr("folkmoot.referee.outbox.MOST_PREVIEWS", 3)
    flood(quick, 30, 30)
    for number, who in ((31, "ann"), (32, "ann"), (33, "bob"), (34, "cid")):
        quick.put(f"refs/pull/{number}/head", quick.change(who, {f"{RULES}/{who}{number}.yaml": rule(who)}))
    quick.referee(60)
    assert [number for number in range(1, 35) if quick.said(number)] == [31, 32, 33, 34]
    assert [number for number in range(31, 35) if "not tried yet" in quick.said(number)] == [32]
    quick.referee(60)
    assert "not tried yet" not in quick.said(32)


def test_what_is_voted_on_is_never_in_the_crowd(quick: QuickMeeting) -> None:
    """Who drowns their own proposal in a flood of their own still gets the votes that others cast on it."""
    pull = quick.propose("ann", "A dragon")
    quick.referee()
    head = quick.change("ann", {f"{RULES}/z.yaml": rule("Noise")})
    for number in range(2, 400):
        quick.put(f"refs/pull/{number}/head", head)
    for voter in PLAYERS[1:]:
        quick.say(voter, pull, "/vote against")
    quick.referee(60)
    assert quick.ballots() == dict.fromkeys(PLAYERS[1:], "against")


@pytest.mark.threat("T-26")
def test_nobody_delays_the_votes_on_eir_own_proposal(table: RoundTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ann touches all of Ann's pull requests, so that a look does not come to the votes of the others."""
    monkeypatch.setattr("folkmoot.forges.web.reading.MOST_AT_ONCE", 10)
    head = table.change("ann", {"notes.md": b"Noise\n"})
    noise = [table.pull(head, "ann") for _ in range(30)]
    pull = table.propose("ann", "A dragon")
    for _ in range(12):
        table.referee()
    assert table.proposal(301)["via"]["pull"] == pull
    for voter in PLAYERS[1:]:
        table.say(voter, pull, "/vote against")
    for number in noise:
        table.say("ann", number, "Look at me!")
    table.referee()
    assert table.ballots() == dict.fromkeys(PLAYERS[1:], "against")


@pytest.mark.threat("T-26")
def test_a_flood_on_github_is_read_in_parts(table: RoundTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """A token of a job has a thousand requests an hour: a run that needed more would never come to its end."""
    head = table.change("eve", {f"{RULES}/x.yaml": rule("Eve")})
    for _ in range(200):
        table.pull(head, "eve")
    mine = table.open("bob", {"rules/dragon.yaml": rule("A dragon")})
    asked: list[str] = []

    def limit(request: httpx.Request, _answer: object) -> httpx.Response | None:
        asked.append(request.method)
        late = len(asked) > 800
        return httpx.Response(429, headers={"Retry-After": "3600"}) if late else None

    table.github.faults = [limit]
    table.referee()
    assert table.proposal(301)["via"]["pull"] == mine
    assert "is **open**" in table.said(mine)
    assert len(asked) <= 800
    told: set[int] = set()
    for _ in range(10):  # a run tries changes for some seconds: how many that are, the machine says
        asked.clear()
        table.referee()
        assert len(asked) <= 800
        told = {number for number in table.github.pulls if table.said(number)}
        if len(told) == len(table.github.pulls):
            break
    assert told == set(table.github.pulls)


@pytest.mark.threat("T-30")
def test_thousands_of_comments_keep_nobody_waiting(quick: QuickMeeting) -> None:
    """Two thousand commands of a stranger and a player's five hundred refused ones, in one minute."""
    pull = quick.propose("ann", "A dragon")
    quick.referee()
    for number in range(60):
        quick.say("eve", pull, "/vote for\n" * 50 + str(number))
        quick.say("cid", pull, "/do give to=nobody amount=1\n" * 20)
    quick.say("bob", pull, "/vote for")
    with Spent() as spent:
        quick.referee(60)
    assert spent.units < 3000
    assert quick.ballots() == {"bob": "for"}
    refused = [entry for entry in quick.journal() if entry.get("by") == "cid"]
    assert len(refused) == 50
    assert "eve" in quick.said(pull).lower()
    assert len(quick.said(pull)) < 60_000
    with unchanged(quick):
        quick.referee(60)


@pytest.mark.threat("T-30")
def test_thousands_of_statements_keep_nobody_waiting(table: RoundTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """Issues with the game's label, which a form puts on for anybody."""
    for number in range(150):
        table.github.open_issue("eve", f"Hello {number}", ("game",))
    mine = table.open("bob", {"rules/dragon.yaml": rule("A dragon")})
    table.referee()
    assert table.proposal(301)["via"]["pull"] == mine
    assert "is **open**" in table.said(mine)


REFUSED = {
    "a stranger's vote": ("eve", "/vote for"),
    "a word that is no choice": ("bob", "/vote maybe"),
    "a command that is none": ("bob", "/dance"),
    "an act that is none": ("bob", "/do dance"),
    "an argument that is none": ("bob", "/do give to=ann amount=much"),
    "an office that one has not": ("bob", "/do give to=ann amount=1 as=scribe"),
    "what only administrators may": ("bob", "/do pause why=x"),
    "a quotation mark": ("bob", '/do give to="ann'),
    "a name that looks like another": ("eve", "/join id=\u0430nn"),
}


@pytest.mark.threat("T-40")
@pytest.mark.parametrize("what", REFUSED)
def test_every_refusal_is_visible_to_its_author(voting: RoundTable, what: str) -> None:
    who, words = REFUSED[what]
    voting.say(who, 2, words)
    voting.referee()
    said = voting.said(2)
    assert "Has no effect" in said or "Was refused" in said
    assert who in said.partition("What does not count")[2].lower()
    assert voting.ballots() == {}
