"""Language L3: ballots are weighed when they are counted, all by one question, unless the law fixes weights before."""

from __future__ import annotations

import pytest

from folkmoot.core.keys import proposal_key
from folkmoot.kernel.voting import new_ballot
from folkmoot.scenarios.trial import try_changes
from tests.support.table import VOTING, Record, Table, failed, rule, said
from tests.support.timing import Spent

NEW = {"enact": {"title": "New", "text": "x"}}
STRENGTH = {"player": {"strength": {"type": "integer", "initial": 1}}}
VOTE = rule(
    "1",
    """
    def do_propose(a):
        open_voting(submit("x", a.args.changes))

    def do_count(a):
        close_voting(proposal(1))

    def do_recount(a):
        p = recount(proposal(1))
        announce(str(ballots(p, "for")))

    def do_train(a):
        put(a.by, "strength", a.args.to)

    def decide_number(p):
        return 1

    def decide_adopted(p):
        return verdict(ballots(p, "for") > ballots(p, "against"), "%d to %d" % (ballots(p, "for"), ballots(p, "against")))
    """,
    defines=STRENGTH,
    actions={
        "propose": {"arguments": {"changes": {"type": "changes"}}},
        "count": {},
        "recount": {},
        "train": {"arguments": {"to": {"type": "integer"}}},
    },
)
LIVE = (
    "def decide_weights(p, players):\n    return {v: get(v, 'strength') for v in players if get(v, 'strength') != 1}\n"
)


def voted(*laws: Record, **choices: str) -> Table:
    """Return a table at which a vote is open on proposal 1 and some have voted."""
    table = Table(VOTE, *laws)
    table.ok("ann", "propose", changes=[NEW])
    for player, choice in choices.items():
        table.ok(player, "vote", proposal=1, choice=choice)
    return table


def test_weights_are_those_of_the_count() -> None:
    table = voted(rule("2", LIVE), ann="for", bob="against", cid="against")
    table.ok("ann", "train", to=3)
    outcome = table.ok("bob", "count")
    assert (table.proposal(1)["outcome"], table.proposal(1)["why"]) == ("adopted", "3 to 2")
    assert [e["values"] for e in outcome.effects if e["effect"] == "weigh"] == [{"ann": 3}]
    table.replay_all()


def test_a_law_may_fix_them_at_the_cast() -> None:
    fixed = LIVE.replace("return {", "return {b.player: b.weight for b in p.ballots} if p.state == 'closed' else {")
    table = voted(rule("2", fixed), ann="for", bob="against", cid="against")
    table.ok("ann", "train", to=3)
    table.ok("bob", "count")
    assert table.proposal(1)["why"] == "1 to 2"


def test_none_counts_where_the_law_says_so() -> None:
    leavers = "def decide_weights(p, players):\n    return {v: 0 for v in players if v not in things('player')}\n"
    go = "def do_go(a):\n    destroy(a.by)\n"
    table = voted(rule("2", leavers + go, actions={"go": {}}), ann="for", bob="against", cid="against")
    table.ok("bob", "go")
    table.ok("cid", "go")
    table.ok("ann", "count")
    assert table.proposal(1)["why"] == "1 to 0"


def test_a_rule_may_count_anew_before() -> None:
    table = voted(rule("2", LIVE), ann="for")
    table.ok("ann", "train", to=5)
    assert said(table.ok("bob", "recount")) == ["5"]
    assert table.proposal(1)["ballots"]["ann"]["weight"] == 5
    assert not [e for e in table.ok("bob", "recount").effects if e["effect"] == "weigh"], "nothing has changed"


def test_counting_anew_may_close_the_vote() -> None:
    law = rule("2", LIVE + "def decide_closed(p):\n    return ballots(p, 'for') > 4")
    table = voted(law, ann="for")
    table.ok("ann", "train", to=5)
    assert table.proposal(1)["state"] == "open"
    table.ok("bob", "recount")
    assert table.proposal(1)["outcome"] == "adopted"


def test_only_a_vote_that_was_opened_is_counted_anew() -> None:
    table = voted(ann="for")
    table.ok("bob", "count")
    assert table.refused("bob", "recount") == "E-ORDER"


@pytest.mark.parametrize("answer", ["7", "['ann']", "{'ann': 'two'}", "{'ann': True}", "{'ann': None}", "'ann'"])
def test_nonsense_is_a_failure_of_its_rule_and_every_ballot_weighs_one(answer: str) -> None:
    table = voted(rule("2", f"def decide_weights(p, players):\n    return {answer}"), ann="for")
    outcome = table.ok("bob", "count")
    assert failed(outcome) == [("2", "decide_weights")]
    assert table.proposal(1)["why"] == "1 to 0"


def test_an_answer_about_others_is_let_be() -> None:
    table = voted(rule("2", "def decide_weights(p, players):\n    return {'zed': 9}"), ann="for")
    table.ok("bob", "count")
    assert table.proposal(1)["why"] == "1 to 0"


def test_a_thousand_are_weighed_by_one_call() -> None:
    """It costs no more calls than to weigh a hundred, and so less than in proportion."""
    hundred, thousand = (min(counted(number) for _ in range(3)) for number in (100, 1000))
    assert thousand[1] == hundred[1]
    assert thousand[1].count("decide_weights") == 1
    assert thousand[0] < 30 * hundred[0] + 2, (thousand, hundred)


def counted(number: int) -> tuple[float, list[str]]:
    """Return how many units of work a count of so many ballots takes, and which hooks were called."""
    everybody = tuple(f"p{place}" for place in range(number))
    table = Table(VOTE, rule("2", LIVE), players=everybody)
    table.ok("p0", "propose", changes=[NEW])
    table.ok("p1", "train", to=number)
    documents, play = table.kernel.documents, table.kernel.play
    key = proposal_key("proposal/1")
    ballots = {voter: new_ballot(play, "against" if voter == "p1" else "for", deemed=False) for voter in everybody}
    documents.assign(key, documents[key], "ballots", ballots)
    called: list[str] = []
    play.entered = lambda _uid, hook: called.append(hook)
    with Spent() as spent:
        outcome = table.judge("count", "p0", {})
    assert [e["values"] for e in outcome.effects if e["effect"] == "weigh"] == [{"p1": number}]
    assert table.proposal(1)["why"] == f"{number - 1} to {number}"
    return spent.units, called


@pytest.mark.parametrize(
    "script",
    [
        "def decide_weights(p, players):\n    return {v: 0 for v in players}\n",
        "def on_voting_opened(e):\n    for v in e.proposal.electorate:\n        strike(e.proposal, v)\n",
        "def on_ballot_cast(e):\n    revise(e.proposal, title = 'Ever anew')\n",
    ],
)
def test_a_law_that_lets_no_ballot_count_is_found_before_it_is_adopted(script: str) -> None:
    change = {"enact": {"title": "New", "text": "", "script": script}}
    table = Table(VOTING)
    found = try_changes(table.kernel, [change], [], len(table.entries), table.now)
    assert found.locked_out == "after it, no way was found to adopt even a harmless rule-change"
