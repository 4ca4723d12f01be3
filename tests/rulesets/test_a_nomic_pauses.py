"""The moments of A Nomic: amendments reorder each of them, and a pause moves every boundary by what it is long."""

from __future__ import annotations

import ast
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from folkmoot.core.calendar import DAY, read_stamp
from folkmoot.core.keys import DUTIES
from folkmoot.files.fast_reader import load_yaml
from folkmoot.files.reader import read_scenario
from folkmoot.game.rulesets import founding
from folkmoot.kernel import registers
from folkmoot.kernel.answers import find_proposal
from folkmoot.scenarios.scenario import Failed, run_scenario
from tests.scenarios.conftest import with_lists
from tests.support.random_play import Manners, Record, Table

ROOT = Path(__file__).parents[2]
SCENARIOS = ROOT / "tests" / "scenarios" / "a-nomic"
RULES = ROOT / "engine" / "folkmoot" / "game" / "rulesets" / "a-nomic" / "rules"
AMENDING = {
    "act-in-another-order": ["ACT"],
    "day-in-another-order": ["DAY"],
    "voting-start-in-another-order": ["VOTING_START"],
    "close-in-another-order": ["CLOSE"],
    "nweek-start-in-another-order": ["START"],
    "shorter-nweeks": ["NDAYS, VOTING"],
    "days-of-twelve-hours": ["decide_day_length"],
}
"""The scenarios that amend rule R-01, and which of its lists and numbers each makes another."""
HOUR = 3_600
PEOPLE = [{"id": who} for who in ("ann", "bob", "cid", "dee", "joel")]
PAUSES = pytest.mark.parametrize("seconds", [HOUR, 25 * DAY + 13 * HOUR])
TEA = [{"enact": {"title": "Tea", "text": "Tea."}}]
OSJ = {"office": "osj", "holder": "dee"}


# -- the order of a moment is a list, and its length a number


def script_of_time() -> str:
    script: str = load_yaml((RULES / "R-01.yaml").read_text("utf-8"), "R-01.yaml")["script"]
    return script


def amending(name: str) -> tuple[Record, Record]:
    """Return a scenario, and its one change of rule R-01."""
    path = SCENARIOS / f"rule-r-01-{name}.yaml"
    scenario = read_scenario(path.read_text("utf-8"), str(path))
    changes = [change for step in scenario["steps"] for change in (step.get("args") or {}).get("changes") or []]
    (change,) = [change for change in changes if change.get("amend") == "R-01"]
    return scenario, change


def assigned(script: str) -> dict[str, str]:
    """Return what a script assigns at its top and defines there, by the words on the left or the name."""
    found: dict[str, str] = {}
    for node in ast.parse(script).body:
        name = ast.unparse(node.targets[0]).strip("()") if isinstance(node, ast.Assign) else getattr(node, "name", "")
        found[name] = ast.unparse(node.value if isinstance(node, ast.Assign) else node)
    return found


@pytest.mark.parametrize("name", AMENDING)
def test_an_amendment_of_one_list_or_number_is_what_its_scenario_shows(name: str) -> None:
    scenario, change = amending(name)
    before, after = assigned(script_of_time()), assigned(change["script"])
    assert [each for each in before if before[each] != after.get(each)] == AMENDING[name]
    assert list(before) == list(after), "copy the script of R-01, and turn the list round again"
    (what,) = AMENDING[name]
    if before[what].startswith("["):
        assert sorted(ast.literal_eval(before[what])) == sorted(ast.literal_eval(after[what]))
    change["script"] = script_of_time() + "\n# As it was.\n"
    with pytest.raises(Failed):
        run_scenario(scenario, founding, with_lists)


# -- a pause


def game(*given: Record, starts: str = "2001-05-01T12:00:00Z", **settings: str) -> Table:
    """Found a game in nweek 22, which began on 30 April 2001; its voting starts on 7 May and closes on 10 May."""
    administrator = {"office": "administrator", "holder": "ann"}
    return Table("a-nomic", manners=Manners(PEOPLE, given=[administrator, *given], starts=starts), settings=settings)


def code(table: Table, by: str | None, do: str, as_: str | None = None, **args: Any) -> str:
    """Act, and return with which code that was refused, "" where it was not."""
    table.do(do, by, as_, **args)
    return str(table.run.entries[-1].get("code") or "")


def done(table: Table, by: str | None, do: str, as_: str | None = None, **args: Any) -> None:
    assert code(table, by, do, as_, **args) == ""


def until(table: Table, moment: str | int) -> None:
    """Let time pass up to a moment, with what happens at it."""
    table.wait((read_stamp(moment) if isinstance(moment, str) else moment) - table.run.now)


def pause(table: Table, seconds: int) -> int:
    """Pause for some time; return by how many seconds of whole days the nweek is longer for that."""
    began = table.run.now
    done(table, None, "pause")
    table.run.now += seconds
    done(table, None, "resume")
    return (table.run.now // DAY - began // DAY) * DAY


def holder(table: Table, office: str) -> str | None:
    return table.of("office")[office].get("holder")


def nday(table: Table) -> int:
    return int(registers.get(table.run.kernel.play, "game", "nday", None))


def due(table: Table, key: str) -> int:
    return int(table.run.kernel.documents[DUTIES][key]["by"])


def overdue(table: Table) -> list[str]:
    """Return what the Officer of Supreme Justice should have done."""
    return list(table.run.kernel.ask("overdue", ["osj"], table.run.now))


@PAUSES
def test_voting_starts_as_many_days_later_as_began_in_a_pause(seconds: int) -> None:
    table = game()
    done(table, "bob", "submit_proposal", title="Tea", changes=TEA)
    until(table, "2001-05-06T12:00:00Z")
    start = read_stamp("2001-05-07T00:00:00Z") + pause(table, seconds)
    until(table, start - 1)
    assert (table.game["voting"], nday(table)) == (False, 7)
    assert code(table, "ann", "vote", proposal=465, choice="yes") == "E-VOTING-CLOSED"
    until(table, start)
    assert (table.game["voting"], nday(table)) == (True, 8)
    done(table, "ann", "vote", proposal=465, choice="yes")


@PAUSES
def test_voting_closes_and_the_nweek_ends_as_many_days_later(seconds: int) -> None:
    table = game({**OSJ, "term_ends_at": "2001-05-10T00:00:00Z"})
    done(table, "dee", "decline", office="osj")
    done(table, "bob", "nominate", office="osj")
    until(table, "2001-05-09T12:00:00Z")
    for voter in ("ann", "bob", "cid"):
        done(table, voter, "vote_election", office="osj", candidate="bob")
    close = read_stamp("2001-05-10T00:00:00Z") + pause(table, seconds)
    until(table, close - 1)
    assert (table.game["nweek"], table.game["voting"], holder(table, "osj")) == (22, True, "dee")
    until(table, close)
    assert (table.game["nweek"], nday(table), table.game["voting"], holder(table, "osj")) == (
        23,
        1,
        False,
        "bob",
    )


def test_terms_end_with_nweeks_whose_days_are_shorter_after_a_pause() -> None:
    """Three days of twelve hours begin in 36 hours: nweek and terms move by as much."""
    law = deepcopy(founding("a-nomic"))
    (time,) = [rule for rule in law["rules"] if rule["uid"] == "R-01"]
    time["script"] = time["script"].replace('int(setting("pace")) * MINUTE', "12 * HOUR")
    ends = {**OSJ, "term_ends_at": "2001-05-20T00:00:00Z"}
    table = Table("a-nomic", manners=Manners(PEOPLE, given=[ends], starts="2001-05-01T13:00:00Z"), law=law)
    nweek, term = table.run.kernel.ask("nweek_ends", [], table.run.now), table.of("office")["osj"]["term_ends_at"]
    pause(table, 36 * HOUR)
    assert table.run.kernel.ask("nweek_ends", [], table.run.now) == nweek + 36 * HOUR
    assert table.of("office")["osj"]["term_ends_at"] == term + 36 * HOUR


@pytest.mark.parametrize(
    ("paused", "ends", "began"),
    [("2001-05-02T23:59:59Z", "2001-05-21", "2001-05-01"), ("2001-05-03T00:00:00Z", "2001-05-20", "2001-04-30")],
)
def test_a_day_that_has_not_begun_before_a_pause_moves_terms_with_the_nweek(paused: str, ends: str, began: str) -> None:
    table = game({**OSJ, "term_ends_at": "2001-05-20T00:00:00Z"}, starts="2001-05-02T23:59:58Z")
    table.run.advance(read_stamp(paused), after_deadlines=False)
    pause(table, 6 * HOUR)
    assert table.of("office")["osj"]["term_ends_at"] == read_stamp(f"{ends}T00:00:00Z")
    assert table.game["nweek_began"] == read_stamp(f"{began}T00:00:00Z")


@PAUSES
def test_a_day_that_was_paused_goes_on_to_its_midnight(seconds: int) -> None:
    table = game()
    before = nday(table)
    pause(table, seconds)
    midnight = (table.run.now // DAY + 1) * DAY
    until(table, midnight - 1)
    assert nday(table) == before
    until(table, midnight)
    assert nday(table) == before + 1


@PAUSES
def test_consent_is_given_as_much_later_to_the_second(seconds: int) -> None:
    table = game()
    for rule in ("301", "303"):
        done(table, "ann", "motion_amend_trivially", rule=rule, title="Anew")
    until(table, "2001-05-03T11:00:00Z")
    pause(table, seconds)
    until(table, read_stamp("2001-05-03T12:00:00Z") + seconds - 1)
    table.run.now += 1
    done(table, "bob", "object", motion=34)
    until(table, table.run.now)
    outcomes = [find_proposal(table.run.kernel.play, number, "motion")["outcome"] for number in (34, 35)]
    assert outcomes == ["failed", "adopted"]


@PAUSES
def test_a_duty_is_overdue_as_much_later_to_the_second(seconds: int) -> None:
    table = game(OSJ)
    done(table, "ann", "rfj", statement="Tea is law.")
    until(table, "2001-05-06T12:00:00Z")
    pause(table, seconds)
    until(table, read_stamp("2001-05-11T12:00:00Z") + seconds)
    assert (overdue(table), due(table, "judge/rfj-1")) == ([], table.run.now)
    until(table, table.run.now + 1)
    assert overdue(table) == ["judge/rfj-1"]


@PAUSES
@pytest.mark.parametrize("frozen", [False, True])
def test_the_time_for_a_randal_has_as_much_left_as_it_had(seconds: int, frozen: bool) -> None:
    """It was due on 1 March; the Judgement takes from 21 to 22 February, and in a pause no time runs."""
    table = game(OSJ, starts="2001-02-19T00:00:00Z")
    until(table, "2001-02-21T00:00:00Z")
    if frozen:
        done(table, "joel", "rfrj", proposal=399)
    until(table, "2001-02-21T12:00:00Z")
    pause(table, seconds)
    until(table, read_stamp("2001-02-22T00:00:00Z") + seconds)
    if frozen:
        done(table, "dee", "draw_judge", "osj", rfj=1)
        done(table, table.of("rfj")["rfj-1"]["judge"], "verdict", rfj=1, verdict="FALSE")
    ends = read_stamp("2001-03-01T00:00:00Z") + seconds + frozen * DAY
    assert table.game["randal"]["due"] == due(table, "randal/350") == ends


@PAUSES
def test_a_showdown_lasts_as_much_longer_and_says_so(seconds: int) -> None:
    table = game({"player": "ann", "hand": list(range(1, 11)), "backs": {"Red": 10}, "brought_to_ten": True})
    done(table, "ann", "declare_showdown")
    pause(table, seconds)
    over = read_stamp("2001-05-04T12:00:00Z") + seconds
    assert table.game["showdown"]["until"] == due(table, "showdown") == over
    until(table, over - 1)
    assert table.game["showdown"]
    until(table, over)
    assert not table.game["showdown"]


@PAUSES
def test_two_nweeks_after_which_acts_stand_do_not_run_in_a_pause(seconds: int) -> None:
    table = game(OSJ)
    for number in ("one", "two"):
        done(table, "ann", "set_contact", contact=number)
        table.run.now += 1
    pause(table, seconds)
    until(table, read_stamp("2001-05-21T12:00:01Z") + seconds)
    done(table, "bob", "rfj", statement="It was not to be done.")
    acts = [entry["seq"] for entry in table.run.entries if entry["do"] == "set_contact"]
    assert [table.run.kernel.ask("statute_bars", ["rfj-1", act], table.run.now) for act in acts] == [True, False]


def test_a_date_that_a_condition_names_stays_that_date() -> None:
    table = game()
    done(table, "ann", "create_offer", title="Tea", text="Tea.", activation={"at": "2001-05-03T00:00:00Z"})
    done(table, "ann", "agree", offer="Tea")
    pause(table, 25 * DAY)
    until(table, table.run.now + 1)
    assert [*table.of("contract")] == ["contract-1001"]


@PAUSES
def test_a_challenge_is_open_longer_by_the_length_of_a_pause(seconds: int) -> None:
    points = [{"player": who, "points": 4} for who in ("cid", "dee")]
    table = game(*points, {"thing": "contest-similarity", "master": "bob"})
    done(table, "bob", "post_challenge", game="similarity", items=["a", "b", "c"])
    until(table, table.run.now + 6 * HOUR)
    pause(table, seconds)
    closes = read_stamp("2001-05-11T12:00:00Z") + seconds
    assert table.of("contest")["contest-similarity"]["closes_at"] == closes
    until(table, closes - 1)
    done(table, "cid", "submit_answer", answer="letters")
    until(table, closes)
    assert code(table, "dee", "submit_answer", answer="letters") == "E-TOO-LATE"
    assert table.of("contest")["contest-similarity"]["phase"] == "idle"
    assert table.of("player")["cid"]["points"] == 4


@PAUSES
def test_two_periods_without_another_contestmaster_do_not_run_in_a_pause(seconds: int) -> None:
    table = game()
    until(table, table.run.now + DAY)
    pause(table, seconds)
    until(table, read_stamp("2001-05-21T12:00:00Z") + seconds - 1)
    moved = {"game": "poetry", "master": "cid"}
    assert code(table, "ann", "motion_replace_contestmaster", **moved) == "E-NOT-STALE"
    table.run.now += 1
    done(table, "ann", "motion_replace_contestmaster", **moved)


@PAUSES
def test_a_debt_is_due_later_by_the_length_of_a_pause(seconds: int) -> None:
    table = game()
    done(table, "ann", "create_debt", amount=5, due="2001-05-04T12:00:00Z")
    until(table, "2001-05-02T12:00:00Z")
    pause(table, seconds)
    ends = read_stamp("2001-05-04T12:00:00Z") + seconds
    for moment, state in ((ends - 1, "open"), (ends, "overdue")):
        until(table, moment)
        debt = table.of("debt")["debt-1"]
        assert (debt["due"], debt["state"]) == (ends, state)


@PAUSES
def test_the_nineteen_hours_of_go_do_not_run_in_a_pause(seconds: int) -> None:
    table = game({"kind": "stone", "owner": "ann", "state": "reserve"})
    done(table, "ann", "go_offer", other="bob")
    table.run.now += HOUR
    pause(table, seconds)
    until(table, table.run.now + 18 * HOUR - 1)
    assert code(table, "ann", "go_place", vertex="k10") == "E-TOO-SOON"
    until(table, table.run.now + 1)
    done(table, "ann", "go_place", vertex="k10")


def recognising(seconds: int) -> tuple[Table, Record]:
    """Return a game in which bob is a Deputy for some Officer, before a pause, and what they want to do for them."""
    table = game(starts="2001-05-06T12:00:00Z", recognition="by-hand")
    table.do("nominate", "cid", office="osj")
    number = table.run.entries[-1]["seq"]
    done(table, "bob", "declare_deputy", duties=["recognise"])
    pause(table, seconds)
    return table, {"duty": "recognise", "act": "recognise", "arguments": {"action": number}}


@pytest.mark.parametrize("hours", [2, 26])
def test_a_deputy_in_a_pause_waits_as_much_longer_and_acts_one_second_before_voting(hours: int) -> None:
    table, doing = recognising(hours * HOUR)
    table.run.now += 6 * HOUR - 1
    assert code(table, "bob", "act_as_deputy", **doing) == "E-WAIT"
    table.run.now += 1
    assert table.do("act_as_deputy", "bob", **doing)
    starts = read_stamp("2001-05-07T00:00:00Z") + (hours + 12) // 24 * DAY
    for moment, nominees in ((starts - 2, []), (starts - 1, ["cid"])):
        until(table, moment)
        assert (table.of("office")["osj"].get("nominees") or []) == nominees
    until(table, starts + 1)
    assert table.game["elections"]["osj"]["candidates"] == ["cid"]


def test_where_a_pause_takes_the_time_of_the_special_case_the_usual_wait_applies() -> None:
    table, doing = recognising(30 * HOUR)
    until(table, "2001-05-08T17:59:59Z")
    assert code(table, "bob", "act_as_deputy", **doing) == "E-WAIT"
    until(table, "2001-05-08T18:00:00Z")
    assert table.do("act_as_deputy", "bob", **doing)


def test_rules_by_date_keeps_a_change_in_its_nweek_after_pauses() -> None:
    table = game(starts="2001-04-21T11:00:00Z")
    done(table, "ann", "motion_amend_trivially", changes=[{"amend": "301", "text": "Tea."}])
    until(table, "2001-04-23T11:00:01Z")
    pause(table, 5 * DAY)
    done(table, "ann", "motion_amend_trivially", changes=[{"amend": "302", "text": "Tea."}])
    until(table, "2001-05-06T12:00:00Z")
    pause(table, 3 * DAY)
    lists, name = dict[str, list[str]](), ""
    for block in table.run.kernel.play.advise("R-02", "show_rules_by_date", []):
        name = block.get("text", name)
        lists[name] = block.get("lines", [])
    amended = [line for line in lists["Nweek 21"] if "trivially amended" in line]
    assert [line[: line.index("/")] for line in amended] == ["1. Rule 301", "1. Rule 302"]
    assert "Nweek 20" not in lists


@PAUSES
def test_a_removal_counted_anew_keeps_what_a_pause_has_added(seconds: int) -> None:
    table = game(removal_period="recompute")
    done(table, "bob", "motion_remove", player="cid")
    pause(table, seconds)
    for do, ends in (("set_away", "2001-05-31T12:00:00Z"), ("clear_away", "2001-05-11T12:00:00Z")):
        done(table, "cid", do)
        consent = find_proposal(table.run.kernel.play, 34, "motion")["registers"]["consent_until"]
        assert consent - seconds == read_stamp(ends)


@PAUSES
def test_while_the_game_is_paused_no_time_runs_for_a_party_without_members(seconds: int) -> None:
    table = game()
    done(table, "bob", "create_party", name="Elders", rules="x")
    done(table, "cid", "join_party", party="Elders")
    pause(table, seconds)
    done(table, "cid", "leave_party", party="Elders")
    left = table.run.now
    pause(table, seconds)
    for moment, parties in ((left + seconds + 10 * DAY - 1, ["party-1"]), (left + seconds + 10 * DAY, [])):
        until(table, moment)
        assert [*table.of("party")] == parties


def test_every_rule_that_sets_a_deadline_moves_what_it_keeps_of_it() -> None:
    """Rule R-01 moves all deadlines; a rule that has the time on record besides has to move that, or keep it by a date."""
    setting = {path.stem for path in RULES.glob("*.yaml") if '"deadline_set"' in path.read_text("utf-8")}
    moving = {path.stem for path in RULES.glob("*.yaml") if "def on_resumed" in path.read_text("utf-8")}
    elsewhere = {"314": "R-12 moves consent_until", "330": "dates", "R-07": "keeps no time"}
    assert setting - moving == set(elsewhere)
