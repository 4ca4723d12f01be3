"""A law with powers, and a hostile rule of the lowest one: whatever its script tries beyond its rank is refused."""

from __future__ import annotations

from typing import Any

import pytest

from folkmoot.game.rulesets import founding
from folkmoot.kernel.chance import open_chance
from folkmoot.scenarios.scenario import Run, found

WEEK = 7 * 24 * 3600
PEOPLE = ["ann", "bob", "cid", "dee"]

DEEDS = {
    "send a player away": "destroy('bob')",
    "bring a player in": "create('player', 'dan')",
    "let somebody leave": "act('leave', 'bob')",
    "let an officer resign": "act('resign', 'cid', office = 'herald')",
    "act for an officer": "act('distribute', 'cid', as_ = 'herald')",
    "withdraw another's draft": "act('withdraw', 'bob')",
    "end the game": "win('ann', 'so be it')",
    "win a round": "win(['ann'], 'so be it', play_on = True)",
    "win a round by its event": "emit('round_won', players = ['ann'], why = 'x')",
    "win a round later": "later('round_won', players = ['ann'], why = 'x')",
    "win a round by a timer": "after(60, 'round-won', players = ['ann'], why = 'x')",
    "count by hand": "emit('count', id = proposals('open')[0].id, outcome = 'adopted', why = 'x')",
    "count by older law": "emit_under(0, 'count', id = proposals('open')[0].id, outcome = 'adopted', why = 'x')",
    "fill an office": "emit('unopposed', what = 'take_office', of = 'arbiter', player = 'ann')",
    "stop a timer": "cancel('voting-ends/2')",
    "shorten a timer": "after(60, 'ours', key = 'voting-ends/2')",
    "end a term": "after(60, 'term-ends', office = 'herald')",
    "close a vote": "close_voting(proposals('open')[0])",
    "defeat a proposal": "resolve(proposals('open')[0], 'defeated', 'no')",
    "withdraw a proposal": "resolve(proposals('open')[0], 'withdrawn', 'no')",
    "adopt without effect": "resolve(proposals('open')[0], 'adopted', effective = False)",
    "freeze a draft": "freeze(proposals('pending')[0])",
    "distribute a draft": "open_voting(proposals('pending')[0])",
    "number a draft": "number(proposals('pending')[0], 99)",
    "propose in a name": "submit('Mine', [{'repeal': '20'}], author = 'bob')",
    "strike out a duty": "settle('herald/' + proposals('pending')[0].id)",
    "replace a duty": "owe('cid', 'nothing', key = 'herald/' + proposals('pending')[0].id)",
    "destroy an intention": "destroy('intent-1')",
    "forge an intention": "create('intent', what = 'take_office', of = 'arbiter', by = 'ann', ripe = 1, objectors = [])",
}
HEAD = """
def act(name, who, as_ = None, **args):
    done = try_act(name, who, args, as_)
    require(done.ok, done.code, done.why)

def do_go(a):
"""


def going(deeds: dict[str, str]) -> dict[str, Any]:
    """Return the parts of a rule with an action `go`, by which one deed of some is done."""
    lines = [f"    if a.args.deed == {deed!r}:\n        {does}\n" for deed, does in deeds.items()]
    actions = {"go": {"arguments": {"deed": {"type": "string"}}}}
    return {"actions": actions, "timers": {"ours": {}}, "script": HEAD + "".join(lines)}


def begun(ruleset: str, *rules: dict[str, Any]) -> Run:
    law = founding(ruleset)
    law["rules"] += rules
    scenario = {"scenario": "coup", "ruleset": ruleset, "players": PEOPLE}
    return found(scenario, lambda _name: law, lambda event: open_chance("coup", str(event.seq)))


def assembly(coup: dict[str, Any]) -> Run:
    """Found an assembly, have it adopt a rule of rank 1, and leave a vote open and a draft in the pool."""
    run = begun("assembly")
    do(run, "ann", "propose", title="Coup", changes=[{"enact": {"title": "Coup", "text": "A coup.", **coup}}])
    do(run, "cid", "intend", what="take_office", of="herald")
    do(run, "cid", "distribute", "herald")
    vote(run, 1)
    run.advance(run.now + WEEK, after_deadlines=True)
    do(run, "cid", "carry_out", intent="intent-1")
    do(run, "bob", "propose", title="Faith", changes=[{"amend": "20", "text": "Good faith."}])
    do(run, "cid", "distribute", "herald")
    do(run, "bob", "propose", title="Hope", changes=[{"amend": "20", "text": "Hope."}])
    return run


def do(run: Run, by: str, act: str, as_: str | None = None, **args: Any) -> None:
    outcome = run.apply(act, by, as_, args)
    assert outcome.accepted, (by, act, outcome.code, outcome.reasons, outcome.failures)


def vote(run: Run, number: int) -> None:
    for player in PEOPLE:
        do(run, player, "vote", proposal=number, choice="FOR")


def state(run: Run) -> dict[str, Any]:
    return {key: value for key, value in run.kernel.documents.everything().items() if key != "law"}


def nothing_comes_of(run: Run, deeds: dict[str, str], code: str) -> None:
    """Try each deed, which is refused with a code and changes nothing."""
    before = state(run)
    for deed in deeds:
        outcome = run.apply("go", "ann", None, {"deed": deed})
        assert (outcome.accepted, outcome.code) == (False, code), (deed, outcome.reasons, outcome.failures)
        assert state(run) == before, deed


@pytest.mark.threat("T-151")
def test_a_rule_of_the_lowest_rank_does_nothing_beyond_it() -> None:
    nothing_comes_of(assembly(going(DEEDS)), DEEDS, "E-RANK")


ANSWERS = {
    "a vote is over": {"script": "def decide_closed(p):\n    return True\n"},
    "what is adopted": {"script": "def decide_adopted(p):\n    return False\n"},
    "who has won": {"script": "def decide_winner():\n    return 'ann'\n"},
    "who may vote": {"script": "def forbid_vote(a):\n    return refuse('E-NO', 'no') if a.by != 'ann' else None\n"},
    "everything waits": {"script": "def forbid(a):\n    return hold('x')\n"},
    "a guard that fails": {"script": "def forbid(a):\n    fail('x')\n"},
    "votes are void": {
        "script": "def do_vote(a):\n    announce('void')\n",
        "actions": {"vote": {"arguments": {"proposal": {"type": "proposal"}, "choice": {"type": "string"}}}},
    },
    "a timer of another's name": {"timers": {"round_ended": {"every": "day"}}},
    "what may be changed": {"script": "def decide_may_change(p, c):\n    return refuse('E-NO', 'no')\n"},
    "what may be proposed": {"script": "def decide_proper(p):\n    return False\n"},
    "the law of the first day": {"script": "def decide_law_for(s):\n    return 0\n"},
    "changes govern later": {"script": "def decide_applies_from(p, c):\n    return 999\n"},
    "ballots do not count": {"script": "def decide_ballot_counts(p, b):\n    return b.player == 'ann' or 'no'\n"},
    "ballots are sealed": {"script": "def decide_ballots_sealed(p):\n    return True\n"},
    "no script may do anything": {
        "script": "def decide_may_alter(c, by):\n    return False\n\ndef decide_may_put(w, by):\n    return False\n\n"
        "def decide_may_do(d, by):\n    return False\n"
    },
    "every rule ranks alike": {"script": "def decide_rank(r):\n    return 9\n"},
    "it comes first": {
        "precedence": {"over": ["3", "4", "5", "6", "10"]},
        "script": "def decide_prevails(a, b):\n    return b\n\ndef decide_closed(p):\n    return True\n",
    },
    "officers are overdue": {
        "script": "def on_voting_opened(e):\n    owe('cid', 'sing', by = now() + 1, key = 'arbiter/song')\n"
    },
}


@pytest.mark.threat("T-151")
@pytest.mark.sampled(3)
@pytest.mark.parametrize("answer", ANSWERS)
def test_no_answer_of_the_lowest_rank_holds_up_a_vote_or_ends_it(answer: str) -> None:
    run = assembly(ANSWERS[answer])
    vote(run, 2)
    run.advance(run.now + WEEK, after_deadlines=True)
    documents = run.kernel.documents.everything()
    assert documents["rules/20"]["text"] == "Good faith."
    assert documents["game"].get("over") is None
    assert documents["things/game"]["game"]["round"] == 1
    do(run, "dee", "leave")


DYNASTIC = {
    "send a player away": "destroy('bob')",
    "win": "win('ann', 'so be it', play_on = True)",
    "end a dynasty by its event": "emit('dynasty_won', player = 'ann')",
    "close a vote": "close_voting(proposals('open')[0])",
    "fail a proposal": "resolve(proposals('open')[0], 'defeated', 'no')",
}


@pytest.mark.threat("T-151")
def test_a_dynastic_rule_does_nothing_that_is_the_core_s() -> None:
    run = begun("council", {"rule": "99", "uid": "99", "title": "Coup", "text": "A coup.", **going(DYNASTIC)})
    do(run, "bob", "propose", title="More", changes=[{"enact": {"title": "More", "text": "More."}}])
    nothing_comes_of(run, DYNASTIC, "E-TARGET")


MUTABLE = {
    "close a vote": "close_voting(proposals('open')[0])",
    "defeat a proposal": "resolve(proposals('open')[0], 'defeated', 'no')",
    "let a vote lapse": "after(60, 'vote-deadline', id = proposals('open')[0].id)",
    "decide an undecided vote": "emit('vote_undecided', id = proposals('open')[0].id)",
}


@pytest.mark.threat("T-151")
def test_a_mutable_rule_ends_no_vote() -> None:
    coup = {"rule": "250", "uid": "250", "title": "Coup", "text": "A coup.", "labels": {"status": "mutable"}}
    run = begun("suber", coup | going(MUTABLE))
    do(run, "ann", "propose", title="More", changes=[{"enact": {"title": "More", "text": "More."}}])
    do(run, "ann", "finalise")
    nothing_comes_of(run, MUTABLE, "E-IMMUTABLE")
