"""A run that begins without anything in memory reads no more of what is sealed than what is asked for.

Whoever asks gets the same, whether it was in memory or not: in play, in what is told of it, and in what is only tried.
"""

from __future__ import annotations

import subprocess
from pathlib import Path
from random import Random

import pytest

from folkmoot.cli.outcomes import here_at, here_of, told
from folkmoot.core.records import Written
from folkmoot.game.session import Session
from folkmoot.journal import GameFolder
from folkmoot.journal.record import LoadedDocuments
from folkmoot.sandbox.client import Sandbox
from folkmoot.scenarios.trial import Trial
from tests.conftest import FUZZ
from tests.support.keeper import KEY, Cards
from tests.support.sealed_worlds import Act, Law, acts
from tests.support.table import START, VOTING, rule
from tests.support.two_worlds import World

DEALING = rule(
    "1",
    """
    def do_deal(a):
        cards = shuffle_sealed([n for n in range(120)])
        reveal(cards)
        put("game", "first", cards[0])
        put("game", "last", shuffle_sealed(["canary", "bird"])[0])

    def do_show(a):
        reveal(get("game", "last"))

    def do_turn(a):
        put("game", "last", a.args.card)

    def do_note(a):
        put("game", "noted", is_open(get("game", "first")) and not is_open(get("game", "last")))
    """,
    defines={
        "game": {
            "first": {"type": "any", "sealed": "nobody"},
            "last": {"type": "any", "sealed": "nobody"},
            "noted": {"type": "boolean"},
        }
    },
    actions={
        "deal": {},
        "show": {},
        "turn": {"arguments": {"card": {"type": "integer", "sealed": "nobody"}}},
        "note": {},
    },
)
TEA = {"enact": {"title": "Tea", "text": "Tea is served."}}
CASES = 100 if FUZZ else 2


class Dealing(Cards):
    """A game in which much was opened, and a little is sealed."""

    def __init__(self, folder: Path) -> None:
        """Found it, and name the keeper's key."""
        subprocess.run(["git", "init", "-q", str(folder)], check=True)
        self.path = folder / "state" / "cards"
        law = {"title": "Cards", "rules": [DEALING, VOTING], "players": [{"id": "ann"}], "administrators": ["ann"]}
        assert Session.found(self.path, law, START).accepted
        self.record = GameFolder(self.path)
        self.keep_key(KEY)
        assert self.open_sealing().accepted


def test_a_cold_start_reads_what_is_asked_for_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = Dealing(tmp_path)
    for _ in range(3):
        assert game.act("ann", "deal").accepted
    assert len(list((game.path / "sealed").iterdir())) == 19
    read, simple = list[str](), GameFolder.read

    def noted(self: GameFolder, name: str) -> bytes | None:
        read.append(name)
        return simple(self, name)

    monkeypatch.setattr(GameFolder, "read", noted)
    with Session.open(game.path, writing=True) as session:
        assert session.act("ann", "state", {"text": "I am here."}, at=START).accepted
        assert {name for name in read if name.startswith("sealed/")} == set()
        shown = session.act("ann", "show", at=START)
        assert shown.accepted
        assert "committed to in #5" in " ".join(told(here_of(session), shown.entry))
    assert {name for name in read if name.startswith("sealed/")} == {"sealed/360.yaml"}
    assert game.problems() == []


def test_what_is_tried_on_a_copy_stays_until_the_trial_ends(tmp_path: Path) -> None:
    """A proposal that a step has resolved, a value that a step makes, and one that was opened long ago."""
    game = Dealing(tmp_path)
    assert game.act("ann", "deal").accepted
    with Session.open(game.path, writing=True) as session:
        assert session.act("ann", "propose", {"title": "Tea", "changes": [TEA]}, at=START).accepted
        steps: list[Written] = [
            {"by": "ann", "do": "vote", "args": {"proposal": 901, "choice": "for"}},
            {"by": "ann", "do": "turn", "args": {"card": 7}},
            {"by": "ann", "do": "note"},
            {"expect": [{"proposal": 901, "state": "adopted"}, {"game": "game", "noted": True}]},
        ]
        with Sandbox(session.documents, session.record.archive) as copy:
            trial = Trial(**copy.try_out([], steps, session.head.seq, session.at))
        assert trial.failed == ""
        here = here_at("cards", LoadedDocuments(trial.documents, session.record.archive))
        assert "fm-opened" in here.value({"$sealed": 1})


class Cold(World):
    """A world in which nothing is in memory when an act is judged."""

    def play(self, script: list[Act]) -> None:
        """Play all acts, each in a session of its own."""
        with Session.open(self.path) as session:
            game = session.keeper.game
        for by, do, given, at in self.steps(game, script):
            with Session.open(self.path, writing=True) as session:
                self.act(session, by, do, given, at)


@pytest.mark.parametrize("seed", range(CASES))
def test_what_is_in_memory_changes_no_byte(seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    law, script = Law(random).rule(), acts(random, 8)
    warm, cold = World(tmp_path / "warm", law, 0), Cold(tmp_path / "cold", law, 0)
    for world in (warm, cold):
        world.play(script)
    one, other = warm.files(), cold.files()
    assert one.keys() == other.keys()
    assert [name for name in one if one[name] != other[name]] == []
    assert warm.pages() == cold.pages()
