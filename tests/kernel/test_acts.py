"""An action: the view of the law, opinions in order of precedence, the highest `do_`, `acted`, the `later` queue."""

from __future__ import annotations

import pytest

from tests.support.table import VOTING, Found, effects, failed, reasons, rule, said

GO = {"actions": {"go": {}}}


def test_highest_do_runs_and_the_others_are_logged(found: Found) -> None:
    table = found(
        rule("2", 'def do_go(a):\n    announce("two")', **GO), rule("1", 'def do_go(a):\n    announce("one")', **GO)
    )
    outcome = table.ok("ann", "go")
    assert said(outcome) == ["one"]
    assert reasons(outcome, "OVERRULED") == [{"code": "OVERRULED", "rule": "2", "args": {"action": "go", "by": "1"}}]


def test_order_of_an_action(found: Found) -> None:
    law = rule(
        "1",
        """
        def forbid(a):
            cite(me())
        def do_go(a):
            later("second", n = 1)
            later("third")
            announce("do")
        def on_acted(e):
            announce("acted " + e.action.name)
        def on_second(e):
            announce("second %d" % e.n)
            later("fourth")
        def on_third(e):
            announce("third")
        def on_fourth(e):
            announce("fourth")
        """,
        **GO,
    )
    assert said(found(law).ok("ann", "go")) == ["do", "acted go", "second 1", "third", "fourth"]


@pytest.mark.parametrize(("higher", "lower", "code"), [("permit", "forbid", None), ("forbid", "permit", "E-STATUS")])
def test_first_opinion_wins(found: Found, higher: str, lower: str, code: str | None) -> None:
    opinions = {
        "permit": "def permit_go(a):\n    return permit()",
        "forbid": 'def forbid_go(a):\n    return refuse("E-STATUS", "asleep")',
    }
    table = found(rule("1", opinions[higher]), rule("2", opinions[lower]), rule("3", "def do_go(a):\n    pass", **GO))
    outcome = table.act("ann", "go")
    assert outcome.accepted == (code is None)
    if code is None:
        assert reasons(outcome, "PERMITTED") == [{"code": "PERMITTED", "rule": "1"}]
    else:
        assert reasons(outcome, code) == [{"code": code, "rule": "1", "args": {"why": "asleep"}}]


def test_forbid_hears_of_acts_of_the_kernel(found: Found) -> None:
    table = found(rule("1", 'def forbid_state(a):\n    return refuse("E-STATUS", "hush")'))
    assert table.refused("ann", "state", text="hello") == "E-STATUS"


def test_require_in_forbid_refuses(found: Found) -> None:
    table = found(rule("1", 'def forbid_state(a):\n    require(len(a.args.text) < 5, "E-ARGS", "too long")'))
    table.ok("ann", "state", text="hi")
    assert table.refused("ann", "state", text="hello") == "E-ARGS"


def test_law_for_fixes_the_view_that_nested_events_inherit(found: Found) -> None:
    table = found(
        VOTING,
        rule("1", "def decide_law_for(s):\n    return s.number"),
        rule("2", "def do_judge(a):\n    emit('judged')", actions={"judge": {"arguments": {"number": {"type": "integer"}}}}),
        rule("3", "def on_judged(e):\n    announce('old ' + rule('3').text + ask('word'))\ndef decide_word():\n    return 'old'",
             text="before"),
    )  # fmt: skip
    table.adopt({"amend": "3", "text": "after", "script": "def on_judged(e):\n    announce('new')\n"})
    assert said(table.ok("ann", "judge", number=900)) == ["old beforeold"]
    assert said(table.ok("ann", "judge", number=901)) == ["new"]


def test_require_in_do_refuses_and_rolls_back_everything(found: Found) -> None:
    law = rule(
        "1",
        """
        def do_go(a):
            put("game", "x", 1)
            create("ball")
            emit("gone")
            require(False, "E-TIME", "too late")
        def on_gone(e):
            put("game", "x", 2)
        """,
        defines={"game": {"x": {"type": "integer"}}, "kinds": {"ball": {}}},
        **GO,
    )
    assert found(law).refused("ann", "go") == "E-TIME"


def test_require_returns_what_it_was_given(found: Found) -> None:
    script = 'def do_go(a):\n    r = require(rule(str(a.args.n)), "E-NO-SUCH", "there is no rule %d" % a.args.n)\n    announce(r.title)'
    table = found(rule("1", script, title="Going", actions={"go": {"arguments": {"n": {"type": "integer"}}}}))
    assert said(table.ok("ann", "go", n=1)) == ["Going"]
    assert table.refused("ann", "go", n=2) == "E-NO-SUCH"


def test_refusal_returned_by_do_refuses(found: Found) -> None:
    table = found(rule("1", 'def do_go(a):\n    announce("x")\n    return refuse("E-FUNDS", "poor")', **GO))
    assert table.refused("ann", "go") == "E-FUNDS"


def test_error_in_do_falls_to_the_next_rule(found: Found) -> None:
    table = found(
        rule("1", 'def do_go(a):\n    announce("one")\n    fail("oh")', **GO),
        rule("2", 'def do_go(a):\n    announce("two")', **GO),
    )
    outcome = table.ok("ann", "go")
    assert said(outcome) == ["two"]
    assert failed(outcome) == [("1", "do_go")]
    assert table.document("law")["rules"]["1"]["failures"][0]["hook"] == "do_go"


def test_error_in_do_falls_to_the_last_revision_that_ran(found: Found) -> None:
    table = found(VOTING, rule("1", 'def do_go(a):\n    announce("first")', **GO))
    table.adopt({"amend": "1", "script": 'def do_go(a):\n    announce("second")\n'})
    table.adopt({"amend": "1", "script": "def do_go(a):\n    return 1 + None\n"})
    outcome = table.ok("ann", "go")
    assert said(outcome) == ["second"]
    assert reasons(outcome, "OLDER-REVISION") == [{"code": "OLDER-REVISION", "rule": "1", "args": {"revision": 2}}]


def test_act_that_no_revision_can_carry_out_is_refused(found: Found) -> None:
    table = found(rule("1", "def do_go(a):\n    return {}[a.by]", **GO))
    assert table.refused("ann", "go") == "E-SCRIPT"
    assert table.document("law")["rules"]["1"]["failures"][0]["revision"] == 1


def test_error_in_a_guard_refuses_and_in_another_opinion_counts_as_none(found: Found) -> None:
    go = rule("2", "def do_go(a):\n    pass", **GO)
    assert failed(found(rule("1", "def permit_go(a):\n    return 1 + None"), go).ok("ann", "go")) == [
        ("1", "permit_go")
    ]
    outcome = found(rule("1", "def forbid(a):\n    return 1 + None"), go).act("ann", "go")
    assert (outcome.code, failed(outcome)) == ("E-SCRIPT", [("1", "forbid")])


def test_faults_of_the_judge_put_the_rule_to_sleep_even_when_the_act_is_refused(found: Found) -> None:
    table = found(rule("1", "def forbid(a):\n    pass"), rule("2", 'def do_go(a):\n    require(False, "E-TIME")', **GO))
    outcome = table.judge("go", "ann", {}, deaths=({"rule": "1", "hook": "forbid", "how": "out of memory"},))
    assert outcome.code == "E-TIME"
    assert "died" in table.document("law")["rules"]["1"]["suspended"]
    assert failed(outcome) == [("1", "forbid")]


def test_unknown_action_is_refused_with_the_nearest_name(found: Found) -> None:
    table = found(rule("1", "def do_finalise(a):\n    pass", actions={"finalise": {}}))
    outcome = table.act("ann", "finalize")
    assert outcome.code == "E-NO-SUCH"
    assert "did you mean 'finalise'" in outcome.reasons[-1]["args"]["why"]


def test_only_players_act_unless_anybody_may(found: Found) -> None:
    law = rule("1", "def do_go(a):\n    pass\ndef do_come(a):\n    announce(a.by)",
               actions={"go": {}, "come": {"who": "anyone"}})  # fmt: skip
    table = found(law)
    assert table.refused("zed", "go") == "E-NOT-PLAYER"
    assert said(table.ok("zed", "come")) == ["zed"]


def test_nothing_but_administration_while_paused_or_over(found: Found) -> None:
    law = rule("1", "def do_go(a):\n    pass\ndef do_end(a):\n    win(a.by)", actions={"go": {}, "end": {}})
    table = found(law)
    table.ok("root", "pause")
    assert table.refused("ann", "go") == "E-PAUSED"
    table.ok("root", "resume")
    table.ok("ann", "end")
    assert table.refused("ann", "go") == "E-GAME-OVER"
    table.ok("root", "wake", rule="1")


# -- holding


CLOCK = rule(
    "1",
    """
    def forbid(a):
        if get("game", "off") and "clock" not in a.despite:
            return hold("clock", "the clock is off")
    def do_start(a):
        put("game", "off", False)
        release("clock")
    def do_stop(a):
        put("game", "off", True)
    """,
    defines={"game": {"off": {"type": "boolean", "initial": True}, "second": {"type": "boolean"}}},
    actions={"start": {"despite": ["clock"]}, "stop": {"despite": ["clock"]}},
)
SAY = rule("2", "def do_say(a):\n    require(a.args.n < 9, 'E-ARGS')\n    announce(a.by + str(a.args.n))",
           actions={"say": {"arguments": {"n": {"type": "integer"}}}})  # fmt: skip


def test_held_acts_are_judged_anew_in_the_order_of_arrival(found: Found) -> None:
    table = found(CLOCK, SAY)
    for by, n in [("bob", 1), ("ann", 2), ("cid", 9), ("bob", 3)]:
        outcome = table.ok(by, "say", n=n)
        assert outcome.code == "HELD"
        assert reasons(outcome, "HELD")[0]["args"] == {"label": "clock", "why": "the clock is off"}
    released = table.ok("ann", "start")
    assert said(released) == ["bob1", "ann2", "bob3"]
    assert len(effects(released, "release")) == 4
    assert len(reasons(released, "E-ARGS")) == 1
    assert table.document("things/held") == {}


def test_release_returns_what_came_of_each_act_that_was_held(found: Found) -> None:
    telling = 'for act in release("clock"):\n        announce("%d %s %s" % (act.id, act.ok, act.code))'
    table = found({**CLOCK, "script": CLOCK["script"].replace('release("clock")', telling)}, SAY)
    table.ok("bob", "say", n=1)
    table.ok("cid", "say", n=9)
    assert said(table.ok("ann", "start")) == ["bob1", "2 True ", "3 False E-ARGS"]


def test_released_act_that_is_held_again_keeps_its_place(found: Found) -> None:
    other = rule("3", "def forbid_say(a):\n    if get('game', 'second'):\n        return hold('bell')\n"
                      "def do_ring(a):\n    put('game', 'second', False)\n    release('bell')",
                 actions={"ring": {"despite": ["clock"]}})  # fmt: skip
    table = found(CLOCK, SAY, other, opening=[{"game": True, "second": True}])
    table.ok("ann", "say", n=1)
    table.ok("bob", "say", n=2)
    assert said(table.ok("ann", "start")) == []
    assert [kept["label"] for kept in table.document("things/held").values()] == ["bell", "bell"]
    assert said(table.ok("ann", "ring")) == ["ann1", "bob2"]


def test_release_judges_each_under_its_own_savepoint(found: Found) -> None:
    breaking = rule("2", "def do_say(a):\n    announce(a.by)\n    require(a.args.n < 9, 'E-ARGS')",
                    actions={"say": {"arguments": {"n": {"type": "integer"}}}})  # fmt: skip
    table = found(CLOCK, breaking)
    for by, n in [("ann", 9), ("bob", 1)]:
        table.ok(by, "say", n=n)
    assert said(table.ok("ann", "start")) == ["bob"]


# -- acts within acts


TRY = rule(
    "1",
    """
    def do_go(a):
        put("game", "x", 1)
        done = try_act("risky", a.by, {"n": a.args.n})
        announce("%s %s %s %s" % (done.ok, done.code, done.why, get("game", "x")))
    def do_risky(a):
        put("game", "x", 5)
        later("after")
        require(a.args.n > 0, "E-BOUNDS", "not positive")
        put("game", "x", 7)
    def on_after(e):
        announce("after")
    """,
    defines={"game": {"x": {"type": "integer"}}},
    actions={name: {"arguments": {"n": {"type": "integer"}}} for name in ("go", "risky")},
)


def test_try_act_undoes_what_was_refused_and_goes_on(found: Found) -> None:
    table = found(TRY)
    assert said(table.ok("ann", "go", n=0)) == ["False E-BOUNDS not positive 1"]
    assert said(table.ok("ann", "go", n=1)) == ["True   7", "after"]


def test_try_act_cannot_do_what_administrators_do(found: Found) -> None:
    law = rule("1", "def do_go(a):\n    announce(try_act('suspend', None, {'rule': '1'}).code)\n"
                    "    announce(try_act('engine', 'root', {'versions': {}}).code)", **GO)  # fmt: skip
    assert said(found(law).ok("ann", "go")) == ["E-NOT-ADMINISTRATOR"] * 2


def test_an_action_is_handed_on_whatever_its_arguments_are_called(found: Found) -> None:
    """What is a record of the kernel is known by more than one of its names."""
    script = (
        "def do_wave(a):\n    emit('waved', action = a)\n"
        "def on_waved(e):\n    announce('%s waves to %s' % (e.action.by, e.action.args.uid))\n"
    )
    law = rule("1", script, actions={"wave": {"arguments": {"uid": {"type": "string"}}}})
    assert said(found(law).ok("ann", "wave", uid="bob")) == ["ann waves to bob"]
