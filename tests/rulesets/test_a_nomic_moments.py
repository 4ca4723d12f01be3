"""The moments of A Nomic: that amendments reorder each of them, and that a pause moves every boundary by what it is long."""

from __future__ import annotations

import ast
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from folkmoot.core.calendar import read_stamp
from folkmoot.core.events import Outcome
from folkmoot.core.keys import DUTIES
from folkmoot.files.fast_reader import load_yaml
from folkmoot.files.reader import read_scenario
from folkmoot.game.rulesets import founding
from folkmoot.kernel import registers, things
from folkmoot.kernel.answers import find_proposal
from folkmoot.kernel.chance import open_chance
from folkmoot.scenarios.scenario import Failed, Run, found, run_scenario
from tests.scenarios.conftest import with_lists

ROOT = Path(__file__).parents[2]
SCENARIOS = ROOT / "tests" / "scenarios" / "a-nomic"
RULES = ROOT / "engine" / "folkmoot" / "game" / "rulesets" / "a-nomic" / "rules"
AMENDING = {
    "rule-r-01-act-in-another-order": ["ACT"],
    "rule-r-01-day-in-another-order": ["DAY"],
    "rule-r-01-voting-start-in-another-order": ["VOTING_START"],
    "rule-r-01-close-in-another-order": ["CLOSE"],
    "rule-r-01-nweek-start-in-another-order": ["START"],
    "rule-r-01-shorter-nweeks": ["NDAYS, VOTING"],
    "rule-r-01-days-of-twelve-hours": ["decide_day_length"],
}
"""The scenarios that amend rule R-01, and which of its lists and numbers each makes another."""
HOUR, DAY = 3600, 86400
PEOPLE = ["ann", "bob", "cid", "dee", "joel"]


# -- the order of a moment is a list, and its length a number


def script_of_time() -> str:
    script: str = load_yaml((RULES / "R-01.yaml").read_text("utf-8"), "R-01.yaml")["script"]
    return script


def amendments(scenario: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the changes of rule R-01 that a scenario proposes."""
    changes = [change for step in scenario["steps"] for change in (step.get("args") or {}).get("changes") or []]
    return [change for change in changes if change.get("amend") == "R-01"]


def read(name: str) -> dict[str, Any]:
    path = SCENARIOS / f"{name}.yaml"
    return read_scenario(path.read_text("utf-8"), str(path))


def assigned(script: str) -> dict[str, str]:
    """Return what a script assigns at its top and defines there, by the words on the left or the name."""
    found: dict[str, str] = {}
    for node in ast.parse(script).body:
        name = ast.unparse(node.targets[0]).strip("()") if isinstance(node, ast.Assign) else getattr(node, "name", "")
        found[name] = ast.unparse(node.value if isinstance(node, ast.Assign) else node)
    return found


@pytest.mark.parametrize("name", AMENDING)
def test_an_amendment_changes_one_list_or_number_of_the_rule_as_it_is(name: str) -> None:
    (change,) = amendments(read(name))
    before, after = assigned(script_of_time()), assigned(change["script"])
    assert [each for each in before if before[each] != after.get(each)] == AMENDING[name]
    assert list(before) == list(after), "copy the script of R-01, and turn the list round again"
    (what,) = AMENDING[name]
    if before[what].startswith("["):
        assert sorted(ast.literal_eval(before[what])) == sorted(ast.literal_eval(after[what]))


@pytest.mark.parametrize("name", AMENDING)
def test_without_the_amendment_the_scenario_does_not_hold(name: str) -> None:
    scenario = read(name)
    amendments(scenario)[0]["script"] = script_of_time() + "\n# As it was.\n"
    with pytest.raises(Failed):
        run_scenario(scenario, founding, with_lists)


# -- a pause


def game(given: list[dict[str, Any]], starts: str = "2001-05-01T12:00:00Z") -> Run:
    """Found a game in nweek 22, which began on 30 April 2001; its voting starts on 7 May and closes on 10 May."""
    scenario: dict[str, Any] = {"scenario": "moments", "ruleset": "a-nomic", "players": PEOPLE}
    scenario |= {"starts": starts, "given": given, "settings": {}}
    return found(scenario, founding, lambda event: open_chance("moments", str(event.seq)), with_lists)


def act(run: Run, by: str | None, do: str, as_: str | None = None, **args: Any) -> Outcome:
    outcome = run.apply(do, by, as_, args)
    assert not outcome.failures, (do, by, args, outcome.failures)
    return outcome


def done(run: Run, by: str | None, do: str, as_: str | None = None, **args: Any) -> None:
    outcome = act(run, by, do, as_, **args)
    assert outcome.accepted, (do, outcome.code)


def value(run: Run, owner: Any, name: str) -> Any:
    return registers.get(run.kernel.play, owner, name, None)


def asked(run: Run, question: str, *arguments: Any) -> Any:
    return run.kernel.ask(question, list(arguments), run.now)


def duty(run: Run, key: str) -> Any:
    return run.kernel.documents[DUTIES][key]


def until(run: Run, stamp: str | int) -> None:
    """Let time pass up to a moment, with what happens at it."""
    before = len(run.entries)
    run.advance(read_stamp(stamp) if isinstance(stamp, str) else stamp, True)
    failed = [entry for entry in run.entries[before:] if entry.get("failures")]
    assert not failed, failed


def pause(run: Run, seconds: int) -> int:
    """Pause for some time; return by how many seconds of whole days the nweek is longer for that."""
    began = run.now
    done(run, None, "pause")
    run.now += seconds
    done(run, None, "resume")
    return (run.now // DAY - began // DAY) * DAY


PAUSES = [HOUR, 13 * HOUR, 36 * HOUR, 25 * DAY + 7 * HOUR]


@pytest.mark.parametrize("seconds", PAUSES)
def test_voting_starts_as_many_days_later_as_began_in_a_pause(seconds: int) -> None:
    run = game([{"office": "administrator", "holder": "ann"}])
    done(run, "bob", "submit_proposal", title="Tea", changes=[{"enact": {"title": "Tea", "text": "Tea."}}])
    until(run, "2001-05-06T12:00:00Z")
    start = read_stamp("2001-05-07T00:00:00Z") + pause(run, seconds)
    until(run, start - 1)
    assert (value(run, "game", "voting"), value(run, "game", "nday")) == (False, 7)
    assert act(run, "ann", "vote", proposal=465, choice="yes").code == "E-VOTING-CLOSED"
    until(run, start)
    assert (value(run, "game", "voting"), value(run, "game", "nday")) == (True, 8)
    done(run, "ann", "vote", proposal=465, choice="yes")


@pytest.mark.parametrize("seconds", PAUSES)
def test_voting_closes_and_the_nweek_ends_as_many_days_later(seconds: int) -> None:
    run = game([{"office": "osj", "holder": "dee", "term_ends_at": "2001-05-10T00:00:00Z"}])
    done(run, "bob", "submit_proposal", title="Tea", changes=[{"enact": {"title": "Tea", "text": "Tea."}}])
    done(run, "dee", "decline", office="osj")
    done(run, "bob", "nominate", office="osj")
    until(run, "2001-05-09T12:00:00Z")
    for voter in PEOPLE[:3]:
        done(run, voter, "vote", proposal=465, choice="yes")
        done(run, voter, "vote_election", office="osj", candidate="bob")
    close = read_stamp("2001-05-10T00:00:00Z") + pause(run, seconds)
    until(run, close - 1)
    assert (value(run, "game", "nweek"), value(run, "game", "voting")) == (22, True)
    assert things.holder(run.kernel.play, "osj") == "dee"
    until(run, close)
    assert (value(run, "game", "nweek"), value(run, "game", "nday"), value(run, "game", "voting")) == (23, 1, False)
    assert things.holder(run.kernel.play, "osj") == "bob"


def test_terms_end_with_nweeks_whose_days_are_shorter_after_a_pause() -> None:
    """Three days of twelve hours begin in 36 hours: nweek and terms move by as much."""

    def law(name: str) -> Any:
        rules = deepcopy(founding(name))
        (time,) = [rule for rule in rules["rules"] if rule["uid"] == "R-01"]
        time["script"] = time["script"].replace('int(setting("pace")) * MINUTE', "12 * HOUR")
        return rules

    scenario = {"scenario": "moments", "ruleset": "a-nomic", "players": PEOPLE, "starts": "2001-05-01T13:00:00Z"}
    given = {"given": [{"office": "osj", "holder": "dee", "term_ends_at": "2001-05-20T00:00:00Z"}], "settings": {}}
    run = found(scenario | given, law, lambda event: open_chance("moments", str(event.seq)), with_lists)
    ends = asked(run, "nweek_ends")
    term = value(run, {"kind": "office", "office": "osj"}, "term_ends_at")
    pause(run, 36 * HOUR)
    assert asked(run, "nweek_ends") == ends + 36 * HOUR
    assert value(run, {"kind": "office", "office": "osj"}, "term_ends_at") == term + 36 * HOUR


@pytest.mark.parametrize("seconds", PAUSES)
def test_a_day_that_was_paused_goes_on_to_its_midnight(seconds: int) -> None:
    run = game([])
    nday = value(run, "game", "nday")
    pause(run, seconds)
    midnight = (run.now // DAY + 1) * DAY
    until(run, midnight - 1)
    assert value(run, "game", "nday") == nday
    until(run, midnight)
    assert value(run, "game", "nday") == nday + 1


@pytest.mark.parametrize("seconds", PAUSES)
def test_consent_is_given_as_much_later_to_the_second(seconds: int) -> None:
    run = game([])
    for rule in ("301", "303"):
        done(run, "ann", "motion_amend_trivially", rule=rule, title="Anew")
    until(run, "2001-05-03T11:00:00Z")
    pause(run, seconds)
    until(run, read_stamp("2001-05-03T12:00:00Z") + seconds - 1)
    run.now += 1
    done(run, "bob", "object", motion=34)
    until(run, run.now)
    assert [find_proposal(run.kernel.play, n, "motion")["outcome"] for n in (34, 35)] == ["failed", "adopted"]


@pytest.mark.parametrize("seconds", PAUSES)
def test_a_duty_is_overdue_as_much_later_to_the_second(seconds: int) -> None:
    run = game([{"office": "osj", "holder": "dee"}])
    done(run, "ann", "rfj", statement="Tea is law.")
    until(run, "2001-05-06T12:00:00Z")
    pause(run, seconds)
    due = read_stamp("2001-05-11T12:00:00Z") + seconds
    until(run, due)
    assert asked(run, "overdue", "osj") == []
    assert duty(run, "judge/rfj-1")["by"] == due
    until(run, due + 1)
    assert asked(run, "overdue", "osj") == ["judge/rfj-1"]


@pytest.mark.parametrize("seconds", PAUSES)
@pytest.mark.parametrize("frozen", [False, True])
def test_the_time_for_a_randal_has_as_much_left_as_it_had(seconds: int, frozen: bool) -> None:
    """It was due on 1 March; the Judgement takes from 21 to 22 February, and in a pause no time runs."""
    run = game([{"office": "osj", "holder": "dee"}], starts="2001-02-19T00:00:00Z")
    until(run, "2001-02-21T00:00:00Z")
    if frozen:
        done(run, "joel", "rfrj", proposal=399)
    until(run, "2001-02-21T12:00:00Z")
    pause(run, seconds)
    until(run, read_stamp("2001-02-22T00:00:00Z") + seconds)
    due = read_stamp("2001-03-01T00:00:00Z") + seconds
    if frozen:
        done(run, "dee", "draw_judge", "osj", rfj=1)
        done(run, value(run, "rfj-1", "judge"), "verdict", rfj=1, verdict="FALSE")
        due += DAY
    assert value(run, "game", "randal")["due"] == due
    assert duty(run, "randal/350")["by"] == due


@pytest.mark.parametrize("seconds", PAUSES)
def test_a_showdown_lasts_as_much_longer_and_says_so(seconds: int) -> None:
    run = game([{"player": "ann", "hand": list(range(1, 11)), "backs": {"Red": 10}, "brought_to_ten": True}])
    done(run, "ann", "declare_showdown")
    pause(run, seconds)
    over = read_stamp("2001-05-04T12:00:00Z") + seconds
    assert value(run, "game", "showdown")["until"] == duty(run, "showdown")["by"] == over
    until(run, over - 1)
    assert value(run, "game", "showdown")
    until(run, over)
    assert not value(run, "game", "showdown")


@pytest.mark.parametrize("seconds", PAUSES)
def test_two_nweeks_after_which_acts_stand_do_not_run_in_a_pause(seconds: int) -> None:
    run = game([{"office": "osj", "holder": "dee"}])
    for number in ("one", "two"):
        done(run, "ann", "set_contact", contact=number)
        run.now += 1
    pause(run, seconds)
    until(run, read_stamp("2001-05-21T12:00:01Z") + seconds)
    done(run, "bob", "rfj", statement="It was not to be done.")
    assert not asked(run, "statute_bars", "rfj-1", run.entries[2]["seq"])
    assert asked(run, "statute_bars", "rfj-1", run.entries[1]["seq"])


@pytest.mark.parametrize("seconds", PAUSES)
def test_a_date_that_a_condition_names_stays_that_date(seconds: int) -> None:
    run = game([])
    done(run, "ann", "create_offer", title="Tea", text="Tea.", activation={"at": "2001-05-03T00:00:00Z"})
    done(run, "ann", "agree", offer="Tea")
    pause(run, seconds)
    until(run, max(run.now + 1, read_stamp("2001-05-03T00:00:00Z")))
    assert things.things(run.kernel.play, "contract") == ["contract-1001"]


def test_every_rule_that_sets_a_deadline_moves_what_it_keeps_of_it() -> None:
    """Rule R-01 moves all deadlines; a rule that has the time on record besides has to move that, or keep it by a date."""
    setting = {path.stem for path in RULES.glob("*.yaml") if '"deadline_set"' in path.read_text("utf-8")}
    moving = {path.stem for path in RULES.glob("*.yaml") if "def on_resumed" in path.read_text("utf-8")}
    elsewhere = {"314": "R-12 moves consent_until", "330": "dates", "R-07": "keeps no time"}
    assert setting - moving == set(elsewhere)
