"""P7 of the language review: whatever the rules call it, what is voted on is named, claimed and voted on everywhere."""

from __future__ import annotations

from typing import Any

import pytest

from folkmoot.core.ballot_display import voted_on
from folkmoot.core.problems import ProblemError
from folkmoot.files.reader import read_action, read_scenario
from folkmoot.scenarios.scenario import Failed, run_scenario
from tests.support.table import VOTING, Table, rule

PETITIONS = rule(
    "1",
    """
    def do_plead(a):
        open_voting(submit(a.args.title, [], kind = a.args.kind, number = 1))

    def decide_choices(p):
        return ["aye and amen", "nay"] if p.kind == "petition" else None
    """,
    defines={"kinds": {"petition": {"votable": True}, "stone": {}}},
    actions={"plead": {"summary": "Plead", "arguments": {"title": {"type": "text"}, "kind": {"type": "string"}}}},
)


def law(*rules: Any) -> dict[str, Any]:
    return {"title": "Moot", "rules": [{**each, "uid": each["rule"]} for each in rules], "players": []}


def play(text: str) -> None:
    scenario = read_scenario(f"scenario: one\nruleset: none\nplayers: [ann, bob, cid]\n{text}", "one.yaml")
    run_scenario(scenario, lambda _name: law(PETITIONS, VOTING))


PLEAD = "  - {by: ann, do: plead, args: {title: Rest, kind: petition}}"


def test_a_scenario_votes_on_any_kind_and_claims_it() -> None:
    play(f"""steps:
{PLEAD}
  - {{by: [ann, bob], vote: aye and amen, petition: 1}}
  - {{expect: [{{petition: 1, state: open, votes: {{ann: aye and amen, bob: aye and amen}}}}]}}
expect:
  - {{petition: 1, kind: petition, author: ann}}
""")


@pytest.mark.parametrize(
    ("steps", "why"),
    [
        (f"{PLEAD}\n  - {{expect: [{{petition: 1, state: closed}}]}}", "state is open"),
        (f"{PLEAD}\n  - {{expect: [{{petition: 2, state: open}}]}}", "there is no petition 2"),
        (f"{PLEAD}\n  - {{expect: [{{stone: 1, state: open}}]}}", "no rule in force declares a votable kind 'stone'"),
        (f"{PLEAD}\n  - {{by: bob, vote: nay, stone: 1}}", "stone"),
        ("  - {by: ann, do: plead, args: {title: Rest, kind: stone}}", "declares a votable kind 'stone'"),
    ],
)
def test_a_kind_that_is_not_voted_on_is_told(steps: str, why: str) -> None:
    with pytest.raises(Failed, match=why):
        play(f"steps:\n{steps}\n")


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("{by: ann, vote: nay, petition: 1, motion: 2}", "E-CONFLICT"),
        ("{by: ann, vote: nay, petition: [1]}", "E-TYPE"),
        ("{by: ann, vote: nay, reson: 1}", "E-KEY"),
        ("{by: ann, vote: nay}", "E-MISSING"),
    ],
)
def test_a_step_that_votes_on_nothing_or_on_two_things_is_told(line: str, code: str) -> None:
    with pytest.raises(ProblemError) as caught:
        read_scenario(f"scenario: one\nruleset: none\nsteps:\n  - {line}\n", "one.yaml")
    assert code in [problem.code for problem in caught.value.problems]


def test_an_action_file_votes_on_any_kind() -> None:
    assert read_action("vote: nay\npetition: 3\nreason: so\n", "a.yaml")["with"] == {
        "choice": "nay", "petition": 3, "reason": "so",
    }  # fmt: skip


def test_a_ballot_that_names_nothing_is_on_the_only_open_thing_of_whatever_kind() -> None:
    table = Table(PETITIONS, VOTING)
    table.ok("ann", "plead", title="Rest", kind="petition")
    table.ok("bob", "vote", choice="nay")
    table.ok("ann", "vote", choice="aye and amen", kind="petition", proposal=1)
    assert {who: b["choice"] for who, b in table.proposal(1, "petition")["ballots"].items()} == {
        "bob": "nay", "ann": "aye and amen",
    }  # fmt: skip
    table.ok("ann", "plead", title="Work", kind="proposal")
    table.ok("bob", "vote", choice="for")
    assert table.proposal(1)["ballots"]["bob"]["choice"] == "for"


def test_the_record_says_what_a_refused_ballot_was_on() -> None:
    assert voted_on({"by": "ann", "do": "vote", "with": {"choice": "nay", "petition": 3}}) == "petition/3"


def test_a_kind_may_bear_the_name_of_an_argument() -> None:
    odd = rule("1", "def do_go(a):\n    open_voting(submit('Rest', [], kind = 'reason', number = 1))",
               defines={"kinds": {"reason": {"votable": True}}}, actions={"go": {"summary": "Go"}})  # fmt: skip
    table = Table(odd, VOTING)
    table.ok("ann", "go")
    table.ok("ann", "vote", choice="for", reason="why not", kind="reason", proposal=1)
    assert table.proposal(1, "reason")["ballots"]["ann"]["reason"] == "why not"
