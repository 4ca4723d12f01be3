"""Events: at once and depth first, listeners fixed at the start, setters, failures, queues, winning."""

from __future__ import annotations

import pytest

from tests.support.table import VOTING, Found, effects, failed, reasons, rule, said

GO = {"actions": {"go": {}}}
EMIT = rule("1", 'def do_go(a):\n    emit("x", n = 1)', **GO)
X = {"defines": {"game": {"x": {"type": "integer"}, "y": {"type": "integer"}}}}


def hears(number: str, body: str, event: str = "x", **parts: object) -> dict[str, object]:
    """Return a rule that hears an event."""
    return rule(number, f"def on_{event}(e):\n    {body}", **parts)


def test_events_are_handled_at_once_and_depth_first(found: Found) -> None:
    table = found(
        rule("1", 'def do_go(a):\n    announce("a")\n    emit("x")\n    announce("d")', **GO),
        rule("2", 'def on_x(e):\n    emit("y")\n    announce("c")'),
        rule("3", 'def on_y(e):\n    announce("b")'),
        rule("4", 'def on_x(e):\n    announce("last")'),
    )
    assert said(table.ok("ann", "go")) == ["a", "b", "c", "last", "d"]


def test_listeners_are_heard_in_order_of_precedence(found: Found) -> None:
    turned = rule("5", "def decide_prevails(a, b):\n    return a if int(a.number) > int(b.number) else b")
    table = found(EMIT, hears("2", "announce('2')"), hears("10", "announce('10')"), hears("9", "announce('9')"))
    assert said(table.ok("ann", "go")) == ["2", "9", "10"]
    table = found(EMIT, turned, hears("2", "announce('2')"), hears("10", "announce('10')"), hears("9", "announce('9')"))
    assert said(table.ok("ann", "go")) == ["10", "9", "2"]


def test_rule_repealed_meanwhile_is_skipped_and_logged(found: Found) -> None:
    table = found(EMIT, hears("2", "repeal(rule('3'))"), hears("3", "announce('3')"), hears("4", "announce('4')"))
    outcome = table.ok("ann", "go")
    assert said(outcome) == ["4"]
    assert reasons(outcome, "SKIPPED-REPEALED") == [{"code": "SKIPPED-REPEALED", "rule": "3", "args": {"hook": "on_x"}}]


def test_rule_amended_meanwhile_runs_with_the_new_text(found: Found) -> None:
    body = "amend(rule('3'), script = 'def on_x(e):\\n    announce(\"new\")\\n')"
    table = found(EMIT, hears("2", body), hears("3", "announce('old')"))
    assert said(table.ok("ann", "go")) == ["new"]


def test_rule_amended_meanwhile_to_hear_no_more_is_passed_over(found: Found) -> None:
    table = found(EMIT, hears("2", "amend(rule('3'), script = '')"), hears("3", "announce('old')"))
    assert said(table.ok("ann", "go")) == []


def test_rule_enacted_meanwhile_waits_for_the_next_event(found: Found) -> None:
    body = (
        "enact('New', '', script = 'def on_x(e):\\n    announce(\"new\")\\n', number = 30) if rule('30') == None else 0"
    )
    table = found(EMIT, hears("2", body), hears("40", "announce('last')"))
    assert said(table.ok("ann", "go")) == ["last"]
    assert said(table.ok("ann", "go")) == ["new", "last"]


def test_rule_suspended_meanwhile_is_skipped(found: Found) -> None:
    table = found(EMIT, hears("2", "suspend(rule('3'), 'void')"), hears("3", "announce('3')"))
    outcome = table.ok("ann", "go")
    assert said(outcome) == []
    assert reasons(outcome, "SKIPPED-SUSPENDED")[0]["rule"] == "3"


def test_running_script_finishes_even_if_it_repeals_itself(found: Found) -> None:
    table = found(EMIT, rule("2", "def on_x(e):\n    repeal(me())\n    announce('still here')"))
    assert said(table.ok("ann", "go")) == ["still here"]
    assert said(table.ok("ann", "go")) == []


def test_handlers_see_the_live_state_and_the_record_as_it_was(found: Found) -> None:
    reads = "announce('%d %d %s' % (e.n, get('game', 'x'), e.p.title))"
    table = found(
        VOTING,
        rule("1", "def do_go(a):\n    emit('x', n = get('game', 'x'), p = submit('old', []))", **GO, **X),
        rule("2", "def on_x(e):\n    put('game', 'x', 5)\n    revise(e.p, title = 'new')"),
        hears("3", reads),
    )
    assert said(table.ok("ann", "go")) == ["0 5 old"]


def test_payload_is_a_copy_for_each_handler(found: Found) -> None:
    table = found(
        rule("1", "def do_go(a):\n    emit('x', items = [1])", **GO),
        hears("2", "e.items.append(2)"),
        hears("3", "announce(str(e.items))"),
    )
    assert said(table.ok("ann", "go")) == ["[1]"]


def test_structs_survive_emit_later_and_timers(found: Found) -> None:
    table = found(
        rule(
            "1",
            """
            def do_go(a):
                emit("x", r = me(), s = struct(a = [struct(b = 1)]))
                later("x", r = me(), s = struct(a = [struct(b = 2)]))
                after(60, "x", r = me(), s = struct(a = [struct(b = 3)]))
            def on_x(e):
                announce(e.r.title + str(e.s.a[0].b))
            """,
            **GO,
        )
    )
    assert said(table.ok("ann", "go")) == ["Rule 11", "Rule 12"]
    assert said(table.pass_time(60)[0]) == ["Rule 13"]


# -- setters


def test_highest_setter_prevails_and_the_lower_is_told(found: Found) -> None:
    table = found(EMIT, hears("2", "put('game', 'x', 2)", **X), hears("3", "announce(str(put('game', 'x', 3)))"))
    outcome = table.ok("ann", "go")
    assert said(outcome) == ["False"]
    assert table.get("game", "x") == 2
    assert reasons(outcome, "DROPPED") == [
        {"code": "DROPPED", "rule": "3", "args": {"of": "game", "name": "x", "by": "2"}}
    ]


def test_lower_setter_of_the_same_value_is_no_conflict(found: Found) -> None:
    table = found(EMIT, hears("2", "put('game', 'x', 2)", **X), hears("3", "announce(str(put('game', 'x', 2)))"))
    outcome = table.ok("ann", "go")
    assert said(outcome) == ["True"]
    assert reasons(outcome, "DROPPED") == []


def test_a_rule_may_set_twice(found: Found) -> None:
    table = found(EMIT, rule("2", "def on_x(e):\n    put('game', 'x', 2)\n    put('game', 'x', 3)", **X))
    table.ok("ann", "go")
    assert table.get("game", "x") == 3


def test_add_always_applies(found: Found) -> None:
    table = found(EMIT, hears("2", "put('game', 'x', 2)", **X), hears("3", "add('game', 'x', 3)"))
    table.ok("ann", "go")
    assert table.get("game", "x") == 5


def test_put_in_a_caused_event_is_no_conflict(found: Found) -> None:
    table = found(
        EMIT,
        rule("2", "def on_x(e):\n    put('game', 'x', 2)\n    emit('y')", **X),
        hears("3", "put('game', 'x', 3)", event="y"),
    )
    table.ok("ann", "go")
    assert table.get("game", "x") == 3


def test_a_failed_setter_claims_nothing(found: Found) -> None:
    table = found(
        EMIT, rule("2", "def on_x(e):\n    put('game', 'x', 2)\n    fail('oh')", **X), hears("3", "put('game', 'x', 3)")
    )
    outcome = table.ok("ann", "go")
    assert table.get("game", "x") == 3
    assert reasons(outcome, "DROPPED") == []


def test_switches_follow_the_same_rule(found: Found) -> None:
    switch = {
        "settings": {
            "Q1": {"name": "adoption", "question": "?", "default": "a", "alternatives": dict.fromkeys("abc", "")}
        }
    }
    table = found(
        EMIT, hears("2", "put('settings', 'adoption', 'b')", **switch), hears("3", "put('settings', 'Q1', 'c')")
    )  # fmt: skip
    assert reasons(table.ok("ann", "go"), "DROPPED")[0]["rule"] == "3"
    assert table.document("game")["settings"] == {"Q1": "b"}


def test_changed_is_raised_only_for_another_value(found: Found) -> None:
    table = found(
        EMIT,
        rule("2", "def on_x(e):\n    put('game', 'x', 4)\n    put('game', 'x', 4)", **X),
        hears("3", "announce('%s %s %s>%s' % (e.owner, e.name, e.before, e.after))", event="changed"),
    )
    assert said(table.ok("ann", "go")) == ["game x 0>4"]


# -- failures


def test_error_in_a_handler_undoes_it_with_all_it_caused_and_no_more(found: Found) -> None:
    table = found(
        EMIT,
        hears("2", "put('game', 'x', 2)", **X),
        rule("3", "def on_x(e):\n    emit('y')\n    later('z')\n    put('game', 'y', 1)\n    return [][0]"),
        hears("4", "add('game', 'x', 40)\n    enact('New', '')", event="y"),
        hears("5", "announce('z')", event="z"),
        hears("6", "announce('six')"),
    )
    outcome = table.ok("ann", "go")
    assert said(outcome) == ["six"]
    assert (table.get("game", "x"), table.get("game", "y")) == (2, 0)
    assert failed(outcome) == [("3", "on_x")]
    assert table.in_force() == ["1", "2", "3", "4", "5", "6"]


def test_a_place_is_told_for_a_failure(found: Found) -> None:
    table = found(EMIT, rule("2", "# first\ndef on_x(e):\n    a = 1\n    return a.nothing"))
    failure = table.ok("ann", "go").failures[0]
    assert (failure["line"], failure["rule"], failure["hook"]) == (4, "2", "on_x")


@pytest.mark.parametrize(
    "broken",
    [
        "def on_ballot_cast(e):\n    fail('x')",
        "def forbid(a):\n    fail('x')",
        "def forbid_vote(a):\n    return a.nothing",
        "def permit_vote(a):\n    fail('x')",
        "def decide_adopted(p):\n    fail('x')",
        "def decide_closed(p):\n    fail('x')",
        "def decide_electorate(p):\n    return p.nothing",
        "def decide_prevails(a, b):\n    return a.labels.nothing",
        "def decide_ballot_counts(p, b):\n    fail('x')",
        "def decide_weights(p, players):\n    fail('x')",
        "def decide_proper(p):\n    fail('x')",
        "def decide_may_change(p, c):\n    fail('x')",
        "def decide_choices(p):\n    fail('x')",
        "def decide_law_for(s):\n    fail('x')",
        "def on_rule_repealed(e):\n    fail('x')",
        "def on_acted(e):\n    fail('x')",
        "def on_proposal_submitted(e):\n    fail('x')",
        "def on_voting_opened(e):\n    fail('x')",
        "def on_voting_closed(e):\n    fail('x')",
        "def on_proposal_adopted(e):\n    fail('x')",
        "def do_propose(a):\n    fail('x')",
        "def adjust_award(a):\n    fail('x')",
        "def on_ballot_cast(e):\n    for i in range(9000):\n        emit('noise')\ndef on_noise(e):\n    pass",
        "def on_proposal_submitted(e):\n    for i in range(9000):\n        emit('noise')\ndef on_noise(e):\n    pass",
        "def on_ballot_cast(e):\n    for i in range(100000):\n        for j in range(100000):\n            pass",
        "def forbid(a):\n    for i in range(60000):\n        now()",
        "def on_ballot_cast(e):\n    on_ballot_cast(e)",
        "def on_ballot_cast(e):\n    emit('ballot_cast')",
        "def on_acted(e):\n    later('acted')",
        "x = [i for i in range(100000) for j in range(100)]\ndef forbid(a):\n    fail('x')",
        "now()\ndef forbid(a):\n    return refuse('E-STATUS')",
        "def forbid(a:\n    pass",
        "def forbid(a):\n    return 1 / 2",
        "def on_ballot_cast(e):\n    for i in range(20000):\n        announce('x')",
        "def on_ballot_cast(e):\n    for i in range(100):\n        announce('x' * 16000)",
    ],
)  # fmt: skip
@pytest.mark.sampled(2)
def test_a_faulty_rule_can_always_be_repealed(found: Found, broken: str) -> None:
    offers = {"actions": VOTING["actions"]} if "do_propose" in broken else {}
    table = found(rule("1", broken, **offers), VOTING)
    table.adopt({"repeal": "1"})
    assert table.in_force() == ["900"]


def test_a_rule_that_spends_the_budget_of_the_event_is_left_out_of_it(found: Found) -> None:
    table = found(
        rule("1", "def do_go(a):\n    announce('go')", **GO),
        rule("2", "def on_acted(e):\n    announce('two')\n    for i in range(9000):\n        emit('noise')"),
        rule("3", "def on_noise(e):\n    pass"),
        rule("4", "def on_acted(e):\n    announce('four')"),
    )
    outcome = table.ok("ann", "go")
    assert said(outcome) == ["go", "four"]
    assert [(f["rule"], f["hook"], f["code"]) for f in outcome.failures] == [("2", "on_acted", "E-BUDGET")]


# -- winning


def test_win_keeps_what_was_done_and_cancels_the_rest(found: Found) -> None:
    table = found(
        rule("1", "def do_go(a):\n    announce('a')\n    later('y')\n    emit('x')\n    announce('never')", **GO),
        rule("2", "def on_x(e):\n    announce('b')\n    win('ann', 'reached it')\n    announce('never')"),
        rule("3", "def on_x(e):\n    announce('never')\ndef on_y(e):\n    announce('never')"),
        rule("4", "def on_acted(e):\n    announce('never')"),
    )
    outcome = table.ok("ann", "go")
    assert said(outcome) == ["a", "b"]
    over = table.document("game")["over"]
    assert (over["winner"], over["why"], over["rule"]) == (["ann"], "reached it", "2")
    assert effects(outcome, "win")[0]["ends"] is True


def test_win_in_one_of_several_awards_stops_what_follows(found: Found) -> None:
    """T1-14 in small: the winner's points stand, what the awards would have set off later does not."""
    score = {"currencies": {"score": {}}}
    table = found(
        rule("1", "def do_go(a):\n    award('ann', 'score', 10)\n    add('game', 'x', 5)", defines={**score, **X["defines"]}, **GO),
        rule("2", "def on_awarded(e):\n    if get(e.award.to, 'score') >= 10:\n        win(e.award.to)"),
        rule("3", "def on_awarded(e):\n    add('game', 'x', 100)"),
    )  # fmt: skip
    table.ok("ann", "go")
    assert (table.get("ann", "score"), table.get("game", "x")) == (10, 0)


@pytest.mark.parametrize("law", ["", "def decide_win_ends_play(p):\n    return False"])
def test_play_goes_on_where_the_law_says_so(found: Found, law: str) -> None:
    call = "win(['ann', 'bob'], play_on = True)" if not law else "win(['ann', 'bob'])"
    table = found(rule("1", f"def do_go(a):\n    {call}\n    announce('on')", **GO), rule("2", law))
    assert said(table.ok("ann", "go")) == ["on"]
    assert table.document("game")["over"] is None
    assert table.document("game")["won"][0]["winner"] == ["ann", "bob"]


def test_win_from_a_timer_and_from_a_nested_act(found: Found) -> None:
    table = found(
        rule(
            "1",
            """
            def do_go(a):
                after(5, "bell")
            def on_bell(e):
                try_act("end", "bob")
                announce("never")
            def do_end(a):
                win(a.by)
            """,
            actions={"go": {}, "end": {}},
        )
    )
    table.ok("ann", "go")
    assert said(table.pass_time(10)[0]) == []
    assert table.document("game")["over"]["winner"] == ["bob"]
    assert table.kernel.next_due() is None


def test_only_players_win_and_somebody_must(found: Found) -> None:
    table = found(rule("1", "def do_go(a):\n    win('zed')", **GO))
    assert table.refused("ann", "go") == "E-SCRIPT"
    table = found(rule("1", "def do_go(a):\n    win([])", **GO))
    outcome = table.act("ann", "go")
    assert "nobody" in outcome.failures[0]["error"]


def test_a_guard_on_votes_hears_every_kind_by_one_name_of_its_number(found: Found) -> None:
    guard = rule(
        "1",
        """
        def forbid_vote(a):
            p = proposal(a.args.number, a.args.kind)
            return refuse("E-STATUS", "%s %s" % (p.kind, p.title)) if p != None else None

        def do_move(a):
            open_voting(submit("Tea", [], kind = "motion", number = 7))
            open_voting(submit("Cake", [], kind = "petition", number = None))

        def decide_electorate(p):
            return things("player")
        """,
        actions={"move": {}},
        defines={"kinds": {"motion": {"votable": True}, "petition": {"votable": True}}},
    )
    table = found(guard)
    table.ok("ann", "move")
    for given in (
        {"motion": 7},
        {"kind": "motion", "proposal": 7},
        {"kind": "motion"},
        {"petition": "x2"},
        {"kind": "petition"},
    ):
        outcome = table.act("ann", "vote", choice="for", **given)
        assert (outcome.code, outcome.failures) == ("E-STATUS", [])


def test_a_rule_alone_hears_that_it_has_come_into_force(found: Found) -> None:
    heard = "def on_enacted(e):\n    announce(me().number + ' begins: %d there' % len(things('player')))\n"
    making = f"def do_go(a):\n    enact('New', '', script = {heard!r}, number = 30)\n    announce('made')\n"
    table = found(rule("1", making, **GO), rule("2", heard))
    assert said(table.founded) == ["2 begins: 0 there"]
    assert said(table.ok("ann", "go")) == ["30 begins: 3 there", "made"]


@pytest.mark.parametrize(
    "forged", ["{'$': None}", "{'$': 3}", "{'$': True}", "{'$int': 'x'}", "{'$sealed': 'x'}", "[{'a': {'$': 'b'}}]"]
)
@pytest.mark.parametrize("raising", ["emit('rung', x = %s)", "later('rung', x = %s)", "after(60, 'rung', x = %s)"])
def test_nobody_fails_by_a_mark_that_another_script_forged(found: Found, raising: str, forged: str) -> None:
    ringing = rule("1", f"def do_ring(a):\n    {raising % forged}\n", actions={"ring": {}})
    table = found(ringing, rule("2", "def on_rung(e):\n    announce('heard')\n"))
    failures = [*table.act("ann", "ring").failures, *(f for each in table.pass_time(60) for f in each.failures)]
    assert {failure["rule"] for failure in failures} == {"1"}


@pytest.mark.parametrize("forged", ["{'$': None}", "{'$': 3}", "{'$int': 'x'}", "[{'a': {'$': 'b'}}]"])
@pytest.mark.parametrize("asking", ["ask('look', %s)", "ask_all('look', %s)"])
def test_nobody_fails_by_a_mark_in_what_they_are_asked(found: Found, asking: str, forged: str) -> None:
    ringing = rule("1", f"def do_ring(a):\n    {asking % forged}\n", actions={"ring": {}})
    table = found(ringing, rule("2", "def decide_look(x):\n    return 1\n"))
    assert {failure["rule"] for failure in table.act("ann", "ring").failures} == {"1"}
