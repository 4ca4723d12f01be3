"""What a record proves where an entry undoes what it sealed, and where the keeper took what they had to refuse."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from folkmoot.core.problems import ProblemError
from folkmoot.game import keeper
from folkmoot.game.keeper import SealedPast
from folkmoot.game.verify import replayed_anew
from folkmoot.journal import GameFolder
from tests.conftest import FUZZ
from tests.support.notes import Notes, mangled
from tests.support.table import Record


@pytest.fixture
def game(tmp_path: Path) -> Iterator[Notes]:
    return Notes(tmp_path)


@pytest.mark.threat("T-84")
@pytest.mark.parametrize(
    ("times", "deeply", "draws"), [(1, False, False), (3, False, True), (3, True, False), (1, True, True)]
)
def test_what_was_opened_and_undone_is_not_taken_for_what_has_its_number_now(
    game: Notes, times: int, deeply: bool, draws: bool
) -> None:
    assert game.act("ann", "try", times=times, deeply=deeply, draws=draws).accepted
    assert game.wrong() == {}
    assert game.report().counts["openings"] == times * (1 + deeply)
    assert game.report().counts.get("sealed", 0) == 2 * draws
    assert game.act("ann", "try", times=0, deeply=False, draws=True).accepted
    assert game.act("ann", "show").accepted
    assert game.wrong() == {}
    assert game.report().counts.get("sealed", 0) == 2 * draws
    assert game.report().counts["openings"] == times * (1 + deeply) + 2


@pytest.mark.threat("T-84")
@pytest.mark.parametrize(
    "other",
    [{}, {"argument": "other"}, {"target": "proposal/1"}, {"target_digest": "0" * 64}, {"keeper": 2}, {"author": "bob"}, {"act": "show"}],
    ids=str,
)  # fmt: skip
def test_what_the_keeper_took_and_had_to_refuse_is_found(
    game: Notes, monkeypatch: pytest.MonkeyPatch, other: Record
) -> None:
    """The keeper has an interest of their own: what was sealed for another place is found once it is open."""
    monkeypatch.setattr(keeper, "differences", lambda _found, _meant: ())
    given = {
        name: game.seal("ann", "pair", name, "yes", **(other if name == "one" else {})) for name in ("one", "other")
    }
    assert game.act("ann", "pair", **given).accepted
    found = game.wrong()
    assert list(found) == (["with the key"] if other.keys() & {"argument", "target", "target_digest"} else [])
    assert game.act("ann", "show").accepted
    assert list(game.wrong()) == (["with the key", "without"] if other else [])


@pytest.mark.threat("T-84")
@pytest.mark.parametrize("part", ["sealed", "with"])
def test_a_record_of_another_form_is_told_of_and_stops_nothing(
    game: Notes, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    """Whoever writes a journal by hand, its digests too, gets an answer and no traceback."""
    given = {name: game.seal("ann", "pair", name, "yes") for name in ("one", "other")}
    assert game.act("ann", "pair", **given).accepted
    assert game.act("ann", "show").accepted
    entries = list(game.record.entries())
    tried = 0
    for wrong in (entries[2], *entries[-2:]):
        for other in islice(mangled(wrong.get(part) or {}), None, None, 1 if FUZZ else 5):
            forged = [{**wrong, part: other} if each is wrong else each for each in entries]
            monkeypatch.setattr(GameFolder, "entries", lambda *_given, _forged=forged, **_named: iter(_forged))
            assert is_found(game, forged) or part == "with", other
            tried += 1
    assert tried > 10


def is_found(game: Notes, entries: list[Any]) -> bool:
    """Say whether a journal of these entries is not taken for a sound one."""
    try:
        replayed_anew(game.record)(iter(entries))
    except ProblemError:
        return True
    past = SealedPast.of(game.record)
    return past is not None and past.wrong != []
