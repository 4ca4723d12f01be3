"""Offices and people of A Nomic beside their scenarios: what a pause moves, and random play by hostile officers."""

from __future__ import annotations

import random
from typing import Any

import pytest

from folkmoot.core.calendar import DAY, read_stamp
from folkmoot.core.events import Outcome
from folkmoot.core.records import Founding
from folkmoot.game.rulesets import founding
from folkmoot.kernel import registers, things
from folkmoot.kernel.chance import open_chance
from folkmoot.scenarios.scenario import Run, found
from tests.conftest import FUZZ
from tests.scenarios.conftest import with_lists

PEOPLE = ["ann", "bob", "cid", "dee", "eve"]
HOUR = 3600


def game(
    given: list[dict[str, Any]], starts: str = "2001-05-01T12:00:00Z", settings: dict[str, str] | None = None
) -> Run:
    """Found a game in nweek 22, whose voting starts on 7 May 2001, with ann as Administrator."""
    scenario: dict[str, Any] = {"scenario": "offices", "ruleset": "a-nomic", "players": PEOPLE, "starts": starts}
    scenario |= {"given": [{"office": "administrator", "holder": "ann"}, *given], "settings": settings or {}}
    return found(scenario, founding, lambda event: open_chance("offices", str(event.seq)), with_lists)


def act(run: Run, by: str, do: str, as_: str | None = None, **args: Any) -> Outcome:
    outcome = run.apply(do, by, as_, args)
    assert not outcome.failures, (do, by, args, outcome.failures)
    return outcome


def pause(run: Run, seconds: int) -> None:
    """Stop the game for so long, as an administrator does."""
    assert run.apply("pause").accepted
    run.now += seconds
    resumed = run.apply("resume")
    assert resumed.accepted
    assert not resumed.failures


def of_office(run: Run, office: str, name: str) -> Any:
    return registers.get(run.kernel.play, {"office": office}, name, None)


def until(run: Run, stamp: str) -> None:
    """Let time pass up to a moment, with what happens at it."""
    before = len(run.entries)
    run.advance(read_stamp(stamp), True)
    failed = [entry for entry in run.entries[before:] if entry.get("failures")]
    assert not failed, failed


@pytest.mark.parametrize(
    ("hours", "ends"), [(6, "2001-05-10T00:00:00Z"), (12, "2001-05-11T00:00:00Z"), (84, "2001-05-14T00:00:00Z")]
)
def test_terms_end_with_their_nweek_after_a_pause(hours: int, ends: str) -> None:
    run = game([{"office": "osj", "holder": "bob", "term_ends_at": "2001-05-10T00:00:00Z"}])
    pause(run, hours * HOUR)
    assert of_office(run, "osj", "term_ends_at") == read_stamp(ends)
    act(run, "bob", "decline", office="osj")
    run.advance(read_stamp(ends) - 1, True)
    assert things.holder(run.kernel.play, "osj") == "bob"
    run.advance(read_stamp(ends) + 1, True)
    assert things.holder(run.kernel.play, "osj") is None


@pytest.mark.parametrize(
    ("paused", "ends", "began"),
    [("2001-05-02T23:59:59Z", "2001-05-21", "2001-05-01"), ("2001-05-03T00:00:00Z", "2001-05-20", "2001-04-30")],
)
def test_a_day_that_has_not_begun_before_a_pause_moves_terms_with_the_nweek(paused: str, ends: str, began: str) -> None:
    run = game([{"office": "osj", "holder": "bob", "term_ends_at": "2001-05-20T00:00:00Z"}], "2001-05-02T23:59:58Z")
    run.advance(read_stamp(paused), False)
    pause(run, 6 * HOUR)
    assert of_office(run, "osj", "term_ends_at") == read_stamp(f"{ends}T00:00:00Z")
    assert registers.get(run.kernel.play, "game", "nweek_began") == read_stamp(f"{began}T00:00:00Z")


def test_rules_by_date_keeps_a_change_in_its_nweek_after_pauses() -> None:
    run = game([], "2001-04-21T11:00:00Z")
    act(run, "ann", "motion_amend_trivially", changes=[{"amend": "301", "text": "Tea."}])
    until(run, "2001-04-23T11:00:01Z")
    pause(run, 5 * DAY)
    act(run, "ann", "motion_amend_trivially", changes=[{"amend": "302", "text": "Tea."}])
    until(run, "2001-05-06T12:00:00Z")
    pause(run, 3 * DAY)
    play = run.kernel.play
    assert registers.get(play, "game", "nweek") == 22
    lists: dict[str, list[str]] = {}
    name = ""
    for block in play.advise("R-02", "show_rules_by_date", []):
        name = block.get("text", name)
        lists[name] = block.get("lines", [])
    told = [f"1. Rule {number}/0 trivially amended" for number in (301, 302)]
    assert [where for line in told for where in lists if any(each.startswith(line) for each in lists[where])] == [
        "Nweek 21",
        "Nweek 21",
    ]
    assert "Nweek 20" not in lists


@pytest.mark.parametrize("hours", [2, 26])
def test_a_deputy_in_a_pause_waits_as_much_longer_and_acts_one_second_before_voting(hours: int) -> None:
    run = game([], "2001-05-06T12:00:00Z", {"recognition": "by-hand"})
    act(run, "cid", "nominate", office="osj")
    number = int(run.entries[-1]["seq"])
    act(run, "bob", "declare_deputy", duties=["recognise"])
    pause(run, hours * HOUR)
    doing: dict[str, Any] = {"duty": "recognise", "act": "recognise", "arguments": {"action": number}}
    run.now += 6 * HOUR - 1
    assert act(run, "bob", "act_as_deputy", **doing).code == "E-WAIT"
    run.now += 1
    assert act(run, "bob", "act_as_deputy", **doing).accepted
    assert of_office(run, "osj", "nominees") == []
    starts = read_stamp("2001-05-07T00:00:00Z") + (hours + 12) // 24 * DAY
    run.advance(starts - 2, True)
    assert of_office(run, "osj", "nominees") == []
    run.advance(starts - 1, True)
    assert of_office(run, "osj", "nominees") == ["cid"]
    run.advance(starts + 1, True)
    assert registers.get(run.kernel.play, "game", "elections")["osj"]["candidates"] == ["cid"]


def test_where_a_pause_takes_the_time_of_the_special_case_the_usual_wait_applies() -> None:
    run = game([], "2001-05-06T12:00:00Z", {"recognition": "by-hand"})
    act(run, "cid", "nominate", office="osj")
    doing: dict[str, Any] = {"duty": "recognise", "act": "recognise", "arguments": {"action": run.entries[-1]["seq"]}}
    act(run, "bob", "declare_deputy", duties=["recognise"])
    pause(run, 30 * HOUR)
    until(run, "2001-05-08T17:59:59Z")
    assert act(run, "bob", "act_as_deputy", **doing).code == "E-WAIT"
    until(run, "2001-05-08T18:00:00Z")
    assert act(run, "bob", "act_as_deputy", **doing).accepted


def test_duties_are_due_later_by_the_pause() -> None:
    run = game([{"game": True, "ties": {"osj": ["bob", "cid"]}}])
    until(run, "2001-05-02T00:00:00Z")
    act(run, "bob", "nominate", office="tribune")
    act(run, "cid", "nominate", office="tribune")
    until(run, "2001-05-10T00:00:01Z")
    due = registers.get(run.kernel.play, "game", "assigned")["tie/tribune"]["by"]
    assert due == read_stamp("2001-05-20T00:00:00Z")
    pause(run, 5 * HOUR)
    assert registers.get(run.kernel.play, "game", "assigned")["tie/tribune"]["by"] == due + 5 * HOUR


@pytest.mark.parametrize("hours", [1, 48])
def test_a_removal_counted_anew_keeps_what_a_pause_has_added(hours: int) -> None:
    run = game([], settings={"removal_period": "recompute"})
    assert act(run, "bob", "motion_remove", player="cid").accepted
    pause(run, hours * HOUR)

    def over() -> int:
        return registers.get(run.kernel.play, {"id": "motion/34"}, "consent_until", None) - hours * HOUR

    assert act(run, "cid", "set_away").accepted
    assert over() == read_stamp("2001-05-31T12:00:00Z")
    assert act(run, "cid", "clear_away").accepted
    assert over() == read_stamp("2001-05-11T12:00:00Z")


def test_pages_are_shown_with_everything_open() -> None:
    run = game([{"office": "osj", "holder": "bob"}])
    acts: list[tuple[str, str, dict[str, Any]]] = [
        ("cid", "set_away", {"return_date": "2001-06-01T00:00:00Z"}),
        ("dee", "declare_deputy", {"duties": ["appoint_random"]}),
        ("zed", "request_join", {"name": "Zed"}),
        ("dee", "nominate", {"office": "tribune", "player": "eve"}),
    ]
    for by, do, args in acts:
        assert act(run, by, do, **args).accepted
    pages = run.kernel.pages(run.now)
    assert [pages[name].get("error") for name in ("roster", "offices", "wins", "ballot", "motions")] == [None] * 5


# -- hostile play

OFFICES = ["administrator", "osj", "osj", "tribune", "banker", "tax_collector", "obc", "nowhere"]
WHO = [*PEOPLE, "zed", "yan"]


def drawn(dice: random.Random) -> tuple[str, str, str | None, dict[str, Any]]:
    """Draw an act of this part of the law, legal or not."""
    who, office, other = dice.choice(WHO), dice.choice(OFFICES), dice.choice(WHO)
    number = dice.choice([34, 35, 36, 37, 38, 39, 40, 465, 466, 467, 999])
    duty = dice.choice(["appoint_random", "break_tie", "confirm_away", "say hello", "credit_win", "tie/osj", ""])
    acts: list[tuple[str, dict[str, Any]]] = [
        ("nominate", {"office": office, "player": other}),
        ("decline", {"office": office}),
        ("resign", {"office": office}),
        ("set_away", dice.choice([{}, {"return_date": "2001-05-20T00:00:00Z"}])),
        ("clear_away", {}),
        ("vote_election", {"office": office, "candidate": other}),
        ("motion_no_confidence", {"office": office}),
        ("motion_remove", {"player": other}),
        ("motion_stupidity", {"dunce": other, "act": dice.choice(["", "they laughed"])}),
        ("request_join", {"name": dice.choice(["Zed", "Yan", "ann", "", "x" * 300])}),
        ("change_name", {"name": dice.choice(["Robert", "Zed", "ann", "the Bank"])}),
        ("object", {"motion": number}),
        ("vote", {"motion": number, "choice": dice.choice(["yes", "no", "abstain"])}),
        ("vote", {"proposal": number, "choice": dice.choice(["yes", "no"])}),
        ("submit_proposal", {"title": "Tea", "changes": [{"enact": {"title": f"Tea {number}", "text": "Tea."}}]}),
        ("veto", {"proposal": number}),
        ("declare_deputy", {"duties": [duty]}),
        ("object_deputy", dice.choice([{}, {"deputy": other}])),
        ("act_as_deputy", {"duty": duty, "act": "appoint_random", "arguments": {"office": office}}),
        ("deputise", {"office": office, "duty": duty}),
        ("appoint_random", {"office": office}),
        ("break_tie", {"office": office, "candidate": other}),
        ("confirm_away", {"player": other}),
        ("credit_win", {"player": other}),
    ]
    if dice.random() < 0.005:
        return who, "forfeit", None, {}
    do, args = dice.choice(
        [*acts, *[each for each in acts if each[0] in ("nominate", "vote_election", "object", "act_as_deputy")] * 3]
    )
    return who, do, None, args


def check(run: Run) -> None:
    """Check what holds whatever anybody does."""
    play = run.kernel.play
    players = things.things(play, "player")
    for office in things.things(play, "office"):
        holder = things.holder(play, office)
        assert holder is None or holder in players, (office, holder)
        assert holder is None or not registers.get(play, holder, "away"), (office, holder)
        assert holder is None or office == "administrator" or of_office(run, office, "term_ends_at"), office
    assert not players or things.holder(play, "administrator") in players
    names = [registers.get(play, player, "roster_name").lower() for player in players]
    assert len(set(names)) == len(names), names
    for kept in registers.get(play, "game", "elections").values():
        assert set(kept["candidates"]) <= set(players)
        assert set(kept["votes"].values()) <= set(kept["candidates"])
    for tied in registers.get(play, "game", "ties").values():
        assert len(tied) > 1
        assert set(tied) <= set(players)
    for cap in things.things(play, "dunce_cap"):
        assert registers.get(play, cap, "owner") in [*players, "bank"]


@pytest.mark.parametrize("seed", range(4) if FUZZ else (2,))
def test_random_officers_break_nothing(seed: int) -> None:
    dice = random.Random(seed)
    readings = {
        "evicted_office": dice.choice(["next_nweek", "same_ballot"]),
        "random_officers": dice.choice(["players", "exclude_officers"]),
        "removal_period": dice.choice(["fixed", "recompute"]),
        "away_again": dice.choice(["nweek_start", "at_once"]),
        "as_soon_as_possible": dice.choice(["official", "literal"]),
        "later_motion": dice.choice(["number", "adoption"]),
    }
    run = game([{"game": True, "quorum": 1}], settings=readings if seed else {})
    told: dict[str, set[str]] = {}
    for _ in range(1500 if FUZZ else 700):
        by, do, as_, args = drawn(dice)
        lists = registers.get(run.kernel.play, "game", "elections")
        if lists and dice.random() < 0.2:
            office = dice.choice(sorted(lists))
            do, args = (
                "vote_election",
                {"office": office, "candidate": dice.choice([*lists[office]["candidates"], "ann"])},
            )
        if do in ("forfeit", "motion_remove") and len(things.things(run.kernel.play, "player")) < 4:
            continue  # somebody has to be left
        outcome = act(run, by, do, as_, **args)
        told.setdefault(do, set()).add(outcome.code)
        before = len(run.entries)
        run.advance(run.now + dice.randrange(3 * HOUR), True)
        assert not [entry for entry in run.entries[before:] if entry.get("failures")], run.entries[before:]
        check(run)
    accepted = {do for do, codes in told.items() if "" in codes}
    assert {"nominate", "vote_election", "declare_deputy", "set_away", "request_join"} <= accepted, told


RULES = """R-03 R-04 R-13 R-17 R-18 305 306 307 308 310 311 312 314 315 326 348 349 359 382 383 398""".split()


@pytest.mark.parametrize("gone", RULES)
def test_the_rest_goes_on_without_one_rule(gone: str) -> None:
    def law(name: str) -> Founding:
        kept = founding(name)
        kept["rules"] = [rule for rule in kept["rules"] if rule["rule"] != gone]
        kept["offices"] = {} if gone == "R-04" else kept["offices"]
        kept["history"] = {uid: past for uid, past in kept.get("history", {}).items() if uid != gone}
        return kept

    given = [{"office": "administrator", "holder": "ann"}] if gone != "R-04" else []
    scenario = {
        "scenario": "",
        "ruleset": "a-nomic",
        "players": PEOPLE,
        "starts": "2001-05-01T12:00:00Z",
        "given": given,
    }
    run = found(scenario, law, lambda event: open_chance("offices", str(event.seq)), with_lists)
    dice = random.Random(gone)
    for _ in range(90 if FUZZ else 30):
        by, do, as_, args = drawn(dice)
        act(run, by, do, as_, **args)
        before = len(run.entries)
        run.advance(run.now + dice.randrange(12 * HOUR), True)
        assert not [entry for entry in run.entries[before:] if entry.get("failures")], run.entries[before:]
