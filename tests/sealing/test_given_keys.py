"""To which key something is sealed is said by whoever reads it, by an act of their own, and by nobody and nothing else."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from folkmoot.core.documents import RosterEntry
from folkmoot.game.session import Session
from folkmoot.journal import GameFolder
from folkmoot.kernel.roster import KEPT
from tests.support.keeper import KEY, OWN, Cards
from tests.support.table import START, rule

THEIRS = OWN["bob"].recipient.text
GIVEN = {
    "a key": {"key": THEIRS, "since": START},
    "no key": {"key": "age1"},
    "a text": THEIRS,
    "a list": [],
    "a number": 7,
}
LAW = rule(
    "1",
    """
    def do_come(a):
        create("player", a.by if a.args.back else "dot", sealing = a.args.sealing)

    def do_leave(a):
        destroy(a.by)

    def do_deal(a):
        for player in things("player"):
            put(player, "note", pick_sealed(["heartsease"]))
    """,
    defines={"player": {"note": {"type": "any", "sealed": "owner", "optional": True}}},
    actions={
        "come": {
            "by": "anyone",
            "arguments": {"sealing": {"type": "any"}, "back": {"type": "boolean"}},
        },
        "leave": {},
        "deal": {},
    },
)


class Table(Cards):
    """A game that people leave and come back to; the keeper and ann have keys."""

    def __init__(self, folder: Path) -> None:
        subprocess.run(["git", "init", "-q", str(folder)], check=True)
        self.path = folder / "state" / "cards"
        people = [{"id": player, "surname": player} for player in OWN]
        law = {"title": "Cards", "rules": [LAW], "players": people, "administrators": ["ann"]}
        assert Session.found(self.path, law, START).accepted
        self.record = GameFolder(self.path)
        self.keep_key(KEY)
        assert self.open_sealing().accepted
        assert self.act("ann", "use_sealing_key", key=OWN["ann"].recipient.text).accepted


@pytest.mark.threat("T-85")
@pytest.mark.parametrize("given", GIVEN.values(), ids=list(GIVEN))
@pytest.mark.parametrize("back", [False, True])
def test_no_key_is_given_with_who_comes_in(tmp_path: Path, given: Any, back: bool) -> None:
    """Neither to whom a rule brings in, nor to who comes back: that would be another key without a day's wait."""
    game = Table(tmp_path)
    if back:
        assert game.act("ann", "leave").accepted
    assert not game.act("ann" if back else "cid", "come", sealing=given, back=back).accepted
    done = game.act("bob", "deal")
    assert done.accepted
    assert {*done.entry["boxes"]} == {"keeper"} if back else {"ann", "keeper"}
    assert game.problems() == []


def test_nobody_gives_what_the_kernel_alone_writes() -> None:
    """Whatever comes to stand in the roster is either what people say of themselves, or the kernel's to write."""
    said = {"name", "surname", "email"}
    assert {*KEPT} | said == {*RosterEntry.__annotations__}
