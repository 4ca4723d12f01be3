"""The law says whether ballots are displayed before the count, and every display obeys, whatever form a ballot had.

One function decides (`folkmoot.core.ballot_display`); here every display is asked.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from folkmoot.cli.explaining import explained
from folkmoot.cli.referee import record
from folkmoot.core.ballot_display import is_kept_back
from folkmoot.game.session import Session
from folkmoot.site.game_views import view_of
from tests.support.gathering import Gathering
from tests.support.meeting import GAME, git, rule
from tests.support.moot import Moot
from tests.support.quick import SMALL
from tests.support.seats import Seats, Sit
from tests.support.site_game import render_game
from tests.support.table import VOTING, Table
from tests.support.table import rule as made_rule

DRAGON = {"rules/dragon.yaml": rule("A dragon")}
REASON = "Zanzibar"


def displays(seats: Seats, seq: int) -> Iterator[tuple[str, str]]:
    """Yield what somebody else is shown that holds ballots: the comment, what commands explain, pages and feeds."""
    record = seats.game()
    yield "comment", seats.said(1)
    yield "status", seats.status("ann")
    with closing(Session(record, record.load(), record.head)) as session:
        for words in (["proposal", "301"], ["ballot", "301", "bob"], ["entry", str(seq)]):
            yield " ".join(words), json.dumps(explained(session, words)[0])
        yield from render_game(view_of(session)).items()


def test_what_the_law_said_when_the_vote_opened_holds_for_that_vote() -> None:
    asked = made_rule("40", "def decide_ballots_displayed(p):\n    return get('game', 'glass')\ndef do_break(a):\n    put('game', 'glass', False)",
                      defines={"game": {"glass": {"type": "boolean", "initial": True}}}, actions={"break": {"summary": "Break it"}})  # fmt: skip
    table = Table(asked, VOTING)
    first = table.propose("ann")
    table.ok("ann", "break")
    second = table.propose("bob")
    assert table.proposal(first)["displayed"] is True
    assert "displayed" not in table.proposal(second)


def voting(seats: Sit, answer: str) -> dict[str, str]:
    """Let bob vote by a law with an answer, and return every display."""
    asked = made_rule("40", f"def decide_ballots_displayed(p):\n    return {answer}")
    table = seats({**SMALL, "settings": {}, "rules": [*SMALL["rules"], asked]})
    table.open("ann", DRAGON)
    table.referee(60)
    table.moot("bob", "vote", "1", "against", REASON)
    table.referee(60)
    assert table.ballots() == {"bob": "against"}
    assert table.sound()
    return {name: text for name, text in displays(table, table.game().head.seq) if REASON in text}


def test_every_display_shows_ballots_at_once_where_the_law_says_so(seats: Sit) -> None:
    shown = voting(seats, "True")
    assert {"comment", "proposal 301", "ballot 301 bob", "proposals/301.md"} <= shown.keys()
    assert any(name.startswith("log/") or "journal" in name for name in shown), sorted(shown)
    assert "has not voted" in shown["proposals/301.md"]


# -- in whatever form


CHOICE = "against"
FORMS: dict[str, tuple[str, ...]] = {
    "named": ("act", "vote", f"choice={CHOICE}", "proposal=301", f"reason={REASON}"),
    "unnamed": ("act", "vote", f"choice={CHOICE}", f"reason={REASON}"),
    "by its kind": ("act", "vote", f"choice={CHOICE}", "kind=proposal", "proposal=301", f"reason={REASON}"),
    "in the thread": ("comment", f"/vote {CHOICE} because {REASON}"),
    "a review": ("vote", "1", CHOICE, REASON),
    "in the pull request": ("comment", "--on", "1", f"/vote {CHOICE} because {REASON}"),
}


def test_a_game_that_one_person_keeps_agrees(table: Moot) -> None:
    Path("tea.yaml").write_text("title: Tea\nlabels: {status: mutable}\ntext: |\n  There is tea.\n")
    assert table("act", "propose", "--by", "ann", "title=Tea", "--rule", "tea.yaml").code == 0
    assert table("act", "finalise", "--by", "ann").code == 0
    said = table("act", "vote", "--by", "bob", f"choice={CHOICE}", f"reason={REASON}")
    assert said.code == 0
    assert CHOICE not in said.out
    said = table("act", "vote", "--by", "cid", f"choice={CHOICE}", f"reason={REASON}", "--json")
    assert CHOICE not in said.out
    assert said.record["entry"]["with"] == {"displayed": False}


def every_display(gathering: Gathering, first: int) -> Iterator[tuple[str, str]]:
    """Yield every display of the game as somebody else at another clone has it, by name."""
    entries = range(first, gathering.game().head.seq + 1)
    asked = [("proposal", "301"), ("ballot", "301", "bob"), *(("entry", str(n)) for n in entries)]
    git(gathering.clone("ann"), "pull", "--quiet")
    for words in (["status"], ["try", "1", "--said"], *(["explain", *what] for what in asked)):
        for form in ([], ["--json"]):
            yield " ".join([*words, *form]), gathering.moot("ann", *words, *form).out
    with Session.open(gathering.clone("ann") / "state" / GAME) as session:
        yield from render_game(view_of(session)).items()


def test_no_display_shows_a_ballot_before_the_count_in_whatever_form_it_was_cast(gathering: Gathering) -> None:
    gathering.tea()
    gathering.referee()
    gathering.moot("ann", "act", "finalise")
    gathering.referee()
    first = gathering.game().head.seq + 1
    for words in FORMS.values():
        gathering.moot("bob", *words)
    report = gathering.referee()
    assert report.entries == len(FORMS)
    assert gathering.document("proposals/300/301")["ballots"]["bob"]["choice"] == CHOICE
    shown = {"referee": json.dumps(record(report)), "comment": gathering.said(1)} | dict(
        every_display(gathering, first)
    )
    for name, text in shown.items():
        for saying in (REASON, "voted against", "**against**", '"choice": "against"', "choice: against"):
            assert saying not in text, (name, saying)
    assert "not displayed before the count" in shown["explain ballot 301 bob"]
    assert gathering.moot("bob", "status", "--json").record["pulls"][0]["choice"] == CHOICE, "at their own seat"
    for person in ("ann", "cid", "dee"):
        gathering.moot(person, "vote", "1", "for")
    gathering.referee()
    git(gathering.clone("ann"), "pull", "--quiet")
    assert REASON in gathering.moot("ann", "try", "1", "--said").out
    assert REASON in gathering.moot("ann", "explain", "proposal", "301").out
    assert CHOICE in gathering.moot("ann", "explain", "ballot", "301", "bob").out


BALLOT = {"effect": "ballot", "of": "proposal/301", "voter": "bob"}
OPEN = {"id": "proposal/301", "number": 301, "seq": 5}


@pytest.mark.parametrize(
    ("entry", "open_"),
    [
        ({"with": {"choice": "for", "proposal": 301}}, OPEN),
        ({"with": {"choice": "for", "proposal": "proposal/301"}}, OPEN),
        ({"with": {"choice": "for", "kind": "proposal", "proposal": 301}}, OPEN),
        ({"with": {"choice": "for"}, "code": "HELD"}, OPEN),
        ({"with": {"choice": "for"}, "code": "E-ARGS"}, OPEN),
        ({"with": {"choice": "for", "proposal": 301}}, {**OPEN, "id": "proposal/x12"}),
        ({"do": "object", "with": {"loudly": True}, "effects": [BALLOT]}, OPEN),
    ],
)
def test_the_record_says_what_a_ballot_is_on_however_it_was_named(entry: dict[str, Any], open_: dict[str, Any]) -> None:
    entry = {"seq": 9, "by": "bob", "do": "vote", **entry}
    assert is_kept_back(entry, {open_["id"]: open_})
    assert not is_kept_back(entry, {open_["id"]: {**open_, "closed_at": 7}})
    assert not is_kept_back({**entry, "effects": [], "with": {"choice": "for", "motion": 34}}, {open_["id"]: open_})
