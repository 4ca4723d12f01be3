"""Which rule goes first: asked pair by pair, circles, what the order rests on, and answers that are always overruled."""

from __future__ import annotations

from typing import Any

import pytest

from folkmoot.kernel.overruled_answers import overruled_answers, overruled_told
from folkmoot.kernel.trials import foresee
from tests.support.moot import Said
from tests.support.quick import SMALL
from tests.support.seats import Seats, Sit
from tests.support.table import VOTING, Found, Table, failed, reasons, rule, said

GO = {"actions": {"go": {}}}
ASK = rule("1", "def do_go(a):\n    announce(str(ask('q', 1)))", **GO)


X = "def decide_x():\n    return {}\n"
CLAIMS = rule(
    "6", "def decide_prevails(a, b):\n    return a if claims_over(a, b) else b if claims_over(b, a) else None"
)
UP = "def decide_prevails(a, b):\n    return a if int(a.number) < int(b.number) else b"
DOWN = UP.replace("<", ">")
BEATS = """
    def decide_prevails(a, b):
        beats = {"4": "5", "5": "6", "6": "4"}
        if beats.get(a.number) == b.number:
            return a
        if beats.get(b.number) == a.number:
            return b
        return a if int(a.number) > int(b.number) else b
"""


def answers(*numbers: int, question: str = "q") -> list[dict[str, Any]]:
    return [rule(str(n), f"def decide_{question}(n):\n    return {n}") for n in numbers]


def test_circle_is_a_paradox_told_each_time_that_it_matters_and_falls_back_within_it(found: Found) -> None:
    table = found(ASK, rule("50", BEATS), *answers(3, 4, 5, 6))
    for _ in range(2):
        outcome = table.ok("ann", "go")
        assert said(outcome) == ["4"]
        assert reasons(outcome, "PARADOX") == [{"code": "PARADOX", "args": {"rules": ["4", "5", "6"]}}]
    assert said(found(ASK, rule("50", BEATS), *answers(3, 4, 5, 6, 9)).ok("ann", "go")) == ["9"]
    table = found(ASK, rule("50", BEATS), *answers(4, 5, 6, question="other"))
    table.ask("other", 1)
    assert reasons(table.ok("ann", "go"), "PARADOX") == [], "looking leaves none to the next event"


def test_rules_that_answer_prevails_are_ordered_by_number_and_a_failing_one_is_told_each_time(found: Found) -> None:
    for first, second, answer in ((UP, DOWN, "3"), (DOWN, UP, "4")):
        assert said(found(ASK, rule("8", first), rule("9", second), *answers(3, 4)).ok("ann", "go")) == [answer]
    assert said(found(ASK, rule("1000", DOWN), *answers(*range(150, 200))).ok("ann", "go")) == ["199"]
    table = found(ASK, rule("2", "def decide_prevails(a, b):\n    return a.nothing"), *answers(3, 4))
    for _ in range(2):
        assert failed(table.ok("ann", "go")) == [("2", "decide_prevails")]


def test_order_follows_registers_that_precedence_reads(found: Found) -> None:
    low = "    low = a if int(a.number) < int(b.number) else b\n"
    turned = f"def decide_prevails(a, b):\n{low}    high = b if low == a else a\n    return high if get('game', 'turned') else low"
    turning = "def do_turn(a):\n    put('game', 'turned', not get('game', 'turned'))\n"
    defines = {"game": {"turned": {"type": "boolean"}}}
    table = found(ASK, rule("7", f"{turning}\n{turned}", defines=defines, actions={"turn": {}}), *answers(3, 4))
    heard = []
    for _ in range(3):
        heard += said(table.ok("ann", "go"))
        table.ok("ann", "turn")
    assert heard == ["3", "4", "3"]


def test_a_circle_that_a_proposal_would_close_is_told_before_it_is_law(found: Found) -> None:
    rules = [rule(n, X.format(1), precedence={"over": [over]}) for n, over in (("2", "3"), ("3", "4"))]
    enacting = {"enact": {"title": "4", "script": X.format(2), "precedence": {"over": ["2"]}}}
    amending = {"amend": "4", "precedence": {"over": ["2"]}}
    numbers = rule("7", "def decide_rule_number(p, c):\n    return 4\n")
    renumbers = rule("7", "def on_rule_amended(e):\n    renumber(e.rule, e.proposal.number)\n")
    four = rule("4", X.format(2))

    def later(change: Any, *more: Any) -> list[str]:
        table = found(VOTING, CLAIMS, *rules, *more)
        return [*table.kernel.look(lambda play: foresee(play, [change], 2.0), table.now).later]

    told = "take precedence over one another in a circle, so the lower number goes first (PARADOX)"
    assert later(enacting, numbers) == [f"rules 2, 3 and 4 {told}"]
    assert [each.partition(" take ")[0] for each in later(amending, four, renumbers)] == ["rules 2, 3 and 4 as amended"]
    assert later({"amend": "4", "text": "Four."}, four) == []


# -- always overruled


ALWAYS = {
    "a comparison": "return 2 * ballots(p, 'for') > len(p.electorate)",
    "both branches": "if get('game', 'n'):\n        return True\n    else:\n        return verdict(False, 'no')",
    "a verdict": "yes = get('game', 'n') > 1\n    return verdict(yes, '%s' % yes)",
    "a function of its own": "return sure(p)",
    "a choice of two": "return True if get('game', 'word') else not p.title",
    "the last resort": "return False or p.title == 'x'",
}
NOT_ALWAYS = {
    "nothing at the end": "if get('game', 'n'):\n        return True",
    "nothing in a branch": "if get('game', 'n'):\n        return None\n    return True",
    "what may be empty": "return get('game', 'word')",
    "another question": "return ask('other', p)",
    "a loop that may not run": "for b in p.ballots:\n        return True",
    "what says that it fails": "require(get('game', 'n'), 'E-NO', 'no')\n    return True",
    "both of two": "return get('game', 'word') and True",
    "a function of its own that may not": "return perhaps(p)",
    "a name that is given nothing too": "said = None\n    if get('game', 'n'):\n        said = True\n    return said",
    "a name for each": "said = [b for b in p.ballots if b.counts]\n    for b in said:\n        said = b\n    return said",
    "what is loaded under the name of a function": "return refuse(p)",
    "a function within": "def verdict(*said):\n        return None\n    return verdict(True)",
    "what is called like a function": "verdict = [p.title]\n    return verdict[0]",
}
HELP = "def sure(p):\n    return not p.ballots\n\ndef perhaps(p):\n    if p.ballots:\n        return True\n\n"


def answering(body: str, number: str = "2", question: str = "adopted(p)", **parts: Any) -> dict[str, Any]:
    load = 'load("numbers", refuse = "gcd")\n' if body == "return refuse(p)" else ""
    return rule(number, f"{load}{HELP}def decide_{question}:\n    {body}\n", **parts)


@pytest.mark.parametrize("body", ALWAYS.values(), ids=ALWAYS)
def test_who_answers_after_a_rule_that_always_answers_is_overruled(found: Found, body: str) -> None:
    table = found(answering(body), answering("return True", "3"), STATE)
    assert overruled(table) == [("3", "adopted", "2")]


@pytest.mark.parametrize("body", NOT_ALWAYS.values(), ids=NOT_ALWAYS)
def test_what_is_not_answered_always_is_not_told(found: Found, body: str) -> None:
    assert overruled(found(answering(body), answering("return True", "3"), STATE)) == []


def test_the_law_says_which_goes_first_and_what_may_change_with_play_says_nothing(found: Found) -> None:
    above = answering("return True", "3", precedence={"over": ["2"]})
    assert overruled(found(CLAIMS, answering("return True"), above)) == [("2", "adopted", "3")]
    at_will = rule("6", "def decide_prevails(a, b):\n    return a if get('game', 'n') > 1 else b")
    assert overruled(found(at_will, STATE, answering("return True"), answering("return True", "3"))) == []


def test_a_sleeping_or_failing_rule_overrules_nobody(found: Found) -> None:
    table = found(VOTING, answering("return p.title > 1"), answering("return True", "3"))
    assert ("3", "adopted", "2") in overruled(table)
    table.adopt({"enact": {"title": "Tea", "text": "Tea."}})
    assert ("900", "adopted", "3") in overruled(table)
    assert table.judge("suspend", "root", {"rule": "3"}).accepted
    assert overruled(table) == []


STATE = rule(
    "5",
    "def do_set(a):\n    put('game', 'n', a.args.n)\n    put('game', 'word', 'x')",
    defines={"game": {"n": {"type": "integer"}, "word": {"type": "string", "optional": True}}},
    actions={"set": {"arguments": {"n": {"type": "integer"}}}},
)


def overruled(table: Table) -> list[tuple[str, str, str]]:
    """Return (rule, question, rule that always answers it) of a law."""
    return [(each.rule, each.question, each.by) for each in table.kernel.look(overruled_answers, table.now)]


def test_who_is_heard_beside_others_is_not_overruled_and_others_are_told_what_helps(found: Found) -> None:
    pair = [answering("return 'tea'", each, "kind(word)") for each in ("2", "3")]
    table = found(CLAIMS, *pair)
    assert overruled(table) == [("3", "kind", "2")]
    (told,) = table.kernel.look(
        lambda play: [overruled_told(play, each) for each in overruled_answers(play)], table.now
    )
    assert told.startswith("rule 3's answer to the question 'kind' is overruled by rule 2, which always answers it")
    assert told.endswith("; amend that one, or claim precedence")
    for asks in ("ask_all('kind', 'tea')", "[f('kind', 'tea') for f in [ask_all]]", "ask_all('ki' + 'nd')"):
        assert overruled(found(*pair, rule("7", f"def on_x(e):\n    {asks}"))) == []


# -- told by the commands


PREVAILS = rule(
    "5",
    """
    def decide_prevails(a, b):
        if claims_over(a, b) != claims_over(b, a):
            return a if claims_over(a, b) else b
        return a if a.number < b.number else b
    """,
)
NUMBERS = rule(
    "6",
    """
    def on_rule_amended(e):
        renumber(e.rule, e.proposal.number)

    def do_raid(a):
        require(ask("price") != 1, "E-FUNDS", "too cheap")
    """,
    actions={"raid": {"summary": "Raid"}},
)
PRICES = [rule(n, f"def decide_price():\n    return {n[-1]}\n") for n in ("201", "202", "203")]
TOGETHER = "take precedence over one another in a circle"
CHANGED = """\
rule: "202"
uid: "202"
title: Rule 202
text: |
  Rule 202.
precedence: {over: ["201"]}
script: |
  def decide_price():
      return 2
"""


@pytest.fixture
def table(seats: Sit) -> Seats:
    return seats({**SMALL, "rules": [*SMALL["rules"], PREVAILS, NUMBERS, *PRICES]})


def says(said: Said, *wanted: str) -> None:
    whole = " ".join((said.out + said.err).split())
    for words in wanted:
        assert words in whole, (words, whole)


def proposed(table: Table, text: str) -> Said:
    """Let ann propose a rule of a text, and the referee take it in."""
    (table.folder / "new.yaml").write_text(text)
    said = table.moot("ann", "propose", "--rule", str(table.folder / "new.yaml"))
    table.referee()
    return said


def test_a_circle_is_told_when_it_is_proposed_voted_on_and_met(table: Seats) -> None:
    warned = f"rules 201, 203 and 202 as amended {TOGETHER}"
    says(proposed(table, CHANGED), f"Beware of later: {warned}")
    says(table.moot("bob", "show", "1"), "Beware of later:", TOGETHER)
    says(table.moot("bob", "vote", "1", "for"), f"Mind: once it is law, {warned}")
    for who in ("ann", "cid", "dee"):
        table.moot(who, "vote", "1", "for")
    table.referee()
    says(
        table.moot("bob", "act", "raid", "-n", code=3), "too cheap", f"Mind: rule 201, rule 203 and rule 301 {TOGETHER}"
    )


NEW = CHANGED.replace('rule: "202"\nuid: "202"\n', "")
ALWAYS_B = "def decide_prevails(a, b):\n      return b"
WARNED = {  # what is new in a rule, and what is said where it stands
    "a circle": (
        NEW.replace('["201"]', '["201"], defers_to: ["203"]'),
        f"rules 201, 202, 203 and the new one {TOGETHER}",
    ),
    "no say among answers": (
        NEW.replace("def decide_price():\n      return 2", ALWAYS_B).replace('["201"]', '["5"]'),
        "new.yaml:4:21: rule 5 answers which rule prevails before this one, whatever is claimed here",
    ),
    "nothing can be sealed": (
        NEW.replace('precedence: {over: ["201"]}', "defines: {player: {hand: {type: list, sealed: owner}}}"),
        "nothing can be sealed in this game, which has no keeper's key: hand stays empty",
    ),
}


@pytest.mark.parametrize("what", WARNED)
def test_what_a_new_rule_would_not_do_is_told_before_it_is_sent_and_when_it_is_shown(table: Seats, what: str) -> None:
    text, warned = WARNED[what]
    says(proposed(table, text), warned)
    says(table.moot("bob", "show", "1"), warned.rpartition(".yaml:4:21: ")[2])
