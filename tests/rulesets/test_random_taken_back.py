"""Random play of A Nomic in which Judges take back what was done a while ago: nothing comes of it or goes with it.

CI plays a few days; FOLKMOOT_FUZZ=1 plays a hundred, in several games. After each entry the invariants hold: whoever
has spent what is taken back owes it, Cards go back as a whole, and nothing goes back to somebody who has left.
"""

from __future__ import annotations

import pytest

from tests.conftest import FUZZ
from tests.rulesets.random_a_nomic import DAY, READINGS, Table, table

ACTS = 4_000 if FUZZ else 240
SEEDS = (0, 5, 6, 7) if FUZZ else (0,)
EVERY, BACK, ACTS_A_DAY = 3, 30, 40
OF_COURTS = {"rfj", "draw_judge", "verdict", "judicial_order", "recuse"}


def take_back(game: Table, act: int) -> str:
    """Have a Judge take an act back, and return with which code that was refused, "" where it was done."""
    officer = game.holder("osj") or game.holder("administrator")
    game.do("rfj", next(player for player in game.players if player != officer), statement="That was none.")
    number = max(request["number"] for request in game.of("rfj").values())
    game.do("draw_judge", officer, rfj=number)
    judge = game.of("rfj")[f"rfj-{number}"]["judge"]
    game.do("verdict", judge, rfj=number, verdict="TRUE")
    game.do("judicial_order", judge, rfj=number, order="It is taken back.", undo=act)
    return str(game.run.entries[-1].get("code") or "")


def an_act(game: Table) -> int | None:
    """Return the number of something that was done lately, if it is nothing that a court did."""
    entries = game.run.entries
    number = game.dice.randint(max(2, len(entries) - BACK), len(entries))
    entry = entries[number - 1]
    return None if entry.get("code") or entry["do"] in OF_COURTS else number


@pytest.mark.parametrize("seed", SEEDS)
def test_whatever_judges_take_back_nothing_comes_or_goes(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(READINGS, seed, {"lacking_funds": "remainder"})
    game, codes = table(seed), list[str]()
    for turn in range(ACTS):
        game.act()
        game.pass_time(game.dice.randrange(2 * DAY // ACTS_A_DAY))
        act = an_act(game) if turn % EVERY == 0 else None
        if act is not None:
            codes.append(take_back(game, act))
    assert set(codes) <= {"", "E-DUP", "E-NO-SUCH", "E-STATUTE-393"}
    assert codes.count("") >= ACTS // 30, codes
