"""What authors of rules still met: ids that players choose, histories from their opening value, whose vote it was."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from folkmoot.game.session import Session
from folkmoot.site.blocks import balances
from folkmoot.wording.game_view import GameView
from folkmoot.wording.page_links import Here
from tests.support.moot import Moot
from tests.support.table import START, VOTING, Record, Table, rule

TREES = rule(
    "3",
    """
    def do_plant(a):
        create("tree", a.args.name)
    def do_invite(a):
        create("player", a.args.name)
    def on_planted(e):
        create("tree", "no id")
    def do_hint(a):
        emit("planted")
    """,
    defines={"kinds": {"tree": {}}},
    actions={
        "plant": {"arguments": {"name": {"type": "string"}}},
        "invite": {"arguments": {"name": {"type": "string"}}},
        "hint": {},
    },
)


@pytest.mark.parametrize(
    ("do", "name", "code", "why"),
    [
        ("plant", "old pear", "E-ARGS", "'old pear' cannot be an id; use letters, digits, - and _"),
        ("plant", "ann", "E-DUP", "there is a player called 'ann' already"),
        ("plant", "PLUM", "E-DUP", "already"),
        ("plant", "game", "E-ARGS", "cannot be an id"),
        ("invite", "old pear", "E-ARGS", "cannot be an id"),
        ("invite", "ANN", "E-DUP", "there is a player called 'ann' already"),
        ("invite", "con", "E-ARGS", "cannot be a player's id"),
    ],
)
def test_an_id_that_cannot_be_refuses_the_act_and_blames_no_rule(do: str, name: str, code: str, why: str) -> None:
    table = Table(TREES)
    table.ok("ann", "plant", name="plum")
    outcome = table.act("bob", do, name=name)
    assert (outcome.code, outcome.failures) == (code, [])
    assert why in str(outcome.reasons)


def test_an_id_that_a_rule_makes_up_where_nobody_acts_is_its_failure() -> None:
    table = Table(TREES)
    outcome = table.ok("ann", "hint")
    assert [(failure["rule"], failure["hook"]) for failure in outcome.failures] == [("3", "on_planted")]


HATS = rule(
    "4",
    "def do_buy(a):\n    add(a.by, 'hats', 1)\n",
    actions={"buy": {}},
    defines={"currencies": {"hats": {"initial": 1}}},
)


def drawn(*acts: str) -> list[int]:
    """Return the values of the line that shows how many hats ann had."""
    table = Table(HATS, opening=[{"player": "ann", "hats": 12}])
    for do in acts:
        table.now += 60
        table.ok("ann", do)
    view = GameView(slug="x", documents=dict(table.kernel.documents.everything()), entries=table.entries)  # type: ignore[arg-type]
    return [amount for _at, amount in balances(Here(view, "boards/x.md"), "ann", "hats") or ()]


def test_a_history_begins_with_what_there_was_at_first() -> None:
    assert drawn() == [12]
    assert drawn("buy", "buy") == [12, 13, 14]


WIND: Record = {
    "settings": {
        "G-Q1": {
            "name": "wind", "question": "How is it?", "default": "low", "alternatives": {"low": "Low.", "high": "High."},
        }
    }
}  # fmt: skip
OTHER_DEFAULT = {"settings": {"G-Q1": {**WIND["settings"]["G-Q1"], "default": "high"}}}
GIVEN = {
    "title": "Toy",
    "players": [{"id": "ann"}, {"id": "bob"}],
    "administrators": ["root"],
    "opening": [{"player": "ann", "hats": 12}],
    "rules": [VOTING, HATS, rule("5", "def on_proposal_adopted(e):\n    put('settings', 'wind', 'high')\n", **WIND)],
}


@pytest.fixture
def toy(moot: Moot, tmp_path: Path) -> Moot:
    """Return `moot` in a folder with a game in which bob's vote, the last, has amended rule 4."""
    assert moot("new", "other", "-r", "suber", "-p", "ann,surname=Abel").code == 0
    folder = tmp_path / "state" / "toy"
    assert Session.found(folder, GIVEN, START).accepted
    with Session.open(folder, writing=True) as session:
        acts: list[tuple[str, str, dict[str, Any]]] = [
            ("ann", "propose", {"title": "Caps", "changes": [{"amend": "4", "title": "Caps", "text": "Caps.\n"}]}),
            ("ann", "vote", {"proposal": 901, "choice": "for"}),
            ("bob", "vote", {"proposal": 901, "choice": "for"}),
            ("ann", "buy", {}),
            ("ann", "propose", {"title": "High", "changes": [{"amend": "5", **OTHER_DEFAULT}]}),
            ("ann", "vote", {"proposal": 902, "choice": "for"}),
            ("bob", "vote", {"proposal": 902, "choice": "for"}),
        ]
        for at, (by, do, given) in enumerate(acts, START + 60):
            assert session.act(by, do, given, at=at).accepted, do
    return moot


def test_a_register_is_explained_from_its_opening_value(toy: Moot) -> None:
    assert "At first it was 12." in toy("explain", "ann", "hats", "-g", "toy").out
    assert toy("explain", "ann", "hats", "-g", "toy", "--json").record["opening"] == 12
    assert "It is as it was at first" in toy("explain", "bob", "hats", "-g", "toy").out


def test_a_setting_is_explained_by_the_vote_that_changed_it(toy: Moot) -> None:
    said = toy("explain", "setting", "wind", "-g", "toy").out
    assert "proposal 901 set it from low to high" in said
    assert "proposal 902 set its default from low to high" in said
    assert "bob set" not in said


def test_a_rule_is_explained_with_its_earlier_wordings(toy: Moot) -> None:
    said = toy("explain", "rule", "4", "-g", "toy").out
    assert "Revision 1 read: Rule 4" in said
    assert "Caps.\n" not in said, "the present wording is no earlier one"
    first, last = toy("explain", "rule", "4", "-g", "toy", "--json").record["revisions"]
    assert (first["title"], last["title"], last["text"]) == ("Rule 4", "Caps", "Caps.\n")


def test_status_says_what_comes_after_a_win(moot: Moot, tmp_path: Path) -> None:
    assert moot("new", "other", "-r", "suber", "-p", "ann,surname=Abel").code == 0
    for on in (False, True):
        winning = rule("6", f"def do_win(a):\n    win(a.by, 'first', play_on = {on})\n", actions={"win": {}})
        folder = tmp_path / "state" / f"won-{on}".lower()
        assert Session.found(folder, {**GIVEN, "rules": [HATS, winning]}, START).accepted
        with Session.open(folder, writing=True) as session:
            assert session.act("ann", "win", at=START + 60).accepted
        said = moot("status", "-g", folder.name).out
        assert ("Play goes on by the same rules" if on else "begins the next season") in said
