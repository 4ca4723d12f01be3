"""Who answers what a rule before them always answers is told so; where that is told, the answer changes nothing."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from folkmoot.kernel.overruled_answers import overruled_answers, overruled_told
from tests.support.table import VOTING, Found, Table, rule

GAME = {"defines": {"game": {"n": {"type": "integer"}, "word": {"type": "string", "optional": True}}}}
STATE = rule("5", "def do_set(a):\n    put('game', 'n', a.args.n)\n    put('game', 'word', 'x')", **GAME,
             actions={"set": {"arguments": {"n": {"type": "integer"}}}})  # fmt: skip
CLAIMS = rule(
    "6", "def decide_prevails(a, b):\n    return a if claims_over(a, b) else b if claims_over(b, a) else None"
)


def overruled(table: Table) -> list[tuple[str, str, str]]:
    """Return (rule, question, rule that always answers it) of a law."""
    found = table.kernel.look(overruled_answers, table.now)
    return [(each.rule, each.question, each.by) for each in found]


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


@pytest.mark.parametrize(
    "asks", ["ask_all('kind', 'tea')", "[f('kind', 'tea') for f in [ask_all]]", "ask_all('ki' + 'nd')"]
)
def test_who_is_heard_beside_others_is_not_overruled(found: Found, asks: str) -> None:
    pair = [answering("return 'tea'", each, "kind(word)") for each in ("2", "3")]
    assert overruled(found(*pair)) == [("3", "kind", "2")]
    assert overruled(found(*pair, rule("7", f"def on_x(e):\n    {asks}"))) == []


def test_it_is_told_what_helps(found: Found) -> None:
    table = found(CLAIMS, answering("return True"), answering("return False", "3"))
    (said,) = table.kernel.look(
        lambda play: [overruled_told(play, each) for each in overruled_answers(play)], table.now
    )
    assert said.startswith("rule 3's answer to the question 'adopted' is overruled by rule 2, which always answers it")
    assert said.endswith("; amend that one, or claim precedence")


BODIES = st.sampled_from(
    [*ALWAYS.values(), *NOT_ALWAYS.values(), "return False", "return None", "return 7", "return []"]
)
QUESTIONS = ("adopted(p)", "closed(p)", "choices(p)", "electorate(p)", "proper(p)", "may_change(p, c)", "ballot_counts(p, b)",
             "kind(p)")  # fmt: skip
LISTS = st.sampled_from(["return ['for', 'against']", "return [p.title, 'for']", "return things('player')", "return []",
                         "return [x for x in things('player') if x != 'bob']", "return get('game', 'word')"])  # fmt: skip


@st.composite
def laws(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Return rules that answer the same few questions, perhaps with a say about their order."""
    question = draw(st.just("adopted(p)") | st.sampled_from(QUESTIONS))
    bodies = draw(st.lists(BODIES | LISTS, min_size=2, max_size=3))
    numbers = draw(st.permutations(["2", "3", "4", "901"]))
    over = draw(st.lists(st.sampled_from(numbers), max_size=2))
    made = [answering(body, number, question, precedence={"over": over} if number == "4" else {})
            for body, number in zip(bodies, numbers, strict=False)]  # fmt: skip
    hears = rule("8", f"def on_proposal_submitted(e):\n    announce('%s' % {draw(st.sampled_from(['ask', 'str']))}('kind'))"
                 if question != "kind(p)" else "def on_proposal_submitted(e):\n    announce('%s' % ask('kind', e.proposal))")  # fmt: skip
    return [*made, VOTING, STATE, hears, *draw(st.sampled_from([[], [CLAIMS]]))]


def played(rules: list[dict[str, Any]]) -> tuple[list[Any], set[str]]:
    """Play a few votes; return all that came of it, but for which answers were overruled, and which rules failed."""
    table = Table(*rules)
    came: list[Any] = []
    for state, votes in ((0, "faa"), (2, "faa"), (0, "ffa")):
        came.append(table.act("ann", "set", n=state))
        came.append(table.act("ann", "propose", title="x", changes=[{"enact": {"title": "Tea", "text": "Tea."}}]))
        number = (
            901
            + len([each for each in came if each.accepted and each.effects and each.effects[0]["effect"] == "propose"])
            - 1
        )
        for who, vote in zip(("ann", "bob", "cid"), votes, strict=True):
            choice = "for" if vote == "f" else "against"
            came.append(table.act(who, "vote", proposal=number, choice=choice))
    failing = {failure["rule"] for each in came for failure in each.failures}
    return [(each.accepted, each.code, each.effects) for each in came], failing


@settings(max_examples=120, deadline=None)
@given(rules=laws())
def test_an_answer_that_is_always_overruled_never_changes_what_comes_of_play(rules: list[dict[str, Any]]) -> None:
    came, failing = played(rules)
    for uid, question, by in overruled(Table(*rules)):
        without = [
            {**each, "script": each["script"].replace(f"def decide_{question}(", "def unheard(")}
            if each["rule"] == uid
            else each
            for each in rules
        ]
        assert by in failing or played(without)[0] == came, (uid, question)
