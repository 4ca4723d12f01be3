"""Rules that load functions and values from the script of another rule."""

from __future__ import annotations

import pytest

from folkmoot.kernel.overruled_answers import overruled_answers
from folkmoot.scenarios.known_names import known_in
from folkmoot.scenarios.script_check import check_script
from tests.support.table import VOTING, Found, Record, rule, said, script

GO = {"actions": {"go": {}}}
SHARED = """
    load("numbers", "sum")
    FEE = 3
    def fee(amounts):
        return FEE * sum(amounts)
    def note(what):
        put("game", "noted", "%s by rule %s" % (what, me().number))
"""
GOING = """
    load("rule/7", "FEE", "fee", write = "note")
    def do_go(a):
        announce("%d of %d" % (fee([1, 2]), FEE))
        write("gone")
        announce(get("game", "noted"))
"""
SHARING = rule("7", SHARED, defines={"game": {"noted": {"type": "string", "initial": ""}}})


def test_what_is_shared_is_amended_by_vote_for_all_who_load_it(found: Found) -> None:
    table = found(VOTING, SHARING, rule("1", GOING, **GO))
    assert said(table.ok("ann", "go")) == ["9 of 3", "gone by rule 1"]
    table.adopt({"amend": "7", "script": script(SHARED).replace("FEE = 3", "FEE = 5")})
    assert said(table.ok("ann", "go")) == ["15 of 5", "gone by rule 1"]


@pytest.mark.parametrize(
    ("shared", "what"),
    [
        (rule("8"), "no rule 7 with a script is in force"),
        (rule("7"), "no rule 7 with a script is in force"),
        (rule("7", "def fee(amounts):\n    return 1\n"), "Module has no symbol `FEE`"),
        (rule("7", "FEE = 1 / 2\n"), "`/` would make a float, in line 1 of the script of rule 7"),
        (rule("7", "FEE = [][0]\n"), "Index `0` is out of bound, in line 1 of the script of rule 7"),
        (rule("7", 'load("rule/1", "do_go")\nFEE = 1\n'), "rule 7 loads from itself, by way of others"),
        (rule("7", 'load("rule/7", "fee")\nFEE = 1\n'), "rule 7 loads from itself, by way of others"),
    ],
)  # fmt: skip
def test_says_why_nothing_can_be_loaded(found: Found, shared: Record, what: str) -> None:
    table = found(shared, rule("1", GOING, **GO))
    outcome = table.judge("go", "ann", {})
    assert (outcome.code, outcome.failures[0]["rule"], outcome.failures[0].get("line")) == ("E-SCRIPT", "1", 1)
    assert what in outcome.failures[0]["error"]


def test_a_rule_that_is_gone_or_asleep_shares_nothing_and_who_misses_it_is_on_record(found: Found) -> None:
    for end in ("repeal('7')", "suspend('7')", "renumber('7', '70')", "amend('7', script = 'FEE = 3')"):
        act = rule("2", f"def do_end(a):\n    {end}\n", actions={"end": {}})
        table = found(act, rule("7", SHARED, uid="shared", defines=SHARING["defines"]), rule("1", GOING, **GO))
        table.ok("ann", "go")
        failures = table.ok("ann", "end").failures
        assert [(each["rule"], each["hook"]) for each in failures] == [("1", "load")]
        assert table.refused("ann", "go") == "E-SCRIPT"


@pytest.mark.parametrize(("rules", "answer"), [(24, "9"), (25, None), (400, None)])
def test_a_script_loads_from_at_most_so_many_rules(found: Found, rules: int, answer: str | None) -> None:
    loads = 'load("rule/{0}", f = "f{0}")\nf{1} = f\n'
    chain = [rule(str(n), loads.format(n + 1, n)) for n in range(10, 9 + rules)]
    last = rule(str(9 + rules), f"f{9 + rules} = 9\n")
    first = rule("1", 'load("rule/10", "f10")\ndef do_go(a):\n    announce(str(f10))\n', **GO)
    outcome = found(first, *chain, last).judge("go", "ann", {})
    if answer:
        assert (outcome.failures, said(outcome)) == ([], [answer])
    else:
        assert outcome.failures[0]["error"].startswith("a script loads from at most 24 rules")


LAW = [{"rule": "207", "uid": "7", "script": script(SHARED)}, {"rule": "208", "uid": "8", "text": "Be kind."}]


MISSING = 'E-SCRIPT 1:1: there is no rule {} with a script (name one that has a script by its number, as "rule/207")'


@pytest.mark.parametrize(
    ("loading", "expected"),
    [
        ('load("rule/207", "fee", F = "FEE")\ndef total():\n    return fee(1) + F + F.x\n', []),
        ('load("rule/7", "fee")\n', []),
        ('load("rule/7", "fees")\n', ["E-SCRIPT 1:1: rule 7 has no `fees` (did you mean `fee`?)"]),
        ('load("rule/7", "sum")\n', ["E-SCRIPT 1:1: rule 7 has no `sum` ()"]),
        *((f'load("rule/{n}", "fee")\n', [MISSING.format(n)]) for n in (9, 208)),
    ],
)
def test_check_says_what_a_rule_does_not_share(loading: str, expected: list[str]) -> None:
    checked = {"rule": "1", "script": loading, "actions": {}}
    found = check_script(checked, known_in([*LAW, checked]))
    assert [
        f"{p.code} {p.position.line}:{p.position.column}: {p.message} ({p.hint})" for p in found if p.position
    ] == expected


def test_a_script_loads_from_what_it_names_itself_however_it_is_written(found: Found) -> None:
    hidden = 'load("r\\x75le/7", "FEE")\nTWICE = 2 * FEE\n'
    uses = 'load("rule/7", "FEE")\nload("rule/6", "TWICE")\ndef do_go(a):\n    announce(str(TWICE))\n'
    table = found(VOTING, SHARING, rule("6", hidden), rule("1", uses, **GO))
    assert said(table.ok("ann", "go")) == ["6"]
    table.adopt({"amend": "7", "script": "FEE = 5\n"})
    assert said(table.ok("ann", "go")) == ["10"]


def test_check_says_who_misses_what_a_rule_shares_no_longer_and_takes_a_number_before_a_uid() -> None:
    checked = {**LAW[0], "script": "def fees(amounts):\n    return 1\n"}
    found = check_script(checked, known_in([checked, {"rule": "1", "script": 'load("rule/207", "fee")\n'}]))
    assert [(p.code, p.message, p.hint) for p in found] == [
        ("W-SCRIPT", "rule 1 loads `fee` from this rule, which has no such name", "did you mean `fees`?")
    ]
    moved, taking = {"rule": "70", "uid": "7", "script": "A = 1\n"}, {"rule": "7", "uid": "9", "script": "B = 1\n"}
    checked = {"rule": "1", "uid": "one", "script": 'load("rule/7", "B")\n', "actions": {}}
    assert [*check_script(checked, known_in([moved, taking, checked]))] == []


def test_precedence_follows_what_is_shared_and_what_may_fail_answers_no_longer(found: Found) -> None:
    shared = "def higher(a, b):\n    return a if int(a.number) < int(b.number) else b\n"
    prevails = rule("6", 'load("rule/7", "higher")\ndef decide_prevails(a, b):\n    return higher(a, b)\n')
    answers = [rule(number, f"def decide_which():\n    return '{number}'\n") for number in ("2", "3")]
    table = found(
        VOTING, rule("1", "def do_go(a):\n    announce(ask('which'))\n", **GO), *answers, prevails, rule("7", shared)
    )
    assert said(table.ok("ann", "go")) == ["2"]
    table.adopt({"amend": "7", "script": shared.replace("<", ">")})
    assert said(table.ok("ann", "go")) == ["3"]
    using = rule("2", 'load("rule/7", "n")\ndef decide_adopted(p):\n    few = n(p)\n    return not p.ballots\n')
    other = rule("3", "def decide_adopted(p):\n    return True\n")
    table = found(rule("7", "def n(p):\n    return p.nothing\n"), using, other)
    assert not table.kernel.look(overruled_answers, table.now)
