"""Events: at once and depth first, listeners fixed at the start, setters, failures, and which events are the engine's alone."""

from __future__ import annotations

import pytest

from folkmoot.files.reader import read_rule
from folkmoot.scenarios.script_check import check_script
from tests.support.table import VOTING, Found, Table, failed, reasons, rule, said

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


def test_handlers_see_the_live_state_and_the_record_as_it_was(found: Found) -> None:
    reads = "announce('%d %d %s' % (e.n, get('game', 'x'), e.p.title))"
    table = found(
        VOTING,
        rule("1", "def do_go(a):\n    emit('x', n = get('game', 'x'), p = submit('old', []))", **GO, **X),
        rule("2", "def on_x(e):\n    put('game', 'x', 5)\n    revise(e.p, title = 'new')"),
        hears("3", reads),
    )
    assert said(table.ok("ann", "go")) == ["0 5 old"]


def test_structs_survive_emit_later_and_timers(found: Found) -> None:
    calls = "".join(
        f"    {call}r = me(), s = struct(a = [struct(b = {n})]))\n"
        for n, call in enumerate(("emit('x', ", "later('x', ", "after(60, 'x', "))
    )
    table = found(rule("1", f"def do_go(a):\n{calls}def on_x(e):\n    announce(e.r.title + str(e.s.a[0].b))", **GO))
    assert said(table.ok("ann", "go")) == ["Rule 10", "Rule 11"]
    assert said(table.pass_time(60)[0]) == ["Rule 12"]


def test_changed_is_raised_only_for_another_value_and_a_script_that_repeals_itself_finishes(found: Found) -> None:
    twice = "put('game', 'x', 4)\n    put('game', 'x', 4)\n    repeal(me())\n    announce('still')"
    telling = hears("3", "announce('%s %s %s>%s' % (e.owner, e.name, e.before, e.after))", event="changed")
    table = found(EMIT, hears("2", twice, **X), telling)
    assert said(table.ok("ann", "go")) == ["game x 0>4", "still"]
    assert said(table.ok("ann", "go")) == []


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


def test_a_rule_alone_hears_that_it_has_come_into_force(found: Found) -> None:
    heard = "def on_enacted(e):\n    announce(me().number + ' begins: %d there' % len(things('player')))\n"
    making = f"def do_go(a):\n    enact('New', '', script = {heard!r}, number = 30)\n    announce('made')\n"
    table = found(rule("1", making, **GO), rule("2", heard))
    assert said(table.founded) == ["2 begins: 0 there"]
    assert said(table.ok("ann", "go")) == ["30 begins: 3 there", "made"]


NEW = "def on_x(e):\\n    announce(\\'new\\')\\n"
MEANWHILE = {
    "repealed": ("repeal(rule('3'))", [], "SKIPPED-REPEALED"),
    "suspended": ("suspend(rule('3'), 'void')", [], "SKIPPED-SUSPENDED"),
    "amended": (f"amend(rule('3'), script = '{NEW}')", ["new"], ""),
    "amended to hear no more": ("amend(rule('3'), script = '')", [], ""),
    "enacted beside": (f"enact('New', '', script = '{NEW}', number = 30) if rule('30') == None else 0", ["3"], ""),
}


@pytest.mark.parametrize("how", MEANWHILE)
def test_a_listener_that_has_changed_meanwhile(found: Found, how: str) -> None:
    body, heard, code = MEANWHILE[how]
    table = found(EMIT, hears("2", body), hears("3", "announce('3')"), hears("40", "announce('last')"))
    outcome = table.ok("ann", "go")
    assert said(outcome) == [*heard, "last"]
    assert [(reason["code"], reason["rule"]) for reason in outcome.reasons] == ([(code, "3")] if code else [])
    if how == "enacted beside":
        assert said(table.ok("ann", "go")) == ["3", "new", "last"], "it waits for the next event"


SETTERS = {  # what rules 2 and 3 do when they hear of x; what x is then, and whether rule 3 is told that it was dropped
    "the highest prevails": ("put('game', 'x', 2)", "announce(str(put('game', 'x', 3)))", 2, ["False"]),
    "the same value": ("put('game', 'x', 2)", "announce(str(put('game', 'x', 2)))", 2, ["True"]),
    "twice by one": ("put('game', 'x', 2)\n    put('game', 'x', 4)", "pass", 4, []),
    "adding": ("put('game', 'x', 2)", "add('game', 'x', 3)", 5, []),
    "in a caused event": ("put('game', 'x', 2)\n    emit('y')", "pass\ndef on_y(e):\n    put('game', 'x', 3)", 3, []),
    "by what failed": ("put('game', 'x', 2)\n    fail('oh')", "put('game', 'x', 3)", 3, []),
}


@pytest.mark.parametrize("how", SETTERS)
def test_who_sets_a_register_that_several_set(found: Found, how: str) -> None:
    higher, lower, value, told = SETTERS[how]
    table = found(EMIT, hears("2", higher, **X), hears("3", lower))
    outcome = table.ok("ann", "go")
    assert (table.get("game", "x"), said(outcome)) == (value, told)
    dropped = {"code": "DROPPED", "rule": "3", "args": {"of": "game", "name": "x", "by": "2"}}
    assert reasons(outcome, "DROPPED") == ([dropped] if told == ["False"] else [])


def test_each_handler_has_a_payload_of_its_own_and_a_failure_has_its_place(found: Found) -> None:
    table = found(
        rule("1", "def do_go(a):\n    emit('x', items = [1])", **GO),
        rule("2", "# first\ndef on_x(e):\n    e.items.append(2)\n    return e.nothing"),
        hears("3", "announce(str(e.items))"),
    )
    outcome = table.ok("ann", "go")
    assert said(outcome) == ["[1]"]
    assert [(each["rule"], each["hook"], each["line"]) for each in outcome.failures] == [("2", "on_x", 4)]


@pytest.mark.parametrize(
    "broken",
    [
        "def on_rule_repealed(e):\n    fail('x')",
        "def permit_vote(a):\n    fail('x')",
        "def decide_electorate(p):\n    return p.nothing",
        "def decide_prevails(a, b):\n    return a.labels.nothing",
        "def do_propose(a):\n    fail('x')",
        "def on_ballot_cast(e):\n    for i in range(9000):\n        emit('noise')\ndef on_noise(e):\n    pass",
        "def on_acted(e):\n    later('acted')",
        "x = [i for i in range(100000) for j in range(100)]\ndef forbid(a):\n    fail('x')",
        "def on_ballot_cast(e):\n    for i in range(100):\n        announce('x' * 16000)",
    ],
)
def test_a_faulty_rule_can_always_be_repealed(found: Found, broken: str) -> None:
    offers = {"actions": VOTING["actions"]} if "do_propose" in broken else {}
    table = found(rule("1", broken, **offers), VOTING)
    table.adopt({"repeal": "1"})
    assert table.in_force() == ["900"]


@pytest.mark.parametrize("forged", ["{'$': None}", "{'$int': 'x'}", "{'$sealed': 'x'}", "[{'a': {'$': 'b'}}]"])
@pytest.mark.parametrize(
    "raising", ["emit('rung', x =", "later('rung', x =", "after(60, 'rung', x =", "ask('look',", "ask_all('look',"]
)
@pytest.mark.sampled(2)
def test_nobody_fails_by_a_mark_that_another_script_forged(found: Found, raising: str, forged: str) -> None:
    if (raising.startswith("ask"), forged) == (True, "{'$sealed': 'x'}"):
        return
    ringing = rule("1", f"def do_ring(a):\n    {raising} {forged})\n", actions={"ring": {}})
    table = found(ringing, rule("2", "def on_rung(e):\n    announce('heard')\n\ndef decide_look(x):\n    return 1\n"))
    failures = [*table.act("ann", "ring").failures, *(f for each in table.pass_time(60) for f in each.failures)]
    assert {failure["rule"] for failure in failures} == {"1"}


# -- the engine's own


LISTENING = rule("5", "def on_joined(e):\n    announce('welcome ' + e.player)\n")
WAYS = [
    "emit('joined', player = 'mallory')",
    "later('joined', player = 'mallory')",
    "emit_under(None, 'joined', player = 'mallory')",
    "after(5, 'joined', player = 'mallory')",
    "every(86400, 'rule-repealed')",
    "emit('changed_score')",
    "emit('proposal_shelved')",
]


@pytest.mark.threat("T-90")
@pytest.mark.parametrize("way", WAYS)
def test_no_rule_raises_what_the_engine_raises(way: str) -> None:
    table = Table(LISTENING, rule("6", f"def do_forge(a):\n    {way}\n", actions={"forge": {}}))
    assert table.refused("ann", "forge") == "E-SCRIPT"
    table.pass_time(100_000)
    assert failed(table.act("ann", "forge")) == [("6", "do_forge")]
    assert "is the engine's to raise" in table.document("law")["rules"]["6"]["failures"][-1]["error"]
    (problem,) = check_script(rule("6", f"def on_acted(e):\n    {way}\n"), None)
    assert "is the engine's to raise" in problem.message
    assert problem.position is not None
    assert problem.position.line == 2


@pytest.mark.threat("T-90")
def test_no_timer_is_called_like_an_event_of_the_engine() -> None:
    text = "title: Forger\ntext: Forges.\ntimers:\n  joined: {every: day}\n  dawn: {every: day}\n"
    with pytest.raises(Exception, match=r"f\.yaml:4:3: E-ARGS: a timer cannot be called so") as error:
        read_rule(text, "f.yaml")
    assert "choose a name" in str(error.value)
    table = Table(rule("6"))
    forger = {"enact": {"title": "F", "text": "F", "timers": {"left": {}}}}
    assert table.refused("root", "repair", changes=[forger], why="x") == "E-ARGS"
