"""Who votes, how ballots weigh, and what sees them: the electorate, weights, kinds that are voted on, drafts and their handles."""

from __future__ import annotations

import pytest

from folkmoot.core.ballot_display import voted_on
from folkmoot.core.keys import proposal_key
from folkmoot.files.reader import read_action, read_scenario
from folkmoot.kernel.trials import locks_out
from folkmoot.scenarios.claims import meets
from folkmoot.scenarios.scenario import Failed, run_scenario
from folkmoot.scenarios.trial import rehearse
from tests.support.table import VOTING, Found, Record, Table, effects, failed, reasons, rule, said, script

NEW = {"enact": {"title": "New", "text": "x"}}


def voted(*laws: Record, **choices: str) -> Table:
    """Return a table at which a vote is open on proposal 901 and some have voted."""
    table = Table(VOTING, *laws)
    table.propose("ann", NEW)
    for player, choice in choices.items():
        table.ok(player, "vote", proposal=901, choice=choice)
    return table


# -- the electorate


COMING = "def do_come(a):\n    create('player', 'dan')\ndef do_go(a):\n    destroy(a.by)\n"
COME_AND_GO = rule("1", COMING, actions={"come": {}, "go": {}})
COMERS_VOTE = rule("2", "def on_joined(e):\n    for p in proposals('open'):\n        enrol(p, e.player)\n")
LEAVERS_DO_NOT = rule("3", "def on_left(e):\n    for p in proposals('open'):\n        strike(p, e.player)\n")


def test_the_law_says_whether_comers_vote_and_leavers_take_their_ballots_along() -> None:
    table = voted(COME_AND_GO, bob="against")
    table.ok("ann", "come")
    assert table.refused("dan", "vote", proposal=901, choice="for") == "E-NOT-PLAYER"
    table.ok("bob", "go")
    assert ("bob" in table.proposal(901)["electorate"], table.proposal(901)["ballots"]["bob"]["counts"]) == (True, True)
    table = voted(COME_AND_GO, COMERS_VOTE, LEAVERS_DO_NOT, ann="for", bob="against")
    assert [e["voter"] for e in effects(table.ok("ann", "come"), "enrol")] == ["dan"]
    table.ok("dan", "vote", proposal=901, choice="for")
    assert [(e["voter"], e["counts"]) for e in effects(table.ok("bob", "go"), "strike")] == [("bob", False)]
    proposal = table.proposal(901)
    assert ([*proposal["ballots"]], proposal["electorate"]) == (["ann", "dan"], ["ann", "cid", "dan"])
    table.ok("cid", "go")
    assert table.proposal(901)["outcome"] == "adopted", "the vote closes where all who are left have voted"
    table.replay_all()


def test_a_thing_may_be_given_a_vote_and_who_has_left_gets_none() -> None:
    law = """
    def do_wake_it(a):
        g = create("gremlin")
        enrol(proposal(901), g)
        cast(proposal(901), g, "for")
        enrol(proposal(901), "ann")
        strike(proposal(901), "zed")

    def do_enrol(a):
        enrol(proposal(901), "bob")
    """
    waking = rule("4", law, actions={"wake_it": {}, "enrol": {}}, defines={"kinds": {"gremlin": {}}})
    table = voted(COME_AND_GO, LEAVERS_DO_NOT, waking)
    assert [e["effect"] for e in table.ok("ann", "wake_it").effects] == ["create", "enrol", "ballot"]
    assert table.proposal(901)["ballots"]["gremlin-1"]["deemed"] is True
    table.ok("bob", "go")
    assert "bob plays no more" in reasons(table.act("ann", "enrol"), "E-SCRIPT")[0]["args"]["why"]


CANNOT = {
    "E-NO-SUCH": [f"enrol({each})" for each in ("proposal(901), 'zed'", "proposal(901), None", "proposal(901), ['bob']", "'proposal/7', 'bob'")],
    "E-ORDER": ["enrol(proposal(902), 'bob')", "strike(proposal(902), 'bob')"],
}  # fmt: skip


@pytest.mark.parametrize(("call", "code"), [(call, code) for code, calls in CANNOT.items() for call in calls])
def test_what_cannot_be_is_a_failure_and_changes_nothing(call: str, code: str) -> None:
    table = voted(rule("2", f"def on_stated(e):\n    submit('later', [], number = 902)\n    {call}"))
    before = table.proposal(901)
    outcome = table.ok("bob", "state", text="now")
    assert [(f["hook"], f["code"]) for f in outcome.failures] == [("on_stated", code)]
    assert table.proposal(901) == before


# -- weights


LIVE = (
    "def decide_weights(p, players):\n    return {v: get(v, 'strength') for v in players if get(v, 'strength') != 1}\n"
)
WEIGHING = rule(
    "5",
    f"""
{LIVE}
def do_count(a):
    close_voting(proposal(901))

def do_recount(a):
    announce(str(ballots(recount(proposal(901)), "for")))

def do_train(a):
    put(a.by, "strength", a.args.to)

def decide_closed(p):
    return ballots(p, "for") > 4

def decide_adopted(p):
    return verdict(ballots(p, "for") > ballots(p, "against"), "%d to %d" % (ballots(p, "for"), ballots(p, "against")))
""",
    defines={"player": {"strength": {"type": "integer", "initial": 1}}},
    actions={"count": {}, "recount": {}, "train": {"arguments": {"to": {"type": "integer"}}}},
)


def test_weights_are_those_of_the_count_and_asked_for_all_at_once() -> None:
    table = voted(WEIGHING, ann="for", bob="against", cid="against")
    called: list[str] = []
    table.kernel.play.entered = lambda _uid, hook: called.append(hook)
    table.ok("ann", "train", to=3)
    outcome = table.ok("bob", "count")
    assert (table.proposal(901)["outcome"], table.proposal(901)["why"]) == ("adopted", "3 to 2")
    assert [e["values"] for e in effects(outcome, "weigh")] == [{"ann": 3}]
    assert called.count("decide_weights") == 1
    table.replay_all()


def test_a_rule_may_count_anew_before_which_may_close_the_vote() -> None:
    table = voted(WEIGHING, ann="for")
    table.ok("ann", "train", to=4)
    assert said(table.ok("bob", "recount")) == ["4"]
    assert table.proposal(901)["ballots"]["ann"]["weight"] == 4
    assert effects(table.ok("bob", "recount"), "weigh") == [], "nothing has changed"
    table.ok("ann", "train", to=5)
    assert table.proposal(901)["state"] == "open"
    table.ok("bob", "recount")
    assert table.proposal(901)["outcome"] == "adopted"
    assert table.refused("bob", "recount") == "E-ORDER"


# -- what a proposal brings sees none of its own ballots


COUNTS = script("""
    def told():
        return ["%s %d" % (p.number, len([b for b in p.ballots if b.choice == "against"])) for p in both()]

    def both():
        return [proposal(901), proposal(902)]

    def on_rule_enacted(e):
        announce(", ".join(told()))

    def on_proposal_adopted(e):
        announce("later %d" % len(e.proposal.ballots))
""")
WATCHING = rule("5", "def on_rule_enacted(e):\n    announce('watched %d' % len(e.proposal.ballots))")


def opposed(*laws: Record) -> Table:
    """Return a table at which two of three oppose 902, and one of two opposes 901, whose third vote is missing."""
    table = Table(VOTING, *laws)
    table.ok("ann", "propose", changes=[{"enact": {"title": "Gain", "text": "No-voters gain.", "script": COUNTS}}])
    table.ok("ann", "propose", changes=[NEW])
    for player, choice in {"ann": "for", "bob": "against", "cid": "against"}.items():
        table.ok(player, "vote", proposal=902, choice=choice)
        if player != "cid":
            table.ok(player, "vote", proposal=901, choice=choice)
    return table


def test_it_sees_the_ballots_on_others_and_its_own_only_where_the_law_displays_them() -> None:
    table = opposed(WATCHING)
    told = said(table.ok("cid", "vote", proposal=901, choice="for"))
    assert "901 0, 902 2" in told
    assert "watched 3" in told, "rules that it did not bring see all"
    assert "later 3" in told, "once it is law it is a rule as all are"
    table.replay_all()
    table = opposed(rule("5", "def decide_ballots_displayed(p):\n    return True"))
    assert "901 1, 902 2" in said(table.ok("cid", "vote", proposal=901, choice="for"))


def test_no_trial_tells_how_anybody_voted() -> None:
    table = opposed(WATCHING)
    shown = str(rehearse(table.kernel, [], "", "ann", table.now, proposal="proposal/901"))
    assert "901 0, 902 2" in shown
    assert "later 3" in shown, "all vote for it in the trial, whoever has voted how"
    document = table.kernel.documents[proposal_key("proposal/901")]
    assert table.kernel.look(lambda play: locks_out(play, document), table.now) == ""
    assert table.kernel.play.veiled is None


def test_neither_sees_an_order_that_acts_once_nor_a_rule_that_loads_what_is_brought(found: Found) -> None:
    counts = "announce('%d of its own' % len(proposal(e.proposal.id).ballots))"
    order = {"enact": {"title": "Gain", "once": True, "script": f"def on_proposal_adopted(e):\n    {counts}\n"}}
    peek = "def peek(p):\n    return '%s %d' % (p.number, len(p.ballots))\n"
    loading = 'load("rule/{}", f = "peek")\ndef peek(p):\n    return f(p)\n'
    hears = "def on_rule_amended(e):\n    announce(peek(e.proposal))\n"
    table = found(VOTING, rule("5", loading.format(6) + hears), rule("6", loading.format(7)), rule("7", peek))
    amended = {"amend": "7", "script": peek.replace("%s %d", "%s has %d")}
    assert said(table.adopt(order, amended)) == ["0 of its own", "901 has 0"]
    assert said(table.adopt({"amend": "900", "text": "Voting."})) == ["902 has 3"]


# -- kinds that are voted on


PETITIONS = rule(
    "1",
    """
    def do_plead(a):
        open_voting(submit(a.args.title, [], kind = a.args.kind, number = 1))

    def decide_choices(p):
        return ["aye and amen", "nay"] if p.kind == "petition" else None
    """,
    defines={"kinds": {"petition": {"votable": True}, "trial": {"votable": True}, "stone": {}}},
    actions={"plead": {"summary": "Plead", "arguments": {"title": {"type": "text"}, "kind": {"type": "string"}}}},
)
PLEAD = "  - {by: ann, do: plead, args: {title: Rest, kind: petition}}"


def play(steps: str) -> None:
    law = {"title": "Moot", "rules": [{**each, "uid": each["rule"]} for each in (PETITIONS, VOTING)], "players": []}
    head = "scenario: one\nruleset: none\nplayers: [ann, bob, cid]\nsteps:\n"
    run_scenario(read_scenario(f"{head}{steps}\n", "one.yaml"), lambda _name: law)


def test_scenarios_and_files_of_actions_vote_on_any_kind() -> None:
    play(f"""{PLEAD}
  - {{by: [ann, bob], vote: aye and amen, petition: 1}}
expect:
  - {{petition: 1, kind: petition, author: ann, state: open, votes: {{ann: aye and amen, bob: aye and amen}}}}""")
    given = read_action("vote: nay\npetition: 3\nreason: so\n", "a.yaml")["with"]
    assert given == {"choice": "nay", "petition": 3, "reason": "so"}
    assert voted_on({"by": "ann", "do": "vote", "with": given}) == "petition/3"


@pytest.mark.parametrize(
    ("steps", "why"),
    [
        (f"{PLEAD}\n  - {{expect: [{{petition: 1, state: closed}}]}}", "state is open"),
        (f"{PLEAD}\n  - {{expect: [{{petition: 2, state: open}}]}}", "there is no petition 2"),
        (f"{PLEAD}\n  - {{expect: [{{stone: 1, state: open}}]}}", "no rule in force declares a votable kind 'stone'"),
        ("  - {by: ann, do: plead, args: {title: Rest, kind: stone}}", "declares a votable kind 'stone'"),
    ],
)
def test_a_kind_that_is_not_voted_on_is_told(steps: str, why: str) -> None:
    with pytest.raises(Failed, match=why):
        play(steps)


def test_kinds_count_apart_and_a_ballot_that_names_nothing_is_on_the_only_open_thing(found: Found) -> None:
    table = found(PETITIONS, VOTING)
    table.ok("ann", "plead", title="Rest", kind="petition")
    table.ok("bob", "vote", choice="nay")
    table.ok("ann", "plead", title="Work", kind="trial")
    table.ok("ann", "vote", choice="aye and amen", kind="petition", proposal=1)
    table.ok("ann", "vote", choice="for", trial=1)
    ballots = [
        {who: b["choice"] for who, b in table.proposal(1, kind)["ballots"].items()} for kind in ("petition", "trial")
    ]
    assert ballots == [{"bob": "nay", "ann": "aye and amen"}, {"ann": "for"}]
    assert table.refused("ann", "vote", stone=1, choice="for") == "E-ARGS"


# -- drafts


POOL = rule(
    "1",
    """
    def do_propose(a):
        submit(a.args.title, a.args.changes, number = None)

    def do_distribute(a):
        for p in proposals("pending"):
            open_voting(number(p, a.args.number) if a.args.number else number(p))

    def decide_closed(p):
        return len(p.ballots) == len(p.electorate)

    def decide_adopted(p):
        return verdict(2 * ballots(p, "for") > len(p.electorate), "more than half")
    """,
    actions={**VOTING["actions"], "distribute": {"arguments": {"number": {"type": "any", "optional": True}}}},
)


def test_a_drafts_number_names_it_from_then_on_and_the_handle_stays(found: Found) -> None:
    table = found(POOL)
    table.ok("ann", "propose", title="x", changes=[NEW])
    handle = f"x{len(table.entries)}"
    outcome = table.ok("ann", "distribute", number=17)
    assert [(e["of"], e["to"]) for e in effects(outcome, "number")] == [(f"proposal/{handle}", 17)]
    table.ok("bob", "vote", proposal=17, choice="for")
    table.ok("cid", "vote", proposal=handle, choice="for")
    for name in (17, "17", handle):
        assert meets(table.kernel, [], {"proposal": name, "number": 17, "state": "open"}, table.now) == ""
    table.ok("ann", "vote", proposal=f"proposal/{handle}", choice="for")
    assert meets(table.kernel, [], {"proposal": 17, "state": "adopted"}, table.now) == ""
    assert table.in_force() == ["1", "17"]


@pytest.mark.parametrize("number", ["'x9'", "-1", "True", "1.5", "'../1'", "[1]", "None", "7", "number(p, 5) and 6"])
def test_what_can_be_no_number_is_refused_and_one_is_given_once(number: str) -> None:
    drafts = "submit('a', [], number = 7)\n    p = submit('b', [], number = None)"
    table = Table(POOL, rule("2", f"def on_stated(e):\n    {drafts}\n    number(p, {number})"))
    outcome = table.ok("ann", "state", text="now")
    code = "E-ORDER" if "and" in number else "E-ARGS"
    assert (failed(outcome), outcome.failures[0].get("code", "E-ARGS")) == ([("2", "on_stated")], code)
    assert table.kernel.documents["game"]["open"] == []
