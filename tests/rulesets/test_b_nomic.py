"""B Nomic beside its scenarios: how it is checked, and what reviews of pull requests say in its words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from folkmoot.cli.main import moot
from folkmoot.files import reader
from folkmoot.game import rulesets
from folkmoot.game.rulesets import founding
from folkmoot.kernel.answers import find_proposal, to_record
from folkmoot.kernel.chance import open_chance
from folkmoot.sandbox.connection import Connection
from folkmoot.scenarios.scenario import Run, found
from tests.scenarios.conftest import with_lists

TEA = [{"enact": {"title": "Tea", "text": "There is tea.", "labels": {"section": "9"}}}]
RULESET = Path(rulesets.__file__).parent / "b-nomic"


def game() -> Run:
    scenario: dict[str, Any] = {"scenario": "b", "ruleset": "b-nomic", "players": ["ann", "bob", "cid"]}
    scenario |= {"starts": "2005-07-24T12:00:00Z", "given": [{"game": True, "ndays": 9}]}
    return found(scenario, founding, lambda event: open_chance("b", str(event.seq)), with_lists)


def test_checking_reads_each_rule_a_few_times_and_asks_the_sandbox_for_many_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read, asked = [], []
    simple, request = reader.load_simple, Connection._request
    monkeypatch.setattr(reader, "load_simple", lambda text: read.append(text) or simple(text))
    monkeypatch.setattr(
        Connection, "_request", lambda me, name, *a, **k: asked.append(name) or request(me, name, *a, **k)
    )
    done = CliRunner().invoke(moot, ["check", str(RULESET)], standalone_mode=False)
    assert done.exception is None, done.output
    assert "55 files checked" in done.output
    rules = [text for text in read if text.startswith("rule:")]
    assert len(set(rules)) == 54
    assert len(rules) <= 4 * 54, "once for the form, and once for each look at the ruleset as a whole"
    assert asked.count("check") == 2
    assert asked.count("try_founding") == 1
    assert "_over`" not in done.output, "an event that the Clock raises is taken for a slip"


@pytest.mark.parametrize(
    ("sort", "verdict", "reason", "choice"),
    [
        ("submit_proposal", "approve", "", "FOR"),
        ("submit_proposal", "request_changes", "Too hot.", "AGAINST"),
        ("submit_proposal", "approve", "VOTE: MAYBE NOT, for it is hot", "MAYBE NOT"),
        ("submit_proposal", "comment", "vote: maybe", "MAYBE"),
        ("submit_tweak", "approve", "", "SECOND"),
        ("submit_tweak", "request_changes", "", "OBJECT"),
    ],
)
def test_a_review_votes_in_the_words_of_the_law(sort: str, verdict: str, reason: str, choice: str) -> None:
    run = game()
    assert run.apply(sort, "ann", None, {"title": "Tea", "changes": TEA}).accepted
    run.advance(run.now + 36 * 3600, after_deadlines=True)
    play = run.kernel.play
    meant = run.kernel.look(
        lambda _: play.ask("review", to_record(play, find_proposal(play, 1, "motion")), "bob", verdict, reason), run.now
    )
    assert (meant["do"], meant["args"]["choice"]) == ("vote", choice)
    assert run.apply("vote", "bob", None, {**meant["args"], "motion": 1}).accepted


def test_what_is_forced_after_it_waited_is_still_something_that_there_can_be() -> None:
    scenario: dict[str, Any] = {"scenario": "b", "ruleset": "b-nomic", "players": ["ann", "bob", "cid"]}
    scenario |= {"settings": {"queued_acts": "forced"}, "given": [{"office": "meta", "holder": "ann"}]}
    run = found(scenario, founding, lambda event: open_chance("b", str(event.seq)), with_lists)
    assert run.apply("submit_tweak", "bob", None, {"title": "Tea", "changes": TEA}).accepted
    assert run.apply("flip_key", "ann").accepted
    sentence = {"rule": "3-12", "sentence": "I have won."}
    assert run.apply("declare_win", "bob", None, sentence).code == "HELD"
    assert run.apply("bribe", "bob", None, {"motion": 1, "vote": "FNORD"}).code == "HELD"
    run.advance(run.now + 3600, after_deadlines=True)
    back = run.apply("flip_key", "ann")
    assert (back.accepted, back.failures) == (True, [])
    assert {reason["code"] for reason in back.reasons} == {"E-NO-SENTENCE", "E-NO-SUCH"}
    assert not run.kernel.documents.find("things/win")
