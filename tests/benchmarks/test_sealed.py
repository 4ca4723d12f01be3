"""What sealed data costs: dealing many cards to many, a sealed ballot beside an open one, and nothing where nothing is sealed.

Figures are the least of several runs, or nearly. Ratios are asserted, and half a second for 208 cards; that a sealed
ballot costs some two milliseconds more than an open one is printed, because it is a matter of the machine.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from folkmoot.cli.outcomes import here_of, told
from folkmoot.game.keeper import keeper_file, keeper_seeds, keeper_word
from folkmoot.game.session import Session
from folkmoot.game.status import status_of
from folkmoot.journal import GameFolder
from folkmoot.player.sealing import seal_arguments
from folkmoot.sealing.keys import Identity, make_key
from tests.support.sealed_law import SECRET
from tests.support.table import START, VOTING, Record, rule

pytestmark = pytest.mark.benchmark
PLAYERS = [f"p{n}" for n in range(16)]
CARDS = 208
RUNS = 5
DEAL = rule(
    "1",
    f"""
    def gathered(cards):
        return sorted(cards)

    def do_deal(a):
        deck = shuffle_sealed(["card %d" % n for n in range({CARDS})])
        for i, player in enumerate(things("player")):
            put(player, "hand", sealed("gathered", deck[i * 13:(i + 1) * 13]))

    def do_deal_openly(a):
        deck = shuffle(["card %d" % n for n in range({CARDS})])
        for i, player in enumerate(things("player")):
            put(player, "seen", sorted(deck[i * 13:(i + 1) * 13]))
    """,
    sealed={"gathered": "The cards of a hand"},
    defines={"player": {"hand": {"type": "list", "sealed": "owner"}, "seen": {"type": "list"}}},
    actions={"deal": {}, "deal_openly": {}},
)
OPEN = rule("2", "def do_wave(a):\n    add('game', 'waves', 1)\n", defines={"game": {"waves": {"type": "integer", "initial": 0}}}, actions={"wave": {}})  # fmt: skip


def report(what: str, **figures: str) -> None:
    """Print a line of figures, with the machine."""
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    print(f"\n{what}: " + ", ".join(f"{name} {figure}" for name, figure in figures.items()) + f"  [{machine}]")


class Game:
    """A game in a repository of its own; the keeper and all players have keys if it is sealed."""

    def __init__(self, folder: Path, *rules: Record, sealed: bool = True) -> None:
        subprocess.run(["git", "init", "-q", str(folder)], check=True)
        people = [{"id": player, "surname": player} for player in PLAYERS]
        law = {"title": "Cards", "rules": list(rules), "players": people, "administrators": ["p0"]}
        self.path = folder / "state" / "cards"
        assert Session.found(self.path, law, START).accepted
        self._open = ExitStack()
        self.session = self._open.enter_context(Session.open(self.path, writing=True))
        if sealed:
            self._name_keys(make_key())

    def _name_keys(self, key: Identity) -> None:
        file = keeper_file(GameFolder(self.path))
        file.parent.mkdir(exist_ok=True)
        file.write_text(keeper_word(1, key) + "\n", "utf-8")
        self.act("p0", "open_sealing", key=key.recipient.text, seeds=keeper_seeds(key, self.session.keeper.game))
        for player in PLAYERS:
            self.act(player, "use_sealing_key", key=make_key().recipient.text)

    def close(self) -> None:
        """Let the session end."""
        self._open.close()

    def act(self, by: str, do: str, **args: Any) -> float:
        """Let somebody act, and return the seconds that it took the referee."""
        began = time.perf_counter()
        done = self.session.act(by, do, args, at=START)
        taken = time.perf_counter() - began
        assert done.accepted, done.entry
        return taken

    def vote(self, by: str, proposal: int) -> float:
        """Let somebody vote, sealed where ballots are, and return the seconds that it took the referee."""
        given = {"proposal": proposal, "choice": "for", "reason": "because it rains"}
        return self.act(by, "vote", **seal_arguments(self.session, by, "vote", given))


@pytest.fixture
def games(tmp_path: Path) -> Iterator[Callable[..., Game]]:
    made: list[Game] = []

    def game(*rules: Record, sealed: bool = True) -> Game:
        made.append(Game(tmp_path / str(len(made)), *rules, sealed=sealed))
        return made[-1]

    yield game
    for each in made:
        each.close()


def test_208_cards_are_dealt_to_16_players_in_half_a_second(games: Callable[..., Game]) -> None:
    game = games(DEAL)
    sealed = [game.act("p0", "deal") for _ in range(RUNS)]
    openly = [game.act("p0", "deal_openly") for _ in range(RUNS)]
    figures = {"sealed": f"{min(sealed) * 1e3:.0f} ms", "openly": f"{min(openly) * 1e3:.0f} ms"}
    report(f"{CARDS} cards for {len(PLAYERS)}", **figures)
    assert min(sealed) < 0.5


def test_a_sealed_ballot_costs_less_than_three_open_ones(games: Callable[..., Game]) -> None:
    taken = []
    for game in (games(VOTING, SECRET), games(VOTING)):
        times = []
        for number in range(901, 901 + RUNS):
            changes = [{"enact": {"title": f"Tea {number}", "text": "Tea is served."}}]
            game.act("p0", "propose", title="Tea", changes=changes)
            times += [game.vote(player, number) for player in PLAYERS[:-1]]  # the last would have them counted
        taken.append(sorted(times)[len(times) // 10])
    figures = {name: f"{each * 1e3:.2f} ms" for name, each in zip(("sealed", "open"), taken, strict=True)}
    report("a ballot", **figures, more=f"{(taken[0] - taken[1]) * 1e3:.2f} ms")
    assert taken[0] < 3 * taken[1]


def test_an_open_act_costs_the_same_where_much_is_sealed(games: Callable[..., Game]) -> None:
    """The one game has 1,120 sealed values, and the other nothing that is sealed and no key."""
    much, nothing = games(OPEN, DEAL), games(OPEN, sealed=False)
    for _ in range(RUNS):
        much.act("p0", "deal")
    taken: dict[str, list[float]] = {"much": [], "nothing": []}
    for _ in range(200):
        taken["much"].append(much.act("p1", "wave"))
        taken["nothing"].append(nothing.act("p1", "wave"))
    least = {name: sorted(times)[len(times) // 4] for name, times in taken.items()}
    ratio = least["much"] / least["nothing"]
    report("an open act", **{name: f"{each * 1e6:.0f} µs" for name, each in least.items()}, ratio=f"{ratio:.2f}")
    assert ratio < 1.5


def test_a_cold_run_opens_only_what_it_needs(games: Callable[..., Game], monkeypatch: pytest.MonkeyPatch) -> None:
    game = games(OPEN, DEAL)
    for _ in range(RUNS):
        game.act("p0", "deal")
    game.close()
    opened: list[str] = []
    from folkmoot.game import keeper

    found = keeper.open_all
    monkeypatch.setattr(keeper, "open_all", lambda box, keys: opened.append(box) or found(box, keys))
    with Session.open(game.path, writing=True) as session:
        assert session.act("p0", "wave", {}, at=START).accepted
        assert opened == []
        assert session.act("p0", "deal", {}, at=START).accepted
        assert opened == []


PAST = rule(
    "1",
    """
    def do_show(a):
        reveal(shuffle_sealed([n for n in range(250)]))
        put("game", "last", pick_sealed(["left", "right"]))

    def do_turn(a):
        reveal(get("game", "last"))
        put("game", "last", pick_sealed(["left", "right"]))
    """,
    defines={"game": {"last": {"type": "text", "sealed": "nobody"}}},
    actions={"show": {}, "turn": {}},
)


def test_a_cold_run_costs_the_same_whatever_was_opened_long_ago(games: Callable[..., Game]) -> None:
    """One game has opened 1,000 values and the other 10,000; an act that opens another is judged, and its words told."""
    taken: dict[int, list[tuple[float, float]]] = {}
    for opened in (1_000, 10_000):
        game = games(PAST)
        for _ in range(opened // 250):
            game.act("p0", "show")
        game.close()
        taken[opened] = [(_looked_at(game.path), _turned(game.path)) for _ in range(RUNS)]
    least = {n: [min(times) for times in zip(*each, strict=True)] for n, each in taken.items()}
    for place, what in enumerate(("a cold look", "a cold act")):
        few, many = (found[place] for found in least.values())
        report(what, few=f"{few * 1e3:.0f} ms", many=f"{many * 1e3:.0f} ms", ratio=f"{many / few:.2f}")
        assert many < 1.5 * few


def _looked_at(path: Path) -> float:
    began = time.perf_counter()
    with Session.open(path) as session:
        assert status_of(session)
    return time.perf_counter() - began


def _turned(path: Path) -> float:
    began = time.perf_counter()
    with Session.open(path, writing=True) as session:
        done = session.act("p0", "turn", {}, at=START)
        assert any("left" in line or "right" in line for line in told(here_of(session), done.entry))
    return time.perf_counter() - began


def test_a_game_without_sealed_data_loads_nothing_for_it(tmp_path: Path) -> None:
    code = f"""
import sys
from pathlib import Path
from folkmoot.game.session import Session
law = {{"title": "Waves", "rules": [{OPEN!r}], "players": [{{"id": "ann", "surname": "A"}}], "administrators": ["ann"]}}
path = Path({str(tmp_path / "state" / "waves")!r})
assert Session.found(path, law, {START}).accepted
with Session.open(path, writing=True) as session:
    assert session.act("ann", "wave", {{}}, at={START}).accepted
print([name for name in sys.modules if name.startswith(("pyrage", "cryptography"))])
"""
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "[]"
