"""A game that was played by chance, and the pages of its site: the one place that knows how the engine makes pages."""

from __future__ import annotations

import json
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any, cast

from msgspec import Struct

from folkmoot.game.session import Session
from folkmoot.journal import Head
from folkmoot.kernel.documents import is_archived
from folkmoot.kernel.step import Kernel
from folkmoot.site.game_views import view_of
from tests.figures.facts import moment_of
from tests.support.random_play import Manners, Table
from tests.support.site_game import render_game


class Played(Struct):
    """What is recorded of a game and what its pages say: their texts by path, and what its rules show, by name."""

    entries: list[dict[str, Any]]
    documents: dict[str, Any]
    texts: dict[str, str]
    shown: dict[str, Any]


class _Judge:
    """A kernel as its process answers for it."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel

    def __getattr__(self, name: str) -> Any:
        return getattr(self._kernel, name)

    def overruled(self, now: int) -> list[tuple[str, str, str]]:
        """Return the answers that nobody hears."""
        return [(each.rule, each.question, each.by) for each in self._kernel.overruled(now)]


def played(name: str, seed: int, rounds: int) -> Played:
    """Play a game and make its pages."""
    kernel = (run := Table(name, seed, Manners(least=4)).play(rounds).run).kernel
    entries = json.loads(json.dumps(run.entries))
    documents = json.loads(json.dumps(kernel.documents.everything()))
    seq, at = entries[-1]["seq"], moment_of(entries[-1])
    past = {key: each for key, each in documents.items() if is_archived(key, each)}
    record = SimpleNamespace(
        name="game",
        head=Head(seq, "", at),
        entries=lambda start, end=None: entries[start - 1 : end],
        archived_keys=past.keys,
        archive=past.get,
        reading=nullcontext,
    )
    present = {key: each for key, each in documents.items() if key not in past} | {
        "head": {"seq": seq, "digest": "", "at": at}
    }
    session = SimpleNamespace(record=record, documents=present, sandbox=_Judge(kernel))
    return Played(entries, documents, render_game(view_of(cast(Session, session))), kernel.pages(at))
