"""Sealed values: rules keep and pass on what they cannot see, and look into it by sealed functions alone."""

from __future__ import annotations

import json
import re
from functools import partial
from random import Random
from typing import Any

import pytest

from folkmoot.core.events import Event
from folkmoot.kernel.sealed_data.values import seen_by
from tests.conftest import FUZZ
from tests.support.keeper import CARDS, GAME, SECRET
from tests.support.sealed_worlds import Act, Law
from tests.support.sealed_worlds import acts as acts_of
from tests.support.table import VOTING, Found, Record, Table, rule

ORDER = [0, 2, 1, 3, 4, 5]  # ann has hearts and spades, bob the others of them, cid clubs


def seen(table: Table, owner: str, name: str, viewer: str | None) -> Any:
    """Return a register as somebody sees it."""
    value = table.get(owner, name)
    return table.kernel.look(partial(seen_by, value=value, viewer=viewer), table.now)


def public(table: Table) -> str:
    """Return all that stands in the record and the files of a game but for its founding."""
    documents = {key: value for key, value in table.kernel.documents.everything().items() if "rules" not in key}
    return json.dumps([table.entries[1:], documents])


def dealt(found: Found) -> Table:
    """Return a game in which the cards are dealt."""
    table = found(GAME)
    table.ok("ann", "deal", dice=[ORDER])
    return table


def test_one_bit_becomes_public_and_the_cards_when_they_are_shown(found: Found) -> None:
    table = dealt(found)
    refused = table.act("ann", "play", card=CARDS[2])
    assert refused.code == "E-SUIT"
    assert [record["value"] for record in refused.sealed if "opened" in record] == [False]
    table.ok("ann", "play", card=CARDS[0])
    table.ok("cid", "play", card=CARDS[4])
    assert [card for card in CARDS if card in public(table)] == []
    table.ok("ann", "show")
    assert table.get("game", "shown") == {"ann": CARDS[0], "cid": CARDS[4]}
    assert [card for card in CARDS if card in public(table)] == [CARDS[0], CARDS[4]]


@pytest.mark.parametrize("function", ["asks", "runs_on", "fails"])
def test_a_sealed_function_that_fails_answers_nothing_and_tells_its_readers_why(found: Found, function: str) -> None:
    table = dealt(found)
    outcome = table.ok("ann", "ask", function=function)
    assert outcome.failures == []
    assert seen(table, "ann", "hand", "ann") is None
    confided = outcome.confided[0]
    assert (confided["to"], confided["value"]) == (["ann"], None)
    assert confided["error"]
    assert confided["error"] not in public(table)


@pytest.mark.threat("T-82")
def test_what_a_sealed_function_costs_says_nothing_of_what_it_saw(found: Found) -> None:
    spent = []
    for function in ("runs_on", "fails"):
        table = dealt(found)
        table.ok("ann", "ask", function=function)
        spent.append({k: v for k, v in table.kernel.play.budget.spent.items() if k != "output"})
    assert spent[0] == spent[1]


@pytest.mark.threat("T-82")
@pytest.mark.parametrize("do", ["leak", "add", "pay"])
def test_rules_cannot_use_what_is_sealed_as_what_it_is(found: Found, do: str) -> None:
    outcome = dealt(found).act("ann", do)
    assert [(outcome.code, failure.get("code")) for failure in outcome.failures] == [("E-SCRIPT", "E-SEALED")]


def test_who_reads_the_answer_reads_all_that_it_was_made_of(found: Found) -> None:
    table = dealt(found)
    table.ok("ann", "best")
    assert [seen(table, "game", "best", who) for who in ("ann", "bob")] == ["sealed", "sealed"]
    table.ok("ann", "lend", to="bob")
    table.ok("ann", "best")
    assert [seen(table, "game", "best", who) == "sealed" for who in ("ann", "bob", "cid")] == [True, False, True]


@pytest.mark.threat("T-87")
def test_an_office_reads_by_its_holder(found: Found) -> None:
    table = dealt(found)
    table.ok("ann", "lend", to=["office/dealer"])
    assert seen(table, "ann", "hand", "cid") == "sealed"
    outcome = table.ok("root", "correct", of="office/dealer", name="holder", to="cid", why="elected")
    assert seen(table, "ann", "hand", "cid") == [CARDS[0], CARDS[2]]
    assert [(each["number"], each["to"]) for each in outcome.confided] == [(7, ["cid"])]


@pytest.mark.threat("T-88")
def test_sealed_ballots_are_opened_at_the_count(found: Found) -> None:
    table = found(VOTING, SECRET)
    number = table.propose("ann", {"enact": {"title": "Tea", "text": "Tea is served."}})
    for voter, choice in (("ann", "for"), ("bob", "against")):
        table.ok(voter, "vote", proposal=number, choice=choice, reason=f"{voter} says so")
    assert "says so" not in public(table)
    assert [ballot["choice"] for ballot in table.proposal(number)["ballots"].values()] == ["", ""]
    table.ok("cid", "vote", proposal=number, choice="for")
    assert {who: (b["choice"], b["reason"]) for who, b in table.proposal(number)["ballots"].items()} == {
        "ann": ("for", "ann says so"), "bob": ("against", "bob says so"), "cid": ("for", "")}  # fmt: skip
    assert table.proposal(number)["outcome"] == "adopted"


COUNTED = {  # what is answered of a ballot, and why those that say "for" do not count
    "a choice does not count": ("return 'nobody votes for it' if b.choice == 'for' else True", "nobody votes for it"),
    "a choice is refused": ("return refuse('E-STATUS', 'too late') if b.choice == 'for' else True", "too late"),
    "the question fails": ("fail('x') if b.choice == 'for' else None", "rule 3 failed in its decide_ballot_counts"),
    "all count": ("return True if b.choice else 'an empty ballot'", ""),
}


@pytest.mark.parametrize("how", COUNTED)
def test_whether_a_sealed_ballot_counts_is_asked_when_it_is_opened(found: Found, how: str) -> None:
    answer, told = COUNTED[how]
    table = found(VOTING, SECRET, rule("3", f"def decide_ballot_counts(p, b):\n    {answer}\n"))
    number = table.propose("ann", {"enact": {"title": "Tea", "text": "Tea is served."}})
    for voter, choice in (("ann", "for"), ("bob", "against")):
        table.ok(voter, "vote", proposal=number, choice=choice)
    assert all(ballot["counts"] for ballot in table.proposal(number)["ballots"].values())
    table.ok("cid", "vote", proposal=number, choice="for")
    ballots = table.proposal(number)["ballots"]
    for voter, why in (("ann", told), ("cid", told), ("bob", "")):
        assert ballots[voter]["counts"] is not bool(why)
        assert ballots[voter]["why"].startswith(why)
    assert table.proposal(number)["outcome"] == ("defeated" if told else "adopted")


def test_what_is_said_in_clear_or_forged_or_of_another_type_counts_for_nothing(found: Found) -> None:
    table = dealt(found)
    for card in (CARDS[0], {"$sealed": 7}):
        given = {"seq": len(table.entries) + 1, "at": table.now, "prev": table.prev()}
        assert table.kernel.apply(Event(do="play", by="ann", with_={"card": card}, **given)).code == "E-SEALED"
        table.kernel.undo()
    assert table.act("ann", "play", card=["canary"]).code == "E-SEALED-VALUE"
    assert "canary" not in str(table.entries[-1])
    assert table.act("ann", "lend", to="zed").failures[0]["code"] == "E-NO-SUCH"
    undeclared = table.act("ann", "ask", function="do_deal").failures[0]["error"]
    assert undeclared == "this rule declares no sealed function do_deal; name it under `sealed:`"


def test_ballots_are_sealed_where_the_law_says_so_and_nowhere_else(found: Found) -> None:
    tea = {"enact": {"title": "Tea", "text": "Tea is served."}}
    table = found(VOTING, SECRET)
    number = table.propose("ann", tea)
    assert table.refused("ann", "vote", proposal=number, choice="for", clear=True) == "E-SEALED"
    assert table.refused("ann", "vote", proposal=number, choice="perhaps") == "E-SEALED-VALUE"
    table = found(VOTING)
    given_ = {"proposal": table.propose("ann", tea), "choice": {"commitment": "00" * 32, "box": "YWdl"}}
    event = Event(seq=len(table.entries) + 1, at=table.now, do="vote", by="ann", with_=given_)
    assert table.kernel.apply(event).code == "E-SEALED"
    table.kernel.undo()


# -- any law


CASES = 4_000 if FUZZ else 8
TOGETHER = 4


class World(Table):
    """A game in one of two worlds; `seen` is what everybody sees of it, act by act."""

    def __init__(self, law: Record, world: int) -> None:
        super().__init__(law, {**VOTING, "script": VOTING["script"].replace("== len(p.electorate)", "> 9")}, SECRET)
        self.world, self.seen = world, list[str]()

    def play(self, what: Act) -> None:
        """Play one act as it is in this world."""
        given: Record = {name: pair[self.world] for name, pair in what.sealed.items()}
        outcome = self.act(what.by, what.do, **given)
        self.note(outcome)
        for fired in self.pass_time(what.wait):
            self.note(fired)

    def note(self, outcome: Any) -> None:
        """Note all that anybody may see of an outcome, and what it cost."""
        spent = dict(self.kernel.play.budget.spent)
        told = [
            outcome.code,
            outcome.reasons,
            outcome.failures,
            outcome.effects,
            outcome.sealed,
            spent,
            len(outcome.confided),
        ]
        to = [[each["number"], each["to"], each["keeper"]] for each in outcome.confided]
        self.seen.append(json.dumps([told, to, self.kernel.next_due(), self.public()], sort_keys=True, default=str))

    def public(self) -> Any:
        """Return the documents and the last entry, commitments as their lengths."""
        everything = self.kernel.documents.everything()
        boxes = [place for key, found in everything.items() if key.startswith("boxes/") for place in found.values()]
        documents = {key: found for key, found in everything.items() if not key.startswith(("boxes/", "rules/"))}
        return [documents, sorted(boxes), self.entries[-1]]


def played_in(law: Record, script: list[Act], world: int) -> tuple[list[str], World]:
    """Return what is seen of a game in a world, and the game."""
    table = World(law, world)
    table.ok("ann", "deal")
    table.propose("ann", {"enact": {"title": "Tea", "text": "Tea is served."}})
    for what in script:
        table.play(what)
    return [re.sub(r"[0-9a-f]{64}", "#64", each) for each in table.seen], table


@pytest.mark.threat("T-82")
@pytest.mark.parametrize("first", range(0, CASES, TOGETHER))
def test_random_laws_tell_nothing_of_what_is_sealed(first: int) -> None:
    for seed in range(first, first + TOGETHER):
        random = Random(seed)
        law, script = Law(random).rule(), acts_of(random, 8)
        (one, _), (other, _) = (played_in(law, script, world) for world in (0, 1))
        for here, there, act in zip(one, other, script, strict=False):
            assert here == there, (seed, act, law["script"])
        assert len(one) == len(other), seed
