"""Votes that were decided and people who had left before a game: kept, shown, and proved by nobody."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.past.folders import POND, words_of, write
from tests.past.founded import founded
from tests.support.moot import Moot


def test_a_vote_is_kept_as_it_was(moot: Moot) -> None:
    assert founded(moot).code == 0
    record = moot("explain", "proposal", "17", "--json").record
    assert (record["outcome"], record["author"], record["title"]) == ("adopted", "zed", "Power to the frogs")
    assert {voter: ballot["choice"] for voter, ballot in record["ballots"].items()} == {
        "zed": "for",
        "Old Nick": "against",
    }
    assert record["taken_over"] == {
        "dated": {"submitted": "1995", "decided": "1995-09"},
        "text": "Frogs have power three.",
    }


def test_the_record_says_how_much_it_does_not_prove(moot: Moot) -> None:
    founded(moot)
    said = moot("verify")
    assert "10 records from before the game were taken over, and not played: that is not proved." in said.out
    assert moot("verify", "--json").record["taken_over"] == 10
    write(Path("bare"), {name: text for name, text in POND.items() if name.startswith("rules/")})
    write(Path("bare"), {"ruleset.yaml": "ruleset: bare\ntitle: Bare\n"})
    moot("new", "h", "-r", "./bare", "-p", "ann", "--no-commit")
    assert moot("verify", "-g", "h", "--json").record["taken_over"] == 0


def test_pages_mark_what_was_taken_over(moot: Moot) -> None:
    founded(moot)
    assert moot("serve", "--build").code == 0
    vote = words_of("proposals/17")
    for words in ("taken over, not played", "1995-09", "Frogs have power three.", "Old Nick", "They croak."):
        assert words in vote
    people = words_of("players/index")
    assert "about 1994" in people
    assert "1996-03-01" in people
    assert "1995-09" in words_of("proposals/index")


def test_somebody_who_had_left_comes_back(moot: Moot) -> None:
    founded(moot)
    assert moot("act", "admit", "--by", "ann", "player=zed", "--no-commit").code == 0
    entry = Path("state/g/roster.yaml").read_text()
    assert "earlier:" in entry
    assert "about 1994" not in entry
    assert moot("verify").code == 0


WRONG = {
    "an outcome that nobody knows": ("proposals/17.yaml", "outcome: adopted", "outcome: adoptd", "'adoptd' is no outcome"),
    "a kind that nobody declares": ("proposals/17.yaml", "author: zed", "kind: petition", "votable kind 'petition'"),
    "decided before it was made": ("proposals/17.yaml", "submitted: 1995", "submitted: 1996", "decided on 1995-09"),
    "left before they came": ("ruleset.yaml", "until: 1996-03-01", "until: 1991", "until 1991"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_what_cannot_have_been_is_told_with_its_place(moot: Moot, case: str) -> None:
    name, before, after, why = WRONG[case]
    assert before in POND[name]
    write(Path("pond"), POND | {name: POND[name].replace(before, after)})
    told = moot("check", "pond")
    assert (told.code, f"pond/{name}:" in told.err) == (1, True), told
    assert why in " ".join(told.err.split()), told
    assert moot("new", "g", "-r", "./pond", "-p", "ann", "--no-commit").code != 0
    assert not Path("state/g").exists()
