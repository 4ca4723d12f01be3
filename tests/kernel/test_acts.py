"""An action: opinions in order of precedence, the highest `do_`, `acted`, the `later` queue, acts within acts, and why not."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.table import START, VOTING, Found, Table, failed, reasons, rule, said

GO: dict[str, Any] = {"actions": {"go": {}}}
X = {"game": {"x": {"type": "integer"}}}


def test_highest_do_runs_the_others_are_logged_and_an_error_falls_to_the_next(found: Found) -> None:
    two = rule("2", "def do_go(a):\n    announce('two')", **GO)
    outcome = found(two, rule("1", "def do_go(a):\n    announce('one')", **GO)).ok("ann", "go")
    assert said(outcome) == ["one"]
    assert reasons(outcome, "OVERRULED") == [{"code": "OVERRULED", "rule": "2", "args": {"action": "go", "by": "1"}}]
    outcome = found(two, rule("1", "def do_go(a):\n    announce('one')\n    fail('oh')", **GO)).ok("ann", "go")
    assert (said(outcome), failed(outcome)) == (["two"], [("1", "do_go")])


def test_error_in_do_falls_to_the_last_revision_that_ran(found: Found) -> None:
    table = found(VOTING, rule("1", "def do_go(a):\n    announce('first')", **GO))
    table.adopt({"amend": "1", "script": "def do_go(a):\n    announce('second')\n"})
    table.adopt({"amend": "1", "script": "def do_go(a):\n    return 1 + None\n"})
    outcome = table.ok("ann", "go")
    assert said(outcome) == ["second"]
    assert reasons(outcome, "OLDER-REVISION") == [{"code": "OLDER-REVISION", "rule": "1", "args": {"revision": 2}}]


def test_order_of_an_action(found: Found) -> None:
    law = """
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
    """
    outcome = found(rule("1", law, **GO)).ok("ann", "go")
    assert said(outcome) == ["do", "acted go", "second 1", "third", "fourth"]
    assert [reason["code"] for reason in outcome.reasons] == ["CITED"]


@pytest.mark.parametrize(
    ("higher", "lower", "told"),
    [
        ("permit()", "refuse('E-STATUS', 'asleep')", {"code": "PERMITTED", "rule": "1"}),
        ("refuse('E-STATUS', 'asleep')", "permit()", {"code": "E-STATUS", "rule": "1", "args": {"why": "asleep"}}),
    ],
)
def test_first_opinion_wins(found: Found, higher: str, lower: str, told: dict[str, Any]) -> None:
    opinions = [
        rule(number, f"def {'permit' if 'permit' in answer else 'forbid'}_go(a):\n    return {answer}")
        for number, answer in (("1", higher), ("2", lower))
    ]
    outcome = found(*opinions, rule("3", "def do_go(a):\n    pass", **GO)).act("ann", "go")
    assert outcome.accepted == ("permit" in higher)
    assert reasons(outcome, told["code"]) == [told]


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
    script = f"put('game', 'x', 1)\n    create('ball')\n    emit('gone')\n    {ends}\n\ndef on_gone(e):\n    put('game', 'x', 2)\n"
    table = found(rule("1", f"def do_go(a):\n    {script}", defines={**X, "kinds": {"ball": {}}}, **GO))
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


def test_faults_of_the_judge_put_the_rule_to_sleep_even_when_the_act_is_refused(found: Found) -> None:
    table = found(rule("1", "def forbid(a):\n    pass"), rule("2", "def do_go(a):\n    require(False, 'E-TIME')", **GO))
    outcome = table.judge("go", "ann", {}, deaths=({"rule": "1", "hook": "forbid", "how": "out of memory"},))
    assert (outcome.code, failed(outcome)) == ("E-TIME", [("1", "forbid")])
    assert "died" in table.document("law")["rules"]["1"]["suspended"]


def test_who_may_act_and_when(found: Found) -> None:
    law = "def do_go(a):\n    pass\ndef do_come(a):\n    announce(a.by)\ndef do_end(a):\n    win(a.by)"
    table = found(rule("1", law, actions={"go": {}, "end": {}, "come": {"who": "anyone"}}))
    assert table.refused("zed", "go") == "E-NOT-PLAYER"
    assert said(table.ok("zed", "come")) == ["zed"]
    table.ok("root", "pause")
    assert table.refused("ann", "go") == "E-PAUSED"
    table.ok("root", "resume")
    table.ok("ann", "end")
    assert table.refused("ann", "go") == "E-GAME-OVER"
    table.ok("root", "wake", rule="1")  # administration goes on


def test_try_act_undoes_what_was_refused_and_goes_on(found: Found) -> None:
    law = """
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
    """
    taking = {name: {"arguments": {"n": {"type": "integer"}}} for name in ("go", "risky")}
    table = found(rule("1", law, defines=X, actions=taking))
    assert said(table.ok("ann", "go", n=0)) == ["False E-BOUNDS not positive 1"]
    assert said(table.ok("ann", "go", n=1)) == ["True   7", "after"]


# -- why nobody could


BREAKING = "def do_go(a):\n    announce('x')\n    {}['missing']\n"


def why(table: Table, do: str = "go", **event: Any) -> str:
    """Let ann do something that is refused; return the sentence."""
    table.now += 1
    outcome = table.judge(do, "ann", {}, **event)
    assert not outcome.accepted
    (reason,) = [reason for reason in outcome.reasons if reason["code"] == outcome.code]
    return str(reason["args"]["why"])


def test_each_rule_that_offers_the_action_is_named_with_its_reason(found: Found) -> None:
    table = found(rule("5", BREAKING, **GO), rule("6", **GO), rule("7", "def do_go(a):\n    pass\n", **GO))
    assert table.ok("ann", "go").accepted, "rule 7 carries it out"
    table.ok("root", "suspend", rule="7", why="it does nothing")
    told = why(table)
    assert told.startswith("no rule could carry out 'go': rule 5 failed in its do_go (line 3 of its script): ")
    assert "; rule 6 declares it, but its script has no do_go: a proposal has to amend it; " in told
    assert "rule 7 sleeps since entry 3 (it does nothing): it runs again once an administrator wakes it" in told
    table.ok("root", "wake", rule="7")
    table.ok("ann", "go")
    assert "asleep_since" not in table.document("law")["rules"]["7"]
    told = why(found(*[rule(str(number), BREAKING, **GO) for number in range(5, 15)]))
    assert told.count("failed in its do_go") == 3
    assert told.endswith("; and 7 more rules did not")


def test_who_fell_asleep_or_was_left_out_in_this_very_act_is_named() -> None:
    table = Table(rule("5", "def do_go(a):\n    pass\n", **GO))
    death = {"rule": "5", "hook": "do_go", "how": "ran out of memory"}
    assert "rule 5 is not heard, because the sandbox died in do_go: ran out of memory" in why(table, deaths=(death,))
    assert "rule 5 sleeps since entry 2 (the sandbox died in do_go: ran out of memory)" in why(table)
    slow = {"rule": "5", "hook": "do_go", "why": "ran longer than 10 s"}
    table.ok("root", "wake", rule="5")
    assert "rule 5 was left out of this, because its do_go ran longer than 10 s" in why(table, left_out=(slow,))
    table = Table(rule("5", "def do_go(a):\n    pass\n", **GO), rule("6", "def on_acted(e):\n    announce('heard')\n"))
    for hook, heard in (("on_acted", []), ("load", []), ("on_other", ["heard"])):
        assert said(table.judge("go", "ann", {}, left_out=({**slow, "rule": "6", "hook": hook},))) == heard


def test_an_unknown_action_is_answered_by_what_was_meant_or_who_offered_it(found: Found) -> None:
    table = found(VOTING, rule("5", "def do_wander(a):\n    pass\n", actions={"wander": {}}))
    assert why(table, "wandr") == "no rule in force offers the action 'wandr'; did you mean 'wander'?"
    table.adopt({"repeal": "5"})
    assert why(table, "wander").endswith(f"; rule 5 did, which was repealed in entry {len(table.entries) - 1}")


# -- whether it can be done whatever is said in it


PAID = {"arguments": {"to": {"type": "player"}, "why": {"type": "text", "optional": True}}}
PAYING = "def do_pay(a):\n    announce('paid')\n\n"
OTHERS = "def forbid_pay(a):\n    if a.args.to == a.by:\n        return refuse('E-ARGS', 'pay others')\n"
SHUT = "def forbid_pay(a):\n    return refuse('E-TIME', 'the bank is shut')\n"


def way(do: str, *scripts: str, by: str = "ann") -> Any:
    """Return what stands in the way of an act, of which nothing stays."""
    rules = [rule(str(place), script) for place, script in enumerate(scripts[1:], 2)]
    rests = {"rest": {}, "pay": PAID}
    table = Table(VOTING, rule("1", scripts[0], actions=rests, defines=X), *rules, players=["ann", "bob"])
    before = table.bytes()
    found = table.kernel.stands_in_way(do, by, START)
    assert table.bytes() == before
    return (found["code"], found["why"]) if found else None


ORDER = "def do_pay(a):\n    require({}, 'E-ORDER', 'bob’s turn')\n    announce(a.args.to)"
ASKING = "def do_pay(a):\n    require(ask('payee', a), 'E-NO-SUCH')\n\ndef decide_payee(a):\n    return a.args.to"


@pytest.mark.parametrize(
    ("scripts", "found"),
    [
        ([ORDER.format("a.by == 'bob'")], ("E-ORDER", "bob’s turn")),
        ([ORDER.format("a.args.to == 'bob'")], None),
        ([ORDER.format("getattr(a.args, 'to', None)")], None),
        ([ASKING], None),
        ([PAYING + SHUT], ("E-TIME", "the bank is shut")),
        ([PAYING + OTHERS], None),
        ([PAYING, OTHERS, SHUT], ("E-TIME", "the bank is shut")),
        ([PAYING, "def forbid(a):\n    return hold('bank', 'the bank is shut')"], ("HELD", "the bank is shut")),
    ],
)
def test_what_hangs_on_no_argument_stands_in_the_way(scripts: list[str], found: Any) -> None:
    assert way("pay", *scripts) == found


def test_strangers_are_told_that_they_are_none_and_an_act_that_takes_nothing_is_tried_to_its_end() -> None:
    assert way("pay", PAYING, by="eve") == ("E-NOT-PLAYER", "eve is no player of this game")
    assert way("add_key", PAYING) is None
    for most, told in ((2, None), (1, ("E-ORDER", "once only"))):
        tired = f"require(get('game', 'x') < {most}, 'E-ORDER', 'once only')"
        assert way("rest", f"def do_rest(a):\n    add('game', 'x', 1)\n    {tired}") == told
