"""What authors of rules and players are told: where a value comes from, what sleeps, and what comes after a win."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from folkmoot.cli.outcomes import plain
from folkmoot.game.session import Session
from folkmoot.referee.mentions import GameState
from folkmoot.referee.outbox import _lines
from folkmoot.site.blocks import balances
from folkmoot.site.page_model import drawn_page
from folkmoot.site.pages.now import now_page
from folkmoot.site.pages.status import mover
from folkmoot.wording.game_view import GameView
from folkmoot.wording.page_links import Here
from tests.support.moot import Moot
from tests.support.table import START, VOTING, Record, Table, rule

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


def test_registers_settings_and_rules_are_explained_by_what_changed_them(toy: Moot) -> None:
    def told(*words: str) -> str:
        return toy("explain", *words, "-g", "toy").out

    assert "At first it was 12." in told("ann", "hats")
    assert toy("explain", "ann", "hats", "-g", "toy", "--json").record["opening"] == 12
    assert "It is as it was at first" in told("bob", "hats")
    wind = told("setting", "wind")
    assert "proposal 901 set it from low to high" in wind
    assert "proposal 902 set its default from low to high" in wind
    assert "bob set" not in wind
    assert "Revision 1 read: Rule 4" in told("rule", "4")
    assert "Caps.\n" not in told("rule", "4"), "the present wording is no earlier one"
    first, last = toy("explain", "rule", "4", "-g", "toy", "--json").record["revisions"]
    assert (first["title"], last["title"], last["text"]) == ("Rule 4", "Caps", "Caps.\n")


@pytest.mark.parametrize(("on", "told"), [(False, "begins the next season"), (True, "Play goes on by the same rules")])
def test_status_says_what_comes_after_a_win(moot: Moot, tmp_path: Path, *, on: bool, told: str) -> None:
    assert moot("new", "other", "-r", "suber", "-p", "ann,surname=Abel").code == 0
    winning = rule("6", f"def do_win(a):\n    win(a.by, 'first', play_on = {on})\n", actions={"win": {}})
    assert Session.found(tmp_path / "state" / "won", {**GIVEN, "rules": [HATS, winning]}, START).accepted
    with Session.open(tmp_path / "state" / "won", writing=True) as session:
        assert session.act("ann", "win", at=START + 60).accepted
    assert told in moot("status", "-g", "won").out


# -- what sleeps


@pytest.fixture
def voided(table: Moot) -> Moot:
    """Return a table at which the Judge found rule 201 void."""
    assert table("act", "invoke_judgment", "question=Is it so?", "--by", "bob").code == 0
    judge = next(
        d["player"] for d in table("status", "--json").record["duties"] if "on which Judgment was invoked" in d["what"]
    )
    words = ("ruling=It conflicts.", "void=201", "against=101", "--as", "judge", "--by", judge)
    said = table("act", "judge", *words)
    assert said.code == 0, said.err
    return table


def test_which_rules_sleep_is_told_wherever_the_games_standing_is_told_and_no_more_when_they_wake(voided: Moot) -> None:
    said = " ".join(voided("status").out.split())
    slept = "Rule 201 (Order of turns) sleeps since entry 3: “wholly void: it conflicts with immutable rule 101”."
    assert slept in said
    assert "an administrator wakes it" in said
    assert "turn." not in said
    with Session.open(Path("state/table"), judging=True) as session:
        blocks = str(session.sandbox.pages(session.at)["turn"]["blocks"])
        view = GameView(slug="table", documents=session.documents, order=session.sandbox.order(session.at))
        words = plain(drawn_page(view, now_page(view)).body)
        asked = {"choices": lambda _: [], "actions": session.actions}
        scene = GameState(game="table", documents=session.documents, now=session.at, **asked)
        lines = list(_lines(scene, [], "", lambda _: None))
    assert "None" not in blocks
    assert "no rule in force says" in blocks
    assert mover(view) is None
    assert "(Order of turns) sleeps since entry 3: “wholly void" in words
    assert "(as it was; rule 201" in words.replace("Rule", "rule")
    assert any("sleeps since entry 3" in line for line in lines), lines
    assert voided("act", "wake", "rule=201", "--by", "ann").code == 0
    assert "sleeps" not in voided("status").out
