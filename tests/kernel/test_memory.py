"""Games that are over make room: nothing keeps a kernel alive but who plays on it."""

from __future__ import annotations

import gc
import weakref

from folkmoot.core.keys import proposal_key
from tests.support.table import VOTING, Table, rule, said


def test_a_game_that_nobody_holds_is_gone() -> None:
    script = 'load("words", "title_case")\ndef do_wave(a):\n    announce(title_case("%s waves" % a.by))\n'
    table = Table(rule("1", script, actions={"wave": {}}))
    assert said(table.ok("ann", "wave")) == ["Ann Waves"]
    play = weakref.ref(table.kernel.play)
    del table
    gc.collect()
    assert play() is None


def test_games_share_what_scripts_were_compiled_to_and_nothing_else() -> None:
    script = 'def do_wave(a):\n    put("game", "waves", get("game", "waves") + 1)\n'
    waves = {"game": {"waves": {"type": "integer", "initial": 0}}}
    one, other = (Table(rule("1", script, actions={"wave": {}}, defines=waves)) for _ in range(2))
    for _ in range(3):
        one.ok("ann", "wave")
    other.ok("ann", "wave")
    counts = [
        table.kernel.look(lambda play: play.host["get"].carries_out(play, "game", "waves"), 0) for table in (one, other)
    ]
    assert counts == [3, 1]
    assert one.kernel.play.programs[script,] is other.kernel.play.programs[script,]


def test_what_was_made_of_ballots_goes_with_the_proposal() -> None:
    table = Table(VOTING)
    for _ in range(3):
        table.adopt({"enact": {"title": "Tea", "text": "Tea."}})
    number = table.propose("ann", {"enact": {"title": "Tea", "text": "Tea."}})
    table.ok("ann", "vote", proposal=number, choice="for")
    assert [*table.kernel.documents.known] == [proposal_key(f"proposal/{number}")]
