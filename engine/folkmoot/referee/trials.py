"""Trying what pull requests would do, within the work that one run does for that."""

from __future__ import annotations

from folkmoot import __version__
from folkmoot.core.problems import Problem
from folkmoot.forges.error_isolation import Stage, guarded
from folkmoot.forges.port import Issue, Pull, Snapshot
from folkmoot.referee.change_redlines import redlines_in
from folkmoot.referee.comment_mark import header_of, mark_of
from folkmoot.referee.content import GameContent
from folkmoot.referee.preview import Preview, Ruling, preview
from folkmoot.referee.recorder import Recorder

MOST_PREVIEWS = 500  # made in one run; the rest follow in the next ones
WORK_OF_PREVIEWS = 6.0
"""Times what an event may take that a run grants to them all: what was begun is finished, so that each run gets on."""
THOROUGH = 3.0  # times what an event may take, for what may come later: more than in a clone
DIED = "died-"
"""What the keys begin with by which a comment of ours remembers that a trial ended the sandbox."""
ENDED = "when it was tried, the sandbox had to be ended; it is tried again when it or the law changes"


class Trials:
    """Tries changes; `deaths` are the keys of those that ended the sandbox, by pull request and issue."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.deaths: dict[int, str] = {}
        self._made = 0
        self._left = WORK_OF_PREVIEWS

    @property
    def exhausted(self) -> bool:
        """Say whether this run tries no more changes: their authors wait for the next one, and nobody else does."""
        return self._made >= MOST_PREVIEWS or self._left <= 0

    def tried(self, recorder: Recorder, place: Pull | Issue, content: GameContent, title: str, id_: str) -> Preview:
        """Return what a content would do as a proposal, or that it cannot be tried."""
        session, author = recorder.session, recorder.author_of(place)
        body = place.body if isinstance(place, Pull) else ""

        def instead(problem: Problem) -> Preview:
            recorder.begin_anew()
            return Preview(changes=(), died=problem.message, proper=Ruling(ok=False, code=problem.code))

        key = DIED + mark_of([__version__, session.document("law").get("version"), content.changes, id_])
        if key in header_of(self.snapshot.said.get(place.number, "")).keys:
            self.deaths[place.number] = key
            ruling = Ruling(ok=False, code="E-JUDGE", why=ENDED)
            return Preview(changes=tuple(redlines_in(session, content)), died=ENDED, proper=ruling)
        sandbox, self._made = session.sandbox, self._made + 1
        sandbox.most_foreseen = THOROUGH
        before = sandbox.work
        at = self.snapshot.at
        shown = guarded(Stage.PREVIEW, lambda: preview(session, content, title, author, at, id_, body), instead)
        self._left -= sandbox.work - before
        self.deaths |= {place.number: key} if shown.died else {}
        return shown
