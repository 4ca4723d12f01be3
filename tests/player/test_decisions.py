"""How whoever decides on a proposal without a review is told to do so."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from folkmoot.player.voting import decisions


def test_a_review_that_the_law_makes_no_act_of_is_no_command() -> None:
    """A rule may answer an approval alone, or a request for changes by what cannot be used."""

    def read_review(_proposal: str, asked: list[str], _now: int) -> dict[str, Any] | None:
        return {"do": "decide", "as": "king", "args": {"number": 2}} if asked[1] == "approve" else {"why": "it is none"}

    session: Any = SimpleNamespace(sandbox=SimpleNamespace(read_review=read_review), at=0)
    proposal: Any = {"id": "proposal/2"}
    assert decisions(session, proposal, "ann") == ["moot act decide number=2"]
