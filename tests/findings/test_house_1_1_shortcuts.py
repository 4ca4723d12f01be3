"""The net under the shortcuts holds: replayed without them, and torn at once when one is broken on purpose."""

from __future__ import annotations

from typing import Any

import pytest

from folkmoot.core.problems import ProblemError
from folkmoot.kernel import hook_calls
from folkmoot.kernel.replay import replay
from folkmoot.kernel.step import Kernel
from folkmoot.language import call_cache
from tests.kernel.table import Table, rule, without_shortcuts

LAW = (
    rule(
        "1",
        """
        def do_go(a):
            award("ann", "score", 3)
            put("game", "seen", a.args.word)
        """,
        actions={"go": {"arguments": {"word": {"type": "text"}}}},
        defines={
            "currencies": {"score": {"owners": "player"}},
            "game": {"seen": {"type": "text", "optional": True}, "heard": {"type": "integer", "initial": 0}},
        },
    ),
    rule(
        "2",
        """
        def on_awarded(e):
            if e.award.amount > 2:
                add("game", "heard", e.award.amount)
        """,
    ),
)


def forget() -> None:
    """Forget the programs that all games of a process share, with the calls that they remember."""
    hook_calls.RUNNING.programs.clear()


def played() -> Table:
    """Return a game in which the shortcut could be taken."""
    table = Table(*LAW)
    for word in ("a", "b", "a", "a"):
        table.ok("ann", "go", word=word)
    assert table.get("game", "heard") in (12, 0, 28), "the listener hears it, or a broken shortcut keeps it from that"
    return table


def test_the_net_holds_as_things_are() -> None:
    played().replay_all()


def broken_recall(patch: pytest.MonkeyPatch) -> None:
    """Let a course be followed whatever the arguments are."""
    follow, keep = call_cache.Border.follow, call_cache.Border.keep
    patch.setattr(call_cache.Border, "follow", lambda self, key, ended: follow(self, (key[0], key[1], ""), ended))
    patch.setattr(
        call_cache.Border, "keep", lambda self, key, run, answer: keep(self, (key[0], key[1], ""), run, answer)
    )


def test_a_shortcut_that_is_broken_is_found() -> None:
    with pytest.MonkeyPatch.context() as patch:
        broken_recall(patch)
        forget()
        table = played()
        hook_calls.RUNNING.programs.clear()  # as in another process, which is where records are proved
        with pytest.raises((AssertionError, ProblemError)):
            table.replay_all()
    forget()


def test_without_shortcuts_every_call_runs_its_script(monkeypatch: pytest.MonkeyPatch) -> None:
    table = played()
    runs: list[str] = []
    kept = hook_calls._run

    def counted(play: Any, program: Any, hook: str, arguments: list[Any]) -> Any:
        runs.append(hook)
        return kept(play, program, hook, arguments)

    monkeypatch.setattr(hook_calls, "_run", counted)
    with without_shortcuts():
        kernel = replay(table.entries, Kernel())
        assert runs.count("on_awarded") == 4
    assert table.settled(kernel) == table.settled(table.kernel)
