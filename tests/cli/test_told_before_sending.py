"""A proposal that cannot have effect, or breaks the game later, is told of before it is sent, in all places alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.moot import Moot, Said
from tests.support.quick import SMALL
from tests.support.seats import Seats, Sit
from tests.support.table import rule

UNANIMITY = rule("203", "def decide_tally(p):\n    return len(p.ballots)\n")
LAW = {**SMALL, "rules": [*SMALL["rules"], UNANIMITY]}
HEAD = "title: New\ntext: |\n  It is new.\n"
VAIN = f"{HEAD}script: |\n  def decide_tally(p):\n      return 7\n"
OVERRULED = (
    "the new rule's answer to the question 'tally' is overruled by rule 203, which always answers it; amend that one"
)
BREAKING = f"{HEAD}script: |\n  def on_ballot_cast(e):\n      e.nothing_of_the_kind()\n"
BREAKS = "Beware of later: the new rule fails in its on_ballot_cast at the next proposal and the votes on it"


@pytest.fixture
def folk(seats: Sit) -> Seats:
    return seats(LAW)


def written(text: str, name: str = "new.yaml") -> str:
    path = Path(name).absolute()
    path.write_text(text)
    return str(path)


def whole(said: Said) -> str:
    return " ".join((said.out + said.err).split())


def test_an_answer_that_nobody_hears_is_told_by_all_that_look_at_it(folk: Seats) -> None:
    new = written(VAIN)
    assert f"Beware of later: {OVERRULED}" in whole(folk.moot("ann", "propose", "--rule", new))
    folk.referee()
    assert OVERRULED in whole(folk.moot("bob", "try", "1", "--said"))
    assert OVERRULED in whole(folk.moot("bob", "show", "1"))


def test_an_answer_that_nobody_hears_is_told_where_it_is_checked_and_tried(table: Moot) -> None:
    script = "script: |\n  def decide_adopted(p):\n      return ballots(p, 'for') >= 1\n"
    new = written(HEAD + script)
    said = "the new rule's answer to the question 'adopted' is overruled by rule 203, which always answers it; amend that one"
    assert f"new.yaml:5:7: {said}, or claim precedence [W-SCRIPT]" in whole(table("check", new))
    assert f"Beware: {said}" in whole(table("try", new))
    assert "overruled" not in whole(table("check", written(f"{HEAD}precedence: {{over: ['203']}}\n{script}")))


def test_what_breaks_later_is_not_sent_but_anyway(folk: Seats) -> None:
    new = written(BREAKING)
    said = whole(folk.moot("ann", "propose", "--rule", new, code=1))
    assert BREAKS in said
    assert "Nothing was sent" in said
    record = folk.moot("ann", "propose", "--rule", new, "--json", code=1).record
    assert (record["sent"], {each["code"] for each in record["problems"]}) == (False, {"E-SCRIPT"})
    assert folk.moot("ann", "propose", "--rule", new, "--anyway", "--json").record["sent"]
    folk.referee()
    assert "Beware of later" in whole(folk.moot("bob", "try", "1", "--said"))


ONCE = f"""{HEAD}defines:
  kinds:
    offer: {{registers: {{price: {{type: integer}}}}}}
  game:
    bids: {{type: integer}}
actions:
  buy: {{arguments: {{offer: {{type: thing, kind: offer}}}}}}
  bid: {{arguments: {{price: {{type: integer, minimum: 3}}}}}}
  sell: {{}}
  read: {{arguments: {{book: {{type: thing, kind: book}}}}}}
timers:
  hammer: {{}}
  dawn: {{every: day, time: "08:00"}}
  never: {{}}
script: |
  def do_buy(a):
      destroy(a.args.offer)
  def do_bid(a):
      add("game", "bids", a.args.price)
      after(DAY, "hammer")
  def do_sell(a):
      create("offer", owner = a.by, price = 1)
  def do_read(a):
      pass
  def on_hammer(e):
      %s
  def on_dawn(e):
      announce("It dawns.")
"""


def test_new_actions_and_timers_are_tried_once_each(table: Moot) -> None:
    said = whole(table("try", written(ONCE % 'announce("Sold.")')))
    for once in ("Bids: 0 → 3", "offer-1 came into being", "offer-1 is gone", "“Sold”", "“It dawns”"):
        assert said.count(once) == 1, (once, said)
    assert "Not tried: the action read: nothing that it needs is known here; --steps can bring it about." in said
    assert "Not tried: the timer never: nothing that it needs is known here; --steps can bring it about." in said
    assert "Not tried: the action buy" not in said


def test_a_fault_in_a_timer_that_an_action_starts_is_found_by_trying(table: Moot) -> None:
    new = written(ONCE % "e.nothing")
    said = table("try", new, "--json")
    assert said.code == 1
    record = said.record
    failures = [each for entry in record["tried"] for each in entry.get("failures") or ()]
    assert [(each["hook"], each["line"]) for each in failures] == [("on_hammer", 11)]
    assert "on_hammer failed at" in whole(table("try", new))
    steps = written("- {by: ann, do: sell}\n", "steps.yaml")
    assert table("try", new, "--steps", steps, "--json").record["tried"] == []
