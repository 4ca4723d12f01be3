"""This machine's clock, where a game that one person keeps is recorded by it."""

from __future__ import annotations

import time
from pathlib import Path

from folkmoot.cli.games import repository_around, root_of
from folkmoot.cli.terminal import Terminal
from folkmoot.game.session import Session
from folkmoot.journal.machine_clock import FAR, clock_warning, commit_times, refuse_far_ahead


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
