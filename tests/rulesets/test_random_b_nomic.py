"""Random play of B Nomic: whatever players try, no hook fails, and what cannot come or go is conserved.

CI plays a few ndays of a small game; FOLKMOOT_FUZZ=1 plays 30 nweeks with 20 players, and with `-s` reports which acts
were legal how often, and with what the others were refused: none of them never. Each act and each midnight is
followed by the invariants: Tiles lie in one place each, Souls have one Master each and nobody too many, what the ledger
says adds up, Tiles Tokens never come from nowhere, and the Clock stands still exactly while it is Off.
"""

from __future__ import annotations

from collections import Counter

import pytest

from tests.conftest import FUZZ
from tests.rulesets.random_b_nomic import DAY, Table, table

SEEDS = range(4) if FUZZ else (0,)
NDAYS = 360 if FUZZ else 14
ACTS_A_DAY = 12


# Acts that a law as it stands in these games never allows, and why.
NEVER = {
    "submit_referendum": "no rule permits one",
    "declare_win": "no sentence of the rules allows one",
    "publish_rules": "where the referee publishes them there is nothing to wait for",
    "withdraw_motion": "where a Motion is revised to nothing instead",
}


PLAYED: dict[int, set[str]] = {}
"""What was ever legal, by the seed of the game: in all of them together nothing may be missing."""


def report(game: Table, seed: int) -> str:
    """Return which acts were accepted how often, and with what the others were refused."""
    rows: dict[str, Counter[str]] = {}
    for told, count in game.told.items():
        act, _, code = told.partition(" ")
        rows.setdefault(act, Counter())[code or "accepted"] += count
    lines = [f"seed {seed}: {len(game.run.entries):,} entries, {sum(r['accepted'] for r in rows.values()):,} legal, "
             f"{sum(c for r in rows.values() for k, c in r.items() if k not in ('accepted', 'HELD')):,} refused"]  # fmt: skip
    for act, row in sorted(rows.items()):
        others = ", ".join(f"{code} {n}" for code, n in row.most_common() if code != "accepted")
        lines.append(f"  {act:18} {row['accepted']:6}  {others}")
    return "\n".join(lines)


@pytest.mark.parametrize("seed", SEEDS)
def test_random_play_keeps_what_cannot_come_or_go(seed: int) -> None:
    game = table(seed)
    for _ in range(NDAYS):
        for _ in range(ACTS_A_DAY):
            game.act()
            game.pass_time(game.dice.randrange(2 * DAY // ACTS_A_DAY))
    print(report(game, seed))
    accepted = {name.strip() for name in game.told if name.endswith(" ")}
    assert {"vote", "submit_proposal", "start_tiles", "tick"} <= accepted, game.told
    if FUZZ:
        tried = {name.partition(" ")[0] for name in game.told}
        offered = set(game.run.kernel.play.law.declared("actions"))
        assert offered <= tried, offered - tried
        PLAYED[seed] = accepted
        legal = set[str]().union(*PLAYED.values())
        assert len(PLAYED) < len(SEEDS) or offered - legal <= set(NEVER), offered - legal
