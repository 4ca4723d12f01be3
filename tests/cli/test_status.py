"""`moot status`: what one owes, what came of what one did, what is due and who may do what."""

from __future__ import annotations

import re
from typing import Any

import pytest

from folkmoot.game.rulesets import founding
from tests.support.gathering import TEA, Gathering, state_of
from tests.support.meeting import PLAYERS, git, rule
from tests.support.moot import Moot
from tests.support.seats import Seats, Sit


@pytest.fixture
def table(seats: Sit) -> Seats:
    return seats()


def voted(table: Seats, author: str, choice: str, name: str) -> int:
    """Let somebody's proposal be decided."""
    pull = table.open(author, {f"rules/{name}.yaml": rule(name.title())}, name.title())
    table.referee(60)
    for voter in PLAYERS:
        table.say(voter, pull, f"/vote {choice}")
    table.referee(60)
    return pull


def test_the_author_is_told_what_became_of_their_proposals(table: Seats) -> None:
    voted(table, "bob", "for", "tea")
    voted(table, "bob", "against", "rum")
    said = table.status("bob")
    assert "Your proposal 301, “Tea”: adopted, " in said
    assert "Your proposal 302, “Rum”: defeated, " in said
    assert said.index("“Rum”: ") < said.index("“Tea”: "), "the newest first"
    assert "“Tea”: adopted" not in table.status("cid")


def test_the_actions_are_those_of_the_law_and_of_each_person(table: Seats) -> None:
    offered = table.status("ann").partition("Actions: ")[2]
    assert "propose" in offered
    assert not re.search(r"\bjoin\b|withdraw_application|oppose_succession", offered)
    assert re.search(r"\bjoin\b", table.status("eve").partition("Actions: ")[2]), "what each person can be"


def test_what_was_refused_is_told_the_newest_first(table: Seats) -> None:
    for number in range(22):
        table.say("bob", 0, f"/give to=ann amount={90 + number}")
    table.referee(60)
    said = table.status("bob")
    assert said.count("Refused: ") == 20
    assert said.index("not 111") < said.index("not 110")
    assert "… and 2 older ones: `moot log --mine`" in said
    assert len(table.moot("bob", "status", "--json").record["refused"]) == 22


def test_what_is_due_and_no_referee_has_seen_yet_is_said(seats: Sit) -> None:
    """What is tried is tried after it: else somebody is refused in what looks like their own turn."""
    given = founding("lanterns")
    table: Seats = seats({"title": given["title"], "rules": given["rules"]})
    assert "Due since" not in table.status("ann")
    assert table.moot("ann", "status", "--json").record["overdue"] is None
    table.now += 1300
    said = " ".join(table.status("ann").split())
    assert "Due since 2026-01-05 12:20 UTC: rule 2: “The turn passes”. It comes when a referee" in said
    assert "runs, which `moot referee` brings about" in said
    assert "[E-ORDER]" in table.moot("ann", "act", "pass", code=3).err
    table.referee()
    said = table.status("ann")
    assert "It is ann's turn." not in said
    assert "Due since" not in said


# -- at clones


def test_status_tells_what_is_owed_with_the_command_for_it(gathering: Gathering) -> None:
    status = gathering.moot("ann", "status", "--json").record
    assert [(owed["what"], owed["command"]) for owed in status["owed"]] == [("propose a rule-change", "moot propose")]
    assert status["you"]["player"] == "ann"
    gathering.tea()
    before, mine = gathering.refs(), state_of(gathering.clone("bob"))
    assert gathering.moot("bob", "status", "--json").record["pulls"][0]["state"] == "new"
    assert (gathering.refs(), state_of(gathering.clone("bob"))) == (before, mine), "who looks writes nothing"
    gathering.referee()
    status = gathering.moot("ann", "status", "--json").record
    assert "moot act finalise proposal=301" in [owed["command"] for owed in status["owed"]]
    assert status["behind"] == 1
    gathering.moot("ann", "act", "finalise")
    gathering.referee()
    status = gathering.moot("bob", "status", "--json").record
    assert [owed["command"] for owed in status["owed"]] == ["moot vote 1 for"]
    assert status["owed"][0]["choices"] == ["for", "against", "abstain"]
    assert "moot vote 1 for   (or against, abstain)" in gathering.moot("bob", "status").out
    gathering.moot("bob", "vote", "1", "against")
    status = gathering.moot("bob", "status", "--json").record
    assert (status["owed"], status["waiting"]) == (
        [],
        [{"pull": 1, "kind": "request_changes", "says": "request changes"}],
    )
    gathering.referee()
    status = gathering.moot("bob", "status", "--json").record
    assert status["waiting"] == []
    counts = [("proposal 301", "against", "counts")]
    assert [(ballot["on"], ballot["choice"], ballot["state"]) for ballot in status["ballots"]] == counts


def test_refused_acts_ballots_and_pull_requests_stand_in_status_with_the_reason(gathering: Gathering) -> None:
    gathering.moot("bob", "act", "finalise", "--anyway")
    gathering.tea()
    gathering.referee()
    gathering.moot("ann", "act", "finalise")
    gathering.referee()
    gathering.moot("bob", "comment", "--on", "1", "/vote agianst", "--anyway")
    gathering.say("bob", 1, "", "close")
    gathering.moot("bob", "propose", "--rule", gathering.file("milk.yaml", TEA.replace("Tea", "Milk")), "--anyway")
    gathering.referee()
    said = gathering.moot("bob", "status").out
    assert "Refused: bob, by rule 111: “end the debate" in said
    assert "Refused: vote agianst: " in said
    assert "only Ann may close that" in said
    record = gathering.moot("bob", "status", "--json").record
    assert {act["do"] for act in record["refused"]} == {"finalise", "vote", "propose"}
    assert all(act["why"] and act["code"].startswith("E-") and act["entry"] for act in record["refused"])
    assert "Refused" not in gathering.moot("cid", "status").out
    (why,) = record["pulls"][-1]["why"]
    assert why in said, "what the law would have said is not said beside what it said"
    assert said.count("was not taken in") == 1


def test_a_game_that_is_over_offers_nothing_and_owes_nothing(gathering: Gathering) -> None:
    prize = TEA + "script: |\n  def on_proposal_adopted(e):\n      win(e.proposal.author, 'tea')\n"
    gathering.moot("ann", "propose", "--rule", gathering.file("prize.yaml", prize))
    gathering.moot("ann", "act", "finalise")
    gathering.referee()
    for person in PLAYERS:
        gathering.moot(person, "vote", "for")
    gathering.referee()
    out = gathering.moot("ann", "status").out
    assert "The game is over: ann won: “tea”." in out
    assert not [word for word in ("Actions:", "owes", "throw the die", "Later") if word in out]


STAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
EPOCH = range(10**9, 3 * 10**9)


def numbers_of(record: Any, path: str = "") -> list[str]:
    """Return where a record holds what looks like a time in seconds."""
    if isinstance(record, dict):
        return [each for name, value in record.items() for each in numbers_of(value, f"{path}/{name}")]
    if isinstance(record, list):
        return [each for place, value in enumerate(record) for each in numbers_of(value, f"{path}/{place}")]
    return [path] if isinstance(record, int) and record in EPOCH else []


def test_times_for_programs_are_stamps(gathering: Gathering) -> None:
    gathering.tea()
    gathering.referee()
    status = gathering.moot("ann", "status", "--json").record
    assert STAMP.fullmatch(status["at"])
    assert STAMP.fullmatch(status["open"][0]["submitted_at"])
    assert numbers_of(status) == []
    git(gathering.clone("ann"), "pull", "--quiet")
    for what in (["rule", "203"], ["proposal", "301"], ["game", "mover"]):
        assert numbers_of(gathering.moot("ann", "explain", *what, "--json").record) in ([], ["/registers/posted_at"])


# -- where one person keeps the game


@pytest.mark.parametrize("ruleset", ["suber", "a-nomic", "imperial", "lanterns", "tricks"])
@pytest.mark.sampled(3)
def test_status_says_how_the_law_says_that_things_stand(moot: Moot, ruleset: str) -> None:
    people = [word for name in ("ann", "bob", "cid") for word in ("-p", name)]
    assert moot("new", "tea", "--ruleset", ruleset, *people).code == 0
    headline = moot("status", "--json").record["headline"]
    said = " ".join(moot("status").out.split())
    assert headline, "each packaged ruleset says how it stands"
    assert headline in said
    assert said.count("'s turn.") <= 1, "whose turn it is, is said once"
