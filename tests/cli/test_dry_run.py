"""What would be refused, or breaks the game later, is said before it is sent, by the judgement the referee makes after."""

from __future__ import annotations

from pathlib import Path

import pytest

from folkmoot.referee import dry_run
from tests.support.moot import Moot, Said
from tests.support.quick import SMALL
from tests.support.seats import Seats, Sit
from tests.support.table import rule
from tests.support.table import rule as made_rule

FAIR = made_rule(
    "4",
    """
    def do_pay(a):
        transfer(a.by, a.args.to, "score", a.args.amount)

    def do_mint(a):
        award(a.by, "score", 5)

    def do_store(a):
        put("game", "stored", a.args.goods)

    def do_dig(a):
        award(a.by, "score", 1 if getattr(a.args, "in") == "b3" else 0)
    """,
    defines={"game": {"stored": {"type": "map"}}},
    actions={
        "pay": {"arguments": {"to": {"type": "player"}, "amount": {"type": "integer"}}},
        "mint": {"summary": "Get five points"},
        "store": {"arguments": {"goods": {"type": "map"}}},
        "dig": {"arguments": {"in": {"type": "string"}}},
    },
)
LAW = {**SMALL, "rules": [*SMALL["rules"], FAIR]}
TEA = "title: Tea\ntext: |\n  There is tea.\n"


@pytest.fixture
def fair(seats: Sit) -> Seats:
    """Return a table at which points are minted and paid, goods stored, and dice thrown."""
    return seats(LAW)


def refs(table: Seats) -> dict[str, str]:
    """Return all refs of a table, and where they stand."""
    return {name: table.tip(name) for name in table.repo.references}


def says(said: Said, *wanted: str) -> None:
    for words in wanted:
        assert words in said.out + said.err, (words, said.out, said.err)


def tea(table: Seats) -> str:
    path = table.folder / "tea.yaml"
    path.write_text(TEA)
    return str(path)


def test_what_would_be_refused_is_not_sent_unless_anyway(fair: Seats) -> None:
    before = refs(fair)
    said = fair.moot("ann", "act", "pay", "to=bob", "amount=3", code=3)
    says(said, "The referee would refuse it: ", "[E-FUNDS]", "Nothing was sent", "--anyway")
    record = fair.moot("ann", "act", "pay", "to=bob", "amount=3", "--json", code=3).record
    assert (record["sent"], record["foreseen"][0]["code"]) == (False, "E-FUNDS")
    assert refs(fair) == before
    fair.moot("ann", "act", "pay", "to=bob", "amount=3", "--anyway")
    fair.referee()
    assert fair.journal()[-1]["code"] == "E-FUNDS"
    says(fair.moot("ann", "act", "mint"), "As the game stands here: ", "ann", "5", "Sent to the thread")


def test_a_dry_run_sends_nothing_and_nothing_of_a_trial_stays(fair: Seats) -> None:
    fair.moot("ann", "propose", "--rule", tea(fair))
    fair.referee()
    before = refs(fair)
    says(fair.moot("ann", "act", "mint", "--dry-run"), "As the game stands here", "Nothing was sent.")
    says(fair.moot("ann", "act", "pay", "to=bob", "amount=3", "-n", "--anyway", code=3), "Nothing was sent.")
    says(fair.moot("eve", "join", "--dry-run"), "Nothing was sent.")
    for words in (("vote", "1", "for"), ("withdraw", "1"), ("comment", "/do mint"), ("propose", "--rule", tea(fair))):
        says(fair.moot("ann", *words, "--dry-run"), "Nothing was sent.")
    assert refs(fair) == before
    assert not list(Path(fair.bare, "folkmoot").rglob("*.secret"))


def test_a_map_is_shown_as_it_is_typed(fair: Seats) -> None:
    says(fair.moot("ann", "act", "store", "goods=wood", code=1), 'write it as {"ann": 5}')
    record = fair.moot("ann", "act", "store", "goods=wood", "--json", code=1).record
    assert record["problems"][0]["arguments"] == {"argument": "goods"}
    fair.moot("ann", "act", "store", 'goods={"wood": 2}')
    fair.referee()
    assert (fair.journal()[-1]["do"], fair.journal()[-1]["with"]) == ("store", {"goods": {"wood": 2}})
    says(fair.moot("bob", "act", "dig", "in=b3"), "Sent to the thread of moor: /do dig in=b3")
    fair.referee()
    assert fair.scores()["bob"] == 1, "an argument may be called as a word of the language"


def test_what_was_sent_before_is_played_first(fair: Seats) -> None:
    fair.moot("ann", "act", "mint")
    says(fair.moot("ann", "act", "pay", "to=bob", "amount=3"), "As the game stands here: ", "bob")
    fair.moot("eve", "join", "eve")
    fair.moot("eve", "act", "state", "Here I am.")
    fair.moot("zoe", "act", "state", "Here I am.", code=3)
    fair.referee()
    accepted = [entry["do"] for entry in fair.journal()[1:] if not entry.get("code")]
    assert sorted(accepted) == ["join", "mint", "pay", "state"]


def test_acts_of_one_command_follow_one_another(fair: Seats) -> None:
    fair.moot("bob", "act", "pay", "to=ann", "amount=4", "+", "mint", code=3)
    fair.moot("bob", "act", "mint", "+", "pay", "to=ann", "amount=4", "+", "state", "Done + dusted.")
    fair.referee()
    assert [entry["do"] for entry in fair.journal()[1:]] == ["mint", "pay", "state"]
    assert fair.scores()["ann"] == 4
    record = fair.moot("bob", "act", "mint", "+", "mint", "--json").record
    assert [act["do"] for act in record["acts"]] == ["mint", "mint"]


@pytest.mark.parametrize("how", ["slow", "engine"])
def test_who_cannot_be_told_is_not_kept_from_sending(fair: Seats, how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    says(fair.moot("ann", "act", "pause", "-n"), "As the game stands here: ")
    says(fair.moot("bob", "act", "pause", code=3), "[E-NOT-ADMINISTRATOR]")
    says(fair.moot("ann", "act", "open_epoch", "-n"), "Not tried before sending: ")
    said = fair.moot("ann", "act", "roll", "-n")
    says(said, "for the dice, which fall when the referee judges it")
    assert "luck" not in said.out
    if how == "slow":
        monkeypatch.setattr(dry_run, "MOST_WORK", -1.0)
    else:
        monkeypatch.setattr("folkmoot.game.session.is_same", lambda *_: False)
    says(fair.moot("ann", "act", "mint"), "Not tried before sending: ", "Sent to the thread")


DEEDS = (
    ("act", "mint"),
    ("act", "pay", "to=bob", "amount=7"),
    ("act", "pay", "to=bob", "amount=2"),
    ("act", "withdraw"),
    ("act", "vote", "choice=for"),
    ("act", "state", "Hear me."),
    ("act", "pause"),
    ("act", "state", "In a pause."),
    ("act", "resume"),
    ("act", "correct", "of=ann", "name=score", "to=1", "why=Because"),
    ("act", "leave"),
    ("act", "state", "When I have left."),
)


def test_what_is_foreseen_is_what_comes_of_it(fair: Seats) -> None:
    for words in DEEDS:
        known = len(fair.journal())
        fair.now += 60
        record = fair.moot("ann", *words, "--anyway", "--json").record
        fair.referee()
        entries = fair.journal()[known:]
        foreseen = [each for each in record["foreseen"] if each["state"] in ("recorded", "refused")]
        assert [entry.get("code", "") for entry in entries] == [each["code"] for each in foreseen], words
        assert [entry["do"] for entry in entries] == [each["what"] for each in foreseen], words


# -- what would break later


UNANIMITY = rule("203", "def decide_tally(p):\n    return len(p.ballots)\n")
UNANIMOUS = {**SMALL, "rules": [*SMALL["rules"], UNANIMITY]}
HEAD = "title: New\ntext: |\n  It is new.\n"
VAIN = f"{HEAD}script: |\n  def decide_tally(p):\n      return 7\n"
OVERRULED = (
    "the new rule's answer to the question 'tally' is overruled by rule 203, which always answers it; amend that one"
)
BREAKING = f"{HEAD}script: |\n  def on_ballot_cast(e):\n      e.nothing_of_the_kind()\n"
BREAKS = "Beware of later: the new rule fails in its on_ballot_cast at the next proposal and the votes on it"


@pytest.fixture
def folk(seats: Sit) -> Seats:
    return seats(UNANIMOUS)


def written(text: str, name: str = "new.yaml") -> str:
    path = Path(name).absolute()
    path.write_text(text)
    return str(path)


def whole(said: Said) -> str:
    return " ".join((said.out + said.err).split())


def test_an_answer_that_nobody_hears_is_told_by_all_that_look_at_it(folk: Seats, moot: Moot) -> None:
    new = written(VAIN)
    assert f"Beware of later: {OVERRULED}" in whole(folk.moot("ann", "propose", "--rule", new))
    folk.referee()
    assert OVERRULED in whole(folk.moot("bob", "try", "1", "--said"))
    assert OVERRULED in whole(folk.moot("bob", "show", "1"))
    assert moot("new", "own", "-r", "suber", "-p", "ann", "-p", "bob").code == 0
    script = "script: |\n  def decide_adopted(p):\n      return ballots(p, 'for') >= 1\n"
    new, said = written(HEAD + script), OVERRULED.replace("tally", "adopted")
    assert f"new.yaml:5:7: {said}, or claim precedence [W-SCRIPT]" in whole(moot("check", new))
    assert f"Beware: {said}" in whole(moot("try", new))
    assert "overruled" not in whole(moot("check", written(f"{HEAD}precedence: {{over: ['203']}}\n{script}")))


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
    new = written(ONCE % "e.nothing")
    failing = table("try", new, "--json")
    failures = [each for entry in failing.record["tried"] for each in entry.get("failures") or ()]
    assert (failing.code, [(each["hook"], each["line"]) for each in failures]) == (1, [("on_hammer", 11)])
    steps = written("- {by: ann, do: sell}\n", "steps.yaml")
    assert table("try", new, "--steps", steps, "--json").record["tried"] == []
