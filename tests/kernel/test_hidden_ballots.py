"""Finding 2 of the first hour, 3 of the table: what an open vote's ballots say was displayed here and hidden there.

One function decides (`folkmoot.core.ballot_display`); here every display is asked, with ballots of every form.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from folkmoot.cli.referee import record
from folkmoot.core.ballot_display import is_kept_back
from folkmoot.game.session import Session
from folkmoot.site.game_views import view_of
from tests.support.gathering import Gathering
from tests.support.meeting import GAME, git
from tests.support.moot import Moot
from tests.support.site_game import render_game

CHOICE, REASON = "against", "Zanzibar"
FORMS: dict[str, tuple[str, ...]] = {
    "named": ("act", "vote", f"choice={CHOICE}", "proposal=301", f"reason={REASON}"),
    "unnamed": ("act", "vote", f"choice={CHOICE}", f"reason={REASON}"),
    "by its kind": ("act", "vote", f"choice={CHOICE}", "kind=proposal", "proposal=301", f"reason={REASON}"),
    "in the thread": ("comment", f"/vote {CHOICE} because {REASON}"),
    "a review": ("vote", "1", CHOICE, REASON),
    "in the pull request": ("comment", "--on", "1", f"/vote {CHOICE} because {REASON}"),
}


@pytest.fixture
def voting(gathering: Gathering) -> Gathering:
    gathering.tea()
    gathering.referee()
    gathering.moot("ann", "act", "finalise")
    gathering.referee()
    return gathering


def displays(gathering: Gathering, first: int) -> Iterator[tuple[str, str]]:
    """Yield every display of the game as somebody else at another clone has it, by name."""
    shown = [["status"], ["status", "--by", "bob"], ["try", "1", "--said"]]
    shown += [["try", "1"]] if "vote is **open" in gathering.said(1) else []
    entries = range(first, gathering.game().head.seq + 1)
    asked = [("proposal", "301"), ("ballot", "301", "bob"), *(("entry", str(seq)) for seq in entries)]
    git(gathering.clone("ann"), "pull", "--quiet")
    for words in (*shown, *(["explain", *what] for what in asked)):
        for form in ([], ["--json"]):
            yield " ".join([*words, *form]), gathering.moot("ann", *words, *form).out
    with Session.open(gathering.clone("ann") / "state" / GAME) as session:
        yield from render_game(view_of(session)).items()


def test_no_display_shows_a_ballot_before_the_count_in_whatever_form_it_was_cast(voting: Gathering) -> None:
    first = voting.game().head.seq + 1
    for words in FORMS.values():
        voting.moot("bob", *words)
    report = voting.referee()
    assert report.entries == len(FORMS)
    assert voting.document("proposals/300/301")["ballots"]["bob"]["choice"] == CHOICE
    shown = {"referee": json.dumps(record(report)), "comment": voting.said(1), **dict(displays(voting, first))}
    assert len(shown) > 40
    assert "try 1 --json" in shown
    for name, text in shown.items():
        assert REASON not in text, (name, text)
        for saying in ("voted against", "**against**", '"choice": "against"', "choice: against"):
            assert saying not in text, (name, saying)
    assert "not displayed before the count" in shown["explain ballot 301 bob"]
    assert "from bob" in voting.said(1)


def test_after_the_count_all_of_them_show_it_and_at_ones_own_seat_before(voting: Gathering) -> None:
    first = voting.game().head.seq + 1
    voting.moot("bob", *FORMS["unnamed"])
    voting.referee()
    assert voting.moot("bob", "status", "--json").record["pulls"][0]["choice"] == CHOICE
    for person in ("ann", "cid", "dee"):
        voting.moot(person, "vote", "1", "for")
    voting.referee()
    shown = dict(displays(voting, first))
    assert REASON in shown["try 1 --said"]
    assert REASON in shown["explain proposal 301"]
    assert CHOICE in shown["explain ballot 301 bob"]


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"proposal": 301}, ""),
        ({"proposal": "301"}, ""),
        ({"proposal": "proposal/301"}, ""),
        ({"kind": "proposal", "proposal": 301}, ""),
        ({}, "HELD"),
        ({}, "E-ARGS"),
    ],
)
def test_the_record_says_what_a_ballot_is_on_however_it_was_named(given: dict[str, object], code: str) -> None:
    entry = {"seq": 9, "by": "bob", "do": "vote", "with": {"choice": "for", **given}, "code": code}
    open_ = {"id": "proposal/301", "number": 301, "seq": 5}
    assert is_kept_back(entry, {"proposal/301": open_})
    assert not is_kept_back(entry, {"proposal/301": {**open_, "closed_at": 7}})
    assert not is_kept_back({**entry, "with": {"choice": "for", "motion": 34}}, {"proposal/301": open_})


def test_a_number_that_differs_from_the_id_is_found_too() -> None:
    entry = {"seq": 9, "by": "bob", "do": "vote", "with": {"choice": "for", "proposal": 301}}
    assert is_kept_back(entry, {"proposal/x12": {"id": "proposal/x12", "number": 301}})


def test_an_action_of_a_rule_that_casts_its_actors_ballot_is_kept_back_too() -> None:
    cast = {"effect": "ballot", "of": "proposal/301", "voter": "bob", "choice": "no"}
    entry = {"seq": 9, "by": "bob", "do": "object", "with": {"loudly": True}, "effects": [cast]}
    assert is_kept_back(entry, {"proposal/301": {"id": "proposal/301"}})


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
