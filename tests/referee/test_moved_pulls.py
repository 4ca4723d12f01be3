"""What is pushed to a pull request that an earlier version opened, when a game moved, for somebody else's proposal."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from folkmoot.referee.intake import Intake


@pytest.mark.parametrize(("author", "came", "foreign"), [("ann", [{}], True), ("bob", [{}], False), ("ann", [], False)])
def test_only_who_proposed_it_changes_what_moved(author: str, came: list[Any], foreign: bool) -> None:
    proposal = {"author": author, "came": came}
    recorder = SimpleNamespace(proposal_at=lambda _place: proposal, player=lambda _person: "bob")
    pushes: Any = Intake.__new__(Intake)
    pushes.recorder = recorder
    fact: Any = SimpleNamespace(place=("pull", 1), person="bob", push=None)
    assert pushes.is_opened_for_another(fact) == foreign
    why = "this pull request was opened when the game moved"
    assert pushes.not_theirs(fact).startswith(why) == foreign
