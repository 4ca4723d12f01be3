"""Words that took an old letter's place are new words: they are heard, whatever the chain they lie in looks like."""

from __future__ import annotations

import pytest

from folkmoot.forges.local.letters import Letter
from tests.support.meeting import make_commit, rule, write_tree
from tests.support.quick import MAIN
from tests.support.seats import Seats, Sit

OWN = "refs/moot/letters/bob@x-org"


@pytest.fixture
def table(seats: Sit) -> Seats:
    return seats()


def letter(table: Seats, body: str, parents: list[str], pull: int = 0) -> str:
    """Return a letter of bob's on top of any commits."""
    tree = write_tree(table.repo, None, {"letter.yaml": f"pull: {pull}\nkind: comment\nbody: {body}\n".encode()})
    who = table.signature("bob")
    return make_commit(table.repo, tree, parents, "x\n", who, who)


@pytest.mark.threat("T-97")
def test_a_letter_in_the_place_of_a_recorded_one_is_heard(table: Seats) -> None:
    table.put(OWN, letter(table, "/state one", []))
    table.referee(60)
    table.put(OWN, letter(table, "/state two", []))
    table.referee(60)
    assert "one" in str(table.journal()[-2]["with"])
    assert "two" in str(table.journal()[-1]["with"])


def test_a_merge_with_main_before_the_letters_is_heard(table: Seats) -> None:
    first = letter(table, "/state one", [])
    table.put(OWN, first)
    table.referee(60)
    table.put(OWN, letter(table, "/state two", [table.tip(MAIN), first]))
    table.referee(60)
    assert "two" in str(table.journal()[-1]["with"])
    said = table.status("bob")
    assert "Ignored" not in said, "what is below the letters is nobody's letter"
    assert "Ignored" not in table.status("ann")


def test_a_changed_vote_in_an_old_ones_place_counts(table: Seats) -> None:
    pull = table.open("ann", {"rules/x.yaml": rule("X")})
    table.put(OWN, letter(table, "/vote for", [], pull))
    table.referee(60)
    assert table.ballots() == {"bob": "for"}
    table.put(OWN, letter(table, "/vote against", [], pull))
    table.referee(60)
    assert table.ballots() == {"bob": "against"}


@pytest.mark.threat("T-97")
@pytest.mark.parametrize("kind", ["edit", "delete", "dismiss"])
def test_a_recorded_vote_stands_and_its_author_is_told(table: Seats, kind: str) -> None:
    pull = table.open("ann", {"rules/x.yaml": rule("X")})
    vote = table.say("bob", pull, "", "approve")
    table.referee(60)
    body = "against" if kind == "edit" else ""
    table.send("bob", Letter(pull=pull, kind=kind, of=vote, body=body))  # type: ignore[arg-type]
    table.referee(60)
    said = table.status("bob")
    assert table.ballots() == {"bob": "for"}
    assert "it was recorded before, and stands as recorded" in said
    assert f"`moot vote {pull} …`" in said


def test_what_was_seen_is_recorded_though_it_was_taken_out(table: Seats) -> None:
    """Whoever may push can leave out what another said: what a referee saw before is heard all the same."""
    table.put(OWN, letter(table, "/state one", []))
    table.forge.look(table.now)
    table.put(OWN, letter(table, "/state two", []))
    table.referee(60)
    assert [word in str(entry["with"]) for word, entry in zip(("one", "two"), table.journal()[-2:], strict=True)] == [
        True,
        True,
    ]
