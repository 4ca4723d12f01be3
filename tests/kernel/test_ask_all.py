"""Language L5: what all rules answer to a question, each with its rule, in order of precedence."""

from __future__ import annotations

from tests.support.table import Table, rule

ASKING = rule(
    "1",
    """
    def do_collect(a):
        for each in ask_all("bonus", a.by):
            announce("%s: %s" % (each.rule.number, each.answer))
        for each in ask_all("friend", me()):
            announce("%s likes %s" % (each.rule.title, each.answer.title))
        announce("%d" % len(ask_all("nothing")))

    def decide_prevails(a, b):
        return a if int(a.number) > int(b.number) else b
    """,
    actions={"collect": {}},
)


def test_all_answers_come_with_their_rules_the_highest_first() -> None:
    table = Table(
        ASKING,
        rule("2", "def decide_bonus(p):\n    return 2\n\ndef decide_friend(r):\n    return r"),
        rule("3", "def decide_bonus(p):\n    return None"),
        rule("4", "def decide_bonus(p):\n    return [p, 4]"),
    )
    outcome = table.ok("ann", "collect")
    told = [e["text"] for e in outcome.effects if e["effect"] == "announce"]
    assert told == ['4: ["ann", 4]', "2: 2", "Rule 2 likes Rule 1", "0"]
    assert [reason for reason in outcome.reasons if reason["code"] == "OVERRULED"] == []
    table.replay_all()


def test_a_rule_that_fails_is_left_out_and_recorded() -> None:
    table = Table(
        ASKING,
        rule("2", "def decide_bonus(p):\n    return 2"),
        rule("4", "def decide_bonus(p):\n    return fail('no')"),
    )
    outcome = table.ok("ann", "collect")
    assert [e["text"] for e in outcome.effects if e["effect"] == "announce"] == ["2: 2", "0"]
    assert [failure["rule"] for failure in outcome.failures] == ["4"]
    table.replay_all()


def test_a_question_that_asks_itself_so_is_a_circle() -> None:
    table = Table(ASKING, rule("2", "def decide_bonus(p):\n    return len(ask_all('bonus', p))"))
    outcome = table.ok("ann", "collect")
    assert [(failure["rule"], failure["code"]) for failure in outcome.failures] == [("2", "E-CIRCLE")]
