"""A game as commands that only look see it: newest from where its players meet, or from the folder of who keeps it."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from folkmoot.cli.games import game_folder, is_met, repository_around, root_of
from folkmoot.cli.terminal import Terminal
from folkmoot.core.clone_files import read_whole, write_whole
from folkmoot.core.problems import ProblemError
from folkmoot.game.session import Session
from folkmoot.journal.git_folder import common_folder, find_git_folder, settings_of
from folkmoot.journal.machine_clock import FAR, clock_warning, commit_times, refuse_far_ahead

if TYPE_CHECKING:
    from folkmoot.player.remote_view import RemoteView

SECONDS = 20  # that asking the remote repository may take


@contextmanager
def looked_at(
    terminal: Terminal, game: str | None, remote: str | None, *, offline: bool
) -> Iterator[tuple[RemoteView | None, Session]]:
    """Yield where the players meet (None in a game that one person keeps), and the game as it stands there."""
    if remote is None and not is_met(terminal, game):
        with _told_if_stale(terminal), kept_game(terminal, game_folder(terminal, game), only_looks=True) as session:
            yield None, session
        return
    from folkmoot.cli.sending import played_game, remote_view_of

    view = remote_view_of(terminal, remote, SECONDS)
    view.only_looks = True
    view.note = look(view, offline=offline)
    if view.note:
        terminal.note(view.note)
    with view.session(played_game(view, game)) as session:
        yield view, session


def _told_if_stale(terminal: Terminal) -> AbstractContextManager[None]:
    """Say afterwards if there is newer play at `origin`; without one, git's library is not even loaded."""
    own = find_git_folder(root_of(terminal))
    settings = settings_of(common_folder(own)) if own is not None else []
    if not any(name.startswith("remote.origin.") for name, _ in settings):
        return nullcontext()
    from folkmoot.cli.repositories import told_if_stale

    return told_if_stale(terminal)


@contextmanager
def kept_game(terminal: Terminal, folder: Path, *, only_looks: bool = False) -> Iterator[Session]:
    """Return the game in a folder, to be looked at, and say where it is damaged."""
    from folkmoot.journal import GameFolder
    from folkmoot.journal.record import VERIFY

    record = GameFolder(folder)
    with Session.on(record, only_looks=only_looks) as session:
        if damage := record.damage():
            more = f" (and {len(damage) - 1} more)" if damage[1:] else ""
            terminal.note(f"The record is damaged: {damage[0].position}: {damage[0].message}{more}; {VERIFY}.")
        yield session


def look(view: RemoteView, *, offline: bool) -> str:
    """Fetch what is new, or take what was fetched last; returns why it is not new, "" if it is."""
    if offline:
        view.remember()
        return "" if view.remote is None else "Offline: this is what was fetched last."
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


# -- this machine's clock, where a game that one person keeps is recorded by it


def believe_clock(terminal: Terminal, session: Session, *, insisted: bool) -> None:
    """Say where a record's time lies ahead of this machine's; raises E-CLOCK where nothing known supports that.

    Git is asked for what others have sent only where the last entry does not support it.
    """
    now = int(time.time())
    if warning := clock_warning(session.record.name, session.at, now, met=False):
        terminal.note(warning)
    git = session.record.git_dir
    if git is None:
        return
    repo = repository_around(root_of(terminal)) if now - session.at > FAR else None
    names = [] if repo is None else [n for n in repo.references if n.startswith(("refs/heads/", "refs/remotes/"))]
    tips = [str(repo.references[n].resolve().target) for n in names] if repo is not None else []
    known = [session.at, *(commit_times(repo, tips) if repo is not None else ())]
    if doubt := refuse_far_ahead(Path(git), now, known, insisted=insisted):
        terminal.note(doubt)


# -- when the person at a clone last looked: kept beside the clone's own settings, and sent nowhere

FILE = "moot-looked.json"


def _kept(terminal: Terminal) -> tuple[Path | None, dict[str, Any]]:
    """Return the file, and what it says: nothing where it is missing or no longer what was written."""
    repo = repository_around(root_of(terminal))
    file, found = Path(repo.path) / FILE if repo is not None else None, None
    with suppress(OSError, ValueError):
        found = json.loads(read_whole(file) or b"{}") if file is not None else None
    return file, found if isinstance(found, dict) else {}


def last_look(terminal: Terminal, game: str) -> int:
    """Return up to when (Unix seconds) a game was looked at, 0 where it never was."""
    found = _kept(terminal)[1].get(game, 0)
    return found if isinstance(found, int) else 0


def looked_now(terminal: Terminal, game: str, at: int) -> None:
    """Keep up to when a game was looked at; where that cannot be written nothing is lost but the remark in status.

    What a wrong clock dated in the future counts as of now: what comes after it is new all the same.
    """
    (file, known), at = _kept(terminal), min(at, int(time.time()))
    if file is None or known.get(game, 0) >= at:
        return
    with suppress(OSError):
        write_whole(file, json.dumps({**known, game: at}).encode())
