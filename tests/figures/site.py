"""The site of a game that was played in memory: the one place that knows how the engine makes pages."""

from __future__ import annotations

from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any, cast

from folkmoot.game.session import Session
from folkmoot.journal import Head
from folkmoot.kernel.documents import is_archived
from folkmoot.kernel.step import Kernel
from folkmoot.site.game_views import view_of
from tests.figures.chance_play import Played
from tests.figures.facts import moment_of
from tests.support.site_game import render_game


class _Judge:
    """A kernel as its process answers for it."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel

    def __getattr__(self, name: str) -> Any:
        return getattr(self._kernel, name)

    def overruled(self, now: int) -> list[tuple[str, str, str]]:
        """Return the answers that nobody hears."""
        return [(each.rule, each.question, each.by) for each in self._kernel.overruled(now)]


def texts_of(played: Played) -> tuple[dict[str, str], dict[str, Any]]:
    """Return the text of every page by its path, and what the pages of rules show by their names."""
    last, at = played.entries[-1], moment_of(played.entries[-1])
    head = {"seq": last["seq"], "digest": "", "at": at}
    past = {key: each for key, each in played.documents.items() if is_archived(key, each)}
    present = {key: each for key, each in played.documents.items() if key not in past} | {"head": head}
    record = SimpleNamespace(
        name="game",
        head=Head(last["seq"], "", at),
        entries=lambda start, end=None: played.entries[start - 1 : end],
        archived_keys=past.keys,
        archive=past.get,
        reading=nullcontext,
    )
    session = SimpleNamespace(record=record, documents=present, sandbox=_Judge(played.run.kernel))
    shown = played.run.kernel.pages(at)
    return render_game(view_of(cast(Session, session))), shown
