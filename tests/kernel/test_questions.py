"""Questions, precedence, purity, and the law as of a number."""

from __future__ import annotations

import pytest

from folkmoot.kernel.host import HOST
from tests.support.table import VOTING, Found, Table, failed, reasons, rule, said, script

GO = {"actions": {"go": {}}}
ASK = rule("1", "def do_go(a):\n    announce(str(ask('q', 1)))", **GO)


def test_highest_answer_prevails_and_the_others_are_logged(found: Found) -> None:
    table = found(
        ASK,
        rule("2", "def decide_q(n):\n    return None"),
        rule("3", "def decide_q(n):\n    return 'three'"),
        rule("4", "def decide_q(n):\n    return 'four'"),
        rule("5", "def decide_q(n):\n    return 'three'"),
    )
    outcome = table.ok("ann", "go")
    assert said(outcome) == ["three"]
    assert reasons(outcome, "OVERRULED") == [{"code": "OVERRULED", "rule": "4", "args": {"question": "q", "by": "3"}}]


def test_repeal_wakes_the_rule_below(found: Found) -> None:
    table = found(VOTING, ASK, rule("3", "def decide_q(n):\n    return 3"), rule("4", "def decide_q(n):\n    return 4"))
    table.adopt({"repeal": "3"})
    assert said(table.ok("ann", "go")) == ["4"]


def test_nobody_answers(found: Found) -> None:
    assert said(found(ASK).ok("ann", "go")) == ["None"]


def test_answers_may_be_structs_lists_and_rules(found: Found) -> None:
    law = rule(
        "1",
        """
        def do_go(a):
            q = ask("q", me(), [struct(n = 1)])
            announce("%s %d %s %s" % (q.rule.number, q.items[0].n, q.plain["a"], ask("r").title))
        def decide_q(r, items):
            return struct(rule = r, items = items, plain = {"a": [1]})
        def decide_r():
            return me()
        """,
        **GO,
    )
    assert said(found(law).ok("ann", "go")) == ["1 1 [1] Rule 1"]


@pytest.mark.parametrize(
    "circle",
    [
        "def decide_q(n):\n    return ask('q', n)",
        "def decide_q(n):\n    return ask('r', n)\ndef decide_r(n):\n    return ask('q', n)",
    ],
)
def test_question_that_asks_itself_is_a_circle(found: Found, circle: str) -> None:
    outcome = found(ASK, rule("2", circle)).ok("ann", "go")
    assert said(outcome) == ["None"]
    assert [(f["rule"], f["code"]) for f in outcome.failures] == [("2", "E-CIRCLE")]


def test_question_may_ask_itself_with_other_arguments(found: Found) -> None:
    table = found(ASK, rule("2", "def decide_q(n):\n    return n if n > 5 else ask('q', n + 1)"))
    assert said(table.ok("ann", "go")) == ["6"]


def test_endless_descent_ends_at_a_depth_of_its_own(found: Found) -> None:
    outcome = found(ASK, rule("2", "def decide_q(n):\n    return ask('q', n + 1)")).ok("ann", "go")
    assert said(outcome) == ["None"]
    assert {f["code"] for f in outcome.failures} == {"E-BUDGET"}


def test_require_in_a_question_is_an_error_not_an_answer(found: Found) -> None:
    outcome = found(ASK, rule("2", "def decide_q(n):\n    require(False, 'E-TIME')")).ok("ann", "go")
    assert said(outcome) == ["None"]
    assert failed(outcome) == [("2", "decide_q")]


# -- precedence


def test_precedence_is_asked_pair_by_pair_and_none_means_the_number(found: Found) -> None:
    law = [
        rule("110", """
            def decide_prevails(a, b):
                if a.labels.status != b.labels.status:
                    return a if a.labels.status == "immutable" else b
            """, labels={"status": "immutable"}),
        rule("211", """
            def decide_prevails(a, b):
                if a.labels.status != b.labels.status:
                    return None
                if claims_over(a, b) != claims_over(b, a):
                    return a if claims_over(a, b) else b
            """, labels={"status": "mutable"}),
        rule("301", "def decide_q(n):\n    return 301", labels={"status": "mutable"}),
        rule("302", "def decide_q(n):\n    return 302", labels={"status": "mutable"}, precedence={"over": ["301"]}),
        rule("303", "def decide_q(n):\n    return 303", labels={"status": "immutable"}),
    ]  # fmt: skip
    table = found(ASK, *law)
    assert table.kernel.order(table.now)[:2] == ["110", "303"]
    assert said(table.ok("ann", "go")) == ["303"]
    order = table.kernel.order(table.now)
    assert order.index("302") < order.index("301")


CIRCLE = rule(
    "50",
    """
    def decide_prevails(a, b):
        beats = {"4": "5", "5": "6", "6": "4"}
        if beats.get(a.number) == b.number:
            return a
        if beats.get(b.number) == a.number:
            return b
        return a if int(a.number) > int(b.number) else b
    """,
)


def test_circle_is_a_paradox_told_each_time_and_falls_back_within_it(found: Found) -> None:
    answers = [rule(str(n), f"def decide_q(n):\n    return {n}") for n in (3, 4, 5, 6)]
    table = found(ASK, CIRCLE, *answers)
    for _ in range(2):
        outcome = table.ok("ann", "go")
        assert said(outcome) == ["4"]
        assert reasons(outcome, "PARADOX") == [{"code": "PARADOX", "args": {"rules": ["4", "5", "6"]}}]
    table = found(ASK, CIRCLE, rule("9", "def decide_q(n):\n    return 9"), *answers)
    assert said(table.ok("ann", "go")) == ["9"]


def test_looking_leaves_no_paradox_to_the_next_event(found: Found) -> None:
    answers = [rule(str(n), f"def decide_other(n):\n    return {n}") for n in (4, 5, 6)]
    table = found(ASK, CIRCLE, *answers)
    table.ask("other", 1)
    assert reasons(table.ok("ann", "go"), "PARADOX") == []


def test_rules_that_answer_prevails_are_ordered_by_number(found: Found) -> None:
    up = "def decide_prevails(a, b):\n    return a if int(a.number) < int(b.number) else b"
    down = up.replace("<", ">")
    answers = [rule(str(n), f"def decide_q(n):\n    return {n}") for n in (3, 4)]
    assert said(found(ASK, rule("8", up), rule("9", down), *answers).ok("ann", "go")) == ["3"]
    assert said(found(ASK, rule("8", down), rule("9", up), *answers).ok("ann", "go")) == ["4"]


def test_order_follows_registers_and_switches_that_precedence_reads(found: Found) -> None:
    law = rule(
        "7",
        """
        def decide_prevails(a, b):
            high = a if int(a.number) > int(b.number) else b
            low = b if high == a else a
            return high if get("game", "turned") else low
        def do_turn(a):
            put("game", "turned", not get("game", "turned"))
        """,
        defines={"game": {"turned": {"type": "boolean"}}},
        actions={"turn": {}},
    )
    table = found(ASK, law, *[rule(str(n), f"def decide_q(n):\n    return {n}") for n in (3, 4)])
    heard = []
    for _ in range(3):
        heard += said(table.ok("ann", "go"))
        table.ok("ann", "turn")
    assert heard == ["3", "4", "3"]


def test_failing_precedence_is_told_in_every_event_that_needs_it(found: Found) -> None:
    table = found(
        ASK, rule("2", "def decide_prevails(a, b):\n    return a.nothing"), rule("3", "def decide_q(n):\n    return 3"),
        rule("4", "def decide_q(n):\n    return 4"),
    )  # fmt: skip
    for _ in range(2):
        assert failed(table.ok("ann", "go")) == [("2", "decide_prevails")]


def test_precedence_may_ask_questions_of_its_own(found: Found) -> None:
    law = rule("2", "def decide_prevails(a, b):\n    return a if int(a.number) > ask('q', 0) else None\n")
    table = found(ASK, law, *[rule(str(n), f"def decide_q(n):\n    return {n}") for n in (3, 4)])
    assert said(table.ok("ann", "go")) == ["3"]


def test_many_listeners_are_sorted_too(found: Found) -> None:
    down = rule("1000", "def decide_prevails(a, b):\n    return a if int(a.number) > int(b.number) else b")
    many = [rule(str(n), f"def decide_q(n):\n    return {n}" if n > 195 else "def decide_q(n):\n    return None")
            for n in range(100, 200)]  # fmt: skip
    assert said(found(ASK, down, *many).ok("ann", "go")) == ["199"]


# -- purity

BOTH = "def both(a, b):\n    return [a, b]\n\n"
SEALED = {"sealed": {"both": "Two values"}}
WRITES = {
    "put": "put('game', 'x', 1)",
    "put of a switch": "put('settings', 'Q1', 'b')",
    "add": "add('game', 'x', 1)",
    "award": "award('ann', 'score', 1)",
    "award_all": "award_all([['ann', 1]], 'score')",
    "transfer": "transfer('ann', 'bob', 'score', 0)",
    "append": "append('game', 'xs', 1)",
    "put_all": "put_all('x', [['game', 1]])",
    "put_in": "put_in('game', 'm', 'x', 1)",
    "reset": "reset('ann')",
    "sealed": "sealed('both', 1, 2)",
    "shuffle_sealed": "shuffle_sealed([1, 2])",
    "pick_sealed": "pick_sealed([1, 2])",
    "declassify": "declassify(pick_sealed([1, 2]), 'why not')",
    "disclose": "disclose(pick_sealed([1, 2]), 'ann')",
    "create": "create('ball')",
    "destroy": "destroy('bob')",
    "give": "give('ball-1', 'bob')",
    "reveal": "reveal('ball-1')",
    "enact": "enact('New', '')",
    "amend": "amend(rule('1'), text = 'x')",
    "repeal": "repeal(rule('1'))",
    "renumber": "renumber(rule('1'), '77')",
    "label": "label(rule('1'), a = 'b')",
    "suspend": "suspend(rule('1'))",
    "wake": "wake(rule('1'))",
    "submit": "submit('x', [])",
    "freeze": "freeze(proposal(1))",
    "number": "number(submit('three', [], number = None))",
    "revise": "revise(proposal(1), title = 'x')",
    "open_voting": "open_voting(proposal(1))",
    "close_voting": "close_voting(proposal(2))",
    "cast": "cast(proposal(2), 'ann', 'for')",
    "enrol": "enrol(proposal(2), 'ball-1')",
    "strike": "strike(proposal(2), 'bob')",
    "recount": "recount(proposal(2))",
    "resolve": "resolve(proposal(1), 'ignored')",
    "take_effect": "take_effect(resolve(proposal(2), 'adopted', effective = False))",
    "emit": "emit('x')",
    "emit_under": "emit_under(None, 'x')",
    "later": "later('x')",
    "release": "release('x')",
    "drop": "drop(1)",
    "take_back": "take_back(2)",
    "try_act": "try_act('state', 'ann', {'text': 'x'})",
    "owe": "owe('ann', 'x')",
    "owe_all": "owe_all(['ann'], 'x')",
    "settle": "settle('x')",
    "win": "win('ann')",
    "announce": "announce('x')",
    "at": "at(now() + 5, 'x')",
    "after": "after(5, 'x')",
    "every": "every(60, 'x')",
    "cancel": "cancel('x')",
    "roll": "roll(6)",
    "roll of several": "roll(6, count = 2)",
    "between": "between(1, 2)",
    "chance": "chance(1, 2)",
    "pick": "pick([1, 2])",
    "shuffle": "shuffle([1, 2])",
}
TRIED = WRITES | {
    name: f"a = struct(by = 'ann')\n{declared.body}".replace("\n", "\n    ")
    for name, declared in HOST.words.items()
    if HOST.writes(name) and name not in WRITES
}
"""A call of each function that writes: where none is written here, its example."""
PURE = {
    "decide_q": "def decide_q(n):",
    "forbid": "def forbid(a):",
    "forbid_go": "def forbid_go(a):",
    "permit_go": "def permit_go(a):",
    "adjust_award": "def adjust_award(a):",
    "show_page": "def show_page():",
    "decide_prevails": "def decide_prevails(a, b):",
}
STAGE = rule(
    "1",
    """
    def do_prepare(a):
        create("ball")
        submit("one", [])
        open_voting(submit("two", []))
    def do_go(a):
        ask("q", 1)
        award("ann", "score", 1)
    """,
    defines={
        "game": {"x": {"type": "integer"}, "xs": {"type": "list"}, "m": {"type": "map"}},
        "currencies": {"score": {}},
        "kinds": {"ball": {}},
    },
    settings={"Q1": {"question": "?", "default": "a", "alternatives": {"a": "", "b": ""}}},
    actions={"go": {}, "prepare": {}},
)


@pytest.mark.parametrize("hook", PURE)
@pytest.mark.parametrize("name", TRIED)
def test_hooks_that_look_cannot_write(hook: str, name: str) -> None:
    answering = rule("3", "def decide_q(n):\n    return None\ndef adjust_award(a):\n    pass")
    table = Table(
        STAGE, rule("2", f"{BOTH}{PURE[hook]}\n    {TRIED[name]}", **SEALED), rule("4", answering["script"]), answering
    )
    prepared, outcome = table.act("ann", "prepare"), table.act("ann", "go")
    assert outcome.accepted != hook.startswith("forbid"), "a guard that fails refuses"
    if hook == "show_page":
        assert "may only look" in table.kernel.pages(table.now)["page"]["error"]
        return
    told = [f for o in (prepared, outcome) for f in o.failures if (f["rule"], f["hook"]) == ("2", hook)]
    assert {f["code"] for f in told} == {"E-PURE"}
    assert [e["effect"] for e in outcome.effects] == (["award"] if outcome.accepted else [])


def test_every_function_that_is_tried_writes() -> None:
    assert {name.split()[0] for name in WRITES} <= {name for name in HOST.words if HOST.writes(name)}


def test_the_same_calls_work_where_writing_is_allowed() -> None:
    """Otherwise the refusals above could have any reason."""
    for name, call in WRITES.items():
        if name != "win":
            table = Table(
                STAGE, rule("2", f"{BOTH}def do_do(a):\n    {call}\n    announce('done')", actions={"do": {}}, **SEALED)
            )
            table.ok("ann", "prepare")
            assert said(table.ok("ann", "do"))[-1] == "done", name


def test_a_pure_hook_is_pure_all_the_way_down(found: Found) -> None:
    table = found(
        ASK, rule("2", "def helper():\n    put('game', 'x', 1)\ndef decide_q(n):\n    return ask('r')",
                  defines={"game": {"x": {"type": "integer"}}}),
        rule("3", "def decide_r():\n    put('game', 'x', 1)\n    return 1"),
    )  # fmt: skip
    outcome = table.ok("ann", "go")
    assert table.get("game", "x") == 0
    assert failed(outcome) == [("3", "decide_r")]


@pytest.mark.parametrize(
    "read", ["get('game', 'x')", "now()", "rules()", "things('player')", "setting('Q1')", "roll(6)"]
)
def test_nothing_may_be_read_while_a_script_loads(found: Found, read: str) -> None:
    outcome = found(STAGE, rule("2", f"X = {read}\ndef forbid(a):\n    return refuse('E-TIME')")).act("ann", "go")
    assert outcome.code == "E-SCRIPT"
    assert failed(outcome) == [("2", "forbid")]
    assert "loads" in outcome.failures[0]["error"]


def test_looking_at_registers_does_not_bring_them_into_being(found: Found) -> None:
    table = found(rule("1", "def do_go(a):\n    announce(str(get(me(), 'x')) + str(get(office('o'), 'holder')))",
                       defines={"rule": {"x": {"type": "integer"}}, "offices": {"o": {}}}, **GO))  # fmt: skip
    before = table.bytes()
    assert said(table.ok("ann", "go")) == ["0None"]
    assert table.bytes() == before


# -- the law as of a number

NUMBERED = rule(
    "10",
    """
    def decide_law_for(s):
        return s.number
    def decide_conflict(p, c, x):
        return "change"
    def do_judge(a):
        emit("judged")
    """,
    actions={"judge": {"arguments": {"number": {"type": "integer"}}}},
)
SAYS = "def on_judged(e):\n    announce('{}')\n"


def test_of_the_versions_that_apply_the_most_recently_accepted(found: Found) -> None:
    table = found(VOTING, NUMBERED, rule("11", SAYS.format("first")))
    one = table.propose("ann", {"amend": "11", "script": SAYS.format("second")})
    two = table.propose("ann", {"amend": "11", "script": SAYS.format("third")})
    for number in (two, one):  # the later number is accepted first
        for voter in ("ann", "bob", "cid"):
            table.ok(voter, "vote", proposal=number, choice="for")
    assert said(table.ok("ann", "judge", number=one - 1)) == ["first"]
    assert said(table.ok("ann", "judge", number=one)) == ["second"]
    assert said(table.ok("ann", "judge", number=two)) == ["second"]  # accepted after the third, and it applies


def test_repeal_is_a_version_too(found: Found) -> None:
    table = found(VOTING, NUMBERED, rule("11", SAYS.format("first")))
    table.adopt({"repeal": "11"})
    assert said(table.ok("ann", "judge", number=900)) == ["first"]
    assert said(table.ok("ann", "judge", number=901)) == []
    table.adopt({"enact": {"title": "Again", "script": SAYS.format("again")}})
    assert said(table.ok("ann", "judge", number=901)) == []
    assert said(table.ok("ann", "judge", number=902)) == ["again"]


def test_a_rule_enacted_later_does_not_govern_earlier_numbers(found: Found) -> None:
    table = found(VOTING, NUMBERED)
    table.adopt({"enact": {"title": "New", "script": SAYS.format("new")}})
    assert said(table.ok("ann", "judge", number=900)) == []
    assert said(table.ok("ann", "judge", number=901)) == ["new"]


def test_older_law_still_has_its_registers(found: Found) -> None:
    old = rule("11", "def on_judged(e):\n    announce(str(add('game', 'x', 1)))",
               defines={"game": {"x": {"type": "integer", "initial": 5}}})  # fmt: skip
    table = found(VOTING, NUMBERED, old)
    table.adopt({"repeal": "11"})
    assert said(table.ok("ann", "judge", number=900)) == ["6"]
    assert said(table.ok("ann", "judge", number=900)) == ["7"]


def test_today_law_governs_where_nobody_says_otherwise(found: Found) -> None:
    table = found(VOTING, rule("10", NUMBERED["script"].replace("return s.number", "return None"), actions=NUMBERED["actions"]),
                  rule("11", SAYS.format("first")))  # fmt: skip
    table.adopt({"amend": "11", "script": SAYS.format("second")})
    assert said(table.ok("ann", "judge", number=1)) == ["second"]


def test_an_act_within_an_act_is_under_its_own_law(found: Found) -> None:
    day = rule("12", "def do_end(a):\n    for n in [900, 901]:\n        try_act('judge', a.by, {'number': n})",
               actions={"end": {}})  # fmt: skip
    table = found(VOTING, NUMBERED, rule("11", SAYS.format("first")), day)
    table.adopt({"amend": "11", "script": SAYS.format("second")})
    assert said(table.ok("ann", "end")) == ["first", "second"]


def test_reenactment_revives_registers_of_players(found: Found) -> None:
    defines = {"player": {"team": {"type": "string", "initial": "red"}}}
    law = rule("11", "def do_join_team(a):\n    put(a.by, 'team', a.args.team)", defines=defines,
               actions={"join_team": {"arguments": {"team": {"type": "string"}}}})  # fmt: skip
    table = found(
        VOTING, law, rule("12", "def do_look(a):\n    announce(str(defined(a.by, 'team')))", actions={"look": {}})
    )
    table.ok("ann", "join_team", team="blue")
    table.adopt({"repeal": "11"})
    assert said(table.ok("ann", "look")) == ["False"]
    table.adopt({"enact": {"title": "Teams", "defines": defines, "script": script("def on_x(e):\n    pass\n")}})
    assert table.get("ann", "team") == "blue"
    assert table.get("bob", "team") == "red"


def test_renumbering_keeps_uid_and_history(found: Found) -> None:
    law = rule(
        "1",
        "def do_go(a):\n    renumber(rule('5'), 12)\ndef on_rule_renumbered(e):\n    announce(e.before + '>' + e.rule.number)",
        **GO,
    )
    table = found(law, rule("5"))
    assert said(table.ok("ann", "go")) == ["5>12"]
    assert table.in_force() == ["1", "12"]
    meta = table.document("law")["rules"]["5"]
    assert (meta["number"], meta["former_numbers"], meta["revision"]) == ("12", ["5"], 1)
    assert table.document("rules/5")["rule"] == "12"


@pytest.mark.parametrize("number", ["1", "../x", "a b", "", "x/y", "é"])
def test_numbers_that_cannot_be(found: Found, number: str) -> None:
    for call in (f"renumber(rule('5'), {number!r})", f"enact('x', '', number = {number!r})"):
        if call.startswith("enact") and number == "1":
            continue
        table = found(rule("1", f"def do_go(a):\n    {call}", **GO), rule("5"))
        assert table.refused("ann", "go") == "E-SCRIPT"


def test_a_taken_uid_gets_a_suffix(found: Found) -> None:
    go = "def do_go(a):\n    made = enact('x', '', number = 'A')\n    announce(made.uid)\n    repeal(made)"
    table = found(rule("1", go, **GO), rule("a"))
    assert said(table.ok("ann", "go")) == ["A-2"]
    assert said(table.ok("ann", "go")) == ["A-3"]


def test_how_deep_the_caller_stands_decides_nothing(found: Found) -> None:
    def lower(steps: int) -> None:
        if steps:
            lower(steps - 1)
        else:
            outcome = found(ASK, rule("2", "def decide_q(n):\n    return ask('q', n + 1)")).ok("ann", "go")
            assert {f["error"] for f in outcome.failures} == {"scripts call each other more than 60 deep"}

    lower(0)
    lower(300)
