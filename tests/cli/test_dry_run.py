"""What would be refused is said before it is sent, by the same judgement that the referee makes afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest

from folkmoot.referee import dry_run
from tests.support.moot import Said
from tests.support.quick import FORGE, LETTERS, SMALL
from tests.support.seats import Seats, Sit
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


def test_what_would_be_done_is_said_in_a_sentence_and_sent(fair: Seats) -> None:
    says(fair.moot("ann", "act", "mint"), "As the game stands here: ", "ann", "5", "Sent to the thread")
    assert fair.tip(f"{LETTERS}ann@x-org")


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


def test_a_dry_run_sends_nothing(fair: Seats) -> None:
    before = refs(fair)
    says(fair.moot("ann", "act", "mint", "--dry-run"), "As the game stands here", "Nothing was sent.")
    fair.moot("ann", "act", "pay", "to=bob", "amount=3", "-n", "--anyway", code=3)
    says(fair.moot("eve", "join", "--dry-run"), "Nothing was sent.")
    says(fair.moot("ann", "propose", "--rule", tea(fair), "--dry-run"), "Nothing was sent.")
    assert refs(fair) == before


def tea(table: Seats) -> str:
    path = table.folder / "tea.yaml"
    path.write_text(TEA)
    return str(path)


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (("pay", "to=bbo", "amount=3"), ("to must be a player", "did you mean to=bob?")),
        (("pay", "too=bob", "amount=3"), ("takes no argument too, did you mean to?",)),
        (("pay", "to=bob", "amount=many"), ("amount is a whole number, and 'many' is none",)),
        (("pay", "to=bob"), ("pay needs amount", "moot act pay --help")),
        (("vote", "choice=for", "proposal=309"), ("309",)),
    ],
)
def test_wrong_names_and_types_are_told_with_the_nearest_right_one(
    fair: Seats, words: tuple[str, ...], wanted: tuple[str, ...]
) -> None:
    before = refs(fair)
    says(fair.moot("ann", "act", *words, code=3), *wanted)
    assert refs(fair) == before


def test_a_refusal_about_an_argument_names_it_for_programs(fair: Seats) -> None:
    for word, named in (("to=bbo", "to"), ("too=bob", "too"), ("amount=many", "amount"), ("to=bob", "amount")):
        rest = [] if word == "to=bob" else ["to=bob", "amount=1"]
        words = [*(each for each in rest if each.partition("=")[0] != word.partition("=")[0]), word]
        record = fair.moot("ann", "act", "pay", *words, "--json", code=3).record
        assert record["foreseen"][-1]["argument"] == named
    record = fair.moot("ann", "act", "store", "goods=wood", "--json", code=1).record
    assert record["problems"][0]["arguments"] == {"argument": "goods"}


def test_a_map_is_shown_as_it_is_typed(fair: Seats) -> None:
    says(fair.moot("ann", "act", "store", "goods=wood", code=1), 'write it as {"ann": 5}')
    fair.moot("ann", "act", "store", 'goods={"wood": 2}')
    fair.referee()
    assert (fair.journal()[-1]["do"], fair.journal()[-1]["with"]) == ("store", {"goods": {"wood": 2}})


def test_an_argument_may_be_called_as_a_word_of_the_language(fair: Seats) -> None:
    fair.moot("bob", "act", "dig", "in=b3")
    fair.referee()
    assert fair.scores()["bob"] == 1


def test_an_action_file_has_the_form_of_the_reference(fair: Seats) -> None:
    path = fair.folder / "dig.yaml"
    path.write_text("by: bob\ndo: dig\nargs: {in: b3}\n")
    says(fair.moot("bob", "act", "--file", str(path)), "Sent to the thread of moor: /do dig in=b3")
    said = fair.moot("ann", "act", "--file", str(path), code=1)
    says(said, "you act, and nobody else", "this clone is ann's: take `by` out of the file")


def test_what_was_sent_before_is_played_first(fair: Seats) -> None:
    fair.moot("ann", "act", "mint")
    says(fair.moot("ann", "act", "pay", "to=bob", "amount=3"), "As the game stands here: ", "bob")
    fair.moot("eve", "join", "eve")
    fair.moot("eve", "act", "state", "Here I am.")
    fair.moot("zoe", "act", "state", "Here I am.", code=3)
    fair.referee()
    accepted = [entry["do"] for entry in fair.journal()[1:] if not entry.get("code")]
    assert sorted(accepted) == ["join", "mint", "pay", "state"]


def test_dice_are_not_foretold(fair: Seats) -> None:
    said = fair.moot("ann", "act", "roll")
    says(said, "for the dice, which fall when the referee judges it")
    assert "luck" not in said.out


def test_acts_of_one_command_follow_one_another(fair: Seats) -> None:
    fair.moot("bob", "act", "pay", "to=ann", "amount=4", "+", "mint", code=3)
    fair.moot("bob", "act", "mint", "+", "pay", "to=ann", "amount=4", "+", "state", "Done + dusted.")
    fair.referee()
    assert [entry["do"] for entry in fair.journal()[1:]] == ["mint", "pay", "state"]
    assert fair.scores()["ann"] == 4
    record = fair.moot("bob", "act", "mint", "+", "mint", "--pull", "--json").record
    assert (record["pull"], [act["do"] for act in record["acts"]]) == (1, ["mint", "mint"])


@pytest.mark.parametrize("how", ["slow", "engine"])
def test_who_cannot_be_told_is_not_kept_from_sending(fair: Seats, how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if how == "slow":
        monkeypatch.setattr(dry_run, "MOST_WORK", -1.0)
    else:
        monkeypatch.setattr("folkmoot.game.session.is_same", lambda *_: False)
    says(fair.moot("ann", "act", "mint"), "Not tried before sending: ", "Sent to the thread")
    says(fair.moot("ann", "act", "pay", "to=bob", "amount=3"), "Not tried before sending: ")


def test_administrators_do_what_only_the_keeper_can_try(fair: Seats) -> None:
    says(fair.moot("ann", "act", "pause", "-n"), "As the game stands here: ")
    says(fair.moot("bob", "act", "pause", code=3), "[E-NOT-ADMINISTRATOR]")
    says(fair.moot("ann", "act", "open_epoch"), "Not tried before sending: ", "Sent to the thread")


def test_votes_that_wait_and_votes_that_are_over(fair: Seats) -> None:
    pull = fair.open("ann", {"rules/tea.yaml": TEA.encode()}, "Tea")
    says(fair.moot("bob", "vote", str(pull), "for", "--dry-run"), "As the game stands here")
    fair.referee()
    fair.now += 8 * 86_400
    says(fair.moot("bob", "vote", str(pull), "for", code=3), "The referee would refuse it: ")
    says(fair.moot("eve", "vote", str(pull), "for", code=3), "no player of this game", "moot join")


def test_nothing_of_a_trial_stays(fair: Seats) -> None:
    fair.moot("ann", "propose", "--rule", tea(fair))
    fair.referee()
    before, tree = refs(fair), fair.tip(FORGE)
    for words in (("act", "mint"), ("vote", "1", "for"), ("withdraw", "1"), ("comment", "/do mint")):
        fair.moot("ann", *words, "--dry-run")
    assert (refs(fair), fair.tip(FORGE)) == (before, tree)
    assert not list(Path(fair.bare, "folkmoot").rglob("*.secret"))


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
