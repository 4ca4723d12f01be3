"""The lock-out probe: it waits as long as the budget lasts, tries every act, votes by the law's words, and knows what is undone."""

from __future__ import annotations

from typing import Any

import pytest

from folkmoot.scenarios.trial import try_changes
from tests.support.table import VOTING, Found, Table, failed, rule, said

PROPOSING: dict[str, Any] = {
    "actions": {"sow": {"arguments": {"title": {"type": "text", "optional": True}, "changes": {"type": "changes"}}}}
}
SOWING = "def do_sow(a):\n    open_voting(submit(a.args.title, a.args.changes))\n"
ALL = "def decide_closed(p):\n    return len(p.ballots) == len(p.electorate)\n"
CHANGE: Any = {"enact": {"title": "New", "text": "", "script": "def on_stated(e):\n    announce('x')\n"}}


def locked_out(change: Any, *rules: dict[str, Any]) -> str:
    """Return what the probe says of a change in a game of these rules."""
    table = Table(*rules)
    return try_changes(table.kernel, [change], [], len(table.entries), table.now).locked_out


MAJORITY = "\ndef decide_adopted(p):\n    return ballots(p, 'for') > 1\n"
LAWS = {
    "slow": """
def on_bell(e):
    add("game", "bells", 1)
    for p in proposals():
        if p.state == "open" and get("game", "bells") % 40 == 0:
            close_voting(p)
def decide_adopted(p):
    return ballots(p, "for") > 0
""",
    "own words": f"""{ALL}
def decide_choices(p):
    return ["leave it", "cut it down", "let it grow"]
def decide_adopted(p):
    return ballots(p, "let it grow") > 1
""",
    "own outcome": f"""{ALL}
def on_voting_closed(e):
    resolve(e.proposal, "ripe" if ballots(e.proposal, "for") > 1 else "rotten")
""",
    "majority": f"{ALL}{MAJORITY}",
}
DEFINES = {"game": {"bells": {"type": "integer"}}, "outcomes": {"ripe": {"effective": True}, "rotten": {}}}


def law(name: str) -> dict[str, Any]:
    timers = {} if name == "majority" else {"bell": {"every": "hour"}}
    return rule("1", f"{SOWING}{LAWS[name]}", defines=DEFINES, timers=timers, **PROPOSING)


LOCKS: Any = {"enact": {"title": "New", "text": "", "script": "def forbid_sow(a):\n    return refuse('E-TIME')\n"}}


@pytest.mark.parametrize("name", ["slow", "own words", "own outcome"])
def test_no_wolf_is_cried(name: str) -> None:
    assert locked_out(CHANGE, law(name), rule("2")) == ""
    assert locked_out(LOCKS, law(name), rule("2")) == "after it, no way was found to adopt even a harmless rule-change"


def test_an_amendment_is_known_as_law_by_an_outcome_of_the_laws_own() -> None:
    """Where nothing new may be enacted, an amendment of what has no mechanics must do."""
    only = rule("3", "def decide_may_change(p, c):\n    return refuse('E-TARGET') if c.kind == 'enact' else None")
    assert locked_out({"amend": "3", "title": "Only amendments"}, law("own outcome"), rule("2"), only) == ""


LOCKING = [
    "def on_voting_opened(e):\n    revise(e.proposal, changes = [])\n",
    "def on_voting_opened(e):\n    later('redo', p = e.proposal)\ndef on_redo(e):\n    revise(e.p, changes = [])\n",
    "def on_ballot_cast(e):\n    if e.proposal.changes:\n        revise(e.proposal, changes = [], keep_ballots = True)\n",
    "def on_voting_opened(e):\n    revise(e.proposal, changes = [{'retitle': '10', 'to': 'Ever'}])\n",
    "def decide_may_change(p, c):\n    return refuse('E-TARGET', 'no') if p.state == 'adopted' else None\n",
    "def decide_weights(p, players):\n    return {v: 0 for v in players}\n",
    "def on_voting_opened(e):\n    for v in e.proposal.electorate:\n        strike(e.proposal, v)\n",
    "def on_ballot_cast(e):\n    revise(e.proposal, title = 'Ever anew')\n",
    "def forbid(a):\n    return hold('never')\n",
    "def forbid(a):\n    return refuse('E-TIME')\n",
]
FITTING = [
    "def on_voting_opened(e):\n    revise(e.proposal, title = e.proposal.title)\n",
    "def on_voting_opened(e):\n    revise(e.proposal, changes = e.proposal.changes + [{'retitle': '10', 'to': 'Ever'}])\n",
    "def decide_may_change(p, c):\n    return refuse('E-TARGET', 'no') if c.kind == 'repeal' else None\n",
    "def forbid(a):\n    fail('x')\n",
    "def decide_proper(p):\n    fail('x')\n",
    "def decide_law_for(s):\n    fail('x')\n",
]


@pytest.mark.parametrize("script", [*LOCKING, *FITTING])
def test_what_lets_no_change_become_law_is_found_and_what_can_be_mended_is_none(script: str) -> None:
    change = {"enact": {"title": "New", "text": "", "script": script}}
    told = "after it, no way was found to adopt even a harmless rule-change" if script in LOCKING else ""
    assert locked_out(change, rule("10"), VOTING) == told


def test_a_law_under_which_things_alone_propose_locks_and_a_rule_can_ask(found: Found) -> None:
    bank = rule("10", defines={"kinds": {"bank": {}}})
    probing = "def do_probe(a):\n    announce(locks_out(proposal(a.args.number)) or 'it goes on')"
    table = found(VOTING, bank, rule("30", probing, actions={"probe": {"arguments": {"number": {"type": "integer"}}}}))
    told = []
    for who in ("bank", ["bank", "player"]):
        spec = {"who": who, **VOTING["actions"]["propose"]}
        number = table.propose("ann", {"amend": "900", "actions": {"propose": spec}})
        told += said(table.ok("ann", "probe", number=number))
    assert [each == "it goes on" for each in told] == [False, True]


def test_what_fails_only_in_the_probe_is_on_no_record(found: Found) -> None:
    probing = "def do_try(a):\n    locks_out(submit('x', a.args.changes))\n\ndef on_acted(e):\n    pass"
    trying = rule("3", probing, actions={"try": {"arguments": {"changes": {"type": "changes"}}}})
    table = found(VOTING, trying, rule("4", "def on_acted(e):\n    pass"))
    change = {"enact": {"title": "New", "script": "def decide_prevails(a, b):\n    return [][1]\n"}}
    assert failed(table.ok("ann", "try", changes=[change])) == []


# -- acts


SEATED = f"""
def do_sow(a):
    submit(a.args.title, a.args.changes)
def do_dissolve(a):
    destroy(a.by)
def do_unsow(a):
    for p in proposals("pending"):
        resolve(p, "withdrawn")
def do_unseat(a):
    put(office("beadle"), "holder", None)
def do_water(a):
    require(holds(a.by, "beadle"), "E-NOT-OFFICE")
    for p in proposals("pending"):
        open_voting(p)
def on_founded(e):
    put(office("beadle"), "holder", "cid")
{ALL}{MAJORITY}"""
ACTS: tuple[str, ...] = ("dissolve", "unsow", "unseat", "water")
SHUT: Any = {"enact": {"title": "S", "text": "", "script": "def forbid_water(a):\n    return refuse('E-TIME')\n"}}


@pytest.mark.parametrize("acts", [ACTS, ACTS[::-1]])
def test_acts_that_give_something_up_hide_no_lock_and_make_none(acts: tuple[str, ...]) -> None:
    actions = {**PROPOSING["actions"], **{name: {} for name in acts}}
    seated = rule("1", SEATED, defines={"offices": {"beadle": {}}}, actions=actions)
    assert locked_out(CHANGE, seated) == ""
    assert locked_out(SHUT, seated) != ""


@pytest.mark.parametrize(
    ("needed", "right"),
    [
        ({"type": "choice", "of": ["moon", "sun"]}, "'sun'"),
        ({"type": "player"}, "'bob'"),
        ({"type": "boolean"}, "False"),
        ({"type": "integer", "minimum": 3}, "3"),
    ],
)
def test_the_probe_tries_acts_that_need_what_it_can_name(needed: dict[str, Any], right: str) -> None:
    """In this game somebody has to open each vote, by an act with an argument; and proposing needs one, too."""
    script = f"""
def do_sow(a):
    require(a.args.how == {right}, "E-ARGS", "not so")
    submit(a.args.title, a.args.changes)
def do_water(a):
    for p in proposals():
        if a.args.how == {right} and p.state == "pending":
            open_voting(p)
{ALL}{MAJORITY}"""
    sowing = {"arguments": {"title": {"type": "text"}, "changes": {"type": "changes"}, "how": needed}}
    watered = rule("1", script, actions={"sow": sowing, "water": {"arguments": {"how": needed}}})
    assert locked_out(CHANGE, watered, rule("2")) == ""
    assert locked_out(SHUT, watered, rule("2")) != ""


@pytest.mark.parametrize("needed", [{}, {"how": {"type": "boolean"}}], ids=["nothing", "an argument"])
def test_an_act_that_ends_the_game_is_no_way_to_change_the_law(needed: dict[str, Any]) -> None:
    ends = rule("2", "def do_end(a):\n    win(a.by, 'enough')\n", actions={"end": {"arguments": needed}})
    assert locked_out(LOCKS, law("majority"), ends) != ""
    assert locked_out(CHANGE, law("majority"), ends) == ""


def only(kind: str) -> dict[str, Any]:
    """Return a rule that lets the law be changed in one way."""
    return rule("3", f"def decide_may_change(p, c):\n    return refuse('E-TARGET') if c.kind != '{kind}' else None")


def test_a_law_that_undoes_each_change_at_once_locks_where_nothing_else_may_be() -> None:
    undoing = "def on_rule_enacted(e):\n    if e.rule.title != 'No news':\n        repeal(e.rule)\n"
    repealing = {"enact": {"title": "No news", "text": "", "script": undoing}}
    assert locked_out(repealing, law("majority"), only("enact")) != ""
    assert locked_out(repealing, law("majority"), rule("3")) == ""
    assert locked_out(CHANGE, law("majority"), only("enact")) == ""
    anew = "def on_rule_amended(e):\n    if e.rule.text != 'so':\n        amend(e.rule, text = 'so')\n"
    for change, locks in (({"amend": "4", "script": anew}, True), ({"amend": "4", "title": "Other"}, False)):
        assert bool(locked_out(change, law("majority"), only("amend"), rule("4"), rule("5"))) is locks
