"""Offices that a ruleset leaves to the players in turn, where other people play than its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from folkmoot.files.fast_reader import load_yaml
from tests.support.moot import Moot


@pytest.mark.parametrize(
    ("words", "said", "holders"),
    [
        ((), "tax_collector cid, osj ann, obc bob, tribune cid, dealer ann. `--office dealer=…` names", ("bob", "ann")),
        (("-o", "dealer=bob"), "Offices to begin with: administrator ann, banker bob,", ("bob", "bob")),
        (
            ("-o", "dealer=bob", "-o", "banker="),
            "Offices to begin with: administrator ann, tax_collector",
            (None, "bob"),
        ),
    ],
)
def test_offices_that_nobody_holds_fall_to_the_players_in_turn(
    moot: Moot, tmp_path: Path, words: tuple[str, ...], said: str, holders: tuple[str | None, str]
) -> None:
    done = moot("new", "parliament", "-r", "a-nomic", "-p", "ann", "-p", "bob", "-p", "cid", *words)
    assert done.code == 0, done.err
    assert said in " ".join(done.out.split())
    offices = load_yaml((tmp_path / "state/parliament/things/office.yaml").read_text("utf-8"), "office.yaml")
    assert (offices["banker"].get("holder"), offices["dealer"]["holder"]) == holders


@pytest.mark.parametrize("ruleset", ["imperial", "imperial-training"])
def test_an_emperors_game_of_ones_own_people_can_move(moot: Moot, ruleset: str) -> None:
    done = moot("new", "court", "-r", ruleset, "-p", "ann", "-p", "bob")
    assert done.code == 0, done.err
    assert "Nobody holds" not in done.out
    changes = '[{"enact": {"title": "Tea", "text": "Tea."}}]'
    proposed = moot("act", "submit_proposal", "title=Tea", f"changes={changes}", "--by", "bob")
    assert proposed.code == 0, proposed.err
    decided = moot("act", "decide", "number=1", "verdict=accept", "--by", "ann", "--as", "tie")
    assert decided.code == 0, decided.err


def test_a_new_game_has_switches_of_its_own(moot: Moot, tmp_path: Path) -> None:
    """A new A Nomic has 500 points for each who founds it, 200 of them theirs, and counts from 1."""
    assert moot("new", "parliament", "-r", "a-nomic", "-p", "ann", "-p", "bob").code == 0
    bank = load_yaml((tmp_path / "state/parliament/things/bank.yaml").read_text("utf-8"), "bank.yaml")
    assert bank["bank"]["points"] == 600
    game = load_yaml((tmp_path / "state/parliament/things/game.yaml").read_text("utf-8"), "game.yaml")["game"]
    assert (game["nweek"], game["next_proposal"], game["next_motion"]) == (1, 1, 1)
    assert moot("new", "old", "-r", "a-nomic", "-p", "ann", "-p", "bob", "-s", "beginning=historic").code == 0
    game = load_yaml((tmp_path / "state/old/things/game.yaml").read_text("utf-8"), "game.yaml")["game"]
    assert (game["nweek"] > 900, game["next_proposal"], game["next_motion"]) == (True, 465, 34)


def test_the_first_hour_of_a_nomic_needs_nothing_else(moot: Moot) -> None:
    """An act may rest on what the one before it makes; whoever keeps the game is told how to seal."""
    assert moot("new", "parliament", "-r", "a-nomic", "-p", "ann", "-p", "bob").code == 0
    owing = ("act", "--by", "ann", "create_debt", "amount=5", "+", "transfer_debt", "to=bob")
    wrong = moot(*owing, "debt=debt-7")
    assert (wrong.code, "debt must be a thing (debt-1), not" in wrong.err) == (1, True), "nothing is half done"
    assert moot(*owing, "debt=debt-1").code == 0
    assert "`moot key --keeper` makes the key" in " ".join(moot("status").out.split())
