"""What sealed data costs: dealing many cards to many, a sealed ballot beside an open one, and little where nothing is sealed."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from folkmoot.cli.outcomes import here_of, told
from folkmoot.game import keeper
from folkmoot.game.keeper import keeper_file, keeper_seeds, keeper_word
from folkmoot.game.session import Session
from folkmoot.game.status import status_of
from folkmoot.journal import GameFolder
from folkmoot.player.sealing import seal_arguments
from folkmoot.sealing.keys import make_key
from tests.benchmarks.measure import by_turns, figure
from tests.support.keeper import SECRET
from tests.support.table import START, VOTING, Record, rule

PLAYERS = [f"p{n}" for n in range(16)]
DEAL = rule(
    "1",
    """
    def gathered(cards):
        return sorted(cards)

    def do_deal(a):
        deck = shuffle_sealed(["card %d" % n for n in range(208)])
        for i, player in enumerate(things("player")):
            put(player, "hand", sealed("gathered", deck[i * 13:(i + 1) * 13]))

    def do_deal_openly(a):
        deck = shuffle(["card %d" % n for n in range(208)])
        for i, player in enumerate(things("player")):
            put(player, "seen", sorted(deck[i * 13:(i + 1) * 13]))
    """,
    sealed={"gathered": "The cards of a hand"},
    defines={"player": {"hand": {"type": "list", "sealed": "owner"}, "seen": {"type": "list"}}},
    actions={"deal": {}, "deal_openly": {}},
)
OPEN = rule("2", "def do_wave(a):\n    add('game', 'waves', 1)\n", defines={"game": {"waves": {"type": "integer", "initial": 0}}}, actions={"wave": {}})  # fmt: skip
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
            key, file = make_key(), keeper_file(GameFolder(self.path))
            file.parent.mkdir(exist_ok=True)
            file.write_text(keeper_word(1, key) + "\n", "utf-8")
            self.act("p0", "open_sealing", key=key.recipient.text, seeds=keeper_seeds(key, self.session.keeper.game))
            for player in PLAYERS:
                self.act(player, "use_sealing_key", key=make_key().recipient.text)

    def close(self) -> None:
        self._open.close()

    def act(self, by: str, do: str, **args: Any) -> None:
        done = self.session.act(by, do, args, at=START)
        assert done.accepted, done.entry

    def vote(self, voters: Iterator[tuple[str, int]]) -> None:
        """Let the next voter vote, sealed where ballots are."""
        by, number = next(voters)
        given = {"proposal": number, "choice": "for", "reason": "because it rains"}
        self.act(by, "vote", **seal_arguments(self.session, by, "vote", given))


def children(*games: Game) -> tuple[int, ...]:
    """Return the processes in which games are judged."""
    return tuple(child.pid for game in games if (child := game.session.sandbox._child))


@pytest.fixture
def games(tmp_path: Path) -> Iterator[Callable[..., Game]]:
    made: list[Game] = []

    def game(*rules: Record, sealed: bool = True) -> Game:
        made.append(Game(tmp_path / str(len(made)), *rules, sealed=sealed))
        return made[-1]

    yield game
    for each in made:
        each.close()


def test_dealing_and_an_open_act_where_much_is_sealed(
    games: Callable[..., Game], monkeypatch: pytest.MonkeyPatch
) -> None:
    much, nothing = games(OPEN, DEAL), games(OPEN, sealed=False)
    deal, openly = (partial(much.act, "p0", do) for do in ("deal", "deal_openly"))
    figure("208 cards for 16, sealed, beside openly", *by_turns(4, deal, openly, children=children(much, nothing)))
    wave = [partial(game.act, "p1", "wave") for game in (much, nothing)]
    figure("an open act, where much is sealed", *by_turns(60, *wave, children=children(much, nothing)))
    much.close()
    opened: list[str] = []
    found = keeper.open_all
    monkeypatch.setattr(keeper, "open_all", lambda box, keys: opened.append(box) or found(box, keys))
    with Session.open(much.path, writing=True) as session:
        for do in ("wave", "deal"):
            assert session.act("p0", do, {}, at=START).accepted
    assert opened == [], "a cold run opens only what it needs"


def test_a_sealed_ballot(games: Callable[..., Game]) -> None:
    works, both = [], (games(VOTING, SECRET), games(VOTING))
    for game in both:
        for _ in range(3):
            changes = [{"enact": {"title": "Tea", "text": "Tea is served."}}]
            game.act("p0", "propose", title="Tea", changes=changes)
        voters = iter([(player, number) for number in (901, 902, 903) for player in PLAYERS[:-1]])
        works.append(partial(game.vote, voters))
    figure("a sealed ballot, in open ones", *by_turns(40, *works, children=children(*both)))


def test_a_cold_run_whatever_was_opened_long_ago(games: Callable[..., Game]) -> None:
    """One game has opened 500 values and the other 5,000; an act that opens another is judged, and its words told."""
    paths = []
    for shows in (2, 20):
        game = games(PAST)
        for _ in range(shows):
            game.act("p0", "show")
        game.close()
        paths.append(game.path)

    def look(path: Path) -> None:
        with Session.open(path) as session:
            assert status_of(session)

    def turn(path: Path) -> None:
        with Session.open(path, writing=True) as session:
            done = session.act("p0", "turn", {}, at=START)
            assert any("left" in line or "right" in line for line in told(here_of(session), done.entry))

    for work in (look, turn):
        less, more = by_turns(3, *(partial(work, path) for path in paths))
        figure(f"a cold {work.__name__} after 5,000 openings, beside 500", more, less)
