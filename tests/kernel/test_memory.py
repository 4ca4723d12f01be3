"""Games that are over make room: nothing keeps a kernel alive but who plays on it."""

from __future__ import annotations

import gc
import weakref

from tests.kernel.table import Table, rule, said


def test_a_game_that_nobody_holds_is_gone() -> None:
    script = 'load("words", "title_case")\ndef do_wave(a):\n    announce(title_case("%s waves" % a.by))\n'
    table = Table(rule("1", script, actions={"wave": {}}))
    assert said(table.ok("ann", "wave")) == ["Ann Waves"]
    play = table.kernel.play
    kept = [weakref.ref(play), weakref.ref(play.compiler), weakref.ref(play.compiler._border)]
    del table, play
    gc.collect()
    assert [known() for known in kept] == [None, None, None]
