"""Random play of A Nomic: whatever players try, no hook fails, and what cannot come or go is conserved.

CI plays a few days of a small game; FOLKMOOT_FUZZ=1 plays games of 30 nweeks with 20 players, and with `-s` reports
which acts were legal how often, and with what the others were refused: in all games together each of them both, but
for those that are listed with the reason. Each entry is followed by the invariants: nobody has less than nothing, money
comes and goes by the rules that say so and no other, there are 208 Cards, every Stone is in one state and one place,
and each Object has one owner, who is an Agent. A rule that breaks one of them is found.
"""

from __future__ import annotations

import os
import statistics
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from typing import Any

import pytest
from msgspec import Struct

from tests.conftest import FUZZ
from tests.rulesets.random_a_nomic import ACTS_A_DAY, DAY, PEOPLE, Table, table

SEEDS = range(4) if FUZZ else range(1)
NDAYS = 300 if FUZZ else 24

NEVER = {
    "request_unanimous_consent": "each kind of Motion that may ask for consent asks for it by itself",
}
"""Acts that chance never makes legal, and why."""
SELDOM = {
    "admit_member": "nobody but by chance asks a Party whose keeper admits its members",
    "draw_thug": "the Thug finds an employer by itself as soon as there is one to be found",
}
"""Acts that these games may or may not make legal, and why."""
OPEN = {
    "forfeit": "every Player may leave at any time",
    "publish_debts": "every Agent may, without any argument",
}
"""Acts that are refused only to who is no Player, and why."""


class Played(Struct, frozen=True):
    """What came of a game: how often each act had which code, what was offered, and how long ends of nweeks took."""

    seed: int
    told: Counter[tuple[str, str]]
    offered: frozenset[str]
    ends: tuple[float, ...]

    @property
    def legal(self) -> set[str]:
        """Return what was carried out at least once at once, and did not wait for an Officer first."""
        return {act for act, code in self.told if not code}

    @property
    def refused(self) -> set[str]:
        """Return what was refused at least once."""
        return {act for act, code in self.told if code not in ("", "HELD")}

    def report(self) -> str:
        """Return which acts were accepted how often, and with what the others were refused."""
        total, legal = self.told.total(), sum(count for (_, code), count in self.told.items() if not code)
        ends = sorted(1_000 * seconds for seconds in self.ends) or [0.0]
        lines = [
            f"seed {self.seed}: {total:,} entries, {legal:,} legal, {total - legal:,} refused or held; "
            f"{len(self.ends)} ends of nweeks of {statistics.median(ends):.0f} ms in the median, {ends[-1]:.0f} at most"
        ]
        for act in sorted({act for act, _ in self.told}):
            others = Counter({code: count for (name, code), count in self.told.items() if name == act and code})
            codes = ", ".join(f"{code} {count}" for code, count in others.most_common())
            lines.append(f"  {act:28} {self.told[act, '']:6}  {codes}")
        return "\n".join(lines)


def play(seed: int) -> Played:
    """Play a game to its end."""
    game = table(seed)
    for _ in range(NDAYS):
        for _ in range(ACTS_A_DAY):
            game.act()
            game.pass_time(game.dice.randrange(2 * DAY // ACTS_A_DAY))
    return Played(seed, game.told, frozenset(game.acts()), tuple(game.ends))


def all_played() -> list[Played]:
    """Play all games, each in a process of its own where there are several."""
    if len(SEEDS) == 1:
        return [told(play(seed)) for seed in SEEDS]
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        games = [pool.submit(play, seed) for seed in SEEDS]
        ended = [told(game.result()) for game in as_completed(games) if game.exception() is None]
    for game in games:
        game.result()
    return ended


def told(game: Played) -> Played:
    """Print what came of a game, and return it."""
    print(game.report(), flush=True)
    return game


def test_random_play_keeps_what_cannot_come_or_go() -> None:
    games = all_played()
    for game in games:
        assert {"vote", "tick"} <= game.legal, game.told
        assert game.seed == 1 or {"submit_proposal", "deal", "buy_stone"} <= game.legal, game.told
        assert ("recognise", "") in game.told or not any(code == "HELD" for _, code in game.told)
    legal = set[str]().union(*(game.legal for game in games))
    assert legal & set(NEVER) == set(), "they are legal, so chance does make them so"
    if FUZZ:
        offered = set[str]().union(*(game.offered for game in games))
        refused = set[str]().union(*(game.refused for game in games))
        assert offered - legal <= {*NEVER, *SELDOM}, "of these nothing is known"
        assert offered - refused <= set(OPEN), "nobody ever was refused these"


# -- rules that break what holds

MUTANTS = {
    "points are below zero": 'add("p05", "points", -1000)',
    "pennies are below zero or make a point": 'add("p05", "pennies", 100)',
    "funds are 100 more, of which 0 by rules": 'add("p05", "points", 1)',
    "funds are -100 more, of which 0 by rules": 'add("bank", "points", -1)',
    "backs are more than a pack has": 'put("p05", "backs", {"Red": 53})',
    "hands have 1 Cards, and 2 Backs are seen": 'put("p05", "backs", {"Red": 2})',
    "cards are 200 and 1": 'put("game", "deck_size", 200)',
    "cards are there twice or gone": 'put("game", "deck", sealed("first_again", get("game", "deck")))',
    "stones are In Play and lie nowhere": 'put(stone("p05"), "state", "in-play")',
    "stones lie at one place": 'lay(stone("p05"), "a1"); lay(stone("p06"), "a1")',
    "stones lie on the board and are not In Play": 'put(stone("p05"), "at", "a1")',
    "owner of stamp-theft: nobody": 'put("stamp-theft", "owner", "nobody")',
    "owner of a Rule": 'put(rule("301"), "owned_by", "nobody")',
    "places hold something twice": 'put("home-p05", "objects", ["extra-vote-1", "extra-vote-1"])',
    "places hold those who are no Players": 'put("home-p05", "players", ["nobody"])',
}
"""What a rule does that breaks an invariant, by what the invariant says then."""
REFUSED = {
    "pennies must be at least 0": 'add("p05", "pennies", -1)',
    "state must be one of": 'put(stone("p05"), "state", "eaten")',
}
"""What no rule can do, for the engine lets it fail, by what the engine says."""
SCRIPT = """
def first_again(deck):
    return deck[:1] + deck[:-1]

def stone(owner):
    return create("stone", owner = owner)

def lay(each, vertex):
    put(each, "state", "in-play")
    put(each, "at", vertex)

def on_day_begun(e):
    {does}
"""


def broken(does: str) -> Table:
    """Return a game with a rule that does something as each day begins."""
    rule: dict[str, Any] = {"rule": "500", "uid": "500", "title": "Mutant", "text": "It breaks something."}
    game = table(0, rule | {"sealed": {"first_again": "A Deck"}, "script": SCRIPT.format(does=does)})
    game.do("deal", PEOPLE[6], player="p05")
    return game


@pytest.mark.parametrize("said", MUTANTS)
def test_each_invariant_finds_a_rule_that_breaks_it(said: str) -> None:
    game = broken(MUTANTS[said])
    with pytest.raises(AssertionError, match=f"^{said}"):
        game.pass_time(DAY)


@pytest.mark.parametrize("said", REFUSED)
def test_the_engine_lets_fail_what_no_register_can_hold(said: str) -> None:
    game = broken(REFUSED[said])
    with pytest.raises(AssertionError, match=f"on_day_begun.*{said}"):
        game.pass_time(DAY)


def test_a_rule_that_breaks_nothing_is_let_be() -> None:
    game = broken('announce("Tea is served.")')
    game.pass_time(DAY)
    assert len(game.players) == len(PEOPLE)
