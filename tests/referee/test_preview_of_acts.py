"""Table 15: what a proposal changes by an act, without a file of its own, is previewed like all else."""

from __future__ import annotations

import pytest

from folkmoot.referee.preview import check_changes, proposed
from folkmoot.sandbox.client import Sandbox
from tests.support.bench import found
from tests.support.table import VOTING, rule


class Shown:
    """A session as far as checks of changes ask it."""

    def law(self) -> dict:
        return {"rules": [{**VOTING}, rule("4", "", title="Plain")]}

    def kept(self, _key: str) -> dict:
        return {}


CHANGES = {
    "transmute": {"kind": "transmute", "rule": "4", "to": "mutable"},
    "retitle": {"kind": "retitle", "rule": "4", "parts": {"title": "Plainer"}},
    "repeal": {"kind": "repeal", "rule": "4"},
    "amend": {"kind": "amend", "rule": "4", "parts": {"text": "Else."}},
    "enact": {"kind": "enact", "rule": None, "parts": {"title": "New", "text": "New."}},
}


@pytest.mark.parametrize("kind", CHANGES)
def test_every_kind_of_change_is_checked_without_its_file(kind: str) -> None:
    changes = [(change, "as it is voted on") for change in proposed({"changes": [CHANGES[kind]]})]
    with Sandbox() as judge:
        found(judge, VOTING)
        problems = check_changes(judge, Shown(), changes)  # type: ignore[arg-type]
    assert [problem for problem in problems if problem.code.startswith("E-")] == []
