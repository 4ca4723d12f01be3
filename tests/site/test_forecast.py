"""What an open vote would do: tried beside the game, stored for as long as the game stands so, told on its page."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from folkmoot.core.problems import fail
from folkmoot.kernel.documents import is_archived
from folkmoot.sandbox.client import Sandbox
from folkmoot.site.forecast import TRIAL, Forecast, Trial, forecast_of, trials_of
from folkmoot.wording.markup import Html, strip
from folkmoot.wording.page_links import Here
from tests.support.site_game import proposal_text, view
from tests.support.table import VOTING, Table, rule

VOTE = "proposal/901"
PAYING = rule("3", """
    def on_proposal_adopted(e):
        award(e.proposal.author, "mood", 3)
        award("bob", "mood", -1)
    def on_proposal_defeated(e):
        for player in things("player"):
            award(player, "mood", 1)
""", defines={"currencies": {"mood": {"initial": 10, "summary": "Moods"}}})  # fmt: skip
CHANGES = [{"enact": {"title": "Tea", "text": "Tea is at four."}}, {"repeal": "4"}]


@pytest.fixture
def table() -> Table:
    found = Table(VOTING, PAYING, rule("4"))
    found.ok("ann", "propose", title="Tea", changes=CHANGES)
    return found


def session(table: Table, law: Any) -> Any:
    """Return the game of a table, the present documents alone, with a law that tries proposals."""
    everything = json.loads(json.dumps(table.kernel.documents.everything()))
    present = {key: found for key, found in everything.items() if not is_archived(key, found)}
    return SimpleNamespace(record=SimpleNamespace(name="tea"), documents=present, sandbox=law)


def _state(law: Sandbox, now: int) -> tuple[Any, ...]:
    return dict(law.documents()), law.order(now), law.pages(now), law.ask("electorate", [], now, VOTE)


def told(table: Table, answers: dict[str, Any]) -> tuple[Forecast | None, str]:
    """Return the forecast that answers make, and the page of the proposal."""
    seen = view(table, "tea")
    seen = replace(seen, answers={**seen.answers, **answers})
    page = strip(Html(proposal_text(seen, VOTE)))
    return forecast_of(Here(seen, "proposals/901.md"), seen.proposals[VOTE]), page


def lines(table: Table, answers: dict[str, Any]) -> dict[str, list[str]]:
    """Return what is told of each end of the vote."""
    found, page = told(table, answers)
    assert found is not None
    ends = {"If it becomes law": found.law, "If it does not": found.defeat}
    known = {title: [strip(line) for line in told] for title, told in ends.items() if told is not None}
    assert all(line in page for title, told in known.items() for line in (title, *told))
    return known


def test_both_ends_of_a_vote_are_told_and_the_trial_changes_nothing(table: Table, tmp_path: Path) -> None:
    documents = table.kernel.documents.everything()
    with Sandbox(documents) as law:
        state = partial(_state, law, table.now)
        before = state()
        answers = trials_of(session(table, law), tmp_path, table.now)
        assert state() == before
    assert lines(table, answers) == {
        "If it becomes law": ["Enacted rule 901.", "Repealed rule 4: “Tea”.", "ann gets 3 moods (rule 3).",
                             "bob loses 1 mood (rule 3)."],
        "If it does not": ["ann, bob and cid get 1 mood each (rule 3)."],
    }  # fmt: skip


class Counting:
    """A law that counts how often it is asked for a trial, and says what it is told to say."""

    def __init__(self, told: dict[str, Any] | None) -> None:
        self.told, self.asked = told, 0

    def trial(self, *_given: object) -> dict[str, Any]:
        self.asked += 1
        if self.told is None:
            raise fail("E-JUDGE", "the sandbox took too long")
        return self.told


PROPER = {"proper": {"ok": True}, "adopted": True, "new_actions": ["drink_tea"], "later": ["it never ends"]}


def test_a_trial_is_made_once_for_a_game_as_it_stands(table: Table, tmp_path: Path) -> None:
    law = Counting(PROPER)
    first = trials_of(session(table, law), tmp_path, table.now)
    assert first == trials_of(session(table, law), tmp_path, table.now) == {f"{TRIAL}{VOTE}": Trial(
        adopted=True, new_actions=["drink_tea"], later=["it never ends"])}  # fmt: skip
    assert law.asked == 1
    assert lines(table, first)["If it becomes law"] == ["Then one can: drink tea."]
    (tmp_path / "tea.json").write_text("{}")
    assert trials_of(session(table, law), tmp_path, table.now) == first
    table.ok("bob", "vote", proposal=901, choice="for")
    trials_of(session(table, law), tmp_path, table.now)
    assert law.asked == 3, "neither of what cannot be read nor of another state of the game anything is taken"


@pytest.mark.parametrize("given", [None, {"died": "the sandbox took too long"}, {"proper": {"ok": False}}])
def test_without_a_trial_the_page_is_whole(table: Table, tmp_path: Path, given: dict[str, Any] | None) -> None:
    law = Counting(given)
    assert trials_of(session(table, law), tmp_path, table.now) == {}
    assert trials_of(session(table, law), tmp_path, table.now) == {}
    assert law.asked == 1, "what took too long once is not waited for again"
    found, page = told(table, {})
    assert (found, "What it would do" in page) == (None, False)


def test_what_would_not_become_law_says_why(table: Table) -> None:
    trial = Trial(choice="for", falls="defeated: nobody may vote today", failures=[{"rule": "3", "error": "no mood"}])
    found, _page = told(table, {f"{TRIAL}{VOTE}": trial})
    assert found is not None
    assert found.law is None
    assert [strip(each) for each in found.warnings] == [
        "Even if everybody voted for now, it would not become law: “defeated: nobody may vote today”.",
        "Rule 3 would fail: “no mood”.",
    ]
