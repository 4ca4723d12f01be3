"""What people see on their first evening: every number and name on a screen says something, and says it once."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from rich.console import Console

from folkmoot.cli.drawing.charts import drawn_chart, moments
from folkmoot.game.rulesets import founding
from folkmoot.wording.game_view import GameView
from folkmoot.wording.page_links import Here
from tests.support.moot import Moot
from tests.support.quick import SMALL
from tests.support.seats import Seats, Sit

EVENING = "2026-01-05T18:00:00Z"
NOON = 1_767_614_400  # 2026-01-05T12:00:00Z
HIGH = {"nothing": 0, "one": 1, "few": 4, "a line each": 14, "more than lines": 15, "many": 1000, "debt": -7}
FAR = {"no time": (0, "12:00"), "minutes": (600, "12:00"), "days": (5 * 86_400, "01-05"),
       "years": (900 * 86_400, "2026-01")}  # fmt: skip


def drawn(series: dict[str, list[tuple[int, int]]]) -> list[str]:
    """Return the lines of a chart of series over time."""
    console = Console(width=80, color_system=None)
    with console.capture() as captured:
        for part in drawn_chart(series, "Fruit", 80, named=moments(series.values()), steps=True):
            console.print(part)
    return captured.get().splitlines()


@pytest.mark.parametrize("far", FAR)
@pytest.mark.parametrize("high", HIGH)
def test_a_chart_names_whole_numbers_and_times_once(high: str, far: str) -> None:
    seconds, first = FAR[far]
    lines = drawn({"ann": [(NOON, 0), (NOON + seconds, HIGH[high])], "bob": [(NOON, 1)]})
    axis = next(number for number, line in enumerate(lines) if line.startswith("-----"))
    numbers = [int(line.split("|")[0]) for line in lines[1:axis] if line.split("|")[0].strip()]
    assert all(above > below for above, below in pairwise(numbers)), numbers
    assert numbers[0] == max(1, HIGH[high])
    assert 0 in numbers or HIGH[high] > 14
    times = re.split(r"\s{2,}", lines[axis + 1].partition("|")[2].strip())
    assert times[0] == first
    assert len(set(times)) == len(times)
    assert not any("()" in line for line in lines)
    assert max(map(len, lines)) <= 80


def test_a_chart_shows_what_came_last() -> None:
    lines = drawn({"ann": [(NOON, 1), (NOON + 9, 4)]})
    steep = [line for line in lines if line[-1:] in "\u2847\u2840\u28b8"]  # braille that goes up
    assert len(steep) >= 8


def test_a_chart_shows_what_holds_at_its_highest() -> None:
    lines = drawn({"heat": [(NOON, 303), (NOON + 60, 304), (NOON + 3000, 304), (NOON + 3600, 277)]})
    assert sum("\u2800" < letter <= "\u28ff" for letter in "".join(lines[:3])) > 40, lines[:3]


def test_an_evening_names_what_there_is_and_nothing_else(moot: Moot) -> None:
    said = moot("new", "orchard", "-r", "orchard", "-p", "ann", "-p", "bob", "--at", EVENING)
    assert "Next: `moot status` shows how it stands." in said.out
    assert "\nboard " in moot("show").out
    assert moot("act", "plant", "--by", "ann", "square=c3", "--at", "+1m").code == 0
    assert "c3     a      ann" in moot("show", "board").out
    assert "Next: `moot status --game dusk`" in moot("new", "dusk", "-r", "lanterns", "-p", "ann", "--at", EVENING).out
    assert "\nboard " not in moot("show", "--game", "dusk").out
    status = moot("status", "--game", "dusk").out
    assert "Actions: pass, propose, snuff, leave, vote, " in status
    assert not re.search(r"oppose_succession|revoke_key|redact|For administrators", status), (
        "what is for rare occasions"
    )


def test_a_status_offers_what_the_person_can_be(seats: Sit) -> None:
    table: Seats = seats(SMALL)
    offered = table.moot("ann", "status").out.partition("Actions: ")[2]
    assert "propose" in offered
    assert not re.search(r"\bjoin\b|withdraw_application|oppose_succession", offered)
    assert re.search(r"\bjoin\b", table.moot("eve", "status").out.partition("Actions: ")[2])


def test_a_proposal_that_was_decided_keeps_its_name() -> None:
    here = Here(GameView(slug="x", documents={}, entries=[]), "index.md")
    assert str(here.owner("proposal/301")) == "proposal 301"
    assert "square/a1" in str(here.owner("square/a1")), "a thing that a rule has named so"


def test_what_is_due_and_no_referee_has_seen_yet_is_said(seats: Sit) -> None:
    """What is tried is tried after it: else somebody is refused in what looks like their own turn."""
    given = founding("lanterns")
    table: Seats = seats({"title": given["title"], "rules": given["rules"]})
    assert "Due since" not in table.moot("ann", "status").out
    table.now += 1300
    said = table.moot("ann", "status").out
    assert "Due since 2026-01-05 12:20 UTC: rule 2: “The turn passes”. It comes when a referee" in " ".join(
        said.split()
    )
    assert "[E-ORDER]" in table.moot("ann", "act", "pass", code=3).err
    table.referee()
    said = table.moot("ann", "status").out
    assert "It is ann's turn." not in said
    assert "Due since" not in said


def test_what_a_rule_shows_by_a_name_of_the_engine_stands_apart_from_what_that_shows(moot: Moot) -> None:
    assert moot("new", "table", "-r", "suber", "-p", "ann,surname=A", "-p", "bob,surname=B", "--at", EVENING).code == 0
    assert "\n\nHow everybody stands\n" in moot("show", "scores").out
    assert moot("show", "players").out.startswith("Who plays")


def test_an_open_vote_of_b_nomic_says_until_when_votes_count_and_that_nobody_has_voted(moot: Moot) -> None:
    people = ("-p", "eve", "-p", "fay", "-p", "gus")
    assert moot("new", "b", "-r", "b-nomic", *people, "--at", EVENING).code == 0
    assert moot("act", "submit_proposal", "--by", "fay", "title=Tea", "text=Tea.", "--at", "+1m").code == 0
    assert moot("act", "submit_cfi", "--by", "gus", "statement=Tea is hot.", "--at", "+1m").code == 0
    assert moot("referee", "--until", "2026-01-07T00:00:00Z").code == 0
    status = " ".join(moot("status").out.split())
    assert "Nobody has voted. It would pass by the clause on votes of one value alone. Votes count until" in status
    assert "Votes count until it is Historical, in 4 midnights" in status
