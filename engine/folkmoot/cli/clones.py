"""A game as commands that only look see it: newest from where its players meet, or from the folder of who keeps it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from folkmoot.cli.games import game_folder
from folkmoot.cli.terminal import Terminal
from folkmoot.cli.ways_of_play import is_met
from folkmoot.core.problems import ProblemError

if TYPE_CHECKING:
    from folkmoot.game.session import Session
    from folkmoot.player.remote_view import RemoteView

SECONDS = 20  # that asking the remote repository may take


@contextmanager
def looked_at(
    terminal: Terminal, game: str | None, remote: str | None, *, offline: bool, noting: bool = True
) -> Iterator[tuple[RemoteView | None, Session]]:
    """Yield where the players meet (None in a game that one person keeps), and the game as it stands there.

    With `noting` it is said where that may not be the newest.
    """
    if remote is None and not is_met(terminal, game):
        from folkmoot.cli.repositories import told_if_stale

        with told_if_stale(terminal), kept_game(terminal, game_folder(terminal, game)) as session:
            yield None, session
        return
    from folkmoot.cli.sending import played_game, remote_view_of

    view = remote_view_of(terminal, remote, SECONDS)
    view.only_looks = True
    view.note = look(view, offline=offline)
    if view.note and noting:
        terminal.note(view.note)
    with view.session(played_game(view, game)) as session:
        yield view, session


@contextmanager
def kept_game(terminal: Terminal, folder: Path) -> Iterator[Session]:
    """Return the game in a folder, to be looked at, and say where it is damaged."""
    from folkmoot.game.session import Session
    from folkmoot.journal import GameFolder
    from folkmoot.journal.record import VERIFY

    record = GameFolder(folder)
    with Session.on(record) as session:
        if damage := record.damage():
            more = f" (and {len(damage) - 1} more)" if damage[1:] else ""
            terminal.note(f"The record is damaged: {damage[0].position}: {damage[0].message}{more}; {VERIFY}.")
        yield session


def look(view: RemoteView, *, offline: bool) -> str:
    """Fetch what is new, or take what was fetched last; returns why it is not new, "" if it is."""
    if not offline:
        try:
            view.look()
        except ProblemError as error:
            if view.remote is None or error.problems[0].code == "E-PAST":
                raise
            try:
                view.remember()
            except ProblemError:  # nothing was fetched before: what is wrong with fetching now is all there is to say
                raise error from None
            return f"Not up to date: {error.problems[0].message}. This is what was fetched last."
        return ""
    view.remember()
    return "" if view.remote is None else "Offline: this is what was fetched last."
