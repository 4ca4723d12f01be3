"""An action: opinions in order of precedence, the highest `do_`, `acted`, the `later` queue, acts within acts, and why not."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.table import START, VOTING, Found, Table, failed, reasons, rule, said

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


def test_error_in_do_falls_to_the_last_revision_that_ran(found: Found) -> None:
    table = found(VOTING, rule("1", 'def do_go(a):\n    announce("first")', **GO))
    table.adopt({"amend": "1", "script": 'def do_go(a):\n    announce("second")\n'})
    table.adopt({"amend": "1", "script": "def do_go(a):\n    return 1 + None\n"})
    outcome = table.ok("ann", "go")
    assert said(outcome) == ["second"]
    assert reasons(outcome, "OLDER-REVISION") == [{"code": "OLDER-REVISION", "rule": "1", "args": {"revision": 2}}]


def test_faults_of_the_judge_put_the_rule_to_sleep_even_when_the_act_is_refused(found: Found) -> None:
    table = found(rule("1", "def forbid(a):\n    pass"), rule("2", 'def do_go(a):\n    require(False, "E-TIME")', **GO))
    outcome = table.judge("go", "ann", {}, deaths=({"rule": "1", "hook": "forbid", "how": "out of memory"},))
    assert outcome.code == "E-TIME"
    assert "died" in table.document("law")["rules"]["1"]["suspended"]
    assert failed(outcome) == [("1", "forbid")]


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


@pytest.mark.parametrize(
    ("ends", "code"),
    [
        ("require(False, 'E-TIME', 'too late')", "E-TIME"),
        ("return refuse('E-FUNDS', 'poor')", "E-FUNDS"),
        ("return {}[a.by]", "E-SCRIPT"),
    ],
)
def test_an_act_that_ends_so_is_refused_and_rolled_back_with_all_that_it_caused(
    found: Found, ends: str, code: str
) -> None:
    script = f"""
def do_go(a):
    put("game", "x", 1)
    create("ball")
    emit("gone")
    {ends}

def on_gone(e):
    put("game", "x", 2)
"""
    table = found(rule("1", script, defines={"game": {"x": {"type": "integer"}}, "kinds": {"ball": {}}}, **GO))
    assert table.refused("ann", "go") == code
    assert len(table.document("law")["rules"]["1"].get("failures", ())) == (code == "E-SCRIPT")


def test_require_hands_on_what_it_was_given_and_refuses_acts_of_the_kernel_too(found: Found) -> None:
    script = "def do_go(a):\n    r = require(rule(str(a.args.n)), 'E-NO-SUCH', 'there is none')\n    announce(r.title)"
    guard = "\ndef forbid_state(a):\n    require(len(a.args.text) < 5, 'E-ARGS', 'too long')"
    table = found(rule("1", script + guard, title="Going", actions={"go": {"arguments": {"n": {"type": "integer"}}}}))
    assert said(table.ok("ann", "go", n=1)) == ["Going"]
    assert table.refused("ann", "go", n=2) == "E-NO-SUCH"
    table.ok("ann", "state", text="hi")
    assert table.refused("ann", "state", text="hello") == "E-ARGS"


def test_error_in_do_falls_to_the_next_rule(found: Found) -> None:
    table = found(
        rule("1", 'def do_go(a):\n    announce("one")\n    fail("oh")', **GO),
        rule("2", 'def do_go(a):\n    announce("two")', **GO),
    )
    outcome = table.ok("ann", "go")
    assert said(outcome) == ["two"]
    assert failed(outcome) == [("1", "do_go")]


# -- why nobody could


BREAKING = "def do_go(a):\n    announce('x')\n    {}['missing']\n"


def why(table: Table, do: str = "go", **event: Any) -> str:
    """Let ann do something that is refused; return the sentence."""
    table.now += 1
    outcome = table.judge(do, "ann", {}, **event)
    assert not outcome.accepted
    (reason,) = [reason for reason in outcome.reasons if reason["code"] == outcome.code]
    return str(reason["args"]["why"])


def test_each_rule_that_offers_the_action_is_named_with_its_reason() -> None:
    table = Table(rule("5", BREAKING, **GO), rule("6", **GO), rule("7", "def do_go(a):\n    pass\n", **GO))
    assert table.ok("ann", "go").accepted, "rule 7 carries it out"
    table.ok("root", "suspend", rule="7", why="it does nothing")
    said = why(table)
    assert said.startswith("no rule could carry out 'go': rule 5 failed in its do_go (line 3 of its script): ")
    assert "; rule 6 declares it, but its script has no do_go: a proposal has to amend it; " in said
    assert "rule 7 sleeps since entry 3 (it does nothing): it runs again once an administrator wakes it" in said
    table.ok("root", "wake", rule="7")
    table.ok("ann", "go")
    assert "asleep_since" not in table.document("law")["rules"]["7"]
    table.replay_all()


def test_who_fell_asleep_or_was_left_out_in_this_very_act_is_named() -> None:
    table = Table(rule("5", "def do_go(a):\n    pass\n", **GO))
    death = {"rule": "5", "hook": "do_go", "how": "ran out of memory"}
    assert "rule 5 is not heard, because the sandbox died in do_go: ran out of memory" in why(table, deaths=(death,))
    assert "rule 5 sleeps since entry 2 (the sandbox died in do_go: ran out of memory)" in why(table)
    slow = {"rule": "5", "hook": "do_go", "why": "ran longer than 10 s"}
    table.ok("root", "wake", rule="5")
    assert "rule 5 was left out of this, because its do_go ran longer than 10 s" in why(table, left_out=(slow,))


def test_ten_rules_make_a_short_sentence() -> None:
    table = Table(*[rule(str(number), BREAKING, **GO) for number in range(5, 15)])
    said = why(table)
    assert said.count("failed in its do_go") == 3
    assert said.endswith("; and 7 more rules did not")
    assert len(said) < 1_000


def test_an_unknown_action_is_answered_by_what_was_meant_or_who_offered_it() -> None:
    table = Table(VOTING, rule("5", "def do_wander(a):\n    pass\n", actions={"wander": {}}))
    assert why(table, "wandr") == "no rule in force offers the action 'wandr'; did you mean 'wander'?"
    table.adopt({"repeal": "5"})
    seq = len(table.entries)
    assert why(table, "wander").endswith(f"; rule 5 did, which was repealed in entry {seq}")
    table.replay_all()


PAID = {"arguments": {"to": {"type": "player"}, "why": {"type": "text", "optional": True}}}


def way(table: Table, do: str, by: str | None = "ann") -> Any:
    found = table.kernel.stands_in_way(do, by, START)
    return (found["code"], found["why"]) if found else None


def paying(*scripts: str) -> Table:
    rules = [rule(str(place), script) for place, script in enumerate(scripts, 2)]
    return Table(VOTING, rule("1", scripts[0], actions={"pay": PAID}), *rules[1:], players=["ann", "bob"])


@pytest.mark.parametrize(
    ("script", "found"),
    [
        ("def do_pay(a):\n    require(a.by == 'bob', 'E-ORDER', 'it is bob’s turn')\n    announce(a.args.to)",
         ("E-ORDER", "it is bob’s turn")),
        ("def do_pay(a):\n    require(a.args.to == 'bob', 'E-ORDER', 'pay bob')", None),
        ("def do_pay(a):\n    require(getattr(a.args, 'to', None), 'E-ORDER', 'say whom')", None),
        ("def do_pay(a):\n    announce('paid')\n\ndef forbid_pay(a):\n    return refuse('E-TIME', 'the bank is shut')",
         ("E-TIME", "the bank is shut")),
        ("def do_pay(a):\n    announce('paid')\n\ndef forbid_pay(a):\n    if a.args.to == a.by:\n"
         "        return refuse('E-ARGS', 'pay others')", None),
        ("def do_pay(a):\n    require(ask('payee', a) != None, 'E-NO-SUCH', 'nobody is to be paid')\n\n"
         "def decide_payee(a):\n    return a.args.to", None),
        ("def do_pay(a):\n    announce('paid')\n\ndef forbid(a):\n    return hold('bank', 'the bank is shut')",
         ("HELD", "the bank is shut")),
    ],
)  # fmt: skip
def test_what_hangs_on_no_argument_stands_in_the_way(script: str, found: Any) -> None:
    assert way(paying(script), "pay") == found


def test_a_guard_that_asks_for_an_argument_hides_none_that_does_not() -> None:
    asks = "def forbid_pay(a):\n    if a.args.to == a.by:\n        return refuse('E-ARGS', 'pay others')"
    knows = "def forbid_pay(a):\n    return refuse('E-TIME', 'the bank is shut')"
    assert way(paying("def do_pay(a):\n    announce('paid')", asks, knows), "pay") == ("E-TIME", "the bank is shut")


def test_nothing_of_it_stays_and_strangers_are_told_that_they_are_none() -> None:
    table = paying("def do_pay(a):\n    announce('paid')")
    before = {key: repr(table.kernel.documents.find(key)) for key in ("game", "law", "things/player")}
    assert way(table, "pay") is None
    assert way(table, "pay", "eve") == ("E-NOT-PLAYER", "eve is no player of this game")
    assert way(table, "add_key") is None
    assert {key: repr(table.kernel.documents.find(key)) for key in before} == before


def test_an_act_that_takes_nothing_is_tried_to_its_end() -> None:
    tired = (
        "def do_rest(a):\n    add('game', 'rests', 1)\n    require(get('game', 'rests') < 2, 'E-ORDER', 'once only')"
    )
    table = Table(VOTING, rule("1", tired, actions={"rest": {}}, defines={"game": {"rests": {"type": "integer"}}}))
    assert way(table, "rest") is None
    table.ok("ann", "rest")
    assert way(table, "rest") == ("E-ORDER", "once only")
