"""The life of proposals and motions, votes and their codes, and changes of the law."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.table import VOTING, Found, Table, effects, failed, reasons, rule, said, script

PLAIN = {"enact": {"title": "Dragon", "text": "There is a dragon."}}
LIFE = rule(
    "1",
    """
    def do_submit(a):
        submit(a.args.title, a.args.changes or [], a.requests)
    def do_step(a):
        p = proposal(a.args.n)
        if a.args.what == "freeze":
            freeze(p)
        elif a.args.what == "open":
            open_voting(p)
        elif a.args.what == "close":
            close_voting(p)
        elif a.args.what == "revise":
            revise(p, title = "new", changes = p.changes)
        else:
            resolve(p, a.args.what, "because")
    def on_proposal_submitted(e):
        announce("submitted " + e.proposal.state)
    def on_voting_opened(e):
        announce("opened " + e.proposal.state)
    def on_ballot_cast(e):
        announce("cast %s %s" % (e.ballot.player, e.ballot.choice))
    def on_voting_closed(e):
        announce("closed " + e.proposal.state)
    def on_rule_enacted(e):
        announce("law " + e.rule.number + " " + e.proposal.state)
    def on_proposal_adopted(e):
        announce("adopted")
    def on_proposal_withdrawn(e):
        announce("withdrawn")
    def on_proposal_resolved(e):
        announce("resolved " + e.outcome)
    """,
    actions={
        "submit": {"arguments": {"title": {"type": "text"}, "changes": {"type": "changes", "optional": True}}},
        "step": {"arguments": {"n": {"type": "integer"}, "what": {"type": "string"}}},
    },
)
YES = rule("2", "def decide_adopted(p):\n    return verdict(ballots(p, 'for') > 0)")


def test_the_life_of_a_proposal_step_by_step(found: Found) -> None:
    table = found(LIFE, YES)
    assert said(table.ok("ann", "submit", title="Dragon", changes=[PLAIN])) == ["submitted pending"]
    assert table.refused("ann", "vote", proposal=1, choice="for") == "E-ORDER"
    assert said(table.ok("ann", "step", n=1, what="open")) == ["opened open"]
    assert said(table.ok("ann", "vote", proposal=1, choice="against")) == ["cast ann against"]
    assert said(table.ok("ann", "vote", proposal=1, choice="for")) == ["cast ann for"]
    closed = table.ok("ann", "step", n=1, what="close")
    assert said(closed) == ["closed closed", "law 3 adopted", "adopted", "resolved adopted"] or said(closed) == [
        "closed closed", "law 1 adopted", "adopted", "resolved adopted"]  # fmt: skip
    assert table.refused("bob", "vote", proposal=1, choice="for") == "E-TIME"
    assert table.proposal(1)["ballots"]["ann"]["choice"] == "for"
    assert table.document("game")["open"] == []


@pytest.mark.parametrize("what", ["open", "close", "revise", "adopted", "withdrawn"])
def test_what_is_resolved_stays_resolved(found: Found, what: str) -> None:
    table = found(LIFE, YES)
    table.ok("ann", "submit", title="x")
    assert said(table.ok("ann", "step", n=1, what="withdrawn"))[-2:] == ["withdrawn", "resolved withdrawn"]
    assert table.refused("ann", "step", n=1, what=what) == "E-ORDER"


def test_steps_out_of_order(found: Found) -> None:
    table = found(LIFE, YES)
    table.ok("ann", "submit", title="x")
    assert table.refused("ann", "step", n=1, what="close") == "E-ORDER"
    assert table.refused("ann", "step", n=1, what="celebrated") == "E-SCRIPT"
    table.ok("ann", "step", n=1, what="open")
    assert table.refused("ann", "step", n=1, what="open") == "E-ORDER"
    table.ok("ann", "step", n=1, what="revise")
    table.ok("ann", "step", n=1, what="close")
    assert table.refused("ann", "step", n=1, what="revise") == "E-ORDER"


@pytest.mark.parametrize(
    ("outcome", "enacted"), [("accepted", True), ("rejected", False), ("ignored", False), ("replaced", False)]
)
def test_only_adoption_and_acceptance_change_the_law(found: Found, outcome: str, enacted: bool) -> None:
    table = found(LIFE, YES)
    table.ok("ann", "submit", title="x", changes=[PLAIN])
    changed = table.ok("ann", "step", n=1, what=outcome)
    assert bool(effects(changed, "enact")) == enacted


def test_frozen_text_cannot_be_revised(found: Found) -> None:
    table = found(LIFE, YES)
    table.ok("ann", "submit", title="x", changes=[PLAIN])
    table.ok("ann", "step", n=1, what="revise")
    assert table.proposal(1)["changes"][0]["parts"] == PLAIN["enact"]  # shown changes can be handed on as they are
    table.ok("ann", "step", n=1, what="freeze")
    frozen = table.proposal(1)["frozen"]
    assert frozen
    assert table.refused("ann", "step", n=1, what="revise") == "E-ORDER"
    assert table.proposal(1)["frozen"] == frozen


def test_without_answers_the_kernel_takes_the_cautious_course_and_says_so(found: Found) -> None:
    table = found(LIFE)
    assert reasons(table.ok("ann", "submit", title="x"), "NO-ANSWER")[0]["args"] == {"question": "number"}
    assert reasons(table.ok("ann", "step", n=1, what="open"), "NO-ANSWER")[0]["args"] == {"question": "electorate"}
    assert table.proposal(1)["electorate"] == ["ann", "bob", "cid"]
    assert reasons(table.ok("ann", "step", n=1, what="close"), "NO-ANSWER")[0]["args"] == {"question": "adopted"}
    assert table.proposal(1)["state"] == "closed"


# -- votes


def test_codes_of_votes(found: Found) -> None:
    voters = rule(
        "3", "def decide_electorate(p):\n    return ['ann', 'bob']\ndef decide_choices(p):\n    return ['yes', 'no']"
    )
    table = found(LIFE, YES, voters)
    table.ok("ann", "submit", title="x")
    table.ok("ann", "step", n=1, what="open")
    assert table.refused("ann", "vote", proposal=2, choice="yes") == "E-NO-SUCH"
    assert table.refused("ann", "vote", proposal=1, choice="for") == "E-ARGS"
    assert table.refused("ann", "vote", proposal=1) == "E-ARGS"
    assert table.refused("ann", "vote", proposal=1, choice="yes", colour="red") == "E-ARGS"
    assert table.refused("ann", "vote", proposal=[1], choice="yes") == "E-ARGS"
    assert table.refused("cid", "vote", proposal=1, choice="yes") == "E-NOT-PLAYER"
    assert table.refused("zed", "vote", proposal=1, choice="yes") == "E-NOT-PLAYER"
    table.ok("ann", "vote", choice="yes")  # there is only one


def test_weights_and_ballots_that_do_not_count(found: Found) -> None:
    law = rule("3", "def decide_weights(p, players):\n    return {'ann': 3}\n"
                    "def decide_ballot_counts(p, b):\n    return 'asleep' if b.player == 'bob' else True\n"
                    "def do_tally(a):\n    announce('%d %d' % (ballots(proposal(1), 'for'), len(voted(proposal(1)))))",
               actions={"tally": {}})  # fmt: skip
    table = found(LIFE, YES, law)
    table.ok("ann", "submit", title="x")
    table.ok("ann", "step", n=1, what="open")
    for player in ("ann", "bob", "cid"):
        table.ok(player, "vote", choice="for", reason="why not")
    assert said(table.ok("ann", "tally")) == ["4 3"]
    bob = table.proposal(1)["ballots"]["bob"]
    assert (bob["counts"], bob["why"], bob["reason"]) == (False, "asleep", "why not")


def test_the_latest_ballot_replaces_the_earlier_one(found: Found) -> None:
    table = found(VOTING)
    number = table.propose("ann", PLAIN)
    for choice in ("for", "against", "for", "against"):
        table.ok("ann", "vote", proposal=number, choice=choice)
    assert [b["choice"] for b in table.proposal(number)["ballots"].values()] == ["against"]


@pytest.mark.parametrize(
    ("votes", "outcome"), [("ffa", "adopted"), ("faa", "defeated"), ("ff-", "adopted"), ("f--", "defeated")]
)
def test_exact_thresholds(found: Found, votes: str, outcome: str) -> None:
    table = found(VOTING)
    number = table.propose("ann", PLAIN)
    for voter, letter in zip(("ann", "bob", "cid"), votes, strict=True):
        table.ok(voter, "vote", proposal=number, choice={"f": "for", "a": "against", "-": "abstain"}[letter])
    assert table.proposal(number)["outcome"] == outcome


def test_a_tie_is_no_majority(found: Found) -> None:
    table = found(VOTING, players=("ann", "bob"))
    number = table.propose("ann", PLAIN)
    table.ok("ann", "vote", proposal=number, choice="for")
    table.ok("bob", "vote", proposal=number, choice="against")
    assert table.proposal(number)["outcome"] == "defeated"


def test_the_electorate_is_fixed_when_voting_opens(found: Found) -> None:
    """Everybody else is deregistered, one voter remains: the vote that is open still needs the others."""
    purge = rule(
        "1",
        "def do_purge(a):\n    for p in things('player'):\n        if p != a.by:\n            destroy(p)",
        actions={"purge": {}},
    )
    table = found(VOTING, purge)
    number = table.propose("ann", PLAIN)
    table.ok("ann", "purge")
    table.ok("ann", "vote", proposal=number, choice="for")
    assert table.proposal(number)["state"] == "open"
    assert table.refused("bob", "vote", proposal=number, choice="against") == "E-NOT-PLAYER"


def test_cast_is_for_voters_and_open_votes_only(found: Found) -> None:
    law = rule("3", "def do_deem(a):\n    cast(proposal(1), a.args.who, 'abstain', deemed = True)",
               actions={"deem": {"arguments": {"who": {"type": "string"}}}})  # fmt: skip
    table = found(LIFE, YES, law)
    table.ok("ann", "submit", title="x")
    assert table.refused("ann", "deem", who="bob") == "E-ORDER"
    table.ok("ann", "step", n=1, what="open")
    assert table.refused("ann", "deem", who="zed") == "E-NOT-PLAYER"
    table.ok("ann", "deem", who="bob")
    assert table.proposal(1)["ballots"]["bob"]["deemed"] is True


def test_motions_count_apart_and_are_voted_on_by_their_kind(found: Found) -> None:
    law = rule("3", "def do_move(a):\n    open_voting(submit('m', [], kind = a.args.kind))",
               defines={"kinds": {"motion": {"votable": True}, "trial": {"votable": True}, "stone": {}}},
               actions={"move": {"arguments": {"kind": {"type": "string"}}}})  # fmt: skip
    table = found(LIFE, YES, law)
    table.ok("ann", "move", kind="motion")
    table.ok("ann", "move", kind="trial")
    table.ok("ann", "vote", motion=1, choice="for")
    table.ok("ann", "vote", trial=1, choice="against")
    assert table.proposal(1, "motion")["ballots"]["ann"]["choice"] == "for"
    assert table.proposal(1, "trial")["ballots"]["ann"]["choice"] == "against"
    assert table.refused("ann", "vote", stone=1, choice="for") == "E-ARGS"
    assert table.refused("ann", "move", kind="stone") == "E-SCRIPT"


# -- what may be proposed


@pytest.mark.parametrize(("answer", "code"), [("refuse('E-COMPOUND', 'two')", "E-COMPOUND"), ("False", "E-IMPROPER")])
def test_improper_proposals_are_refused(found: Found, answer: str, code: str) -> None:
    table = found(VOTING, rule("1", f"def decide_proper(p):\n    return {answer}"))
    assert table.refused("ann", "propose", title="x", changes=[PLAIN]) == code


def test_a_higher_leave_overrules_a_lower_refusal(found: Found) -> None:
    table = found(
        VOTING,
        rule("1", "def decide_proper(p):\n    return True"),
        rule("2", "def decide_proper(p):\n    return False"),
    )
    assert reasons(table.ok("ann", "propose", title="x", changes=[PLAIN]), "OVERRULED")[0]["rule"] == "2"


def test_what_may_not_be_changed_at_adoption_is_left_out(found: Found) -> None:
    law = rule(
        "1",
        "def decide_may_change(p, c):\n    if p.state == 'adopted' and c.kind == 'repeal':\n        return refuse('E-TARGET', 'not now')",
    )
    table = found(VOTING, law, rule("5"), rule("6"))
    outcome = table.adopt({"repeal": "5"}, {"amend": "6", "title": "Six"})
    assert table.in_force() == ["1", "5", "6", "900"]
    assert table.document("rules/6")["title"] == "Six"
    assert reasons(outcome, "E-TARGET")[0]["rule"] == "1"


def test_a_target_that_is_gone_at_adoption_is_told(found: Found) -> None:
    table = found(VOTING, rule("5"))
    assert reasons(table.adopt({"repeal": "5"}, {"amend": "5", "title": "x"}), "E-NO-SUCH")[0]["args"]["uid"] == "5"


BAD_CHANGES: list[Any] = [
    5, "x", {}, [5], [{}], [{"enact": 5}], [{"enact": {"titel": "x"}}], [{"amend": "99", "text": "x"}], [{"amend": ["1"]}],
    [{"enact": {}, "repeal": "5"}], [{"transmute": "5"}], [{"transmute": "5", "to": 7}], [{"kind": "explode", "rule": "5"}],
    [{"kind": ["x"]}], [{"kind": "amend", "rule": ["5"]}], [{"kind": "amend", "rule": {"uid": ["x"]}}],
    [{"kind": "repeal", "rule": None}], [{"enact": {"title": "x", "actions": {"x": 5}}}],
    [{"enact": {"title": "x", "defines": {"player": {"x": 5}}}}], [{"enact": {"title": "x", "timers": {"x": {"every": "fortnight"}}}}],
    [{"enact": {"title": "x", "defines": {"kinds": {"../x": {}}}}}], [{"enact": {"title": "x", "rule": "1"}}],
    [{"enact": {"title": "x", "text": 1.5}}], [{"enact": {"title": "x", "script": ["def"]}}], [{"retitle": "5", "to": 5}],
    [{"amend": "5", "uid": "9"}], [{"enact": {"title": "x", "settings": {"q": {}}}}], [{"$": 1}],
    *([{"amend": "5", "text": "x", "revision": revision}] for revision in (0, 2, -1, "1", True, 1.5, [1], {})),
    [{"enact": {"title": "x"}, "revision": 1}], [{"enact": {"title": "x"}, "text": "y"}], [{"enact": {"title": "x", "revision": 1}}],
]  # fmt: skip


@pytest.mark.parametrize("changes", BAD_CHANGES, ids=str)
def test_malformed_changes_are_refused(found: Found, changes: Any) -> None:
    table = found(VOTING, rule("5"))
    assert table.refused("ann", "propose", title="x", changes=changes) in ("E-ARGS", "E-NO-SUCH")


def test_every_kind_of_change(found: Found) -> None:
    table = found(
        VOTING, rule("5", labels={"status": "mutable", "section": "1"}), rule("6"), rule("7"), rule("8", text="old")
    )
    outcome = table.adopt(
        PLAIN, {"transmute": "5", "to": "immutable"}, {"retitle": "6", "to": "Six"}, {"repeal": "7"}, {"amend": "8", "text": "new"}
    )  # fmt: skip
    assert [e["effect"] for e in outcome.effects if e["effect"] in ("enact", "transmute", "retitle", "repeal", "amend")] == [
        "enact", "transmute", "retitle", "repeal", "amend"]  # fmt: skip
    assert table.in_force() == ["5", "6", "8", "900", "901"]
    assert table.document("rules/5")["labels"] == {"status": "immutable", "section": "1"}
    assert table.document("rules/8")["text"] == "new"
    assert table.document("history/8")["revisions"][0]["text"] == "old"
    assert table.document("law")["rules"]["8"]["revision"] == 2
    assert table.document("history/7")["revisions"][-1]["repealed"] is True


@pytest.mark.parametrize("number", ["'../x'", "'a b'", "'x/y'", "''"])
def test_numbers_of_proposals_cannot_name_other_files(found: Found, number: str) -> None:
    table = found(rule("1", f"def do_go(a):\n    submit('x', [], number = {number})", actions={"go": {}}))
    assert table.refused("ann", "go") == "E-SCRIPT"


def test_registers_of_proposals(found: Found) -> None:
    law = rule(
        "1",
        """
        def do_go(a):
            p = submit("x", [], posted = 5)
            put(p, "posted", get(p, "posted") + 1)
            announce(str(get(proposal(p.number), "posted")))
        def do_bad(a):
            submit("x", [], nothing = 5)
        def decide_number(p):
            return get(p, "posted") + 100
        """,
        defines={"proposal": {"posted": {"type": "integer"}}},
        actions={"go": {}, "bad": {}},
    )
    table = found(law)
    assert said(table.ok("ann", "go")) == ["6"]
    assert table.proposal(105)["registers"] == {"posted": 6}
    again = table.ok("ann", "go")
    assert [failure["hook"] for failure in again.failures] == ["decide_number"], "number 105 is taken"
    assert table.proposal(1)["registers"] == {"posted": 6}, "so it has the number that it has without that rule"
    assert table.refused("ann", "bad") == "E-SCRIPT"


def test_requests_travel_with_a_proposal(found: Found) -> None:
    law = rule(
        "1",
        "def on_proposal_submitted(e):\n    announce(str([(r.name, r.args.section) for r in e.proposal.requests]))",
        actions={"retool": {"travels": "with_proposal", "arguments": {"section": {"type": "integer", "maximum": 16}}}},
    )
    table = found(VOTING, law)
    outcome = table.ok("ann", "propose", title="x", changes=[], requests=[{"retool": {"section": 3}}])
    assert said(outcome) == ['[("retool", 3)]']
    for bad in (
        [{"retool": {"section": 17}}],
        [{"retool": "5"}],
        5,
        [5],
        [{"propose": {}}],
        [{"name": ["x"], "args": {}}],
    ):
        assert table.refused("ann", "propose", title="x", changes=[], requests=bad) in ("E-ARGS", "E-NO-SUCH")


# -- arguments

TYPES: dict[str, tuple[list[Any], list[Any]]] = {
    "integer": ([0, -5, 2**200], [True, "1", 1.5, [], 2**300]),
    "boolean": ([True, False], [0, "true"]),
    "text": (["", "x" * 100], [5, [], "x" * 70_000]),
    "string": (["x"], [5]),
    "choice": (["a"], ["c", 5, []]),
    "player": (["ann"], ["zed", 5, [], "ANN"]),
    "rule": (["1"], ["99", 1, []]),
    "proposal": ([305, "proposal/305"], [True, [], {}, "x" * 100]),
    "thing": (["ball-1"], ["ann", "ball-2", [], 5]),
    "list": ([[], [1, ["x"]]], [{}, [1.5], "x"]),
    "map": ([{}, {"a": None}], [[], {"$": 1}, {"$json": "1"}, {"a": [1.5]}]),
    "changes": ([[]], [{}, "x"]),
    "settings": ([{"Q1": "b"}], [{"Q9": "b"}, [], "Q1"]),
    "time": ([5, 253_402_300_799, -62_135_596_800], ["5", 1.5, 2**60, 253_402_300_800, -(2**60)]),
    "office": (["o"], ["p", [], 5]),
}


@pytest.mark.parametrize("kind", TYPES)
def test_arguments_of_every_type(kind: str) -> None:
    spec = {
        "type": kind,
        **({"of": ["a", "b"]} if kind == "choice" else {}),
        **({"kind": "ball"} if kind == "thing" else {}),
    }
    law = rule("1", "def do_go(a):\n    pass\ndef on_founded(e):\n    create('ball')", actions={"go": {"arguments": {"x": spec}}},
               defines={"kinds": {"ball": {}}, "offices": {"o": {}}},
               settings={"Q1": {"question": "?", "default": "a", "alternatives": {"a": "", "b": ""}}})  # fmt: skip
    table = Table(law)
    good, bad = TYPES[kind]
    for value in good:
        table.ok("ann", "go", x=value)
    for value in [*bad, None]:
        assert table.refused("ann", "go", x=value) == "E-ARGS", value
    assert table.refused("ann", "go") == "E-ARGS"
    assert table.refused("ann", "go", x=good[0], y=1) == "E-ARGS"


def test_all_problems_of_arguments_are_named_at_once(found: Found) -> None:
    spec = {
        "first": {"type": "integer", "minimum": 1},
        "second": {"type": "boolean"},
        "third": {"type": "text", "default": "x"},
    }
    table = found(rule("1", "def do_go(a):\n    announce(a.args.third)", actions={"go": {"arguments": spec}}))
    why = table.act("ann", "go", first=0, secnd=True).reasons[-1]["args"]["why"]
    assert all(part in why for part in ("first must be at least 1", "go needs second", "did you mean second"))
    assert said(table.ok("ann", "go", first=1, second=True)) == ["x"]


# -- administration


@pytest.mark.parametrize(
    "act", ["pause", "resume", "correct", "suspend", "wake", "redact", "engine", "repair", "use_forge"]
)
def test_only_administrators_administer(found: Found, act: str) -> None:
    assert found(VOTING).refused("ann", act) == "E-NOT-ADMINISTRATOR"


def test_no_rule_stands_in_the_way_of_a_repair(found: Found) -> None:
    law = rule(
        "1",
        "def forbid(a):\n    return refuse('E-STATUS', 'no')\ndef do_suspend(a):\n    announce('ha')",
        actions={"suspend": {}},
    )
    table = found(VOTING, law)
    assert said(table.ok("root", "suspend", rule="1", why="void")) == []
    assert table.document("law")["rules"]["1"]["suspended"] == "void"
    table.ok("ann", "state", text="free")
    table.ok("root", "wake", rule="1")
    assert table.refused("ann", "state", text="not free") == "E-STATUS"


def test_amending_a_suspended_rule_wakes_it(found: Found) -> None:
    table = found(VOTING, rule("1", "def forbid(a):\n    fail('x')"))
    table.ok("root", "suspend", rule="1")
    table.adopt({"amend": "1", "script": script("def on_stated(e):\n    announce('awake')\n")})
    assert said(table.ok("ann", "state", text="x")) == ["awake"]


def test_corrections_set_registers_exactly_and_are_told(found: Found) -> None:
    law = rule("1", "def adjust_award(a):\n    return 0",
               defines={"currencies": {"score": {"maximum": 50}}, "game": {"x": {"type": "integer"}}, "offices": {"o": {}},
                        "rule": {"r": {"type": "boolean"}}},
               settings={"Q1": {"question": "?", "default": "a", "alternatives": {"a": "", "b": ""}}})  # fmt: skip
    table = found(law)
    score = table.ok("root", "correct", of="ann", name="score", to=9, why="missed")
    assert effects(score, "award")[0] | {"asked": 9} == effects(score, "award")[0]
    assert (effects(score, "award")[0]["kind"], table.get("ann", "score")) == ("correction", 9)
    table.ok("root", "correct", of="game", name="x", to=4, why="missed")
    table.ok("root", "correct", of="office/o", name="holder", to="bob", why="missed")
    table.ok("root", "correct", of="rule/1", name="r", to=True, why="missed")
    table.ok("root", "correct", of="settings", name="Q1", to="b", why="ruling")
    assert (table.get("game", "x"), table.get({"office": "o"}, "holder"), table.get({"uid": "1"}, "r")) == (
        4,
        "bob",
        True,
    )
    assert table.document("game")["settings"] == {"Q1": "b"}
    for bad in ({"of": "zed", "name": "score", "to": 1}, {"of": "ann", "name": "gold", "to": 1}, {"of": "ann", "name": "score", "to": 51},
                {"of": "ann", "name": "score", "to": "x"}, {"of": "office/o", "name": "holder", "to": "zed"}):  # fmt: skip
        assert table.refused("root", "correct", why="x", **bad) == "E-ARGS"


def test_redactions_and_engine_versions_are_recorded(found: Found) -> None:
    table = found(VOTING)
    table.ok("ann", "state", text="secret")
    assert effects(table.ok("root", "redact", seq=2, path="with.text", digest="0" * 64), "redact")[0]["of"] == "2"
    assert table.refused("root", "redact", seq=99, path="with.text", digest="0" * 64) == "E-ARGS"
    table.ok("root", "engine", versions={"engine": "0.2"}, state="0" * 64)
    assert table.document("game")["engine"] == {"engine": "0.2"}
    assert table.refused("root", "pause", why=5) == "E-ARGS"
    table.ok("root", "pause")
    assert table.refused("root", "pause") == "E-DUP"
    table.ok("root", "resume")
    assert table.refused("root", "resume") == "E-DUP"


def test_rulings_flip_switches_of_named_alternatives(found: Found) -> None:
    law = rule(
        "1",
        """
        def do_rule(a):
            for name, value in a.args.switch.items():
                put("settings", name, value)
        def on_setting_changed(e):
            announce("%s %s>%s %s" % (e.setting, e.before, e.after, setting("Q1")))
        """,
        settings={
            "Q1": {"name": "adoption", "question": "?", "default": "a", "alternatives": {"a": "", "b": "", "true": ""}}
        },
        actions={"rule": {"arguments": {"switch": {"type": "settings"}}}},
    )
    table = found(law)
    assert said(table.ok("ann", "rule", switch={"adoption": "b"})) == ["Q1 a>b b"]
    assert said(table.ok("ann", "rule", switch={"Q1": "b"})) == []
    assert said(table.ok("ann", "rule", switch={"Q1": True})) == ["Q1 b>true true"]
    assert table.refused("ann", "rule", switch={"Q1": "z"}) == "E-ARGS"
    assert failed(table.ok("ann", "rule", switch={"Q1": "a"})) == []


def test_an_amendment_does_not_transmute_by_the_way(found: Found) -> None:
    table = found(VOTING, rule("1", labels={"status": "mutable", "power": "2"}))
    by_the_way = {"amend": "1", "text": "x", "labels": {"status": "immutable", "power": "2"}}
    assert table.refused("ann", "propose", changes=[by_the_way]) == "E-ARGS"
    assert table.refused("ann", "propose", changes=[{"amend": "1", "labels": {}}]) == "E-ARGS"
    table.adopt({"amend": "1", "text": "x", "labels": {"status": "mutable", "power": "3"}})
    assert table.document("rules/1")["labels"] == {"status": "mutable", "power": "3"}
