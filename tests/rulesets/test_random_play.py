"""Random play of every packaged ruleset: whatever players try, no hook fails, and the law keeps its promises.

FOLKMOOT_FUZZ=1 plays longer, with other seeds, in which the readings of all switches are drawn.
"""

from __future__ import annotations

import random
from typing import Any

import pytest
from msgspec.structs import replace

from folkmoot.core.calendar import DAY
from folkmoot.core.keys import GAME
from folkmoot.game.rulesets import founding
from folkmoot.language import shortcuts
from tests.conftest import FUZZ
from tests.rulesets.promises import MANNERS
from tests.support.random_play import Table
from tests.support.table import without_shortcuts

ROUNDS = {"a-nomic": 3, "b-nomic": 3, "tricks": 10}
SEEDS = range(6 if FUZZ else 1)


def table(name: str, seed: object = 0, **more: Any) -> Table:
    """Return a new game; the word behind the ruleset says in which way it is played."""
    ruleset = name.split(maxsplit=1)[0]
    rules: Any = founding(ruleset)["rules"]
    switches = [switch for rule in rules for switch in (rule.get("settings") or {}).values()]
    drawn = random.Random(str(seed))
    readings = {
        switch["name"]: drawn.choice(sorted(switch["alternatives"]))
        for switch in switches
        if switch.get("alternatives")
    }
    return Table(ruleset, seed, MANNERS[name], **({"settings": readings} if seed else {}), **more)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", MANNERS)
def test_whatever_players_try_the_law_keeps_its_promises(name: str, seed: int) -> None:
    game = table(name, seed).play(ROUNDS.get(name.split(maxsplit=1)[0], 6) * (20 if FUZZ else 1))
    game.end()
    accepted = {do for do, code in game.told if not code}
    assert len(accepted) >= min(8, len(game.acts())), game.told


@pytest.mark.parametrize("name", ["gavel", "lanterns", "orchard", "tricks"])
def test_no_vote_of_an_evening_hangs(name: str) -> None:
    game = table(name).play(10)
    game.wait(3_600)
    assert game.over or not game.undecided


def test_nobody_can_tell_which_courses_of_scripts_were_recalled(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = table("suber").play(6).run.entries
    with monkeypatch.context() as patch:  # they are forgotten at once
        patch.setattr(shortcuts, "MOST", 300)
        patch.setattr(shortcuts, "LONG", 1)
        assert table("suber").play(6).run.entries == entries
    with without_shortcuts():
        assert table("suber").play(6).run.entries == entries


OF_COURTS = {"rfj", "draw_judge", "verdict", "judicial_order", "recuse"}


def take_back(game: Table, act: int) -> str:
    """Have a Judge take an act back, and return with which code that was refused, "" where it was done."""
    officer = game.of("office")["osj"]["holder"] or game.of("office")["administrator"]["holder"]
    game.do("rfj", next(player for player in game.players if player != officer), statement="That was none.")
    number = max(request["number"] for request in game.of("rfj").values())
    game.do("draw_judge", officer, rfj=number)
    judge = game.of("rfj")[f"rfj-{number}"]["judge"]
    game.do("verdict", judge, rfj=number, verdict="TRUE")
    game.do("judicial_order", judge, rfj=number, order="It is taken back.", undo=act)
    return str(game.run.entries[-1].get("code") or "")


@pytest.mark.parametrize("seed", SEEDS)
def test_what_judges_take_back_comes_and_goes_as_a_whole(seed: int) -> None:
    """Whoever has spent it owes it, Cards go back together, and nothing goes back to somebody who has left."""
    game, codes = table("a-nomic", seed, settings={"lacking_funds": "remainder"}), list[str]()
    for _ in range(200 if FUZZ else 20):
        for _ in range(4):
            game.anything()
        game.pause()
        number = game.dice.randint(max(2, len(game.run.entries) - 12), len(game.run.entries))
        entry = game.run.entries[number - 1]
        if not entry.get("code") and entry["do"] not in OF_COURTS:
            codes.append(take_back(game, number))
    assert set(codes) <= {"", "E-DUP", "E-NO-SUCH", "E-STATUTE-393"}
    assert codes.count("") > 3, codes


BREAKS = {
    "points are below zero": 'add("bob", "points", -1000)',
    "funds are 100 more, of which 0 by rules": 'add("bob", "points", 1)',
    "cards are there twice or gone": 'put("game", "deck", sealed("first_again", get("game", "deck")))',
    "stones lie at one place": 'lay(create("stone", owner = "bob")); lay(create("stone", owner = "cid"))',
    "owner of a Rule": 'put(rule("301"), "owned_by", "nobody")',
}
"""What a rule does that breaks a promise of A Nomic, by what is said then."""
SCRIPT = """
def first_again(deck):
    return deck[:1] + deck[:-1]

def lay(stone):
    put(stone, "state", "in-play")
    put(stone, "at", "a1")

def on_day_begun(e):
    {does}
"""


@pytest.mark.parametrize("promise", BREAKS)
def test_a_rule_that_breaks_a_promise_is_found(promise: str) -> None:
    rule = {
        "rule": "500",
        "uid": "500",
        "title": "Mutant",
        "text": "It breaks something.",
        "sealed": {"first_again": "A Deck"},
    }
    law: Any = founding("a-nomic")
    law["rules"].append(rule | {"script": SCRIPT.format(does=BREAKS[promise])})
    game = Table("a-nomic", manners=MANNERS["a-nomic"], law=law)
    game.do("deal", "gil", player="bob")
    with pytest.raises(AssertionError, match=f"^{promise}"):
        game.wait(DAY)


# -- rules that go


@pytest.mark.parametrize("ruleset", sorted({name.split()[0] for name in MANNERS}))
def test_rules_can_go_and_no_hook_of_another_fails(ruleset: str) -> None:
    """Each time one rule or two are repealed, and play goes on for a week; with FOLKMOOT_FUZZ=1 each rule is once."""
    game = Table(ruleset, "repeals", replace(MANNERS[ruleset], promises=()))
    start, first, now = game.run.kernel.documents.snapshot(), len(game.run.entries), game.run.now
    every = [str(rule["uid"]) for rule in founding(ruleset)["rules"]]
    for uid in every if FUZZ else game.dice.sample(every, 2):
        game.run.kernel.come_back(start)
        game.run.entries[first:], game.run.now = [], now
        game.balances.clear()
        gone = {uid, *game.dice.sample(every, game.dice.randint(0, 1))}
        try:
            game.do(
                "repair",
                game.run.kernel.documents[GAME]["administrators"][0],
                changes=[{"repeal": uid} for uid in gone],
                why="x",
            )
            assert not gone & game.run.kernel.play.law.in_force().keys()
            game.play(2).wait(7 * DAY)
            pages = game.run.kernel.pages(game.run.now)
            assert [name for name, page in pages.items() if "error" in page] == []
        except AssertionError as error:
            error.add_note(f"without rules {gone}")
            raise
